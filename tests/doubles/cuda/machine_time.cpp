// SPDX-License-Identifier: GPL-3.0-or-later
// How time passes in the machine, and what CUPTI's double hears of it.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/machine.h"

namespace fusebench::test {
namespace {

/// The host's steady clock, also where clock_double.cpp stands in for it.
std::int64_t realNow() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace

void Machine::startRealTime() {
  realTime_ = environmentNumber("FUSEBENCH_DOUBLE_REALTIME", 0) != 0;
  realOrigin_ = realNow();
}

std::int64_t Machine::now() {
  if (realTime_)
    control.hostNanoseconds = std::max(control.hostNanoseconds, realNow() - realOrigin_);
  return control.hostNanoseconds;
}

void Machine::waitUntil(std::int64_t time) {
  if (realTime_) {
    while (now() < time) {
    }
  }
  control.hostNanoseconds = std::max(control.hostNanoseconds, time);
}

void Machine::spend(std::int64_t nanoseconds) {
  waitUntil(now() + nanoseconds);
}

void Machine::log(const StreamState& stream, const Operation& operation, std::int64_t start,
                  std::int64_t end) {
  ActivityLog& log = ActivityLog::get();
  // Nothing takes no time at all.
  end = std::max(end, start + 1);
  if (operation.isKernel) {
    log.kernel(stream, operation.kernel, start, end, operation.node);
  } else if (operation.copy) {
    const CopyWork& copy = *operation.copy;
    log.copy(stream, copy.fill, copy.direction, copy.bytes, start, end, operation.node);
  }
}

}  // namespace fusebench::test
