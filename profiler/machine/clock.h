// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench {

/// Nanoseconds since an arbitrary origin, never going back (CLOCK_MONOTONIC, read from the time
/// stamp counter without a system call where the kernel trusts it).
std::int64_t nowNanoseconds();

/// The cost of one reading in nanoseconds, measured on first use and kept.
double clockCostNanoseconds();

/// How long a sample must last at least so that the clock does not matter: max(1 ms, 1000 x its
/// cost).
std::int64_t shortestSampleNanoseconds();

}  // namespace fusebench
