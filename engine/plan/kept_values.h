// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/plan/differentiate.h"
#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// Thrown if the gradient of an op that works in place needs a value that the op has overwritten.
/// The op is then given a copy to work on.
struct WrittenOver {
  std::size_t op;
};

/// Values of the forward pass as the backward pass reads them: saved or recomputed. A value that is
/// overwritten after an op has read it can be neither; see checkKept().
class KeptValues {
 public:
  /// The ops present at construction are the forward pass. `saved`, per value: whether it is saved
  /// instead of recomputed, with SavePolicy::fewest.
  KeptValues(GradientOps& ops, std::size_t inputs, SavePolicy policy, std::vector<bool> saved)
      : ops_(ops),
        inputs_(inputs),
        forward_(ops.program().ops.size()),
        policy_(policy),
        saved_(std::move(saved)),
        levels_(inputs) {}

  /// Starts the backward pass through this op with this gradient. The first time that an op of a
  /// segment is reached, the ops of the segment are recomputed.
  void enter(std::size_t op, const Operand& gradient);
  /// Returns the value as the gradient of an op of this segment reads it.
  Operand read(ValueId value, int segment);
  /// Delays ops that were just appended for a derivative, starting at index `first`. An op that
  /// depends only on one saved value waits for the gradient. Otherwise it would be fused into the
  /// step that computes that value, and both values would be saved.
  void defer(std::size_t first);
  /// Values of earlier steps that were read so far.
  const std::set<ValueId>& needed() const { return needed_; }

 private:
  static constexpr std::size_t kMostRemade = 16, kMostRead = 2;

  static std::size_t index(ValueId value) { return static_cast<std::size_t>(value); }
  ValueId result(std::size_t op) const { return static_cast<ValueId>(inputs_ + op); }
  const Op& opAt(std::size_t i) const { return ops_.program().ops[i]; }
  bool isSaved(ValueId value) const { return index(value) < saved_.size() && saved_[index(value)]; }
  void remake(std::size_t by);
  /// Whether op `i`, recomputed as `anew`, reads the same operands as before and writes to no saved
  /// value.
  bool isRemadeAlike(std::size_t i, const Op& anew) const;
  /// Throws if a value that the gradient of the current op reads has changed by then: ProgramError
  /// that names both lines, or WrittenOver. `segment` is the segment in which the value was
  /// recomputed; -1 if the value is saved.
  void checkKept(ValueId value, int segment) const;
  /// Whether anything is written in place to the memory of a value.
  bool isWritten(ValueId value) const;
  /// Whether it is a view of a value that does not change.
  bool isView(ValueId value) const;
  /// The same view of the value that is read instead of its base.
  Operand seen(ValueId value, int segment);
  /// The minimum number of steps that must run one after another before a value can be read. The
  /// result of a reduction can be read only by the next step.
  int level(ValueId value);
  /// Collects the element-wise ops that compute a value from values in memory, in order. Returns
  /// false if they are too many, or read too many values.
  bool cone(ValueId value, const Shape& space, std::vector<ValueId>& made,
            std::vector<ValueId>& read) const;
  /// Recomputes the value in the step of its gradient if that pays off; otherwise returns it
  /// unchanged.
  ValueId again(ValueId value);
  /// A copy of op `i` that reads the recomputed operands.
  Op reading(std::size_t i, const std::map<ValueId, ValueId>& values) const;

  GradientOps& ops_;
  std::size_t inputs_;
  std::size_t forward_;  ///< number of ops of the forward pass
  SavePolicy policy_;
  std::vector<bool> saved_;
  std::set<ValueId> needed_;
  std::vector<int> levels_;                           ///< per value, as far as computed
  std::map<int, std::map<ValueId, ValueId>> remade_;  ///< per segment: its recomputed values
  std::map<int, std::map<ValueId, ValueId>> again_;   ///< per level: values recomputed at it
  int level_ = 0;                                     ///< level of the current gradient
  ValueId after_ = -1;                                ///< the current gradient
  std::size_t entered_ = 0;                           ///< the op whose gradient is being written
};

}  // namespace fusebench
