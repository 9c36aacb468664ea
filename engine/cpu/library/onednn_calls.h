// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifdef FUSEBENCH_ONEDNN

#include "engine/cpu/library/onednn_api.h"
#include "engine/cpu/library/prepared_call.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// Products without windows, as oneDNN's matmul. Null: it has no fast way. Throws
/// std::runtime_error where the library refuses.
std::unique_ptr<PreparedCall> prepareProduct(const DnnlApi& api, const LibraryCall& call,
                                             const CallSizes& sizes, int threads);
/// Convolutions and pools.
std::unique_ptr<PreparedCall> prepareWindows(const DnnlApi& api, const LibraryCall& call,
                                             const CallSizes& sizes, const std::int64_t* integers,
                                             int threads);

}  // namespace fusebench::cpu

#endif
