// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace fusebench {

/// The user's file, option or text is invalid. what() is one line, "file:line:column: problem;
/// fix". Command line: exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fusebench
