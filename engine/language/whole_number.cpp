// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/whole_number.h"

#include <array>
#include <string>

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

/// Below it, a double holds every int.
constexpr double kFirstInexact = 9007199254740992.0;
constexpr std::string_view kAroundInt = " \t\n\r\f\v";

struct Prefix {
  char small, large;
  int base;
};
constexpr std::array<Prefix, 3> kPrefixes{{{'x', 'X', 16}, {'o', 'O', 8}, {'b', 'B', 2}}};

int digitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

/// Removes a prefix such as 0x if the base allows it. Returns whether there was one.
bool takePrefix(std::string_view& text, std::int64_t& base) {
  if (text.size() < 2 || text[0] != '0') return false;
  for (const Prefix& each : kPrefixes)
    if ((text[1] == each.small || text[1] == each.large) && (base == 0 || base == each.base)) {
      base = each.base;
      text.remove_prefix(2);
      return true;
    }
  return false;
}

}  // namespace

double wholeNumberOf(std::string_view text, std::int64_t base, SourcePlace place) {
  const std::string shown = "int('" + std::string(text) + "', " + std::to_string(base) + ")";
  if (base < 0 || base == 1 || base > 36)
    failProgram(place, shown + ": the base must be 0 or from 2 to 36");
  const std::size_t first = text.find_first_not_of(kAroundInt);
  if (first == std::string_view::npos) failProgram(place, shown + ": the text contains no digits");
  text = text.substr(first, text.find_last_not_of(kAroundInt) + 1 - first);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  // An underscore may follow a digit or the prefix.
  bool divides = takePrefix(text, base);
  bool valid = base != 0 || !text.starts_with('0') || text.find_first_not_of("0_") == text.npos;
  if (base == 0) base = 10;
  double number = 0;
  for (const char c : text) {
    const bool mark = c == '_';
    valid = valid && (mark ? divides : digitOf(c) < base);
    divides = !mark;
    if (!mark) number = number * static_cast<double>(base) + digitOf(c);
  }
  if (!valid || text.empty() || text.ends_with('_'))
    failProgram(place, shown + ": the text is not an int of this base");
  if (number >= kFirstInexact) failProgram(place, shown + ": the number is 2 ** 53 or more");
  return negative && number != 0 ? -number : number;
}

}  // namespace fusebench
