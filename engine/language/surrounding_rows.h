// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fusebench {

/// A part of Python or PyTorch that changes no value of a program, or that a variant replaces. Text
/// may use these anywhere; they are not part of a program.
struct SurroundingRow {
  enum class How : std::uint8_t {
    passedOver,  ///< it changes no value: prints, clocks, seeds, checks
    variant,     ///< a variant has an option for it, which `note` names
    same         ///< its argument is the result, and a variant may have the option
  };
  /// A dotted name, which stands for all that is in it; one that ends in "." stands for these
  /// alone.
  std::string_view path;
  How how = How::passedOver;
  const char* note = "";  ///< variant, same: the replacement
};

/// All rows, for lists of supported features.
std::span<const SurroundingRow> surroundingRows();
/// The row that a dotted name is of; null: none.
const SurroundingRow* findSurrounding(std::string_view path);

}  // namespace fusebench
