// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/codegen/codegen.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// Our own kernel for a library's call, which runs where the library is missing or does not support
/// the call. Not for calls between ranks.
Source callSource(const LibraryCall& call);

}  // namespace fusebench::cuda
