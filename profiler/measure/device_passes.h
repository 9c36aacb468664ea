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
  double enqueue = 0;  ///< of a call: until it returns to the host
  double event = 0;    ///< of a call: between events around all of them; 0 without a timer

  double perCall() const { return static_cast<double>(wall) / calls; }
};

/// The calls one after another, and one wait at the end: how a program runs that does not look at
/// each result. `enqueue` is of as many calls as fit into a driver's queue of launches, past which
/// the host would wait for the device. Of the timer, one event more is recorded within `wall`.
DevicePasses queuedPasses(Backend& backend, Executor& executor, const InputList& inputs,
                          DeviceTimer& timer, std::int64_t passes);

/// Each call alone, with a wait for it. `flush`: before each, not timed, everything is driven out
/// of the device's last cache. `timer` may be null, and then `event` is 0: events would be part of
/// what is timed. `before`: runs before each call, not timed.
DevicePasses isolatedPasses(Backend& backend, Executor& executor, const InputList& inputs,
                            DeviceTimer* timer, std::int64_t passes, bool flush,
                            const std::function<void(const std::vector<Tensor>&)>& before = {});

}  // namespace fusebench
