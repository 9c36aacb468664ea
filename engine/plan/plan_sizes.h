// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/base/size_math.h"
#include "engine/language/program.h"
#include "engine/language/size_expression.h"

namespace fusebench {

/// The sizes that a program computes from shapes, as symbols of a plan that serves several shapes.
/// Integer arithmetic and comparisons stay symbolic; the plan relies on the outcome of comparisons.
/// A size that is computed in any other way is a number, and the plan relies on the extents behind
/// it.
class PlanSizes {
 public:
  /// The extents of a value, each with its current value; called only for values that an evaluated
  /// size depends on.
  using ExtentsOf = std::function<SizeList<HintedSize>(ValueId)>;
  PlanSizes(const SizeExpressions& sizes, SizeFacts& facts, ExtentsOf extentsOf);

  /// Throws ProgramError at `place` if the size is currently not an integer.
  HintedSize at(SizeId id, SourcePlace place);
  /// Requires that the size has its current value in every call.
  void hold(SizeId id, SourcePlace place);
  /// The same for the sizes among the numbers of an op: operands and parameters, and with
  /// `ofResult` the sizes of its result.
  void holdNumbers(const Op& op, bool ofResult);

 private:
  std::optional<HintedSize> computed(const SizeNode& node, SourcePlace place);
  HintedSize leaf(const SizeNode& node);
  void holdLeaves(SizeId id);
  void relyOn(const HintedSize& size);

  const SizeExpressions& sizes_;
  SizeFacts& facts_;
  SizeMath<HintedSize> math_;
  ExtentsOf extentsOf_;
  SizeValues now_;
  std::vector<std::optional<HintedSize>> known_;
};

}  // namespace fusebench
