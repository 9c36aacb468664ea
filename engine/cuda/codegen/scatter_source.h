// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/codegen/codegen.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A call that adds elements at the positions in an index, as CUDA C++: each thread has a column of
/// the result, copies it, and adds to it in the order of the index, so that the bits are the same
/// each time.
Source scatterSource(const LibraryCall& call);

}  // namespace fusebench::cuda
