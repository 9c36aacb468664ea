// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about the modules of a model.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/module_times.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

/// Among so many kinds of modules one that stands out says something.
constexpr std::size_t kMostKinds = 12;
/// Less of what fusing saves is not worth a word.
constexpr double kNotableGain = 0.1;
/// A level of modules that has less of it leaves out what matters.
constexpr double kMostOfGain = 0.7;

struct KindTime {
  int modules = 0;
  double before = 0, after = 0;  ///< nanoseconds per call
};

const Cell* recordedCell(const Context& context, int variant) {
  for (const Cell& cell : context.run.cells)
    if (cell.key.variant == variant && context.isOfSlice(cell) && cell.anatomy &&
        !cell.anatomy->device && cell.key.at[0] == context.axis().values.back())
      return &cell;
  return nullptr;
}

/// The kinds of modules with `depth` modules around them, and of those further out that have none
/// within them.
std::map<std::string, KindTime> kindsAt(int depth, const std::vector<ModuleTime>& before,
                                        const std::vector<ModuleTime>& after) {
  std::map<std::string, KindTime> kinds;
  const auto put = [&](const std::vector<ModuleTime>& times, double KindTime::*into, int count) {
    for (std::size_t i = 1; i < times.size(); ++i) {
      const bool leaf = i + 1 == times.size() || times[i + 1].depth <= times[i].depth;
      if (times[i].depth != depth && (times[i].depth > depth || !leaf)) continue;
      KindTime& kind = kinds[moduleKind(times[i].path)];
      kind.*into += times[i].nanoseconds;
      kind.modules += count;
    }
  };
  put(before, &KindTime::before, 1);
  put(after, &KindTime::after, 0);
  return kinds;
}

double gainOf(const KindTime& kind) {
  return kind.before - kind.after;
}

/// The innermost level of modules that has few enough kinds and most of what is saved; the
/// outermost, if none has.
std::map<std::string, KindTime> kindsOf(const std::vector<ModuleTime>& before,
                                        const std::vector<ModuleTime>& after) {
  const double all = before.front().nanoseconds - after.front().nanoseconds;
  int deepest = 1;
  for (const ModuleTime& each : before) deepest = std::max(deepest, each.depth);
  for (int depth = deepest; depth > 1; --depth) {
    auto kinds = kindsAt(depth, before, after);
    double saved = 0;
    for (const auto& [name, kind] : kinds) saved += gainOf(kind);
    if (kinds.size() <= kMostKinds && saved >= kMostOfGain * all) return kinds;
  }
  return kindsAt(1, before, after);
}

/// The variant that takes the least time around its kernels; -1: none is known.
int fastestRecorded(const Context& context, double than) {
  int best = -1;
  for (int v = 0; v < static_cast<int>(context.run.experiment.variants.size()); ++v) {
    const Cell* const cell = v == context.baseline ? nullptr : recordedCell(context, v);
    if (!cell) continue;
    const std::vector<ModuleTime> times = moduleTimes(context.run, *cell);
    if (times.empty() || times.front().nanoseconds >= than) continue;
    than = times.front().nanoseconds;
    best = v;
  }
  return best;
}

}  // namespace

Findings modules(const Context& context) {
  if (context.measuring) return {};
  const Cell* const cell = recordedCell(context, context.baseline);
  if (!cell) return {};
  const std::vector<ModuleTime> before = moduleTimes(context.run, *cell);
  if (before.empty()) return {};
  const int variant = fastestRecorded(context, before.front().nanoseconds);
  if (variant < 0) return {};
  const std::vector<ModuleTime> after = moduleTimes(context.run, *recordedCell(context, variant));
  const auto kinds = kindsOf(before, after);
  const auto gain = [](const auto& kind) { return gainOf(kind.second); };
  const auto best = std::ranges::max_element(kinds, {}, gain);
  const double all = before.front().nanoseconds - after.front().nanoseconds;
  if (best == kinds.end() || gain(*best) < kNotableGain * all) return {};
  const KindTime& time = best->second;
  const std::string place =
      wording::at(context.axis(), static_cast<double>(context.axis().values.back())) +
      context.held();
  std::string text =
      time.modules > 1
          ? saying("The {} modules {} take {} per call of {} at {}, and {} with {}.", time.modules,
                   best->first, wording::time(time.before), context.name(context.baseline), place,
                   wording::time(time.after), context.name(variant))
          : saying("{} takes {} per call of {} at {}, and {} with {}.", best->first,
                   wording::time(time.before), context.name(context.baseline), place,
                   wording::time(time.after), context.name(variant));
  text +=
      saying(" That is {} of what {} saves, by recorded calls.",
             fmt::format("{:.0f}%", 100 * std::min(1.0, gain(*best) / all)), context.name(variant));
  return {{Finding::Kind::anatomy, variant, saying("{} gains most from fusing", best->first),
           std::move(text), Metric::latency, static_cast<double>(context.axis().values.back())}};
}

}  // namespace fusebench::findings
