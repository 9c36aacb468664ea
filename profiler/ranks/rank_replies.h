// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "profiler/protocol/protocol.h"

namespace fusebench {

/// The ranks' replies to one request combined into a line: rank 0's, with the slowest one's time
/// and each one's own for a sample, the most memory, the greatest error. If one rank failed, the
/// request failed: then the first failed rank's reason is used, with its number.
std::string togetherLine(const Request& request, std::span<const Reply> replies);

/// A request as rank number `rank` gets it: files are its own, see fileOfRank().
Request requestFor(const Request& request, int rank);

}  // namespace fusebench
