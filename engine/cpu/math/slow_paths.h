// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/ops/expr.h"

namespace fusebench::cpu {

/// A host function that generated code may call, under the name that it uses.
struct HostFunction {
  const char* name;
  void* address;
};

/// Every host function that VectorMath's code refers to. A JIT defines them as absolute symbols.
std::span<const HostFunction> hostFunctions();
/// The name under which generated code calls the host's pow of two doubles.
inline constexpr const char* kHostPower = "fusebench_power";

/// A primitive on doubles that generated code leaves to the host: void (const double* operands...,
/// double* results, std::int64_t count).
struct WideFunction {
  Primitive primitive;
  const char* name;
  void* address;
};
std::span<const WideFunction> wideFunctions();
/// void (const std::int64_t* bases, const std::int64_t* exponents, std::int64_t* powers,
/// std::int64_t count); see integerPower().
inline constexpr const char* kHostIntegerPower = "fusebench_integer_power";
void* integerPowers();

/// Beyond this magnitude, the vector code of sin and cos passes lanes to the host. Up to here,
/// three float32 constants reduce an argument to less than half a unit in the last place.
inline constexpr double kTrigonometricLimit = 1 << 18;
/// The same for doubles, whose multiples of pi/2 must be below 2^20.
inline constexpr double kWideTrigonometricLimit = 1 << 20;
/// The same for tan, whose multiples are of half of pi.
inline constexpr double kTangentLimit = 1 << 17;
/// Quotients from here on leave too few bits in a double for an exact remainder.
inline constexpr double kRemainderLimit = 1 << 27;

}  // namespace fusebench::cpu

// Each processes `count` lanes and changes only those that the vector code cannot handle, so the
// result of a lane never depends on adjacent lanes.
extern "C" {
/// For |x| > kTrigonometricLimit: y = sin(x).
void fusebenchSin(const float* x, float* y, std::int64_t count);
/// For |x| > kTrigonometricLimit: y = cos(x).
void fusebenchCos(const float* x, float* y, std::int64_t count);
/// For |x| > kTangentLimit: y = tan(x).
void fusebenchTan(const float* x, float* y, std::int64_t count);
/// For |x| > kWideTrigonometricLimit: y = sin(x).
void fusebenchWideSin(const double* x, double* y, std::int64_t count);
/// For |x| > kWideTrigonometricLimit: y = cos(x).
void fusebenchWideCos(const double* x, double* y, std::int64_t count);
/// For |x / y| >= kRemainderLimit: r = fmod(x, y).
void fusebenchFmod(const float* x, const float* y, float* r, std::int64_t count);
}
