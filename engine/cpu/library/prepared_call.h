// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cpu {

/// A library call prepared for tensors with certain layouts, to be run many times.
class PreparedCall {
 public:
  virtual ~PreparedCall() = default;
  /// `pointers`: those of a launch.
  virtual void run(void* const* pointers) = 0;
  /// The request to the library and its choices, one line each.
  virtual std::string description() const = 0;
};

}  // namespace fusebench::cpu
