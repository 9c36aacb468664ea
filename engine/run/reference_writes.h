// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/plan/plan_values.h"
#include "engine/run/reference.h"

namespace fusebench {

// The reference for in-place writes.

/// The values that share memory, and their layouts, in a program with in-place writes. A write
/// through one of them is visible in the others when they are read.
class SharedMemory {
 public:
  /// For inputs with these layouts.
  SharedMemory(const Program& program, Forms inputs);

  /// Updates a value with everything written to its memory since it was last read.
  void refresh(ValueId value, std::vector<ReferenceTensor>& all,
               std::vector<std::vector<double>>& terms);
  /// Call it when a value was created or written: other values in its memory are affected.
  void wrote(ValueId value, std::vector<ReferenceTensor>& all,
             std::vector<std::vector<double>>& terms);
  /// Call it when a view of its operand's present contents has just been made.
  void made(ValueId value);

 private:
  void move(ValueId value, ValueId root, std::vector<ReferenceTensor>& all,
            std::vector<std::vector<double>>& terms, bool back) const;
  std::vector<std::size_t> placesOf(ValueId value, ValueId root) const;

  PlanValues values_;
  std::vector<int> versions_;  ///< per value: how often its memory was written
  std::vector<int> seen_;      ///< per value: the number of writes that it includes
};

/// The type that an op's result has before it is written to its target.
ValueType ownType(const Op& op, std::span<const ValueType> types);

/// Converts a result to the dtype and shape of its target.
void convertWritten(ReferenceTensor& result, const ValueType& into);

}  // namespace fusebench
