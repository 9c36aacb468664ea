// SPDX-License-Identifier: GPL-3.0-or-later
// The names of the chart's metrics, and the texts of their values.
#include "engine/base/saying.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/chart/chart_series.h"

namespace fusebench {
namespace {

/// The meaning of a metric's letter.
QString metricText(const std::string& metric) {
  if (metric == "E") return uiText("event time");
  if (metric == "W") return uiText("wall time");
  if (metric == "H") return uiText("time to enqueue");
  if (metric == "D") return uiText("kernel time");
  return QString::fromStdString(metric);
}

}  // namespace

QString metricName(Metric metric) {
  switch (metric) {
    case Metric::latency:
      return uiText("Latency");
    case Metric::speedUp:
      return uiText("Speedup");
    case Metric::launches:
      return uiText("Launches");
    case Metric::compile:
      return uiText("Compile");
    case Metric::payback:
      return uiText("Payback");
    case Metric::memory:
      return uiText("Memory");
    case Metric::error:
      return uiText("Error");
    case Metric::bandwidth:
      return uiText("Bandwidth");
  }
  return {};
}

Metric firstShown(const Experiment& experiment) {
  switch (experiment.shown) {
    case Experiment::Shown::latency:
      return Metric::latency;
    case Experiment::Shown::peakBytes:
      return Metric::memory;
    case Experiment::Shown::bandwidth:
      return Metric::bandwidth;
  }
  return Metric::latency;
}

QString metricCaption(Metric metric) {
  switch (metric) {
    case Metric::latency:
      return uiText("Latency per call: median with its 95% interval");
    case Metric::speedUp:
      return uiText("Speedup over %1: median of paired rounds with its 95% interval");
    case Metric::launches:
      return uiText("Kernel launches per call, counted: mean, with least and most");
    case Metric::compile:
      return uiText("Compile time: solid with no cache, dashed from disk, dotted in memory");
    case Metric::payback:
      return uiText("Calls after which the compile is repaid, with 95% interval");
    case Metric::memory:
      return uiText("Peak memory of a call with its inputs, counted");
    case Metric::error:
      return uiText(
          "Error against double precision on the same values: root mean square, relative");
    case Metric::bandwidth:
      return uiText(
          "Bytes read, written or copied from host memory per second (more is better): median with "
          "its 95% interval");
  }
  return {};
}

EmptyState withoutMetric(Metric metric, const Experiment& experiment) {
  const QString baseline = QString::fromStdString(experiment.baseline);
  switch (metric) {
    case Metric::speedUp:
      return {uiText("There is nothing to compare yet."),
              uiText("A speedup is the baseline's time divided by another variant's at the same "
                     "point. It needs samples of %1 and of one more variant.")
                  .arg(baseline),
              NextStep::setUp};
    case Metric::launches:
      return {uiText("No launches were counted."),
              uiText("Fusebench counts the launches of its own variants, not those of PyTorch. Add "
                     "eager or static in Setup, Variants, to see them."),
              NextStep::setUp};
    case Metric::compile:
      return {uiText("Nothing was compiled."),
              uiText("These variants run without a compile. Add one that compiles, such as static "
                     "or dynamic, in Setup, Variants."),
              NextStep::setUp};
    case Metric::payback:
      return {uiText("There is no compile to pay back."),
              uiText("Payback is the number of calls after which a faster variant has recovered "
                     "its compile time. Add one that compiles, such as static, in Setup, Variants, "
                     "and measure it together with %1.")
                  .arg(baseline),
              NextStep::setUp};
    case Metric::memory:
      return {uiText("Memory was not counted in this run."),
              uiText("Fusebench counts the memory of its own variants. Add eager or static in "
                     "Setup, Variants, or run it again."),
              NextStep::setUp};
    case Metric::error:
      return {uiText("No results were compared."),
              uiText("Errors are determined by computing the program again in double precision. "
                     "This run has no error data."),
              NextStep::run};
    case Metric::bandwidth:
      return {
          uiText("No bytes were counted in this run."),
          uiText(
              "Bandwidth is the bytes that a call reads and writes according to its plan, or "
              "copies from host memory to the device, divided by its time. Fusebench counts those "
              "of its own variants. Add eager or static in Setup, Variants, or run it again."),
          NextStep::setUp};
    case Metric::latency:
      break;
  }
  return {uiText("Nothing was measured at this point."),
          uiText("The run has samples elsewhere. Choose another value of the second axis above the "
                 "chart, or measure more in Setup."),
          NextStep::setUp};
}

Quantity quantityOf(Metric metric) {
  if (metric == Metric::speedUp) return Quantity::ratio;
  if (metric == Metric::memory) return Quantity::bytes;
  if (metric == Metric::error) return Quantity::error;
  if (metric == Metric::bandwidth) return Quantity::rate;
  return metric == Metric::launches || metric == Metric::payback ? Quantity::count : Quantity::time;
}

QString formatQuantity(double value, Quantity quantity) {
  switch (quantity) {
    case Quantity::time:
      return formatTime(value);
    case Quantity::ratio:
      return formatRatio(value);
    case Quantity::count:
      return formatMean(value);
    case Quantity::bytes:
      return formatBytes(static_cast<std::int64_t>(value));
    case Quantity::error:
      return formatError(value);
    case Quantity::rate:
      return formatRate(value);
  }
  return {};
}

QString formatQuantityInterval(const Estimate& estimate, Quantity quantity) {
  if (quantity == Quantity::time) return formatInterval(estimate);
  if (estimate.kind == Estimate::Kind::none) return QStringLiteral("–");
  if (quantity == Quantity::rate)
    return QStringLiteral("%1 – %2").arg(formatRate(estimate.low), formatRate(estimate.high));
  const QString text =
      quantity == Quantity::ratio
          ? formatRatioInterval(estimate)
          : QStringLiteral("%1 – %2").arg(formatMean(estimate.low), formatMean(estimate.high));
  return estimate.kind == Estimate::Kind::range && quantity == Quantity::ratio
             ? QStringLiteral("(%1)").arg(text)
             : text;
}

QString timeName(ShownTime time) {
  switch (time) {
    case ShownTime::wall:
      return uiText("Wall");
    case ShownTime::host:
      return uiText("Host");
    case ShownTime::device:
      return uiText("Device");
    case ShownTime::cadence:
      return uiText("Cadence");
    case ShownTime::single:
      return uiText("Synchronized");
    case ShownTime::queuedAndAlone:
      return uiText("Wall and synchronized");
    case ShownTime::all:
      break;
  }
  return uiText("All times");
}

QString viewName(Metric metric, ShownTime time) {
  switch (metric) {
    case Metric::latency:
      break;
    case Metric::speedUp:
      return QStringLiteral("speed-up");
    case Metric::launches:
      return QStringLiteral("launches");
    case Metric::compile:
      return QStringLiteral("compile");
    case Metric::payback:
      return QStringLiteral("payback");
    case Metric::memory:
      return QStringLiteral("memory");
    case Metric::error:
      return QStringLiteral("error");
    case Metric::bandwidth:
      return QStringLiteral("bandwidth");
  }
  switch (time) {
    case ShownTime::wall:
      return QStringLiteral("latency");
    case ShownTime::host:
      return QStringLiteral("host");
    case ShownTime::device:
      return QStringLiteral("device");
    case ShownTime::cadence:
      return QStringLiteral("cadence");
    case ShownTime::single:
      return QStringLiteral("alone");
    case ShownTime::queuedAndAlone:
      return QStringLiteral("wall-and-alone");
    case ShownTime::all:
      break;
  }
  return QStringLiteral("times");
}

QString publishedCaption(const Reference& reference) {
  return uiText("Published: %1; another machine, another metric: %2")
      .arg(text(said(reference.device)), metricText(reference.metric));
}

QString timeCaption(ShownTime time) {
  const auto withInterval = [](const char* what) {
    return uiText("%1: median with its 95% interval").arg(uiText(what));
  };
  switch (time) {
    case ShownTime::wall:
      return metricCaption(Metric::latency);
    case ShownTime::host:
      return withInterval(uiMark("Time until a call returns to the host (H)"));
    case ShownTime::device:
      return withInterval(
          uiMark("Time per call on the device, which does not wait for the host (D)"));
    case ShownTime::cadence:
      return withInterval(uiMark(
          "Cadence: time per call between events on the device, including waits for the host (E)"));
    case ShownTime::single:
      return withInterval(uiMark("Synchronized latency: one call with the wait for it"));
    case ShownTime::queuedAndAlone:
      return uiText("Time per call: solid pipelined, with one wait (W), dash-dotted synchronized");
    case ShownTime::all:
      break;
  }
  return uiText(
      "Time per call: solid wall (W), dashed until it returns to the host (H), dotted on the "
      "device (D; in older runs its cadence, E), dash-dotted synchronized");
}

}  // namespace fusebench
