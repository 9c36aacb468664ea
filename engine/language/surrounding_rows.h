// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fusebench {

/// A part of Python or PyTorch that changes no value of a program, or that a variant replaces. Text
/// may use it anywhere; it is not part of a program.
struct SurroundingRow {
  enum class How : std::uint8_t {
    passedOver,  ///< it changes no value: prints, clocks, seeds, checks
    variant,     ///< a variant has an option for it, named in `note`
    same         ///< its result is its argument, and a variant may have the option
  };
  /// A dotted name, which stands for everything in it; one that ends in "." stands only for what is
  /// in it.
  std::string_view path;
  How how = How::passedOver;
  const char* note = "";  ///< variant, same: the replacement
};

/// All rows, for lists of supported features.
std::span<const SurroundingRow> surroundingRows();
/// The row that a dotted name belongs to; null: none.
const SurroundingRow* findSurrounding(std::string_view path);

}  // namespace fusebench
