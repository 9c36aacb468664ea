// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/anatomy_json.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>

#include "engine/base/saying.h"
#include "profiler/run/cell_json.h"

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
  if (!object.is_object()) throw RecordError(saying("\"parts\" must be an object"));
  for (std::size_t i = 0; i < kCallParts; ++i) {
    const std::string key(name(static_cast<CallPart>(i)));
    if (object.contains(key)) times[i] = numberMember(object, key.c_str());
  }
  return times;
}

/// "delay_ns"
std::string keyOfPart(DevicePart part) {
  return std::string(name(part)) + "_ns";
}

json distributionJson(const Distribution& times) {
  json bins = json::array();
  for (const Distribution::Bin& bin : times.bins)
    bins.push_back(json::array({bin.from, bin.to, bin.count}));
  return {{"count", times.count},   {"min_ns", times.least}, {"median_ns", times.median},
          {"p95_ns", times.p95},    {"max_ns", times.most},  {"mean_ns", times.mean},
          {"bins", std::move(bins)}};
}

Distribution readDistribution(const json& object) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!object.is_object()) throw RecordError(saying("a distribution must be an object"));
  Distribution times;
  times.count = static_cast<std::uint64_t>(integerMember(object, "count", 0, kMost));
  times.least = integerMember(object, "min_ns", 0, kMost);
  times.median = integerMember(object, "median_ns", 0, kMost);
  times.p95 = integerMember(object, "p95_ns", 0, kMost);
  times.most = integerMember(object, "max_ns", 0, kMost);
  times.mean = numberMember(object, "mean_ns");
  std::int64_t before = 0;
  for (const json& bin : arrayMember(object, "bins")) {
    const bool sound = bin.is_array() && bin.size() == 3 && bin[0].is_number_integer() &&
                       bin[1].is_number_integer() && bin[2].is_number_unsigned();
    if (!sound || bin[0].get<std::int64_t>() < before ||
        bin[1].get<std::int64_t>() <= bin[0].get<std::int64_t>())
      throw RecordError(saying("\"bins\" must contain bins in ascending order"));
    before = bin[1].get<std::int64_t>();
    times.bins.push_back({bin[0].get<std::int64_t>(), before, bin[2].get<std::uint64_t>()});
  }
  return times;
}

const json& partsOf(const json& object) {
  const auto found = object.find("parts");
  if (found == object.end()) throw RecordError(saying("\"parts\" is missing"));
  return *found;
}

}  // namespace

json toJson(const CallAnatomy& anatomy) {
  json launches = json::array();
  for (const LaunchAnatomy& launch : anatomy.launches)
    launches.push_back({{"kernel", launch.kernel},
                        {"statements", launch.statements},
                        {"parts", partsJson(launch.nanoseconds)}});
  json made = {{"parts", partsJson(anatomy.nanoseconds)},
               {"launches", std::move(launches)},
               {"stamp_ns", anatomy.stampNanoseconds},
               {"stamps", anatomy.stampsPerCall},
               {"untraced_ns", anatomy.untracedNanoseconds},
               {"calls", anatomy.calls},
               {"inputs", anatomy.inputs},
               {"lost", anatomy.lost}};
  if (anatomy.device) made["device"] = toJson(*anatomy.device);
  if (!anatomy.deviceProblem.empty()) made["device_problem"] = anatomy.deviceProblem;
  return made;
}

json toJson(const DeviceAnatomy& device) {
  json made = {{"executions", device.executions}, {"calls", device.calls}};
  for (std::size_t i = 0; i < kDeviceParts; ++i)
    made[keyOfPart(static_cast<DevicePart>(i))] = device.nanoseconds[i];
  for (const DeviceLaunch& launch : device.launches)
    made["launches"].push_back({{"kernel", launch.kernel},
                                {"statements", launch.statements},
                                {"kernels_ns", launch.nanoseconds}});
  for (const DeviceKernel& kernel : device.byKernel)
    made["by_kernel"].push_back({{"name", kernel.name},
                                 {"count", kernel.count},
                                 {"total_ns", kernel.total},
                                 {"min_ns", kernel.least},
                                 {"max_ns", kernel.most}});
  if (device.delays.count > 0) made["each_delay"] = distributionJson(device.delays);
  if (device.gaps.count > 0) made["each_gap"] = distributionJson(device.gaps);
  return made;
}

DeviceAnatomy readDeviceAnatomy(const json& object) {
  if (!object.is_object()) throw RecordError(saying("\"device\" must be an object"));
  DeviceAnatomy device;
  for (std::size_t i = 0; i < kDeviceParts; ++i) {
    const auto part = static_cast<DevicePart>(i);
    const std::string key = keyOfPart(part);
    // Files of the first days lack these.
    const bool optional = part == DevicePart::copies || part == DevicePart::idle;
    if (!optional || object.contains(key))
      device.nanoseconds[i] = numberMember(object, key.c_str());
  }
  device.executions = static_cast<int>(integerMember(object, "executions", 0, 1 << 30));
  device.calls = static_cast<int>(integerMember(object, "calls", 0, 1 << 30));
  if (object.contains("launches"))
    for (const json& read : arrayMember(object, "launches")) {
      DeviceLaunch& launch = device.launches.emplace_back();
      launch.kernel = stringMember(read, "kernel");
      for (const std::int64_t statement : integersMember(read, "statements"))
        launch.statements.push_back(static_cast<int>(statement));
      launch.nanoseconds = numberMember(read, "kernels_ns");
    }
  if (object.contains("by_kernel"))
    for (const json& read : arrayMember(object, "by_kernel")) {
      DeviceKernel& kernel = device.byKernel.emplace_back();
      kernel.name = stringMember(read, "name");
      kernel.count = static_cast<int>(integerMember(read, "count", 0, 1 << 30));
      kernel.total = numberMember(read, "total_ns");
      kernel.least = numberMember(read, "min_ns");
      kernel.most = numberMember(read, "max_ns");
    }
  if (object.contains("each_delay")) device.delays = readDistribution(object["each_delay"]);
  if (object.contains("each_gap")) device.gaps = readDistribution(object["each_gap"]);
  return device;
}

CallAnatomy readAnatomy(const json& object) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!object.is_object()) throw RecordError(saying("\"anatomy\" must be an object"));
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
  if (const auto device = object.find("device"); device != object.end())
    anatomy.device = readDeviceAnatomy(*device);
  if (object.contains("device_problem"))
    anatomy.deviceProblem = stringMember(object, "device_problem");
  return anatomy;
}

}  // namespace fusebench
