// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/cell_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/run/anatomy_json.h"

namespace fusebench {
namespace {

using nlohmann::json;
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

struct PhaseField {
  const char* key;
  std::int64_t CompileTimes::*member;
};
constexpr PhaseField kPhases[] = {
    {"trace", &CompileTimes::specialize}, {"fusion", &CompileTimes::fusion},
    {"codegen", &CompileTimes::codegen},  {"compiler", &CompileTimes::compiler},
    {"load", &CompileTimes::load},        {"first_launch", &CompileTimes::firstLaunch},
};
/// Written since they are there: absent in older records, which had none.
constexpr PhaseField kLaterPhases[] = {{"capture", &CompileTimes::capture},
                                       {"preparation", &CompileTimes::preparation}};

const json& member(const json& object, const char* key) {
  if (!object.is_object()) throw RecordError(saying("an object is needed"));
  const auto found = object.find(key);
  if (found == object.end()) throw RecordError(saying("\"{}\" is missing", key));
  return *found;
}

CompileTimes readTimes(const json& object) {
  CompileTimes times;
  for (const PhaseField& phase : kPhases)
    times.*phase.member = integerMember(object, phase.key, 0, kGreatest / 8);
  for (const PhaseField& phase : kLaterPhases)
    if (object.contains(phase.key))
      times.*phase.member = integerMember(object, phase.key, 0, kGreatest / 8);
  times.kernels = static_cast<int>(integerMember(object, "kernels", 0, 1 << 30));
  times.fromDisk = static_cast<int>(integerMember(object, "from_disk", 0, 1 << 30));
  times.fromMemory = static_cast<int>(integerMember(object, "from_memory", 0, 1 << 30));
  if (object.contains("shipped"))  // runs of before kernels shipped have none
    times.shipped = static_cast<int>(integerMember(object, "shipped", 0, 1 << 30));
  return times;
}

}  // namespace

json toJson(const CompileTimes& times) {
  json object;
  for (const PhaseField& phase : kPhases) object[phase.key] = times.*phase.member;
  for (const PhaseField& phase : kLaterPhases) object[phase.key] = times.*phase.member;
  object["kernels"] = times.kernels;
  object["from_disk"] = times.fromDisk;
  object["from_memory"] = times.fromMemory;
  object["shipped"] = times.shipped;
  return object;
}

json numberJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double numberMember(const json& object, const char* key) {
  const json& value = member(object, key);
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw RecordError(saying("\"{}\" must be a number", key));
}

std::int64_t integerMember(const json& object, const char* key, std::int64_t low,
                           std::int64_t high) {
  const json& value = member(object, key);
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() &&
                      value.get<std::uint64_t>() > static_cast<std::uint64_t>(kGreatest));
  if (!fits) throw RecordError(saying("\"{}\" must be a whole number", key));
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) throw RecordError(saying("\"{}\" is out of range", key));
  return number;
}

std::string stringMember(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) throw RecordError(saying("\"{}\" must be a string", key));
  return value.get<std::string>();
}

const json& arrayMember(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_array()) throw RecordError(saying("\"{}\" must be a list", key));
  return value;
}

std::vector<std::int64_t> integersMember(const json& object, const char* key) {
  std::vector<std::int64_t> numbers;
  for (const json& value : arrayMember(object, key)) {
    if (!value.is_number_integer())
      throw RecordError(saying("\"{}\" must contain only whole numbers", key));
    numbers.push_back(value.get<std::int64_t>());
  }
  return numbers;
}

json toJson(const Accuracy& accuracy) {
  json object = {{"relative", numberJson(accuracy.relative)}};
  if (accuracy.fromFloat32) object["from_float32"] = numberJson(*accuracy.fromFloat32);
  if (accuracy.sameClass) object["same_class"] = *accuracy.sameClass;
  return object;
}

json measuredJson(const Cell& cell) {
  json object = json::object();
  if (cell.leastPrecision > 0) object["least_precision"] = cell.leastPrecision;
  if (cell.launches)
    object["launches"] = {{"min", cell.launches->minimum},
                          {"mean", cell.launches->mean},
                          {"max", cell.launches->maximum}};
  if (cell.peakBytes) object["peak_bytes"] = *cell.peakBytes;
  if (cell.peakBlockBytes) object["peak_block_bytes"] = *cell.peakBlockBytes;
  if (cell.bytesMoved) object["bytes_moved"] = *cell.bytesMoved;
  if (!cell.firstCompiles.empty()) {
    object["compile_first"] = json::array();
    for (const CompileTimes& times : cell.firstCompiles)
      object["compile_first"].push_back(toJson(times));
  }
  if (cell.diskCompile) object["compile_disk"] = toJson(*cell.diskCompile);
  if (cell.memoryCompile) object["compile_memory"] = toJson(*cell.memoryCompile);
  if (cell.recompiles) object["recompiles"] = *cell.recompiles;
  if (!cell.recompileReasons.empty()) object["recompile_reasons"] = cell.recompileReasons;
  if (cell.eagerShare) object["eager_share"] = *cell.eagerShare;
  if (cell.graphs) object["graphs"] = *cell.graphs;
  if (cell.memoryShare) object["activation_memory_budget"] = *cell.memoryShare;
  if (cell.relativeError) object["rel_error"] = numberJson(*cell.relativeError);
  if (cell.roundingError) object["rounding_error"] = numberJson(*cell.roundingError);
  if (cell.accuracy) object["accuracy"] = toJson(*cell.accuracy);
  if (cell.torchDifference) object["torch_difference"] = numberJson(*cell.torchDifference);
  if (cell.error) object["error"] = *cell.error;
  if (cell.handOver) object["hand_over_ns"] = *cell.handOver;
  if (cell.inputsUsed) object["inputs_used"] = cell.inputsUsed;
  if (!cell.notModeled.empty()) object["not_modeled"] = cell.notModeled;
  if (!cell.checkNote.empty()) object["check_note"] = cell.checkNote;
  if (cell.anatomy) object["anatomy"] = toJson(*cell.anatomy);
  if (cell.dropped > 0) {
    object["dropped"] = cell.dropped;
    object["dropped_why"] = cell.droppedWhy;
  }
  return object;
}

namespace {

std::vector<std::string> stringsMember(const json& object, const char* key) {
  std::vector<std::string> all;
  for (const json& value : arrayMember(object, key)) {
    if (!value.is_string()) throw RecordError(saying("\"{}\" must be a string", key));
    all.push_back(value.get<std::string>());
  }
  return all;
}

Accuracy readAccuracy(const json& object) {
  Accuracy accuracy;
  accuracy.relative = numberMember(object, "relative");
  if (object.contains("from_float32")) accuracy.fromFloat32 = numberMember(object, "from_float32");
  if (object.contains("same_class")) accuracy.sameClass = numberMember(object, "same_class");
  return accuracy;
}

}  // namespace

void readMeasured(const json& object, Cell& cell) {
  if (!object.is_object()) throw RecordError(saying("an object is needed"));
  if (object.contains("least_precision"))
    cell.leastPrecision = std::clamp(numberMember(object, "least_precision"), 0.0, 1.0);
  if (object.contains("launches")) {
    const json& launches = object["launches"];
    cell.launches =
        LaunchCounts{integerMember(launches, "min", 0, kGreatest), numberMember(launches, "mean"),
                     integerMember(launches, "max", 0, kGreatest)};
  }
  if (object.contains("peak_bytes"))
    cell.peakBytes = integerMember(object, "peak_bytes", 0, kGreatest);
  if (object.contains("peak_block_bytes"))
    cell.peakBlockBytes = integerMember(object, "peak_block_bytes", 0, kGreatest);
  if (object.contains("bytes_moved"))
    cell.bytesMoved = std::max(0.0, numberMember(object, "bytes_moved"));
  if (object.contains("compile_first")) {
    cell.firstCompiles.clear();
    for (const json& times : arrayMember(object, "compile_first"))
      cell.firstCompiles.push_back(readTimes(times));
  }
  if (object.contains("compile_disk")) cell.diskCompile = readTimes(object["compile_disk"]);
  if (object.contains("compile_memory")) cell.memoryCompile = readTimes(object["compile_memory"]);
  if (object.contains("recompiles"))
    cell.recompiles = static_cast<int>(integerMember(object, "recompiles", 0, 1 << 30));
  if (object.contains("recompile_reasons"))
    cell.recompileReasons = stringsMember(object, "recompile_reasons");
  if (object.contains("eager_share")) cell.eagerShare = numberMember(object, "eager_share");
  if (object.contains("graphs"))
    cell.graphs = static_cast<int>(integerMember(object, "graphs", 0, 1 << 30));
  if (object.contains("activation_memory_budget"))
    cell.memoryShare = numberMember(object, "activation_memory_budget");
  if (object.contains("rel_error")) cell.relativeError = numberMember(object, "rel_error");
  if (object.contains("rounding_error"))
    cell.roundingError = numberMember(object, "rounding_error");
  if (object.contains("accuracy")) cell.accuracy = readAccuracy(object["accuracy"]);
  if (object.contains("torch_difference"))
    cell.torchDifference = numberMember(object, "torch_difference");
  if (object.contains("error")) cell.error = stringMember(object, "error");
  if (object.contains("hand_over_ns")) cell.handOver = numberMember(object, "hand_over_ns");
  if (object.contains("inputs_used"))
    cell.inputsUsed = static_cast<int>(integerMember(object, "inputs_used", 0, 1 << 30));
  if (object.contains("not_modeled")) cell.notModeled = stringsMember(object, "not_modeled");
  if (object.contains("check_note")) cell.checkNote = stringMember(object, "check_note");
  if (object.contains("anatomy")) cell.anatomy = readAnatomy(object["anatomy"]);
  if (object.contains("dropped"))
    cell.dropped = static_cast<int>(integerMember(object, "dropped", 0, 1 << 30));
  if (object.contains("dropped_why")) cell.droppedWhy = stringMember(object, "dropped_why");
}

}  // namespace fusebench
