// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace fusebench {

/// How deep lists and objects may nest. JSON is copied, compared and written by recursion; deeper
/// text could overflow the stack.
inline constexpr int kDeepestJson = 64;

/// The only function that parses text as JSON, whatever its source. Discarded (is_discarded()) for
/// text that is not JSON, nests too deep, or has a number beyond the range of doubles.
nlohmann::json jsonOf(std::string_view text);

/// Why jsonOf() discards a text, and where.
struct JsonProblem {
  std::string what;  ///< "the JSON nests deeper than 64 levels; flatten it"
  std::size_t at;    ///< offset of the byte
};
/// Nothing if it does not.
std::optional<JsonProblem> jsonProblem(std::string_view text);

}  // namespace fusebench
