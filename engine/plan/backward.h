// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/plan/gradient_ops.h"
#include "engine/plan/gradient_ranks.h"
#include "engine/plan/kept_values.h"

namespace fusebench {

/// The views between the tensor that owns the memory of a value and the value, outermost first.
std::vector<std::size_t> viewsOf(const Program& program, ValueId value);

/// The backward pass from one value through the ops before it. A gradient can be a number, and can
/// have fewer or smaller dimensions than its value: then it is constant along them.
class Backward {
 public:
  /// `saved`: see KeptValues.
  Backward(GradientOps& ops, std::size_t inputs, SavePolicy policy, std::vector<bool> saved);

  /// Appends the ops that differentiate the scalar `of` by these values. Throws ProgramError if it
  /// depends on none of them, except if `of` comes from a gradient, which can be constant: the
  /// derivatives are 0 then. Also throws if an op has no derivative.
  void run(ValueId of, std::span<const ValueId> by, bool ofGradient);

  /// Whether a gradient has passed op `i`.
  bool passed(std::size_t i) const { return passes_[i] && gradients_[inputs_ + i].has_value(); }

  /// The earlier values that it read in later steps than those that compute them.
  const std::set<ValueId>& needed() const { return kept_.needed(); }

  /// The gradient as a tensor with the shape and the dtype of `by`.
  ValueId gradientOf(ValueId by);

 private:
  ValueId finished(ValueId by);

  static std::size_t index(ValueId value) { return static_cast<std::size_t>(value); }
  ValueId result(std::size_t op) const { return static_cast<ValueId>(inputs_ + op); }
  const Op& opAt(std::size_t i) const { return ops_.program().ops[i]; }

  bool wants(const Operand& operand) const;

  bool passes(std::size_t i) const;

  void give(const Operand& operand, Operand gradient);

  void through(const Op& op, std::size_t i, const Operand& gradient);

  void throughContraction(const Op& op, std::size_t i, const Operand& gradient);

  /// Backward of a sum over ranks, which every rank has: the gradients are summed over the ranks,
  /// as in torch.distributed.nn.
  void throughCollective(const Op& op, std::size_t i, const Operand& gradient);

  /// Backward of a read by index: adds the gradient to the elements that were read.
  void throughGather(const Op& op, std::size_t i, const Operand& gradient);

  /// Backward of an addition by index: the first operand gets the gradient unchanged, and the added
  /// elements get the gradient of the elements that they were added to.
  void throughScatter(const Op& op, std::size_t i, const Operand& gradient);

  /// Backward of a minimum or maximum by index: divides the gradient equally among the elements
  /// that are equal to the result.
  void throughExtremes(const Op& op, std::size_t i, const Operand& gradient);

  /// Reverses a broadcast to `given`: sums over the broadcast dimensions and restores dimensions of
  /// one element.
  Operand spreadBack(const Operand& made, const Shape& whole, const Shape& given);

  /// Backward of running sums: each element gets the sum of the gradients from its position to the
  /// end.
  void throughScan(const Op& op, std::size_t i, const Operand& gradient);

  void throughPointwise(const Op& op, std::size_t i, const Operand& gradient);

  /// Backward of an op that multiplies an element by a number that depends on its position: the
  /// same op.
  void throughPlaces(const Op& op, std::size_t i, const Operand& gradient);

  /// Inserts the reduced dimensions again into a value with the shape of a reduction's result.
  Operand aligned(const Operand& value, const Op& op, int rank);

  void throughReduction(const Op& op, std::size_t i, const Operand& gradient);

  /// Backward of a write to a part of a tensor: the written values get the gradient of that part,
  /// and the tensor before the write gets the gradient of the rest.
  void throughPartWritten(const Op& op, std::size_t i, const Operand& gradient);

  void throughViewOf(const Op& op, std::size_t i, const Operand& gradient);

  GradientOps& ops_;
  std::size_t inputs_;
  GradientRanks ranks_;
  KeptValues kept_;
  std::size_t forward_;                            ///< number of ops of the forward pass
  std::vector<std::optional<Operand>> gradients_;  ///< per value, as far as known
  std::vector<bool> passes_;                       ///< per op
  std::vector<bool> flows_;  ///< per value: whether a gradient goes through it
};

}  // namespace fusebench
