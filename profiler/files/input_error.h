// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace fusebench {

/// The user's file, flag or text is wrong. what() is one line, "file:line:column: what; what would
/// be right". Command line: exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fusebench
