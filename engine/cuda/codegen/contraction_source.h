// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/codegen/codegen.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A library's call as a plain kernel of ours, for where there is no library: a thread goes through
/// all that one element of the result is made of. For tensors of any sizes, float32 and float64.
/// Throws std::runtime_error for others.
Source contractionSource(const LibraryCall& call);

}  // namespace fusebench::cuda
