// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/device/device_activity.h"
#include "engine/device/recorder.h"
#include "profiler/measure/recorded_calls.h"

namespace fusebench {

/// Adds to recorded calls what a device did for them. Its times come onto the clock of the marks;
/// each execution is told which of its call's launches it is: the recorder's notes, in the order of
/// enqueuing, and the driver's launches, by their start, are the same, and within one of them
/// placesInLaunch() counts. Of a library's call there may be several launches; then each is of the
/// call's launch that was under way on the calling thread. Where their numbers differ since records
/// are lost, executions stand without their launch. `nameOf`: of a driver call.
void addDeviceWork(RecordedCalls& calls, const Recorder& recorder, double ticksPerNanosecond,
                   const TickReading& reading, const Collected& collected,
                   const std::function<std::string(const ApiCall&)>& nameOf);

}  // namespace fusebench
