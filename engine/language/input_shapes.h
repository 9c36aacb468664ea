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
    call,        ///< lines around the program call it with such a tensor
    annotation,  ///< a type annotation or a comment says so
    program,     ///< what the program does with it
    usual        ///< nothing: any shape would do
  };
  std::string name;
  ValueType type;
  By by = By::usual;
  /// Integers that say places: from `low` up to, but not, `high`; none if they are equal.
  std::int64_t low = 0, high = 0;
  /// The values that the lines calling the program fill it with, where these are known.
  std::optional<InitialValues> initial = {};
  /// Lines that compute what they fill it with; empty: `initial` says it.
  std::string code = {};

  /// "x set to (8, 256) float32": for a note.
  std::string shown() const;
};

/// A program as it is pasted, with inputs that it runs on.
struct PastedProgram {
  std::string text;  ///< it may begin with a line that says which part of it is the program
  std::vector<ChosenInput> inputs;   ///< those that are not weights or buffers
  std::vector<ProgramNote> notes;    ///< what of the text was left out, what the inputs are
  std::vector<std::string> entries;  ///< parts that could be the program
  std::string entry;                 ///< the one that is
};

/// Finds shapes and dtypes for a pasted program's inputs: those that the text calls it with, those
/// that annotations and comments say, and for the others some that fit what is done with them.
/// `entry`: the function or class that is the program; empty: as the text says. Throws ProgramError
/// where the text cannot be read on any inputs, or has no such part.
PastedProgram readPasted(std::string_view text, const std::string& entry = {});

}  // namespace fusebench
