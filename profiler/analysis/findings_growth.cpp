// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about how the time of a call grows along the axis, and what a launch costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

/// A curve that grows by this factor along the axis is not flat, whatever it is compared with.
constexpr double kSteepFactor = 3;

/// The shape of a curve along the axis.
struct Growth {
  enum class Shape { unknown, flat, straight, curved, few };
  int variant = 0;
  Shape shape = Shape::unknown;
  Estimate slope;              ///< ns per step of the axis
  bool carried = false;        ///< the slope is that of a straight line
  std::optional<double> from;  ///< where the straight part begins, if not at the start
  std::optional<double> launchesPerStep;
  std::optional<Estimate> perLaunch;  ///< ns
};

/// The line through the medians; nothing while any of them is too uncertain to draw one.
std::optional<LineFit> lineThrough(const CurveCells& curve) {
  if (curve.x.size() < 3 || !curve.hasIntervals()) return std::nullopt;
  std::vector<double> medians;
  for (const Estimate& latency : curve.latency) medians.push_back(latency.value);
  return fitLine(curve.x, medians);
}

/// The ratio of the greatest value to the least.
double growthFactor(const CurveCells& curve) {
  const auto [least, most] =
      std::minmax_element(curve.latency.begin(), curve.latency.end(),
                          [](const Estimate& a, const Estimate& b) { return a.value < b.value; });
  return most->value / least->value;
}

/// Scatter about a level has no slope either; a bend does not pass for scatter.
bool isScatter(const CurveCells& curve) {
  return growthFactor(curve) < 1.1;
}

Growth growthOf(const Context& context, int variant, double baselineSlope) {
  const CurveCells& curve = context.curves[static_cast<std::size_t>(variant)];
  Growth growth;
  growth.variant = variant;
  const auto whole = lineThrough(curve);
  if (!whole) return growth;
  const auto part = straightPart(curve.x, sampledLatencies(curve.cells));
  growth.slope = part ? part->fit.slope : whole->slope;
  growth.carried = part.has_value();
  if (part && part->first > 0) growth.from = curve.x[part->first];
  const bool throughZero = growth.slope.low <= 0 && growth.slope.high >= 0;
  // Compared with a baseline of another order a curve may look flat and be steep by itself.
  const bool beside = variant != context.baseline &&
                      std::abs(growth.slope.value) < kFlatShare * std::abs(baselineSlope) &&
                      growthFactor(curve) < kSteepFactor;
  if (beside || (throughZero && (part || isScatter(curve))))
    growth.shape = Growth::Shape::flat;
  else if (part)
    growth.shape = Growth::Shape::straight;
  else
    growth.shape = curve.x.size() < 4 ? Growth::Shape::few : Growth::Shape::curved;
  return growth;
}

void addLaunches(const Context& context, const std::vector<LaunchModel>& models, Growth& growth) {
  for (const LaunchModel& model : models) {
    if (model.variant != context.name(growth.variant)) continue;
    growth.perLaunch = model.fit.slope;
    const CurveCells& curve = context.curves[static_cast<std::size_t>(growth.variant)];
    std::vector<double> launches;
    for (const Cell* cell : curve.cells)
      if (cell->launches) launches.push_back(cell->launches->mean);
    if (launches.size() == curve.x.size())
      if (const auto fit = fitLine(curve.x, launches)) growth.launchesPerStep = fit->slope.value;
  }
}

std::string perLaunchText(const Growth& growth) {
  if (!growth.perLaunch) return "";
  // One launch a step: the same figure twice would say nothing more.
  if (growth.launchesPerStep && std::abs(*growth.launchesPerStep - 1) < 0.02)
    return saying(", which is the cost of each additional launch, including its kernel");
  return saying(": {} per launch, including its kernel{}", wording::time(growth.perLaunch->value),
                wording::inBrackets(wording::timeInterval(*growth.perLaunch)));
}

Finding describe(const Context& context, const Growth& growth) {
  const std::string& name = context.name(growth.variant);
  const CurveCells& curve = context.curves[static_cast<std::size_t>(growth.variant)];
  const std::string step = wording::step(context.axis()), held = context.held();
  Finding finding{Finding::Kind::growth, growth.variant, {}, {}, Metric::latency, curve.x.back()};
  if (growth.shape == Growth::Shape::straight) {
    Estimate size = growth.slope;
    if (size.value < 0) size = {-size.value, -size.high, -size.low, size.kind};
    const std::string verb = growth.slope.value < 0 ? saying("falls") : saying("grows");
    finding.headline = saying("{}: {}{} {}", name, growth.slope.value < 0 ? "−" : "+",
                              wording::time(size.value), step);
    const std::string from =
        growth.from ? saying(" at {} or more", wording::at(context.axis(), *growth.from)) : "";
    finding.text =
        saying("{} {} by {} {}{}{}{}{}.", name, verb, wording::time(size.value), step, from,
               context.inBrackets(wording::timeInterval(size)), held, perLaunchText(growth));
    return finding;
  }
  const double first = curve.latency.front().value, last = curve.latency.back().value;
  const bool falls = last < first;
  finding.headline = saying(
      "{}: {}", name, (falls ? "÷" : "×") + wording::number(falls ? first / last : last / first));
  finding.text = saying("{} changes from {} at {} to {} at {}{}{}.", name, wording::time(first),
                        wording::at(context.axis(), curve.x.front()), wording::time(last),
                        wording::at(context.axis(), curve.x.back()), held,
                        growth.shape == Growth::Shape::few ? "" : saying(", but not linearly"));
  if (growth.perLaunch)
    finding.text += saying(" Each additional launch costs {}, including its kernel{}.",
                           wording::time(growth.perLaunch->value),
                           wording::inBrackets(wording::timeInterval(*growth.perLaunch)));
  return finding;
}

Finding flat(const Context& context, const std::vector<Growth>& flats) {
  const std::string step = wording::step(context.axis());
  std::vector<std::string> names;
  double most = 0;
  bool carried = true;
  for (const Growth& growth : flats) {
    names.push_back(context.name(growth.variant));
    carried = carried && growth.carried;
    if (std::abs(growth.slope.value) > std::abs(most)) most = growth.slope.value;
  }
  const bool one = flats.size() == 1;
  const std::string who = wording::list(names, 6);
  Finding finding{Finding::Kind::growth, one ? flats.front().variant : -1, {}, {}, Metric::latency,
                  std::nullopt};
  finding.headline = one ? saying("{}: flat", who) : saying("{} variants: flat", names.size());
  const CurveCells& curve = context.curves[static_cast<std::size_t>(flats.front().variant)];
  if (!one)
    finding.text = saying("{} are flat{}", who, context.held());
  else if (carried)
    finding.text = saying("{} is flat{}: {} {}{}.", who, context.held(), wording::time(most), step,
                          wording::inBrackets(wording::timeInterval(flats.front().slope)));
  else
    finding.text = saying(
        "{} is flat{}: {} at {}, {} at {}.", who, context.held(),
        wording::time(curve.latency.front().value), wording::at(context.axis(), curve.x.front()),
        wording::time(curve.latency.back().value), wording::at(context.axis(), curve.x.back()));
  if (!one)
    finding.text +=
        carried ? saying(": {} {} at most.", wording::time(std::abs(most)), step) : saying(".");
  return finding;
}

}  // namespace

Findings growth(const Context& context) {
  const std::vector<LaunchModel> models = launchModels(context.run, context.slice);
  const auto baselineFit = lineThrough(context.curves[static_cast<std::size_t>(context.baseline)]);
  std::vector<Growth> growing, flats;
  for (std::size_t v = 0; v < context.curves.size(); ++v) {
    Growth growth =
        growthOf(context, static_cast<int>(v), baselineFit ? baselineFit->slope.value : 0);
    addLaunches(context, models, growth);
    if (growth.shape == Growth::Shape::flat) flats.push_back(growth);
    if (growth.shape != Growth::Shape::flat && growth.shape != Growth::Shape::unknown)
      growing.push_back(growth);
  }
  // The baseline first, then by how steep they are.
  std::stable_sort(growing.begin(), growing.end(), [&](const Growth& a, const Growth& b) {
    if ((a.variant == context.baseline) != (b.variant == context.baseline))
      return a.variant == context.baseline;
    return std::abs(a.slope.value) > std::abs(b.slope.value);
  });
  Findings findings;
  const std::size_t shown = growing.size() > kMany + 1 ? kMany : growing.size();
  for (std::size_t i = 0; i < shown; ++i) findings.push_back(describe(context, growing[i]));
  if (shown < growing.size()) {
    std::vector<std::string> names;
    for (std::size_t i = shown; i < growing.size(); ++i)
      names.push_back(context.name(growing[i].variant));
    findings.push_back({Finding::Kind::growth, -1, saying("{} more are nearly flat", names.size()),
                        saying("{} change by less than {} {}{}.", wording::list(names, 6),
                               wording::time(std::abs(growing[shown - 1].slope.value)),
                               wording::step(context.axis()), context.held()),
                        Metric::latency, std::nullopt});
  }
  if (!flats.empty()) findings.push_back(flat(context, flats));
  return findings;
}

}  // namespace fusebench::findings
