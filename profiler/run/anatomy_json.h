// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "profiler/run/call_anatomy.h"

namespace fusebench {

/// An anatomy as run files and workers write it: times in nanoseconds a call, parts by name.
nlohmann::json toJson(const CallAnatomy& anatomy);
/// Throws RecordError. Parts that are not named are 0.
CallAnatomy readAnatomy(const nlohmann::json& object);

nlohmann::json toJson(const DeviceAnatomy& device);
DeviceAnatomy readDeviceAnatomy(const nlohmann::json& object);

}  // namespace fusebench
