// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench {

/// Which rows are left to several launches, since a device works on a row in one place: those that
/// are longer than `length` elements where there are fewer than `few` of them.
struct RowLimits {
  std::int64_t length = 24576;
  std::int64_t few = 8;
  /// Sizes that are known only in a call count, too: the call then gets its own plan. Otherwise
  /// they are assumed to be many, or short.
  bool ofCall = false;
};

}  // namespace fusebench
