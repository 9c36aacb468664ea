// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/library/cudnn.h"

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/cuda/library/opened_library.h"

namespace fusebench::cuda {
namespace {

constexpr std::size_t kCudnnMajor = 9;

const SoughtLibrary& soughtCudnn() {
  static const SoughtLibrary kSought{
      "cuDNN",
      "FUSEBENCH_CUDA_CUDNN",
      {"libcudnn.so.9"},
      toBeSaid("install cuDNN 9, or the Python package nvidia-cudnn-cu13 (for CUDA 12 "
               "nvidia-cudnn-cu12), or set FUSEBENCH_CUDA_PATH to the folder that contains it")};
  return kSought;
}

}  // namespace

std::string Cudnn::versionText() const {
  // From 9 on 92600 for 9.26.0; before 8907 for 8.9.7.
  if (version_ < 10000)
    return fmt::format("{}.{}.{}", version_ / 1000, version_ / 100 % 10, version_ % 100);
  return fmt::format("{}.{}.{}", version_ / 10000, version_ / 100 % 100, version_ % 100);
}

std::string Cudnn::statusName(DnnStatus status) const {
  const char* const name = errorString_(status);
  const bool known = name && std::string_view(name).starts_with("CUDNN_STATUS_");
  return known ? name : saying("status {}", status);
}

/// Why this library cannot be used; empty if it can.
std::string Cudnn::bind(SharedLibrary& library, int driverVersion) {
  std::size_t (*version)() = nullptr;
  std::size_t (*madeFor)() = nullptr;
  if (!library.find("cudnnGetVersion", version)) return saying("it lacks cudnnGetVersion");
  version_ = version();
  if (version_ / 10000 != kCudnnMajor)
    return saying("it is version {}; {} is needed", versionText(), kCudnnMajor);
  if (!library.find("cudnnGetCudartVersion", madeFor))
    return saying("it lacks cudnnGetCudartVersion");
  const auto runtime = static_cast<int>(madeFor());
  if (driverVersion > 0 && runtime / 1000 > driverVersion / 1000)
    return saying("it is built for CUDA {}, newer than the driver's CUDA {}",
                  cuda::versionText(runtime), cuda::versionText(driverVersion));
  FunctionSearch search(library);
  search.find("cudnnGetErrorString", errorString_);
#define FUSEBENCH_FIND(member, symbol, ...) search.find(#symbol, member);
  FUSEBENCH_CUDNN_FUNCTIONS(FUSEBENCH_FIND)
#undef FUSEBENCH_FIND
  if (std::string lacking = search.complaint(); !lacking.empty()) return lacking;
  path_ = SharedLibrary::fileOf(reinterpret_cast<const void*>(version));
  if (path_.empty()) path_ = library.name();
  return {};
}

std::shared_ptr<const Cudnn> Cudnn::find(const std::string& library, int driverVersion,
                                         std::string& why) {
  return openedOnce<Cudnn>(soughtCudnn(), library, driverVersion, why,
                           [&](SharedLibrary& found, std::shared_ptr<Cudnn>& made) {
                             made.reset(new Cudnn);
                             return made->bind(found, driverVersion);
                           });
}

std::shared_ptr<const Cudnn> Cudnn::open(const std::string& library, const Driver& driver,
                                         std::string& why) {
  return worksOn(soughtCudnn(), library, driver, why) ? find(library, driver.version(), why)
                                                      : nullptr;
}

}  // namespace fusebench::cuda
