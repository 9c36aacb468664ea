// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench {

/// The kernels that eager asks a backend for and that ship with the program: each op row by itself,
/// for any sizes, as lowerAlone() makes them. Rows x operands that are numbers x dtypes x layouts:
/// - operands float32, or truth where the row needs that; either of the two where all operands have
///   the same layout;
/// - one operand dense, a part of a wider tensor, or spread out; several alike, or one of them a
///   row, a column, a single element, a channel, transposed or a part; a column with a row;
/// - reductions over everything, the last dimensions, the first ones, those in the middle, and all
///   but those;
/// - parameters that are part of the code: the value for a parameter that is not given, both values
///   of a flag, and 0 for a reduction's number, too.
/// - with `comparedIndices`, comparisons of int64 between a row and a column. They are left out by
///   default because the pieces for a processor take long for them, while the threads of a GPU
///   do not.
/// No two have the same canonicalText(). The list grows with the op table alone.
std::vector<Kernel> shippedKernels(bool comparedIndices = false);

}  // namespace fusebench
