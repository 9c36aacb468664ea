// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -march=native -ffast-math: the compiler calls the C library's vector functions.
#include "tests/bench/targets/hand_written.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace fusebench::targets {
namespace {

inline float relu(float x) {
  return x > 0 ? x : 0;
}
inline float sigmoid(float x) {
  return 1 / (1 + std::exp(-x));
}

/// The study's first ten statements.
inline float firstTen(float x) {
  x = std::cos(std::sin(x + 0.1f) * 1.1f) + 0.2f;
  return sigmoid(std::exp((relu(x) - 0.1f) * 0.5f) + 0.3f);
}
inline float secondTen(float x) {
  x = std::cos(std::sin(x * 1.2f) + 0.4f) - 0.2f;
  return sigmoid(std::exp((relu(x) + 0.5f) * 0.4f) * 1.3f);
}

template <float (*function)(float)>
void each(const float* x, float* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = function(x[i]);
}

inline float expOf(float x) {
  return std::exp(x);
}
inline float logOf(float x) {
  return std::log(x);
}
inline float sinOf(float x) {
  return std::sin(x);
}
inline float cosOf(float x) {
  return std::cos(x);
}
inline float tanhOf(float x) {
  return std::tanh(x);
}
inline float tanOf(float x) {
  return std::tan(x);
}
inline float atanOf(float x) {
  return std::atan(x);
}
inline float erfOf(float x) {
  return std::erf(x);
}
inline float expm1Of(float x) {
  return std::expm1(x);
}
inline float log1pOf(float x) {
  return std::log1p(x);
}
inline float sinhOf(float x) {
  return std::sinh(x);
}
inline float asinhOf(float x) {
  return std::asinh(x);
}

}  // namespace

float handWrittenStudy(const float* x, std::int64_t count) {
  // Block by block: millions of numbers added to one float would be off in the third digit.
  constexpr std::int64_t kBlock = 4096;
  double sum = 0;
  for (std::int64_t from = 0; from < count; from += kBlock) {
    const std::int64_t to = std::min(from + kBlock, count);
    float part = 0;
    for (std::int64_t i = from; i < to; ++i) part += firstTen(secondTen(firstTen(x[i])));
    sum += static_cast<double>(part);
  }
  return static_cast<float>(sum);
}

float handWrittenSum(const float* x, std::int64_t count) {
  // As many sums side by side as hide an addition's latency.
  constexpr std::int64_t kSums = 128;
  float sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums)
    for (std::int64_t s = 0; s < kSums; ++s) sums[s] += x[i + s];
  float sum = 0;
  for (const float part : sums) sum += part;
  for (; i < count; ++i) sum += x[i];
  return sum;
}

VectorFunction libraryFunction(const char* name) {
  struct Named {
    const char* name;
    VectorFunction function;
  };
  static constexpr Named kFunctions[] = {
      {"exp", each<expOf>},     {"log", each<logOf>},   {"sin", each<sinOf>},
      {"cos", each<cosOf>},     {"tan", each<tanOf>},   {"tanh", each<tanhOf>},
      {"atan", each<atanOf>},   {"erf", each<erfOf>},   {"expm1", each<expm1Of>},
      {"log1p", each<log1pOf>}, {"sinh", each<sinhOf>}, {"asinh", each<asinhOf>},
  };
  for (const Named& each : kFunctions)
    if (std::strcmp(each.name, name) == 0) return each.function;
  return nullptr;
}

}  // namespace fusebench::targets
