// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// One point of a curve: the axis' value, and what is shown there in the unit of the metric
/// (nanoseconds per call, a ratio, a count).
struct CurvePoint {
  double x = 0;
  Estimate y;
  bool done = false;     ///< sampling is over
  double certainty = 1;  ///< 0 to 1: how close the interval is to the requested precision
  bool drifted = false;
  bool joined =
      true;  ///< joined with the previous point by a line; not if a point between them has no value
};

/// A single observation behind a point: one compile.
struct Observation {
  double x = 0, y = 0;
};

/// Which of a variant's curves it is, where a metric has several: compiles without a cache, from
/// the disk cache, and with the kernels in memory already; times of a call by the wall's clock
/// (main), until the host has it back, on the device, and alone with its wait.
enum class CurvePart : std::uint8_t { main, fromDisk, inMemory, host, device, single };
/// ", from disk"; nothing for the main one.
QString partSuffix(CurvePart part);
/// "-disk": the same for the id of its graph.
QString partId(CurvePart part);

/// One variant's curve along the first axis.
struct Curve {
  QString name;
  int variant = 0;                 ///< place among the variants
  std::vector<CurvePoint> points;  ///< ascending x; only where there are samples
  int series = 0;                  ///< decides color, dash and marker
  CurvePart part = CurvePart::main;
  bool simulated = false;  ///< comes from a simulated run and is drawn hatched
  int overlay = -1;        ///< which of the other runs it comes from; -1: the run shown
  std::vector<Observation> observations;
  /// Positions between the points through which the stroke also passes: its break-evens
  /// (passThroughBreakEvens()). Nothing was measured there.
  std::vector<CurvePoint> through{};
};

/// Its place among the variants; -1: there is none of that name.
int variantNamed(const Experiment& experiment, const std::string& name);
/// The series (color, dash, marker) that a variant specifies, else its position.
int seriesOf(const Experiment& experiment, int variant);

/// How close an estimate is to the requested precision: 0 without an interval, 1 once it is
/// reached. With too few samples, the result is limited to their fraction of the required minimum.
double certaintyOf(const Estimate& estimate, std::size_t samples, const MeasureSettings& settings);

/// The latency curves of a run along its first axis; `slice` is the place on the second axis, if
/// there is one.
std::vector<Curve> curvesOf(const Run& run, std::size_t slice = 0);

/// Published curves. Those with the name of a variant of the experiment have its color; the others
/// come after them.
std::vector<Curve> curvesOf(const Reference& reference, const Experiment& experiment);

/// Whether published curves can be shown with this experiment: both sweep the same first axis.
bool fits(const Reference& reference, const Experiment& experiment);

/// Smallest and largest value over all curves, their bands and observations; only positive ones if
/// the axis is logarithmic. {0, 0} without points.
struct ValueRange {
  double low = 0, high = 0;
};
ValueRange valueRange(const std::vector<Curve>& curves, bool positiveOnly = true);

}  // namespace fusebench
