// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/base/dtype.h"

namespace fusebench {

/// The narrowest dtype that holds both, as in PyTorch's torch.promote_types.
DType promoted(DType a, DType b);

/// An operand as type promotion sees it.
struct OperandType {
  /// Tensors with dimensions take precedence over scalars, and both over numbers, unless the latter
  /// are of a higher kind: bool, integer, float.
  enum class Weight : std::uint8_t { number, scalar, dimensioned };
  DType dtype = DType::float32;
  Weight weight = Weight::dimensioned;
};
/// The type of a Python number, before promotion with tensors.
inline OperandType typeOfNumber(bool integer, bool truth = false) {
  return {truth     ? DType::boolean
          : integer ? DType::int64
                    : DType::float32,
          OperandType::Weight::number};
}

/// The type that an op with these operands computes in, as torch.result_type returns it: bool if
/// there are no operands.
DType resultType(std::span<const OperandType> operands);

}  // namespace fusebench
