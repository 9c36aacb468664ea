// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench {

/// The rows that use several launches, because a device otherwise processes a row in one place:
/// rows of more than `length` elements, if there are fewer than `few` of them.
struct RowLimits {
  std::int64_t length = 24576;
  std::int64_t few = 8;
  /// Sizes that are known only in a call are also considered: the call then gets its own plan.
  /// Otherwise they are assumed to be many, or short.
  bool ofCall = false;
};

}  // namespace fusebench
