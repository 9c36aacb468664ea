// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about batches that come from host memory.
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/loader_figures.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {

/// The last place of each variant: the curve shows the others.
Findings loaders(const Context& context) {
  Findings found;
  if (context.measuring) return found;
  std::vector<std::optional<LoaderFigure>> last(context.run.experiment.variants.size());
  for (const Cell& cell : context.run.cells)
    if (cell.key.at[0] == context.axis().values.back() && inSlice(context.run, cell, context.slice))
      if (const auto figure = loaderFigureOf(context.run, cell))
        last[static_cast<std::size_t>(cell.key.variant)] = figure;
  for (const auto& figure : last) {
    if (!figure) continue;
    const std::string& name = context.name(figure->key.variant);
    Finding finding{Finding::Kind::growth, figure->key.variant, {}, {},
                    Metric::latency,       std::nullopt};
    const std::string speed = wording::number(figure->throughput()) + " GB/s";
    finding.headline = saying("{}: {}", name, speed);
    finding.text = saying("At the end of the axis{} {} takes {} per batch: {}", context.held(),
                          name, wording::time(figure->batch), speed);
    if (figure->waits)
      finding.text += saying(", and for {:.0f}% of the time no kernel runs", 100 * *figure->waits);
    finding.text += saying(".");
    found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace fusebench::findings
