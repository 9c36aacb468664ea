// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>

#include "profiler/trace/trace.h"

namespace fusebench {

/// For collectives of ranks that are in one trace ("rank 3, ...": their processes' names): joins
/// each with the same one of the previous rank. Ranks of a part perform the same collectives in the
/// same order; if their numbers differ, nothing is joined.
std::unordered_map<EventId, EventId> meetingsOf(const Trace& trace);

/// The rank number that a process' name begins with; -1: none.
int rankInProcessName(std::string_view name);

}  // namespace fusebench
