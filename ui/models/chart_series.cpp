// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart_series.h"

#include <algorithm>
#include <cmath>

#include "ui/models/comparison.h"
#include "ui/models/format.h"

namespace fusebench {
namespace {

Estimate exactly(double value) {
  return {value, value, value, Estimate::Kind::none};
}

CurvePoint pointOf(const Run& run, const Cell& cell, const CellSummary& summary, Estimate y) {
  CurvePoint point{static_cast<double>(cell.key.at[0]), y, cell.stop != Stop::running, 1,
                   summary.drifted};
  point.certainty = certaintyOf(summary.latency, cell.samples.size(), run.experiment.measure);
  return point;
}

std::vector<double> totals(const std::vector<CompileTimes>& compiles) {
  std::vector<double> all;
  for (const CompileTimes& times : compiles) all.push_back(static_cast<double>(times.total()));
  return all;
}

/// The cells of one variant along the first axis.
template <typename Visit>
void forEachCell(const Run& run, int variant, std::size_t slice, Visit&& visit) {
  if (run.experiment.axes.empty()) return;
  for (std::size_t i = 0; i < run.experiment.axes[0].values.size(); ++i)
    if (const int at = cellIndex(run, variant, i, slice); at >= 0)
      visit(run.cells[static_cast<std::size_t>(at)], static_cast<std::size_t>(at));
}

Curve emptyCurve(const Run& run, int variant, CurvePart part = CurvePart::main) {
  Curve curve;
  curve.name =
      QString::fromStdString(run.experiment.variants[static_cast<std::size_t>(variant)].name);
  curve.variant = variant;
  curve.series = seriesOf(run.experiment, variant);
  curve.part = part;
  return curve;
}

void addCompileCurves(const Run& run, const CellSummaries& summaries, int variant,
                      std::size_t slice, std::vector<Curve>& curves) {
  Curve first = emptyCurve(run, variant);
  Curve disk = emptyCurve(run, variant, CurvePart::fromDisk);
  Curve memory = emptyCurve(run, variant, CurvePart::inMemory);
  forEachCell(run, variant, slice, [&](const Cell& cell, std::size_t at) {
    const auto add = [&](Curve& curve, Estimate y) {
      curve.points.push_back(pointOf(run, cell, summaries.at(at), y));
      curve.points.back().certainty = 1;  // sampling does not refine compiles
      curve.points.back().done = true;
      curve.points.back().drifted = false;
    };
    if (!cell.firstCompiles.empty()) {
      const std::vector<double> all = totals(cell.firstCompiles);
      add(first, medianInterval(all));
      for (const double y : all) first.observations.push_back({first.points.back().x, y});
    }
    if (cell.diskCompile) add(disk, exactly(static_cast<double>(cell.diskCompile->total())));
    if (cell.memoryCompile) add(memory, exactly(static_cast<double>(cell.memoryCompile->total())));
  });
  curves.push_back(std::move(first));
  for (Curve* curve : {&disk, &memory})
    if (!curve->points.empty()) curves.push_back(std::move(*curve));
}

std::optional<Estimate> valueOf(const Cell& cell, const CellSummary& summary, Metric metric) {
  if (metric == Metric::launches) {
    if (!cell.launches) return std::nullopt;
    const auto low = static_cast<double>(cell.launches->minimum);
    const auto high = static_cast<double>(cell.launches->maximum);
    return Estimate{cell.launches->mean, low, high,
                    high > low ? Estimate::Kind::range : Estimate::Kind::none};
  }
  if (cell.samples.empty()) return std::nullopt;
  return metric == Metric::speedUp ? summary.speedUp : std::optional(summary.latency);
}

/// Fitted lines over the axis, by each cell's own launches.
std::vector<ModelLine> modelLines(const Run& run, const Analysis& analysis, std::size_t slice) {
  std::vector<ModelLine> lines;
  for (const LaunchModel& model : analysis.sliceLaunches) {
    const auto& variants = run.experiment.variants;
    const auto found = std::find_if(variants.begin(), variants.end(),
                                    [&](const Variant& v) { return v.name == model.variant; });
    if (found == variants.end()) continue;
    const int variant = static_cast<int>(found - variants.begin());
    ModelLine line{QString::fromStdString(model.variant),
                   seriesOf(run.experiment, variant),
                   model.fit.slope,
                   {},
                   {}};
    forEachCell(run, variant, slice, [&](const Cell& cell, std::size_t) {
      if (cell.launches && cell.launches->mean >= model.from)
        line.points.push_back(
            {static_cast<double>(cell.key.at[0]),
             model.fit.intercept.value + model.fit.slope.value * cell.launches->mean});
    });
    line.label = QStringLiteral("%1 a launch (%2)")
                     .arg(formatTime(model.fit.slope.value), formatInterval(model.fit.slope));
    if (line.points.size() > 1) lines.push_back(std::move(line));
  }
  return lines;
}

bool ofSlice(const Run& run, const Crossing& crossing, std::size_t slice, std::size_t held) {
  if (run.experiment.axes.size() < 2 || slice >= run.experiment.axes[1].values.size()) return true;
  return crossing.cell.size() <= held ||
         crossing.cell[held] == run.experiment.axes[1].values[slice];
}

int variantNamed(const Experiment& experiment, const std::string& name) {
  for (std::size_t v = 0; v < experiment.variants.size(); ++v)
    if (experiment.variants[v].name == name) return static_cast<int>(v);
  return -1;
}

QString wordFor(CrossingStatus status) {
  switch (status) {
    case CrossingStatus::always:
      return QStringLiteral("from the first call");
    case CrossingStatus::never:
      return QStringLiteral("never");
    default:
      return QStringLiteral("not decided");
  }
}

/// Paybacks along the axis: numbers as curves, all else in words over the stretch it holds for.
void addPaybacks(const Run& run, const Analysis& analysis, std::size_t slice,
                 ChartContent& content) {
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v) {
    if (static_cast<int>(v) == run.experiment.baselineIndex()) continue;
    Curve curve = emptyCurve(run, static_cast<int>(v));
    std::vector<const Crossing*> along;
    for (const Crossing& crossing : analysis.crossings)
      if (crossing.kind == Crossing::Kind::payback &&
          crossing.variant == run.experiment.variants[v].name && !crossing.cell.empty() &&
          ofSlice(run, crossing, slice, 1))
        along.push_back(&crossing);
    std::sort(along.begin(), along.end(),
              [](const Crossing* a, const Crossing* b) { return a->cell[0] < b->cell[0]; });
    const WordSpan* open = nullptr;
    for (const Crossing* crossing : along) {
      const auto x = static_cast<double>(crossing->cell[0]);
      const Cell* cell = run.find({static_cast<int>(v), crossing->cell});
      const bool undecided = crossing->status == CrossingStatus::undefined;
      if (!cell || (undecided && cell->firstCompiles.empty())) {
        open = nullptr;
        continue;
      }
      if (crossing->status == CrossingStatus::found) {
        curve.points.push_back(
            {x,
             {crossing->at, crossing->low, crossing->high, Estimate::Kind::interval},
             cell->stop != Stop::running,
             1,
             false});
        open = nullptr;
      } else if (open && open->status == crossing->status) {
        content.words.back().to = x;
      } else {
        content.words.push_back(
            {static_cast<int>(v), curve.series, x, x, crossing->status, wordFor(crossing->status)});
        open = &content.words.back();
      }
    }
    content.curves.push_back(std::move(curve));
  }
}

/// Where most points drifted, a mark at each would hide the curves: the legend's badge says it.
void quietDrift(std::vector<Curve>& curves) {
  std::size_t all = 0, drifted = 0;
  for (const Curve& curve : curves)
    for (const CurvePoint& point : curve.points) {
      ++all;
      drifted += point.drifted;
    }
  if (2 * drifted <= all) return;
  for (Curve& curve : curves)
    for (CurvePoint& point : curve.points) point.drifted = false;
}

}  // namespace

QString metricName(Metric metric) {
  switch (metric) {
    case Metric::latency:
      return QStringLiteral("Latency");
    case Metric::speedUp:
      return QStringLiteral("Speed-up");
    case Metric::launches:
      return QStringLiteral("Launches");
    case Metric::compile:
      return QStringLiteral("Compile");
    case Metric::payback:
      return QStringLiteral("Payback");
  }
  return {};
}

QString metricCaption(Metric metric) {
  switch (metric) {
    case Metric::latency:
      return QStringLiteral("Latency per call: median with its 95% interval");
    case Metric::speedUp:
      return QStringLiteral("Speed-up over %1: median of paired rounds with its 95% interval");
    case Metric::launches:
      return QStringLiteral("Kernel launches per call, counted: mean, with least and most");
    case Metric::compile:
      return QStringLiteral(
          "Compile time: solid with no cache, dashed from disk, dotted in memory");
    case Metric::payback:
      return QStringLiteral("Calls after which the compile is repaid, with 95% interval");
  }
  return {};
}

Quantity quantityOf(Metric metric) {
  if (metric == Metric::speedUp) return Quantity::ratio;
  return metric == Metric::launches || metric == Metric::payback ? Quantity::count : Quantity::time;
}

bool logarithmicAtFirst(Metric metric) {
  return metric == Metric::latency || metric == Metric::compile || metric == Metric::payback;
}

QString formatQuantity(double value, Quantity quantity) {
  switch (quantity) {
    case Quantity::time:
      return formatTime(value);
    case Quantity::ratio:
      return formatRatio(value);
    case Quantity::count:
      return formatMean(value);
  }
  return {};
}

QString formatQuantityInterval(const Estimate& estimate, Quantity quantity) {
  if (quantity == Quantity::time) return formatInterval(estimate);
  if (estimate.kind == Estimate::Kind::none) return QStringLiteral("–");
  const QString text =
      quantity == Quantity::ratio
          ? formatRatioInterval(estimate)
          : QStringLiteral("%1 – %2").arg(formatMean(estimate.low), formatMean(estimate.high));
  return estimate.kind == Estimate::Kind::range && quantity == Quantity::ratio
             ? QStringLiteral("(%1)").arg(text)
             : text;
}

std::vector<Curve> metricCurves(const Run& run, const CellSummaries& summaries, Metric metric,
                                std::size_t slice) {
  std::vector<Curve> curves;
  if (metric == Metric::payback) return curves;
  const int baseline = run.experiment.baselineIndex();
  for (int v = 0; v < static_cast<int>(run.experiment.variants.size()); ++v) {
    if (metric == Metric::compile) {
      addCompileCurves(run, summaries, v, slice, curves);
      continue;
    }
    if (metric == Metric::speedUp && v == baseline) continue;
    Curve curve = emptyCurve(run, v);
    forEachCell(run, v, slice, [&](const Cell& cell, std::size_t at) {
      if (const auto y = valueOf(cell, summaries.at(at), metric))
        curve.points.push_back(pointOf(run, cell, summaries.at(at), *y));
    });
    if (metric == Metric::launches)
      for (CurvePoint& point : curve.points) {
        point.certainty = 1;  // counted, not sampled
        point.done = true;
        point.drifted = false;
      }
    curves.push_back(std::move(curve));
  }
  return curves;
}

ChartContent chartContent(const Run& run, const CellSummaries& summaries, const Analysis& analysis,
                          Metric metric, std::size_t slice) {
  ChartContent content;
  content.metric = metric;
  content.curves = metricCurves(run, summaries, metric, slice);
  quietDrift(content.curves);
  if (metric == Metric::latency) content.models = modelLines(run, analysis, slice);
  if (metric == Metric::speedUp) content.rule = 1;
  if (metric == Metric::payback) addPaybacks(run, analysis, slice, content);
  if (metric == Metric::latency || metric == Metric::speedUp)
    for (const Crossing& crossing : analysis.crossings)
      if (crossing.kind == Crossing::Kind::breakEven && crossing.status == CrossingStatus::found &&
          !run.experiment.axes.empty() && crossing.along == run.experiment.axes[0].name &&
          ofSlice(run, crossing, slice, 0))
        content.crossings.push_back(crossing);
  return content;
}

QString overlayProblem(const Experiment& other, const Experiment& shown, std::size_t slice) {
  const auto name = [](const Experiment& e, std::size_t axis) {
    return QString::fromStdString(e.axes[axis].name);
  };
  if (other.axes.empty() || shown.axes.empty()) return QStringLiteral("sweeps nothing");
  if (other.axes[0].name != shown.axes[0].name)
    return QStringLiteral("sweeps %1, not %2").arg(name(other, 0), name(shown, 0));
  if (shown.axes.size() < 2 && other.axes.size() < 2) return {};
  // The same value of the same second axis, or there is nothing to lay over.
  if (shown.axes.size() < 2) return QStringLiteral("sweeps %1, too").arg(name(other, 1));
  if (other.axes.size() < 2 || other.axes[1].name != shown.axes[1].name)
    return QStringLiteral("does not sweep %1").arg(name(shown, 1));
  if (slice >= shown.axes[1].values.size()) return QStringLiteral("has no such place");
  const std::int64_t at = shown.axes[1].values[slice];
  const auto& values = other.axes[1].values;
  return std::find(values.begin(), values.end(), at) != values.end()
             ? QString()
             : QStringLiteral("has nothing at %1 %2")
                   .arg(axisValueText(static_cast<double>(at)), name(shown, 1));
}

std::vector<Curve> overlayCurves(const Overlay& overlay, int index, const Experiment& shown,
                                 Metric metric, std::size_t slice) {
  if (!overlay.run || metric == Metric::payback) return {};
  const Experiment& other = overlay.run->experiment;
  if (!overlayProblem(other, shown, slice).isEmpty()) return {};
  std::size_t place = 0;
  if (shown.axes.size() > 1) {
    const auto& values = other.axes[1].values;
    place = static_cast<std::size_t>(
        std::find(values.begin(), values.end(), shown.axes[1].values[slice]) - values.begin());
  }
  CellSummaries summaries;
  summaries.update(*overlay.run);
  std::vector<Curve> curves = metricCurves(*overlay.run, summaries, metric, place);
  int unknown = static_cast<int>(shown.variants.size());
  for (Curve& curve : curves) {
    const int variant = variantNamed(shown, curve.name.toStdString());
    curve.variant = variant >= 0 ? variant : unknown++;
    curve.series = seriesOf(shown, curve.variant);
    curve.overlay = index;
    curve.observations.clear();
  }
  return curves;
}

}  // namespace fusebench
