// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "profiler/run.h"

namespace fusebench {

/// One point of a curve: the axis' value and nanoseconds per call.
struct CurvePoint {
  double x = 0;
  Estimate latency;
  bool done = false;  ///< sampling is over
};

/// One variant's curve along the first axis.
struct Curve {
  QString name;
  int variant = 0;                 ///< place among the variants: decides colour, dash and marker
  std::vector<CurvePoint> points;  ///< ascending x; only where there are samples
};

/// The curves of a run along its first axis; `slice` is the place on the second axis, if there is
/// one.
std::vector<Curve> curvesOf(const Run& run, std::size_t slice = 0);

/// Published curves, matched by name to the experiment's variants so that they share their colours;
/// a name that no variant has comes after them.
std::vector<Curve> curvesOf(const Reference& reference, const Experiment& experiment);

/// Whether published curves may stand beside this experiment: both sweep the same axis first.
bool fits(const Reference& reference, const Experiment& experiment);

/// At most two points a pixel column, the lowest and the highest of each, so that drawing costs
/// what the screen shows. `left` and `right` are the axis' ends, `pixels` its width.
std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points, double left, double right,
                                int pixels);

/// Smallest and largest latency over all curves and their bands; {0, 0} without points.
struct LatencyRange {
  double low = 0, high = 0;
};
LatencyRange latencyRange(const std::vector<Curve>& curves);

}  // namespace fusebench
