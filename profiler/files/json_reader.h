// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "profiler/files/json_places.h"

namespace fusebench {

/// A JSON text with its positions, and the data for error messages about it.
struct JsonDocument {
  JsonDocument(std::string_view text,
               std::string_view file);  ///< throws InputError if it is not JSON
  std::string file;
  std::string text;
  nlohmann::json root;
  JsonPlaces places;
};

/// A value inside a document, read with checks; every error is an InputError of the form
/// "file:line:column: key.path: cause; remedy".
class JsonReader {
 public:
  explicit JsonReader(const JsonDocument& document) : JsonReader(document, document.root, "") {}

  const nlohmann::json& json() const { return value_; }
  std::string path() const;  ///< "variants[1].executor"; empty for the root
  [[noreturn]] void fail(const std::string& message) const;       ///< at the value
  [[noreturn]] void failAtKey(const std::string& message) const;  ///< at the member's key
  [[noreturn]] void failAt(TextPlace place, const std::string& message) const;
  TextPlace place() const;

  /// Reports an error unless this is an object with only such keys, and with all of the required
  /// ones.
  void expectObject(std::span<const std::string_view> required,
                    std::span<const std::string_view> optional) const;
  void expectObject(std::initializer_list<std::string_view> required,
                    std::initializer_list<std::string_view> optional) const {
    expectObject(std::span(required.begin(), required.size()),
                 std::span(optional.begin(), optional.size()));
  }
  bool has(std::string_view key) const { return value_.contains(key); }
  JsonReader operator[](std::string_view key) const;
  JsonReader operator[](std::size_t index) const;
  std::size_t size() const { return value_.size(); }
  void expectArray(std::size_t minimum, std::size_t maximum, std::string_view what) const;

  std::string string() const;
  std::string name() const;  ///< a string that is not empty, without control characters
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  double number(double low, double high) const;
  bool boolean() const;

 private:
  JsonReader(const JsonDocument& document, const nlohmann::json& value, std::string pointer)
      : document_(document), value_(value), pointer_(std::move(pointer)) {}
  const JsonDocument& document_;
  const nlohmann::json& value_;
  std::string pointer_;
};

/// "\"statik\"; did you mean \"static\"?" or, if no choice is similar, the choices.
std::string suggestion(std::string_view unknown, std::span<const std::string_view> known);

}  // namespace fusebench
