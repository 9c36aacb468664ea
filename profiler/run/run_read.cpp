// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/base/work_limit.h"
#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "profiler/files/json_reader.h"
#include "profiler/files/json_text.h"
#include "profiler/run/cell_json.h"
#include "profiler/run/run.h"

namespace fusebench {
namespace {

using nlohmann::json;

bool flag(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

Run readHeader(const json& header, std::string_view file) {
  if (!header.is_object() || header.value("fusebench", json()) != "run")
    throw RecordError(
        saying("this is not a run; a run's first line starts with {\"fusebench\": \"run\""));
  integerMember(header, "version", 1, 1);
  Run run;
  run.device = stringMember(header, "device");
  run.startedAt = stringMember(header, "started_at");
  run.quick = flag(header, "quick");
  run.explored = flag(header, "explored");
  if (header.contains("environment")) run.environment = header["environment"];
  if (!header.contains("experiment")) throw RecordError(saying("\"experiment\" is missing"));
  run.experiment =
      parseExperiment(header["experiment"].dump(2, ' ', false, json::error_handler_t::replace),
                      saying("the experiment in {}", file));
  for (const CellKey& key : cells(run.experiment)) {
    run.cells.emplace_back();
    run.cells.back().key = key;
  }
  return run;
}

Cell& cellOf(Run& run, const json& record) {
  const std::string variant = stringMember(record, "variant");
  const auto at = integersMember(record, "at");
  const auto& variants = run.experiment.variants;
  const auto named = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& one) { return one.name == variant; });
  if (named != variants.end())
    if (const auto index =
            indexOfCell(run.experiment, {static_cast<int>(named - variants.begin()), at}))
      return run.cells[*index];
  throw RecordError(saying("the experiment has no data point of \"{}\" at {}", shownName(variant),
                           json(at).dump()));
}

Stop stopNamed(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(Stop::failed); ++i)
    if (name(static_cast<Stop>(i)) == text) return static_cast<Stop>(i);
  throw RecordError(saying("\"{}\" is not a known reason to stop", shownName(text)));
}

/// Entry i of a list that a record may have; nothing if it is null.
std::optional<double> timeOr(const json& record, const char* key, std::size_t i) {
  if (!record.contains(key)) return std::nullopt;
  const json& list = arrayMember(record, key);
  if (i >= list.size()) throw RecordError(saying("\"ns\" and \"{}\" differ in length", key));
  if (list[i].is_null()) return std::nullopt;
  if (!list[i].is_number()) throw RecordError(saying("\"{}\" must contain numbers", key));
  const auto time = list[i].get<double>();
  if (!std::isfinite(time) || time < 0) throw RecordError(saying("a sample is out of range"));
  return time;
}

std::optional<DeviceTimes> readDevice(const json& record, std::size_t i) {
  DeviceTimes times;
  for (const DeviceTimeField& field : kDeviceTimeFields) {
    const auto time = timeOr(record, field.key, i);
    if (!time && field.optional) continue;
    if (!time) return std::nullopt;
    times.*field.member = *time;
  }
  return times;
}

double rankTime(const json& value) {
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
    throw RecordError(saying("a rank's time is out of range"));
  return value.get<double>();
}

void readSamples(const json& record, Cell& cell) {
  const json &rounds = arrayMember(record, "rounds"), &times = arrayMember(record, "ns");
  if (rounds.size() != times.size())
    throw RecordError(saying("\"rounds\" and \"ns\" differ in length"));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!rounds[i].is_number_integer() || !times[i].is_number())
      throw RecordError(saying("\"rounds\" and \"ns\" must contain numbers"));
    const auto round = rounds[i].get<std::int64_t>();
    const auto time = times[i].get<double>();
    if (round < 0 || round > (1 << 30) || !std::isfinite(time) || time < 0)
      throw RecordError(saying("a sample is out of range"));
    cell.samples.push_back({static_cast<int>(round), time, readDevice(record, i), 0, 0, {}});
    if (const auto clock = timeOr(record, "clock_mhz", i))
      cell.samples.back().clockMegahertz = *clock;
    if (record.contains("ranks_ns")) {
      const json& ranks = arrayMember(record, "ranks_ns");
      if (i >= ranks.size() || !ranks[i].is_array())
        throw RecordError(saying("\"ranks_ns\" must contain one list for each entry of \"ns\""));
      for (const json& each : ranks[i]) cell.samples.back().ranks.push_back(rankTime(each));
    }
    if (record.contains("sessions")) {
      const json& sessions = arrayMember(record, "sessions");
      if (i >= sessions.size() || !sessions[i].is_number_integer())
        throw RecordError(
            saying("\"sessions\" must contain a whole number for each entry of \"ns\""));
      const auto session = sessions[i].get<std::int64_t>();
      if (session < 0 || session > (1 << 20))
        throw RecordError(saying("a session is out of range"));
      cell.samples.back().session = static_cast<int>(session);
    }
  }
}

void readRecord(Run& run, const json& record) {
  const std::string kind = stringMember(record, "record");
  if (kind == "cell") {
    Cell& cell = cellOf(run, record);
    cell.stop = stopNamed(stringMember(record, "stop"));
    readMeasured(record, cell);
  } else if (kind == "samples") {
    readSamples(record, cellOf(run, record));
  } else if (kind == "end") {
    run.interrupted = flag(record, "interrupted");
    if (record.contains("environment")) run.environment = record["environment"];
    if (record.contains("trace_problem")) run.traceProblem = stringMember(record, "trace_problem");
  }  // a kind from a later version: not ours to understand
}

/// Why a line is not JSON, in the form of messages about records: their end has the rest.
std::string problemOf(std::string_view line) {
  const std::string what =
      jsonProblem(line).value_or(JsonProblem{saying("this line is not JSON"), 0}).what;
  return what.substr(0, what.find(';'));
}

/// A run that was cut off has cells that were still running.
void closeCutOff(Run& run) {
  for (Cell& cell : run.cells)
    if (cell.stop == Stop::running) cell.stop = Stop::interrupted;
}

}  // namespace

Run parseRun(std::string_view text, std::string_view file) {
  Run run;
  bool ended = false;
  int number = 0;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = text.find('\n', start);
    const bool cutOff = end == std::string_view::npos;
    if (cutOff) end = text.size();
    const std::string_view line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    if (WorkLimit::state() == WorkLimit::State::stopped)
      throw InputError(saying("{}:{}:1: reading this file was stopped", file, number));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const json record = jsonOf(line);
    if (record.is_discarded() && cutOff && number > 1) break;
    try {
      if (record.is_discarded()) throw RecordError(problemOf(line));
      if (number == 1) {
        run = readHeader(record, file);
      } else {
        readRecord(run, record);
        ended = ended || record["record"] == "end";
      }
    } catch (const RecordError& error) {
      throw InputError(
          saying("{}:{}:1: {}; the file is damaged or not a run", file, number, error.what()));
    }
  }
  if (number == 0) throw InputError(saying("{}:1:1: the file is empty; a run is needed", file));
  if (run.cells.empty()) throw InputError(saying("{}:1:1: there is no run in it", file));
  if (!ended) run.interrupted = true;
  closeCutOff(run);
  run.takeModelError();
  return run;
}

Run loadRun(const std::string& path) {
  return parseRun(runTextOf(readFile(path), path), path);
}

Reference parseReference(std::string_view text, std::string_view file) {
  const JsonDocument document(text, file);
  const JsonReader root(document);
  if (!root.json().is_object() || !root.has("fusebench") ||
      root["fusebench"].string() != "reference")
    root.fail(saying("this is not a reference; one starts with \"fusebench\": \"reference\""));
  root.expectObject({"fusebench", "version", "name", "title", "source", "metric", "axis", "unit",
                     "baseline", "x", "curves"},
                    {"device", "note", "statedBreakEven"});
  root["version"].integer(1, 1);
  Reference reference;
  const auto textOr = [&](std::string_view key) {
    return root.has(key) ? root[key].string() : std::string();
  };
  reference.name = root["name"].name();
  reference.title = root["title"].name();
  reference.source = root["source"].name();
  reference.device = textOr("device");
  reference.metric = root["metric"].name();
  reference.axis = root["axis"].name();
  reference.unit = root["unit"].string();
  reference.baseline = root["baseline"].string();
  reference.note = textOr("note");
  if (root.has("statedBreakEven"))
    reference.statedBreakEven = root["statedBreakEven"].number(0, 1e12);
  root["x"].expectArray(1, 100'000, "numbers");
  std::vector<double> x;
  for (std::size_t i = 0; i < root["x"].size(); ++i) x.push_back(root["x"][i].number(-1e15, 1e15));
  const JsonReader curves = root["curves"];
  curves.expectArray(1, 100, "curves");
  for (std::size_t c = 0; c < curves.size(); ++c) {
    curves[c].expectObject({"variant", "nanoseconds"}, {"bytes"});
    ReferenceCurve curve;
    curve.variant = curves[c]["variant"].name();
    curve.x = x;
    const JsonReader times = curves[c]["nanoseconds"];
    times.expectArray(x.size(), x.size(), saying("times, one per x"));
    for (std::size_t i = 0; i < times.size(); ++i)
      curve.nanoseconds.push_back(times[i].number(0, 1e18));
    if (curves[c].has("bytes")) {
      const JsonReader bytes = curves[c]["bytes"];
      bytes.expectArray(x.size(), x.size(), saying("sizes, one per x"));
      for (std::size_t i = 0; i < bytes.size(); ++i)
        curve.bytes.push_back(bytes[i].number(0, 1e18));
    }
    reference.curves.push_back(std::move(curve));
  }
  return reference;
}

Reference loadReference(const std::string& path) {
  return parseReference(readFile(path), path);
}

}  // namespace fusebench
