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

/// Where the parts of a text are that is a program: positions in its tokens, -1: none.
struct ProgramLayout {
  /// A function or a class around the program, or one of the program's class.
  struct Part {
    int begin = -1;  ///< its first token, decorators included
    int word = -1;   ///< its "def" or "class"
    int end = -1;    ///< behind its last token
    std::string name;
    bool isClass = false;
    std::vector<Part> members;  ///< class: its functions
  };
  std::vector<Part> parts;
  int mainPart = -1;     ///< in `parts`: the program's function, or its class
  int mainMember = -1;   ///< in its members
  bool returns = false;  ///< lines outside of functions return: these are the program
  /// By first token (and by its "def" or "class"): which of `parts`, which member of it or -1.
  std::map<int, std::pair<int, int>> starts;
  /// The token of the class's name in a later `model = Class(...)`: how the module is made.
  int made = -1;
  bool madeWithin = false;  ///< that call alone makes it, not the expression that begins with it
  /// Functions that time or test others: their bodies are lines around the program.
  std::set<std::string, std::less<>> drivers;
  bool onlyDrivers = false;          ///< there are functions, and all of them time or test others
  std::vector<std::string> entries;  ///< parts that could be the program, by name
  std::string entry;                 ///< the one that is
};
/// The start of a line that names the program at the top of a text: "# entry: attention".
inline constexpr std::string_view kEntryComment = "# entry: ";
/// The name in it; empty: none.
std::string entryOf(std::string_view text);
/// Finds the program: the one that the text names, the one that lines after the functions and
/// classes run, or the last function, or forward of the last class, that the other parts do not
/// refer to.
ProgramLayout layoutOf(const std::vector<Token>& tokens, std::string_view text);

}  // namespace fusebench
