// SPDX-License-Identifier: GPL-3.0-or-later
// Methods of str, and how values are shown in a text.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "engine/language/evaluator.h"
#include "engine/language/expression_text.h"
#include "engine/language/program_errors.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr std::string_view kBlanks = " \t\n\r\f\v";
/// Longest text, about, of a list or dict that is shown.
constexpr std::size_t kLongestListed = 1000;

/// A text as it is written in a program.
std::string pythonText(std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos;
  const char quote = single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string made(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\')
      made += std::string("\\") + c;
    else if (c == '\n' || c == '\t' || c == '\r')
      made += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      made += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      made += c;
  }
  return made + quote;
}

/// Without these letters at its ends, or at one of them.
std::string_view stripped(std::string_view text, std::string_view any, bool left, bool right) {
  // A byte below 0x80 is a whole letter; only longer letters have to be separated first.
  if (std::ranges::all_of(any, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    while (left && !text.empty() && any.find(text.front()) != std::string_view::npos)
      text.remove_prefix(1);
    while (right && !text.empty() && any.find(text.back()) != std::string_view::npos)
      text.remove_suffix(1);
    return text;
  }
  const std::vector<std::string_view> letters = lettersOf(text);
  std::size_t from = 0, to = letters.size();
  while (left && from < to && any.find(letters[from]) != std::string_view::npos) ++from;
  while (right && to > from && any.find(letters[to - 1]) != std::string_view::npos) --to;
  std::size_t first = 0, last = text.size();
  for (std::size_t i = 0; i < from; ++i) first += letters[i].size();
  for (std::size_t i = to; i < letters.size(); ++i) last -= letters[i].size();
  return text.substr(first, last - first);
}

/// At blanks, or at `by`; at most so many times, which -1 does not limit.
std::vector<std::string_view> splitText(std::string_view text, std::string_view by,
                                        std::int64_t most) {
  std::vector<std::string_view> parts;
  if (by.empty()) {
    for (text = stripped(text, kBlanks, true, false); !text.empty();
         text = stripped(text, kBlanks, true, false)) {
      const std::size_t end =
          most >= 0 && std::ssize(parts) >= most ? text.size() : text.find_first_of(kBlanks);
      parts.push_back(text.substr(0, std::min(end, text.size())));
      text.remove_prefix(parts.back().size());
    }
    return parts;
  }
  for (std::size_t next;
       (most < 0 || std::ssize(parts) < most) && (next = text.find(by)) != std::string_view::npos;
       text.remove_prefix(next + by.size()))
    parts.push_back(text.substr(0, next));
  parts.push_back(text);
  return parts;
}

}  // namespace

PythonValue Evaluator::textMethod(const PythonValue& self, const std::string& name,
                                  const std::vector<CallArgument>& arguments, SourcePlace place) {
  const std::string& text = self.text;
  step(place, text.size() / 16);
  const auto argument = [&]() -> const std::string& {
    if (arguments.empty() || arguments[0].value.kind != Kind::text)
      failProgram(place, "." + name + " of a string needs a string");
    return arguments[0].value.text;
  };
  const auto atMost = [&](std::size_t count) {
    if (arguments.size() > count)
      failProgram(arguments[count].place,
                  "." + name + " of a string takes " + std::to_string(count) +
                      (count == 1 ? " argument" : " arguments") + " in a program");
  };
  if (name == "lower" || name == "upper") {
    std::string changed = text;
    for (char& c : changed) {
      if (name == "lower" && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
      if (name == "upper" && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
    return PythonValue::textOf(std::move(changed), place);
  }
  if (name == "startswith" || name == "endswith") {
    atMost(1);
    return PythonValue::flagOf(
        name == "startswith" ? text.starts_with(argument()) : text.ends_with(argument()), place);
  }
  if (name == "find" || name == "index" || name == "count") {
    atMost(1);
    const std::string& wanted = argument();
    const std::size_t at = text.find(wanted);
    if (name == "index" && at == std::string::npos)
      failProgram(place, "'" + wanted + "' is not in this string");
    double found =
        at == std::string::npos ? -1 : static_cast<double>(letterCount(text.substr(0, at)));
    if (name == "count") {
      found = wanted.empty() ? static_cast<double>(letterCount(text) + 1) : 0;
      for (std::size_t next = at; next != std::string::npos && !wanted.empty(); ++found)
        next = text.find(wanted, next + wanted.size());
    }
    return PythonValue::numberOf(found, true, place);
  }
  if (name == "format") return braceFormat(text, arguments, place);
  if (name == "isdigit" || name == "isalpha" || name == "isnumeric") {
    const auto is = [&](char c) {
      return name == "isalpha" ? (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                               : c >= '0' && c <= '9';
    };
    if (std::ranges::any_of(text, [](char c) { return (static_cast<unsigned char>(c) >> 7) != 0; }))
      failProgram(place, "." + name + " is only supported for a string of ASCII letters");
    return PythonValue::flagOf(std::ranges::all_of(text, is) && !text.empty(), place);
  }
  if (name == "replace" && arguments.size() == 2) {
    const std::string& from = argument();
    if (from.empty() || arguments[1].value.kind != Kind::text)
      failProgram(place, ".replace of a string needs two strings, the first of which is not empty");
    const std::string& to = arguments[1].value.text;
    TextPieces made(place);
    std::string_view rest = text;
    for (std::size_t next; (next = rest.find(from)) != std::string_view::npos;
         rest.remove_prefix(next + from.size())) {
      made.add(rest.substr(0, next));
      made.add(to);
    }
    made.add(rest);
    return made.value();
  }
  if (name == "strip" || name == "rstrip" || name == "lstrip") {
    atMost(1);
    const std::string any = arguments.empty() || arguments[0].value.kind == Kind::none
                                ? std::string(kBlanks)
                                : argument();
    return PythonValue::textOf(std::string(stripped(text, any, name != "rstrip", name != "lstrip")),
                               place);
  }
  if (name == "split") {
    atMost(2);
    std::string by;
    std::int64_t most = -1;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const CallArgument& each = arguments[i];
      if (each.keyword == "maxsplit" || (each.keyword.empty() && i == 1)) {
        most = knownInteger(each.value, "maxsplit", place);
      } else if (each.value.kind != Kind::none) {
        if (each.value.kind != Kind::text)
          failProgram(each.place, ".split of a string needs a string");
        by = each.value.text;
        if (by.empty()) failProgram(place, "a string cannot be split at an empty separator");
      }
    }
    std::vector<PythonValue> parts;
    const std::vector<std::string_view> pieces = splitText(text, by, most);
    step(place, pieces.size());
    for (const std::string_view part : pieces)
      parts.push_back(PythonValue::textOf(std::string(part), place));
    return PythonValue::listOf(std::move(parts), false, place);
  }
  if (name == "join" && !arguments.empty()) {
    TextPieces all(place);
    bool first = true;
    for (const PythonValue& each : iterated(arguments[0].value, place)) {
      if (!std::exchange(first, false)) all.add(text);
      all.add(shownText(each, place));
    }
    return all.value();
  }
  failProgram(place, "str." + name + " is not supported in a program");
}

std::string Evaluator::writtenText(const PythonValue& value, SourcePlace place) {
  return value.kind == Kind::text ? pythonText(value.text) : shownText(value, place);
}

PythonValue Evaluator::inText(const PythonValue& value, SourcePlace place) {
  if (!value.isSize() || isMessage()) return value;
  PythonValue placed = value;
  placed.place = place;
  return builder_.decided(placed, "this text");
}

std::optional<std::string> Evaluator::messageOf(const ast::Expression& e) {
  struct Within {
    int& depth;
    explicit Within(int& of) : depth(of) { ++depth; }
    ~Within() { --depth; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
  } const within(messages_);
  const PythonValue said = evaluate(e);
  if (said.kind != Kind::text) return std::nullopt;
  return said.text;
}

std::string Evaluator::shownText(const PythonValue& value, SourcePlace place) {
  const Deeper deeper(*this, place);
  switch (value.kind) {
    case Kind::number:
      return value.integer ? printedNumber(value.number, true) : shownFloat(value.number);
    case Kind::flag:
      return value.number != 0 ? "True" : "False";
    case Kind::text:
      return value.text;
    case Kind::size:
      if (const PythonValue known = inText(value, place); known.isNumber())
        return shownText(known, place);
      return builder_.shownSize(value.size);
    case Kind::shape:
      if (isMessage()) return value.shown();
      return "torch.Size(" +
             shownText(PythonValue::listOf(extents(value, place), false, place), place) + ")";
    case Kind::list: {
      std::string all;
      for (const PythonValue& item : value.items()) {
        step(place);
        if (all.size() > kLongestListed) return all + "...";
        all += (all.empty() ? "" : ", ") + writtenText(item, place);
      }
      if (value.tuple && value.items().size() == 1) all += ",";
      return value.tuple ? "(" + all + ")" : "[" + all + "]";
    }
    case Kind::dict: {
      std::string all;
      for (const auto& [key, item] : value.object->entries) {
        step(place);
        if (all.size() > kLongestListed) return all + "...";
        all +=
            (all.empty() ? "" : ", ") + writtenText(key, place) + ": " + writtenText(item, place);
      }
      return "{" + all + "}";
    }
    default:
      return value.shown();
  }
}

}  // namespace fusebench
