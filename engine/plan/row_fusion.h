// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/plan/fusion.h"
#include "engine/plan/row_limits.h"

namespace fusebench {

/// The sizes and limits that the fusion along rows of a plan depends on in addition to the program.
struct RowSizes {
  RowLimits limits;
  /// The values of the plan's symbols in the call that it is made for, if limits.ofCall is set.
  std::vector<std::int64_t> symbols;
  /// A decision that depended on whether the rows of a space, whose first `kept` dimensions are not
  /// reduced, are few and long. Calls with a different answer need another plan.
  struct Choice {
    int space = -1;
    std::size_t kept = 0;
    bool fewAndLong = false;
  };
  std::vector<Choice> choices;
};

/// Whether rows are too few and too long for one thread block per row.
bool areFewAndLong(const PlanValues& values, const RowLimits& limits, int space, std::size_t kept,
                   std::span<const std::int64_t> symbols);
/// Whether all choices would be the same for these symbols.
bool chooseAlike(const PlanValues& values, const RowSizes& sizes,
                 std::span<const std::int64_t> symbols);

/// Joins consecutive groups that run over the same rows if the later ones read the results of the
/// earlier reductions. Softmax, norms and losses become one launch each. A row consists of the
/// elements along the last dimensions of an index space, which the group reduces. Results of
/// reductions exist once per row, and so do values computed from these alone.
///
/// Groups are not joined if the elements of a row are not contiguous in memory, or if there are too
/// few rows and they are too long for one thread block per row.
///
/// `sizes` gives the limits and the symbols, and receives the choices that depended on them.
///
/// `totals`: sums over all rows of the rows' results, and arithmetic on these sums, also join their
/// group, so that a loss is one launch.
std::vector<FusionGroup> fuseRows(const Program& program, const PlanValues& values,
                                  std::vector<FusionGroup> groups, RowSizes& sizes,
                                  bool totals = true);

/// Whether an op runs along rows instead of over all elements in the same way: it reduces some
/// dimensions, or one of its operands or its result is broadcast or not row-major.
bool goesAlongRows(const Program& program, const PlanValues& values, int op);
/// The same for any op of a program.
bool goesAlongRows(const Program& program, const PlanValues& values);

/// Like fuse() for pieces, but leaves ops along rows alone in their groups. The extra work per row
/// of a chain of pieces costs more than the chain saves, unless rows are long and tensors do not
/// fit into caches. winsAlongRows() decides this for a call.
std::vector<FusionGroup> fuseExceptRows(const Program& program, const PlanValues& values,
                                        bool narrowPieces);
/// `symbols`: the values of the plan's symbols in the call.
bool winsAlongRows(const PlanValues& values, std::span<const std::int64_t> symbols);

/// Rows of an index space.
struct Rows {
  int space = -1;  ///< index of a space of the plan's values
  std::uint32_t reducedMask = 0;

  friend bool operator==(const Rows&, const Rows&) = default;
};

/// The space that an op of a group with phases runs over.
int spaceOf(const Program& program, const PlanValues& values, int op);
/// The strides, over the group's space, of a value that an op of a group with phases reads. The op
/// runs over this space or has one element per row.
SizeList<SymbolicSize> stridesInRows(const PlanValues& values, const Rows& rows, int opSpace,
                                     ValueId value);

}  // namespace fusebench
