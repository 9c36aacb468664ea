// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "engine/ops/contract_rule.h"
#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// Gradients of a contraction with respect to its operands, from its index letters.
class ContractionGradients {
 public:
  /// Returns a value of the forward pass as the backward pass reads it.
  using Read = std::function<Operand(ValueId)>;

  /// `gradient`: by `result`, which is the op's. `op` has to outlive this.
  ContractionGradients(GradientOps& ops, const Op& op, ValueId result, Operand gradient, Read read);

  /// With respect to operand `o`. Throws ProgramError if there is no gradient.
  Operand to(std::size_t o) const;

 private:
  Operand toAddend(const Shape& shape) const;
  Operand toFactor(std::size_t o, std::size_t other) const;
  Operand throughWindows(std::size_t o, std::size_t other) const;
  const Shape& shapeOf(std::size_t o) const { return ops_.type(op_.operands[o].value).shape; }
  Operand kept(std::size_t o) const { return read_(op_.operands[o].value); }

  GradientOps& ops_;
  const Op& op_;
  ValueId result_;
  Operand gradient_;
  Read read_;
  ContractForm form_;
  ContractSettings settings_;
};

}  // namespace fusebench
