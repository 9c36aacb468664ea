// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sim/sim_backend.h"

namespace fusebench {

/// A kernel takes 10 µs; a copy of 10,000 bytes from pinned memory 10 µs, from other memory 20.
inline SimOptions copyingDevice() {
  SimOptions options;
  options.title = "test";
  sim::Parameters& device = options.parameters;
  device.launch = 100;
  device.copyCall = 100;
  device.event = 0;
  device.wait = 500;
  device.queueDepth = 1024;
  device.kernelFloor = 10'000;
  device.pinnedBandwidth = 1;
  device.pageableBandwidth = 0.5;
  device.memoryBytes = 1 << 30;
  device.float32Rate = device.specialRate = device.bandwidth = device.cacheBandwidth = 1e9;
  return options;
}

}  // namespace fusebench
