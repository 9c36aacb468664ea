// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/cuda/runtime/cuda_backend.h"

namespace fusebench {

/// How these tests open a GPU: as anybody does, but without what was compiled before.
CudaOptions testOptions(const std::string& device = "");

}  // namespace fusebench
