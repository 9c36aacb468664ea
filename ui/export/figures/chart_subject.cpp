// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart is of: from a run or from published curves.
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/crossing_search.h"
#include "profiler/analysis/wording.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/chart/chart_ranges.h"

namespace fusebench {
namespace {

/// Labels for the times of a simulated device.
QString modelTimeLabel(ShownTime time) {
  switch (time) {
    case ShownTime::host:
      return uiText("Host time (H) with the model's error");
    case ShownTime::device:
      return uiText("Device time (D) with the model's error");
    case ShownTime::cadence:
      return uiText("Cadence on the device (E) with the model's error");
    case ShownTime::single:
      return uiText("Synchronized latency with the model's error");
    default:
      return uiText("Time per call with the model's error");
  }
}

QString timeLabel(ShownTime time) {
  switch (time) {
    case ShownTime::wall:
      break;
    case ShownTime::queuedAndAlone:
      return uiText("Time per call, pipelined and synchronized");
    case ShownTime::all:
      return uiText("Time per call");
    case ShownTime::host:
      return uiText("Host time (H), median with 95% interval");
    case ShownTime::device:
      return uiText("Device time (D), median with 95% interval");
    case ShownTime::cadence:
      return uiText("Cadence on the device (E), median with 95% interval");
    case ShownTime::single:
      return uiText("Synchronized latency, median with 95% interval");
  }
  return uiText("Time per call, median with 95% interval");
}

QString valueLabel(Metric metric, ShownTime time, const Experiment& experiment) {
  switch (metric) {
    case Metric::latency:
      return timeLabel(time);
    case Metric::speedUp:
      return uiText("Speedup over %1").arg(QString::fromStdString(experiment.baseline));
    case Metric::launches:
      return uiText("Kernel launches per call");
    case Metric::compile:
      return uiText("Compile time");
    case Metric::payback:
      return uiText("Calls until the compile is repaid");
    case Metric::memory:
      return uiText("Peak memory of a call");
    case Metric::error:
      return uiText("Relative error compared with double precision");
    case Metric::bandwidth:
      return uiText("Bytes moved divided by the call's time");
  }
  return {};
}

/// " · batch = 16", where there is a second axis.
QString placeOnSecondAxis(const Experiment& experiment, std::size_t slice) {
  if (experiment.axes.size() < 2 || slice >= experiment.axes[1].values.size()) return {};
  const Axis& axis = experiment.axes[1];
  return QStringLiteral(" · %1 = %2")
      .arg(
          text(wording::axisWord(axis.name)),
          axisValueText(static_cast<double>(axis.values[slice]), wording::placeStyle(axis.values)));
}

/// The name of what the curves show, as in the control above the chart.
QString wordsOf(Metric metric, ShownTime time) {
  return metric == Metric::latency && time != ShownTime::wall ? timeName(time) : metricName(metric);
}

}  // namespace

ChartSubject chartSubject(const Run& run, const CellSummaries& summaries, const Analysis& analysis,
                          Metric metric, std::size_t slice, const std::vector<Overlay>& overlays,
                          ShownTime time) {
  ChartSubject subject;
  subject.content = chartContent(run, summaries, analysis, metric, slice, time);
  const QString shown = viewName(metric, subject.content.time);
  subject.id = shown;
  // PyTorch's launches are not counted, and its eager mode compiles nothing: no curve to name.
  if (metric == Metric::launches || metric == Metric::compile || metric == Metric::memory ||
      metric == Metric::error || metric == Metric::bandwidth)
    std::erase_if(subject.content.curves, [](const Curve& curve) { return curve.points.empty(); });
  for (std::size_t i = 0; i < overlays.size(); ++i) {
    for (Curve& curve : overlayCurves(overlays[i], static_cast<int>(i), run.experiment, metric,
                                      slice, subject.content.time))
      subject.content.curves.push_back(std::move(curve));
    subject.overlayNames.push_back(overlays[i].name);
  }
  giveOwnSeries(subject.content.curves);
  if (!run.experiment.axes.empty()) {
    const Axis& axis = run.experiment.axes[0];
    for (const std::int64_t value : axis.values)
      subject.values.push_back(static_cast<double>(value));
    subject.axisLabel = text(wording::axisWord(wording::unit(axis)));
    subject.axisUnit = text(said(wording::unit(axis)));
    subject.logAxis = isWideAxis(subject.values.front(), subject.values.back());
  }
  subject.valueLabel = valueLabel(metric, subject.content.time, run.experiment);
  if (metric == Metric::latency && run.modelError())
    subject.valueLabel = modelTimeLabel(subject.content.time);
  if (run.isSimulated()) subject.valueLabel += uiText(" (simulated)");
  subject.title =
      (run.isSimulated() ? uiText("Simulated: %1: %2") : uiText("%1: %2"))
          .arg(text(said(run.experiment.title)), wordsOf(metric, subject.content.time).toLower()) +
      placeOnSecondAxis(run.experiment, slice);
  subject.logValue = logarithmicAtFirst(subject.content);
  return subject;
}

ChartSubject chartSubject(const Reference& reference, const Experiment& experiment) {
  ChartSubject subject;
  subject.id = QStringLiteral("published");
  subject.content.curves = curvesOf(reference, experiment);
  if (!subject.content.curves.empty())
    for (const CurvePoint& point : subject.content.curves[0].points)
      subject.values.push_back(point.x);
  subject.content.crossings = findCrossings(reference);
  std::erase_if(subject.content.crossings,
                [](const Crossing& c) { return c.status != CrossingStatus::found; });
  passThroughBreakEvens(subject.content, subject.values);
  subject.axisLabel = text(wording::axisWord(reference.unit));
  subject.axisUnit = text(said(reference.unit));
  subject.valueLabel = uiText("Time per call, published");
  subject.title = text(said(reference.title));
  return subject;
}

void addReadings(Figure& figure, const ChartSubject& subject, const Run& run,
                 const CellSummaries& summaries, std::size_t slice) {
  for (const double value : subject.values) {
    FigureReading reading;
    reading.pixel = figure.pixelX(value);
    reading.readout =
        readoutAt(run, summaries, subject.content, subject.overlayNames, slice, value);
    for (const ReadoutRow& row : reading.readout.rows) {
      double height = std::numeric_limits<double>::quiet_NaN();
      for (const Curve& curve : subject.content.curves)
        if (curve.variant == row.variant && (curve.overlay >= 0) == row.faint &&
            curve.part == CurvePart::main)
          if (const auto at = valueAt(curve, value, subject.scales()); at && std::isfinite(*at))
            if (*at > 0 || !subject.logValue) height = figure.pixelY(*at);
      reading.heights.push_back(height);
    }
    figure.readings.push_back(std::move(reading));
  }
}

}  // namespace fusebench
