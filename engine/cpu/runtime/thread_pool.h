// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fusebench::cpu {

/// Weighs the time that helpers save the caller against the time that they cost it: the system may
/// deschedule a helper in the middle of its part, and the caller then waits for it. All times in
/// ticks.
class HelperBudget {
 public:
  /// The most that can be lost before the caller works alone: time that helpers saved and, at the
  /// start, time that they are expected to save. Ten to thirty milliseconds.
  static constexpr std::int64_t kMostGain = 1 << 25;
  /// Loss beyond that, up to the same amount again, is repaid by this many times as much work
  /// without helpers.
  static constexpr int kRepaid = 32;

  bool worksAlone() const { return debt_ > 0; }
  /// Work without helpers.
  void repay(std::int64_t worked) { debt_ = std::max<std::int64_t>(0, debt_ - worked); }
  /// Adds a round of `count` parts: the caller executed `own` parts in `worked`, then `waited` for
  /// others.
  void add(int own, int count, std::int64_t worked, std::int64_t waited);

 private:
  std::int64_t gain_ = kMostGain;
  std::int64_t debt_ = 0;
};

/// Threads that help with one round of work at a time. The calling thread takes part, and never
/// waits for a helper that has not arrived yet: the threads that are there take the parts. Helpers
/// that have nothing to do stay awake for a while, since rounds tend to follow one another, then
/// sleep. After a long wait for a helper that was delayed, the caller works alone for a while.
class ThreadPool {
 public:
  /// The parts of a round that one thread executes.
  class Parts {
   public:
    /// Takes the next part that no thread has taken; false: none is left.
    bool take() {
      taken_ = next_.fetch_add(1, std::memory_order_relaxed);
      if (taken_ >= all_) return false;
      ++more_;
      return true;
    }
    int taken() const { return taken_; }

   private:
    friend ThreadPool;
    Parts(std::atomic<int>& next, int all) : next_(next), all_(all) {}
    std::atomic<int>& next_;
    int all_;
    int taken_ = 0;
    int more_ = 0;  ///< taken after the first
  };
  /// Called once by each thread that took a part, with that part; takes as many more as it can. The
  /// calling thread always gets one.
  using Work = std::function<void(Parts&)>;

  /// `handOver`: see handOverNanoseconds(); 0: it is measured.
  explicit ThreadPool(int threads, double handOver = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }
  /// Helpers that are currently asleep.
  int sleeping() const { return sleeping_; }
  /// The number of the calling thread: from 1 for a pool's own threads, 0 for any other.
  static int current();

  /// Runs parts [0, parts), each once, on any threads, and returns when all are done.
  /// `nanoseconds`: approximate time of all of them on one thread. The first exception thrown by
  /// the work is rethrown here; some parts are then not executed.
  void run(int parts, double nanoseconds, const Work& work);

  /// Measured cost of a round in which awake helpers take part, in nanoseconds: what dividing the
  /// work must save to be worth it. With more threads than processors, the cost of waking them.
  double handOverNanoseconds() const { return handOver_; }

 private:
  void end();
  void serve(int number);
  void help(const Work& work, Parts& parts);
  bool enter(std::uint64_t& seen);
  void leave();
  void sleep(std::uint64_t seen);
  void wake();
  void stayAway();
  void wakeIfWorth(double nanoseconds);
  void open(int count, double nanoseconds, const Work& work);
  void close();
  std::chrono::nanoseconds patience() const {
    return std::chrono::nanoseconds(patience_.load(std::memory_order_relaxed));
  }
  void calibrate();

  std::vector<std::thread> helpers_;

  /// The round's number, whether helpers may enter it, and how many of them are in it. The round's
  /// data are written before it opens, and are read by helpers that have entered.
  std::atomic<std::uint64_t> gate_ = 0;
  const Work* work_ = nullptr;
  int parts_ = 0;
  alignas(64) std::atomic<int> next_ = 0;

  std::mutex mutex_;  ///< guards what the two below wait for, and the failure
  std::condition_variable woken_, left_;
  std::uint64_t wakings_ = 0;
  std::exception_ptr failure_;
  std::atomic<bool> quit_ = false;
  std::atomic<int> sleeping_ = 0;
  std::atomic<bool> callerSleeps_ = false;

  bool spread_ = false;  ///< each thread can have a processor of its own
  int avoided_ = -1;  ///< used by the helpers: the caller's processor when they were last notified
  /// How long a thread stays awake with nothing to do, in nanoseconds.
  std::atomic<std::int64_t> patience_ = 0;
  double wakeCost_ =
      0;  ///< time to wake all helpers, for the thread that wakes them, in nanoseconds
  HelperBudget budget_;
  double unhelped_ = 0;  ///< work done while helpers slept, in nanoseconds
  double handOver_ = 0;
};

}  // namespace fusebench::cpu
