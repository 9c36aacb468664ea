// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace fusebench {

/// To be called once, first in a program: what happens where memory runs out. A reserve is let go
/// with the first request that fails, so that what then unwinds, and asks for memory itself (parsed
/// JSON does as it is destroyed), gets it. Where there is none even so the program ends with one
/// line, "<program>: out of memory; ...", and exit code 1. `program` lives as long as it runs.
void prepareForOutOfMemory(const char* program, std::size_t reserveBytes = std::size_t{4} << 20);

/// That line, without allocating anything.
void sayOutOfMemory();

}  // namespace fusebench
