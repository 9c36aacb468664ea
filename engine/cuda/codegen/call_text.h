// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// Number of threads per block of a kernel that replaces a library call.
inline constexpr int kContractionThreads = 128;

/// The parameters with the number of elements of a call's tensor along a dimension, and with their
/// stride, in elements.
std::string extentName(std::size_t tensor, std::size_t dim);
std::string strideName(std::size_t tensor, std::size_t dim);
/// The line that a call's kernel begins with: its operands, then its result, as p0, p1, ..., and
/// after them the extents and strides of each.
std::string callOpening(const LibraryCall& call, const std::string& name);

}  // namespace fusebench::cuda
