// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/run/reference.h"

namespace fusebench {

/// One rank's operands of an op between ranks.
struct RankOperands {
  ValueType result;                            ///< the op's, on this rank
  const ReferenceTensor* value = nullptr;      ///< its last operand; null: the op has none
  const std::vector<double>* terms = nullptr;  ///< that this operand's errors are measured against
};
struct RankResult {
  ReferenceTensor value;
  std::vector<double> terms;  ///< empty: its errors are measured against its values
};

/// The results of an op between ranks, in double, with integers exactly and modulo 2^64. Throws
/// ProgramError if it is for another number of ranks.
std::vector<RankResult> collected(const Op& op, std::span<const RankOperands> ranks);

}  // namespace fusebench
