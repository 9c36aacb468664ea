// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/base/shown_text.h"

namespace fusebench {
namespace {

/// After the string that begins here; the end of the text if it does not end.
std::size_t afterString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::size_t afterNumber(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("+-.0123456789eE", at), text.size());
}

/// Position of the bracket that nests too deep. Looks at brackets only: the parser finds other
/// errors.
std::optional<std::size_t> tooDeepAt(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = afterString(text, at);
      continue;
    }
    if ((c == '[' || c == '{') && ++depth > kDeepestJson) return at;
    if (c == ']' || c == '}') --depth;
    ++at;
  }
  return std::nullopt;
}

/// Position of a number that is valid JSON, but beyond the range of doubles.
std::optional<std::size_t> hugeNumberAt(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = afterString(text, at);
    } else if (text[at] == '-' || (text[at] >= '0' && text[at] <= '9')) {
      const std::size_t end = afterNumber(text, at);
      if (std::isinf(std::strtod(std::string(text.substr(at, end - at)).c_str(), nullptr)))
        return at;
      at = end;
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

/// nlohmann's message without its own prefix and place.
std::string plainReason(const std::string& message) {
  const std::size_t start = message.find("syntax error");
  return shownMessage(start == std::string::npos ? message : message.substr(start));
}

}  // namespace

nlohmann::json jsonOf(std::string_view text) {
  if (tooDeepAt(text)) return nlohmann::json(nlohmann::json::value_t::discarded);
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::optional<JsonProblem> jsonProblem(std::string_view text) {
  if (const auto at = tooDeepAt(text))
    return JsonProblem{
        fmt::format("the JSON nests deeper than {} levels; flatten it", kDeepestJson), *at};
  try {
    // Without a tree: a text that is right would be held twice.
    [[maybe_unused]] const auto nothing = nlohmann::json::parse(
        text, [](int, nlohmann::json::parse_event_t, const nlohmann::json&) { return false; });
    return std::nullopt;
  } catch (const nlohmann::json::parse_error& error) {
    return JsonProblem{"this is not JSON: " + plainReason(error.what()),
                       error.byte == 0 ? 0 : error.byte - 1};
  } catch (const nlohmann::json::exception&) {
    const std::size_t at = hugeNumberAt(text).value_or(0);
    return JsonProblem{"the number " + shownName(text.substr(at, afterNumber(text, at) - at)) +
                           " is too large; give one below 1.8e308",
                       at};
  }
}

}  // namespace fusebench
