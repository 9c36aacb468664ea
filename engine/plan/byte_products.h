// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/dtype.h"

namespace fusebench {

/// What a device multiplies with int8 weights best, where a program's layers are made of bytes.
struct ByteProducts {
  /// Of what products are given: uint8 with a zero point, or int8, whose levels and zero point are
  /// 128 less: sums of products less the zero point's part are the same.
  DType given = DType::uint8;
  /// Both factors are laid along what is summed over: weights once, what is given where it does not
  /// lie so.
  bool alongDepth = false;
  /// Depth and channels are filled up to multiples of these where factors are laid so, the weight's
  /// with zeros.
  std::int64_t depths = 1, channels = 1;
};

}  // namespace fusebench
