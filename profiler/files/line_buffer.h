// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fusebench {

/// Splits a stream of bytes into lines. A line longer than the limit is dropped up to its end and
/// reported once, so that a hostile writer cannot use up memory.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t longest) : longest_(longest) {}

  struct Line {
    std::string text;
    bool oversized = false;  ///< then `text` is empty
  };
  void append(std::string_view bytes);
  /// The next whole line without its end, if there is one.
  std::optional<Line> next();

 private:
  std::size_t longest_;
  std::string pending_;
  std::size_t searched_ = 0;  ///< no newline before this
  bool dropping_ = false;     ///< inside an oversized line
};

}  // namespace fusebench
