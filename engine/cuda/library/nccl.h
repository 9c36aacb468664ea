// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cuda/driver/driver.h"
#include "engine/cuda/library/library_function.h"
#include "engine/cuda/library/nccl_abi.h"

namespace fusebench::cuda {

struct NcclFunctions {
#define FUSEBENCH_MEMBER(member, symbol, ...) LibraryFunction<__VA_ARGS__> member;
  FUSEBENCH_NCCL_FUNCTIONS(FUSEBENCH_MEMBER)
#undef FUSEBENCH_MEMBER
};

/// NVIDIA's NCCL, opened at run time. Stays open to the end of the process.
class Nccl : public NcclFunctions {
 public:
  /// Opens `library` (a path or name); if empty, the environment's FUSEBENCH_CUDA_NCCL, or the
  /// first usable one of libraryCandidates(): 2.10 or newer, which can average. A library that is
  /// found rather than named has to work with the given driver, which it finds by the system's
  /// search itself. Null: there is none, and `why` says so in one line, with what helps. The same
  /// library is opened once.
  static std::shared_ptr<const Nccl> open(const std::string& library, const Driver& driver,
                                          std::string& why);
  /// The same without a driver: for what a machine has.
  static std::shared_ptr<const Nccl> find(const std::string& library, int driverVersion,
                                          std::string& why);

  const std::string& path() const { return path_; }  ///< path of the file
  const std::string& origin() const { return origin_; }
  void setOrigin(std::string origin) { origin_ = std::move(origin); }
  std::string versionText() const;  ///< "2.30.7"
  /// "invalid usage (run with NCCL_DEBUG=WARN for details)", as the library says it.
  std::string resultText(NcclResult result) const;

 private:
  Nccl() = default;
  std::string bind(SharedLibrary& library);

  std::string path_, origin_;
  int version_ = 0;
  const char* (*errorString_)(NcclResult) = nullptr;
};

}  // namespace fusebench::cuda
