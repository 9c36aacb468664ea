// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/chart_series.h"

#include <algorithm>
#include <cmath>

#include "profiler/analysis/bandwidth.h"
#include "profiler/measure/calibration.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/results/comparison.h"

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
  curve.simulated = run.isSimulated();
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
    // A cell that compiled nothing has no point on a logarithmic axis.
    if (const std::vector<double> all = totals(cell.firstCompiles);
        !all.empty() && *std::max_element(all.begin(), all.end()) > 0) {
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

/// A time of the cell; nothing where it has none.
std::optional<Estimate> timeOf(const Cell& cell, const CellSummary& summary, ShownTime time) {
  if (cell.samples.empty()) return std::nullopt;
  if (time == ShownTime::wall) return summary.latency;
  if (!summary.device) return std::nullopt;
  if (time == ShownTime::host) return summary.device->enqueue;
  if (time == ShownTime::cadence) return summary.device->event;
  if (time == ShownTime::single) return summary.device->single;
  return summary.device->device.kind == Estimate::Kind::none
             ? std::nullopt
             : std::optional(summary.device->device);
}

/// The curves of one variant: the chosen time's, or with all of them the wall's as the main one.
void addTimeCurves(const Run& run, const CellSummaries& summaries, int variant, std::size_t slice,
                   ShownTime shown, std::vector<Curve>& curves) {
  const auto add = [&](ShownTime time, CurvePart part) {
    Curve curve = emptyCurve(run, variant, part);
    forEachCell(run, variant, slice, [&](const Cell& cell, std::size_t at) {
      if (const auto y = timeOf(cell, summaries.at(at), time)) {
        curve.points.push_back(pointOf(run, cell, summaries.at(at), *y));
        if (part != CurvePart::main) curve.points.back().drifted = false;
      }
    });
    if (part == CurvePart::main || !curve.points.empty()) curves.push_back(std::move(curve));
  };
  add(isSeveral(shown) ? ShownTime::wall : shown, CurvePart::main);
  if (!isSeveral(shown)) return;
  if (shown == ShownTime::all) {
    add(ShownTime::host, CurvePart::host);
    add(hasHeldTimes(run) ? ShownTime::device : ShownTime::cadence, CurvePart::device);
  }
  add(ShownTime::single, CurvePart::single);
}

std::optional<Estimate> valueOf(const Run& run, const Cell& cell, const CellSummary& summary,
                                Metric metric) {
  if (metric == Metric::launches) {
    if (!cell.launches) return std::nullopt;
    const auto low = static_cast<double>(cell.launches->minimum);
    const auto high = static_cast<double>(cell.launches->maximum);
    return Estimate{cell.launches->mean, low, high,
                    high > low ? Estimate::Kind::range : Estimate::Kind::none};
  }
  if (metric == Metric::memory)
    return cell.peakBytes ? std::optional(exactly(static_cast<double>(*cell.peakBytes)))
                          : std::nullopt;
  if (metric == Metric::error) {
    // A logarithmic chart cannot show an error that is 0 or not a number.
    const double error = cell.accuracy ? cell.accuracy->relative : 0;
    return error > 0 && std::isfinite(error) ? std::optional(exactly(error)) : std::nullopt;
  }
  if (cell.samples.empty()) return std::nullopt;
  if (metric == Metric::bandwidth) {
    const auto bytes = movedBytesOf(run, cell);
    return bytes && summary.latency.low > 0 ? std::optional(bandwidthOf(*bytes, summary.latency))
                                            : std::nullopt;
  }
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
    line.label = uiText("%1 per launch with its kernel (%2)")
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

QString wordFor(CrossingStatus status) {
  switch (status) {
    case CrossingStatus::always:
      return uiText("from the first call");
    case CrossingStatus::never:
      return uiText("never");
    default:
      return uiText("not decided");
  }
}

/// Paybacks along the axis: numbers as curves, all else in words over the stretch it holds for.
void addPaybacks(const Run& run, const Analysis& analysis, std::size_t slice,
                 ChartContent& content) {
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v) {
    if (!run.experiment.baselineOf(static_cast<int>(v))) continue;
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
    bool joined = true;  // whether only numbers are between it and the point before
    for (const Crossing* crossing : along) {
      const auto x = static_cast<double>(crossing->cell[0]);
      const Cell* cell = run.find({static_cast<int>(v), crossing->cell});
      const bool undecided = crossing->status == CrossingStatus::undefined;
      const bool isNumber =
          crossing->status == CrossingStatus::found && !std::isinf(crossing->high);
      joined = joined && isNumber;
      if (!cell || (undecided && cell->firstCompiles.empty())) {
        open = nullptr;
        continue;
      }
      if (crossing->status == CrossingStatus::found && std::isinf(crossing->high)) {
        content.words.push_back({static_cast<int>(v), curve.series, x, x, CrossingStatus::undefined,
                                 uiText("perhaps never")});
        open = nullptr;
      } else if (crossing->status == CrossingStatus::found) {
        curve.points.push_back(
            {x,
             {crossing->at, crossing->low, crossing->high,
              crossing->hasInterval ? Estimate::Kind::interval : Estimate::Kind::none},
             cell->stop != Stop::running,
             1,
             false,
             joined || curve.points.empty()});
        joined = true;
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

/// Titles of calibrationFields() that charts draw, listed here for translation.
[[maybe_unused]] constexpr const char* kCostTitles[] = {
    uiMark("empty launch"), uiMark("empty launch with a wait"), uiMark("graph node"),
    uiMark("event pair"), uiMark("copy of 4 KiB")};

std::vector<CostLevel> costLevels(const Run& run) {
  std::vector<CostLevel> levels;
  if (const auto calibration = calibrationOf(run.environment))
    for (const CalibrationField& field : calibrationFields())
      if (const Estimate& cost = (*calibration).*field.member;
          field.line && cost.kind != Estimate::Kind::none && cost.value > 0)
        levels.push_back({uiText(field.title), cost.value});
  return levels;
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

bool hasBandwidth(const Run& run) {
  return std::ranges::any_of(run.cells,
                             [&](const Cell& cell) { return movedBytesOf(run, cell).has_value(); });
}

bool hasDeviceTimes(const Run& run) {
  return std::any_of(run.cells.begin(), run.cells.end(),
                     [](const Cell& cell) { return cell.hasDeviceTimes(); });
}

bool isAvailable(const Run& run, ShownTime time) {
  if (time == ShownTime::wall) return true;
  return time == ShownTime::device ? hasHeldTimes(run) : hasDeviceTimes(run);
}

std::vector<Curve> metricCurves(const Run& run, const CellSummaries& summaries, Metric metric,
                                std::size_t slice, ShownTime time) {
  std::vector<Curve> curves;
  if (metric == Metric::payback) return curves;
  for (int v = 0; v < static_cast<int>(run.experiment.variants.size()); ++v) {
    if (metric == Metric::compile) {
      addCompileCurves(run, summaries, v, slice, curves);
      continue;
    }
    if (metric == Metric::latency) {
      addTimeCurves(run, summaries, v, slice, time, curves);
      continue;
    }
    if (metric == Metric::speedUp && !run.experiment.baselineOf(v)) continue;
    Curve curve = emptyCurve(run, v);
    forEachCell(run, v, slice, [&](const Cell& cell, std::size_t at) {
      if (const auto y = valueOf(run, cell, summaries.at(at), metric))
        curve.points.push_back(pointOf(run, cell, summaries.at(at), *y));
    });
    if (metric == Metric::launches || metric == Metric::memory || metric == Metric::error)
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
                          Metric metric, std::size_t slice, ShownTime time) {
  ChartContent content;
  content.metric = metric;
  if (metric == Metric::latency && isAvailable(run, time)) content.time = time;
  content.curves = metricCurves(run, summaries, metric, slice, content.time);
  quietDrift(content.curves);
  const bool ofWall = content.time == ShownTime::wall;
  if (metric == Metric::latency && ofWall) content.models = modelLines(run, analysis, slice);
  if (metric == Metric::latency && (ofWall || isSeveral(time))) content.costs = costLevels(run);
  if (metric == Metric::speedUp) content.rule = 1;
  if (metric == Metric::payback) addPaybacks(run, analysis, slice, content);
  const bool ofTimes = (metric == Metric::latency && ofWall) || metric == Metric::speedUp;
  if (ofTimes || metric == Metric::bandwidth)
    for (const Crossing& crossing : ofTimes ? analysis.crossings : analysis.bandwidthCrossings)
      if (crossing.kind == Crossing::Kind::breakEven && crossing.status == CrossingStatus::found &&
          !run.experiment.axes.empty() && crossing.along == run.experiment.axes[0].name &&
          ofSlice(run, crossing, slice, 0))
        content.crossings.push_back(crossing);
  if (!content.crossings.empty()) {
    std::vector<double> places;
    for (const std::int64_t value : run.experiment.axes[0].values)
      places.push_back(static_cast<double>(value));
    passThroughBreakEvens(content, places);
  }
  return content;
}

}  // namespace fusebench
