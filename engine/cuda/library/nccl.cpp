// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/library/nccl.h"

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/cuda/library/opened_library.h"

namespace fusebench::cuda {
namespace {

constexpr int kOldestNccl = 21000;

const SoughtLibrary& soughtNccl() {
  static const SoughtLibrary kSought{
      "NCCL",
      "FUSEBENCH_CUDA_NCCL",
      {"libnccl.so.2"},
      toBeSaid("install NCCL 2.10 or newer, or the Python package nvidia-nccl-cu13 (for CUDA 12 "
               "nvidia-nccl-cu12), or set FUSEBENCH_CUDA_PATH to the folder that contains it")};
  return kSought;
}

}  // namespace

std::string Nccl::versionText() const {
  // From 2.9 on 23007 for 2.30.7; before 2804 for 2.8.4.
  if (version_ < 10000)
    return fmt::format("{}.{}.{}", version_ / 1000, version_ / 100 % 10, version_ % 100);
  return fmt::format("{}.{}.{}", version_ / 10000, version_ / 100 % 100, version_ % 100);
}

std::string Nccl::resultText(NcclResult result) const {
  const char* const text = errorString_(result);
  return text ? text : saying("result {}", result);
}

/// Why this library cannot be used; empty if it can.
std::string Nccl::bind(SharedLibrary& library) {
  NcclResult (*version)(int*) = nullptr;
  if (!library.find("ncclGetVersion", version)) return saying("it lacks ncclGetVersion");
  if (version(&version_) != kNcclSuccess) return saying("it does not report its version");
  if (version_ < kOldestNccl)
    return saying("it is version {}; 2.10 or newer is needed", versionText());
  FunctionSearch search(library);
  search.find("ncclGetErrorString", errorString_);
#define FUSEBENCH_FIND(member, symbol, ...) search.find(#symbol, member);
  FUSEBENCH_NCCL_FUNCTIONS(FUSEBENCH_FIND)
#undef FUSEBENCH_FIND
  if (std::string lacking = search.complaint(); !lacking.empty()) return lacking;
  path_ = SharedLibrary::fileOf(reinterpret_cast<const void*>(version));
  if (path_.empty()) path_ = library.name();
  return {};
}

std::shared_ptr<const Nccl> Nccl::find(const std::string& library, int driverVersion,
                                       std::string& why) {
  return openedOnce<Nccl>(soughtNccl(), library, driverVersion, why,
                          [](SharedLibrary& found, std::shared_ptr<Nccl>& made) {
                            made.reset(new Nccl);
                            return made->bind(found);
                          });
}

std::shared_ptr<const Nccl> Nccl::open(const std::string& library, const Driver& driver,
                                       std::string& why) {
  return worksOn(soughtNccl(), library, driver, why) ? find(library, driver.version(), why)
                                                     : nullptr;
}

}  // namespace fusebench::cuda
