// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "engine/language/program.h"
#include "engine/plan/attention_call.h"
#include "engine/plan/plan_values.h"

namespace fusebench {

/// The ops of a program that are one attention: a product of queries and keys, steps on each score,
/// a softmax along the last dimension, and a product with values.
struct Attention {
  std::vector<int> ops;           ///< indices in Program::ops, in order; the last makes the result
  std::vector<ValueId> operands;  ///< query, key, value, and the operands of the steps
  AttentionCall call;             ///< letters are set where the call is lowered
  int scores = -1;                ///< the op that makes the scores
};

/// The attentions of a program that can be one call each: float32, nothing in between is read by
/// anything else, returned or written over, and none of its operands is written to before its last
/// op. Written by scaled_dot_product_attention or spelled out, as
/// softmax(q @ k.transpose(-2, -1) * scale + mask, -1) @ v, with causal masks made by tril, triu or
/// a comparison of two aranges.
std::vector<Attention> findAttentions(const Program& program, const PlanValues& values);

/// The one whose result this op makes. Nothing: there is none.
std::optional<Attention> attentionOf(const Program& program, const PlanValues& values, int op);

}  // namespace fusebench
