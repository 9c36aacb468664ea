// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/plan/kernel.h"

namespace fusebench::cuda {

/// About how many instructions one element of a kernel takes on a GPU, reads and stores aside: what
/// decides how many elements a thread should go through. A rough count, not a model: 1 for each
/// primitive, and for those that are a routine of their own 20.
std::int64_t elementWeight(const Kernel& kernel);

/// About how many microseconds NVRTC takes for the text of one element of a kernel, each time that
/// it is part of a loop. Measured with NVRTC 13.0 on one core of a Xeon: 33 copies of each function
/// in a kernel compared with one copy.
std::int64_t compileMicroseconds(const Kernel& kernel);

}  // namespace fusebench::cuda
