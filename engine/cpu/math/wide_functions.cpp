// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that generated code calls for float64 and for integer powers, many lanes at a time.
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "engine/base/integer_power.h"
#include "engine/cpu/math/slow_paths.h"

namespace fusebench::cpu {
namespace {

using One = double (*)(double);
using Two = double (*)(double, double);

template <One kFunction>
void eachOf(const double* x, double* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = kFunction(x[i]);
}
template <Two kFunction>
void eachOfTwo(const double* a, const double* b, double* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = kFunction(a[i], b[i]);
}
void eachFma(const double* a, const double* b, const double* c, double* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = std::fma(a[i], b[i], c[i]);
}
void eachPower(const std::int64_t* a, const std::int64_t* b, std::int64_t* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = integerPower(a[i], b[i]);
}

template <One kFunction>
constexpr void* oneOf() {
  return reinterpret_cast<void*>(&eachOf<kFunction>);
}
template <Two kFunction>
constexpr void* twoOf() {
  return reinterpret_cast<void*>(&eachOfTwo<kFunction>);
}

}  // namespace

std::span<const WideFunction> wideFunctions() {
  using enum Primitive;
  static const std::array functions = {
      WideFunction{fma, "fusebench_wide_fma", reinterpret_cast<void*>(&eachFma)},
      WideFunction{fmod, "fusebench_wide_fmod", twoOf<Two(std::fmod)>()},
      WideFunction{exp, "fusebench_wide_exp", oneOf<One(std::exp)>()},
      WideFunction{exp2, "fusebench_wide_exp2", oneOf<One(std::exp2)>()},
      WideFunction{expm1, "fusebench_wide_expm1", oneOf<One(std::expm1)>()},
      WideFunction{log, "fusebench_wide_log", oneOf<One(std::log)>()},
      WideFunction{log2, "fusebench_wide_log2", oneOf<One(std::log2)>()},
      WideFunction{log10, "fusebench_wide_log10", oneOf<One(std::log10)>()},
      WideFunction{log1p, "fusebench_wide_log1p", oneOf<One(std::log1p)>()},
      WideFunction{pow, "fusebench_wide_pow", twoOf<Two(std::pow)>()},
      WideFunction{tan, "fusebench_wide_tan", oneOf<One(std::tan)>()},
      WideFunction{asin, "fusebench_wide_asin", oneOf<One(std::asin)>()},
      WideFunction{acos, "fusebench_wide_acos", oneOf<One(std::acos)>()},
      WideFunction{atan, "fusebench_wide_atan", oneOf<One(std::atan)>()},
      WideFunction{atan2, "fusebench_wide_atan2", twoOf<Two(std::atan2)>()},
      WideFunction{sinh, "fusebench_wide_sinh", oneOf<One(std::sinh)>()},
      WideFunction{cosh, "fusebench_wide_cosh", oneOf<One(std::cosh)>()},
      WideFunction{tanh, "fusebench_wide_tanh", oneOf<One(std::tanh)>()},
      WideFunction{asinh, "fusebench_wide_asinh", oneOf<One(std::asinh)>()},
      WideFunction{acosh, "fusebench_wide_acosh", oneOf<One(std::acosh)>()},
      WideFunction{atanh, "fusebench_wide_atanh", oneOf<One(std::atanh)>()},
      WideFunction{erf, "fusebench_wide_erf", oneOf<One(std::erf)>()},
      WideFunction{erfc, "fusebench_wide_erfc", oneOf<One(std::erfc)>()},
  };
  return functions;
}

void* integerPowers() {
  return reinterpret_cast<void*>(&eachPower);
}

}  // namespace fusebench::cpu
