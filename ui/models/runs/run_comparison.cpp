// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_comparison.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "profiler/analysis/wording.h"
#include "profiler/statistics/sessions.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Estimate kNoRatio{kNaN, kNaN, kNaN, Estimate::Kind::none};

/// Variant's name and place, the axes in A's order.
using MatchKey = std::pair<std::string, std::vector<std::int64_t>>;

/// For each of A's axes its position in B; nothing if the runs sweep different
/// axes.
std::optional<std::vector<std::size_t>> axesOf(const Experiment& a, const Experiment& b) {
  std::vector<std::size_t> positions;
  if (a.axes.size() != b.axes.size()) return std::nullopt;
  for (const Axis& axis : a.axes) {
    const auto same = std::find_if(b.axes.begin(), b.axes.end(),
                                   [&](const Axis& other) { return other.name == axis.name; });
    if (same == b.axes.end()) return std::nullopt;
    positions.push_back(static_cast<std::size_t>(same - b.axes.begin()));
  }
  return positions;
}

QString axisNames(const Experiment& experiment) {
  QStringList names;
  for (const Axis& axis : experiment.axes) names << text(wording::axisWord(axis.name));
  return names.join(uiText(" and "));
}

const std::string& variantName(const Run& run, const Cell& cell) {
  return run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
}

/// Adds the cells of A and B to one list, in A's order, B's own ones after
/// them.
class Matcher {
 public:
  Matcher(const Run& a, const Run& b, const std::vector<std::size_t>& positions)
      : a_(a), b_(b), positions_(positions) {
    for (const Variant& variant : a.experiment.variants) colorOf(variant.name);
    for (const Variant& variant : b.experiment.variants) colorOf(variant.name);
  }

  std::vector<ComparedCell> matched() {
    std::map<MatchKey, const Cell*> ofB;
    for (const Cell& cell : b_.cells) ofB[keyInB(cell)] = &cell;
    for (const Cell& cell : a_.cells) {
      const MatchKey key{variantName(a_, cell), cell.key.at};
      const auto found = ofB.find(key);
      add(key, &cell, found == ofB.end() ? nullptr : found->second);
      if (found != ofB.end()) ofB.erase(found);
    }
    for (const Cell& cell : b_.cells)
      if (const MatchKey key = keyInB(cell); ofB.contains(key)) add(key, nullptr, &cell);
    return std::move(cells_);
  }

 private:
  MatchKey keyInB(const Cell& cell) const {
    MatchKey key{variantName(b_, cell), {}};
    for (const std::size_t position : positions_) key.second.push_back(cell.key.at[position]);
    return key;
  }

  int colorOf(const std::string& variant) {
    return colors_.emplace(variant, static_cast<int>(colors_.size())).first->second;
  }

  void add(const MatchKey& key, const Cell* a, const Cell* b) {
    ComparedCell compared;
    compared.variant = QString::fromStdString(key.first);
    compared.variantIndex = colorOf(key.first);
    compared.at = key.second;
    compared.a = a && !a->samples.empty() ? a->latency() : kNoRatio;
    compared.b = b && !b->samples.empty() ? b->latency() : kNoRatio;
    compared.samplesA = a ? a->samples.size() : 0;
    compared.samplesB = b ? b->samples.size() : 0;
    if (compared.samplesA + compared.samplesB == 0) return;
    compared.ratio = compared.both() ? ratioOf(compared.a, compared.b) : kNoRatio;
    cells_.push_back(std::move(compared));
  }

  const Run& a_;
  const Run& b_;
  const std::vector<std::size_t>& positions_;
  std::map<std::string, int> colors_;
  std::vector<ComparedCell> cells_;
};

}  // namespace

RunVerdict ComparedCell::verdict() const {
  if (ratio.kind != Estimate::Kind::interval) return RunVerdict::unknown;
  if (ratio.high < 1) return RunVerdict::faster;
  return ratio.low > 1 ? RunVerdict::slower : RunVerdict::withinNoise;
}

std::size_t RunComparison::count(RunVerdict verdict) const {
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(),
      [verdict](const ComparedCell& cell) { return cell.both() && cell.verdict() == verdict; }));
}

std::size_t RunComparison::onlyInA() const {
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(), [](const ComparedCell& cell) { return cell.samplesB == 0; }));
}

std::size_t RunComparison::onlyInB() const {
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(), [](const ComparedCell& cell) { return cell.samplesA == 0; }));
}

std::vector<QString> numberedNames(const std::vector<QString>& names) {
  std::map<QString, int> given;
  std::vector<QString> numbered;
  for (const QString& name : names)
    numbered.push_back(std::ranges::count(names, name) == 1
                           ? name
                           : QStringLiteral("%1 %2").arg(name).arg(++given[name]));
  return numbered;
}

RunComparison compareRuns(const Run& a, const Run& b) {
  RunComparison comparison;
  comparison.differences = differencesOf(a, b);
  const auto positions = axesOf(a.experiment, b.experiment);
  if (!positions) {
    comparison.mismatch = uiText(
                              "The runs sweep different axes: A %1, B %2. Compare "
                              "runs over the same axes.")
                              .arg(axisNames(a.experiment), axisNames(b.experiment));
    return comparison;
  }
  for (const Axis& axis : a.experiment.axes)
    comparison.axes.push_back(text(wording::axisWord(axis.name)));
  comparison.cells = Matcher(a, b, *positions).matched();
  for (std::size_t axis = 0; axis < comparison.axes.size(); ++axis) {
    std::vector<std::int64_t> values;
    for (const ComparedCell& cell : comparison.cells) values.push_back(cell.at[axis]);
    comparison.styles.push_back(wording::placeStyle(values));
  }
  if (std::none_of(comparison.cells.begin(), comparison.cells.end(),
                   [](const ComparedCell& cell) { return cell.both(); }))
    comparison.mismatch = uiText(
        "No data point was measured in both runs: no variant has the same name and the same point "
        "on the axes.");
  return comparison;
}

QString name(RunVerdict verdict) {
  switch (verdict) {
    case RunVerdict::faster:
      return uiText("faster");
    case RunVerdict::slower:
      return uiText("slower");
    case RunVerdict::withinNoise:
      return uiText("within noise");
    case RunVerdict::unknown:
      break;
  }
  return uiText("too few samples");
}

QString summaryOf(const RunComparison& comparison) {
  if (!comparison.mismatch.isEmpty()) return comparison.mismatch;
  const std::size_t shared = comparison.cells.size() - comparison.onlyInA() - comparison.onlyInB();
  QStringList parts;
  parts << uiText("B is faster at %1 of %2 data points")
               .arg(comparison.count(RunVerdict::faster))
               .arg(shared);
  parts << uiText("slower at %1").arg(comparison.count(RunVerdict::slower));
  parts << uiText("within noise at %1").arg(comparison.count(RunVerdict::withinNoise));
  if (const auto few = comparison.count(RunVerdict::unknown); few > 0)
    parts << uiText("%1 with too few samples").arg(few);
  if (const auto only = comparison.onlyInA(); only > 0) parts << uiText("%1 only in A").arg(only);
  if (const auto only = comparison.onlyInB(); only > 0) parts << uiText("%1 only in B").arg(only);
  return parts.join(QStringLiteral(", ")) + uiText(".");
}

}  // namespace fusebench

#include "moc_run_comparison.cpp"
