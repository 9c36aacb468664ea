// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// A JSON record had the wrong form; what() is one line without a place.
class RecordError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The measured data of a cell, without key, samples and stop: the form shared by run files and the
/// worker's replies. Data that were not measured are left out.
nlohmann::json measuredJson(const Cell& cell);
/// Sets the members that the JSON has; throws RecordError for a wrong type or an impossible value.
void readMeasured(const nlohmann::json& json, Cell& cell);

nlohmann::json toJson(const CompileTimes& times);
nlohmann::json toJson(const Accuracy& accuracy);

/// The key of each of a device's times in records.
struct DeviceTimeField {
  const char* key;
  double DeviceTimes::*member;
  bool optional = false;  ///< left out, or null in a list, where it was not measured
};
inline constexpr DeviceTimeField kDeviceTimeFields[] = {{"enqueue_ns", &DeviceTimes::enqueue},
                                                        {"event_ns", &DeviceTimes::event},
                                                        {"single_ns", &DeviceTimes::single},
                                                        {"device_ns", &DeviceTimes::device, true}};

/// A number as JSON, which has no infinity: "inf", "-inf" or "nan" then.
nlohmann::json numberJson(double value);

// Members with checks; each throws RecordError.
double numberMember(const nlohmann::json& object, const char* key);
std::int64_t integerMember(const nlohmann::json& object, const char* key, std::int64_t low,
                           std::int64_t high);
std::string stringMember(const nlohmann::json& object, const char* key);
std::vector<std::int64_t> integersMember(const nlohmann::json& object, const char* key);
const nlohmann::json& arrayMember(const nlohmann::json& object, const char* key);

}  // namespace fusebench
