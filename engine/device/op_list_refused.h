// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace fusebench {

/// A backend cannot assemble this op list, although it can compile the kernel. what() is one line
/// with an alternative.
class OpListRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fusebench
