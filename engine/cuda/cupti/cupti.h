// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/cupti/cupti_abi.h"
#include "engine/cuda/driver/library_search.h"

namespace fusebench::cuda {

/// CUPTI's functions by their addresses. A plain table, so that a test can replace them.
struct CuptiFunctions {
#define FUSEBENCH_MEMBER(member, symbol, ...) CuptiResult (*member)(__VA_ARGS__) = nullptr;
  FUSEBENCH_CUPTI_FUNCTIONS(FUSEBENCH_MEMBER)
#undef FUSEBENCH_MEMBER
};

/// No CUPTI can be used here. what() has the reason in one line; attempts() what was tried;
/// remedy() what the user can do.
class NoCupti : public std::runtime_error {
 public:
  explicit NoCupti(std::vector<LibraryAttempt> attempts);
  const std::vector<LibraryAttempt>& attempts() const { return attempts_; }
  static std::string_view remedy();

 private:
  std::vector<LibraryAttempt> attempts_;
};

/// From this interface on (CUDA 12.9) CUPTI may be refused a buffer: it then drops records and
/// counts them. Before it crashed.
inline constexpr std::uint32_t kMayRefuseBuffers = 27;

/// "13.0" or "12.8" for the number of an interface (130001, 26); empty for an unsupported one.
std::string cudaOfCupti(std::uint32_t version);

/// NVIDIA's profiling tools interface, opened at run time: it reports when each kernel ran.
/// Optional: times do not depend on it. It can be opened without a GPU, and stays open to the end
/// of the process. Opening it attaches nothing.
class Cupti {
 public:
  /// Opens `library` (a path or name); if empty, the environment's FUSEBENCH_CUPTI, or the first
  /// usable one of libraryCandidates(): those of CUDA 13 and 12 are supported; stubs and libraries
  /// that crash are not. `driver`: the driver's version (13000), with which a CUPTI of a newer CUDA
  /// does not work; 0: not known. Throws NoCupti. The same library is opened once.
  static std::shared_ptr<const Cupti> open(const std::string& library = {}, int driver = 0);
  static std::shared_ptr<const Cupti> open(const SearchPlaces& places, int driver = 0);

  const CuptiFunctions& functions() const { return functions_; }
  const std::string& path() const { return path_; }   ///< path of the file
  std::uint32_t version() const { return version_; }  ///< version of its interface: 130001, 26
  std::string versionText() const;                    ///< "13.0 (interface 130001)"
  /// All candidates that were tried until this one was taken.
  const std::vector<LibraryAttempt>& attempts() const { return attempts_; }

 private:
  Cupti() = default;
  static std::shared_ptr<const Cupti> openFirst(const std::vector<LibraryCandidate>& candidates,
                                                int driver);
  std::string bind(SharedLibrary& library, int driver);

  CuptiFunctions functions_;
  std::string path_;
  std::uint32_t version_ = 0;
  std::vector<LibraryAttempt> attempts_;
};

/// Calls `function` in a separate process: returns the signal that terminated it there, or 0 if it
/// returned.
int crashOf(CuptiResult (*function)(std::uint32_t*));

}  // namespace fusebench::cuda
