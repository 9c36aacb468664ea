// SPDX-License-Identifier: GPL-3.0-or-later
// Compares every op row, computed by an executor in each float dtype, with its exact results.
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

/// Operands of a row in a dtype, a few thousand points, one column per operand. They are the
/// committed points of its domain, rounded to the dtype; the same ones moved slightly, with all
/// bits of the dtype; in float64, with its wider range, points further out; for one operand in a
/// 16-bit dtype, every 13th of all values.
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

/// Compares the results of these executors at typedPoints(). Throws std::runtime_error if a result
/// has a dtype other than that of the operands.
RowErrors errorsOf(const OpRow& row, DType dtype, Backend& backend,
                   std::span<const std::string> executors);

}  // namespace fusebench::test
