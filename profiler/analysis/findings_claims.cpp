// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about what was published: whether it holds here.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/saying.h"
#include "engine/device/model_effects.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

/// The state of the claim at one place.
enum class Verdict : std::uint8_t {
  holds,
  fails,
  open,        ///< too few samples, or an interval that has both in it
  notModeled,  ///< a simulated device whose model lacks what the claim is about
  unmeasured
};

constexpr bool isOfTimes(const Claim& claim) {
  return claim.metric != Claim::Metric::peakBytes;
}

/// The variant's over (or less) the other's at one place; kind none where either was not measured,
/// or where the two take the same time.
Estimate measured(const Context& context, const Claim& claim, const Cell& variant,
                  const Cell& against) {
  if (claim.than) {
    const Cell* const one =
        context.run.find({context.indexOf(claim.than->variant), variant.key.at});
    const Cell* const other =
        context.run.find({context.indexOf(claim.than->against), variant.key.at});
    return one && other ? gapOver(variant, against, *one, *other) : Estimate();
  }
  if (claim.metric == Claim::Metric::latency) return speedUpOf(pairByRound(variant, against));
  if (claim.metric == Claim::Metric::latencyDifference)
    return gainOf(pairByRound(variant, against));
  if (!variant.peakBytes || !against.peakBytes || *against.peakBytes == 0) return {};
  const double ratio =
      static_cast<double>(*variant.peakBytes) / static_cast<double>(*against.peakBytes);
  return {ratio, ratio, ratio, Estimate::Kind::interval};  // counted, not sampled
}

/// Holds where all of the interval agrees with the published figure, fails where nothing of it
/// does. An interval that contains both decides neither: one from few samples would agree with
/// anything.
Verdict judge(const Claim& claim, const Estimate& ratio) {
  constexpr double kEnd = std::numeric_limits<double>::infinity();
  double least = claim.ratio / (1 + claim.tolerance), most = claim.ratio * (1 + claim.tolerance);
  if (claim.relation == Claim::Relation::atLeast) least = claim.ratio, most = kEnd;
  if (claim.relation == Claim::Relation::atMost) least = -kEnd, most = claim.ratio;
  if (ratio.kind != Estimate::Kind::interval) return Verdict::open;
  if (ratio.low > most || ratio.high < least) return Verdict::fails;
  return ratio.low >= least && ratio.high <= most ? Verdict::holds : Verdict::open;
}

std::string amountText(const Claim& claim, double amount) {
  return claim.metric == Claim::Metric::latencyDifference ? wording::time(amount)
                                                          : wording::ratio(amount);
}

std::string claimedText(const Claim& claim) {
  // A ratio has the digits that its author gave it: "0.98", not "0.980".
  std::string amount = claim.metric == Claim::Metric::latencyDifference
                           ? wording::time(claim.ratio)
                           : wording::number(claim.ratio) + "×";
  if (claim.relation == Claim::Relation::atLeast) return saying("at least {}", amount);
  if (claim.relation == Claim::Relation::atMost) return saying("at most {}", amount);
  return amount;
}

/// "1.2× (1.1 – 1.3×)"
std::string shownText(const Claim& claim, const Estimate& ratio) {
  std::string value = amountText(claim, ratio.value);
  if (!isOfTimes(claim)) return value;
  return value + wording::inBrackets(claim.metric == Claim::Metric::latencyDifference
                                         ? wording::timeInterval(ratio)
                                         : wording::ratioInterval(ratio));
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

/// "Published", "Published in the write-up on layouts at batch 1", "Claim at batch 1"
std::string leadOf(const Context& context, const Claim& claim) {
  std::vector<std::string> places;
  for (const auto& [name, value] : claim.at)
    for (const Axis& axis : context.run.experiment.axes)
      if (axis.name == name) places.push_back(wording::at(axis, static_cast<double>(value)));
  const std::string lead =
      claim.source.empty() ? saying("Claim") : saying("Published in {}", said(claim.source));
  return places.empty() ? lead : saying("{} at {}", lead, wording::list(places));
}

std::string statedText(const Context& context, const Claim& claim) {
  const std::string lead = leadOf(context, claim);
  if (claim.than)
    return saying("{}: the gap between {} and {} is {} as wide as that between {} and {}.", lead,
                  claim.variant, claim.against, claimedText(claim), claim.than->variant,
                  claim.than->against);
  if (claim.metric == Claim::Metric::latencyDifference)
    return saying("{}: {} takes {} longer than {}.", lead, claim.variant, claimedText(claim),
                  claim.against);
  if (claim.metric == Claim::Metric::breakEven)
    return saying("{}: {} becomes faster than {} at {}.", lead, claim.variant, claim.against,
                  wording::at(context.axis(), claim.ratio));
  if (claim.metric == Claim::Metric::peakBytes)
    return saying("{}: {} takes {} as much memory as {}.", lead, claim.variant, claimedText(claim),
                  claim.against);
  return saying("{}: {} takes {} as long as {}.", lead, claim.variant, claimedText(claim),
                claim.against);
}

/// Why the claim says nothing of this run's device; empty where it does.
std::string whyNotHere(const Context& context, const Claim& claim) {
  const bool gpu = context.run.isOfGpu();
  if (claim.device == Claim::Device::cpu && gpu)
    return saying(" The figure is for CPUs, but this run measured a GPU.");
  if (claim.device == Claim::Device::gpu && !gpu)
    return saying(" The figure is for GPUs, but this run measured a CPU.");
  if (!gpu || !isOfTimes(claim)) return "";
  std::vector<std::string> names = {claim.variant, claim.against};
  if (claim.than) names.insert(names.end(), {claim.than->variant, claim.than->against});
  const auto hasThreads = [&](const std::string& name) {
    const int index = context.indexOf(name);
    return index >= 0 &&
           context.run.experiment.variants[static_cast<std::size_t>(index)].threads > 1;
  };
  if (std::ranges::any_of(names, hasThreads))
    return saying(" It compares numbers of CPU threads, but this run measured a GPU.");
  return "";
}

/// The state of the claim at each of its places.
struct Places {
  std::vector<double> held, failed, open, notModeled, unmeasured;
  std::vector<double> level;      ///< where the two that a gap is compared with are not told apart
  std::set<std::string> effects;  ///< keys of what the model lacks
  Estimate least, most;

  bool isOpen() const { return held.empty() && failed.empty(); }
  std::size_t told() const { return held.size() + failed.size() + open.size(); }
};

Places placesOf(const Context& context, const Claim& claim, int variant, int against) {
  Places places;
  for (const Cell& cell : context.run.cells) {
    if (cell.key.variant != variant || !context.isOfSlice(cell) || !isAt(context, claim, cell))
      continue;
    const Cell* const other = context.run.find({against, cell.key.at});
    const auto place = static_cast<double>(cell.key.at[0]);
    const auto hasTimes = [](const Cell* of) { return of && !of->samples.empty(); };
    if (isOfTimes(claim) ? !hasTimes(&cell) || !hasTimes(other)
                         : !other || !cell.peakBytes || !other->peakBytes) {
      places.unmeasured.push_back(place);
      continue;
    }
    std::vector<const Cell*> compared = {&cell, other};
    if (claim.than)
      for (const std::string& name : {claim.than->variant, claim.than->against})
        if (const Cell* const found = context.run.find({context.indexOf(name), cell.key.at}))
          compared.push_back(found);
    bool modeled = true;
    for (const Cell* each : compared) {
      if (!isOfTimes(claim) || isModeled(*each)) continue;
      modeled = false;
      places.effects.insert(each->notModeled.begin(), each->notModeled.end());
    }
    if (!modeled) {
      places.notModeled.push_back(place);
      continue;
    }
    const Estimate ratio = measured(context, claim, cell, *other);
    if (claim.than && ratio.kind == Estimate::Kind::none) {
      places.level.push_back(place);
      continue;
    }
    const Verdict verdict = judge(claim, ratio);
    (verdict == Verdict::holds   ? places.held
     : verdict == Verdict::fails ? places.failed
                                 : places.open)
        .push_back(place);
    if (ratio.kind == Estimate::Kind::none) continue;
    if (places.least.kind == Estimate::Kind::none || ratio.value < places.least.value)
      places.least = ratio;
    if (places.most.kind == Estimate::Kind::none || ratio.value > places.most.value)
      places.most = ratio;
  }
  return places;
}

/// See Finding::verdict.
std::string_view verdictOf(const Places& places) {
  if (places.told() == 0 && !places.notModeled.empty()) return "not modeled";
  if (places.told() == 0 && places.level.empty()) return "not measured";
  if (places.isOpen()) return "open";
  if (places.failed.empty()) return "holds";
  return places.held.empty() ? "does not hold" : "holds in part";
}

/// For the headline.
std::string verdictText(std::string_view verdict) {
  if (verdict == "not modeled") return saying("not modeled");
  if (verdict == "not measured") return saying("not measured");
  if (verdict == "open") return saying("cannot be answered by this run");
  if (verdict == "holds") return saying("holds here");
  if (verdict == "does not hold") return saying("does not hold here");
  if (verdict == "holds in part") return saying("holds at some points");
  return saying("not judged here");
}

std::string agreementText(const Context& context, const Places& places) {
  const Axis& axis = context.axis();
  const bool several = !places.open.empty() || !places.notModeled.empty();
  std::string text;
  if (!places.failed.empty() && !places.held.empty())
    text += saying(" This run confirms it at {}, but not at {}.", placesText(axis, places.held),
                   placesText(axis, places.failed));
  else if (!places.isOpen() && several)
    text += places.failed.empty()
                ? saying(" This run confirms it at {}.", placesText(axis, places.held))
                : saying(" This run does not confirm it at {}.", placesText(axis, places.failed));
  else if (!places.isOpen())
    text += places.failed.empty() ? saying(" This run confirms it.")
                                  : saying(" This run does not confirm it.");
  const bool ofModel = context.run.modelError().value_or(0) > 0;
  if (places.isOpen() && !places.open.empty() && ofModel)
    text += saying(" The model's error is too large to confirm or refute it.");
  else if (!places.open.empty() && ofModel)
    text += saying(" At {} the model's error is too large to tell.", placesText(axis, places.open));
  else if (places.isOpen() && !places.open.empty())
    text += saying(" There are too few samples to confirm or refute it.");
  else if (!places.open.empty())
    text += saying(" At {} there are too few samples to tell.", placesText(axis, places.open));
  if (!places.notModeled.empty()) {
    std::vector<std::string> titles;
    for (const std::string& key : places.effects)
      titles.push_back(std::string(said(sim::effectTitle(key))));
    text += places.told() == 0
                ? saying(" The simulated device does not model what determines this: {}.",
                         wording::list(titles))
                : saying(" At {} the simulated device does not model what determines this: {}.",
                         placesText(axis, places.notModeled), wording::list(titles));
  }
  if (!places.level.empty())
    text += saying(" At {} both take the same time, so there is no gap to measure against.",
                   placesText(axis, places.level));
  if (!places.unmeasured.empty() && places.told() > 0)
    text += saying(" At {} it was not measured.", placesText(axis, places.unmeasured));
  return text;
}

/// The break-even of the claim's pair; null if it was not measured.
const Crossing* crossingOf(const Context& context, const Claim& claim) {
  for (const Crossing* const crossing : context.of(Crossing::Kind::breakEven))
    if (crossing->variant == claim.variant && crossing->baseline == claim.against &&
        crossing->along == context.axis().name)
      return crossing;
  return nullptr;
}

/// " Here, this happens at 5.2 statements (4.9 to 5.5)."
std::string breakEvenHere(const Context& context, const Claim& claim, const Crossing& crossing) {
  switch (crossing.status) {
    case CrossingStatus::found: {
      const std::string place = wording::at(context.axis(), crossing.at),
                        low = wording::place(context.axis(), crossing.low),
                        high = wording::place(context.axis(), crossing.high);
      return low != high ? saying(" Here, this happens at {} ({} to {}).", place, low, high)
                         : saying(" Here, this happens at {}.", place);
    }
    case CrossingStatus::always:
      return saying(" Here, {} is faster at every point measured.", claim.variant);
    case CrossingStatus::never:
      return saying(" Here, {} is not faster at any point measured.", claim.variant);
    default:
      return saying(" Here, there are too few samples to tell.");
  }
}

std::string_view breakEvenVerdict(const Claim& claim, const Crossing& crossing) {
  switch (crossing.status) {
    case CrossingStatus::found: {
      const Verdict verdict =
          judge(claim, {crossing.at, crossing.low, crossing.high, Estimate::Kind::interval});
      return verdict == Verdict::holds   ? "holds"
             : verdict == Verdict::fails ? "does not hold"
                                         : "open";
    }
    case CrossingStatus::always:
    case CrossingStatus::never:
      return "does not hold";
    default:
      return "open";
  }
}

/// The measured break-even is stated for other kinds of devices as well: its shape carries over.
void judgeBreakEven(const Context& context, const Claim& claim, Finding& result) {
  const Crossing* const crossing = crossingOf(context, claim);
  const std::string elsewhere = whyNotHere(context, claim);
  result.verdict = !elsewhere.empty() ? "other device"
                   : crossing         ? breakEvenVerdict(claim, *crossing)
                                      : "not measured";
  result.text += elsewhere;
  result.text += crossing ? breakEvenHere(context, claim, *crossing)
                          : saying(" This run has no measurement of it.");
  if (crossing && crossing->status == CrossingStatus::found) result.at = crossing->at;
}

std::optional<Finding> finding(const Context& context, const Claim& claim) {
  const int variant = context.indexOf(claim.variant), against = context.indexOf(claim.against);
  if (variant < 0 || against < 0) return std::nullopt;
  const std::string kind = claim.source.empty() ? saying("Claim") : saying("Published");
  Finding result;
  result.kind = Finding::Kind::claim;
  result.variant = variant;
  result.text = statedText(context, claim);
  if (claim.metric == Claim::Metric::breakEven) {
    judgeBreakEven(context, claim, result);
    result.headline = saying("{}: {}: {}", kind, said(claim.text), verdictText(result.verdict));
    return result;
  }
  if (const std::string why = whyNotHere(context, claim); !why.empty()) {
    result.verdict = "other device";
    result.headline = saying("{}: {}: {}", kind, said(claim.text), verdictText(result.verdict));
    result.text += why;
    return result;
  }
  const Places places = placesOf(context, claim, variant, against);
  result.verdict = verdictOf(places);
  result.headline = saying("{}: {}: {}", kind, said(claim.text), verdictText(result.verdict));
  if (places.told() == 0 && places.notModeled.empty() && places.level.empty()) {
    result.text += saying(" This run has no measurement of it.");
    return result;
  }
  if (places.least.kind != Estimate::Kind::none)
    result.text += amountText(claim, places.least.value) == amountText(claim, places.most.value) ||
                           places.told() == 1
                       ? saying(" Here it is {}{}.", shownText(claim, places.least), context.held())
                       : saying(" Here it is {} to {}{}.", shownText(claim, places.least),
                                shownText(claim, places.most), context.held());
  result.text += agreementText(context, places);
  if (!places.failed.empty()) result.at = places.failed.front();
  return result;
}

}  // namespace

Findings claims(const Context& context) {
  Findings all;
  if (context.measuring) return all;
  const std::vector<Claim>& claims = context.run.experiment.claims;
  for (std::size_t c = 0; c < claims.size(); ++c)
    if (auto one = finding(context, claims[c])) {
      one->claim = static_cast<int>(c);
      all.push_back(std::move(*one));
    }
  return all;
}

}  // namespace fusebench::findings
