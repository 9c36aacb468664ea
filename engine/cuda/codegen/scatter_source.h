// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/codegen/codegen.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A call that adds elements where an index says, as CUDA C++: a thread has a column of the result,
/// copies it, and adds to it in the order of the index, so that the same bits come out each time.
Source scatterSource(const LibraryCall& call);

}  // namespace fusebench::cuda
