// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/csv_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/base/shown_text.h"

namespace fusebench {
namespace {

/// Whether a spreadsheet would compute a field instead of showing it. Some skip white space first,
/// and some take the wide forms of East Asian keyboards.
bool isFormula(std::string_view field) {
  constexpr std::array<std::string_view, 10> kBegins = {
      "=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20"};
  const std::size_t begin = std::min(field.find_first_not_of(" \n"), field.size());
  if (std::ranges::none_of(
          kBegins, [&](std::string_view each) { return field.substr(begin).starts_with(each); }))
    return false;
  const std::string number(field);
  char* end = nullptr;
  std::strtod(number.c_str(), &end);
  return *end != '\0' || end == number.c_str();  // else it is a number
}

}  // namespace

std::string csvField(std::string_view field) {
  std::string text;
  if (isFormula(field)) text.push_back('\'');
  text.append(shownText(field));
  if (text.find_first_of(",;\"\n") == std::string::npos) return text;
  std::string safe;
  safe.push_back('"');
  for (const char c : text) {
    if (c == '"') safe.push_back('"');
    safe.push_back(c);
  }
  safe.push_back('"');
  return safe;
}

}  // namespace fusebench
