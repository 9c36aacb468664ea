// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/export_data.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "profiler/export/result_json.h"
#include "profiler/export/table_text.h"
#include "profiler/files/csv_text.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

/// A column of the CSV file and where the result object has it.
struct Column {
  const char* title;
  const char* pointer;
};
constexpr Column kColumns[] = {
    {"latency_ns", "/latency_ns"},
    {"latency_ci_low_ns", "/ci_low_ns"},
    {"latency_ci_high_ns", "/ci_high_ns"},
    {"samples_count", "/samples"},
    {"sessions_count", "/sessions"},
    {"stop", "/stop"},
    {"drifted", "/drifted"},
    {"speedup_ratio", "/speedup/value"},
    {"speedup_ci_low_ratio", "/speedup/ci_low"},
    {"speedup_ci_high_ratio", "/speedup/ci_high"},
    {"launches_min_per_call", "/launches/min"},
    {"launches_mean_per_call", "/launches/mean"},
    {"launches_max_per_call", "/launches/max"},
    {"enqueue_ns", "/enqueue_ns"},
    {"event_ns", "/event_ns"},
    {"single_ns", "/single_ns"},
    {"device_ns", "/device_ns"},
    {"clock_median_mhz", "/clock_mhz/median"},
    {"dropped_count", "/dropped"},
    {"kernel_ns", "/kernel_ns"},
    {"gap_ns", "/gap_ns"},
    {"peak_bytes", "/peak_bytes"},
    {"bytes_moved", "/bytes_moved"},
    {"bandwidth_gbps", "/bandwidth_gbps"},
    {"compile_first_ns", "/compile_first_ns"},
    {"compile_disk_ns", "/compile_disk_ns"},
    {"compile_memory_ns", "/compile_memory_ns"},
    {"recompiles_count", "/recompiles"},
    {"eager_share_ratio", "/eager_share"},
    {"relative_error_ratio", "/rel_error"},
    {"accuracy_relative_ratio", "/accuracy/relative"},
    {"accuracy_from_float32_ratio", "/accuracy/from_float32"},
    {"accuracy_same_class_ratio", "/accuracy/same_class"},
    {"torch_difference_ratio", "/torch_difference"},
    {"inputs_count", "/inputs"},
    {"graphs_count", "/graphs"},
    {"activation_memory_budget_ratio", "/activation_memory_budget"},
    {"error", "/error"},
};

std::string fieldText(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csvField(value.get<std::string>()) : value.dump();
}

Json at(const Json& cell, const char* pointer) {
  const Json::json_pointer place(pointer);
  return cell.contains(place) ? cell.at(place) : Json(nullptr);
}

/// All axes that any of the runs sweeps.
std::vector<Axis> axesOf(std::span<const ExportedRun> runs) {
  std::vector<Axis> axes;
  for (const ExportedRun& run : runs)
    for (const Axis& axis : run.run->experiment.axes)
      if (std::none_of(axes.begin(), axes.end(),
                       [&](const Axis& known) { return known.name == axis.name; }))
        axes.push_back(axis);
  return axes;
}

std::string axisTitle(const Axis& axis) {
  return axis.unit.empty() || axis.unit == axis.name ? axis.name : axis.name + "_" + axis.unit;
}

}  // namespace

std::string toCsv(std::span<const ExportedRun> runs) {
  const std::vector<Axis> axes = axesOf(runs);
  std::string text = runs.size() > 1 ? "run," : "";
  for (const Axis& axis : axes) text += csvField(axisTitle(axis)) + ",";
  text += "variant,executor,threads_count,input_set,simulated";
  for (const Column& column : kColumns) text += fmt::format(",{}", column.title);
  text += "\n";
  for (const ExportedRun& exported : runs) {
    const Run& run = *exported.run;
    const Json result = resultJson(run, exported.crossings);
    for (std::size_t i = 0; i < run.cells.size(); ++i) {
      const Cell& cell = run.cells[i];
      const Variant& variant = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)];
      if (runs.size() > 1) text += csvField(exported.name) + ",";
      std::int64_t threads = variant.threads;
      for (const Axis& axis : axes) {
        const auto& own = run.experiment.axes;
        const auto found = std::find_if(own.begin(), own.end(),
                                        [&](const Axis& a) { return a.name == axis.name; });
        if (found != own.end()) {
          const std::int64_t value = cell.key.at[static_cast<std::size_t>(found - own.begin())];
          if (axis.name == "threads") threads = value;
          text += std::to_string(value);
        }
        text += ",";
      }
      text += fmt::format("{},{},{},{},{}", csvField(variant.name), csvField(variant.executor),
                          threads, csvField(variant.inputs), run.isSimulated());
      for (const Column& column : kColumns) {
        text += ',';
        text += fieldText(at(result["cells"][i], column.pointer));
      }
      text += "\n";
    }
  }
  return text;
}

std::string toJson(std::span<const ExportedRun> runs) {
  const auto textOf = [](const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  };
  if (runs.size() == 1) return textOf(resultJson(*runs[0].run, runs[0].crossings));
  Json all = {{"fusebench", "results"}, {"version", 1}, {"runs", Json::array()}};
  for (const ExportedRun& run : runs) {
    Json one = resultJson(*run.run, run.crossings);
    one["name"] = run.name;
    all["runs"].push_back(std::move(one));
  }
  return textOf(all);
}

}  // namespace fusebench
