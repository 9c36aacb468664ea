// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/codegen/codegen.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A call that sorts rows, as CUDA C++: each thread has an element, counts the elements of its row
/// that come before it, and writes its position there. The work is the square of a row's length,
/// but it needs no memory and no waiting, and processes all rows at once.
Source orderSource(const LibraryCall& call);

}  // namespace fusebench::cuda
