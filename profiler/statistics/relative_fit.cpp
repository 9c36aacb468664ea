// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/relative_fit.h"

#include <algorithm>
#include <cmath>

#include "profiler/statistics/student.h"

namespace fusebench {
namespace {

Estimate withHalfWidth(double value, double half, bool known) {
  if (!known) return {value, value, value, Estimate::Kind::none};
  return {value, value - half, value + half, Estimate::Kind::interval};
}

}  // namespace

std::optional<LineFit> fitRelativeLine(std::span<const double> x, std::span<const double> y) {
  const std::size_t count = std::min(x.size(), y.size());
  double weights = 0, meanX = 0, meanY = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!(y[i] > 0)) return std::nullopt;
    const double weight = 1 / (y[i] * y[i]);
    weights += weight;
    meanX += weight * x[i];
    meanY += weight * y[i];
  }
  const auto [least, most] =
      std::minmax_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
  if (count < 2 || !(*least < *most)) return std::nullopt;
  meanX /= weights;
  meanY /= weights;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double weight = 1 / (y[i] * y[i]);
    xx += weight * (x[i] - meanX) * (x[i] - meanX);
    xy += weight * (x[i] - meanX) * (y[i] - meanY);
  }
  const double slope = xy / xx, intercept = meanY - slope * meanX;
  double residual = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double off = 1 - (intercept + slope * x[i]) / y[i];
    residual += off * off;
  }
  const bool known = count > 2;
  const double half =
      known ? studentQuantile(count - 2) * std::sqrt(residual / static_cast<double>(count - 2)) : 0;
  LineFit fit;
  fit.slope = withHalfWidth(slope, half / std::sqrt(xx), known);
  fit.intercept =
      withHalfWidth(intercept, half * std::sqrt(1 / weights + meanX * meanX / xx), known);
  return fit;
}

}  // namespace fusebench
