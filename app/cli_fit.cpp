// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"
#include "profiler/doctor/device_list.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/files/files.h"
#include "profiler/files/json_text.h"
#include "profiler/measure/continuation.h"
#include "profiler/measure/sim_fit.h"
#include "profiler/run/recordings.h"

namespace fusebench::cli {
namespace {

Run runNamed(const std::string& given) {
  std::error_code ignored;
  if (!std::filesystem::exists(given, ignored))
    for (const Recording& recording : shippedRecordings())
      if (recording.name == given) return loadRun(recording.path);
  return loadRun(given);
}

/// The measured device's own name.
std::string deviceName(const Run& run) {
  return deviceModel(run.environment, run.device);
}

std::string percent(double part) {
  return std::isfinite(part) ? fmt::format("{:.1f}%", 100 * part) : saying("not reported");
}

/// The first run in which several ranks were measured.
const Run& runOfRanks(const std::vector<Run>& runs) {
  for (const Run& run : runs)
    for (const Cell& cell : run.cells)
      if (ranksOf(run.experiment, cell.key) > 1 && !cell.samples.empty()) return run;
  throw InputError(saying("--ranks: none of these runs measured several ranks"));
}

std::string placeOf(const Experiment& experiment, const CellKey& key) {
  std::string text = experiment.variants[static_cast<std::size_t>(key.variant)].name;
  for (std::size_t a = 0; a < key.at.size(); ++a)
    text +=
        fmt::format("{}{} {}", said(", "), wording::axisWord(experiment.axes[a].name), key.at[a]);
  return text;
}

nlohmann::ordered_json jsonOfContinued(const Continuation& continued) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array(),
                         cells = nlohmann::ordered_json::array();
  const auto nameOf = [&](const CellKey& key) {
    return continued.run.experiment.variants[static_cast<std::size_t>(key.variant)].name;
  };
  for (const Agreement::Point& point : continued.agreement.points)
    points.push_back({{"variant", nameOf(point.key)},
                      {"at", point.key.at},
                      {"ranks", point.ranks},
                      {"measured_ns", point.measured},
                      {"simulated_ns", point.simulated}});
  for (const Cell& cell : continued.run.cells)
    cells.push_back(
        {{"variant", nameOf(cell.key)},
         {"at", cell.key.at},
         {"ranks", ranksOf(continued.run.experiment, cell.key)},
         {"latency_ns", cell.samples.empty() ? nlohmann::ordered_json(nullptr)
                                             : nlohmann::ordered_json(cell.latency().value)},
         {"error",
          cell.error ? nlohmann::ordered_json(*cell.error) : nlohmann::ordered_json(nullptr)}});
  return {{"simulated", true},
          {"measured_points", continued.agreement.points.size()},
          {"median_error", continued.agreement.median},
          {"worst_error", continued.agreement.worst},
          {"points", std::move(points)},
          {"cells", std::move(cells)}};
}

std::string textOfContinued(const Continuation& continued) {
  Table table({head("simulated"), head("call"), head("measured"), head("off")});
  for (const Cell& cell : continued.run.cells) {
    const auto point =
        std::ranges::find(continued.agreement.points, cell.key, &Agreement::Point::key);
    const bool both = point != continued.agreement.points.end();
    table.add({placeOf(continued.run.experiment, cell.key),
               cell.samples.empty() ? "-" : wording::time(cell.latency().value),
               both ? wording::time(point->measured) : "-",
               both ? fmt::format("{:+.1f}%", 100 * point->off()) : "-"});
  }
  return saying("\nExtended by simulation: {}.\n{}", continued.agreement.sentence(), table.text());
}

}  // namespace

int fitCommand(const FitOptions& options) {
  std::vector<Run> runs;
  std::vector<std::string> names;
  for (const std::string& given : options.runs) {
    runs.push_back(runNamed(given));
    names.push_back(std::filesystem::path(given).stem().string());
    if (namesSimulated(runs.back().device))
      throw InputError(given + saying(": this run is simulated; a fit needs measured runs"));
    if (deviceName(runs.back()) != deviceName(runs.front()))
      throw InputError(saying("{}: this run is of {}, {} of {}; a fit takes runs of one device",
                              given, deviceName(runs.back()), options.runs.front(),
                              deviceName(runs.front())));
  }
  if (!options.continued.empty() && options.ranks == 0)
    throw InputError(saying("--continued saves the experiment that --ranks continues; give both"));
  SimDevice begin = findSimDevice(options.begin.empty() ? fitsFrom(runs.front()) : options.begin);
  if (!options.name.empty()) begin.name = options.name;
  begin.madeUp = false;
  if (const std::string title = deviceName(runs.front()); !title.empty()) begin.title = title;
  const SimFit fit = fitSimDevice(begin, runs, names);
  const std::string json = fitJson(fit);
  if (!options.out.empty()) writeFile(options.out, simDeviceText(fit.device, json));
  std::optional<Continuation> further;
  if (options.ranks > 0) {
    further = continued(runOfRanks(runs), fit.device, options.ranks);
    if (!options.continued.empty()) saveRun(further->run, options.continued);
  }
  if (options.json) {
    auto object = nlohmann::ordered_json(jsonOf(simDeviceText(fit.device, json)));
    for (const FitFigure& figure : fit.figures)
      object["figures"].push_back({{"run", figure.run},
                                   {"variant", figure.variant},
                                   {"at", figure.at},
                                   {"metric", figure.metric},
                                   {"measured_ns", figure.measured},
                                   {"predicted_ns", figure.predicted},
                                   {"held_out", figure.heldOut}});
    if (further) object["continuation"] = jsonOfContinued(*further);
    printJson(object);
    return kDone;
  }
  Table table({head("parameter"), head("fitted"), saying("standard error")});
  table.leftFrom(3);
  for (const FitParameter& parameter : fit.parameters)
    table.add({fmt::format("{} ({})", said(parameter.row->title), parameter.row->key),
               fmt::format("{:.4g} {}", parameter.value, parameter.row->unit),
               percent(parameter.error)});
  printOut(table.text() + "\n");
  std::vector<const FitFigure*> worst;
  for (const FitFigure& figure : fit.figures)
    if (figure.heldOut) worst.push_back(&figure);
  std::sort(worst.begin(), worst.end(), [](const FitFigure* a, const FitFigure* b) {
    return std::abs(a->error()) > std::abs(b->error());
  });
  printOut(saying("Held out, the worst first:\n"));
  for (std::size_t i = 0; i < std::min<std::size_t>(worst.size(), 8); ++i) {
    const FitFigure& figure = *worst[i];
    printOut(saying("  {}, {} at {}, {}: {} measured, {} predicted ({:+.1f}%)\n", figure.run,
                    figure.variant, fmt::join(figure.at, ", "), figure.metric,
                    wording::time(figure.measured), wording::time(figure.predicted),
                    100 * figure.error()));
  }
  printOut(fmt::format("\n{}{}{}\n", said(fit.device.title), said(", "), fit.device.truth()));
  if (further) printOut(textOfContinued(*further));
  return kDone;
}

}  // namespace fusebench::cli
