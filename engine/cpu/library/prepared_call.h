// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cpu {

/// A library call made ready for tensors that lie so, to be run many times.
class PreparedCall {
 public:
  virtual ~PreparedCall() = default;
  /// `pointers`: as of a launch.
  virtual void run(void* const* pointers) = 0;
  /// What was asked of the library and what it chose, a line each.
  virtual std::string description() const = 0;
};

}  // namespace fusebench::cpu
