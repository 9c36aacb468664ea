// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>

#include "profiler/trace/trace.h"

namespace fusebench {

/// For collectives of ranks that are in one trace ("rank 3, ...": their processes' names): each
/// with the same one of the rank before. Ranks of a part make equally many of them, in the same
/// order; where their numbers differ nothing is known.
std::unordered_map<EventId, EventId> meetingsOf(const Trace& trace);

/// The number of the rank that a process' name begins with; -1: with none.
int rankInProcessName(std::string_view name);

}  // namespace fusebench
