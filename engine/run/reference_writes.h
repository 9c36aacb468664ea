// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/plan/plan_values.h"
#include "engine/run/reference.h"

namespace fusebench {

// The reference of what is written in place.

/// Which values lie in one memory, and how, where a program writes in place. What is written by one
/// of them the others see when they are read.
class SharedMemory {
 public:
  /// Of inputs that lie so.
  SharedMemory(const Program& program, Forms inputs);

  /// Brings a value up to what has been written to its memory since it was looked at.
  void refresh(ValueId value, std::vector<ReferenceTensor>& all,
               std::vector<std::vector<double>>& terms);
  /// A value was made or written: what else lies there sees it.
  void wrote(ValueId value, std::vector<ReferenceTensor>& all,
             std::vector<std::vector<double>>& terms);
  /// A view has just been made of what its operand is now.
  void made(ValueId value);

 private:
  void move(ValueId value, ValueId root, std::vector<ReferenceTensor>& all,
            std::vector<std::vector<double>>& terms, bool back) const;
  std::vector<std::size_t> placesOf(ValueId value, ValueId root) const;

  PlanValues values_;
  std::vector<int> versions_;  ///< per value: how often its memory was written
  std::vector<int> seen_;      ///< per value: up to which of them it is
};

/// The type that an op's result has before it is written to what it is written to.
ValueType ownType(const Op& op, std::span<const ValueType> types);

/// A result as the dtype and shape of what it is written to.
void convertWritten(ReferenceTensor& result, const ValueType& into);

}  // namespace fusebench
