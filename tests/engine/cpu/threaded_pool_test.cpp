// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/cpu/runtime/thread_pool.h"

namespace fusebench::cpu {
namespace {

constexpr double kLongWork = std::numeric_limits<double>::infinity();

/// Work that does something for each part.
template <typename Each>
ThreadPool::Work each(const Each& part) {
  return [part](ThreadPool::Parts& parts) {
    do part(parts.taken());
    while (parts.take());
  };
}

TEST(ThreadedPool, RunsEveryPartOnce) {
  ThreadPool pool(4);
  for (const double nanoseconds : {0.0, kLongWork})
    for (const int parts : {0, 1, 3, 4, 1000}) {
      std::vector<std::atomic<int>> counts(static_cast<std::size_t>(parts));
      pool.run(parts, nanoseconds,
               each([&](int part) { ++counts[static_cast<std::size_t>(part)]; }));
      for (const auto& count : counts) EXPECT_EQ(count.load(), 1);
    }
}

TEST(ThreadedPool, WritesOfPartsAreVisibleAfterRun) {
  ThreadPool pool(2);
  std::vector<int> values(64);
  for (int round = 1; round <= 2000; ++round) {
    pool.run(64, kLongWork,
             each([&](int part) { values[static_cast<std::size_t>(part)] += part; }));
    ASSERT_EQ(std::accumulate(values.begin(), values.end(), 0), round * 63 * 64 / 2);
  }
}

TEST(ThreadedPool, EachThreadIsCalledOnceWithItsFirstPart) {
  ThreadPool pool(3);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::atomic<int>> calls(3);
    std::atomic<int> callersFirst = -1;
    pool.run(8, kLongWork, [&](ThreadPool::Parts& parts) {
      ++calls[static_cast<std::size_t>(ThreadPool::current())];
      if (ThreadPool::current() == 0) callersFirst = parts.taken();
      while (parts.take()) std::this_thread::yield();
    });
    EXPECT_EQ(callersFirst, 0);
    for (const auto& count : calls) EXPECT_LE(count, 1);
  }
}

TEST(ThreadedPool, WakesHelpersForLongWork) {
  for (const auto pause : {std::chrono::milliseconds(0), std::chrono::milliseconds(5)})
    for (int round = 0; round < 20; ++round) {
      ThreadPool pool(3);                  // one that did not have to wait for a helper
      std::this_thread::sleep_for(pause);  // the longer one: all are asleep
      std::atomic<int> here = 0;
      // No part ends before each of them is on a thread of its own.
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      pool.run(3, kLongWork, each([&](int) {
                 ++here;
                 while (here < 3 && std::chrono::steady_clock::now() < deadline)
                   std::this_thread::yield();
                 EXPECT_EQ(here, 3);
               }));
    }
}

TEST(ThreadedPool, DoesShortWorkWithoutHelpersWhoSleep) {
  ThreadPool pool(2);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (pool.sleeping() < 1 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_EQ(pool.sleeping(), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // its sleep follows the count
  std::atomic<int> byHelpers = 0;
  pool.run(100, 0, each([&](int) { byHelpers += ThreadPool::current() != 0; }));
  EXPECT_EQ(byHelpers, 0);
}

TEST(ThreadedPool, WakesHelpersForMuchShortWork) {
  ThreadPool pool(2);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (pool.sleeping() < 1 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::atomic<int> byHelpers = 0;
  while (byHelpers == 0 && std::chrono::steady_clock::now() < deadline)
    pool.run(2, 1000, each([&](int) { byHelpers += ThreadPool::current() != 0; }));
  EXPECT_GT(byHelpers, 0);
}

TEST(HelpAccounts, ForgiveWhatHelpersMakeUpFor) {
  HelperBudget account;
  for (int round = 0; round < 1000; ++round) {
    account.add(4, 8, 1'000'000, 0);  // a million ticks saved
    account.add(4, 8, 1'000'000, 1'900'000);
    ASSERT_FALSE(account.worksAlone()) << round;
  }
}

TEST(HelpAccounts, SendHelpersAwayForAWhileThatIsLongerTheMoreWasLost) {
  constexpr std::int64_t kSaved = 100, kLost = 1'000'000;
  HelperBudget account;
  account.add(1, 2, kSaved, HelperBudget::kMostGain + kSaved);
  EXPECT_FALSE(account.worksAlone());  // once, at the beginning, it may
  account.add(1, 2, kSaved, kLost + kSaved);
  EXPECT_TRUE(account.worksAlone());
  account.repay(HelperBudget::kRepaid * kLost - 1);
  EXPECT_TRUE(account.worksAlone());
  account.repay(1);
  EXPECT_FALSE(account.worksAlone());
  account.repay(1'000'000);  // that saved nothing
  account.add(1, 2, kSaved, 2 * kSaved);
  EXPECT_TRUE(account.worksAlone());
}

TEST(HelpAccounts, ChargeForOneWhoDidNothingButNotForALook) {
  HelperBudget account;
  for (int round = 0; round < 100; ++round)
    account.add(2, 2, HelperBudget::kMostGain, 100'000'000 / 4);
  EXPECT_FALSE(account.worksAlone());
  account.add(2, 2, 100, HelperBudget::kMostGain + 1);
  EXPECT_TRUE(account.worksAlone());
}

TEST(HelpAccounts, EndsEvenAfterAPauseOfHours) {
  HelperBudget account;
  account.add(1, 2, 1000, std::int64_t{1} << 50);
  account.repay(HelperBudget::kRepaid * HelperBudget::kMostGain);
  EXPECT_FALSE(account.worksAlone());
}

TEST(HelpAccounts, KeepNoMoreThanSomeOfWhatWasSaved) {
  HelperBudget account;
  for (int round = 0; round < 100; ++round) account.add(1, 8, HelperBudget::kMostGain, 0);
  account.add(1, 2, 0, HelperBudget::kMostGain);
  EXPECT_FALSE(account.worksAlone());
  account.add(1, 2, 0, 1);
  EXPECT_TRUE(account.worksAlone());
}

TEST(ThreadedPool, ThrowsWhatAPartThrowsAndGoesOn) {
  ThreadPool pool(3);
  for (const int bad : {0, 5, 8})
    EXPECT_THROW(pool.run(9, kLongWork, each([&](int part) {
                            if (part == bad) throw std::runtime_error("a part");
                          })),
                 std::runtime_error);
  std::atomic<int> ran{0};
  pool.run(9, kLongWork, each([&](int) { ++ran; }));
  EXPECT_EQ(ran.load(), 9);
}

TEST(ThreadedPool, MeasuresWhatHandingOverCosts) {
  EXPECT_EQ(ThreadPool(1).handOverNanoseconds(), 0);
  EXPECT_GT(ThreadPool(2).handOverNanoseconds(), 0);
}

}  // namespace
}  // namespace fusebench::cpu
