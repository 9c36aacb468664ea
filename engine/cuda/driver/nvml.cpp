// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/driver/nvml.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/shared_library.h"

namespace fusebench::cuda {
namespace {

constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

// From the NVML API Reference Guide.
constexpr int kNvmlSuccess = 0;
constexpr int kClockSm = 1;

struct Reason {
  std::uint64_t bit;
  const char* text;
};
constexpr Reason kReasons[] = {
    {0x08, toBeSaid("slowed down by its hardware")},
    {0x20, toBeSaid("slowed down by heat")},
    {0x40, toBeSaid("slowed down by heat")},
    {0x80, toBeSaid("slowed down by its power supply")},
};

}  // namespace

struct Nvml::Functions {
  int (*init)() = nullptr;
  int (*handleByUuid)(const char*, Handle*) = nullptr;
  int (*clockInfo)(Handle, int, unsigned*) = nullptr;
  int (*clockReasons)(Handle, unsigned long long*) = nullptr;
};

std::string_view NoNvml::remedy() {
  return said(
      "nothing needs to be done: without NVML, the clock is not monitored; NVML comes with "
      "NVIDIA's driver, and is available in a container with "
      "NVIDIA_DRIVER_CAPABILITIES=utility,compute");
}

std::shared_ptr<const Nvml> Nvml::open(const std::string& library) {
  std::string name = library;
  if (name.empty())
    if (const char* set = std::getenv("FUSEBENCH_NVML"); set && *set) name = set;
  if (name.empty()) name = kNvmlLibrary;
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Nvml>> opened;
  const std::lock_guard lock(mutex);
  auto& nvml = opened[name];
  if (!nvml) nvml.reset(new Nvml(name));
  return nvml;
}

Nvml::~Nvml() = default;

Nvml::Nvml(std::string library)
    : functions_(std::make_unique<Functions>()), path_(std::move(library)) {
  std::string reason;
  SharedLibrary opened = SharedLibrary::open(path_, reason);
  if (!opened) throw NoNvml(saying("{} cannot be opened: {}", path_, reason));
  Functions& f = *functions_;
  // The second name is the older one, of drivers before 535.
  const bool whole = opened.find("nvmlInit_v2", f.init) &&
                     opened.find("nvmlDeviceGetHandleByUUID", f.handleByUuid) &&
                     opened.find("nvmlDeviceGetClockInfo", f.clockInfo) &&
                     (opened.find("nvmlDeviceGetCurrentClocksEventReasons", f.clockReasons) ||
                      opened.find("nvmlDeviceGetCurrentClocksThrottleReasons", f.clockReasons));
  if (!whole) throw NoNvml(saying("{} is not a complete NVML", path_));
  if (const int result = f.init(); result != kNvmlSuccess)
    throw NoNvml(saying("{} does not start: error {} of nvmlInit", path_, result));
  opened.keep();
}

Nvml::Handle Nvml::find(const std::string& uuid) const {
  Handle handle = nullptr;
  return functions_->handleByUuid(uuid.c_str(), &handle) == kNvmlSuccess ? handle : nullptr;
}

std::optional<ClockState> Nvml::clockOf(Handle device) const {
  unsigned megahertz = 0;
  if (functions_->clockInfo(device, kClockSm, &megahertz) != kNvmlSuccess) return std::nullopt;
  ClockState state;
  state.megahertz = megahertz;
  unsigned long long reasons = 0;
  if (functions_->clockReasons(device, &reasons) == kNvmlSuccess)
    state.throttled = throttling(reasons);
  return state;
}

std::string throttling(std::uint64_t reasons) {
  for (const Reason& reason : kReasons)
    if ((reasons & reason.bit) != 0) return saying(reason.text);
  return {};
}

}  // namespace fusebench::cuda
