// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace fusebench {

/// The processor's time stamp counter: the cheapest clock there is, of a constant but unknown rate.
/// Read without waiting for the instructions before it. Elsewhere than on x86-64 steady_clock's
/// nanoseconds.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

}  // namespace fusebench
