// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/chart_drawing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "profiler/analysis/crossing_search.h"
#include "ui/models/base/format.h"

namespace fusebench {
namespace {

constexpr int kStepsBetween = 16;
constexpr int kMostMarked = 8;  ///< break-evens of one variant

bool isNamed(const Curve& curve, const std::string& name) {
  return curve.name == QString::fromStdString(name);
}

/// The value at x of a straight stroke from p to q.
double along(const CurvePoint& p, const CurvePoint& q, double Estimate::*end, double x,
             ChartScales scales) {
  // Places and values that a logarithmic axis does not show are on no stroke either.
  const double share =
      scales.logAxis && p.x > 0 ? std::log(x / p.x) / std::log(q.x / p.x) : (x - p.x) / (q.x - p.x);
  const double from = p.y.*end, to = q.y.*end;
  if (scales.logValue && from > 0 && to > 0) return from * std::pow(to / from, share);
  return from + share * (to - from);
}

/// Between two points of a curve that are joined, by the interpolation that break-evens are of.
std::optional<CurvePoint> pointBetween(const Curve& curve, double x, bool wide) {
  const auto next = std::ranges::lower_bound(curve.points, x, {}, &CurvePoint::x);
  if (next == curve.points.end() || next == curve.points.begin() || next->x == x || !next->joined)
    return std::nullopt;
  const CurvePoint &p = *(next - 1), &q = *next;
  const ChartScales scales{wide, wide};
  CurvePoint point{x, {}, true};
  point.y = {along(p, q, &Estimate::value, x, scales), along(p, q, &Estimate::low, x, scales),
             along(p, q, &Estimate::high, x, scales), std::min(p.y.kind, q.y.kind)};
  if (!(point.y.value > 0)) return std::nullopt;
  return point;
}

}  // namespace

std::optional<double> valueAt(const Curve& curve, double x, ChartScales scales) {
  const auto isBefore = [](const CurvePoint& p, double place) { return p.x < place; };
  const auto next = std::lower_bound(curve.points.begin(), curve.points.end(), x, isBefore);
  if (next == curve.points.end()) return std::nullopt;
  if (next->x == x) return next->y.value;
  if (next == curve.points.begin()) return std::nullopt;
  const CurvePoint *p = &*(next - 1), *q = &*next;
  const auto through = std::lower_bound(curve.through.begin(), curve.through.end(), x, isBefore);
  if (through != curve.through.end() && through->x == x) return through->y.value;
  if (through != curve.through.end() && through->x < q->x) q = &*through;
  if (through != curve.through.begin() && (through - 1)->x > p->x) p = &*(through - 1);
  return along(*p, *q, &Estimate::value, x, scales);
}

void passThroughBreakEvens(ChartContent& content, std::span<const double> places) {
  const bool wide = !places.empty() && isWideAxis(places.front(), places.back());
  for (const Crossing& crossing : content.crossings) {
    if (crossing.fromTie) continue;  // at a place that was measured
    std::vector<std::pair<Curve*, CurvePoint>> met;
    for (Curve& curve : content.curves)
      if (curve.overlay < 0 && curve.part == CurvePart::main &&
          (isNamed(curve, crossing.variant) || isNamed(curve, crossing.baseline)))
        if (const auto point = pointBetween(curve, crossing.at, wide))
          met.emplace_back(&curve, *point);
    if (met.empty()) continue;
    double level = 1;
    for (const auto& [curve, point] : met)
      level *= std::pow(point.y.value, 1 / static_cast<double>(met.size()));
    if (content.rule) level = *content.rule;
    if (!(level > 0)) continue;
    for (auto& [curve, point] : met) {
      const double share = level / point.y.value;
      point.y = {level, point.y.low * share, point.y.high * share, point.y.kind};
      const auto after = std::ranges::upper_bound(curve->through, point.x, {}, &CurvePoint::x);
      if (after == curve->through.begin() || (after - 1)->x < point.x)
        curve->through.insert(after, point);
    }
  }
}

std::vector<CurvePoint> strokePoints(const Curve& curve, const std::vector<CurvePoint>& points) {
  if (curve.through.empty()) return points;
  std::vector<CurvePoint> all;
  auto through = curve.through.begin();
  for (const CurvePoint& point : points) {
    for (; through != curve.through.end() && through->x < point.x; ++through)
      if (!all.empty() && point.joined && all.back().x < through->x) all.push_back(*through);
    all.push_back(point);
  }
  return all;
}

std::vector<std::pair<double, double>> between(double x0, double y0, double x1, double y1,
                                               bool logAxis) {
  std::vector<std::pair<double, double>> points;
  for (int step = 1; step < kStepsBetween; ++step) {
    const double share = static_cast<double>(step) / kStepsBetween;
    const double x = logAxis ? x0 * std::pow(x1 / x0, share) : x0 + share * (x1 - x0);
    points.emplace_back(x, y0 + (x - x0) / (x1 - x0) * (y1 - y0));
  }
  return points;
}

int seriesNamed(const ChartContent& content, const std::string& variant) {
  for (const Curve& curve : content.curves)
    if (curve.name == QString::fromStdString(variant)) return curve.series;
  return 0;
}

QString nameOf(const ChartContent& content, int variant) {
  for (const Curve& curve : content.curves)
    if (curve.variant == variant && curve.overlay < 0) return curve.name;
  return {};
}

std::vector<Crossing> markedCrossings(const ChartContent& content) {
  const auto isMarked = [](const Crossing& crossing) {
    return crossing.kind == Crossing::Kind::breakEven && crossing.status == CrossingStatus::found &&
           !(crossing.fromTie && crossing.preliminary);
  };
  std::map<std::string, int> counts;
  for (const Crossing& crossing : content.crossings) counts[crossing.variant] += isMarked(crossing);
  std::vector<Crossing> marked;
  for (const Crossing& crossing : content.crossings)
    if (isMarked(crossing) && counts[crossing.variant] <= kMostMarked) marked.push_back(crossing);
  std::sort(marked.begin(), marked.end(),
            [](const Crossing& a, const Crossing& b) { return a.at < b.at; });
  return marked;
}

std::pair<double, double> shadedAround(const Crossing& crossing) {
  return crossing.fromTie ? std::pair(crossing.at, crossing.at)
                          : std::pair(crossing.low, crossing.high);
}

std::optional<double> levelOf(const ChartContent& content, const Crossing& crossing,
                              ChartScales scales) {
  std::optional<double> level = content.rule;
  for (const Curve& curve : content.curves)
    if (!level && curve.overlay < 0 && curve.name == QString::fromStdString(crossing.variant))
      level = valueAt(curve, crossing.at, scales);
  return level;
}

QString textOf(const CostLevel& cost) {
  return QStringLiteral("%1 %2").arg(cost.name, formatTime(cost.value));
}

QString textOf(const ChartContent& content, const WordSpan& span) {
  return QStringLiteral("%1: %2").arg(nameOf(content, span.variant), span.text);
}

bool liesLow(const WordSpan& span) {
  return span.status == CrossingStatus::always;
}

bool wordsAlone(const ChartContent& content) {
  return !content.words.empty() && std::ranges::all_of(content.curves, [](const Curve& curve) {
    return curve.points.empty();
  });
}

double wordStep(double height, std::size_t rows, double least) {
  constexpr double kMostApart = 3;  // of `least`: few words need not be scattered
  return std::clamp(height / (static_cast<double>(rows) + 1), least, kMostApart * least);
}

AxisRange withRoom(const AxisRange& range, double above, double below, double numbers) {
  if (!range.logarithmic) {
    const double pixel = (range.high - range.low) / numbers;
    return {range.low - below * pixel, range.high + above * pixel, false};
  }
  const double pixel = std::log(range.high / range.low) / numbers;
  return {range.low * std::exp(-below * pixel), range.high * std::exp(above * pixel), true};
}

Curve curveOf(const ModelLine& model) {
  Curve curve;
  curve.name = model.variant;
  curve.series = model.series;
  for (const Observation& point : model.points)
    curve.points.push_back({point.x, {point.y, point.y, point.y, Estimate::Kind::none}});
  return curve;
}

std::optional<std::size_t> LabelRows::place(double left, double right) {
  const auto free = std::ranges::find_if(ends_, [&](double end) { return end + gap_ <= left; });
  const auto row = static_cast<std::size_t>(free - ends_.begin());
  if (row >= most_) return std::nullopt;
  if (free == ends_.end())
    ends_.push_back(right);
  else
    *free = right;
  return row;
}

std::vector<double> spreadApart(std::vector<double> positions, double gap, double low,
                                double high) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
  // Without the gaps between them they only have to ascend: those that would not are one group,
  // whose place is the mean of theirs.
  struct Group {
    double sum = 0;
    std::size_t count = 0;
    double place() const { return sum / static_cast<double>(count); }
  };
  std::vector<Group> groups;
  for (std::size_t k = 0; k < order.size(); ++k) {
    groups.push_back({positions[order[k]] - gap * static_cast<double>(k), 1});
    while (groups.size() > 1 && groups[groups.size() - 2].place() > groups.back().place()) {
      groups[groups.size() - 2].sum += groups.back().sum;
      groups[groups.size() - 2].count += groups.back().count;
      groups.pop_back();
    }
  }
  const double most = high - gap * static_cast<double>(std::max<std::size_t>(order.size(), 1) - 1);
  std::size_t k = 0;
  for (const Group& group : groups)
    for (std::size_t n = 0; n < group.count; ++n, ++k)
      positions[order[k]] =
          std::min(std::max(group.place(), low), most) + gap * static_cast<double>(k);
  return positions;
}

}  // namespace fusebench
