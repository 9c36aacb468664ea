// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_passing.h"

#include <fmt/format.h>

#include <vector>

#include "app/cli_format.h"
#include "app/cli_result_table.h"
#include "engine/base/saying.h"
#include "profiler/analysis/collective_model.h"
#include "profiler/analysis/loader_figures.h"
#include "profiler/analysis/scaling.h"
#include "profiler/analysis/wording.h"

namespace fusebench::cli {
namespace {

/// A row's first words: where on the axes, and of which variant.
std::vector<std::string> placed(const Run& run, const CellKey& key) {
  std::vector<std::string> row = axisTexts(run.experiment, key);
  row.push_back(run.experiment.variants[static_cast<std::size_t>(key.variant)].name);
  return row;
}

Table tableOf(const Run& run, std::initializer_list<std::string> columns) {
  std::vector<std::string> header = axisHeads(run.experiment);
  header.push_back(head("variant"));
  header.insert(header.end(), columns);
  return Table(header);
}

std::string broughtText(const Run& run) {
  Table table = tableOf(run, {head("bytes"), "GB/s", saying("no kernel runs")});
  bool any = false;
  for (const Cell& cell : run.cells)
    if (const auto figure = loaderFigureOf(run, cell)) {
      std::vector<std::string> row = placed(run, cell.key);
      row.push_back(fmt::format("{:.0f}", figure->bytes));
      row.push_back(estimateText(figure->bandwidth, 1e-9));
      row.push_back(figure->waits ? fmt::format("{:.0f}%", 100 * *figure->waits) : "-");
      table.add(std::move(row));
      any = true;
    }
  if (!any) return "";
  return wrapped(saying(
             "Host-to-device bandwidth (H2D): a call's copied bytes divided by its whole time, "
             "with the time's 95% interval, and the part of the time in which no kernel runs")) +
         table.text() + "\n";
}

std::string scalingText(const Run& run) {
  const auto points = scalingOf(run);
  if (points.empty()) return "";
  Table table = tableOf(run, {head("scaling"), head("speedup"), saying("efficiency %")});
  for (const ScalingPoint& point : points) {
    std::vector<std::string> row = placed(run, point.key);
    row.push_back(point.weak ? head("weak") : head("strong"));
    row.push_back(estimateText(point.speedUp, 1));
    row.push_back(estimateText(point.efficiency, 100));
    table.add(std::move(row));
  }
  return wrapped(saying("Scaling: the work done in the same time, relative to the fewest ranks, "
                        "with its 95% interval if there are enough samples. Divided by the number "
                        "of ranks, it is the efficiency")) +
         table.text() + "\n";
}

std::string collectivesText(const Run& run) {
  std::string text;
  for (const CollectiveModel& model : collectiveModels(run))
    text +=
        wrapped(saying("{} of {} ranks: {} and {} ns per byte (fit of T = alpha + bytes x beta; at "
                       "the measured sizes it is off by {:.0f}% at most).",
                       model.collective, model.ranks, timeText(model.alpha.value),
                       wording::number(model.beta.value), 100 * model.worst()));
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string passingText(const Run& run) {
  return broughtText(run) + scalingText(run) + collectivesText(run);
}

}  // namespace fusebench::cli
