// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/language/lexer.h"

namespace fusebench {

/// Positions of the parts of a text that make up the program, as indices of its tokens; -1: none.
struct ProgramLayout {
  /// A function or a class next to the program, or one of the methods of the program's class.
  struct Part {
    int begin = -1;  ///< its first token, decorators included
    int word = -1;   ///< its "def" or "class" token
    int end = -1;    ///< the position after its last token
    std::string name;
    bool isClass = false;
    std::vector<Part> members;  ///< class: its functions
  };
  std::vector<Part> parts;
  int mainPart = -1;     ///< index in `parts`: the program's function, or its class
  int mainMember = -1;   ///< in its members
  bool returns = false;  ///< lines outside of functions return: these are the program
  /// By first token (and by its "def" or "class"): the index in `parts`, and the index of the
  /// member or -1.
  std::map<int, std::pair<int, int>> starts;
  /// The token of the class's name in a later `model = Class(...)`, which shows how the module is
  /// created.
  int made = -1;
  bool madeWithin =
      false;  ///< only that call creates it, not the whole expression that begins with it
  /// Functions that time or test others: their bodies are treated as lines around the program.
  std::set<std::string, std::less<>> drivers;
  bool onlyDrivers = false;          ///< there are functions, and all of them time or test others
  std::vector<std::string> entries;  ///< parts that could be the program, by name
  std::string entry;                 ///< the one chosen
};
/// The start of a line at the top of a text that names the program: "# entry: attention".
inline constexpr std::string_view kEntryComment = "# entry: ";
/// The name in this line; empty: none.
std::string entryOf(std::string_view text);
/// Finds the program: the one that the text names; the one that lines after the functions and
/// classes run; or the last function, or the forward of the last class, that the other parts do not
/// refer to.
ProgramLayout layoutOf(const std::vector<Token>& tokens, std::string_view text);

}  // namespace fusebench
