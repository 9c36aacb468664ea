// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// A text with its calls of exec() expanded: the text of each call is inserted before the line that
/// makes the call.
struct ExpandedText {
  std::string text;
  struct Piece {
    int first = 0, last = 0;  ///< lines of `text`
    int line = 0;             ///< where exec is called in the original text
  };
  std::vector<Piece> pieces;
  std::vector<ProgramNote> notes;

  /// An error in `text` as one in the text as it was given.
  ProgramError original(const ProgramError& error) const;
};

/// Inserts the texts of exec() calls, where they are built from known strings. No text is executed:
/// the lines are evaluated as a program's are. Nothing: no call of exec() is reached, or none gets
/// a known text. Throws ProgramError for an error within such a text.
std::optional<ExpandedText> expandedText(std::string_view text);

}  // namespace fusebench
