// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/base/dim_order.h"
#include "engine/base/index_space.h"
#include "engine/base/short_list.h"
#include "engine/language/program.h"
#include "engine/ops/copies.h"
#include "engine/plan/guards.h"

namespace fusebench {

/// The values of a program for given forms of the inputs: dtype, extents and strides. Value numbers
/// are those of the program. Most values share a few shapes and are row-major.
struct PlanValues {
  /// The layout of a value that is not row-major.
  struct ValueLayout {
    SizeList<SymbolicSize> strides;
    DimOrder order;  ///< for results
  };

  /// The value whose memory a value uses: itself, unless it is a view.
  struct Place {
    ValueId root;
    SymbolicSize offset;  ///< from the root's first element to its own, in elements
  };

  ShortList<SharedTypes::Value, 64> types;      ///< per value
  int leading = 0;                              ///< see SharedTypes
  ShortList<SizeList<SymbolicSize>, 2> spaces;  ///< the distinct extents of the values
  std::vector<ValueLayout> layouts;
  std::vector<int> layoutOf;  ///< per value: index in `layouts`, or -1 if row-major; empty: all are

  std::vector<Place> places;  ///< per value; empty: there are no views
  /// Per value, the value for which it is another name: a result that is written in place has the
  /// name of the value that it is written to. Empty if nothing is written in place.
  std::vector<ValueId> names;

  bool ownMemory = true;         ///< see PlanOptions
  bool overlap = false;          ///< see PlanOptions
  std::vector<Memory> memories;  ///< per value; empty: all are in device memory

  bool symbolicSizes = false;     ///< sizes that the program computes are symbols: see PlanSizes
  std::vector<bool> overwritten;  ///< per op, if they are: see overwritten.h
  /// Per value, if they are: the number of the part of an overwritten tensor that it is; -1: none.
  /// Different parts of one tensor share no element.
  std::vector<int> partOf;

  std::size_t count() const { return types.size(); }
  DType dtype(ValueId value) const { return types[static_cast<std::size_t>(value)].dtype; }
  /// Values of equal extents have the same space.
  int space(ValueId value) const { return types[static_cast<std::size_t>(value)].shape; }
  const SizeList<SymbolicSize>& extents(int space) const {
    return spaces[static_cast<std::size_t>(space)];
  }
  /// Null if the value is row-major.
  const ValueLayout* layout(ValueId value) const {
    const int own = layoutOf.empty() ? -1 : layoutOf[static_cast<std::size_t>(value)];
    return own < 0 ? nullptr : &layouts[static_cast<std::size_t>(own)];
  }
  /// The value whose memory it uses.
  ValueId root(ValueId value) const {
    return places.empty() ? value : places[static_cast<std::size_t>(value)].root;
  }
  bool isView(ValueId value) const { return root(value) != value; }
  /// Two values with one name are the same elements with the same strides.
  ValueId named(ValueId value) const {
    return names.empty() ? value : names[static_cast<std::size_t>(value)];
  }
  Memory memory(ValueId value) const {
    return memories.empty() ? Memory::device : memories[static_cast<std::size_t>(value)];
  }
  /// Whether two values are known to be different parts of an overwritten tensor.
  bool areDifferentParts(ValueId a, ValueId b) const {
    const auto last = static_cast<std::size_t>(std::max(a, b));
    if (last >= partOf.size() || root(a) != root(b)) return false;
    const int first = partOf[static_cast<std::size_t>(a)];
    const int second = partOf[static_cast<std::size_t>(b)];
    return first >= 0 && second >= 0 && first != second;
  }
  SymbolicSize offset(ValueId value) const {
    return places.empty() ? SymbolicSize(0) : places[static_cast<std::size_t>(value)].offset;
  }
  SizeList<SymbolicSize> strides(ValueId value) const {
    const ValueLayout* const own = layout(value);
    return own ? own->strides : outputStrides(extents(space(value)), 0);
  }
};

/// Throws ProgramError if the inputs do not fit the program. `guards` are those of the inputs; the
/// conditions that views rely on are added to them. `ownMemory`: see PlanOptions.
PlanValues planValues(const Program& program, Forms inputs, Guards& guards, bool ownMemory = true);

/// Adds a value that no op creates: a part of `root`, with the dtype and extents of `like`.
ValueId addPartTo(PlanValues& values, ValueId root, ValueId like,
                  const SizeList<SymbolicSize>& strides, const SymbolicSize& offset);

/// Whether an op writes its result to memory, which all ops do except those that create a view.
inline bool writes(const Program& program, const PlanValues& values, int op) {
  return !values.isView(program.result(op)) ||
         program.ops[static_cast<std::size_t>(op)].writesInto();
}

/// Whether an op is a copy that is a step. A copy to the memory where its operand already is makes
/// a view instead. Fetching a number is a step, although the value stays in its memory.
inline bool copies(const Program& program, const PlanValues& values, int op) {
  const Op& which = program.ops[static_cast<std::size_t>(op)];
  if (which.row->kind != OpKind::copy) return false;
  return writes(program, values, op) ||
         (moveOf(*which.row) == Move::fetch && values.ownMemory &&
          values.memory(which.operands.front().value) == Memory::device);
}

/// The memory to which a copy moves a tensor that is in `from`; nothing if the tensor already is
/// there. `ownMemory`: see PlanOptions. Must not be called for a fetch.
std::optional<Memory> destination(const Op& op, Memory from, bool ownMemory);

/// Whether the host waits for a copy to finish.
inline bool waits(const Op& op) {
  const Move move = moveOf(*op.row);
  return move == Move::fetch ||
         ((move == Move::toDevice || move == Move::toHost) && op.parameters.front() == 0);
}

/// Whether a copy overlaps with launches, so that the host does not have to wait: see
/// PlanOptions::overlap.
inline bool isBeside(const Op& op, Memory from, bool overlap) {
  return overlap && from == Memory::pinned && moveOf(*op.row) == Move::toDevice;
}

/// Ops compute on the device and allocate their results there. Each function throws ProgramError:
/// for a tensor created in other memory, an operand in other memory, and a tensor that cannot be
/// pinned.
void checkMaking(const Op& op, bool ownMemory);
[[noreturn]] void failElsewhere(const Program& program, const Op& op, const Operand& operand);
void checkPinned(const Op& op, Memory from, bool ownMemory);
/// Reports that a copy needs a tensor without gaps. Throws ProgramError.
[[noreturn]] void failGaps(const Op& op);

/// The types in which an op computes and of its result.
OpTypes opTypesIn(const Op& op, const PlanValues& values);

/// Whether the result of an op has other extents than the loop that computes it, as for a reduction
/// and for a reshape that copies.
inline bool changesSpace(const Program& program, const PlanValues& values, int op) {
  const Op& which = program.ops[static_cast<std::size_t>(op)];
  return goesOverOperand(*which.row) &&
         values.space(which.operands.front().value) != values.space(program.result(op));
}

}  // namespace fusebench
