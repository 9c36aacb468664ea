// SPDX-License-Identifier: GPL-3.0-or-later
// The collector among the threads that CUPTI calls it on, for the thread sanitizer.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/cuda/cupti/activity_collector.h"

namespace fusebench::cuda {
namespace {

/// A CUPTI that calls back whenever it may, from wherever it may.
struct Restless {
  BufferRequested* requested = nullptr;
  BufferCompleted* completed = nullptr;
  std::atomic<std::uint32_t> correlation = 0;
  std::atomic<std::uint64_t> written = 0;
  std::atomic<std::size_t> dropped = 0;
  std::atomic<int> unread = 0;  ///< buffers handed over and not yet read to their end

  static Restless& get() {
    static Restless restless;
    return restless;
  }

  /// One buffer of calls, taken, filled and handed over.
  void work() {
    std::uint8_t* buffer = nullptr;
    std::size_t bytes = 0, records = 0;
    requested(&buffer, &bytes, &records);
    if (!buffer) {
      dropped += kEach;
      return;
    }
    for (std::size_t i = 0; i < kEach; ++i) {
      std::uint8_t* at = buffer + i * record::call::bytes;
      std::memset(at, 0, record::call::bytes);
      const auto put = [at](std::size_t place, auto value) {
        std::memcpy(at + place, &value, sizeof value);
      };
      put(0, kActivityDriver);
      put(record::call::start, std::uint64_t{1});
      put(record::call::end, std::uint64_t{2});
      put(record::call::correlation, ++correlation);
      ++written;
    }
    ++unread;
    completed(nullptr, 0, buffer, bytes, kEach * record::call::bytes);
  }
  static constexpr std::size_t kEach = 100;
};

CuptiFunctions restlessFunctions() {
  CuptiFunctions f;
  f.getVersion = [](std::uint32_t* version) { return *version = 130001, kCuptiSuccess; };
  f.getTimestamp = [](std::uint64_t* time) { return *time = 1, kCuptiSuccess; };
  f.enableLatencyTimestamps = [](std::uint8_t) { return kCuptiSuccess; };
  f.enable = [](std::uint32_t) { return kCuptiSuccess; };
  f.registerCallbacks = [](BufferRequested* requested, BufferCompleted* completed) {
    Restless::get().requested = requested;
    Restless::get().completed = completed;
    return kCuptiSuccess;
  };
  // Waits for a thread that is in the callbacks: a lock held over the call would never come free.
  f.flushAll = [](std::uint32_t) {
    std::thread([] { Restless::get().work(); }).join();
    return kCuptiSuccess;
  };
  f.getDroppedRecords = [](void*, std::uint32_t, std::size_t* dropped) {
    std::thread([] { Restless::get().work(); }).join();
    *dropped = Restless::get().dropped.exchange(0);
    return kCuptiSuccess;
  };
  f.getNextRecord = [](std::uint8_t* buffer, std::size_t valid, ActivityRecord** record) {
    auto* here = reinterpret_cast<std::uint8_t*>(*record);
    here = here ? here + record::call::bytes : buffer;
    if (here >= buffer + valid) {
      --Restless::get().unread;
      return kCuptiLimitReached;
    }
    *record = reinterpret_cast<ActivityRecord*>(here);
    return kCuptiSuccess;
  };
  return f;
}

TEST(ThreadedCollector, HoldsNoLockWhileCuptiIsCalledAndLosesNothing) {
  ActivityCollector collector(restlessFunctions(), 130001, 8);
  ASSERT_EQ(collector.attach().state, CollectorState::on);
  for (int session = 0; session < 5; ++session) {
    collector.begin();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([] {
        for (int i = 0; i < 50; ++i) Restless::get().work();
      });
    for (std::thread& thread : threads) thread.join();
    const Collected collected = collector.end();
    // Some of the buffers that the flushes themselves fill arrive after the end.
    EXPECT_GE(collected.activities.calls.size() + collected.activities.losses.dropped,
              4 * 50 * Restless::kEach);
    EXPECT_EQ(collected.activities.losses.malformed, 0u);
  }
}

TEST(ThreadedCollector, TakesBuffersThatComeWhileItBeginsAndEnds) {
  ActivityCollector collector(restlessFunctions(), 26, 2);
  collector.attach();
  std::atomic<bool> stop = false;
  std::array<std::thread, 3> threads;
  for (std::thread& thread : threads)
    thread = std::thread([&] {
      while (!stop) {
        // A buffer takes longer to fill than to read, so there are never very many.
        if (Restless::get().unread < 50) Restless::get().work();
        std::this_thread::yield();
      }
    });
  for (int session = 0; session < 20; ++session) {
    collector.begin();
    collector.end();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Restless::get().dropped, 0u);  // an older CUPTI is never refused a buffer
}

}  // namespace
}  // namespace fusebench::cuda
