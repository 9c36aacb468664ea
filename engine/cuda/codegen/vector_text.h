// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/base/dtype.h"

namespace fusebench::cuda {

/// Number of adjacent elements that are read and written at a time: 16 bytes of float32, the most
/// that one instruction moves; half as many for types of 64 bits, twice as many for 16-bit floats.
inline constexpr int kVector = 4, kNarrowVector = 2, kWideVector = 8;

/// A statement that loads `width` adjacent elements from `pointer` into the array `to`, in the type
/// that is computed with, and one that stores them; both pointers are aligned as aligned()
/// requires.
std::string loadVectorText(DType dtype, int width, const std::string& to,
                           const std::string& pointer);
std::string storeVectorText(DType dtype, int width, const std::string& pointer,
                            const std::string& from);
/// The functions that these statements call, and aligned(), for tensors of these dtypes.
std::string vectorHelpers(std::span<const DType> dtypes, int width);

/// The names of all functions and variables in these texts.
std::span<const std::string_view> vectorNames();

}  // namespace fusebench::cuda
