// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/json_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>
#include <vector>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"

namespace fusebench {
namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
      const std::size_t best = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1)});
      diagonal = std::exchange(row[j], best);
    }
  }
  return row[b.size()];
}

[[noreturn]] void failAtOffset(std::string_view text, std::string_view file,
                               const JsonProblem& problem) {
  const TextPlace place = placeOf(text, problem.at);
  throw InputError(fmt::format("{}:{}:{}: {}", file, place.line, place.column, problem.what));
}

nlohmann::json parse(std::string_view text, std::string_view file) {
  nlohmann::json json = jsonOf(text);
  if (json.is_discarded())
    failAtOffset(text, file,
                 jsonProblem(text).value_or(JsonProblem{saying("this is not JSON"), 0}));
  return json;
}

std::string_view typeName(const nlohmann::json& value) {
  if (value.is_number_integer()) return said("a whole number");
  if (value.is_number()) return said("a number");
  if (value.is_string()) return said("a string");
  if (value.is_array()) return said("a list");
  if (value.is_object()) return said("an object");
  return value.is_null() ? "null" : said("true or false");
}

std::string shown(double value) {
  return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:g}", value);
}

}  // namespace

JsonDocument::JsonDocument(std::string_view content, std::string_view fileName)
    : file(fileName), text(content), root(parse(text, file)), places(text) {
  if (const auto& twice = places.duplicate()) {
    const TextPlace place = places.key(*twice);
    throw InputError(
        saying("{}:{}:{}: the key \"{}\" appears twice in one object; keep one of them", file,
               place.line, place.column, shownName(twice->substr(twice->rfind('/') + 1))));
  }
}

std::string suggestion(std::string_view unknown, std::span<const std::string_view> known) {
  const std::string_view* nearest = nullptr;
  constexpr std::size_t kLongestTypo = 200;  // the work grows as the square
  if (unknown.size() > kLongestTypo) unknown = {};
  std::size_t best = std::max<std::size_t>(2, unknown.size() / 3) + 1;
  for (const std::string_view& candidate : known)
    if (const std::size_t distance = editDistance(unknown, candidate); distance < best) {
      best = distance;
      nearest = &candidate;
    }
  if (nearest) return saying("did you mean \"{}\"?", *nearest);
  std::string all;
  for (const std::string_view& candidate : known)
    all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", candidate);
  return saying("known: {}", all);
}

std::string JsonReader::path() const {
  std::string path;
  std::size_t start = 1;
  while (start <= pointer_.size() && !pointer_.empty()) {
    const std::size_t end = std::min(pointer_.find('/', start), pointer_.size());
    const std::string part = pointer_.substr(start, end - start);
    const bool index = !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char c) {
      return std::isdigit(c);
    });
    path += index ? fmt::format("[{}]", part)
                  : fmt::format("{}{}", path.empty() ? "" : ".", shownName(part));
    start = end + 1;
  }
  return path;
}

TextPlace JsonReader::place() const {
  return document_.places.value(pointer_);
}

void JsonReader::failAt(TextPlace place, const std::string& message) const {
  const std::string where = path();
  throw InputError(fmt::format("{}:{}:{}: {}{}{}", document_.file, place.line, place.column, where,
                               where.empty() ? "" : ": ", message));
}
void JsonReader::fail(const std::string& message) const {
  failAt(place(), message);
}
void JsonReader::failAtKey(const std::string& message) const {
  failAt(document_.places.key(pointer_), message);
}

void JsonReader::expectObject(std::span<const std::string_view> required,
                              std::span<const std::string_view> optional) const {
  if (!value_.is_object()) fail(saying("found {}; an object {{...}} is needed", typeName(value_)));
  std::vector<std::string_view> known(required.begin(), required.end());
  known.insert(known.end(), optional.begin(), optional.end());
  for (const auto& [key, ignored] : value_.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      (*this)[key].failAtKey(saying("this key is unknown; {}", suggestion(key, known)));
  for (const std::string_view key : required)
    if (!value_.contains(key)) fail(saying("the key \"{}\" is missing; add it", key));
}

JsonReader JsonReader::operator[](std::string_view key) const {
  return {document_, value_.at(std::string(key)), pointer_ + "/" + std::string(key)};
}
JsonReader JsonReader::operator[](std::size_t index) const {
  return {document_, value_.at(index), pointer_ + "/" + std::to_string(index)};
}

void JsonReader::expectArray(std::size_t minimum, std::size_t maximum,
                             std::string_view what) const {
  if (!value_.is_array()) fail(saying("found {}; a list of {} is needed", typeName(value_), what));
  if (value_.size() < minimum)
    fail(saying("the list is too short; give at least {} of {}", minimum, what));
  if (value_.size() > maximum)
    fail(saying("the list has {} entries; at most {} of {} are possible", value_.size(), maximum,
                what));
}

std::string JsonReader::string() const {
  if (!value_.is_string())
    fail(saying("found {}; a string in \"quotes\" is needed", typeName(value_)));
  return value_.get<std::string>();
}

std::string JsonReader::name() const {
  std::string text = string();
  const auto control = [](unsigned char c) { return c < ' '; };
  if (text.empty()) fail(saying("the name is empty; give a name"));
  if (text.size() > 200 || std::any_of(text.begin(), text.end(), control))
    fail(saying("a name must be one short line"));
  return text;
}

std::int64_t JsonReader::integer(std::int64_t low, std::int64_t high) const {
  const bool fits =
      value_.is_number_integer() &&
      !(value_.is_number_unsigned() &&
        value_.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  if (!fits)
    fail(saying("found {}; a whole number from {} to {} is needed", typeName(value_), low, high));
  const auto number = value_.get<std::int64_t>();
  if (number < low || number > high)
    fail(saying("{} is out of range; give a whole number from {} to {}", number, low, high));
  return number;
}

double JsonReader::number(double low, double high) const {
  if (!value_.is_number())
    fail(saying("found {}; a number from {} to {} is needed", typeName(value_), shown(low),
                shown(high)));
  const auto number = value_.get<double>();
  if (!(number >= low && number <= high))
    fail(saying("{:g} is out of range; give a number from {} to {}", number, shown(low),
                shown(high)));
  return number;
}

bool JsonReader::boolean() const {
  if (!value_.is_boolean()) fail(saying("found {}; true or false is needed", typeName(value_)));
  return value_.get<bool>();
}

}  // namespace fusebench
