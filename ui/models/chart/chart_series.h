// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "profiler/analysis/findings.h"
#include "ui/models/chart/curves.h"
#include "ui/models/results/analysis_model.h"
#include "ui/models/results/cell_summaries.h"
#include "ui/models/results/run_words.h"

namespace fusebench {

/// Every metric that the chart can show, in the order in which it offers them.
inline constexpr Metric kMetrics[] = {Metric::latency, Metric::speedUp,  Metric::launches,
                                      Metric::compile, Metric::payback,  Metric::memory,
                                      Metric::error,   Metric::bandwidth};
QString metricName(Metric metric);  ///< "Speedup": on the control
Metric firstShown(const Experiment& experiment);
QString metricCaption(Metric metric);  ///< explains the curves and their bands
/// Explains why a run with samples has no data for a metric, and how to get it.
EmptyState withoutMetric(Metric metric, const Experiment& experiment);

/// The time of a call that the latency chart shows, if a device has times of its own: W (many calls
/// and one wait), H (until the call returns to the host), D (on the device, which does not wait for
/// the host), E (the cadence: between events on the device), a synchronized call, pipelined next to
/// synchronized calls, or all of them.
enum class ShownTime : std::uint8_t { wall, host, device, cadence, single, queuedAndAlone, all };
inline constexpr ShownTime kShownTimes[] = {
    ShownTime::wall,   ShownTime::host,           ShownTime::device, ShownTime::cadence,
    ShownTime::single, ShownTime::queuedAndAlone, ShownTime::all};
/// Whether the chart shows several times, of which the wall time is the main one.
constexpr bool isSeveral(ShownTime time) {
  return time == ShownTime::queuedAndAlone || time == ShownTime::all;
}
QString timeName(ShownTime time);     ///< "Host": on the control
QString timeCaption(ShownTime time);  ///< explains the curves and their bands
/// The caption for published curves that are shown with measured ones.
QString publishedCaption(const Reference& reference);
/// The key of a metric's chart among a run's views: "latency", "speedup". The other times of a
/// latency have "host", "device", "cadence", "alone" and "times".
QString viewName(Metric metric, ShownTime time);
/// Whether the bytes moved by some cells of the run are known, so that it has a bandwidth.
bool hasBandwidth(const Run& run);
/// Whether cells of the run have other times than wall time.
bool hasDeviceTimes(const Run& run);
/// Whether the run has this time of a call.
bool isAvailable(const Run& run, ShownTime time);

/// The unit of a metric's values: nanoseconds, ratios, counts, bytes, relative errors or bytes per
/// second.
enum class Quantity : std::uint8_t { time, ratio, count, bytes, error, rate };
Quantity quantityOf(Metric metric);
/// "1.23 µs", "2.35×", "14 200"
QString formatQuantity(double value, Quantity quantity);
/// Both ends; in brackets if it is the range of too few samples; a dash if there is neither.
QString formatQuantityInterval(const Estimate& estimate, Quantity quantity);

/// A place in the chart: where a finding shows.
struct Target {
  Metric metric = Metric::latency;
  std::optional<double> x;
  int variant = -1;
  bool anatomy = false;  ///< it is shown in the call breakdown, not in the chart

  friend bool operator==(const Target&, const Target&) = default;
};

/// Another run, drawn thinner over the one shown. It must outlive its use.
struct Overlay {
  QString name;
  const Run* run = nullptr;
};

/// A fitted line T = a + b x launches, drawn over the axis.
struct ModelLine {
  QString variant;
  int series = 0;
  Estimate slope;                   ///< ns per launch
  std::vector<Observation> points;  ///< ascending x
  QString label;                    ///< "61 ns per launch with its kernel (60.2 – 61.8)"
};

/// A range of the axis in which a payback is not a number.
struct WordSpan {
  int variant = 0;
  int series = 0;
  double from = 0, to = 0;
  CrossingStatus status = CrossingStatus::never;
  QString text;  ///< "never", "first call", "not decided"
};

/// A level for comparison: the cost of a basic step of a call on the run's device.
struct CostLevel {
  QString name;  ///< "empty launch"
  double value = 0;

  friend bool operator==(const CostLevel&, const CostLevel&) = default;
};

/// Everything that one view of the chart shows; drawing it requires no further computation.
struct ChartContent {
  Metric metric = Metric::latency;
  ShownTime time = ShownTime::wall;  ///< for latencies
  std::vector<Curve> curves;
  std::vector<ModelLine> models;
  std::vector<WordSpan> words;
  std::vector<Crossing> crossings;  ///< break-evens that were found, of the slice
  std::optional<double> rule;       ///< a level to compare with: speedup 1
  std::vector<CostLevel> costs;     ///< of latencies, where they were measured
};

/// The curves of a metric; empty for payback (see chartContent). `summaries` are those of the run.
/// `time` applies only to latencies, and only if the run has times other than wall times.
std::vector<Curve> metricCurves(const Run& run, const CellSummaries& summaries, Metric metric,
                                std::size_t slice, ShownTime time = ShownTime::wall);
/// Break-evens and models refer to wall times, and are only shown with them.
ChartContent chartContent(const Run& run, const CellSummaries& summaries, const Analysis& analysis,
                          Metric metric, std::size_t slice, ShownTime time = ShownTime::wall);

/// The name by which the cost levels can be hidden.
QString costsName();
/// Leaves out what is hidden, by name: a variant with everything drawn for it, another run, the
/// costs. `overlayNames` are the names of the runs that curves come from.
void leaveOut(ChartContent& content, const Experiment& experiment,
              const std::vector<QString>& overlayNames,
              const std::function<bool(const QString&)>& hidden);

/// Why another run cannot be overlaid on this experiment: "sweeps elements, not statements". Empty:
/// its axes match.
QString overlayProblem(const Experiment& other, const Experiment& shown, std::size_t slice);

/// Another run's curves, in the colors of the variants of the same names. Empty if it sweeps
/// another axis, lacks this slice, or the metric is payback (whose intervals need a bootstrap).
std::vector<Curve> overlayCurves(const Overlay& overlay, int index, const Experiment& shown,
                                 Metric metric, std::size_t slice,
                                 ShownTime time = ShownTime::wall);
/// Gives curves of other runs whose variants the shown run lacks a series that no other variant
/// has, with an unused color while there is one.
void giveOwnSeries(std::vector<Curve>& curves);

}  // namespace fusebench
