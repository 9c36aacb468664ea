// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

inline constexpr Parameter kIndexedDim{.name = "dim",
                                       .kind = Parameter::Kind::dims,
                                       .required = true,
                                       .high = 1,
                                       .doc = "dimension that the index goes along"};

/// Of a check, whose own dimensions are those that it goes over: all.
inline constexpr Parameter kCheckedDim{.name = "_dim",
                                       .kind = Parameter::Kind::integer,
                                       .fallback = 0,
                                       .doc = "dimension that the index goes along"};

/// Greater places are taken for this one where a check speaks of them: what it gives is an exact
/// float64, too.
inline constexpr double kFarPlace = 4503599627370496;  // 2^52

/// Where an index leads to, in elements: a place that is outside leads to the nearest that is not,
/// so that nothing is read elsewhere; a check says that it was outside. Operands: a place, how many
/// there are, how far apart.
inline Expr stepsTo(Args x, bool wraps) {
  const Expr place = wraps ? select(x[0] < 0, x[0] + x[1], x[0]) : x[0];
  return max(min(place, x[1] - 1), 0) * x[2];
}
/// 2 i + 2 for a place i after the last one, -2 i - 1 for one before the first, 0 for others: the
/// greatest is of the place that is farthest out.
inline Expr farOutside(Args x, bool wraps) {
  const Expr place = min(max(x[0], -kFarPlace), kFarPlace);
  const Expr first = wraps ? -x[1] : constant(x[1], 0);
  return select(place >= x[1], place * 2 + 2,
                select(place < first, place * -2 - 1, constant(place, 0)));
}

/// What is read where an index says. Its meaning is the place; the elements stay what they are.
inline const OpRow kIndexed[] = {
    {.name = "gather",
     .spellings = {"torch.gather", "x.gather"},
     .category = selection,
     .arity = 2,
     .operands = {"input", "index"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::gather,
     .indexing = {.is = true, .replaces = false},
     .places = Places::step,
     .meaning = [](Args x) { return stepsTo(x, false); },
     .bound = kExact,
     .doc = "Elements along a dimension, each at the place that the index has there"},
    {.name = "index_select",
     .spellings = {"torch.index_select", "x.index_select"},
     .category = selection,
     .arity = 2,
     .operands = {"input", "index"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::gather,
     .indexing = {.is = true, .flat = true},
     .places = Places::step,
     .meaning = [](Args x) { return stepsTo(x, false); },
     .bound = kExact,
     .doc = "Slices along a dimension, those that the index names"},
    {.name = "index",  // x[i]
     .category = selection,
     .arity = 2,
     .operands = {"input", "index"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::gather,
     .indexing = {.is = true, .wraps = true},
     .places = Places::step,
     .meaning = [](Args x) { return stepsTo(x, true); },
     .bound = kExact,
     .doc = "x[i]: slices that a tensor of integers names; negative places count from the end"},
    {.name = "embedding",
     .spellings = {"torch.embedding"},
     .category = selection,
     .arity = 2,
     .operands = {"weight", "indices"},
     .takes = Takes::any,
     .kind = OpKind::gather,
     .indexing = {.is = true},
     .places = Places::step,
     .meaning = [](Args x) { return stepsTo(x, false); },
     .bound = kExact,
     .doc = "Rows of a table, one for each element of the index"},
    {.name = "scatter_add",
     .spellings = {"torch.scatter_add", "x.scatter_add"},
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false},
     .autocast = kWidestOnCuda,
     .bound = kFourUlp,
     .doc = "Elements of src added to those of input, along a dimension where the index says"},
    // What scatter_reduce(..., "prod") and its like are.
    {.name = "scatter_prod",
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false},
     .accumulate = Accumulate::prod,
     .bound = kFourUlp,
     .doc = "Elements of input times those of src, along a dimension where the index says"},
    {.name = "scatter_amax",
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false},
     .accumulate = Accumulate::max,
     .bound = kExact,
     .doc = "Greatest of input and of those of src that the index sends there; NaN if one is"},
    {.name = "scatter_amin",
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false},
     .accumulate = Accumulate::min,
     .bound = kExact,
     .doc = "Smallest of input and of those of src that the index sends there; NaN if one is"},
    {.name = "index_add",
     .spellings = {"torch.index_add", "x.index_add"},
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "source"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .flat = true},
     .bound = kFourUlp,
     .doc = "Slices of source added to those of input that the index names"},
    {.name = "scatter",
     .spellings = {"torch.scatter", "x.scatter"},
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "src"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .replaces = false, .sets = true},
     .bound = kExact,
     .doc =
         "Input with elements of src where the index says, along a dimension; of several the last"},
    {.name = "index_copy",
     .spellings = {"torch.index_copy", "x.index_copy"},
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "source"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .flat = true, .sets = true},
     .autocast = {Autocast::widest, Autocast::none},
     .bound = kExact,
     .doc = "Input with slices of source as those that the index names; of several for one place "
            "the last"},
    {.name = "index_put",  // x[i] = v
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "value"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .wraps = true, .sets = true, .spreads = true},
     .autocast = kWidestOnCuda,
     .bound = kExact,
     .doc = "x[i] = value: slices that a tensor of integers names; negative places count from the "
            "end"},
    {.name = "index_put_add",  // x.index_put_((i,), v, accumulate=True)
     .category = selection,
     .arity = 3,
     .operands = {"input", "index", "value"},
     .takes = Takes::any,
     .parameters = {kIndexedDim},
     .kind = OpKind::scatter,
     .indexing = {.is = true, .wraps = true, .spreads = true},
     .bound = kFourUlp,
     .doc = "x.index_put_((i,), value, accumulate=True): added to slices that a tensor of integers "
            "names"},
};

/// What is asked before an op that goes by an index; see indexCheckRow().
inline const OpRow kIndexChecks[] = {
    {.name = "index_check",
     .category = selection,
     .arity = 2,
     .operands = {"index", "input"},
     .takes = Takes::any,
     .parameters = {kCheckedDim},
     .kind = OpKind::reduce,
     .indexing = {.is = true, .source = 1, .index = 0},
     .places = Places::extent,
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
     .takes = Takes::any,
     .parameters = {kCheckedDim},
     .kind = OpKind::reduce,
     .indexing = {.is = true, .source = 1, .index = 0, .wraps = true},
     .places = Places::extent,
     .result = ResultType::cast,
     .castTo = DType::int64,
     .meaning = [](Args x) { return farOutside(x, true); },
     .accumulate = Accumulate::max,
     .differentiable = false,
     .bound = kExact,
     .doc = "The same of x[i], where negative places count from the end"},
};

}  // namespace fusebench::rows
