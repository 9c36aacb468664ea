// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/student.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace fusebench {
namespace {

constexpr std::size_t kMostDegrees = 200;

/// P(|T| > t).
double studentTail(std::size_t degrees, double t) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
  const double cosine = std::cos(angle), sine = std::sin(angle), square = cosine * cosine;
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1, sum = degrees == 1 ? 0 : term;
  for (std::size_t k = odd ? 3 : 2; k < degrees; k += 2) {
    const double number = static_cast<double>(k);
    term *= square * (number - 1) / number;
    sum += term;
  }
  return odd ? 1 - 2 / std::numbers::pi * (angle + sine * sum) : 1 - sine * sum;
}

double findQuantile(std::size_t degrees, double missed) {
  double low = 0, high = 1;
  const auto tail = [&](double t) {
    return degrees > kMostDegrees ? std::erfc(t / std::numbers::sqrt2) : studentTail(degrees, t);
  };
  while (tail(high) > missed && high < 1e9) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (tail(middle) > missed ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double studentQuantile(std::size_t degrees, double missed) {
  if (degrees == 0) return std::numeric_limits<double>::infinity();
  return findQuantile(degrees, missed);
}

}  // namespace fusebench
