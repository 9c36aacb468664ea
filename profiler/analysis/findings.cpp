// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/base/saying.h"
#include "engine/device/model_effects.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/wording.h"

namespace fusebench {
namespace findings {

int Context::indexOf(const std::string& variant) const {
  const auto& variants = run.experiment.variants;
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& v) { return v.name == variant; });
  return found == variants.end() ? -1 : static_cast<int>(found - variants.begin());
}

std::string Context::held() const {
  if (run.experiment.axes.size() < 2 || slice >= run.experiment.axes[1].values.size()) return "";
  const Axis& second = run.experiment.axes[1];
  return saying(" at {} = {}", second.name,
                wording::place(second, static_cast<double>(second.values[slice])));
}

bool Context::isOfSlice(const Cell& cell) const {
  const std::vector<Axis>& axes = run.experiment.axes;
  return axes.size() < 2 || slice >= axes[1].values.size() ||
         cell.key.at[1] == axes[1].values[slice];
}

std::string Context::inBrackets(const std::string& interval) const {
  const std::string sessions = wording::sessions(run);
  if (interval.empty() || sessions.empty()) return wording::inBrackets(interval);
  return saying(" ({} {})", interval, sessions);
}

namespace {

/// "rates of products by dtype (int8)": what matters to variants and the model leaves out.
std::vector<std::string> notModeled(const Run& run) {
  std::map<std::string, std::vector<std::string>> variants;
  for (const Cell& cell : run.cells)
    for (const std::string& key : cell.notModeled) {
      std::vector<std::string>& of = variants[key];
      const std::string& name =
          run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
      if (std::ranges::find(of, name) == of.end()) of.push_back(name);
    }
  std::vector<std::string> all;
  for (const auto& [key, names] : variants)
    all.push_back(saying("{} ({})", said(sim::effectTitle(key)), wording::list(names, 6)));
  return all;
}

/// Whether the variant could not be measured at any place: that is reported, and nothing else.
bool unavailable(const Run& run, int variant) {
  return std::all_of(run.cells.begin(), run.cells.end(), [variant](const Cell& cell) {
    return cell.key.variant != variant || cell.stop == Stop::unavailable;
  });
}

}  // namespace

std::vector<Finding> simulation(const Context& context) {
  const std::string text = wording::simulated(context.run);
  if (text.empty()) return {};
  Finding finding;
  finding.kind = Finding::Kind::simulated;
  finding.headline = saying("simulated");
  finding.text = text + saying(".");
  for (const std::string& left : notModeled(context.run))
    finding.text += saying(" Not modeled: {}; no conclusion is drawn from these times.", left);
  return {finding};
}

std::vector<const Crossing*> Context::of(Crossing::Kind kind) const {
  std::vector<const Crossing*> found;
  for (const Crossing& crossing : crossings) {
    if (crossing.kind != kind || indexOf(crossing.variant) < 0) continue;
    const int against = indexOf(crossing.baseline) < 0 ? baseline : indexOf(crossing.baseline);
    if (unavailable(run, indexOf(crossing.variant)) || unavailable(run, against)) continue;
    if (kind == Crossing::Kind::breakEven && !crossing.along.empty() &&
        crossing.along != axis().name)
      continue;
    // Break-evens name the held value alone, paybacks the whole place.
    const std::size_t held = kind == Crossing::Kind::breakEven ? 0 : 1;
    if (run.experiment.axes.size() > 1 && slice < run.experiment.axes[1].values.size() &&
        crossing.cell.size() > held && crossing.cell[held] != run.experiment.axes[1].values[slice])
      continue;
    found.push_back(&crossing);
  }
  return found;
}

}  // namespace findings

std::vector<Finding> findingsOf(const Run& run, std::span<const Crossing> crossings,
                                std::size_t slice) {
  if (run.experiment.axes.empty() || run.experiment.variants.empty()) return {};
  findings::Context context{run, crossings, slice, false, run.experiment.baselineIndex(), {}};
  context.measuring = std::any_of(run.cells.begin(), run.cells.end(),
                                  [](const Cell& cell) { return cell.stop == Stop::running; });
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v)
    context.curves.push_back(curveCells(run, static_cast<int>(v), slice));

  std::vector<Finding> all;
  for (const auto part :
       {findings::simulation, findings::failures, findings::claims,      findings::breakEvens,
        findings::speedUps,   findings::scaling,  findings::collectives, findings::loaders,
        findings::growth,     findings::breaks,   findings::anatomies,   findings::modules,
        findings::paybacks,   findings::accuracy, findings::comparisons, findings::quantizing,
        findings::fallbacks,  findings::noise,    findings::oneMemory,   findings::comparability})
    for (Finding& finding : part(context)) {
      finding.headline = wording::closedUp(finding.headline);
      finding.text = wording::closedUp(finding.text);
      all.push_back(std::move(finding));
    }
  return all;
}

}  // namespace fusebench
