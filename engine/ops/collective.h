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
  allReduce,      ///< combines the elements of all ranks; every rank has the result
  broadcast,      ///< every rank receives the value of one of them, the root
  allGather,      ///< every rank receives the values of all, in rank order
  reduceScatter,  ///< combines the elements of all ranks; each rank has its own part of the result
  barrier,        ///< no rank continues before all have arrived
  reduceStart,    ///< starts the all-reduce of a gradient, together with others in its bucket
  reduceWait      ///< waits until the started buckets are complete
};

/// How elements of several ranks are combined: numbered like PyTorch's ReduceOp.
enum class Combine : std::uint8_t { sum, average, product, min, max };

/// As programs write them.
inline constexpr std::array<std::string_view, 5> kCombineNames = {
    "torch.distributed.ReduceOp.SUM", "torch.distributed.ReduceOp.AVG",
    "torch.distributed.ReduceOp.PRODUCT", "torch.distributed.ReduceOp.MIN",
    "torch.distributed.ReduceOp.MAX"};

}  // namespace fusebench
