// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/python_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "engine/language/program_errors.h"
#include "engine/language/python_object.h"

namespace fusebench {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Above it a double no longer holds every int; such ints become floats.
constexpr double kExactInts = 9007199254740992.0;

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
      return tuple ? "a tuple" : "a list";
    case Kind::path:
      return text;
    case Kind::method:
      return "the method " + text + " without its parentheses";
    case Kind::size:
      return "a size";
    case Kind::shape:
      return "a shape";
    case Kind::dict:
      return "a dict";
    case Kind::slice:
      return "a slice";
    case Kind::ellipsis:
      return "'...'";
    case Kind::function:
      return "the function " + object->function->name;
    case Kind::type:
      return "the class " + object->name;
    case Kind::instance:
      if (const auto words = object->type->attributes.find("_shown");
          words != object->type->attributes.end() && object->type->library)
        return words->second.text;
      return "a " + object->type->name;
    case Kind::superior:
      return "super()";
    case Kind::held:
      return "a tensor";
    case Kind::iterator:
      return "an iterator";
    case Kind::outside:
      if (number > 0)
        return "what line " + std::to_string(static_cast<int>(number)) +
               " reads from a file, and programs read no files";
      return "what is left out of the program";
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

PythonValue PythonValue::textOf(std::string text, SourcePlace place) {
  PythonValue v;
  v.kind = Kind::text;
  v.text = std::move(text);
  v.place = place;
  return v;
}

PythonValue PythonValue::outsideFrom(const PythonValue& of, SourcePlace place) {
  PythonValue v = outsideOf({}, place);
  v.number = of.number;
  return v;
}

PythonValue PythonValue::outsideOf(std::string why, SourcePlace place) {
  PythonValue v;
  v.kind = Kind::outside;
  v.text = std::move(why);
  v.place = place;
  return v;
}

PythonValue PythonValue::sliceOfAll(SourcePlace place) {
  PythonValue slice = listOf({{}, {}, {}}, true, place);
  slice.kind = Kind::slice;
  slice.tuple = false;
  return slice;
}

PythonValue PythonValue::listOf(std::vector<PythonValue> items, bool tuple, SourcePlace place) {
  PythonValue v;
  v.kind = Kind::list;
  v.tuple = tuple;
  v.object = std::make_shared<PythonObject>();
  v.object->items = std::move(items);
  v.place = place;
  return v;
}

const std::vector<PythonValue>& PythonValue::items() const {
  static const std::vector<PythonValue> kNone;
  return object ? object->items : kNone;
}

PythonObject::~PythonObject() {
  thread_local std::vector<std::shared_ptr<PythonObject>>* going = nullptr;
  std::vector<std::shared_ptr<PythonObject>> own;
  std::vector<std::shared_ptr<PythonObject>>& into = going ? *going : own;
  const auto take = [&](PythonValue& value) {
    if (value.object) into.push_back(std::move(value.object));
    if (value.self) into.push_back(std::move(value.self));
  };
  for (PythonValue& item : items) take(item);
  for (auto& [key, value] : entries) {
    take(key);
    take(value);
  }
  for (auto& [key, value] : attributes) take(value);
  for (PythonValue& fallback : fallbacks) take(fallback);
  if (going) return;
  going = &own;
  while (!own.empty()) {
    const std::shared_ptr<PythonObject> last = std::move(own.back());
    own.pop_back();
  }
  going = nullptr;
}

std::string KeyPlaces::shared(const PythonValue& key) {
  if (key.kind == PythonValue::Kind::text) return "t" + key.text;
  if (!key.isNumber() || std::isnan(key.number)) return {};
  const double number = key.number == 0 ? 0 : key.number;  // -0.0 equals 0
  std::string bits(1 + sizeof number, 'n');
  std::memcpy(bits.data() + 1, &number, sizeof number);
  return bits;
}

std::size_t KeyPlaces::follow(const Entries& entries) {
  const std::size_t before = followed_;
  for (; followed_ < entries.size(); ++followed_) {
    const std::string key = shared(entries[followed_].first);
    if (key.empty())
      others_.push_back(followed_);
    else
      places_.emplace(key, followed_);
  }
  return followed_ - before;
}

std::optional<std::size_t> KeyPlaces::find(const std::string& shared) const {
  const auto found = places_.find(shared);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

void KeyPlaces::forget() {
  places_.clear();
  others_.clear();
  followed_ = 0;
}

bool reaches(const PythonValue& from, const PythonObject& of, std::size_t& visited) {
  std::vector<const PythonObject*> open;
  std::set<const PythonObject*> seen;
  const auto visit = [&](const std::shared_ptr<PythonObject>& object) {
    if (object && seen.insert(object.get()).second) open.push_back(object.get());
  };
  visit(from.object);
  visit(from.self);
  while (!open.empty()) {
    const PythonObject* const at = open.back();
    open.pop_back();
    ++visited;
    if (at == &of) return true;
    const auto look = [&](const PythonValue& value) {
      visit(value.object);
      visit(value.self);
    };
    for (const PythonValue& item : at->items) look(item);
    for (const auto& [key, value] : at->entries) look(value);
    for (const auto& [name, value] : at->attributes) look(value);
    for (const PythonValue& fallback : at->fallbacks) look(fallback);
    visit(at->type);
    for (const auto& base : at->bases) visit(base);
  }
  return false;
}

PythonValue PythonValue::pathOf(std::string path, SourcePlace place) {
  PythonValue v;
  v.kind = Kind::path;
  v.text = std::move(path);
  v.place = place;
  return v;
}

std::string_view mathName(std::string_view path) {
  for (std::string_view module : {"math.", "numpy."})
    if (path.substr(0, module.size()) == module) return path.substr(module.size());
  return {};
}

namespace {

/// Operators on the bits of whole numbers; false: it is none, or there are no such bits.
bool foldBits(std::string_view symbol, const PythonValue& a, const PythonValue& b,
              SourcePlace place, PythonValue& result) {
  constexpr double kMost = 9007199254740992.0;  // 2^53: whole numbers up to it are exact
  if (!a.integer || !b.integer || std::fabs(a.number) > kMost || std::fabs(b.number) > kMost)
    return false;
  const auto x = static_cast<std::int64_t>(a.number), y = static_cast<std::int64_t>(b.number);
  const bool flags = a.kind == PythonValue::Kind::flag && b.kind == PythonValue::Kind::flag;
  const auto give = [&](std::int64_t made) {
    result = PythonValue::numberOf(static_cast<double>(made), true, place);
    if (flags) result.kind = PythonValue::Kind::flag;
    return true;
  };
  if (symbol == "&") return give(x & y);
  if (symbol == "|") return give(x | y);
  if (symbol == "^") return give(x ^ y);
  if (y < 0 || y > 52) return false;
  if (symbol == ">>") return give(x >> y);
  if (symbol == "<<" && std::fabs(a.number) * std::ldexp(1.0, static_cast<int>(y)) <= kMost) {
    result = PythonValue::numberOf(a.number * std::ldexp(1.0, static_cast<int>(y)), true, place);
    return true;
  }
  return false;
}

/// Functions of math for integers, and its predicates for any number.
bool foldMath(std::string_view name, std::span<const PythonValue> arguments, SourcePlace place,
              PythonValue& result) {
  const double x = arguments[0].number, y = arguments.size() > 1 ? arguments[1].number : 0;
  if (arguments.size() == 1 && (name == "isnan" || name == "isinf" || name == "isfinite")) {
    const bool is = name == "isnan"   ? std::isnan(x)
                    : name == "isinf" ? std::isinf(x)
                                      : std::isfinite(x);
    result = PythonValue::flagOf(is, place);
    return true;
  }
  constexpr double kHalfTurn = 3.14159265358979323846;
  if (arguments.size() == 1 && (name == "radians" || name == "degrees")) {
    result = PythonValue::numberOf(
        name == "radians" ? x * (kHalfTurn / 180) : x * (180 / kHalfTurn), false, place);
    return true;
  }
  if (arguments.size() == 2 && name == "isclose") {
    const bool same = x == y;
    const bool close = std::isfinite(x) && std::isfinite(y) &&
                       std::fabs(x - y) <= 1e-9 * std::max(std::fabs(x), std::fabs(y));
    result = PythonValue::flagOf(same || close, place);
    return true;
  }
  constexpr double kMost = 4503599627370496.0;
  const bool whole = std::ranges::all_of(arguments, [](const PythonValue& each) {
    return each.integer && std::fabs(each.number) <= kMost;
  });
  if (!whole) return false;
  const auto give = [&](double made) {
    if (made > kMost) return false;
    result = PythonValue::numberOf(made, true, place);
    return true;
  };
  const auto a = static_cast<std::int64_t>(x), b = static_cast<std::int64_t>(y);
  if (arguments.size() == 2 && name == "gcd") return give(static_cast<double>(std::gcd(a, b)));
  if (arguments.size() == 2 && name == "lcm")
    return a == 0 || b == 0
               ? give(0)
               : give(std::fabs(x) / static_cast<double>(std::gcd(a, b)) * std::fabs(y));
  if (arguments.size() == 1 && name == "factorial" && a >= 0 && a <= 18) {
    double made = 1;
    for (std::int64_t i = 2; i <= a; ++i) made *= static_cast<double>(i);
    return give(made);
  }
  if (arguments.size() == 2 && name == "comb" && b >= 0 && a >= 0 && a <= 50) {
    double made = b > a ? 0 : 1;
    for (std::int64_t i = 0; i < b && made > 0; ++i)
      made = std::round(made * static_cast<double>(a - i) / static_cast<double>(i + 1));
    return give(made);
  }
  return false;
}

/// round(2.675, 2): the nearest number of so many decimals, as Python prints and reads it.
PythonValue roundedTo(const PythonValue& value, int digits, SourcePlace place) {
  if (digits >= 0) {
    if (value.integer) return value;
    const std::string shown = fmt::format("{:.{}f}", value.number, std::min(digits, 30));
    double made = 0;
    std::from_chars(shown.data(), shown.data() + shown.size(), made);
    return PythonValue::numberOf(made, false, place);
  }
  const double unit = std::pow(10.0, std::min(-digits, 20));
  return PythonValue::numberOf(std::nearbyint(value.number / unit) * unit, value.integer, place);
}

}  // namespace

/// Whether Python's result is an int that a double does not hold, or was made of such ints.
static bool isInexact(SizeKind kind, const PythonValue& a, const PythonValue& b,
                      const SizeNumber& folded) {
  const auto isInt = [](const PythonValue& v) { return v.integer || v.inexact; };
  if (kind == SizeKind::trueDivide || !isInt(a) || !isInt(b)) return false;
  if (kind == SizeKind::power && b.number < 0) return false;
  return a.inexact || b.inexact || (!folded.integer && std::abs(folded.number) > kExactInts);
}

PythonValue foldBinary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                       SourcePlace place) {
  if (PythonValue bits; foldBits(symbol, a, b, place, bits)) return bits;
  const std::optional<SizeOperator> meant = sizeOperator(symbol);
  if (!meant) failProgram(place, "'" + std::string(symbol) + "' between numbers is not supported");
  const PythonValue& first = meant->swapped ? b : a;
  const PythonValue& second = meant->swapped ? a : b;
  // A number that is a tensor is of float32 or of integers.
  const bool wrapped = a.wrapped || b.wrapped;
  const auto taken = [&](const PythonValue& value) {
    const bool rounded = wrapped && !(a.integer && b.integer);
    return SizeNumber{rounded ? static_cast<float>(value.number) : value.number, value.integer};
  };
  const SizeNumber folded = pythonArithmetic(meant->kind, taken(first), taken(second), 0, place);
  if (meant->kind >= SizeKind::less) return PythonValue::flagOf(folded.number != 0, place);
  PythonValue result = PythonValue::numberOf(
      wrapped && !folded.integer ? static_cast<float>(folded.number) : folded.number,
      folded.integer, place);
  result.wrapped = wrapped;
  result.inexact = isInexact(meant->kind, a, b, folded);
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
  if (path == "round" && arguments.size() == 2 && arguments[1].integer && finite) {
    result =
        roundedTo(first, static_cast<int>(std::clamp(arguments[1].number, -20.0, 30.0)), place);
    return true;
  }
  if (path.starts_with("math.") && foldMath(mathName(path), arguments, place, result)) return true;
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
  if (const int which = findSizeFunction(name); which >= 0 && arguments.size() == 1) {
    const SizeNumber number = pythonArithmetic(SizeKind::function, {first.number, first.integer},
                                               {1, true}, which, place);
    result = PythonValue::numberOf(number.number, number.integer, place);
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
    if (parsed.ec == std::errc() && parsed.ptr == end) {
      PythonValue value = PythonValue::numberOf(static_cast<double>(whole), true, place);
      value.inexact = static_cast<double>(whole) > kExactInts;
      return value;
    }
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
                "'" + std::string(text) + "' is not a real number; write one like 3, 0.5 or 1e-3");
  // Python reads 1e999 as infinity and 1e-999 as 0.
  if (tooLarge) number = digits.find("e-") != std::string::npos || digits[0] == '.' ? 0 : kInf;
  PythonValue value = PythonValue::numberOf(number, whole && number <= kExactInts, place);
  std::uint64_t exact = 0;  // the literal itself, where 64 bits hold it
  const bool fits = whole && std::from_chars(begin, end, exact).ec == std::errc();
  value.inexact =
      whole && (number > kExactInts || (fits && static_cast<std::uint64_t>(number) != exact));
  return value;
}

}  // namespace fusebench
