// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "profiler/trace/recorded_tensors.h"

namespace fusebench {

/// The minimum that a call of an operator computes and moves, from its recorded arguments.
struct OperatorCost {
  double flops = 0;  ///< a multiplication and an addition count as two
  double bytes = 0;  ///< each input read once, the result written once
  bool operator==(const OperatorCost&) const = default;
};

/// Unknown (0 flops, 0 bytes) for operators and arguments that do not contain enough information.
/// `values`: the recorded JSON list of the arguments other than tensors, which convolutions need.
OperatorCost costOf(std::string_view op, const std::vector<RecordedTensor>& tensors,
                    std::string_view values);

}  // namespace fusebench
