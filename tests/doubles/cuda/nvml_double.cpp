// SPDX-License-Identifier: GPL-3.0-or-later
// NVML's functions: the clock of a device, and what slows it down.
#include <cstdio>
#include <string>

#include "tests/doubles/cuda/driver_call.h"

using namespace fusebench::test;

namespace {

constexpr int kSuccess = 0, kNotFoundThere = 6;
constexpr unsigned kMegahertz = 1000, kThrottledMegahertz = 600;
constexpr unsigned long long kIdle = 0x1, kPowerLimit = 0x4, kHeat = 0x20;

bool throttled() {
  return Machine::get().control.faults.throttledReadings > 0;
}

}  // namespace

EXPORTED int nvmlInit_v2() {
  return environmentNumber("FUSEBENCH_DOUBLE_NVML", kSuccess);
}

EXPORTED int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  Machine& machine = Machine::get();
  for (DeviceState& state : machine.devices) {
    char begin[12];  // the driver's UUIDs differ in their first bytes
    const int first = 16 * (state.number + 1);
    std::snprintf(begin, sizeof begin, "GPU-%02x%02x", first, first + 1);
    if (!std::string(uuid).starts_with(begin)) continue;
    *device = &state;
    return kSuccess;
  }
  return kNotFoundThere;
}

EXPORTED int nvmlDeviceGetClockInfo(void*, int clock, unsigned* megahertz) {
  const std::lock_guard lock(Machine::get().mutex);
  if (clock != 1) return kNotFoundThere;
  *megahertz = throttled() ? kThrottledMegahertz : kMegahertz;
  return kSuccess;
}

EXPORTED int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  const std::lock_guard lock(Machine::get().mutex);
  *reasons = kIdle | kPowerLimit;
  if (throttled()) {
    --Machine::get().control.faults.throttledReadings;
    *reasons = kPowerLimit | kHeat;
  }
  return kSuccess;
}
