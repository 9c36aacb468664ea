// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fusebench {

/// The state of one rank while a request is processed.
struct RankSeen {
  bool answered = false;
  double kept = 0;         ///< seconds since its answer, or that it has been waiting in its group
  std::int64_t asked = 0;  ///< number of requests to its group
  double busy = -1;  ///< fraction of a processor that it used while it waited; below 0: not known
};

/// The ranks that others have been waiting for, for more than `most` seconds; empty: no rank has
/// been waited for this long. All: they wait for each other, and the cause is not known.
std::vector<std::size_t> lateRanks(std::span<const RankSeen> ranks, double most);

}  // namespace fusebench
