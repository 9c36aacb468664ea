// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/plan/differentiate.h"
#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// Thrown where the gradient of an op that works in place needs what it has written over: it is
/// given a copy to work on.
struct WrittenOver {
  std::size_t op;
};

/// Values of the way there as the way back reads them: kept, or made anew. What is written over
/// after an op has read it can be neither; see checkKept().
class KeptValues {
 public:
  /// The ops that there are now are the way there. `saved`, per value: those that are not made
  /// anew, with SavePolicy::fewest.
  KeptValues(GradientOps& ops, std::size_t inputs, SavePolicy policy, std::vector<bool> saved)
      : ops_(ops),
        inputs_(inputs),
        forward_(ops.program().ops.size()),
        policy_(policy),
        saved_(std::move(saved)),
        levels_(inputs) {}

  /// It goes back through this op now, from this gradient on. The first time that an op of a
  /// segment is come to, the segment's ops are made anew.
  void enter(std::size_t op, const Operand& gradient);
  /// A value as the gradient of an op of this segment reads it.
  Operand read(ValueId value, int segment);
  /// Of the ops from `first` on, which a derivative was just written with: what is made of one kept
  /// value alone waits for the gradient. Else it would be made in the step that makes that value,
  /// and both would be kept.
  void defer(std::size_t first);
  /// What was read so far of what an earlier step made.
  const std::set<ValueId>& needed() const { return needed_; }

 private:
  static constexpr std::size_t kMostRemade = 16, kMostRead = 2;

  static std::size_t index(ValueId value) { return static_cast<std::size_t>(value); }
  ValueId result(std::size_t op) const { return static_cast<ValueId>(inputs_ + op); }
  const Op& opAt(std::size_t i) const { return ops_.program().ops[i]; }
  bool isSaved(ValueId value) const { return index(value) < saved_.size() && saved_[index(value)]; }
  void remake(std::size_t by);
  /// Whether op `i`, made anew as this one, reads what it has read, and writes to nothing that is
  /// kept.
  bool isRemadeAlike(std::size_t i, const Op& anew) const;
  /// Throws where what the gradient of the op that is gone back through reads is something else by
  /// then: ProgramError that names both lines, or WrittenOver. `segment`: whose values were made
  /// anew, of which it is one; -1: it is kept.
  void checkKept(ValueId value, int segment) const;
  /// Whether something is written in place where a value lies.
  bool isWritten(ValueId value) const;
  /// Whether it is a view of what stays as it is.
  bool isView(ValueId value) const;
  /// A view of what the value that it is a view of is read as.
  Operand seen(ValueId value, int segment);
  /// How many steps at least come one after another before a value can be read: a reduction's
  /// result is there for the next alone.
  int level(ValueId value);
  /// The element-wise ops that a value is made by, back to what is in memory, in order. False: they
  /// are more than it is worth, or read more.
  bool cone(ValueId value, const Shape& space, std::vector<ValueId>& made,
            std::vector<ValueId>& read) const;
  /// The value made anew in the step that its gradient is in, if that is worth it; else itself.
  ValueId again(ValueId value);
  /// A copy of op `i` that reads what was made anew of its operands.
  Op reading(std::size_t i, const std::map<ValueId, ValueId>& values) const;

  GradientOps& ops_;
  std::size_t inputs_;
  std::size_t forward_;  ///< ops of the way there
  SavePolicy policy_;
  std::vector<bool> saved_;
  std::set<ValueId> needed_;
  std::vector<int> levels_;                           ///< per value, as far as asked for
  std::map<int, std::map<ValueId, ValueId>> remade_;  ///< per segment: its values made anew
  std::map<int, std::map<ValueId, ValueId>> again_;   ///< per level: values made anew there
  int level_ = 0;                                     ///< of the gradient that is gone on from
  ValueId after_ = -1;                                ///< that gradient
  std::size_t entered_ = 0;                           ///< the op that it goes back through
};

}  // namespace fusebench
