// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/json_places.h"

#include <stdexcept>

#include "profiler/files/json_text.h"

namespace fusebench {
namespace {
/// A list or object of the deepest level still holds values.
constexpr int kDeepest = kDeepestJson + 1;
}  // namespace

TextPlace placeOf(std::string_view text, std::size_t offset) {
  TextPlace place;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      ++place.column;
    }
  }
  return place;
}

JsonPlaces::JsonPlaces(std::string_view text) : text_(text) {
  scanValue("");
}

TextPlace JsonPlaces::value(const std::string& pointer) const {
  return find(values_, pointer);
}

TextPlace JsonPlaces::key(const std::string& pointer) const {
  return keys_.contains(pointer) ? find(keys_, pointer) : value(pointer);
}

TextPlace JsonPlaces::find(const std::map<std::string, std::size_t>& places,
                           std::string pointer) const {
  auto found = places.find(pointer);
  while (found == places.end() && !pointer.empty()) {
    pointer.erase(pointer.rfind('/'));
    found = values_.find(pointer);
  }
  return placeOf(text_, found == places.end() || found == values_.end() ? 0 : found->second);
}

void JsonPlaces::skipSpace() {
  while (at_ < text_.size() &&
         std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
    ++at_;
}

void JsonPlaces::scanValue(const std::string& pointer) {
  if (++depth_ > kDeepest) throw std::length_error("nested too deeply");
  skipSpace();
  values_[pointer] = at_;
  if (peek() == '{') {
    scanObject(pointer);
  } else if (peek() == '[') {
    scanArray(pointer);
  } else if (peek() == '"') {
    scanString();
  } else {
    while (at_ < text_.size() &&
           std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos)
      ++at_;
  }
  skipSpace();
  --depth_;
}

void JsonPlaces::scanObject(const std::string& pointer) {
  ++at_;
  skipSpace();
  while (at_ < text_.size() && peek() != '}') {
    const std::size_t keyAt = at_;
    const std::string member = pointer + "/" + scanString();
    if (!keys_.emplace(member, keyAt).second && !duplicate_) {
      duplicate_ = member;
      keys_[member] = keyAt;
    }
    skipSpace();
    ++at_;  // the colon
    scanValue(member);
    if (peek() == ',') ++at_;
    skipSpace();
  }
  ++at_;
}

void JsonPlaces::scanArray(const std::string& pointer) {
  ++at_;
  skipSpace();
  for (std::size_t index = 0; at_ < text_.size() && peek() != ']'; ++index) {
    scanValue(pointer + "/" + std::to_string(index));
    if (peek() == ',') ++at_;
    skipSpace();
  }
  ++at_;
}

std::string JsonPlaces::scanString() {
  std::string raw;
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] == '\\') raw += text_[at_++];
    if (at_ < text_.size()) raw += text_[at_];
  }
  ++at_;
  return raw;
}

}  // namespace fusebench
