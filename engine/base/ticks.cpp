// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/ticks.h"

#include <chrono>

namespace fusebench {
namespace {

double measureTickRate() {
  constexpr std::int64_t kNanoseconds = 5'000'000;
  const TickReading first = readTicks();
  while (steadyNanoseconds() - first.host < kNanoseconds) continue;
  const TickReading last = readTicks();
  return static_cast<double>(last.ticks - first.ticks) /
         static_cast<double>(last.host - first.host);
}

}  // namespace

std::int64_t steadyNanoseconds() {
  if (virtualClock) return *virtualClock;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

TickReading readTicks() {
  constexpr int kTries = 20;
  TickReading best;
  std::int64_t narrowest = 0;
  for (int i = 0; i < kTries; ++i) {
    const std::int64_t before = steadyNanoseconds();
    const std::uint64_t now = ticks();
    const std::int64_t width = steadyNanoseconds() - before;
    if (i > 0 && width >= narrowest) continue;
    narrowest = width;
    best = {now, before + width / 2};
  }
  return best;
}

double ticksPerNanosecond() {
  if (virtualClock) return 1;
  static const double rate = measureTickRate();
  return rate;
}

}  // namespace fusebench
