// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#if !defined(__x86_64__)
#include <chrono>
#endif

namespace fusebench {

/// A clock that replaces all clocks of this header if time is simulated: nanoseconds. Null: none,
/// as in all processes except one that measures on a simulated device.
inline const std::int64_t* virtualClock = nullptr;

/// The processor's time stamp counter: the cheapest clock available, with a constant but unknown
/// rate. Read without waiting for earlier instructions. On processors other than x86-64, the
/// nanoseconds of steady_clock.
inline std::uint64_t ticks() {
  if (virtualClock) [[unlikely]]
    return static_cast<std::uint64_t>(*virtualClock);
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // <x86intrin.h> has 35,000 lines, and this header is included
                                  // everywhere
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
/// The current time, as precisely as several attempts give it.
TickReading readTicks();

/// The rate of ticks(), in ticks per nanosecond; measured on first use, which takes some
/// milliseconds, and kept.
double ticksPerNanosecond();

}  // namespace fusebench
