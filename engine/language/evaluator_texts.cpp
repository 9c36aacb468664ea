// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are put together: f"{i:02d}", "{}".format(i), "%d" % i. They name layers, so that they
// have to be what Python makes of them.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/language/ast_parser.h"
#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"
#include "engine/language/surroundings.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// No number in a name is as long.
constexpr int kWidestField = 200;
/// Up to it a double is one int alone.
constexpr double kExactInt = 9007199254740992.0;
/// A format may have braces of its own, which have one without.
constexpr int kDeepestFormat = 1;

bool isDecimal(char c) {
  return c >= '0' && c <= '9';
}
bool isAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A number at the front of a text, which is taken off.
int takeNumber(std::string_view& text) {
  int value = 0;
  while (!text.empty() && isDecimal(text[0])) {
    value = std::min(value * 10 + (text[0] - '0'), kWidestField + 1);
    text.remove_prefix(1);
  }
  return value;
}

/// The format after the colon: fill and alignment, sign, zeros, width, groups, digits, type.
struct FieldFormat {
  std::string fill = " ";  ///< one letter
  char align = 0, sign = 0, grouping = 0, type = 0;
  bool zeros = false;      ///< a 0 before the width
  bool alternate = false;  ///< '#': 0x before digits of another base
  int width = 0, digits = -1;
  bool understood = true;
};

FieldFormat fieldFormatOf(std::string_view spec) {
  FieldFormat made;
  const auto isAlign = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  const auto take = [&](char c) {
    const bool there = spec.starts_with(c);
    if (there) spec.remove_prefix(1);
    return there;
  };
  bool filled = false;
  const std::size_t first = bytesOfLetters(spec, 1);
  if (spec.size() > first && isAlign(spec[first])) {
    made.fill = spec.substr(0, first);
    made.align = spec[first];
    filled = true;
    spec.remove_prefix(first + 1);
  } else if (!spec.empty() && isAlign(spec[0])) {
    made.align = spec[0];
    spec.remove_prefix(1);
  }
  if (!spec.empty() && (spec[0] == '+' || spec[0] == ' ' || spec[0] == '-')) {
    made.sign = spec[0];
    spec.remove_prefix(1);
  }
  made.alternate = take('#');
  if (!filled && take('0')) {
    made.fill = "0";
    made.zeros = true;
  }
  made.width = takeNumber(spec);
  if (!spec.empty() && (spec[0] == ',' || spec[0] == '_')) {
    made.grouping = spec[0];
    spec.remove_prefix(1);
  }
  if (take('.')) {
    if (spec.empty() || !isDecimal(spec[0])) made.understood = false;
    made.digits = takeNumber(spec);
  }
  if (spec.size() == 1) {
    made.type = spec[0];
    spec.remove_prefix(1);
  }
  made.understood = made.understood && spec.empty();
  return made;
}

void checkWidth(int width, int digits, SourcePlace place) {
  if (width > kWidestField || digits > kWidestField)
    failProgram(
        place, fmt::format("a field of a string is at most {} characters wide here", kWidestField));
}

std::string padded(const std::string& sign, const std::string& text, const FieldFormat& format,
                   char align) {
  const auto width = static_cast<std::size_t>(format.width);
  const std::size_t own = sign.size() + letterCount(text);
  if (own >= width) return sign + text;
  const auto fill = [&](std::size_t count) {
    std::string made;
    for (std::size_t i = 0; i < count; ++i) made += format.fill;
    return made;
  };
  const std::size_t room = width - own;
  if (align == '=') return sign + fill(room) + text;
  if (align == '<') return sign + text + fill(room);
  if (align == '^') return fill(room / 2) + sign + text + fill(room - room / 2);
  return fill(room) + sign + text;
}

/// Digits in groups, with zeros before them until all of it is `least` long.
std::string grouped(std::string_view digits, char mark, int each, int least) {
  std::string backwards;
  for (;;) {
    const auto left = static_cast<int>(digits.size());
    const int taken = std::min(each, std::max({left, least, 1}));
    for (int i = 0; i < taken; ++i) {
      backwards += digits.empty() ? '0' : digits.back();
      if (!digits.empty()) digits.remove_suffix(1);
    }
    least -= taken;
    if (digits.empty() && least <= 0) break;
    backwards += mark;
    --least;
  }
  return {backwards.rbegin(), backwards.rend()};
}

/// Significant digits, the first of which stands for 10 to the power of `exponent`, as %g lays
/// them out. `dot`: as a float alone is shown, with a digit behind its point.
std::string laidOut(std::string digits, int exponent, int precision, bool dot) {
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.empty()) digits = "0";
  if (exponent < -4 || exponent + 1 > precision - (dot ? 1 : 0))
    return digits.substr(0, 1) + (digits.size() > 1 ? "." + digits.substr(1) : "") +
           fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
  if (exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole)
    return digits + std::string(whole - digits.size(), '0') + (dot ? ".0" : "");
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

/// The same of "1.25e+02".
std::string laidOutOf(std::string_view scientific, int precision, bool dot) {
  const std::size_t mark = scientific.find('e');
  std::string digits(scientific.substr(0, 1));
  if (mark > 2) digits += scientific.substr(2, mark - 2);
  int exponent = 0;
  std::string_view power = scientific.substr(mark + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  return laidOut(std::move(digits), exponent, precision, dot);
}

/// A float that is not negative, as Python shows it.
std::string shownMagnitude(double magnitude) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude,
                                 std::chars_format::scientific)
                       .ptr;
  return laidOutOf({buffer.data(), static_cast<std::size_t>(end - buffer.data())}, 17, true);
}

std::string inCapitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return text;
}

/// The digits of a finite float by the type of its field; empty: there is no such.
std::string floatDigits(double magnitude, char type, int given) {
  const int digits = given < 0 ? 6 : given;
  switch (type) {
    case 0:
      return given < 0 ? shownMagnitude(magnitude)
                       : laidOutOf(fmt::format("{:.{}e}", magnitude, std::max(given, 1) - 1),
                                   std::max(given, 1), true);
    case 'f':
    case 'F':
      return fmt::format("{:.{}f}", magnitude, digits);
    case 'e':
      return fmt::format("{:.{}e}", magnitude, digits);
    case 'E':
      return inCapitals(fmt::format("{:.{}e}", magnitude, digits));
    case 'g':
    case 'G': {
      const int precision = std::max(digits, 1);
      const std::string made =
          laidOutOf(fmt::format("{:.{}e}", magnitude, precision - 1), precision, false);
      return type == 'G' ? inCapitals(made) : made;
    }
    case '%':
      return fmt::format("{:.{}f}%", magnitude * 100, digits);
    default:
      return {};
  }
}

/// The digits of an int by the type of its field; empty: there is no such, or it is too large for
/// its last digits to be known.
std::string intDigits(double magnitude, char type) {
  if (!(magnitude <= kExactInt)) return {};
  const int base = type == 'd'                  ? 10
                   : type == 'b'                ? 2
                   : type == 'o'                ? 8
                   : type == 'x' || type == 'X' ? 16
                                                : 0;
  if (base == 0) return {};
  std::array<char, 80> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                 static_cast<std::uint64_t>(magnitude), base)
                       .ptr;
  const std::string made(buffer.data(), end);
  return type == 'X' ? inCapitals(made) : made;
}

bool isNegative(const PythonValue& value) {
  if (value.integer || value.kind == Kind::flag) return value.number < 0;  // an int has no -0
  return std::signbit(value.number) && !std::isnan(value.number);
}

std::string signOf(const PythonValue& value, char sign) {
  if (isNegative(value)) return "-";
  return sign == '+' || sign == ' ' ? std::string(1, sign) : std::string();
}

/// A number in its field; none: there is no such format of one.
std::optional<std::string> numberInField(const PythonValue& value, const FieldFormat& format) {
  const bool whole = value.integer || value.kind == Kind::flag;
  const double magnitude = std::abs(value.number);
  char type = format.type == 0 && whole ? 'd' : format.type;
  if (type == 'n') type = whole ? 'd' : 'g';
  const bool ofInts = type != 0 && std::string_view("bdoxX").find(type) != std::string_view::npos;
  const bool ofFloats =
      type == 0 || std::string_view("eEfFgG%").find(type) != std::string_view::npos;
  if (!ofInts && !ofFloats) return std::nullopt;
  std::string sign = signOf(value, format.sign), digits, rest;
  if (ofInts) {
    if (!whole || format.digits >= 0) return std::nullopt;
    if (type != 'd' && format.grouping == ',') return std::nullopt;
    digits = intDigits(magnitude, type);
    if (digits.empty()) return std::nullopt;
    if (format.alternate && type != 'd') sign += std::string("0") + type;
  } else if (!std::isfinite(magnitude)) {
    rest = std::isnan(magnitude) ? "nan" : "inf";
    if (type >= 'A' && type <= 'G') rest = inCapitals(rest);
    if (type == '%') rest += '%';
  } else {
    if (format.alternate) return std::nullopt;
    rest = floatDigits(magnitude, type, format.digits);
    const auto end = std::ranges::find_if_not(rest, isDecimal) - rest.begin();
    digits = rest.substr(0, static_cast<std::size_t>(end));
    rest.erase(0, static_cast<std::size_t>(end));
  }
  const char align = format.align != 0 ? format.align : format.zeros ? '=' : '>';
  if (format.grouping != 0 && !digits.empty()) {
    const bool zeros = align == '=' && format.fill == "0";
    const int least = zeros ? format.width - static_cast<int>(sign.size() + rest.size()) : 0;
    digits = grouped(digits, format.grouping, ofInts && type != 'd' ? 4 : 3, least);
  }
  return padded(sign, digits + rest, format, align);
}

/// The flags and numbers between '%' and its letter.
struct PercentField {
  bool left = false, zeros = false, alternate = false;
  char sign = 0, type = 0;
  int width = 0, digits = -1;

  std::string in(const std::string& before, const std::string& text, bool number) const {
    FieldFormat format;
    format.width = width;
    if (number && zeros && !left) format.fill = "0";
    return padded(before, text, format, left ? '<' : number && zeros ? '=' : '>');
  }
};

/// A number in it; none: there is no such.
std::optional<std::string> numberInPercent(const PythonValue& value, const PercentField& field) {
  const bool whole = value.integer || value.kind == Kind::flag;
  const double magnitude = std::abs(value.number);
  char type = field.type;
  if (type == 'i' || type == 'u') type = 'd';
  std::string sign = signOf(value, field.sign), digits;
  if (std::string_view("doxX").find(type) != std::string_view::npos) {
    // '%d' % 2.7 is 2, and so is -0.5 a 0; the others are of ints alone.
    if (!std::isfinite(magnitude) || (type != 'd' && !whole)) return std::nullopt;
    const double trunc = std::trunc(magnitude);
    if (trunc == 0) sign = signOf(PythonValue::numberOf(0, true, {}), field.sign);
    digits = intDigits(trunc, type);
    if (digits.empty()) return std::nullopt;
    const auto least = static_cast<std::size_t>(std::max(field.digits, 0));
    if (digits.size() < least) digits.insert(0, least - digits.size(), '0');
    if (field.alternate && type != 'd') sign += std::string("0") + type;
    return field.in(sign, digits, true);
  }
  if (std::string_view("eEfFgG").find(type) == std::string_view::npos || field.alternate)
    return std::nullopt;
  if (!std::isfinite(magnitude)) {
    digits = std::isnan(magnitude) ? "nan" : "inf";
    if (type <= 'G') digits = inCapitals(digits);
  } else {
    digits = floatDigits(magnitude, type, field.digits);
  }
  return field.in(sign, digits, true);
}

/// Values that are known by name alone until sizes or values are: a message shows them as written.
bool isShownByName(const PythonValue& value) {
  return value.kind == Kind::size || value.kind == Kind::tensor || value.kind == Kind::held ||
         value.kind == Kind::shape;
}

void checkDepth(int depth, SourcePlace place) {
  if (depth > kDeepestFormat)
    failProgram(place, "a format of a string may have braces, but none within these");
}

std::size_t closingBrace(std::string_view raw, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < raw.size(); ++at) {
    if (raw[at] == '{') ++depth;
    if (raw[at] == '}' && depth-- == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string shownFloat(double number) {
  if (std::isnan(number)) return "nan";
  const std::string sign = std::signbit(number) ? "-" : "";
  return sign + (std::isinf(number) ? "inf" : shownMagnitude(std::abs(number)));
}

std::string Evaluator::withFormat(const PythonValue& given, std::string_view spec,
                                  SourcePlace place) {
  if (given.kind == PythonValue::Kind::outside) return "...";
  if (spec.empty()) return shownText(given, place);
  const PythonValue value = inText(given, place);
  const FieldFormat format = fieldFormatOf(spec);
  const auto refuse = [&](const std::string& of) {
    failProgram(place, "'" + std::string(spec) + "' is not a format of " + of + " here");
  };
  checkWidth(format.width, format.digits, place);
  if (isShownByName(value)) return padded("", shownText(value, place), format, '<');
  if (value.isNumber()) {
    const std::optional<std::string> made =
        format.understood ? numberInField(value, format) : std::nullopt;
    if (!made) refuse(value.integer || value.kind == Kind::flag ? "an int" : "a float");
    return *made;
  }
  const bool plain = format.sign == 0 && format.grouping == 0 && !format.alternate &&
                     format.align != '=' && (format.type == 0 || format.type == 's');
  if (value.kind != Kind::text) refuse(value.shown() + ", which has none");
  if (!format.understood || !plain) refuse("a string");
  std::string_view text = value.text;
  if (format.digits >= 0)
    text = text.substr(0, bytesOfLetters(text, static_cast<std::size_t>(format.digits)));
  return padded("", std::string(text), format, format.align == 0 ? '<' : format.align);
}

/// "r": f"{x!r}" is as the value is written in a program.
PythonValue Evaluator::converted(const PythonValue& value, std::string_view conversion,
                                 SourcePlace place) {
  if (conversion.empty()) return value;
  if (conversion != "r" && conversion != "s")
    failProgram(place, "'!" + std::string(conversion) + "' is not a conversion; use !r or !s");
  return PythonValue::textOf(
      conversion == "r" ? writtenText(value, place) : shownText(value, place), place);
}

PythonValue Evaluator::percentFormat(const PythonValue& text, const PythonValue& values,
                                     SourcePlace place) {
  std::vector<PythonValue> items{values};
  if (values.kind == Kind::list && values.tuple) items = values.items();
  std::size_t next = 0;
  const auto item = [&]() -> const PythonValue& {
    if (next >= items.size()) failProgram(place, "this string has more '%' than there are values");
    return items[next++];
  };
  const auto numberOrItem = [&](std::string_view& rest) {
    if (!rest.starts_with('*')) return takeNumber(rest);
    rest.remove_prefix(1);
    const std::int64_t given = knownInteger(item(), "the width of this field", place);
    return static_cast<int>(std::clamp<std::int64_t>(given, -kWidestField - 1, kWidestField + 1));
  };
  TextPieces made(place);
  for (std::string_view rest = text.text; !rest.empty();) {
    const std::size_t plain = std::min(rest.find('%'), rest.size());
    made.add(rest.substr(0, plain));
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    rest.remove_prefix(1);
    PercentField field;
    for (; !rest.empty() && std::string_view("-+ #0").find(rest[0]) != std::string_view::npos;
         rest.remove_prefix(1)) {
      field.left = field.left || rest[0] == '-';
      field.zeros = field.zeros || rest[0] == '0';
      field.alternate = field.alternate || rest[0] == '#';
      if (rest[0] == '+' || (rest[0] == ' ' && field.sign == 0)) field.sign = rest[0];
    }
    field.width = numberOrItem(rest);
    if (field.width < 0) {
      field.left = true;
      field.width = -field.width;
    }
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      field.digits = std::max(numberOrItem(rest), 0);
    }
    checkWidth(field.width, field.digits, place);
    if (rest.empty() || (!isAsciiLetter(rest[0]) && rest[0] != '%'))
      failProgram(place,
                  "'%' in a string needs a conversion after it, as in '%d' % i; for names write an "
                  "f-string");
    field.type = rest[0];
    rest.remove_prefix(1);
    if (field.type == '%') {
      made.add('%');
      continue;
    }
    const PythonValue value = inText(item(), place);
    const bool plainly = field.type == 's' || field.type == 'r';
    if (plainly || isShownByName(value)) {
      const std::string all =
          field.type == 'r' ? writtenText(value, place) : shownText(value, place);
      const std::size_t kept = plainly && field.digits >= 0
                                   ? bytesOfLetters(all, static_cast<std::size_t>(field.digits))
                                   : all.size();
      made.add(field.in("", all.substr(0, kept), false));
      continue;
    }
    const std::optional<std::string> number =
        value.isNumber() ? numberInPercent(value, field) : std::nullopt;
    if (!number)
      failProgram(place, std::string("'%") + field.type + "' does not stand for " +
                             (value.isNumber() ? "this number" : value.shown()) +
                             "; '%s' takes anything");
    made.add(*number);
  }
  if (next < items.size()) failProgram(place, "this string has fewer '%' than there are values");
  return made.value();
}

std::string Evaluator::braced(std::string_view raw, const std::vector<CallArgument>& arguments,
                              std::size_t& next, int depth, SourcePlace place) {
  TextPieces made(place);
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if ((c == '{' || c == '}') && i + 1 < raw.size() && raw[i + 1] == c) {
      made.add(raw[++i]);
      continue;
    }
    if (c != '{') {
      made.add(c);
      continue;
    }
    const std::size_t end = closingBrace(raw, i + 1);
    if (end == std::string_view::npos) failProgram(place, "a '{' of this string is not closed");
    checkDepth(depth, place);
    const std::string_view field = raw.substr(i + 1, end - i - 1);
    const std::size_t colon = std::min(field.find(':'), field.size());
    const std::size_t mark = std::min(field.find('!'), colon);
    const std::string name(field.substr(0, mark));
    const std::string_view conversion =
        mark < colon ? field.substr(mark + 1, colon - mark - 1) : std::string_view();
    const CallArgument* found = nullptr;
    const bool counted = std::ranges::all_of(name, isDecimal);
    std::size_t wanted = counted && name.empty() ? next++ : 0;
    if (counted && !name.empty())
      for (const char digit : name)
        wanted = std::min<std::size_t>(wanted * 10 + static_cast<std::size_t>(digit - '0'), 10000);
    std::size_t at = 0;
    for (const CallArgument& each : arguments) {
      if (counted && each.keyword.empty() && at++ == wanted) found = &each;
      if (!counted && each.keyword == name) found = &each;
    }
    if (!found)
      failProgram(place, "this string has no value for '{" + name +
                             "}'; attributes and items in it "
                             "are written as an f-string");
    const std::string spec =
        colon < field.size() ? braced(field.substr(colon + 1), arguments, next, depth + 1, place)
                             : std::string();
    made.add(withFormat(converted(found->value, conversion, place), spec, place));
    i = end;
  }
  return made.take();
}

PythonValue Evaluator::braceFormat(const std::string& raw,
                                   const std::vector<CallArgument>& arguments, SourcePlace place) {
  std::size_t next = 0;
  return PythonValue::textOf(braced(raw, arguments, next, 0, place), place);
}

std::string Evaluator::formatted(const std::string& raw, int depth, SourcePlace place) {
  TextPieces text(place);
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if ((c == '{' || c == '}') && i + 1 < raw.size() && raw[i + 1] == c) {
      text.add(c);
      ++i;
      continue;
    }
    if (c != '{') {
      text.add(c);
      continue;
    }
    checkDepth(depth, place);
    // Up to ':' (a format), '!' (a conversion) or the closing brace, brackets apart.
    std::size_t end = i + 1;
    int open = 0;
    for (; end < raw.size(); ++end) {
      if (raw[end] == '(' || raw[end] == '[' || raw[end] == '{') ++open;
      const bool conversion = raw[end] == '!' && end + 1 < raw.size() && raw[end + 1] != '=';
      if (open == 0 && (raw[end] == ':' || conversion || raw[end] == '}')) break;
      if (raw[end] == ')' || raw[end] == ']' || raw[end] == '}') --open;
    }
    std::string inner = raw.substr(i + 1, end - i - 1);
    const std::size_t close = std::min(closingBrace(raw, end), raw.size());
    const std::size_t colon = std::min(raw.find(':', end), close);
    std::string conversion =
        end < colon && raw[end] == '!' ? raw.substr(end + 1, colon - end - 1) : std::string();
    const std::string spec =
        colon < close ? formatted(raw.substr(colon + 1, close - colon - 1), depth + 1, place)
                      : std::string();
    // f"{n=}" is the expression, and what it is.
    if (const std::size_t last = inner.find_last_not_of(' ');
        last != std::string::npos && last > 0 && inner[last] == '=' &&
        std::string_view("=!<>").find(inner[last - 1]) == std::string_view::npos) {
      text.add(inner);
      inner.erase(last);
      if (conversion.empty() && spec.empty()) conversion = "r";
    }
    const bool within = std::exchange(quoted_, true);
    const PythonValue value = evaluate(*parseExpression(inner, place));
    quoted_ = within;
    text.add(withFormat(converted(value, conversion, place), spec, place));
    i = close;
  }
  return text.take();
}

PythonValue Evaluator::format(const ast::Expression& e) {
  return PythonValue::textOf(formatted(e.text, 0, e.place), e.place);
}

bool Evaluator::textCall(const PythonValue& callee, const std::vector<CallArgument>& arguments,
                         const ast::Expression& e, PythonValue& result) {
  if (callee.kind != PythonValue::Kind::path) return false;
  if (callee.text == "globals" || callee.text == "locals") {
    result = PythonValue::outsideOf({}, e.place);
    return true;
  }
  if (callee.text == "compile" && !arguments.empty()) {
    result = arguments.front().value;
    return true;
  }
  const bool evaluates = callee.text == "eval";
  if (!evaluates && callee.text != "exec") return false;
  if (arguments.empty() || arguments.front().value.kind != PythonValue::Kind::text)
    failProgram(e.place, callee.text +
                             " is given a string that is not known while the program is read; "
                             "build it from strings and numbers, or write the lines out");
  const std::string& text = arguments.front().value.text;
  step(e.place, 1 + text.size() / 16);
  if (!evaluates) {
    if (!built_)
      failProgram(e.place,
                  "exec is read outside of functions, or in a function that lines outside of "
                  "functions call; write out the lines that it is given");
    built_->push_back({text, e.place});
    result = PythonValue();
    return true;
  }
  if (record_ && inLibrary_ == 0 && !quoted_) {
    const auto known = record_->evaluated.emplace(e.begin, text);
    if (!known.second && known.first->second != text)
      failProgram(e.place,
                  "eval gets a different string at each call here; write the choice with 'if'");
  }
  const ast::ExpressionPtr read = parseExpression(text, e.place, "the text that eval gets");
  const bool quoted = std::exchange(quoted_, true);
  try {
    result = evaluate(*read);
  } catch (const ProgramError& error) {
    quoted_ = quoted;
    throw ProgramError(e.place, "in the string that eval gets: " + std::string(error.what()));
  }
  quoted_ = quoted;
  return true;
}

}  // namespace fusebench
