// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// A call that goes from windows back to their source, for runPlainLoops().
void runPlainSpread(const LibraryCall& call, const CallSizes& sizes, void* const* pointers,
                    std::int64_t begin, std::int64_t end);

}  // namespace fusebench::cpu
