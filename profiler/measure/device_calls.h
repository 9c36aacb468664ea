// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/device/device_activity.h"
#include "engine/device/recorder.h"
#include "profiler/measure/recorded_calls.h"

namespace fusebench {

/// Adds the device's work to recorded calls. Its times are converted to the clock of the marks, and
/// each execution is assigned to a launch of its call. The recorder's notes, in the order of
/// enqueuing, match the driver's launches, ordered by start; placesInLaunch() counts the executions
/// within a launch. A library's call may make several launches; then each belongs to the call's
/// launch that was in progress on the calling thread. Where the numbers differ because records were
/// lost, executions have no launch. `nameOf`: the name of a driver call.
void addDeviceWork(RecordedCalls& calls, const Recorder& recorder, double ticksPerNanosecond,
                   const TickReading& reading, const Collected& collected,
                   const std::function<std::string(const ApiCall&)>& nameOf);

}  // namespace fusebench
