// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// A line of a program's text with the names that it assigns and reads. Keywords of calls,
/// attributes and texts in quotes are not among them.
struct ProgramLine {
  std::string text;
  std::vector<std::string> targets, reads;
};

/// The lines of a captured program, whose statements take a line each. The caller knows which of
/// the names are values.
std::vector<ProgramLine> programLines(std::string_view text);

}  // namespace fusebench
