// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "profiler/protocol/protocol.h"

namespace fusebench {

/// The ranks' replies to one request combined into one line: rank 0's reply, with the slowest
/// rank's time and each rank's own time for a sample, the most memory, and the largest error. If
/// one rank failed, the request failed: then the reason of the first failed rank is used, with its
/// number.
std::string togetherLine(const Request& request, std::span<const Reply> replies);

/// A request in the form that rank number `rank` receives: with its own files, see fileOfRank().
Request requestFor(const Request& request, int rank);

}  // namespace fusebench
