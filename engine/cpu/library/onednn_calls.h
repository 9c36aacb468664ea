// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifdef FUSEBENCH_ONEDNN

#include <memory>
#include <string>

#include "engine/cpu/library/onednn.h"
#include "engine/cpu/library/onednn_api.h"
#include "engine/cpu/library/prepared_call.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// Products without windows, as oneDNN's matmul. Null: it has no fast way. Throws
/// std::runtime_error if the library fails. `version`: the library's.
std::unique_ptr<PreparedCall> prepareProduct(const DnnlApi& api, const LibraryRequest& request,
                                             const std::string& version);
/// Convolutions and pools.
std::unique_ptr<PreparedCall> prepareWindows(const DnnlApi& api, const LibraryRequest& request,
                                             const std::string& version);

}  // namespace fusebench::cpu

#endif
