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

// Derives from a chart's content what both the window and exported figures need to draw it.

/// Which axes of a chart are logarithmic.
struct ChartScales {
  bool logAxis = false;
  bool logValue = false;
};

/// Value of a curve at x, on the straight stroke between its two neighbors on a chart with such
/// axes; nothing outside of its points.
std::optional<double> valueAt(const Curve& curve, double x, ChartScales scales);

/// Makes the strokes of both curves pass through each break-even that was found, at one level. On a
/// chart whose axes are not those in which it was interpolated (isWideAxis), straight strokes would
/// cross elsewhere. `places` are the axis' values.
void passThroughBreakEvens(ChartContent& content, std::span<const double> places);
/// What a curve's stroke and its band connect: these points of it, and the break-evens between.
std::vector<CurvePoint> strokePoints(const Curve& curve, const std::vector<CurvePoint>& points);

/// A fitted line is straight in its values, not on a chart with a logarithmic axis. It is drawn
/// from the first point over these to the second.
std::vector<std::pair<double, double>> between(double x0, double y0, double x1, double y1,
                                               bool logAxis);

/// The series of the variant of that name; 0 if there is no curve of it.
int seriesNamed(const ChartContent& content, const std::string& variant);
/// The name of the shown run's curve of a variant.
QString nameOf(const ChartContent& content, int variant);

/// The break-evens that get a marker, by position. Two curves that differ only by noise cross at
/// every other point; none of these crossings is marked, because no marker would be readable. A
/// break-even that begins with tied points is marked once all of them are measured.
std::vector<Crossing> markedCrossings(const ChartContent& content);
/// The range to shade around a break-even: its interval. Empty (equal ends) if it begins with tied
/// points, because these only give an upper bound of its position.
std::pair<double, double> shadedAround(const Crossing& crossing);
/// Rows of names of break-evens above a chart, and pixels between two in a row.
inline constexpr std::size_t kBreakEvenRows = 2;
inline constexpr double kBreakEvenGap = 6;
/// The level of a break-even's dot: on the rule, or on its variant's curve.
std::optional<double> levelOf(const ChartContent& content, const Crossing& crossing,
                              ChartScales scales);

/// "empty launch 3.2 µs"
QString textOf(const CostLevel& cost);
/// "static: never"
QString textOf(const ChartContent& content, const WordSpan& span);
/// Whether the words are below all numbers, as "from the first call" is; "never" is above them.
bool liesLow(const WordSpan& span);
/// Whether a chart contains only words, which then share its full height.
bool wordsAlone(const ChartContent& content);
/// The distance of rows of words that share `height`; at least `least`.
double wordStep(double height, std::size_t rows, double least);
/// Extends a range that is `numbers` pixels high by `above` and `below` pixels for rows of words.
AxisRange withRoom(const AxisRange& range, double above, double below, double numbers);

/// A fitted line as a curve.
Curve curveOf(const ModelLine& model);

/// Puts labels side by side into as few rows as they need.
class LabelRows {
 public:
  /// `gap` stays free between two in a row.
  explicit LabelRows(double gap, std::size_t most = 1'000'000) : gap_(gap), most_(most) {}
  /// The first row whose labels end before `left`, which is then occupied up to `right`. Nothing if
  /// there is none and no further row is allowed.
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
