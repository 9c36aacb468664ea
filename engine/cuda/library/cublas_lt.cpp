// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/library/cublas_lt.h"

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/cuda/library/opened_library.h"

namespace fusebench::cuda {
namespace {

constexpr std::size_t kOldestCublasLt = 12;

const SoughtLibrary& soughtCublasLt() {
  static const SoughtLibrary kSought{
      "cuBLASLt",
      "FUSEBENCH_CUDA_CUBLASLT",
      {"libcublasLt.so.13", "libcublasLt.so.12"},
      toBeSaid(
          "install the CUDA toolkit 12 or 13, or the Python package nvidia-cublas (for CUDA 12 "
          "nvidia-cublas-cu12), or set FUSEBENCH_CUDA_PATH to the folder that contains it")};
  return kSought;
}

}  // namespace

std::string ltStatusName(LtStatus status) {
  switch (status) {
    case kLtSuccess:
      return "CUBLAS_STATUS_SUCCESS";
    case kLtNotInitialized:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case kLtAllocationFailed:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case kLtInvalidValue:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case kLtArchitectureMismatch:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case kLtExecutionFailed:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case kLtInternalError:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case kLtNotSupported:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return saying("status {}", status);
  }
}

std::string CublasLt::versionText() const {
  // 12: 120304 for 12.3.4; 13: 130401 for 13.4.1.
  return fmt::format("{}.{}.{}", version_ / 10000, version_ / 100 % 100, version_ % 100);
}

/// Why this library cannot be used; empty if it can.
std::string CublasLt::bind(SharedLibrary& library, int driverVersion) {
  std::size_t (*version)() = nullptr;
  if (!library.find("cublasLtGetVersion", version)) return saying("it lacks cublasLtGetVersion");
  version_ = version();
  const std::size_t major = version_ / 10000;
  if (major < kOldestCublasLt)
    return saying("it is version {}; {} or newer is needed", versionText(), kOldestCublasLt);
  if (driverVersion > 0 && major > static_cast<std::size_t>(driverVersion / 1000))
    return saying("it is {}, newer than the driver's CUDA {}", versionText(),
                  cuda::versionText(driverVersion));
  FunctionSearch search(library);
#define FUSEBENCH_FIND(member, symbol, ...) search.find(#symbol, member);
  FUSEBENCH_CUBLASLT_FUNCTIONS(FUSEBENCH_FIND)
#undef FUSEBENCH_FIND
  if (std::string lacking = search.complaint(); !lacking.empty()) return lacking;
  path_ = SharedLibrary::fileOf(reinterpret_cast<const void*>(version));
  if (path_.empty()) path_ = library.name();
  return {};
}

std::shared_ptr<const CublasLt> CublasLt::find(const std::string& library, int driverVersion,
                                               std::string& why) {
  return openedOnce<CublasLt>(soughtCublasLt(), library, driverVersion, why,
                              [&](SharedLibrary& found, std::shared_ptr<CublasLt>& made) {
                                made.reset(new CublasLt);
                                return made->bind(found, driverVersion);
                              });
}

std::shared_ptr<const CublasLt> CublasLt::open(const std::string& library, const Driver& driver,
                                               std::string& why) {
  return worksOn(soughtCublasLt(), library, driver, why) ? find(library, driver.version(), why)
                                                         : nullptr;
}

}  // namespace fusebench::cuda
