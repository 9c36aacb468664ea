// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/run/executor.h"
#include "profiler/experiment/inputs.h"
#include "profiler/run/run.h"

namespace fusebench {

/// Some passes over a list of inputs on a device that works on its own. Times in nanoseconds.
struct DevicePasses {
  std::int64_t wall = 0;  ///< all calls, waited for
  double calls = 0;
  double enqueue = 0;  ///< per call: until it returns to the host
  double event = 0;    ///< per call: between events around all of them; 0 without a timer

  double perCall() const { return static_cast<double>(wall) / calls; }
};

/// The calls one after another, with one wait at the end, as in a program that does not read each
/// result. `enqueue` only covers as many calls as fit into the driver's queue of launches; beyond
/// that the host would wait for the device. One additional event of the timer is recorded within
/// `wall`.
DevicePasses queuedPasses(Backend& backend, Executor& executor, const InputList& inputs,
                          DeviceTimer& timer, std::int64_t passes);

/// The device's time per call, in nanoseconds, without the pace of the host: the calls are enqueued
/// while `stall` holds the device back, as many as the driver's queue takes. 0 if the device did
/// not wait for the last of them, because a call waits for the device or has too many launches.
double heldPasses(Backend& backend, Executor& executor, const InputList& inputs, DeviceTimer& timer,
                  DeviceStall& stall, std::int64_t passes);

/// Each call separately, with a wait for it. `flush`: before each call, untimed, everything is
/// evicted from the device's last-level cache. `timer` may be null, and then `event` is 0: events
/// would be part of the measured time. `before`: runs before each call, untimed. With `stall`,
/// `event` is the device's time without the pace of the host, or 0 if it could not be held back.
DevicePasses isolatedPasses(Backend& backend, Executor& executor, const InputList& inputs,
                            DeviceTimer* timer, std::int64_t passes, bool flush,
                            const std::function<void(const std::vector<Tensor>&)>& before = {},
                            DeviceStall* stall = nullptr);

}  // namespace fusebench
