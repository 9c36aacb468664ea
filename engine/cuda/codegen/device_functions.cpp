// SPDX-License-Identifier: GPL-3.0-or-later
// The primitives as CUDA's functions, and as our own where CUDA's may break a row's bound.
//
// CUDA's documented errors (CUDA C++ Programming Guide, Mathematical Functions, float32, with
// -ftz=false -prec-div=true -prec-sqrt=true) count units between the result and the correctly
// rounded one, so that up to half a unit must be added. Editions differ by a unit in places; about:
// 0 for + - * / sqrtf fmaf fmodf and roundings; 1 for logf log2f log1pf expm1f; 2 for expf exp2f
// sinf cosf tanhf asinf acosf atanf coshf erff; 3 for sinhf asinhf atanhf atan2f. Ours, through
// double, are those at or over a row's bound: log10f (2, bound 2), tanf, acoshf, powf, erfcf (4 or
// more, bound 4; gelu needs a better erfc than that). expf, exp2f, sinf, cosf and tanhf are at
// their bound of 2 there: their actual errors must be measured on a device.
#include "engine/cuda/codegen/device_functions.h"

#include <array>
#include <span>

#include <fmt/format.h>

#include "engine/cuda/codegen/source_text.h"
#include "engine/ops/polynomials.h"

namespace fusebench::cuda {
namespace {

namespace poly = cpu::poly;

/// Lines that define `name` as the polynomial with these coefficients, lowest power first, by
/// Horner's rule in double.
std::string horner(std::string_view name, std::span<const double> coefficients,
                   std::string_view x) {
  std::string text = fmt::format("  double {} = {};\n", name, doubleText(coefficients.back()));
  for (std::size_t i = coefficients.size() - 1; i-- > 0;)
    text += fmt::format("  {0} = fma({0}, {1}, {2});\n", name, x, doubleText(coefficients[i]));
  return text;
}

constexpr std::string_view kFunction = "static __device__ __forceinline__";

std::string leastOf() {
  return fmt::format(
      "// NaN if either is.\n"
      "{} float leastOf(const float a, const float b) {{\n"
      "  return a < b || a != a ? a : b;\n"
      "}}\n",
      kFunction);
}

std::string greatestOf() {
  return fmt::format(
      "// NaN if either is.\n"
      "{} float greatestOf(const float a, const float b) {{\n"
      "  return a > b || a != a ? a : b;\n"
      "}}\n",
      kFunction);
}

/// log m = 2 artanh(s), s = (m - 1) / (m + 1), x = 2^k m with m from sqrt(1/2) to sqrt(2).
std::string wideLog() {
  return fmt::format(
      "// log x to 2^-44 for positive, normal, finite x.\n"
      "{0} double wideLog(const double x) {{\n"
      "  const long long shifted = __double_as_longlong(x) - 0x3fe6a09e667f3bcdll;\n"
      "  const double m =\n"
      "      __longlong_as_double((shifted & 0x000fffffffffffffll) + 0x3fe6a09e667f3bcdll);\n"
      "  const double k = (double)(int)(shifted >> 52);\n"
      "  const double s = (m - 1.0) / (m + 1.0);\n"
      "  const double z = s * s;\n"
      "{1}"
      "  return fma(k, 0.6931471805599453, fma(s * z, tail, s * 2.0));\n"
      "}}\n",
      kFunction, horner("tail", poly::kDoubleLogTail, "z"));
}

/// e^x = 2^n e^r with r = x - n ln 2 (Cody and Waite 1980).
std::string wideExp() {
  return fmt::format(
      "// e^x to 2^-37 for |x| <= 600; NaN stays NaN.\n"
      "{0} double wideExp(const double x) {{\n"
      "  const double n = rint(x * 1.4426950408889634);\n"
      "  const double r = fma(n, {1}, fma(n, {2}, x));\n"
      "{3}"
      "  const double p = fma(r * r, tail, r) + 1.0;\n"
      "  return p * __longlong_as_double((long long)((int)n + 1023) << 52);\n"
      "}}\n",
      kFunction, doubleText(-0x1.473de6af278edp-34), doubleText(-0x1.62e42fefp-1),
      horner("tail", poly::kDoubleExpTail, "r"));
}

std::string logTo10() {
  return fmt::format(
      "{} float logTo10(const float x) {{\n"
      "  if (!(x > 0.0f) || x - x != 0.0f) return log10f(x);  // zeros, negatives, infinity, NaN\n"
      "  return (float)(wideLog((double)x) * 0.4342944819032518);\n"
      "}}\n",
      kFunction);
}

std::string arcCosh() {
  return fmt::format(
      "{} float arcCosh(const float x) {{\n"
      "  if (!(x >= 1.0f) || x - x != 0.0f) return acoshf(x);  // no result, infinity, NaN\n"
      "  const double wide = x;\n"
      "  return (float)wideLog(wide + sqrt(fma(wide, wide, -1.0)));\n"
      "}}\n",
      kFunction);
}

/// For |x|: e^(-x^2) / (1 + 2x) times a function of slow change; erfc(-x) = 2 - erfc(x).
std::string errorComplement() {
  return fmt::format(
      "{0} float errorComplement(const float x) {{\n"
      "  const double magnitude = fabsf(x);\n"
      "  const double a = magnitude > 10.1 ? 10.1 : magnitude;\n"
      "  const double t = (a - 2.0) / (a + 2.0);\n"
      "{1}"
      "  const double positive = wideExp(-(a * a)) * slow / fma(a, 2.0, 1.0);\n"
      "  return (float)(x < 0.0f ? 2.0 - positive : positive);\n"
      "}}\n",
      kFunction, horner("slow", poly::kDoubleErfc, "t"));
}

std::string power() {
  return fmt::format(
      "{} float power(const float x, const float y) {{\n"
      "  const float a = fabsf(x);\n"
      "  if (y == 0.0f || x == 1.0f) return 1.0f;\n"
      "  // Zeros, infinities and NaN as C's pow has them.\n"
      "  if (a == 0.0f || a - a != 0.0f || y - y != 0.0f) return powf(x, y);\n"
      "  const float half = y * 0.5f;\n"
      "  const bool whole = truncf(y) == y, odd = whole && truncf(half) != half;\n"
      "  if (x < 0.0f && !whole) return __int_as_float(0x7fc00000);\n"
      "  // e^(y log a), which beyond +-200 is infinite or 0 as a float.\n"
      "  double product = (double)y * wideLog((double)a);\n"
      "  product = product < 200.0 ? product : 200.0;\n"
      "  product = product > -200.0 ? product : -200.0;\n"
      "  const float magnitude = (float)wideExp(product);\n"
      "  return odd ? copysignf(magnitude, x) : magnitude;\n"
      "}}\n",
      kFunction);
}

/// x = n pi/2 + r; the quotient of sin r and cos r, or its negative inverse for odd n. pi/2 in two
/// parts, the upper one of 33 bits: its product with n below 2^20 is exact.
std::string tangent() {
  return fmt::format(
      "{0} float tangent(const float x) {{\n"
      "  const double wide = x;\n"
      "  if (x == 0.0f) return x;  // -0\n"
      "  if (!(fabsf(x) < 1048576.0f)) return (float)tan(wide);\n"
      "  const double n = rint(wide * 0.6366197723675814);\n"
      "  const double r = fma(n, {1}, fma(n, {2}, wide));\n"
      "  const double z = r * r;\n"
      "{3}"
      "{4}"
      "  const double sine = r * fma(z, sineTail, 1.0);\n"
      "  const double cosine = fma(z * z, cosineTail, fma(z, -0.5, 1.0));\n"
      "  const bool odd = ((int)n & 1) != 0;\n"
      "  return (float)((odd ? -cosine : sine) / (odd ? sine : cosine));\n"
      "}}\n",
      kFunction, doubleText(-0x1.0b4611a626331p-34), doubleText(-0x1.921fb544p0),
      horner("sineTail", poly::kDoubleSinTail, "z"),
      horner("cosineTail", poly::kDoubleCosTail, "z"));
}

struct Own {
  std::string_view name;
  std::string (*definition)();
  std::vector<Primitive> usedBy;
};

const std::vector<Own>& ownFunctions() {
  using enum Primitive;
  static const std::vector<Own> all = {
      {"leastOf", leastOf, {min}},
      {"greatestOf", greatestOf, {max}},
      {"wideLog", wideLog, {log10, acosh, pow}},
      {"wideExp", wideExp, {erfc, pow}},
      {"logTo10", logTo10, {log10}},
      {"arcCosh", arcCosh, {acosh}},
      {"errorComplement", errorComplement, {erfc}},
      {"power", power, {pow}},
      {"tangent", tangent, {tan}},
  };
  return all;
}

}  // namespace

std::string_view functionName(Primitive primitive) {
  switch (primitive) {
    case Primitive::fma:
      return "fmaf";
    case Primitive::abs:
      return "fabsf";
    case Primitive::sqrt:
      return "sqrtf";
    case Primitive::fmod:
      return "fmodf";
    case Primitive::exp:
      return "expf";
    case Primitive::exp2:
      return "exp2f";
    case Primitive::expm1:
      return "expm1f";
    case Primitive::log:
      return "logf";
    case Primitive::log2:
      return "log2f";
    case Primitive::log10:
      return "logTo10";
    case Primitive::log1p:
      return "log1pf";
    case Primitive::pow:
      return "power";
    case Primitive::sin:
      return "sinf";
    case Primitive::cos:
      return "cosf";
    case Primitive::tan:
      return "tangent";
    case Primitive::asin:
      return "asinf";
    case Primitive::acos:
      return "acosf";
    case Primitive::atan:
      return "atanf";
    case Primitive::atan2:
      return "atan2f";
    case Primitive::sinh:
      return "sinhf";
    case Primitive::cosh:
      return "coshf";
    case Primitive::tanh:
      return "tanhf";
    case Primitive::asinh:
      return "asinhf";
    case Primitive::acosh:
      return "arcCosh";
    case Primitive::atanh:
      return "atanhf";
    case Primitive::erf:
      return "erff";
    case Primitive::erfc:
      return "errorComplement";
    case Primitive::floor:
      return "floorf";
    case Primitive::ceil:
      return "ceilf";
    case Primitive::trunc:
      return "truncf";
    case Primitive::round:
      return "rintf";
    case Primitive::min:
      return "leastOf";
    case Primitive::max:
      return "greatestOf";
    case Primitive::copysign:
      return "copysignf";
    default:
      return {};
  }
}

bool isRoutine(Primitive primitive) {
  switch (primitive) {
    case Primitive::fma:
    case Primitive::abs:
    case Primitive::floor:
    case Primitive::ceil:
    case Primitive::trunc:
    case Primitive::round:
    case Primitive::min:
    case Primitive::max:
    case Primitive::copysign:
      return false;
    default:
      return primitive == Primitive::div || !functionName(primitive).empty();
  }
}

std::vector<std::string> functionsFor(const std::vector<bool>& primitives) {
  std::vector<std::string> made;
  for (const Own& own : ownFunctions()) {
    bool used = false;
    for (Primitive primitive : own.usedBy) used |= primitives[static_cast<std::size_t>(primitive)];
    if (used) made.push_back(own.definition());
  }
  return made;
}

std::vector<std::string_view> ownFunctionNames() {
  std::vector<std::string_view> names;
  for (const Own& own : ownFunctions()) names.push_back(own.name);
  return names;
}

}  // namespace fusebench::cuda
