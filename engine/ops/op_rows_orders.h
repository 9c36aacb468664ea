// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

/// Orders along a dimension, on which sort, topk, median and quantile are built: see
/// language/library/orders.py. NaN counts as greater than all numbers. The order of equal elements
/// is kept.
inline const OpRow kOrders[] = {
    {.name = "argsort",
     .spellings = {"torch.argsort", "x.argsort"},
     .category = selection,
     .takes = AcceptedTypes::any,
     .parameters = {{.name = "dim",
                     .kind = Parameter::Kind::dims,
                     .high = 1,
                     .doc = "dimension to work along (default: the last)"},
                    {.name = "descending",
                     .kind = Parameter::Kind::flag,
                     .fallback = 0,
                     .low = 0,
                     .high = 1,
                     .doc = "whether the largest comes first"},
                    {.name = "stable",
                     .kind = Parameter::Kind::flag,
                     .fallback = 0,
                     .low = 0,
                     .high = 1,
                     .doc = "whether equal elements keep their order; here they always do"},
                    {.name = "_first",
                     .kind = Parameter::Kind::integer,
                     .fallback = -1,
                     .low = -1,
                     .doc = "number of indices, the first ones; -1: all"}},
     .kind = OpKind::order,
     .result = ResultType::index,
     .differentiable = false,
     .bound = kExact,
     .doc = "Indices that sort the elements along a dimension; NaN is largest"},
};

}  // namespace fusebench::rows
