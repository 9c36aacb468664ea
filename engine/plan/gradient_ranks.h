// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// Gradients that the ranks of a group average on the way back, as DataParallel says: each passes
/// between them once no op is left that adds to it, in buckets, and all have come where the way
/// back ends.
class GradientRanks {
 public:
  GradientRanks(GradientOps& ops, std::size_t inputs) : ops_(ops), inputs_(inputs) {}

  /// Gradients by these are asked for; `flows(op, operand)`: whether one flows back to an operand.
  void expect(std::span<const ValueId> by,
              const std::function<bool(std::size_t, const Operand&)>& flows);
  /// Those that no op before `op` adds to.
  std::vector<ValueId> readFirstBy(std::size_t op) const;
  /// Those that have not been reduced.
  std::vector<ValueId> left() const;
  /// The gradient by `by` is this; it begins to pass between the ranks.
  void reduce(ValueId by, ValueId gradient);
  /// Waits for all that began.
  void wait();
  /// The average that stands for a gradient; -1: it is each rank's own.
  ValueId reduced(ValueId by) const;

 private:
  struct Expected {
    std::ptrdiff_t first = -1;  ///< the op that reads it first; -1: none
    ValueId reduced = -1;
  };
  const DataParallel& settings() const { return ops_.program().parallel; }

  GradientOps& ops_;
  std::size_t inputs_;
  std::map<ValueId, Expected> expected_;
  std::size_t missing_ = 0;  ///< of these, so many are not reduced
  int bucket_ = 0;
  std::int64_t bytes_ = 0;      ///< of the open bucket
  std::ptrdiff_t before_ = -1;  ///< the op that came into it last; -1: it is empty
  std::vector<ValueId> begun_;  ///< that nothing waits for yet
};

}  // namespace fusebench
