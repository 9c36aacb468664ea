// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "engine/base/dim_order.h"
#include "engine/base/index_space.h"
#include "engine/base/short_list.h"
#include "engine/language/program.h"
#include "engine/ops/copies.h"
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

  /// In which value's memory a value lies: its own, unless it is a view.
  struct Place {
    ValueId root;
    SymbolicSize offset;  ///< of the first element from the root's, in elements
  };

  ShortList<SharedTypes::Value, 64> types;      ///< per value
  int leading = 0;                              ///< see SharedTypes
  ShortList<SizeList<SymbolicSize>, 2> spaces;  ///< the extents that values have
  std::vector<ValueLayout> layouts;
  std::vector<int> layoutOf;  ///< per value, in `layouts`, or -1: row-major; empty: all are

  std::vector<Place> places;  ///< per value; empty: there are no views
  /// Per value, which value it is another name for: a result that is written in place is that of
  /// what it is written to. Empty: nothing is written in place.
  std::vector<ValueId> names;

  bool ownMemory = true;         ///< see PlanOptions
  bool overlap = false;          ///< likewise
  std::vector<Memory> memories;  ///< per value; empty: all lie in the device's

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
  /// The value in whose memory it lies.
  ValueId root(ValueId value) const {
    return places.empty() ? value : places[static_cast<std::size_t>(value)].root;
  }
  bool isView(ValueId value) const { return root(value) != value; }
  /// Two values of one name are the same elements, seen alike.
  ValueId named(ValueId value) const {
    return names.empty() ? value : names[static_cast<std::size_t>(value)];
  }
  Memory memory(ValueId value) const {
    return memories.empty() ? Memory::device : memories[static_cast<std::size_t>(value)];
  }
  SymbolicSize offset(ValueId value) const {
    return places.empty() ? SymbolicSize(0) : places[static_cast<std::size_t>(value)].offset;
  }
  SizeList<SymbolicSize> strides(ValueId value) const {
    const ValueLayout* const own = layout(value);
    return own ? own->strides : outputStrides(extents(space(value)), 0);
  }
};

/// Throws ProgramError if the inputs do not fit the program. `guards`: of these inputs; what views
/// rely on is added to them. `ownMemory`: see PlanOptions.
PlanValues planValues(const Program& program, Forms inputs, Guards& guards, bool ownMemory = true);

/// Adds a value that no op has: a part of `root`, of the dtype and extents of `like`.
ValueId addPartTo(PlanValues& values, ValueId root, ValueId like,
                  const SizeList<SymbolicSize>& strides, const SymbolicSize& offset);

/// Whether an op writes its result somewhere: all but those that make a view.
inline bool writes(const Program& program, const PlanValues& values, int op) {
  return !values.isView(program.result(op)) ||
         program.ops[static_cast<std::size_t>(op)].writesInto();
}

/// Whether an op is a copy that is a step. One to where its operand lies already is none, and makes
/// a view; fetching a number is one that leaves its value where it was.
inline bool copies(const Program& program, const PlanValues& values, int op) {
  const Op& which = program.ops[static_cast<std::size_t>(op)];
  if (which.row->kind != OpKind::copy) return false;
  return writes(program, values, op) ||
         (moveOf(*which.row) == Move::fetch && values.ownMemory &&
          values.memory(which.operands.front().value) == Memory::device);
}

/// Where a copy takes a tensor that lies in `from`; nothing: it stays, being there already.
/// `ownMemory`: see PlanOptions. Not of fetching.
std::optional<Memory> destination(const Op& op, Memory from, bool ownMemory);

/// Whether the host waits for a copy before it goes on.
inline bool waits(const Op& op) {
  const Move move = moveOf(*op.row);
  return move == Move::fetch ||
         ((move == Move::toDevice || move == Move::toHost) && op.parameters.front() == 0);
}

/// Whether a copy goes on beside the launches, so that the host need not wait: see
/// PlanOptions::overlap.
inline bool isBeside(const Op& op, Memory from, bool overlap) {
  return overlap && from == Memory::pinned && moveOf(*op.row) == Move::toDevice;
}

/// Ops compute on the device and make their tensors there. Each throws ProgramError: of a tensor
/// that is to be made elsewhere, of an operand that lies elsewhere, of one that cannot be pinned.
void checkMaking(const Op& op, bool ownMemory);
[[noreturn]] void failElsewhere(const Program& program, const Op& op, const Operand& operand);
void checkPinned(const Op& op, Memory from, bool ownMemory);
/// Copies take tensors as they lie, without gaps. Throws ProgramError.
[[noreturn]] void failGaps(const Op& op);

/// Whether an op's result is over other extents than what it goes through to make it: that of a
/// reduction, and the copy that a reshape makes.
inline bool changesSpace(const Program& program, const PlanValues& values, int op) {
  const Op& which = program.ops[static_cast<std::size_t>(op)];
  return goesOverOperand(*which.row) &&
         values.space(which.operands.front().value) != values.space(program.result(op));
}

}  // namespace fusebench
