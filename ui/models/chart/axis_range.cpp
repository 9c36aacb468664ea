// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/axis_range.h"

#include <algorithm>
#include <cmath>

namespace fusebench {
namespace {

constexpr double kWidest = 4;
constexpr double kNarrowest = 1e-6;

double scaled(const AxisRange& range, double value) {
  return range.logarithmic ? std::log(std::max(value, 1e-300)) : value;
}

double width(const AxisRange& range) {
  return scaled(range, range.high) - scaled(range, range.low);
}

}  // namespace

double shareOf(const AxisRange& range, double value) {
  return (scaled(range, value) - scaled(range, range.low)) / width(range);
}

double valueAtShare(const AxisRange& range, double share) {
  const double at = scaled(range, range.low) + share * width(range);
  return range.logarithmic ? std::exp(at) : at;
}

AxisRange zoomed(const AxisRange& range, double anchor, double factor, const AxisRange& whole) {
  const double limited =
      std::clamp(factor * width(range), kNarrowest * width(whole), kWidest * width(whole)) /
      width(range);
  return {valueAtShare(range, anchor - anchor * limited),
          valueAtShare(range, anchor + (1 - anchor) * limited), range.logarithmic};
}

AxisRange panned(const AxisRange& range, double share, const AxisRange& whole) {
  const double middle = scaled(range, valueAtShare(range, 0.5 + share));
  const double kept = std::clamp(middle, scaled(whole, whole.low), scaled(whole, whole.high));
  const double moved = (kept - scaled(range, valueAtShare(range, 0.5))) / width(range);
  return {valueAtShare(range, moved), valueAtShare(range, 1 + moved), range.logarithmic};
}

AxisRange between(const AxisRange& range, double from, double to, const AxisRange& whole) {
  if (from > to) std::swap(from, to);
  if (to - from < 0.005 || (to - from) * width(range) < kNarrowest * width(whole)) return range;
  return {valueAtShare(range, from), valueAtShare(range, to), range.logarithmic};
}

}  // namespace fusebench
