// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/dtype.h"

namespace fusebench {

/// The layout and dtype with which a device multiplies 8-bit factors fastest.
struct ByteProducts {
  /// Dtype of the quantized operand: uint8 with a zero point, or int8 with values and zero point
  /// 128 less. Both give the same sums once the zero point is subtracted.
  DType given = DType::uint8;
  /// Both factors are contiguous along the summed dimension: weights are copied once, operands only
  /// if needed.
  bool alongDepth = false;
  /// Depth and channels are padded to multiples of these in that layout; the padding of the weight
  /// is zero.
  std::int64_t depths = 1, channels = 1;
};

}  // namespace fusebench
