// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/anatomy_json.h"

#include <limits>
#include <string>

#include "profiler/cell_json.h"

namespace fusebench {
namespace {

using nlohmann::json;

json partsJson(const PartTimes& times) {
  json object = json::object();
  for (std::size_t i = 0; i < kCallParts; ++i)
    if (times[i] > 0) object[std::string(name(static_cast<CallPart>(i)))] = times[i];
  return object;
}

PartTimes readParts(const json& object) {
  PartTimes times{};
  if (!object.is_object()) throw RecordError("\"parts\" is no object");
  for (std::size_t i = 0; i < kCallParts; ++i) {
    const std::string key(name(static_cast<CallPart>(i)));
    if (object.contains(key)) times[i] = numberMember(object, key.c_str());
  }
  return times;
}

const json& partsOf(const json& object) {
  const auto found = object.find("parts");
  if (found == object.end()) throw RecordError("\"parts\" is missing");
  return *found;
}

}  // namespace

json toJson(const CallAnatomy& anatomy) {
  json launches = json::array();
  for (const LaunchAnatomy& launch : anatomy.launches)
    launches.push_back({{"kernel", launch.kernel},
                        {"statements", launch.statements},
                        {"parts", partsJson(launch.nanoseconds)}});
  return {{"parts", partsJson(anatomy.nanoseconds)},
          {"launches", std::move(launches)},
          {"stamp_ns", anatomy.stampNanoseconds},
          {"stamps", anatomy.stampsPerCall},
          {"untraced_ns", anatomy.untracedNanoseconds},
          {"calls", anatomy.calls},
          {"inputs", anatomy.inputs},
          {"lost", anatomy.lost}};
}

CallAnatomy readAnatomy(const json& object) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!object.is_object()) throw RecordError("\"anatomy\" is no object");
  CallAnatomy anatomy;
  anatomy.nanoseconds = readParts(partsOf(object));
  for (const json& launch : arrayMember(object, "launches")) {
    LaunchAnatomy& read = anatomy.launches.emplace_back();
    read.kernel = stringMember(launch, "kernel");
    for (const std::int64_t statement : integersMember(launch, "statements"))
      read.statements.push_back(static_cast<int>(statement));
    read.nanoseconds = readParts(partsOf(launch));
  }
  anatomy.stampNanoseconds = numberMember(object, "stamp_ns");
  anatomy.stampsPerCall = numberMember(object, "stamps");
  anatomy.untracedNanoseconds = numberMember(object, "untraced_ns");
  anatomy.calls = static_cast<int>(integerMember(object, "calls", 0, 1 << 30));
  anatomy.inputs = static_cast<int>(integerMember(object, "inputs", 0, 1 << 30));
  anatomy.lost = static_cast<std::uint64_t>(integerMember(object, "lost", 0, kMost));
  return anatomy;
}

}  // namespace fusebench
