// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/files/byte_source.h"

namespace fusebench {

/// Splits a trace without loading all of it: the objects of its list (or of the array that is the
/// whole file) one by one, and the other members of its root. Keeps one window of the file, which
/// grows to kMostWindow for a single object that needs it.
class TraceScanner {
 public:
  static constexpr std::size_t kWindow = std::size_t{4} << 20;
  static constexpr std::size_t kMostWindow = std::size_t{64} << 20;
  static constexpr std::size_t kPadding = 64;  ///< readable bytes behind each event

  /// `list`: the root's member that contains the objects. Throws InputError if the file cannot be
  /// read or does not begin like such a trace.
  explicit TraceScanner(ByteSource& source, std::string_view list = "traceEvents");

  /// The text of the next event, an object; valid until the next call. Nothing at the end.
  std::optional<std::string_view> next();
  /// Other members of the root as JSON text, those of up to 1 MiB; complete at the end.
  const std::map<std::string, std::string>& members() const { return members_; }
  /// Why the file does not end as it should; empty: it ends correctly.
  const std::string& partial() const { return partial_; }
  /// Whether there was a list of events at all.
  bool foundEvents() const { return foundEvents_; }
  std::uint64_t offset() const { return dropped_ + at_; }

 private:
  enum class Place : std::uint8_t { root, events, end };
  bool fill();
  int peek();
  bool skipSpace();
  std::optional<std::string_view> nextInRoot();
  std::optional<std::string_view> nextEvent();
  std::optional<std::string> key();
  std::optional<std::size_t> valueEnd();
  std::optional<std::size_t> stringEnd(std::size_t at);
  std::nullopt_t stop(const std::string& why);

  ByteSource& source_;
  std::string list_;
  std::vector<char> window_;
  std::size_t at_ = 0, size_ = 0, mark_ = 0;
  std::uint64_t dropped_ = 0;
  bool arrayRoot_ = false, foundEvents_ = false, ended_ = false;
  Place place_ = Place::root;
  std::map<std::string, std::string> members_;
  std::string partial_;
};

}  // namespace fusebench
