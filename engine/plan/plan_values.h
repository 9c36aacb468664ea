// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/base/dim_order.h"
#include "engine/base/layout.h"
#include "engine/base/short_list.h"
#include "engine/language/program.h"
#include "engine/plan/guards.h"

namespace fusebench {

/// The values of a program as the inputs' forms make them: dtype, extents, strides. Numbers are the
/// program's. Most values share few shapes, and are row-major.
struct PlanValues {
  /// Of a value that is not row-major.
  struct ValueLayout {
    SizeList<SymbolicSize> strides;
    DimOrder order;  ///< of a result
  };

  ShortList<SharedTypes::Value, 64> types;      ///< per value
  int leading = 0;                              ///< see SharedTypes
  ShortList<SizeList<SymbolicSize>, 2> spaces;  ///< the extents that values have
  std::vector<ValueLayout> layouts;
  std::vector<int> layoutOf;  ///< per value, in `layouts`, or -1: row-major; empty: all are

  std::size_t count() const { return types.size(); }
  DType dtype(ValueId value) const { return types[static_cast<std::size_t>(value)].dtype; }
  /// Values of equal extents have the same.
  int space(ValueId value) const { return types[static_cast<std::size_t>(value)].shape; }
  const SizeList<SymbolicSize>& extents(int space) const {
    return spaces[static_cast<std::size_t>(space)];
  }
  /// Null: row-major.
  const ValueLayout* layout(ValueId value) const {
    const int own = layoutOf.empty() ? -1 : layoutOf[static_cast<std::size_t>(value)];
    return own < 0 ? nullptr : &layouts[static_cast<std::size_t>(own)];
  }
  SizeList<SymbolicSize> strides(ValueId value) const {
    const ValueLayout* const own = layout(value);
    return own ? own->strides : outputStrides(extents(space(value)), 0);
  }
};

/// Throws ProgramError if the inputs do not fit the program. `guards`: of these inputs.
PlanValues planValues(const Program& program, Forms inputs, const Guards& guards);

}  // namespace fusebench
