// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

inline constexpr Parameter kIndexedDim{.name = "dim",
                                       .kind = Parameter::Kind::dims,
                                       .required = true,
                                       .high = 1,
                                       .doc = "dimension that the index goes along"};

/// The dimension of a check. The check's own dimensions are those that it goes over: all of them.
inline constexpr Parameter kCheckedDim{.name = "_dim",
                                       .kind = Parameter::Kind::integer,
                                       .fallback = 0,
                                       .doc = "dimension that the index goes along"};

/// Checks report greater places as this one: their result is then an exact float64, too.
inline constexpr double kFarPlace = 4503599627370496;  // 2^52

/// The offset of an index, in elements. A position that is out of range is replaced by the nearest
/// valid one, so that nothing else is read; a check reports that it was out of range. Operands: a
/// position, the number of positions, and their stride.
inline Expr stepsTo(Args x, bool wraps) {
  const Expr place = wraps ? select(x[0] < 0, x[0] + x[1], x[0]) : x[0];
  return max(min(place, x[1] - 1), 0) * x[2];
}
/// 2 i + 2 for a position i after the last one, -2 i - 1 for one before the first, 0 for others:
/// the maximum belongs to the position that is farthest out of range.
inline Expr farOutside(Args x, bool wraps) {
  const Expr place = min(max(x[0], -kFarPlace), kFarPlace);
  const Expr first = wraps ? -x[1] : constant(x[1], 0);
  return select(place >= x[1], place * 2 + 2,
                select(place < first, place * -2 - 1, constant(place, 0)));
}

/// Ops that read elements at the positions in an index. Their meaning computes the position; the
/// elements are unchanged.
inline const OpRow kIndexed[] = {
    {.name = "gather",
     .spellings = {"torch.gather", "x.gather"},
     .category = selection,
     .arity = 2,
     .operands = {"input", "index"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::gather,
     .indexing = {.is = true, .replaces = false},
     .places = IndexInputs::step,
     .meaning = [](Args x) { return stepsTo(x, false); },
     .bound = kExact,
     .doc = "Elements along a dimension, each at the position given by the index"},
    {.name = "index_select",
     .spellings = {"torch.index_select", "x.index_select"},
     .category = selection,
     .arity = 2,
     .operands = {"input", "index"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::gather,
     .indexing = {.is = true, .flat = true},
     .places = IndexInputs::step,
     .meaning = [](Args x) { return stepsTo(x, false); },
     .bound = kExact,
     .doc = "Slices along a dimension, at the given indices"},
    {.name = "index",  // x[i]
     .category = selection,
     .arity = 2,
     .operands = {"input", "index"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::gather,
     .indexing = {.is = true, .wraps = true},
     .places = IndexInputs::step,
     .meaning = [](Args x) { return stepsTo(x, true); },
     .bound = kExact,
     .doc = "x[i]: slices at the indices in a tensor; negative indices count from the end"},
    {.name = "embedding",
     .spellings = {"torch.embedding"},
     .category = selection,
     .arity = 2,
     .operands = {"weight", "indices"},
     .takes = AcceptedTypes::any,
     .kind = OpKind::gather,
     .indexing = {.is = true},
     .places = IndexInputs::step,
     .meaning = [](Args x) { return stepsTo(x, false); },
     .bound = kExact,
     .doc = "Rows of a table, one for each element of the index"},
    {.name = "scatter_add",
     .spellings = {"torch.scatter_add", "x.scatter_add"},
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false},
     .autocast = kWidestOnCuda,
     .bound = kFourUlp,
     .doc = "Elements of src added to those of input, at the indices along a dimension"},
    // The accumulators that scatter_reduce(..., "prod") and similar calls use.
    {.name = "scatter_prod",
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false},
     .accumulate = Accumulate::prod,
     .bound = kFourUlp,
     .doc = "Elements of input multiplied by those of src, at the indices along a dimension"},
    {.name = "scatter_amax",
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false},
     .accumulate = Accumulate::max,
     .bound = kExact,
     .doc = "Maximum of input and of the elements of src that the index assigns to it; NaN if one "
            "is NaN"},
    {.name = "scatter_amin",
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false},
     .accumulate = Accumulate::min,
     .bound = kExact,
     .doc = "Minimum of input and of the elements of src that the index assigns to it; NaN if one "
            "is NaN"},
    {.name = "index_add",
     .spellings = {"torch.index_add", "x.index_add"},
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "source"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .flat = true},
     .bound = kFourUlp,
     .doc = "Slices of source added to those of input, at the given indices"},
    {.name = "scatter",
     .spellings = {"torch.scatter", "x.scatter"},
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false, .sets = true},
     .bound = kExact,
     .doc = "Input with elements of src at the indices along a dimension; the last of equal ones "
            "wins"},
    {.name = "index_copy",
     .spellings = {"torch.index_copy", "x.index_copy"},
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "source"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .flat = true, .sets = true},
     .autocast = {Autocast::widest, Autocast::none},
     .bound = kExact,
     .doc =
         "Input with slices of source written at the indices; of equal indices the last one wins"},
    {.name = "index_put",  // x[i] = v
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "value"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .wraps = true, .sets = true, .spreads = true},
     .autocast = kWidestOnCuda,
     .bound = kExact,
     .doc = "x[i] = value: slices at the indices in a tensor; negative indices count from the end"},
    {.name = "index_put_add",  // x.index_put_((i,), v, accumulate=True)
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "value"},
     .takes = AcceptedTypes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .wraps = true, .spreads = true},
     .bound = kFourUlp,
     .doc = "x.index_put_((i,), value, accumulate=True): added to the slices at the indices in a "
            "tensor"},
};

/// The checks before an op that divides integers, and before one that uses indices; see
/// zeroCheckRow() and indexCheckRow().
inline const OpRow kChecks[] = {
    {.name = "zero_check",
     .category = selection,
     .takes = AcceptedTypes::integers,
     .parameters = {kCheckedDim},
     .kind = OpKind::reduce,
     .result = ResultType::truth,
     .meaning = [](Args x) { return x[0] == 0; },
     .accumulate = Accumulate::any,
     .differentiable = false,
     .bound = kExact,
     .doc = "Whether an element of a divisor is 0"},
    {.name = "index_check",
     .category = selection,
     .arity = 2,
     .operands = {"index", "input"},
     .takes = AcceptedTypes::any,
     .parameters = {kCheckedDim},
     .kind = OpKind::reduce,
     .indexing = {.is = true, .source = 1, .index = 0},
     .places = IndexInputs::extent,
     .result = ResultType::cast,
     .castTo = DType::int64,
     .meaning = [](Args x) { return farOutside(x, false); },
     .accumulate = Accumulate::max,
     .differentiable = false,
     .bound = kExact,
     .doc = "Whether all places of an index are inside of what it goes into"},
    {.name = "index_check_wrapping",
     .category = selection,
     .arity = 2,
     .operands = {"index", "input"},
     .takes = AcceptedTypes::any,
     .parameters = {kCheckedDim},
     .kind = OpKind::reduce,
     .indexing = {.is = true, .source = 1, .index = 0, .wraps = true},
     .places = IndexInputs::extent,
     .result = ResultType::cast,
     .castTo = DType::int64,
     .meaning = [](Args x) { return farOutside(x, true); },
     .accumulate = Accumulate::max,
     .differentiable = false,
     .bound = kExact,
     .doc = "The same of x[i], where negative places count from the end"},
};

}  // namespace fusebench::rows
