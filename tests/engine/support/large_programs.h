// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace fusebench::test {

/// A random program over inputs x (4, 8), v (8,) and i (4,) of int64. Its extents are near powers
/// of two at which counts no longer fit into 32-bit ints, memory, or 64-bit ints. Most need more
/// than any memory holds; some are views of which little is read.
std::string largeProgramText(std::uint32_t seed);

}  // namespace fusebench::test
