// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"

namespace fusebench {

TimeUnit tableUnit(const Run& run) {
  double smallest = INFINITY;
  for (const Cell& cell : run.cells)
    if (!cell.samples.empty()) smallest = std::min(smallest, cell.latency().value);
  return unitOfTime(std::isfinite(smallest) ? smallest : 1);
}

std::string latencyText(const Cell& cell, const TimeUnit& unit, const CellMarks& marks,
                        Letters letters) {
  const Estimate latency = cell.latency();
  if (latency.kind == Estimate::Kind::none) return wording::ended(cell.stop);
  const double size = unit.nanoseconds;
  std::string value = digits(latency.value / size) + marks.of(cell);
  const std::string ends =
      endsText(latency.value / size, latency.low / size, latency.high / size, letters);
  if (ends.empty()) return value;
  if (latency.kind == Estimate::Kind::range)
    return saying("{} ({} samples: {})", value, cell.samples.size(), ends);
  return letters == Letters::page ? fmt::format("{} ({})", value, ends)
                                  : fmt::format("{} [{}]", value, ends);
}

std::string speedUpText(const Run& run, const Cell& cell, Letters letters) {
  if (lacksModel(run, cell)) return saying("not modeled");
  const auto ratio = speedUpOf(run, cell);
  return ratio ? ratioText(ratio->value, letters) : "";
}

std::string launchText(const Cell& cell, Letters letters) {
  if (!cell.launches) return "";
  const auto [least, mean, most] = *cell.launches;
  if (least == most) return std::to_string(least);
  return fmt::format("{}{}{}", least, letters == Letters::page ? " – " : "-", most);
}

std::string firstCompileText(const Cell& cell, Letters letters) {
  std::vector<double> totals;
  for (const CompileTimes& times : cell.firstCompiles)
    totals.push_back(static_cast<double>(times.total()));
  return totals.empty() ? "" : timeText(median(totals), letters);
}

std::string head(std::string_view english) {
  return std::string(saidAs("head", english));
}

}  // namespace fusebench
