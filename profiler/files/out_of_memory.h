// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace fusebench {

/// Call it once, first in a program: it handles running out of memory. The first request that fails
/// frees a reserve, so that unwinding, which itself needs memory (parsed JSON does as it is
/// destroyed), gets it. If that is not enough, the program exits with one line, "<program>: out of
/// memory; ...", and exit code 1. `program` must live as long as the program runs.
void prepareForOutOfMemory(const char* program, std::size_t reserveBytes = std::size_t{4} << 20);

/// That line, without allocating anything.
void sayOutOfMemory();

}  // namespace fusebench
