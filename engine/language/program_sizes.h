// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// The op with every number that is a size evaluated: operands, parameters, sizeNumbers. The sizes
/// themselves are kept as well. Throws ProgramError where Python raises.
Op withNumbers(const Op& op, SizeValues& values);

/// The program with every size evaluated for the types of its values (from inferTypes): plans and
/// executors for these shapes read it.
Program withNumbers(const Program& program, std::span<const ValueType> types);

/// One extent of one input.
struct InputExtent {
  int input = 0;
  int dim = 0;
  friend bool operator==(const InputExtent&, const InputExtent&) = default;
};

/// The inputs' extents that a size depends on, for inputs with these numbers of dimensions.
/// `types`: those of all values; only ranks and extents of 1 matter. Dependence is followed through
/// element-wise ops and reductions. Other ops are assumed to depend on all extents of all their
/// operands.
std::vector<InputExtent> extentsBehind(const Program& program, SizeId size,
                                       std::span<const ValueType> types);

/// The same for all sizes and checks of the program: a plan with these numbers is valid for exactly
/// these extents.
std::vector<InputExtent> extentsBehindSizes(const Program& program,
                                            std::span<const ValueType> types);

}  // namespace fusebench
