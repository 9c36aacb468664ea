// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "engine/language/program.h"
#include "engine/plan/attention_call.h"
#include "engine/plan/plan_values.h"

namespace fusebench {

/// The ops of a program that form one attention: a matmul of queries and keys, steps on each score,
/// a softmax along the last dimension, and a matmul with values.
struct Attention {
  std::vector<int> ops;  ///< indices in Program::ops, in order; the last one computes the result
  std::vector<ValueId> operands;  ///< query, key, value, and the operands of the steps
  AttentionCall call;             ///< letters are set when the call is lowered
  int scores = -1;                ///< the op that computes the scores
};

/// The attentions of a program that can be one call each: float32, no intermediate result is read
/// by anything else, returned or overwritten, and none of its operands is written to before its
/// last op. Written as scaled_dot_product_attention or spelled out, as softmax(q @ k.transpose(-2,
/// -1) * scale + mask, -1) @ v, with causal masks created by tril, triu or a comparison of two
/// aranges.
std::vector<Attention> findAttentions(const Program& program, const PlanValues& values);

/// The attention whose result this op computes. Nothing: there is none.
std::optional<Attention> attentionOf(const Program& program, const PlanValues& values, int op);

}  // namespace fusebench
