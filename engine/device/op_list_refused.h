// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace fusebench {

/// A backend cannot put this op list together, though it can compile the kernel. what() is one line
/// with a way out.
class OpListRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fusebench
