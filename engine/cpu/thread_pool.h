// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fusebench::cpu {

/// Threads that wait for one range of work at a time. The calling thread takes part.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }
  /// The number of the thread that asks: from 1 on for a pool's own, 0 for any other.
  static int current();

  /// Calls work(part) once for every part in [0, parts), on any thread, and returns when all are
  /// done. The first exception thrown by a part is thrown here.
  void run(int parts, const std::function<void(int)>& work);

  /// Measured cost of handing work to the other threads and waiting for them, in nanoseconds: what
  /// a launch must save to be worth splitting.
  double handOverNanoseconds() const { return handOver_; }

 private:
  void serve(int number);
  void takeParts();
  void calibrate();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int)>* work_ = nullptr;
  int parts_ = 0;
  std::atomic<int> next_{0};
  int busy_ = 0;  // workers that have not finished the current round
  std::uint64_t round_ = 0;
  bool quit_ = false;
  std::exception_ptr failure_;
  double handOver_ = 0;
};

}  // namespace fusebench::cpu
