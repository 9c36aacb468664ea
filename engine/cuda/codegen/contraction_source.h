// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/codegen/codegen.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A library's call as a kernel of ours, for where there is no library or it refuses: a thread goes
/// through all that one element of the result is made of; a warp where these are int8 along one
/// depth at least, whose dot products the device has an instruction for. For tensors of any sizes,
/// float32 and float64. Throws std::runtime_error for others.
Source contractionSource(const LibraryCall& call);
/// Number of its threads that share an element of the result.
int threadsAnElement(const LibraryCall& call);

}  // namespace fusebench::cuda
