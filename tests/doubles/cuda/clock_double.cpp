// SPDX-License-Identifier: GPL-3.0-or-later
// The steady clock of a program that loads this library before all others.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "tests/doubles/cuda/driver_call.h"

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Who reads the clock so often with nothing asked of the driver between is waiting for time to
/// pass: then it passes as fast as it really does.
constexpr int kIdleReadings = 1000;

/// Added to the virtual clock so that it continues from the real one's time; 0: not started yet.
std::atomic<std::int64_t> startedAt = 0;

std::int64_t realNow() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

/// The virtual clock at one reading more. Alone in the machine.
std::int64_t read(std::int64_t& virtualNow) {
  static std::int64_t last = -1, lastReal = 0;
  static int idle = 0;
  const std::int64_t real = realNow();
  idle = virtualNow == last ? idle + 1 : 0;
  if (idle > kIdleReadings) virtualNow += real - lastReal;
  last = virtualNow;
  lastReal = real;
  return virtualNow;
}

}  // namespace

void fusebench::test::startVirtualClock() {
  if (startedAt != 0 || environmentNumber("FUSEBENCH_DOUBLE_CLOCK", 0) == 0) return;
  startedAt = realNow();
}

EXPORTED int clock_gettime(clockid_t which, timespec* time) noexcept {
  if (which != CLOCK_MONOTONIC || startedAt == 0)
    return static_cast<int>(syscall(SYS_clock_gettime, which, time));
  fusebench::test::Machine& machine = fusebench::test::Machine::get();
  const std::lock_guard lock(machine.mutex);
  const std::int64_t now = startedAt + read(machine.control.hostNanoseconds);
  time->tv_sec = now / kSecond;
  time->tv_nsec = now % kSecond;
  return 0;
}
