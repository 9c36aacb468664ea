// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about the gain from more ranks, and its cost.
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/collective_model.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/scaling.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

bool isHeldPlace(const Context& context, const CellKey& key) {
  const auto& axes = context.run.experiment.axes;
  return axes.size() < 2 || context.slice >= axes[1].values.size() ||
         key.at[1] == axes[1].values[context.slice];
}

std::string shareInPercent(const Estimate& share) {
  if (share.kind != Estimate::Kind::interval) return fmt::format("{:.0f}%", 100 * share.value);
  return fmt::format("{:.0f}% ({:.0f}–{:.0f}%)", 100 * share.value, 100 * share.low,
                     100 * share.high);
}

Finding describe(const Context& context, const ScalingPoint& point) {
  const std::string& name = context.name(point.key.variant);
  Finding finding{Finding::Kind::speedUp,          point.key.variant, {}, {}, Metric::speedUp,
                  static_cast<double>(point.ranks)};
  finding.headline =
      saying("{}: {:.0f}% of {} ranks", name, 100 * point.efficiency.value, point.ranks);
  const bool interval = point.speedUp.kind == Estimate::Kind::interval;
  const std::string bounds =
      interval
          ? context.inBrackets(fmt::format("{:.3g}–{:.3g}", point.speedUp.low, point.speedUp.high))
          : std::string();
  finding.text = saying(
      "With {} ranks, {} does {:.3g} times{} {} as with {}{}: {} of perfect scaling.", point.ranks,
      name, point.speedUp.value, bounds,
      point.weak ? saying("as much in the same time, each rank with a whole batch of its own,")
                 : saying("as much in the same time, all ranks sharing one batch,"),
      point.from, context.held(), shareInPercent(point.efficiency));
  return finding;
}

Finding describe(const Context& context, const CollectiveModel& model) {
  const std::string& name = context.name(model.variant);
  Finding finding{Finding::Kind::growth, model.variant, {}, {}, Metric::latency, std::nullopt};
  // Bytes in a nanosecond are GB in a second.
  const std::string speed = model.beta.value > 0
                                ? saying(" ({} GB/s)", wording::number(1 / model.beta.value))
                                : std::string();
  finding.headline = saying("{}: {} + {} ns per byte", name, wording::time(model.alpha.value),
                            wording::number(model.beta.value));
  finding.text = saying(
      "{} by {} ranks takes {}{} plus {} ns for each byte that a rank contributes{}: from {} to {} "
      "bytes that model is within {:.0f}% of the measured times.",
      name, model.ranks, wording::time(model.alpha.value),
      context.inBrackets(wording::timeInterval(model.alpha)), wording::number(model.beta.value),
      speed, wording::number(static_cast<double>(model.points.front().bytes)),
      wording::number(static_cast<double>(model.points.back().bytes)), 100 * model.worst());
  return finding;
}

}  // namespace

/// The alpha-beta model of each collective that is measured by itself.
Findings collectives(const Context& context) {
  Findings found;
  if (context.measuring) return found;
  for (const CollectiveModel& model : collectiveModels(context.run))
    found.push_back(describe(context, model));
  return found;
}

/// The most ranks of each variant: the curve shows the others.
Findings scaling(const Context& context) {
  Findings found;
  if (context.measuring) return found;
  std::vector<ScalingPoint> last(context.run.experiment.variants.size());
  for (const ScalingPoint& point : scalingOf(context.run))
    if (isHeldPlace(context, point.key)) last[static_cast<std::size_t>(point.key.variant)] = point;
  for (const ScalingPoint& point : last)
    if (point.ranks > point.from) found.push_back(describe(context, point));
  return found;
}

}  // namespace fusebench::findings
