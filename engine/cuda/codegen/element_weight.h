// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/plan/kernel.h"

namespace fusebench::cuda {

/// Approximate number of instructions that one element of a kernel takes on a GPU, not counting
/// reads and stores: decides how many elements a thread should process. A rough count, not a model:
/// 1 for each primitive, and 20 for those that are routines.
std::int64_t elementWeight(const Kernel& kernel);

/// Approximate time in microseconds that NVRTC needs for the text of one element of a kernel, each
/// time that it is part of a loop. Measured with NVRTC 13.0 on one core of a Xeon: 33 copies of
/// each function in a kernel compared with one copy.
std::int64_t compileMicroseconds(const Kernel& kernel);

}  // namespace fusebench::cuda
