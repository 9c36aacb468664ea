// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/copy_queue.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <vector>

namespace fusebench {
namespace {

constexpr std::align_val_t kPage{4096};

struct FreeAligned {
  void operator()(void* data) const { ::operator delete(data, kPage); }
};

class HostCopyQueue final : public CopyQueue {
 public:
  ~HostCopyQueue() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  void* hostMemory(std::size_t bytes, bool /*pinned*/) override {
    memory_.emplace_back(::operator new(bytes > 0 ? bytes : 1, kPage));
    return memory_.back().get();
  }
  void in(Line line, void* to, const void* from, std::size_t bytes, bool /*pinned*/) override {
    copy(line, to, from, bytes);
  }
  void out(Line line, void* to, const void* from, std::size_t bytes, bool /*pinned*/) override {
    copy(line, to, from, bytes);
  }
  /// Launches are done when they return, so only the thread's copies are ever waited for.
  Mark mark(Line line) override {
    const std::lock_guard lock(mutex_);
    return line == Line::beside ? enqueued_ : 0;
  }
  void await(Line line, Mark mark) override {
    if (line == Line::beside) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= mark; });
  }

  bool isReached(Line line, Mark mark) override {
    const std::lock_guard lock(mutex_);
    return line == Line::launches || done_ >= mark;
  }

 private:
  struct Work {
    void* to;
    const void* from;
    std::size_t bytes;
  };

  void copy(Line line, void* to, const void* from, std::size_t bytes) {
    if (line == Line::launches) {
      std::memcpy(to, from, bytes);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      // First: what no thread copies would be waited for in vain.
      if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
      waiting_.push_back({to, from, bytes});
      ++enqueued_;
    }
    changed_.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const Work next = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      std::memcpy(next.to, next.from, next.bytes);
      lock.lock();
      ++done_;
      changed_.notify_all();
    }
  }

  std::vector<std::unique_ptr<void, FreeAligned>> memory_;
  std::mutex mutex_;  ///< guards everything below
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  Mark enqueued_ = 0, done_ = 0;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace

/// Threads, each with a queue of its own; they end with this.
class CopyQueue::Workers {
 public:
  ~Workers() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    for (auto& worker : workers_) worker->thread.join();
  }
  Ticket add(int number, std::function<void()> work) {
    while (workers_.size() <= static_cast<std::size_t>(number)) {
      // It is added once its thread runs: where no more threads can be created, it never is.
      auto made = std::make_unique<Worker>();
      workers_.reserve(workers_.size() + 1);
      made->thread = std::thread([this, own = made.get()] { serve(*own); });
      workers_.push_back(std::move(made));
    }
    const std::lock_guard lock(mutex_);
    workers_[static_cast<std::size_t>(number)]->queue.push_back({++last_, std::move(work)});
    changed_.notify_all();
    return last_;
  }
  void finish(Ticket ticket) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_.contains(ticket); });
    done_.erase(ticket);
  }

 private:
  struct Asked {
    Ticket ticket = 0;
    std::function<void()> work;
  };
  struct Worker {
    std::deque<Asked> queue;
    std::thread thread;
  };
  void serve(Worker& own) {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ends_ || !own.queue.empty(); });
      if (own.queue.empty()) return;
      const Asked asked = std::move(own.queue.front());
      own.queue.pop_front();
      lock.unlock();
      asked.work();
      lock.lock();
      done_.insert(asked.ticket);
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::set<Ticket> done_;  ///< that nobody waited for yet
  Ticket last_ = 0;
  bool ends_ = false;
};

CopyQueue::CopyQueue() = default;
CopyQueue::~CopyQueue() = default;

CopyQueue::Ticket CopyQueue::gatherBeside(int worker, void* to, std::span<const void* const> rows,
                                          std::size_t bytes) {
  if (!workers_) workers_ = std::make_unique<Workers>();
  return workers_->add(worker, [to, rows, bytes] {
    auto* at = static_cast<std::byte*>(to);
    for (const void* const row : rows) {
      std::memcpy(at, row, bytes);
      at += bytes;
    }
  });
}

void CopyQueue::finish(Ticket ticket) {
  workers_->finish(ticket);
}

void CopyQueue::onHost(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

void CopyQueue::gather(void* to, std::span<const void* const> rows, std::size_t bytes) {
  auto* next = static_cast<std::byte*>(to);
  for (const void* row : rows) {
    std::memcpy(next, row, bytes);
    next += bytes;
  }
}

std::unique_ptr<CopyQueue> makeHostCopyQueue() {
  return std::make_unique<HostCopyQueue>();
}

}  // namespace fusebench
