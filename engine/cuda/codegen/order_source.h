// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/codegen/codegen.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A call that orders rows, as CUDA C++: a thread has an element, counts those of its row that come
/// before it, and writes its place there. So much takes the square of a row's length, but no memory
/// and no waiting, and all rows at once.
Source orderSource(const LibraryCall& call);

}  // namespace fusebench::cuda
