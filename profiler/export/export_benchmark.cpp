// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of google/benchmark: docs/user_guide.md and src/json_reporter.cc of its release 1.7.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numeric>

#include "profiler/export/export_data.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

Json context(const Run& run) {
  const nlohmann::json& machine = run.environment;
  const auto at = [&](const char* pointer) -> Json {
    const nlohmann::json::json_pointer place(pointer);
    return machine.contains(place) ? Json(machine.at(place)) : Json(nullptr);
  };
  Json object = {{"date", run.startedAt},
                 {"host_name", ""},
                 {"executable", "fusebench"},
                 {"num_cpus", at("/cpu/threads")},
                 {"mhz_per_cpu", at("/cpu/mhz")},
                 {"cpu_scaling_enabled",
                  at("/cpu/governor").is_string() && at("/cpu/governor") != "performance"},
                 {"caches", Json::array()},
                 {"load_avg", at("/load")},
                 {"library_build_type", "release"}};
  object["fusebench_note"] = "cpu_time repeats real_time: only wall time is measured";
  return object;
}

Json entry(const std::string& name, const char* type, double nanoseconds) {
  return {{"name", name},     {"run_name", name},         {"run_type", type},
          {"iterations", 1},  {"real_time", nanoseconds}, {"cpu_time", nanoseconds},
          {"time_unit", "ns"}};
}

struct Moments {
  double mean = 0, deviation = 0;
};
Moments momentsOf(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Moments m;
  m.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  for (const double value : values) m.deviation += (value - m.mean) * (value - m.mean);
  m.deviation = values.size() > 1 ? std::sqrt(m.deviation / (count - 1)) : 0;
  return m;
}

void addCell(const std::string& name, const Cell& cell, Json& entries) {
  const std::vector<double> times = cell.times();
  if (times.empty()) return;
  for (std::size_t i = 0; i < times.size(); ++i) {
    Json object = entry(name, "iteration", times[i]);
    object["repetitions"] = times.size();
    object["repetition_index"] = i;
    object["threads"] = 1;
    entries.push_back(std::move(object));
  }
  const Moments m = momentsOf(times);
  const auto aggregate = [&](const char* kind, const char* unit, double value) {
    Json object = entry(name, "aggregate", value);
    object["name"] = name + "_" + kind;
    object["iterations"] = times.size();
    object["repetitions"] = times.size();
    object["threads"] = 1;
    object["aggregate_name"] = kind;
    object["aggregate_unit"] = unit;
    entries.push_back(std::move(object));
  };
  aggregate("mean", "time", m.mean);
  aggregate("median", "time", median(times));
  aggregate("stddev", "time", m.deviation);
  aggregate("cv", "percentage", m.mean > 0 ? m.deviation / m.mean : 0);
}

}  // namespace

std::string toBenchmarkJson(std::span<const ExportedRun> runs) {
  Json object = {{"context", runs.empty() ? Json::object() : context(*runs[0].run)},
                 {"benchmarks", Json::array()}};
  for (const ExportedRun& exported : runs) {
    const Experiment& experiment = exported.run->experiment;
    for (const Cell& cell : exported.run->cells) {
      std::string name = runs.size() > 1 ? exported.name + "/" : "";
      name += experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
      for (std::size_t i = 0; i < cell.key.at.size(); ++i)
        name += fmt::format("/{}:{}", experiment.axes[i].name, cell.key.at[i]);
      addCell(name, cell, object["benchmarks"]);
    }
  }
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fusebench
