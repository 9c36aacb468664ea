// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/base/index_space.h"
#include "engine/base/scalar.h"
#include "engine/language/program.h"
#include "engine/plan/fusion.h"
#include "engine/plan/kernel.h"
#include "engine/plan/op_list.h"

namespace fusebench {

/// Sizes of the integers that a launch takes.
using LaunchSizes = ShortList<SymbolicSize, 2>;

/// A kernel and what its launches need.
struct LoweredKernel {
  Kernel kernel;
  LaunchSizes integers;         ///< values of Kernel's run-time integers
  std::vector<Scalar> scalars;  ///< numbers passed at launch (eager)
  LaunchSizes countedFrom;      ///< of the inputs that count, in order: what their pointers are
};

/// How an input of a kernel that counts steps through a space: number 0 row-major over all of it, 1
/// along the last dimension but one, 2 along the last.
template <class Size>
SizeList<Size> countStrides(int number, const SizeList<Size>& space) {
  if (number == 0) return outputStrides(space, 0);
  SizeList<Size> strides(space.size(), Size(0));
  const std::size_t fromLast = number == 1 ? 2 : 1;
  if (space.size() >= fromLast) strides[space.size() - fromLast] = Size(1);
  return strides;
}

/// Whether numbers written in the program are compiled in or passed at each launch.
enum class Numbers : std::uint8_t { bakedIn, atLaunch };

/// The kernel of a group: row formulas combined, dimensions merged.
LoweredKernel lower(const Program& program, const PlanValues& values, const FusionGroup& group,
                    Numbers numbers, bool contract = false);

/// The group op by op; the integers are those of lower(). The list refers to the program, which
/// must outlive it unless the list owns it.
struct LoweredOpList {
  OpList list;
  LaunchSizes integers;
};
LoweredOpList lowerOpList(const Program& program, const PlanValues& values,
                          const FusionGroup& group);

/// The same kernel with every extent, and every stride except 0 and 1, given at launch:
/// shape-generic.
void generalize(LoweredKernel& lowered);

/// The formula of one op on given operands, or the value that a reduction accumulates for them, as
/// an element of `dtype`; for float32 operands see meaningDType().
Expr applyRow(const OpRow& row, DType dtype, std::span<const Expr> operands,
              std::span<const Expr> parameters);

/// Values of the parameters of `finish` formulas: numbers rounded to float32 or, if float64 is
/// computed, as written.
std::vector<double> parameterValues(const Op& op, DType computed);

KernelLabel kernelLabel(const Program& program, std::span<const int> ops);
/// Its text.
std::string kernelName(const Program& program, std::span<const int> ops);

}  // namespace fusebench
