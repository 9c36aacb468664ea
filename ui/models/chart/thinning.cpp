// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/thinning.h"

#include <algorithm>
#include <cmath>

namespace fusebench {
namespace {

constexpr std::size_t kBlock = 64;

double lowEnd(const CurvePoint& p) {
  return p.y.kind == Estimate::Kind::none ? p.y.value : p.y.low;
}

double highEnd(const CurvePoint& p) {
  return p.y.kind == Estimate::Kind::none ? p.y.value : p.y.high;
}

}  // namespace

Thinner::Thinner(const std::vector<CurvePoint>& points) : points_(&points) {
  for (std::size_t begin = 0; begin < points.size(); begin += kBlock) {
    Extremes block{begin, begin, lowEnd(points[begin]), highEnd(points[begin])};
    for (std::size_t i = begin + 1; i < std::min(points.size(), begin + kBlock); ++i)
      widen(block, i);
    blocks_.push_back(block);
  }
}

void Thinner::widen(Extremes& extremes, std::size_t at) const {
  const CurvePoint& point = (*points_)[at];
  if (point.y.value < (*points_)[extremes.lowest].y.value) extremes.lowest = at;
  if (point.y.value > (*points_)[extremes.highest].y.value) extremes.highest = at;
  extremes.low = std::min(extremes.low, lowEnd(point));
  extremes.high = std::max(extremes.high, highEnd(point));
}

void Thinner::widen(Extremes& extremes, const Extremes& block) const {
  if ((*points_)[block.lowest].y.value < (*points_)[extremes.lowest].y.value)
    extremes.lowest = block.lowest;
  if ((*points_)[block.highest].y.value > (*points_)[extremes.highest].y.value)
    extremes.highest = block.highest;
  extremes.low = std::min(extremes.low, block.low);
  extremes.high = std::max(extremes.high, block.high);
}

Thinner::Extremes Thinner::extremes(std::size_t begin, std::size_t end) const {
  Extremes found{begin, begin, lowEnd((*points_)[begin]), highEnd((*points_)[begin])};
  std::size_t i = begin;
  while (i < end) {
    if (i % kBlock == 0 && i + kBlock <= end) {
      widen(found, blocks_[i / kBlock]);
      i += kBlock;
    } else {
      widen(found, i++);
    }
  }
  return found;
}

std::vector<CurvePoint> Thinner::thinned(const AxisWindow& window) const {
  std::vector<CurvePoint> kept;
  if (!points_ || points_->empty() || window.pixels <= 0 || !(window.right > window.left))
    return kept;
  const std::vector<CurvePoint>& points = *points_;
  const auto byX = [](const CurvePoint& p, double x) { return p.x < x; };
  const auto at = [&](double x) {
    return static_cast<std::size_t>(std::lower_bound(points.begin(), points.end(), x, byX) -
                                    points.begin());
  };
  const std::size_t first = at(window.left);
  std::size_t last = at(window.right);
  while (last < points.size() && points[last].x == window.right) ++last;
  if (first > 0) kept.push_back(points[first - 1]);
  if (last - first <= 2 * static_cast<std::size_t>(window.pixels)) {
    kept.insert(kept.end(), points.begin() + static_cast<std::ptrdiff_t>(first),
                points.begin() + static_cast<std::ptrdiff_t>(last));
  } else {
    // The right edge of each pixel column in the axis' own scale.
    const double span =
        window.logarithmic ? std::log(window.right / window.left) : window.right - window.left;
    std::size_t begin = first;
    for (int column = 1; column <= window.pixels && begin < last; ++column) {
      const double share = static_cast<double>(column) / window.pixels;
      const double edge =
          window.logarithmic ? window.left * std::exp(share * span) : window.left + share * span;
      const std::size_t end = column == window.pixels ? last : std::clamp(at(edge), begin, last);
      if (end == begin) continue;
      const Extremes found = extremes(begin, end);
      for (const std::size_t i :
           {std::min(found.lowest, found.highest), std::max(found.lowest, found.highest)}) {
        CurvePoint point = points[i];
        if (point.y.kind != Estimate::Kind::none) {
          point.y.low = found.low;
          point.y.high = found.high;
        }
        kept.push_back(point);
        if (found.lowest == found.highest) break;
      }
      begin = end;
    }
  }
  if (last < points.size()) kept.push_back(points[last]);
  return kept;
}

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points, const AxisWindow& window) {
  return Thinner(points).thinned(window);
}

}  // namespace fusebench
