// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are put together: f"{i:02d}", "{}".format(i), "%d" % i. They name layers, so that they
// have to be what Python makes of them.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// No number in a name is as long.
constexpr int kWidestField = 200;

/// What stands behind the colon: fill and alignment, sign, zeros, width, digits, type.
struct FieldFormat {
  char fill = ' ', align = 0, sign = '-', type = 0;
  bool thousands = false;
  int width = 0, digits = -1;
  bool understood = true;
};

FieldFormat fieldFormatOf(std::string_view spec) {
  FieldFormat made;
  const auto isAlign = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  const auto number = [&] {
    int value = 0;
    while (!spec.empty() && std::isdigit(static_cast<unsigned char>(spec[0]))) {
      value = std::min(value * 10 + (spec[0] - '0'), kWidestField);
      spec.remove_prefix(1);
    }
    return value;
  };
  if (spec.size() > 1 && isAlign(spec[1])) {
    made.fill = spec[0];
    made.align = spec[1];
    spec.remove_prefix(2);
  } else if (!spec.empty() && isAlign(spec[0])) {
    made.align = spec[0];
    spec.remove_prefix(1);
  }
  if (!spec.empty() && (spec[0] == '+' || spec[0] == ' ' || spec[0] == '-')) {
    made.sign = spec[0];
    spec.remove_prefix(1);
  }
  if (!spec.empty() && spec[0] == '0') {
    if (made.align == 0) {
      made.fill = '0';
      made.align = '=';
    }
    spec.remove_prefix(1);
  }
  made.width = number();
  if (!spec.empty() && spec[0] == ',') {
    made.thousands = true;
    spec.remove_prefix(1);
  }
  if (!spec.empty() && spec[0] == '.') {
    spec.remove_prefix(1);
    made.digits = number();
  }
  if (spec.size() == 1) {
    made.type = spec[0];
    spec.remove_prefix(1);
  }
  made.understood = spec.empty();
  return made;
}

std::string withThousands(const std::string& digits) {
  std::size_t whole = 0;
  while (whole < digits.size() && std::isdigit(static_cast<unsigned char>(digits[whole]))) ++whole;
  std::string made;
  for (std::size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % 3 == 0) made += ',';
    made += digits[i];
  }
  return made + digits.substr(whole);
}

/// The digits of a number without its sign; empty: there is no such format of one.
std::string digitsOf(const PythonValue& value, const FieldFormat& format) {
  const double magnitude = std::abs(value.number);
  std::array<char, 400> buffer{};
  const auto whole = static_cast<long long>(magnitude);
  const int digits = format.digits < 0 ? 6 : format.digits;
  switch (format.type) {
    case 'd':
    case 'i':
    case 'u':
      std::snprintf(buffer.data(), buffer.size(), "%lld", whole);
      break;
    case 'x':
      std::snprintf(buffer.data(), buffer.size(), "%llx", whole);
      break;
    case 'f':
    case 'F':
      std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, magnitude);
      break;
    case 'e':
      std::snprintf(buffer.data(), buffer.size(), "%.*e", digits, magnitude);
      break;
    case 'g':
      std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, magnitude);
      break;
    case '%':
      std::snprintf(buffer.data(), buffer.size(), "%.*f%%", digits, magnitude * 100);
      break;
    default:
      return {};
  }
  return buffer.data();
}

std::string padded(const std::string& sign, const std::string& text, const FieldFormat& format,
                   char usualAlign) {
  const auto width = static_cast<std::size_t>(format.width);
  const std::size_t own = sign.size() + text.size();
  if (own >= width) return sign + text;
  const std::size_t room = width - own;
  const char align = format.align == 0 ? usualAlign : format.align;
  const std::string fill(room, format.fill);
  if (align == '=') return sign + fill + text;
  if (align == '<') return sign + text + fill;
  if (align == '^') return fill.substr(0, room / 2) + sign + text + fill.substr(0, room - room / 2);
  return fill + sign + text;
}

}  // namespace

std::string Evaluator::withFormat(const PythonValue& value, std::string_view spec,
                                  SourcePlace place) {
  if (spec.empty()) return shownText(value, place);
  FieldFormat format = fieldFormatOf(spec);
  if (!format.understood)
    failProgram(place, "'" + std::string(spec) + "' is no format of a text here; write {} alone");
  const bool number = value.kind == Kind::number || value.kind == Kind::flag;
  if (number && std::isfinite(value.number) && format.type != 's') {
    if (format.type == 0) {
      if (value.integer || value.kind == Kind::flag)
        format.type = 'd';
      else if (format.digits >= 0)
        format.type = 'g';
    }
    std::string digits = digitsOf(value, format);
    if (digits.empty() && format.type == 0) {
      digits = shownText(value, place);
      if (digits.starts_with('-')) digits.erase(0, 1);
    }
    if (digits.empty())
      failProgram(place, "'" + std::string(spec) + "' is no format of a number here");
    if (format.thousands) digits = withThousands(digits);
    const std::string sign = std::signbit(value.number) && value.number != 0 ? "-"
                             : format.sign == '-'                            ? ""
                                                  : std::string(1, format.sign);
    return padded(sign, digits, format, '>');
  }
  std::string text = shownText(value, place);
  if (value.kind == Kind::text && format.digits >= 0)
    text = text.substr(0, static_cast<std::size_t>(format.digits));
  return padded("", text, format, '<');
}

PythonValue Evaluator::percentFormat(const PythonValue& text, const PythonValue& values,
                                     SourcePlace place) {
  std::vector<PythonValue> items{values};
  if (values.kind == Kind::list && values.tuple) items = values.items();
  std::size_t next = 0;
  std::string made;
  const std::string& raw = text.text;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '%') {
      made += raw[i];
      continue;
    }
    if (i + 1 < raw.size() && raw[i + 1] == '%') {
      made += raw[++i];
      continue;
    }
    std::size_t end = i + 1;
    while (end < raw.size() && !std::isalpha(static_cast<unsigned char>(raw[end])) &&
           raw[end] != '(')
      ++end;
    if (end >= raw.size() || raw[end] == '(')
      failProgram(place,
                  "'%' in a text is followed by what it stands for, as in '%d' % i; for "
                  "names write an f-string");
    if (next >= items.size()) failProgram(place, "this text has more '%' than there are values");
    std::string spec = raw.substr(i + 1, end - i - 1);
    const bool left = spec.starts_with('-');
    if (left) spec.replace(0, 1, "<");
    const char type = raw[end];
    const bool plain = type == 's' || type == 'r';
    if (plain && !left && !spec.empty() && spec[0] != '.') spec = ">" + spec;
    made += withFormat(items[next++], plain ? spec : spec + type, place);
    i = end;
  }
  if (next < items.size()) failProgram(place, "this text has fewer '%' than there are values");
  return PythonValue::textOf(std::move(made), place);
}

PythonValue Evaluator::braceFormat(const std::string& raw,
                                   const std::vector<CallArgument>& arguments, SourcePlace place) {
  std::size_t next = 0;
  std::string made;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if ((c == '{' || c == '}') && i + 1 < raw.size() && raw[i + 1] == c) {
      made += raw[++i];
      continue;
    }
    if (c != '{') {
      made += c;
      continue;
    }
    const std::size_t end = raw.find('}', i);
    if (end == std::string::npos) failProgram(place, "a '{' of this text is not closed");
    const std::string field = raw.substr(i + 1, end - i - 1);
    const std::size_t colon = std::min(field.find(':'), field.size());
    const std::string name = field.substr(0, std::min(colon, field.find('!')));
    const std::string spec = colon < field.size() ? field.substr(colon + 1) : std::string();
    const CallArgument* found = nullptr;
    const bool counted = std::ranges::all_of(
        name, [](char digit) { return std::isdigit(static_cast<unsigned char>(digit)) != 0; });
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
      failProgram(place, "this text has no value for '{" + name +
                             "}'; attributes and items in it "
                             "are written as an f-string");
    made += withFormat(found->value, spec, place);
    i = end;
  }
  return PythonValue::textOf(std::move(made), place);
}

}  // namespace fusebench
