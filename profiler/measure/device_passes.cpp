// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/device_passes.h"

#include "profiler/machine/clock.h"

namespace fusebench {
namespace {

/// Half of what a driver is known to queue before a launch blocks.
constexpr std::uint64_t kQueuedLaunches = 512;

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

DevicePasses isolatedPasses(Backend& backend, Executor& executor, const InputList& inputs,
                            DeviceTimer* timer, std::int64_t passes, bool flush,
                            const std::function<void(const std::vector<Tensor>&)>& before) {
  DevicePasses taken;
  std::int64_t enqueued = 0;
  for (std::int64_t pass = 0; pass < passes; ++pass)
    for (const auto& entry : inputs.entries) {
      if (before) before(entry);
      if (flush) {
        backend.flushCaches();
        backend.synchronize();
      }
      if (timer) timer->start();
      const std::int64_t start = nowNanoseconds();
      executor.call(entry);
      const std::int64_t returned = nowNanoseconds();
      if (timer) timer->stop();
      backend.synchronize();
      taken.wall += nowNanoseconds() - start;
      enqueued += returned - start;
      if (timer) taken.event += timer->nanoseconds();
    }
  taken.calls = static_cast<double>(passes) * static_cast<double>(inputs.entries.size());
  taken.enqueue = static_cast<double>(enqueued) / taken.calls;
  taken.event /= taken.calls;
  return taken;
}

}  // namespace fusebench
