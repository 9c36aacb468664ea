// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// A script without a function that could be its program, written as one that has it: the lines
/// that compute from tensors, or one iteration of the loop that they are in, become a function.
/// Lines that make models and inputs precede it, and a call of it follows.
struct ScriptText {
  std::string text;
  /// Where a line of `text` comes from: its line in the script, and how many columns it moved.
  struct Origin {
    int line = 0, columns = 0;
  };
  std::vector<Origin> origins;  ///< by line of `text`, from 0
  int first = 0, last = 0;      ///< the script's lines that are the program
  bool round = false;           ///< they are one round of a loop

  /// A place, an error and a program's notes in `text` as ones in the script.
  SourcePlace original(SourcePlace place) const;
  ProgramError original(const ProgramError& error) const;
  void toOriginal(std::vector<ProgramNote>& notes) const;
};

/// The entry that stands for a text's own lines, such as a loop that trains, where the text has a
/// function or a class as well. The function that the lines become has this name.
inline constexpr std::string_view kScriptEntry = "script";

/// Nothing: the text has a function or a class that is its program and does not name its lines as
/// the entry, returns something by itself, or has no line that computes from its tensors.
std::optional<ScriptText> scriptText(std::string_view text);

}  // namespace fusebench
