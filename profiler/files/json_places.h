// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fusebench {

/// A place in a text; both count from 1.
struct TextPlace {
  int line = 1;
  int column = 1;
};
/// The place of a byte offset.
TextPlace placeOf(std::string_view text, std::size_t offset);

/// The positions of the keys and values in a JSON text, for messages about its content. The JSON
/// parser itself keeps no positions. Paths are JSON pointers ("/variants/1/name").
class JsonPlaces {
 public:
  /// `text` must be valid JSON; throws std::length_error if it nests deeper than
  /// kDeepestJson.
  explicit JsonPlaces(std::string_view text);
  TextPlace value(
      const std::string& pointer) const;  ///< start of the value; the nearest parent's if absent
  TextPlace key(const std::string& pointer) const;  ///< start of the member's key
  /// The pointer of the first key that occurs twice in one object.
  const std::optional<std::string>& duplicate() const { return duplicate_; }

 private:
  void scanValue(const std::string& pointer);
  void scanObject(const std::string& pointer);
  void scanArray(const std::string& pointer);
  std::string scanString();
  void skipSpace();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  TextPlace find(const std::map<std::string, std::size_t>& places, std::string pointer) const;

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::map<std::string, std::size_t> values_, keys_;
  std::optional<std::string> duplicate_;
};

}  // namespace fusebench
