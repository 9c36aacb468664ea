// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "engine/ops/ops.h"

namespace fusebench {

/// The lowest bits of a whole number, as PyTorch casts it to an integer dtype; numbers that do not
/// fit in an int64, fractions and infinities are unchanged.
double wrappedNumber(double number, DType dtype);

/// Whether PyTorch converts a Python number to an integer dtype at all: it raises if the number is
/// out of range. An unsigned dtype accepts negative numbers whose magnitudes are in its range, and
/// wraps them.
bool isConverted(double number, DType dtype);

/// Whether PyTorch wraps the numbers among the operands of an op on integers, whatever their
/// values. The other ops accept the numbers that it converts.
bool wrapsNumbers(const OpRow& row);

/// Whether a parameter is a number that PyTorch converts to the dtype in which the op computes.
/// Bounds of integers are clamped to the dtype's range instead.
bool convertsParameter(const OpRow& row, std::size_t parameter);

/// The value of a parameter in the dtype in which the op computes: wrapped if it is converted to an
/// integer, 0 or 1 for bools, and rounded if the row rounds its numbers. A fallback that is the
/// greatest float32 becomes the greatest number of each float dtype. `parameter`: its index;
/// numbers that follow the row's parameters have the indices after theirs.
double parameterIn(const OpRow& row, std::size_t parameter, double number, DType computed);

}  // namespace fusebench
