// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace fusebench {

/// A position in a program's text; line and column are counted from 1, and 0 means that there is no
/// position.
struct SourcePlace {
  int line = 0;
  int column = 0;
};

/// The user's program is wrong. what() is one line with the problem and what would be right;
/// place() is the position in the program's text.
class ProgramError : public std::runtime_error {
 public:
  ProgramError(SourcePlace place, const std::string& message)
      : std::runtime_error(message), place_(place) {}
  SourcePlace place() const { return place_; }

 private:
  SourcePlace place_;
};

}  // namespace fusebench
