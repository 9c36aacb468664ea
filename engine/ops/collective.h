// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// Communication between the ranks of a group: processes that each run the program on their own
/// inputs.
enum class Collective : std::uint8_t {
  none,
  allReduce,      ///< elements of all ranks are combined; every rank has the result
  broadcast,      ///< every rank gets the value of one of them, the root
  allGather,      ///< every rank gets the values of all, in order of ranks
  reduceScatter,  ///< elements of all ranks are combined; each rank has its own part of the result
  barrier,        ///< no rank continues before all have arrived
  reduceStart,    ///< all-reduce of a gradient begins, together with others of its bucket
  reduceWait      ///< waits until started buckets are done
};

/// How elements of several ranks become one: numbered as PyTorch's ReduceOp is.
enum class Combine : std::uint8_t { sum, average, product, min, max };

/// As programs write them.
inline constexpr std::array<std::string_view, 5> kCombineNames = {
    "torch.distributed.ReduceOp.SUM", "torch.distributed.ReduceOp.AVG",
    "torch.distributed.ReduceOp.PRODUCT", "torch.distributed.ReduceOp.MIN",
    "torch.distributed.ReduceOp.MAX"};

}  // namespace fusebench
