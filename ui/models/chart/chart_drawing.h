// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/models/chart/axis_range.h"
#include "ui/models/chart/chart_series.h"

namespace fusebench {

// What follows from a chart's content for whoever draws it, in the window or in a file.

/// Which axes of a chart are logarithmic.
struct ChartScales {
  bool logAxis = false;
  bool logValue = false;
};

/// Value of a curve at x, where the straight stroke between its two neighbors is on a chart with
/// such axes; nothing outside of its points.
std::optional<double> valueAt(const Curve& curve, double x, ChartScales scales);

/// Has the strokes of both curves pass through each break-even that was found, at one level: on a
/// chart whose axes are not those in which it was interpolated (isWideAxis), straight strokes would
/// cross elsewhere. `places` are the axis'.
void passThroughBreakEvens(ChartContent& content, std::span<const double> places);
/// What a curve's stroke and its band connect: these points of it, and the break-evens between.
std::vector<CurvePoint> strokePoints(const Curve& curve, const std::vector<CurvePoint>& points);

/// A fitted line is straight in its values, not on a chart with a logarithmic axis. It is drawn
/// from the first point over these to the second.
std::vector<std::pair<double, double>> between(double x0, double y0, double x1, double y1,
                                               bool logAxis);

/// The series of the variant of that name; 0 if there is no curve of it.
int seriesNamed(const ChartContent& content, const std::string& variant);
/// What the shown run's curve of a variant is called.
QString nameOf(const ChartContent& content, int variant);

/// The break-evens that are marked, by place. Two curves that are the same but for noise cross at
/// every other place: none of theirs is, for no marker could be read.
/// One that begins with places that are not told apart is marked once all of them are measured.
std::vector<Crossing> markedCrossings(const ChartContent& content);
/// What is shaded around a break-even: its interval; nothing (equal ends) where it begins with
/// places that cannot be told apart, which say where it is at the latest and no more.
std::pair<double, double> shadedAround(const Crossing& crossing);
/// Rows of names of break-evens above a chart, and pixels between two in a row.
inline constexpr std::size_t kBreakEvenRows = 2;
inline constexpr double kBreakEvenGap = 6;
/// How high a break-even's dot stands: on the rule, or on its variant's curve.
std::optional<double> levelOf(const ChartContent& content, const Crossing& crossing,
                              ChartScales scales);

/// "empty launch 3.2 µs"
QString textOf(const CostLevel& cost);
/// "static: never"
QString textOf(const ChartContent& content, const WordSpan& span);
/// "Never" lies above every number of calls, "from the first call" below.
bool liesLow(const WordSpan& span);
/// Whether a chart holds words alone: then they share its height, for there is nothing else in it.
bool wordsAlone(const ChartContent& content);
/// How far apart rows of words stand that have `height` for themselves; no closer than `least`.
double wordStep(double height, std::size_t rows, double least);
/// The range that leaves rows of `above` and `below` pixels free beside `numbers` pixels of it.
AxisRange withRoom(const AxisRange& range, double above, double below, double numbers);

/// A fitted line as a curve.
Curve curveOf(const ModelLine& model);

/// Puts labels side by side into as few rows as they need.
class LabelRows {
 public:
  /// `gap` stays free between two in a row.
  explicit LabelRows(double gap, std::size_t most = 1'000'000) : gap_(gap), most_(most) {}
  /// The first row that is free from `left` on, which is taken up to `right` then; nothing if there
  /// are as many as may be and none is.
  std::optional<std::size_t> place(double left, double right);

 private:
  double gap_;
  std::size_t most_;
  std::vector<double> ends_;
};

/// Moves positions apart, as little as it takes (least squares), until neighbors are `gap` apart,
/// within [low, high] where there is room. The order of the result is that of the input.
std::vector<double> spreadApart(std::vector<double> positions, double gap, double low, double high);

}  // namespace fusebench
