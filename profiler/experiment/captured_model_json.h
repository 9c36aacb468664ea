// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "profiler/experiment/experiment.h"
#include "profiler/files/json_reader.h"

namespace fusebench {

/// Reads the key "capture" of an experiment. Throws InputError at the place.
CapturedModel readCapturedModel(const JsonReader& object);
nlohmann::ordered_json toJson(const CapturedModel& model);

/// How a tensor's values are drawn or given, in addition to its fill.
void readCapturedValues(const JsonReader& tensor, InputSpec& spec);
void putCapturedValues(nlohmann::ordered_json& tensor, const InputSpec& spec);

}  // namespace fusebench
