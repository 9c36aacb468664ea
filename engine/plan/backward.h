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

/// The views that lead from the tensor whose memory a value lies in to that value, outermost first.
std::vector<std::size_t> viewsOf(const Program& program, ValueId value);

/// Goes back from one value through the ops before it. A gradient may be a number, and may have
/// fewer or smaller dimensions than its value: then it is the same along them.
class Backward {
 public:
  /// `saved`: see KeptValues.
  Backward(GradientOps& ops, std::size_t inputs, SavePolicy policy, std::vector<bool> saved);

  /// Appends the ops that differentiate `of`, a scalar, by these values. Throws ProgramError where
  /// none of them has a part in it, or an op has no derivative.
  void run(ValueId of, std::span<const ValueId> by);

  /// Whether a gradient has come by op `i`.
  bool passed(std::size_t i) const { return passes_[i] && gradients_[inputs_ + i].has_value(); }

  /// What it read of what was there, in later steps than those that made it.
  const std::set<ValueId>& needed() const { return kept_.needed(); }

  /// The gradient as a tensor like the value that it is by.
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

  /// What every rank has of a sum over ranks goes back to each of them: the sum over ranks of what
  /// comes back, as torch.distributed.nn has it.
  void throughCollective(const Op& op, std::size_t i, const Operand& gradient);

  /// Back through what is read by an index: added up where it was read from.
  void throughGather(const Op& op, std::size_t i, const Operand& gradient);

  /// Back through what was added by an index: to what it was added to as it is, and to what was
  /// added where that went.
  void throughScatter(const Op& op, std::size_t i, const Operand& gradient);

  /// Back through greatest or least elements by an index: to those that are it, in equal parts
  /// where there are several.
  void throughExtremes(const Op& op, std::size_t i, const Operand& gradient);

  /// Of what was broadcast to `given`: summed over that, and with the dimensions of one element
  /// that it had before.
  Operand spreadBack(const Operand& made, const Shape& whole, const Shape& given);

  /// Back through running sums: what comes from a place on, which is all but what came before it.
  void throughScan(const Op& op, std::size_t i, const Operand& gradient);

  void throughPointwise(const Op& op, std::size_t i, const Operand& gradient);

  /// Back through an op that by where an element is multiplies it with a number: the same op.
  void throughPlaces(const Op& op, std::size_t i, const Operand& gradient);

  /// A value of a reduction's result's shape with the reduced dimensions in their places again.
  Operand aligned(const Operand& value, const Op& op, int rank);

  void throughReduction(const Op& op, std::size_t i, const Operand& gradient);

  /// Back through a tensor of which a part was written: to what was written there the gradient of
  /// that part, and to the tensor as it was before that of the rest.
  void throughPartWritten(const Op& op, std::size_t i, const Operand& gradient);

  void throughViewOf(const Op& op, std::size_t i, const Operand& gradient);

  GradientOps& ops_;
  std::size_t inputs_;
  GradientRanks ranks_;
  KeptValues kept_;
  std::size_t forward_;                            ///< so many ops are gone back through
  std::vector<std::optional<Operand>> gradients_;  ///< per value, as far as they are known
  std::vector<bool> passes_;                       ///< per op
  std::vector<bool> flows_;                        ///< per value: a gradient goes through it
};

}  // namespace fusebench
