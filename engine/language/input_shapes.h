// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/parser.h"

namespace fusebench {

/// An input of a pasted program, with a shape and a dtype to run it on.
struct ChosenInput {
  enum class By : std::uint8_t {
    call,        ///< lines around the program call it with a tensor like this
    annotation,  ///< a type annotation or a comment
    program,     ///< ops of the program
    usual        ///< nothing: any shape would work
  };
  std::string name;
  ValueType type;
  By by = By::usual;
  /// Integers that are positions: from `low` up to, but not including, `high`; none if they are
  /// equal.
  std::int64_t low = 0, high = 0;
  /// The values that the lines calling the program fill it with, if these are known.
  std::optional<InitialValues> initial = {};
  /// Lines that compute its values; empty: see `initial`.
  std::string code = {};

  /// "x set to (8, 256) float32": for a note.
  std::string shown() const;
};

/// A program as pasted, with inputs to run it on.
struct PastedProgram {
  std::string text;  ///< it may begin with a line that names the part to take as the program
  std::vector<ChosenInput> inputs;   ///< those that are not weights or buffers
  std::vector<ProgramNote> notes;    ///< parts that were left out, and notes about the inputs
  std::vector<std::string> entries;  ///< parts that could be the program
  std::string entry;                 ///< the one chosen as the program
};

/// Finds shapes and dtypes for a pasted program's inputs: those that the text calls it with, those
/// in annotations and comments, and for the others some that fit the program's operations. `entry`:
/// the function or class to take as the program; empty: the text decides. Throws ProgramError where
/// the text cannot be read for any inputs, or has no such part.
PastedProgram readPasted(std::string_view text, const std::string& entry = {});

}  // namespace fusebench
