// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/slow_paths.h"

#include <array>
#include <cmath>

using fusebench::cpu::kRemainderLimit;
using fusebench::cpu::kTangentLimit;
using fusebench::cpu::kTrigonometricLimit;
using fusebench::cpu::kWideTrigonometricLimit;

extern "C" {

void fusebenchSin(const float* x, float* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double lane = static_cast<double>(x[i]);
    if (std::abs(lane) > kTrigonometricLimit) y[i] = static_cast<float>(std::sin(lane));
  }
}

void fusebenchCos(const float* x, float* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double lane = static_cast<double>(x[i]);
    if (std::abs(lane) > kTrigonometricLimit) y[i] = static_cast<float>(std::cos(lane));
  }
}

void fusebenchTan(const float* x, float* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double lane = static_cast<double>(x[i]);
    if (std::abs(lane) > kTangentLimit) y[i] = static_cast<float>(std::tan(lane));
  }
}

void fusebenchWideSin(const double* x, double* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    if (std::abs(x[i]) > kWideTrigonometricLimit) y[i] = std::sin(x[i]);
}

void fusebenchWideCos(const double* x, double* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    if (std::abs(x[i]) > kWideTrigonometricLimit) y[i] = std::cos(x[i]);
}

void fusebenchFmod(const float* x, const float* y, float* r, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double quotient = static_cast<double>(x[i]) / static_cast<double>(y[i]);
    if (std::abs(quotient) >= kRemainderLimit) r[i] = std::fmod(x[i], y[i]);
  }
}

}  // extern "C"

namespace fusebench::cpu {

std::span<const HostFunction> hostFunctions() {
  static const std::array<HostFunction, 6> functions = {{
      {"fusebenchSin", reinterpret_cast<void*>(&fusebenchSin)},
      {"fusebenchCos", reinterpret_cast<void*>(&fusebenchCos)},
      {"fusebenchTan", reinterpret_cast<void*>(&fusebenchTan)},
      {"fusebenchWideSin", reinterpret_cast<void*>(&fusebenchWideSin)},
      {"fusebenchWideCos", reinterpret_cast<void*>(&fusebenchWideCos)},
      {"fusebenchFmod", reinterpret_cast<void*>(&fusebenchFmod)},
  }};
  return functions;
}

}  // namespace fusebench::cpu
