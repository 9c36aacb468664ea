// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// Gradients that the ranks of a group average during the backward pass, as in DataParallel. The
/// all-reduce of a bucket starts when no remaining op adds to its gradients. All have finished at
/// the end of the backward pass.
class GradientRanks {
 public:
  GradientRanks(GradientOps& ops, std::size_t inputs) : ops_(ops), inputs_(inputs) {}

  /// Registers requested gradients. `flows(op, operand)`: whether a gradient flows back to an
  /// operand.
  void expect(std::span<const ValueId> by,
              const std::function<bool(std::size_t, const Operand&)>& flows);
  /// The gradients that no op before `op` adds to.
  std::vector<ValueId> readFirstBy(std::size_t op) const;
  /// The gradients that have not been reduced.
  std::vector<ValueId> left() const;
  /// Starts to reduce `gradient`, the gradient by `by`, over the ranks.
  void reduce(ValueId by, ValueId gradient);
  /// the first op that reads it; -1: none
  void wait();
  /// The averaged gradient; -1 if each rank keeps its own.
  ValueId reduced(ValueId by) const;

 private:
  struct Expected {
    std::ptrdiff_t first = -1;  ///< the first op that reads it; -1: none
    ValueId reduced = -1;
  };
  const DataParallel& settings() const { return ops_.program().parallel; }

  GradientOps& ops_;
  std::size_t inputs_;
  std::map<ValueId, Expected> expected_;
  std::size_t missing_ = 0;  ///< number of gradients that are not reduced
  int bucket_ = 0;
  std::int64_t bytes_ = 0;      ///< size of the open bucket
  std::ptrdiff_t before_ = -1;  ///< the op that was added last; -1: the bucket is empty
  std::vector<ValueId> begun_;  ///< reductions that nothing waits for yet
};

}  // namespace fusebench
