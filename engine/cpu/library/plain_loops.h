// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// A library call as our own loops: for calls that no library can do, or that it refuses. Much
/// slower than a library, and right for every dtype, layout and window.
///
/// Computes those of the result's elements, counted row-major over the loops that are kept, that
/// are in [begin, end). `pointers`: as of a launch.
void runPlainLoops(const LibraryCall& call, const CallSizes& sizes, void* const* pointers,
                   std::int64_t begin, std::int64_t end);

}  // namespace fusebench::cpu
