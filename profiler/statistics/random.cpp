// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/random.h"

#include <cmath>

namespace fusebench {
namespace {

constexpr double kLn2 = 0.693147180559945309417;

/// Natural logarithm of x in (0, 1) from additions, multiplications and divisions only (the C
/// library's differs in the last bit from platform to platform): ln m = 2 atanh((m - 1) / (m + 1)).
double portableLog(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // exact
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double t = (m - 1) / (m + 1), t2 = t * t;
  double series = 0;
  for (int k = 23; k >= 1; k -= 2) series = series * t2 + 1.0 / k;
  return 2 * t * series + exponent * kLn2;
}

std::uint64_t bitsAt(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                     std::uint64_t draw) {
  std::uint64_t h = mixBits(seed + 0x9e3779b97f4a7c15u);
  h = mixBits(h ^ (stream + 0xd1b54a32d192ed03u));
  h = mixBits(h ^ (index + 0x8cb92ba72f3d8dd7u));
  return mixBits(h ^ (draw + 0xaef17502108ef2d9u));
}

double toUnit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

double uniformAt(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return toUnit(bitsAt(seed, stream, index, 0));
}

// Marsaglia's polar method: needs no sine.
double normalAt(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  for (std::uint64_t draw = 0;; draw += 2) {
    const double u = 2 * toUnit(bitsAt(seed, stream, index, draw)) - 1;
    const double v = 2 * toUnit(bitsAt(seed, stream, index, draw + 1)) - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * portableLog(s) / s);
  }
}

}  // namespace fusebench
