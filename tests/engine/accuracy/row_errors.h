// SPDX-License-Identifier: GPL-3.0-or-later
// Every op row, computed by an executor in each float dtype, beside what it is exactly.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/device/backend.h"
#include "engine/ops/ops.h"
#include "tests/engine/support/op_values.h"

namespace fusebench::test {

inline constexpr DType kFloatDTypes[] = {DType::float64, DType::float32, DType::float16,
                                         DType::bfloat16};

/// Pointwise rows that are functions of numbers: no casts, no ops of integers alone, none that asks
/// where an element is.
std::vector<const OpRow*> functionRows();

/// Operands of a row in a dtype, some thousand points: one column an operand. The committed points
/// of its domain, rounded to the dtype; the same moved a little, with all bits that the dtype has;
/// in float64, whose range is wider, further out; of one operand in a 16-bit dtype every 13th of
/// the values that there are.
std::vector<std::vector<double>> typedPoints(const OpRow& row, const OpValues& block, DType dtype);

/// One result that breaks the row's bound.
struct BrokenBound {
  std::string executor, operands;  ///< as text, parameters among them
  double got = 0, exact = 0, ulp = 0;
};

struct RowErrors {
  double worst = 0;  ///< in units of the dtype's last place; bounds that are absolute included
  std::string at;    ///< the operands there
  std::size_t points = 0;
  std::size_t broken = 0;             ///< bounds
  std::vector<BrokenBound> examples;  ///< of these, a few
};

/// What these executors make of the row at typedPoints(). Throws std::runtime_error where a result
/// has another dtype than the operands have.
RowErrors errorsOf(const OpRow& row, DType dtype, Backend& backend,
                   std::span<const std::string> executors);

}  // namespace fusebench::test
