// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/plan/fusion.h"
#include "engine/plan/row_limits.h"

namespace fusebench {

/// What a plan's fusion along rows went by besides the program.
struct RowSizes {
  RowLimits limits;
  /// What the plan's symbols are in the call that it is made for, if limits.ofCall.
  std::vector<std::int64_t> symbols;
  /// Where it made a difference whether the rows of a space, whose first dimensions are kept, are
  /// few and long: calls for which one is otherwise need another plan.
  struct Choice {
    int space = -1;
    std::size_t kept = 0;
    bool fewAndLong = false;
  };
  std::vector<Choice> choices;
};

/// Whether rows are too few and too long for one block of threads each.
bool areFewAndLong(const PlanValues& values, const RowLimits& limits, int space, std::size_t kept,
                   std::span<const std::int64_t> symbols);
/// Whether all choices are these symbols', too.
bool chooseAlike(const PlanValues& values, const RowSizes& sizes,
                 std::span<const std::int64_t> symbols);

/// Joins groups that go over the same rows, one after another, where the later ones read what the
/// earlier ones reduce the rows to: softmax, norms, losses become one launch each. A row is what
/// the last dimensions of an index space go through, which the group reduces; of the row are
/// results of reductions and what is computed of such alone.
///
/// Groups stay apart where the rows do not lie side by side in memory, or where there are too few
/// and too long ones for threads to share.
///
/// `sizes` says which these are, and gets the choices that were made by that.
///
/// `totals`: sums over all rows of what they are reduced to, and arithmetic on these sums, join
/// their group, too: a loss is one launch.
std::vector<FusionGroup> fuseRows(const Program& program, const PlanValues& values,
                                  std::vector<FusionGroup> groups, RowSizes& sizes,
                                  bool totals = true);

/// Whether an op goes along rows instead of over all elements alike: it reduces some dimensions, or
/// has an operand or a result that is broadcast, or does not lie row-major.
bool goesAlongRows(const Program& program, const PlanValues& values, int op);
/// The same of any op of a program.
bool goesAlongRows(const Program& program, const PlanValues& values);

/// fuse() for pieces, but that ops along rows are alone in their groups: what a chain of pieces
/// needs beside them for each row is more than what it saves, unless rows are long and tensors do
/// not fit caches; that is what winsAlongRows() says for a call.
std::vector<FusionGroup> fuseExceptRows(const Program& program, const PlanValues& values,
                                        bool narrowPieces);
/// `symbols`: what those of the plan are in the call.
bool winsAlongRows(const PlanValues& values, std::span<const std::int64_t> symbols);

/// Rows of an index space.
struct Rows {
  int space = -1;  ///< of the plan's values
  std::uint32_t reducedMask = 0;

  friend bool operator==(const Rows&, const Rows&) = default;
};

/// What an op of a group with phases goes over.
int spaceOf(const Program& program, const PlanValues& values, int op);
/// How an op of a group with phases, which goes over the space or has one element a row, steps
/// through a value over the group's space.
SizeList<SymbolicSize> stridesInRows(const PlanValues& values, const Rows& rows, int opSpace,
                                     ValueId value);

}  // namespace fusebench
