// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/device_passes.h"

#include <algorithm>

#include "profiler/machine/clock.h"

namespace fusebench {
namespace {

/// A driver is known to queue this many launches before one blocks.
constexpr std::uint64_t kDriverQueue = 1024;
constexpr std::uint64_t kQueuedLaunches = kDriverQueue / 2;

}  // namespace

DevicePasses queuedPasses(Backend& backend, Executor& executor, const InputList& inputs,
                          DeviceTimer& timer, std::int64_t passes) {
  DevicePasses taken;
  std::int64_t calls = 0, enqueuedCalls = 0, enqueued = 0;
  timer.start();
  const std::uint64_t full = backend.launches() + kQueuedLaunches;
  const std::int64_t start = nowNanoseconds();
  for (std::int64_t pass = 0; pass < passes; ++pass)
    for (const auto& entry : inputs.entries) {
      executor.call(entry);
      ++calls;
      if (enqueuedCalls == 0 && backend.launches() >= full) [[unlikely]] {
        enqueued = nowNanoseconds() - start;
        enqueuedCalls = calls;
      }
    }
  if (enqueuedCalls == 0) {
    enqueued = nowNanoseconds() - start;
    enqueuedCalls = calls;
  }
  timer.stop();
  backend.synchronize();
  taken.wall = nowNanoseconds() - start;
  taken.calls = static_cast<double>(calls);
  taken.enqueue = static_cast<double>(enqueued) / static_cast<double>(enqueuedCalls);
  taken.event = timer.nanoseconds() / taken.calls;
  return taken;
}

double heldPasses(Backend& backend, Executor& executor, const InputList& inputs, DeviceTimer& timer,
                  DeviceStall& stall, std::int64_t passes) {
  const std::size_t entries = inputs.entries.size();
  const std::size_t most = static_cast<std::size_t>(passes) * entries;
  stall.hold();
  timer.start();
  const std::uint64_t first = backend.launches();
  std::uint64_t launches = 0, longest = 0;
  std::size_t calls = 0;
  // The next call may have as many launches as the longest so far.
  while (calls < most && (calls == 0 || launches + longest <= kQueuedLaunches)) {
    executor.call(inputs.entries[calls % entries]);
    const std::uint64_t now = backend.launches() - first;
    longest = std::max(longest, now - launches);
    launches = now;
    ++calls;
  }
  timer.stop();
  stall.release();
  const double nanoseconds = timer.nanoseconds();
  return stall.lasted() && launches <= kDriverQueue ? nanoseconds / static_cast<double>(calls) : 0;
}

DevicePasses isolatedPasses(Backend& backend, Executor& executor, const InputList& inputs,
                            DeviceTimer* timer, std::int64_t passes, bool flush,
                            const std::function<void(const std::vector<Tensor>&)>& before,
                            DeviceStall* stall) {
  DevicePasses taken;
  bool held = true;
  std::int64_t enqueued = 0;
  for (std::int64_t pass = 0; pass < passes; ++pass)
    for (const auto& entry : inputs.entries) {
      if (before) before(entry);
      if (flush) {
        backend.flushCaches();
        backend.synchronize();
      }
      if (stall) stall->hold();
      if (timer) timer->start();
      const std::int64_t start = nowNanoseconds();
      executor.call(entry);
      const std::int64_t returned = nowNanoseconds();
      if (timer) timer->stop();
      if (stall) stall->release();
      backend.synchronize();
      taken.wall += nowNanoseconds() - start;
      enqueued += returned - start;
      if (timer) taken.event += timer->nanoseconds();
      held = held && (!stall || stall->lasted());
    }
  taken.calls = static_cast<double>(passes) * static_cast<double>(inputs.entries.size());
  taken.enqueue = static_cast<double>(enqueued) / taken.calls;
  taken.event = held ? taken.event / taken.calls : 0;
  return taken;
}

}  // namespace fusebench
