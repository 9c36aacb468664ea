// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace fusebench::cpu {

namespace {
thread_local int numberOfThread = 0;
using Clock = std::chrono::steady_clock;
constexpr std::chrono::microseconds kSpan{50};  ///< of a part and of a pause in calibrating
}  // namespace

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { serve(i); });
  calibrate();
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void ThreadPool::takeParts() {
  for (int part; (part = next_.fetch_add(1, std::memory_order_relaxed)) < parts_;) {
    try {
      (*work_)(part);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
}

int ThreadPool::current() {
  return numberOfThread;
}

void ThreadPool::serve(int number) {
  numberOfThread = number;
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return quit_ || round_ != seen; });
    if (quit_) return;
    seen = round_;
    lock.unlock();
    takeParts();
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::run(int parts, const std::function<void(int)>& work) {
  if (workers_.empty() || parts <= 1) {
    for (int part = 0; part < parts; ++part) work(part);
    return;
  }
  {
    std::lock_guard lock(mutex_);
    work_ = &work;
    parts_ = parts;
    next_.store(0, std::memory_order_relaxed);
    busy_ = static_cast<int>(workers_.size());
    failure_ = nullptr;
    ++round_;
  }
  wake_.notify_all();
  takeParts();
  std::unique_lock lock(mutex_);
  // Every worker must have left the round before the next one may reuse parts_ and work_.
  done_.wait(lock, [&] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::calibrate() {
  if (workers_.empty()) return;
  const auto spin = [] {
    for (const auto end = Clock::now() + kSpan; Clock::now() < end;) {
    }
  };
  std::vector<double> costs;
  for (int i = 0; i < 21; ++i) {
    // Between two launches others go to sleep, and waking them is most of what a hand-over costs.
    // Parts have work, for two threads on one processor hand nothing over but seem quick to do it.
    spin();
    const auto begin = Clock::now();
    run(threads(), [&](int) { spin(); });
    const std::chrono::duration<double, std::nano> more = Clock::now() - begin - kSpan;
    costs.push_back(std::max(0.0, more.count()));
  }
  std::nth_element(costs.begin(), costs.begin() + 10, costs.end());
  handOver_ = costs[10];
}

}  // namespace fusebench::cpu
