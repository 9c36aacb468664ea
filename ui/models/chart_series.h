// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "profiler/findings.h"
#include "ui/models/analysis_model.h"
#include "ui/models/cell_summaries.h"
#include "ui/models/curves.h"

namespace fusebench {

/// Every metric that the chart can show, in the order in which it offers them.
inline constexpr Metric kMetrics[] = {Metric::latency, Metric::speedUp, Metric::launches,
                                      Metric::compile, Metric::payback};
QString metricName(Metric metric);     ///< "Speed-up": on the control
QString metricCaption(Metric metric);  ///< what is drawn, and what the bands are

/// What the values of a metric are: nanoseconds, ratios or counts.
enum class Quantity : std::uint8_t { time, ratio, count };
Quantity quantityOf(Metric metric);
/// Whether its axis is logarithmic unless the person chooses otherwise.
bool logarithmicAtFirst(Metric metric);
/// "1.23 µs", "2.35×", "14 200"
QString formatQuantity(double value, Quantity quantity);
/// Both ends; in brackets if it is the range of too few samples; a dash if there is neither.
QString formatQuantityInterval(const Estimate& estimate, Quantity quantity);

/// A place in the chart: where a finding shows.
struct Target {
  Metric metric = Metric::latency;
  std::optional<double> x;
  int variant = -1;
  bool anatomy = false;  ///< it shows in the anatomy, not in the chart

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
  QString label;                    ///< "61 ns a launch (60.2 – 61.8)"
};

/// A stretch of the axis where a payback is no number.
struct WordSpan {
  int variant = 0;
  int series = 0;
  double from = 0, to = 0;
  CrossingStatus status = CrossingStatus::never;
  QString text;  ///< "never", "first call", "not decided"
};

/// All that one view of the chart shows; nothing is left to be computed by who draws it.
struct ChartContent {
  Metric metric = Metric::latency;
  std::vector<Curve> curves;
  std::vector<ModelLine> models;
  std::vector<WordSpan> words;
  std::vector<Crossing> crossings;  ///< break-evens that were found, of the slice
  std::optional<double> rule;       ///< a level that matters: speed-up 1
};

/// The curves of a metric; of payback none (see chartContent). `summaries` are those of the run.
std::vector<Curve> metricCurves(const Run& run, const CellSummaries& summaries, Metric metric,
                                std::size_t slice);
ChartContent chartContent(const Run& run, const CellSummaries& summaries, const Analysis& analysis,
                          Metric metric, std::size_t slice);

/// Why nothing of another run can be laid over this experiment: "sweeps elements, not statements".
/// Empty: its axes fit.
QString overlayProblem(const Experiment& other, const Experiment& shown, std::size_t slice);

/// Another run's curves in the colours of the variants of the same names. Nothing if it sweeps
/// another axis, has no such slice, or the metric is payback (its intervals take a bootstrap).
std::vector<Curve> overlayCurves(const Overlay& overlay, int index, const Experiment& shown,
                                 Metric metric, std::size_t slice);

}  // namespace fusebench
