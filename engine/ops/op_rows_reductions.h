// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

inline constexpr Parameter kDims{.name = "dim",
                                 .kind = Parameter::Kind::dims,
                                 .doc = "dimension or dimensions to reduce over; not given: all"};
inline constexpr Parameter kOneDim{.name = "dim",
                                   .kind = Parameter::Kind::dims,
                                   .high = 1,
                                   .doc = "dimension to reduce over; not given: all"};
inline constexpr Parameter kKeepDims{.name = "keepdim",
                                     .kind = Parameter::Kind::flag,
                                     .fallback = 0,
                                     .low = 0,
                                     .high = 1,
                                     .doc = "whether reduced dimensions stay, with extent 1"};
inline constexpr Parameter kCorrection{
    .name = "correction",
    .kind = Parameter::Kind::integer,
    .fallback = 1,
    .low = 0,
    .high = 1 << 30,
    .doc = "taken off the number of elements that is divided by"};

/// squares / (count - correction); PyTorch divides by 0 where the correction is greater.
inline Expr variance(Expr squares, Expr count, Expr correction) {
  return squares / max(count - correction, 0);
}

/// Reductions keep 4 eps log2(n) sum|x|; the bound here is for what is done to the accumulated
/// value.
inline const OpRow kReductions[] = {
    {.name = "sum",
     .spellings = {"torch.sum", "x.sum"},
     .category = reduction,
     .parameters = {kDims, kKeepDims},
     .kind = OpKind::reduce,
     .accumulate = Accumulate::sum,
     .bound = kFourUlp,
     .doc = "Sum of the elements"},
    {.name = "mean",
     .spellings = {"torch.mean", "x.mean"},
     .category = reduction,
     .parameters = {kDims, kKeepDims},
     .kind = OpKind::reduce,
     .accumulate = Accumulate::sum,
     .finish = [](Expr sum, Expr count, Args) { return sum / count; },
     .bound = kFourUlp,
     .doc = "Arithmetic mean of the elements"},
    {.name = "amax",
     .spellings = {"torch.amax", "x.amax", "torch.max", "x.max"},
     .category = reduction,
     .parameters = {kDims, kKeepDims},
     .kind = OpKind::reduce,
     .accumulate = Accumulate::max,
     .bound = kExact,
     .doc = "Greatest element; NaN if there is one"},
    {.name = "amin",
     .spellings = {"torch.amin", "x.amin", "torch.min", "x.min"},
     .category = reduction,
     .parameters = {kDims, kKeepDims},
     .kind = OpKind::reduce,
     .accumulate = Accumulate::min,
     .bound = kExact,
     .doc = "Smallest element; NaN if there is one"},
    {.name = "prod",
     .spellings = {"torch.prod", "x.prod"},
     .category = reduction,
     .parameters = {kOneDim, kKeepDims},
     .kind = OpKind::reduce,
     .accumulate = Accumulate::prod,
     .bound = kFourUlp,
     .doc = "Product of the elements"},
    {.name = "var",
     .spellings = {"torch.var", "x.var"},
     .category = reduction,
     .parameters = {kDims, kCorrection, kKeepDims},
     .kind = OpKind::reduce,
     .accumulate = Accumulate::squaredDeviations,
     .finish = [](Expr squares, Expr count,
                  Args x) { return variance(squares, count, x.parameter(1)); },
     .bound = kFourUlp,
     .doc = "Variance: sum of squared deviations from the mean / (count - correction)"},
    {.name = "std",
     .spellings = {"torch.std", "x.std"},
     .category = reduction,
     .parameters = {kDims, kCorrection, kKeepDims},
     .kind = OpKind::reduce,
     .accumulate = Accumulate::squaredDeviations,
     .finish = [](Expr squares, Expr count,
                  Args x) { return sqrt(variance(squares, count, x.parameter(1))); },
     .bound = kFourUlp,
     .doc = "Standard deviation: square root of the variance"},
    {.name = "argmax",
     .spellings = {"torch.argmax", "x.argmax"},
     .category = reduction,
     .parameters = {kOneDim, kKeepDims},
     .kind = OpKind::reduce,
     .result = ResultType::index,
     .accumulate = Accumulate::argmax,
     .bound = kExact,
     .doc = "Place of the greatest element, the first of equals; counted row by row over all "
            "dimensions"},
};

}  // namespace fusebench::rows
