// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/base/ticks.h"

namespace fusebench::cpu {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

thread_local int numberOfThread = 0;

// Parts of the gate: helpers in the round, whether it is open, and above that its number.
constexpr std::uint64_t kInside = 0xffff, kOpen = 0x10000, kRound = 0x20000;

bool isNew(std::uint64_t gate, std::uint64_t seen) {
  return (gate & kOpen) != 0 && gate / kRound != seen;
}

/// Helpers are woken when the work done without them is so many times what waking them costs: where
/// they do not come in time to help, little is lost.
constexpr int kWorthWaking = 32;

/// Leaves the processor's units to the other thread of the core, and does not fill its queues with
/// loads.
void relax() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

void spinFor(Clock::duration time) {
  for (const auto end = Clock::now() + time; Clock::now() < end;) relax();
}

/// Waits awake until `done()` or for so long; returns done().
template <typename Done>
bool spinUntil(const Done& done, std::chrono::nanoseconds patience) {
  constexpr int kLooks = 16;  // between two at the clock
  if (done()) return true;
  if (patience.count() <= 0) return false;
  for (const auto end = Clock::now() + patience; Clock::now() < end;)
    for (int look = 0; look < kLooks; ++look) {
      if (done()) return true;
      relax();
    }
  return done();
}

/// What something takes undisturbed: the first decile, for others only make it longer.
double undisturbed(std::vector<double> costs) {
  const auto place = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 10);
  std::nth_element(costs.begin(), place, costs.end());
  return *place;
}

double nanosecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

}  // namespace

void HelperBudget::add(int own, int count, std::int64_t worked, std::int64_t waited) {
  const bool helped = own < count;
  // Even one who did nothing may be waited for: it came and then lost its processor.
  if (!helped && waited <= worked) return;
  gain_ = std::min(gain_ + worked * (count - own) / own - waited, kMostGain);
  if (gain_ >= 0) return;
  debt_ = kRepaid * std::min(-gain_, kMostGain);
  gain_ = 0;
}

ThreadPool::ThreadPool(int threads, double handOver) {
  // Where threads share processors, who waits awake keeps another from working.
  cpu_set_t allowed;
  spread_ = sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) >= threads;
  try {
    for (int i = 1; i < threads; ++i) helpers_.emplace_back([this, i] { serve(i); });
    if (!helpers_.empty()) calibrate();
    if (!helpers_.empty() && handOver > 0) handOver_ = handOver;
  } catch (...) {
    end();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  end();
}

void ThreadPool::end() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  woken_.notify_all();
  for (auto& helper : helpers_) helper.join();
}

int ThreadPool::current() {
  return numberOfThread;
}

void ThreadPool::help(const Work& work, Parts& parts) {
  try {
    work(parts);
  } catch (...) {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void ThreadPool::serve(int number) {
  numberOfThread = number;
  for (std::uint64_t seen = 0; !quit_;) {
    if (enter(seen)) {
      if (Parts parts(next_, parts_); parts.take()) help(*work_, parts);
      leave();
    } else if (!spinUntil([&] { return quit_ || isNew(gate_, seen); }, patience())) {
      sleep(seen);
    }
  }
}

/// Enters the open round, unless it has been `seen`.
bool ThreadPool::enter(std::uint64_t& seen) {
  std::uint64_t gate = gate_.load(std::memory_order_acquire);
  while (isNew(gate, seen))
    if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel)) {
      seen = gate / kRound;
      return true;
    }
  return false;
}

void ThreadPool::leave() {
  // Either the caller, who says first that it sleeps, sees that nobody is inside, or this thread
  // sees that it sleeps.
  if (((gate_.fetch_sub(1) - 1) & kInside) != 0 || !callerSleeps_) return;
  std::lock_guard lock(mutex_);
  left_.notify_one();
}

void ThreadPool::sleep(std::uint64_t seen) {
  std::unique_lock lock(mutex_);
  // Either the caller, who opens a round first, sees that this thread sleeps, or it sees the round.
  ++sleeping_;
  woken_.wait(lock,
              [&, before = wakings_] { return quit_ || wakings_ != before || isNew(gate_, seen); });
  --sleeping_;
}

void ThreadPool::wake() {
  {
    std::lock_guard lock(mutex_);
    ++wakings_;
  }
  woken_.notify_all();
}

/// Keeps helpers off the caller's processor, where schedulers like to put who is woken: it cannot
/// help there.
void ThreadPool::stayAway() {
  if (!spread_) return;
  const int caller = sched_getcpu();
  if (caller == avoided_ || caller < 0 || caller >= CPU_SETSIZE) return;
  avoided_ = caller;
  cpu_set_t others;
  if (sched_getaffinity(0, sizeof others, &others) != 0) return;
  CPU_CLR(caller, &others);
  if (CPU_COUNT(&others) == 0) return;
  for (std::thread& helper : helpers_)
    pthread_setaffinity_np(helper.native_handle(), sizeof others, &others);
}

void ThreadPool::wakeIfWorth(double nanoseconds) {
  if (sleeping_ == 0) return;
  unhelped_ += nanoseconds;
  if (unhelped_ < kWorthWaking * wakeCost_) return;
  unhelped_ = 0;
  wake();
}

void ThreadPool::run(int count, double nanoseconds, const Work& work) {
  if (count < 1) return;
  next_.store(1, std::memory_order_relaxed);  // the first part is the caller's
  const bool alone = helpers_.empty() || count == 1 || budget_.worksAlone();
  if (!alone) open(count, nanoseconds, work);
  const std::uint64_t begin = ticks();
  Parts own(next_, count);
  help(work, own);
  const std::uint64_t worked = ticks();
  if (!alone) close();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  const auto spent = static_cast<std::int64_t>(worked - begin);
  if (alone)
    budget_.repay(spent);
  else
    budget_.add(1 + own.more_, count, spent, static_cast<std::int64_t>(ticks() - worked));
}

void ThreadPool::open(int count, double nanoseconds, const Work& work) {
  stayAway();
  work_ = &work;
  parts_ = count;
  // Nobody is inside, and nobody enters what is closed.
  const std::uint64_t round = gate_.load(std::memory_order_relaxed) / kRound + 1;
  gate_.store(round * kRound + kOpen);
  wakeIfWorth(nanoseconds);
}

/// Lets nobody in any more and waits until all are out: then what they did is seen here.
void ThreadPool::close() {
  gate_.fetch_and(~kOpen);
  const auto empty = [&] { return (gate_.load() & kInside) == 0; };
  if (spinUntil(empty, patience())) return;
  std::unique_lock lock(mutex_);
  callerSleeps_ = true;
  left_.wait(lock, empty);
  callerSleeps_ = false;
}

void ThreadPool::calibrate() {
  constexpr int kWakings = 11, kRounds = 101;
  constexpr microseconds kLongest{1000}, kPart{5};
  const auto all = static_cast<int>(helpers_.size());
  // A thread that has announced its sleep still has to fall asleep, and so does its processor.
  constexpr microseconds kDozing{50};
  const auto fallAsleep = [&] {
    spinUntil([&] { return sleeping_ == all; }, kLongest);
    spinFor(kDozing);
    budget_ = {};
  };
  constexpr double kAtOnce = std::numeric_limits<double>::infinity();

  std::vector<double> costs;
  for (int i = 0; i < kWakings; ++i) {
    fallAsleep();
    const auto begin = Clock::now();
    wake();
    costs.push_back(nanosecondsSince(begin));
  }
  wakeCost_ = undisturbed(costs);

  // Who stays awake for as long as coming back takes pays at most twice what it must.
  costs.clear();
  for (int i = 0; i < kWakings; ++i) {
    fallAsleep();
    std::atomic<int> here = 0;
    const auto begin = Clock::now();
    run(threads(), kAtOnce, [&](Parts&) {
      ++here;
      spinUntil([&] { return here == threads(); }, kLongest);
    });
    costs.push_back(nanosecondsSince(begin));
  }
  if (spread_) patience_ = static_cast<std::int64_t>(undisturbed(costs));

  // Parts have work: two threads on one processor hand nothing over but seem quick to do it.
  costs.clear();
  for (int i = 0; i < kRounds; ++i) {
    budget_ = {};
    std::atomic<int> helping = 0;
    const auto begin = Clock::now();
    run(threads(), i == 0 ? kAtOnce : 0, [&](Parts& parts) {
      helping += current() != 0;
      do spinFor(kPart);
      while (parts.take());
    });
    const double more = nanosecondsSince(begin) - 1e3 * kPart.count();
    if (helping == threads() - 1) costs.push_back(std::max(0.0, more));
  }
  // Where helpers never are awake in time, as with more threads than processors, waking is the
  // cost.
  handOver_ = costs.empty() ? wakeCost_ : undisturbed(costs);
  budget_ = {};
}

}  // namespace fusebench::cpu
