// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "engine/ops/ops.h"
#include "engine/ops/promotion.h"

namespace fusebench {

/// The types that an op computes in and returns.
struct OpTypes {
  DType computed = DType::float32;  ///< operands are converted to this first, except bools
  DType result = DType::float32;
  std::string problem{};  ///< what the row does not accept, and what would be right; empty: it
                          ///< accepts everything

  /// Whether, for float32 and bool tensors, it computes as most ops do: in float32, or with bools.
  /// Then its types follow from its row alone.
  bool usual(const OpRow& row) const {
    const bool number = computed == DType::float32 && result == resultDType(row);
    const bool truth = computed == DType::boolean && row.result != ResultType::number;
    const bool stored = result == DType::float32 || result == DType::boolean ||
                        (row.kind == OpKind::reduce && result == DType::int64);
    return (number || truth) && stored;
  }
};

/// `operands`: as many as the row's arity. `parameters`: those of an op; none: they do not matter.
OpTypes opTypes(const OpRow& row, std::span<const OperandType> operands,
                std::span<const double> parameters = {});

/// The class that a row's meaning is computed in where its operands become `computed`.
inline TypeClass classOf(const OpTypes& types) {
  return classOf(types.computed);
}

/// A number among the operands, as an op that computes in this type reads it.
double numberIn(const OpRow& row, double number, DType computed);

/// Whether an op on operands of one type, which it also computes in, returns that type or bool, and
/// has pieces for `instant`: float64, int64, int32, and bytes, which use those of int32. Ops with
/// parameters that are part of the code have none.
bool hasPiecesIn(const OpRow& row, const OpTypes& types);

}  // namespace fusebench
