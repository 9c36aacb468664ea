// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/python_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Above it a double no longer holds every int; such ints go on as floats.
constexpr double kExactInts = 9007199254740992.0;

struct Unary {
  std::string_view name;
  double (*function)(double);
  bool integer;
};
constexpr Unary kUnaryFunctions[] = {
    {"sqrt", std::sqrt, false},   {"exp", std::exp, false},     {"log", std::log, false},
    {"log2", std::log2, false},   {"log10", std::log10, false}, {"log1p", std::log1p, false},
    {"expm1", std::expm1, false}, {"sin", std::sin, false},     {"cos", std::cos, false},
    {"tan", std::tan, false},     {"asin", std::asin, false},   {"acos", std::acos, false},
    {"atan", std::atan, false},   {"sinh", std::sinh, false},   {"cosh", std::cosh, false},
    {"tanh", std::tanh, false},   {"asinh", std::asinh, false}, {"acosh", std::acosh, false},
    {"atanh", std::atanh, false}, {"erf", std::erf, false},     {"erfc", std::erfc, false},
    {"fabs", std::fabs, false},   {"floor", std::floor, true},  {"ceil", std::ceil, true},
    {"trunc", std::trunc, true},
};

struct Binary {
  std::string_view name;
  double (*function)(double, double);
};
constexpr Binary kBinary[] = {
    {"pow", std::pow},
    {"atan2", std::atan2},
    {"hypot", std::hypot},
    {"fmod", std::fmod},
    {"copysign", std::copysign},
    {"log", [](double x, double base) { return std::log(x) / std::log(base); }},
};

struct Named {
  std::string_view name;
  double number;
};
constexpr Named kNamed[] = {
    {"pi", std::numbers::pi},
    {"e", std::numbers::e},
    {"tau", 2 * std::numbers::pi},
    {"inf", kInf},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
};

/// "sqrt" of "math.sqrt" or "numpy.sqrt"; empty for other modules.
std::string_view mathName(std::string_view path) {
  for (std::string_view module : {"math.", "numpy."})
    if (path.substr(0, module.size()) == module) return path.substr(module.size());
  return {};
}

double floorDivide(double a, double b) {
  return std::floor(a / b);
}

double remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

PythonValue checked(double result, bool integer, bool finiteOperands, SourcePlace place) {
  if (finiteOperands && std::isnan(result)) failProgram(place, "this has no real result");
  if (finiteOperands && std::isinf(result))
    failProgram(place, "the result of this is too large for a float, or infinite");
  return PythonValue::numberOf(result, integer && std::fabs(result) <= kExactInts, place);
}

bool allFinite(std::span<const PythonValue> values) {
  return std::all_of(values.begin(), values.end(),
                     [](const PythonValue& v) { return std::isfinite(v.number); });
}

bool compare(std::string_view symbol, double a, double b, bool& result) {
  if (symbol == "<")
    result = a < b;
  else if (symbol == "<=")
    result = a <= b;
  else if (symbol == ">")
    result = a > b;
  else if (symbol == ">=")
    result = a >= b;
  else if (symbol == "==")
    result = a == b;
  else if (symbol == "!=")
    result = a != b;
  else
    return false;
  return true;
}

PythonValue toFloat(const PythonValue& argument, SourcePlace place) {
  if (argument.isNumber()) return PythonValue::numberOf(argument.number, false, place);
  std::string text = argument.text;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.erase(0, 1);
  double number = 0;
  if (text == "inf" || text == "infinity") {
    number = kInf;
  } else if (text == "nan") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
      failProgram(place,
                  "float cannot read '" + argument.text + "'; write a number, 'inf' or 'nan'");
  }
  return PythonValue::numberOf(negative ? -number : number, false, place);
}

}  // namespace

std::string PythonValue::shown() const {
  switch (kind) {
    case Kind::tensor:
      return "a tensor";
    case Kind::number:
      return "a number";
    case Kind::flag:
      return number != 0 ? "True" : "False";
    case Kind::text:
      return "'" + text + "'";
    case Kind::none:
      return "None";
    case Kind::list:
      return "a tuple";
    case Kind::path:
      return text;
    case Kind::method:
      return "the method " + text + " without its parentheses";
  }
  return "?";
}

PythonValue PythonValue::tensorOf(ValueId value, SourcePlace place) {
  PythonValue v;
  v.kind = Kind::tensor;
  v.value = value;
  v.place = place;
  return v;
}

PythonValue PythonValue::numberOf(double number, bool integer, SourcePlace place) {
  PythonValue v;
  v.kind = Kind::number;
  v.number = number;
  v.integer = integer;
  v.place = place;
  return v;
}

PythonValue PythonValue::flagOf(bool flag, SourcePlace place) {
  PythonValue v = numberOf(flag ? 1 : 0, true, place);
  v.kind = Kind::flag;
  return v;
}

PythonValue PythonValue::pathOf(std::string path, SourcePlace place) {
  PythonValue v;
  v.kind = Kind::path;
  v.text = std::move(path);
  v.place = place;
  return v;
}

PythonValue foldBinary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                       SourcePlace place) {
  const double x = a.number, y = b.number;
  const bool integers = a.integer && b.integer;
  const bool finite = std::isfinite(x) && std::isfinite(y);
  bool truth = false;
  if (compare(symbol, x, y, truth)) return PythonValue::flagOf(truth, place);
  if (y == 0 && (symbol == "/" || symbol == "//" || symbol == "%"))
    failProgram(place, "division of numbers by zero");
  PythonValue result;
  // Python lets + - * overflow to infinity, but raises for **.
  if (symbol == "+")
    result = PythonValue::numberOf(x + y, integers, place);
  else if (symbol == "-")
    result = PythonValue::numberOf(x - y, integers, place);
  else if (symbol == "*")
    result = PythonValue::numberOf(x * y, integers, place);
  else if (symbol == "/")
    result = PythonValue::numberOf(x / y, false, place);
  else if (symbol == "//")
    result = PythonValue::numberOf(floorDivide(x, y), integers, place);
  else if (symbol == "%")
    result = PythonValue::numberOf(remainder(x, y), integers, place);
  else if (symbol == "**")
    result = checked(std::pow(x, y), integers && y >= 0, finite, place);
  else
    failProgram(place, "'" + std::string(symbol) + "' between numbers is not part of a program");
  if (std::fabs(result.number) > kExactInts) result.integer = false;
  result.wrapped = a.wrapped || b.wrapped;
  return result;
}

bool foldCall(std::string_view path, std::span<const PythonValue> arguments, SourcePlace place,
              PythonValue& result) {
  const bool numbers =
      !arguments.empty() && std::all_of(arguments.begin(), arguments.end(),
                                        [](const PythonValue& v) { return v.isNumber(); });
  if (path == "float" && arguments.size() == 1 &&
      (numbers || arguments[0].kind == PythonValue::Kind::text)) {
    result = toFloat(arguments[0], place);
    return true;
  }
  if (!numbers) return false;
  const bool finite = allFinite(arguments);
  const PythonValue& first = arguments[0];
  if (path == "int" && arguments.size() == 1) {
    result = checked(std::trunc(first.number), true, true, place);
    return true;
  }
  if (path == "round" && arguments.size() == 1) {
    result = checked(std::nearbyint(first.number), true, true, place);
    return true;
  }
  if (path == "abs" && arguments.size() == 1) {
    result = PythonValue::numberOf(std::fabs(first.number), first.integer, place);
    return true;
  }
  if (path == "pow" && arguments.size() == 2) {
    result = foldBinary("**", first, arguments[1], place);
    return true;
  }
  if ((path == "min" || path == "max") && arguments.size() > 1) {
    const auto less = [](const PythonValue& a, const PythonValue& b) {
      return a.number < b.number;
    };
    result = path == "min" ? *std::min_element(arguments.begin(), arguments.end(), less)
                           : *std::max_element(arguments.begin(), arguments.end(), less);
    return true;
  }
  const std::string_view name = mathName(path);
  for (const Unary& each : kUnaryFunctions)
    if (each.name == name && arguments.size() == 1) {
      result = checked(each.function(first.number), each.integer, finite, place);
      return true;
    }
  for (const Binary& each : kBinary)
    if (each.name == name && arguments.size() == 2) {
      result = checked(each.function(first.number, arguments[1].number), false, finite, place);
      return true;
    }
  return false;
}

bool namedNumber(std::string_view path, double& number) {
  std::string_view name = mathName(path);
  if (path.substr(0, 6) == "torch.") name = path.substr(6);
  for (const Named& each : kNamed)
    if (each.name == name) {
      number = each.number;
      return true;
    }
  return false;
}

PythonValue numberLiteral(std::string_view text, SourcePlace place) {
  std::string digits;
  bool wrong = text.empty() || text.back() == '_';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_')
      digits += text[i];
    else if (i == 0 || text[i - 1] == '_')
      wrong = true;
  }
  const char* begin = digits.data();
  const char* const end = digits.data() + digits.size();
  const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (!wrong && hex) {
    std::uint64_t whole = 0;
    const auto parsed = std::from_chars(begin + 2, end, whole, 16);
    if (parsed.ec == std::errc() && parsed.ptr == end)
      return PythonValue::numberOf(static_cast<double>(whole), true, place);
    wrong = true;
  }
  double number = 0;
  const auto parsed = std::from_chars(begin, end, number);
  const bool tooLarge = parsed.ec == std::errc::result_out_of_range;
  if (parsed.ptr != end || (parsed.ec != std::errc() && !tooLarge)) wrong = true;
  const bool whole = digits.find_first_of(".eE") == std::string::npos;
  // Python: 012 is an error, 1j is complex.
  if (whole && digits.size() > 1 && digits[0] == '0' &&
      digits.find_first_not_of('0') != std::string::npos)
    wrong = true;
  if (wrong)
    failProgram(place,
                "'" + std::string(text) + "' is no real number; write one like 3, 0.5 or 1e-3");
  // Python reads 1e999 as infinity and 1e-999 as 0.
  if (tooLarge) number = digits.find("e-") != std::string::npos || digits[0] == '.' ? 0 : kInf;
  return PythonValue::numberOf(number, whole && number <= kExactInts, place);
}

}  // namespace fusebench
