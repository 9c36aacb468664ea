// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "engine/language/program_errors.h"
#include "engine/language/size_expression.h"

namespace fusebench {
namespace {

/// Above it a double no longer holds every int; such ints become floats.
constexpr double kExactSizes = 9007199254740992.0;

constexpr std::array<SizeFunction, 25> kSizeFunctions = {{
    {"sqrt", std::sqrt, false},   {"exp", std::exp, false},     {"log", std::log, false},
    {"log2", std::log2, false},   {"log10", std::log10, false}, {"log1p", std::log1p, false},
    {"expm1", std::expm1, false}, {"sin", std::sin, false},     {"cos", std::cos, false},
    {"tan", std::tan, false},     {"asin", std::asin, false},   {"acos", std::acos, false},
    {"atan", std::atan, false},   {"sinh", std::sinh, false},   {"cosh", std::cosh, false},
    {"tanh", std::tanh, false},   {"asinh", std::asinh, false}, {"acosh", std::acosh, false},
    {"atanh", std::atanh, false}, {"erf", std::erf, false},     {"erfc", std::erfc, false},
    {"fabs", std::fabs, false},   {"floor", std::floor, true},  {"ceil", std::ceil, true},
    {"trunc", std::trunc, true},
}};

double floorRemainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Python's math functions and ** raise where C gives a NaN or an infinity.
double real(double result, bool finiteOperands, SourcePlace place) {
  if (finiteOperands && std::isnan(result)) failProgram(place, "this has no real result");
  if (finiteOperands && std::isinf(result))
    failProgram(place, "the result of this is too large for a float, or infinite");
  return result;
}

SizeNumber numberOr(double number, bool integer) {
  return {number, integer && std::fabs(number) <= kExactSizes};
}

}  // namespace

std::span<const SizeFunction> sizeFunctions() {
  return kSizeFunctions;
}

int findSizeFunction(std::string_view name) {
  for (std::size_t i = 0; i < kSizeFunctions.size(); ++i)
    if (kSizeFunctions[i].name == name) return static_cast<int>(i);
  return -1;
}

std::optional<SizeOperator> sizeOperator(std::string_view symbol) {
  constexpr std::array<std::pair<std::string_view, SizeOperator>, 13> kOperators = {{
      {"+", {SizeKind::add, false}},
      {"-", {SizeKind::subtract, false}},
      {"*", {SizeKind::multiply, false}},
      {"/", {SizeKind::trueDivide, false}},
      {"//", {SizeKind::floorDivide, false}},
      {"%", {SizeKind::remainder, false}},
      {"**", {SizeKind::power, false}},
      {"<", {SizeKind::less, false}},
      {"<=", {SizeKind::lessEqual, false}},
      {">", {SizeKind::less, true}},
      {">=", {SizeKind::lessEqual, true}},
      {"==", {SizeKind::equal, false}},
      {"!=", {SizeKind::notEqual, false}},
  }};
  for (const auto& [each, meant] : kOperators)
    if (each == symbol) return meant;
  return std::nullopt;
}

SizeNumber pythonArithmetic(SizeKind kind, SizeNumber a, SizeNumber b, int which,
                            SourcePlace place) {
  const double x = a.number, y = b.number;
  const bool integers = a.integer && b.integer;
  if (y == 0 && (kind == SizeKind::trueDivide || kind == SizeKind::floorDivide ||
                 kind == SizeKind::remainder))
    failProgram(place, "division of numbers by zero");
  switch (kind) {
    // Python lets + - * overflow to infinity, but raises for **.
    case SizeKind::add:
      return numberOr(x + y, integers);
    case SizeKind::subtract:
      return numberOr(x - y, integers);
    case SizeKind::multiply:
      return numberOr(x * y, integers);
    case SizeKind::trueDivide:
      return {x / y, false};
    case SizeKind::floorDivide:
      return numberOr(std::floor(x / y), integers);
    case SizeKind::remainder:
      return numberOr(floorRemainder(x, y), integers);
    case SizeKind::power:
      return numberOr(real(std::pow(x, y), std::isfinite(x) && std::isfinite(y), place),
                      integers && y >= 0);
    case SizeKind::negative:
      return {a.integer && x == 0 ? 0 : -x, a.integer};  // an int has no -0
    case SizeKind::absolute:
      return {std::fabs(x), a.integer};
    case SizeKind::minimum:
      return y < x ? b : a;
    case SizeKind::maximum:
      return y > x ? b : a;
    case SizeKind::toInteger:
      return numberOr(real(std::trunc(x), true, place), true);
    case SizeKind::toFloat:
      return {x, false};
    case SizeKind::round:
      return numberOr(real(std::nearbyint(x), true, place), true);
    case SizeKind::function: {
      const SizeFunction& function = kSizeFunctions[static_cast<std::size_t>(which)];
      return numberOr(real(function.function(x), std::isfinite(x), place), function.integer);
    }
    case SizeKind::less:
      return {x < y ? 1.0 : 0.0, true};
    case SizeKind::lessEqual:
      return {x <= y ? 1.0 : 0.0, true};
    case SizeKind::equal:
      return {x == y ? 1.0 : 0.0, true};
    case SizeKind::notEqual:
      return {x != y ? 1.0 : 0.0, true};
    case SizeKind::constant:
    case SizeKind::extent:
    case SizeKind::rank:
    case SizeKind::elements:
      break;
  }
  return a;
}

}  // namespace fusebench
