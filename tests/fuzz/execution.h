// SPDX-License-Identifier: GPL-3.0-or-later
// Programs from their text to their results, on the CPU.
#pragma once

#include "tests/fuzz/readers.h"

namespace fusebench::fuzz {

/// Takes a program's text; it is read, planned and run by every executor. Throws std::logic_error
/// where results differ from the reference by more than rounding can explain.
Tried executions();

}  // namespace fusebench::fuzz
