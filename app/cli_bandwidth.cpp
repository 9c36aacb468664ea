// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_bandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/cli_format.h"
#include "app/cli_result_table.h"
#include "engine/base/saying.h"
#include "profiler/analysis/bandwidth.h"
#include "profiler/analysis/wording.h"

namespace fusebench::cli {
namespace {

std::string unitOf(const Experiment& experiment, const std::string& along) {
  const auto axis = std::ranges::find(experiment.axes, along, &Axis::name);
  return axis == experiment.axes.end() ? std::string() : axis->unit;
}

}  // namespace

std::string bandwidthText(const Run& run) {
  constexpr double kGiga = 1e-9;
  const Run perByte = timesPerByte(run);
  std::vector<std::string> header = axisHeads(run.experiment);
  header.insert(header.end(),
                {head("variant"), head("bytes"), "GB/s", run.experiment.baseline + " x"});
  Table table(header);
  bool any = false;
  for (std::size_t c = 0; c < run.cells.size(); ++c) {
    const Cell& cell = run.cells[c];
    const auto bandwidth = bandwidthOf(run, cell);
    std::vector<std::string> row = axisTexts(run.experiment, cell.key);
    row.push_back(run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
    row.push_back(bandwidth ? fmt::format("{:.0f}", *movedBytesOf(run, cell)) : "-");
    row.push_back(bandwidth ? estimateText(*bandwidth, kGiga) : "-");
    const Estimate ratio = bandwidthRatioOf(perByte, perByte.cells[c]);
    row.push_back(estimateText(ratio, 1));
    table.add(std::move(row));
    any = any || bandwidth;
  }
  if (!any) return "";
  std::string text;
  if (const std::string simulated = wording::simulated(run); !simulated.empty())
    text += wrapped(simulated);
  text +=
      wrapped(saying("Bandwidth: the bytes that a call reads and writes according to its plan, or "
                     "copies from host memory, divided by its time, with the time's 95% interval; "
                     "more is better. The next column is the ratio to the baseline's"));
  text += table.text() + "\n";
  for (const Crossing& crossing : bandwidthCrossings(perByte))
    text +=
        wrapped(bandwidthSentence(crossing, unitOf(run.experiment, crossing.along)) + saying("."));
  return text;
}

}  // namespace fusebench::cli
