// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about what was published: whether it holds here.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

/// What the claim says of one place.
enum class Verdict : std::uint8_t { holds, fails, open };

/// The variant's over the other's at one place; kind none where either was not measured, or no gap
/// is told where one is to be compared with.
Estimate measuredRatio(const Context& context, const Claim& claim, const Cell& variant,
                       const Cell& against) {
  if (claim.than) {
    const Cell* const one =
        context.run.find({context.indexOf(claim.than->variant), variant.key.at});
    const Cell* const other =
        context.run.find({context.indexOf(claim.than->against), variant.key.at});
    return one && other ? gapOver(variant, against, *one, *other) : Estimate();
  }
  if (claim.metric == Claim::Metric::latency) return speedUpOf(pairByRound(variant, against));
  if (!variant.peakBytes || !against.peakBytes || *against.peakBytes == 0) return {};
  const double ratio =
      static_cast<double>(*variant.peakBytes) / static_cast<double>(*against.peakBytes);
  return {ratio, ratio, ratio, Estimate::Kind::interval};  // counted, not sampled
}

/// Holds where all of the interval agrees with what was published, fails where nothing of it does.
/// An interval that has both in it tells neither: of few samples it would agree with anything.
Verdict judge(const Claim& claim, const Estimate& ratio) {
  constexpr double kEnd = std::numeric_limits<double>::infinity();
  double least = claim.ratio / (1 + claim.tolerance), most = claim.ratio * (1 + claim.tolerance);
  if (claim.relation == Claim::Relation::atLeast) least = claim.ratio, most = kEnd;
  if (claim.relation == Claim::Relation::atMost) least = -kEnd, most = claim.ratio;
  if (ratio.kind != Estimate::Kind::interval) return Verdict::open;
  if (ratio.low > most || ratio.high < least) return Verdict::fails;
  return ratio.low >= least && ratio.high <= most ? Verdict::holds : Verdict::open;
}

std::string publishedText(const Claim& claim) {
  const std::string relation = claim.relation == Claim::Relation::about     ? std::string()
                               : claim.relation == Claim::Relation::atLeast ? saying("at least ")
                                                                            : saying("at most ");
  return fmt::format("{}{}", relation, wording::ratio(claim.ratio));
}

/// "batch 1 and 4"
std::string placesText(const Axis& axis, const std::vector<double>& at) {
  if (at.size() == 1) return wording::at(axis, at[0]);
  std::vector<std::string> places;
  for (const double place : at) places.push_back(wording::place(axis, place));
  const std::string unit = wording::unit(axis);
  return fmt::format("{} {}", wording::list(places, 5), said(unit));
}

/// Whether a cell is where the claim was measured.
bool isAt(const Context& context, const Claim& claim, const Cell& cell) {
  const std::vector<Axis>& axes = context.run.experiment.axes;
  return std::ranges::all_of(claim.at, [&](const auto& place) {
    const auto axis = std::ranges::find(axes, place.first, &Axis::name);
    return axis == axes.end() ||
           cell.key.at[static_cast<std::size_t>(axis - axes.begin())] == place.second;
  });
}

std::optional<Finding> finding(const Context& context, const Claim& claim) {
  const int variant = context.indexOf(claim.variant), against = context.indexOf(claim.against);
  if (variant < 0 || against < 0) return std::nullopt;
  std::vector<double> held, failed, open;
  std::vector<double> level;  // where the two that a gap is compared with are not told apart
  Estimate least, most;
  const CurveCells& curve = context.curves[static_cast<std::size_t>(variant)];
  for (const Cell* cell : curve.cells) {
    const Cell* const other = context.run.find({against, cell->key.at});
    if (!other || !isAt(context, claim, *cell)) continue;
    const Estimate ratio = measuredRatio(context, claim, *cell, *other);
    const Verdict verdict = judge(claim, ratio);
    const auto place = static_cast<double>(cell->key.at[0]);
    if (claim.than && ratio.kind == Estimate::Kind::none && !cell->samples.empty())
      level.push_back(place);
    if (ratio.kind != Estimate::Kind::interval) continue;
    (verdict == Verdict::holds ? held : verdict == Verdict::fails ? failed : open).push_back(place);
    if (least.kind == Estimate::Kind::none || ratio.value < least.value) least = ratio;
    if (most.kind == Estimate::Kind::none || ratio.value > most.value) most = ratio;
  }
  if (held.empty() && failed.empty() && open.empty() && level.empty()) return std::nullopt;
  const bool memory = claim.metric == Claim::Metric::peakBytes;
  const std::string what = memory ? saying("as much memory") : saying("as long");
  const auto shown = [&](const Estimate& ratio) {
    return wording::ratio(ratio.value) +
           (memory ? "" : wording::inBrackets(wording::ratioInterval(ratio)));
  };
  const std::string here =
      least.value == most.value || held.size() + failed.size() + open.size() == 1
          ? shown(least)
          : shown(least) + saying(" to ") + shown(most);
  Finding result{Finding::Kind::claim, variant, {}, {}, Metric::latency, {}};
  const bool isOpen = held.empty() && failed.empty();
  const std::string verdict = isOpen           ? saying("cannot be told by this run")
                              : failed.empty() ? saying("holds here")
                              : held.empty()   ? saying("does not hold here")
                                               : saying("holds at some places");
  result.headline = saying("Published: {}: {}", said(claim.text), verdict);
  if (claim.than)
    result.text =
        saying(
            "Published: the gap between {} and {} is {} as wide as that between {} "
            "and {}.",
            claim.variant, claim.against, publishedText(claim), claim.than->variant,
            claim.than->against) +
        (least.kind == Estimate::Kind::none ? std::string()
                                            : saying(" Here it is {}{}.", here, context.held()));
  else
    result.text = saying("Published: {} {} {} as {}. Here it is {}{}.", claim.variant,
                         publishedText(claim), what, claim.against, here, context.held());
  if (!failed.empty() && !held.empty())
    result.text += saying(" That agrees at {}, and does not at {}.",
                          placesText(context.axis(), held), placesText(context.axis(), failed));
  else if (!open.empty() && !isOpen)
    result.text += failed.empty()
                       ? saying(" That agrees at {}.", placesText(context.axis(), held))
                       : saying(" That does not agree at {}.", placesText(context.axis(), failed));
  else if (!isOpen)
    result.text += failed.empty() ? saying(" That agrees.") : saying(" That does not agree.");
  if (isOpen && !open.empty())
    result.text += saying(" Too little was measured to tell whether that agrees.");
  else if (!open.empty())
    result.text +=
        saying(" At {} too little was measured to tell.", placesText(context.axis(), open));
  if (!level.empty())
    result.text += saying(" At {} those two take as long, and there is no gap to compare with.",
                          placesText(context.axis(), level));
  if (!failed.empty()) result.at = failed.front();
  return result;
}

}  // namespace

Findings claims(const Context& context) {
  Findings all;
  if (context.measuring) return all;
  for (const Claim& claim : context.run.experiment.claims)
    if (auto one = finding(context, claim)) all.push_back(std::move(*one));
  return all;
}

}  // namespace fusebench::findings
