// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

/// Orders along a dimension, on which sort, topk, median and quantile are built: see
/// language/library/orders.py. NaN is greater than all numbers. The order of equal elements is
/// kept.
inline const OpRow kOrders[] = {
    {.name = "argsort",
     .spellings = {"torch.argsort", "x.argsort"},
     .category = selection,
     .takes = AcceptedTypes::any,
     .parameters = {{.name = "dim",
                     .kind = Parameter::Kind::dims,
                     .high = 1,
                     .doc = "dimension to go along; not given: the last"},
                    {.name = "descending",
                     .kind = Parameter::Kind::flag,
                     .fallback = 0,
                     .low = 0,
                     .high = 1,
                     .doc = "whether the greatest comes first"},
                    {.name = "stable",
                     .kind = Parameter::Kind::flag,
                     .fallback = 0,
                     .low = 0,
                     .high = 1,
                     .doc = "whether equals stay in their order; here they always do"},
                    {.name = "_first",
                     .kind = Parameter::Kind::integer,
                     .fallback = -1,
                     .low = -1,
                     .doc = "how many are asked for, the first ones; -1: all"}},
     .kind = OpKind::order,
     .result = ResultType::index,
     .differentiable = false,
     .bound = kExact,
     .doc = "Places of the elements along a dimension, in order; NaN is greatest"},
};

}  // namespace fusebench::rows
