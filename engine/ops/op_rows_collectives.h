// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

inline constexpr Parameter kReduceOp{.name = "op",
                                     .kind = Parameter::Kind::integer,
                                     .fallback = 0,
                                     .low = 0,
                                     .high = kCombineNames.size() - 1,
                                     .doc = "reduction over the ranks: ReduceOp.SUM",
                                     .names = kCombineNames};

/// Ops between ranks. Results are new tensors, like those of torch.distributed.nn; the in-place
/// calls of torch.distributed are read as one of these ops and a new value for the name. Sums are
/// in the order that MPI chooses; their error is within 4 eps sum|x|.
inline const OpRow kCollectives[] = {
    {.name = "all_reduce",
     .spellings = {"torch.distributed.nn.functional.all_reduce"},
     .category = collective,
     .operands = {"tensor"},
     .takes = AcceptedTypes::numbers,
     .parameters = {kReduceOp},
     .kind = OpKind::collective,
     .collective = Collective::allReduce,
     .bound = kFourUlp,
     .doc = "Elements of all ranks reduced, on every rank"},
    {.name = "broadcast",
     .spellings = {"torch.distributed.nn.functional.broadcast"},
     .category = collective,
     .operands = {"tensor"},
     .takes = AcceptedTypes::any,
     .parameters = {{.name = "src",
                     .kind = Parameter::Kind::integer,
                     .fallback = 0,
                     .required = true,
                     .low = 0,
                     .high = 65535,
                     .doc = "the rank whose tensor every rank gets"}},
     .kind = OpKind::collective,
     .collective = Collective::broadcast,
     .differentiable = false,
     .bound = kExact,
     .doc = "The tensor of one rank, on every rank"},
    {.name = "all_gather",
     .spellings = {"torch.distributed.nn.functional._all_gather_base"},
     .category = collective,
     .arity = 2,
     .operands = {"output_tensor", "input_tensor"},
     .takes = AcceptedTypes::any,
     .kind = OpKind::collective,
     .collective = Collective::allGather,
     .differentiable = false,
     .bound = kExact,
     .doc = "Tensors of all ranks concatenated into the shape of the first operand"},
    {.name = "reduce_scatter",
     .spellings = {"torch.distributed.nn.functional.reduce_scatter"},
     .category = collective,
     .arity = 2,
     .operands = {"output", "input_list"},
     .takes = AcceptedTypes::numbers,
     .parameters = {kReduceOp},
     .kind = OpKind::collective,
     .collective = Collective::reduceScatter,
     .differentiable = false,
     .bound = kFourUlp,
     .doc = "Elements of all ranks reduced; each rank gets its own row"},
    {.name = "barrier",
     .spellings = {"torch.distributed.barrier"},
     .category = collective,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .kind = OpKind::collective,
     .collective = Collective::barrier,
     .differentiable = false,
     .bound = kExact,
     .doc = "Every rank waits until all have arrived"},
};

}  // namespace fusebench::rows
