// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "profiler/run/device_anatomy.h"

namespace fusebench {

struct RecordedCalls;

/// The device's work for one of these calls. Calls that lost executions are left out; nothing if
/// none is left.
std::optional<DeviceAnatomy> deviceAnatomyOf(const RecordedCalls& calls);

}  // namespace fusebench
