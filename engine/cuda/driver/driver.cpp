// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/driver/driver.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/shared_library.h"

namespace fusebench::cuda {
namespace {

constexpr const char* kDriverLibrary = "libcuda.so.1";
constexpr const char* kInstall = toBeSaid(
    "install NVIDIA's driver for your card (nvidia-smi shows whether it runs); in a container, "
    "start it with the GPUs passed in, such as docker run --gpus all");

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 3; ++i) text += (i ? ", " : "") + names[i];
  return names.size() > 3 ? saying("{} and {} more", text, names.size() - 3) : text;
}

/// What Driver::open is to open.
std::string driverLibraryOf(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const char* set = std::getenv("FUSEBENCH_CUDA_DRIVER"); set && *set) return set;
  return kDriverLibrary;
}

}  // namespace

int driverVersionOf(const std::string& library) {
  std::string ignored;
  SharedLibrary opened = SharedLibrary::open(driverLibraryOf(library), ignored);
  Result (*ask)(int*) = nullptr;
  int version = 0;
  if (!opened.find("cuDriverGetVersion", ask) || ask(&version) != kSuccess) return 0;
  opened.keep();
  return version;
}

std::string versionText(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string Driver::versionText() const {
  return cuda::versionText(version_);
}

std::shared_ptr<const Driver> Driver::open(const std::string& library) {
  const std::string name = driverLibraryOf(library);
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Driver>> opened;
  const std::lock_guard lock(mutex);
  auto& driver = opened[name];
  if (!driver) driver.reset(new Driver(name));
  return driver;
}

Driver::Driver(std::string library) : path_(std::move(library)) {
  std::string reason;
  SharedLibrary opened = SharedLibrary::open(path_, reason);
  if (!opened) {
    if (path_ == kDriverLibrary && reason.find("No such file") != std::string::npos)
      throw NoDriver(saying("libcuda.so.1 was not found, so no NVIDIA driver is installed"),
                     saying(kInstall));
    throw NoDriver(saying("{} cannot be opened: {}", path_, reason), saying(kInstall));
  }
  bind(opened);
  opened.keep();
  initialize();
}

void Driver::bind(const SharedLibrary& library) {
  std::vector<std::string> missing;
  const auto find = [&](auto& function, const char* symbol) {
    function.name = symbol;
    if (!library.find(symbol, function.address)) missing.emplace_back(symbol);
  };
#define FUSEBENCH_FIND(member, symbol, ...) find(member, #symbol);
  FUSEBENCH_DRIVER_FUNCTIONS(FUSEBENCH_FIND)
#undef FUSEBENCH_FIND
  if (init.address)
    if (const std::string file = SharedLibrary::fileOf(reinterpret_cast<const void*>(init.address));
        !file.empty())
      path_ = file;
  if (!missing.empty()) {
    // A driver that is too old lacks symbols, too: its version says it better.
    int found = 0;
    if (driverGetVersion.address && driverGetVersion.address(&found) == kSuccess && found > 0 &&
        found < kOldestDriver)
      version_ = found;
    if (version_ == 0)
      throw NoDriver(
          saying("{} is not a complete CUDA driver: it has no {}", path_, joined(missing)),
          saying("reinstall NVIDIA's driver; remove what hides it from LD_LIBRARY_PATH"));
  }
  // CUDA 12.8 or later; measures the same more exactly.
  if (decltype(eventElapsedTime.address) newer = nullptr;
      library.find("cuEventElapsedTime_v2", newer)) {
    eventElapsedTime.name = "cuEventElapsedTime_v2";
    eventElapsedTime.address = newer;
  }
}

void Driver::initialize() {
  const std::string update = saying("update NVIDIA's driver to one that supports CUDA {} or newer",
                                    cuda::versionText(kOldestDriver));
  if (version_ == 0) {
    if (const Result result = driverGetVersion.attempt(&version_); result != kSuccess) {
      if (result == kStubLibrary)
        throw NoDriver(saying("{} is a stub library of a CUDA toolkit, not a driver", path_),
                       saying("remove the toolkit's stubs folder from LD_LIBRARY_PATH"));
      throw NoDriver(
          saying("{} does not work: {}", path_, CudaError(driverGetVersion.name, result).what()),
          saying("reinstall NVIDIA's driver"));
    }
  }
  if (version_ < kOldestDriver)
    throw NoDriver(saying("the driver {} supports CUDA {}; {} or newer is needed", path_,
                          versionText(), cuda::versionText(kOldestDriver)),
                   update);
  if (const Result result = init.attempt(0); result != kSuccess) {
    if (result == kStubLibrary)
      throw NoDriver(saying("{} is a stub library of a CUDA toolkit, not a driver", path_),
                     saying("remove the toolkit's stubs folder from LD_LIBRARY_PATH"));
    if (result == kNoDevice)
      throw NoDriver(
          saying("the driver {} (CUDA {}) sees no device", path_, versionText()),
          saying("see whether nvidia-smi lists one; CUDA_VISIBLE_DEVICES may hide it, and in a "
                 "container GPUs must be passed in"));
    throw NoDriver(saying("the driver {} (CUDA {}) does not start: {}", path_, versionText(),
                          CudaError(init.name, result).what()),
                   saying("see whether nvidia-smi works; restart after a driver update"));
  }
}

}  // namespace fusebench::cuda
