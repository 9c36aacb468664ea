// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#if !defined(__x86_64__)
#include <chrono>
#endif

namespace fusebench {

/// A clock that stands in for all clocks of this header where time is simulated: nanoseconds. Null:
/// none does, which is always so but in a process that measures on a simulated device.
inline const std::int64_t* virtualClock = nullptr;

/// The processor's time stamp counter: the cheapest clock there is, of a constant but unknown rate.
/// Read without waiting for the instructions before it. Elsewhere than on x86-64 steady_clock's
/// nanoseconds.
inline std::uint64_t ticks() {
  if (virtualClock) [[unlikely]]
    return static_cast<std::uint64_t>(*virtualClock);
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // <x86intrin.h> has 35,000 lines, and this header is everywhere
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// steady_clock's reading, or the virtual clock's.
std::int64_t steadyNanoseconds();

/// ticks() and steady_clock at one moment.
struct TickReading {
  std::uint64_t ticks = 0;
  std::int64_t host = 0;  ///< nanoseconds
};
/// Now, as closely as several tries give it.
TickReading readTicks();

/// How fast ticks() goes, in ticks a nanosecond; measured on first use, which takes some
/// milliseconds, and kept.
double ticksPerNanosecond();

}  // namespace fusebench
