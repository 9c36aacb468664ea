// SPDX-License-Identifier: GPL-3.0-or-later
// Batches that workers put together, where host memory ends in the middle.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <set>
#include <span>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/doubles/fake_backend.h"

namespace fusebench {
namespace {

/// Host memory so many times, and then none.
struct Scarce {
  int left = 0;
  std::set<CopyQueue::Ticket> unfinished;
  std::size_t unfinishedAtTheEnd = 0;
};

class ScarceQueue final : public CopyQueue {
 public:
  explicit ScarceQueue(Scarce& scarce) : scarce_(scarce), queue_(makeHostCopyQueue()) {}
  ~ScarceQueue() override { scarce_.unfinishedAtTheEnd = scarce_.unfinished.size(); }
  void* hostMemory(std::size_t bytes, bool pinned) override {
    if (scarce_.left-- <= 0) throw std::bad_alloc();
    return queue_->hostMemory(bytes, pinned);
  }
  void in(Line line, void* to, const void* from, std::size_t bytes, bool pinned) override {
    queue_->in(line, to, from, bytes, pinned);
  }
  void out(Line line, void* to, const void* from, std::size_t bytes, bool pinned) override {
    queue_->out(line, to, from, bytes, pinned);
  }
  Mark mark(Line line) override { return queue_->mark(line); }
  void await(Line line, Mark mark) override { queue_->await(line, mark); }
  bool isReached(Line line, Mark mark) override { return queue_->isReached(line, mark); }
  Ticket gatherBeside(int worker, void* to, std::span<const void* const> rows,
                      std::size_t bytes) override {
    const Ticket ticket = CopyQueue::gatherBeside(worker, to, rows, bytes);
    scarce_.unfinished.insert(ticket);
    return ticket;
  }
  void finish(Ticket ticket) override {
    CopyQueue::finish(ticket);
    EXPECT_EQ(scarce_.unfinished.erase(ticket), 1u) << "is waited for once";
  }

 private:
  Scarce& scarce_;
  std::unique_ptr<CopyQueue> queue_;
};

class ScarceBackend final : public FakeBackend {
 public:
  explicit ScarceBackend(Scarce& scarce) : scarce_(scarce) {}
  std::unique_ptr<CopyQueue> makeCopyQueue() override {
    return std::make_unique<ScarceQueue>(scarce_);
  }

 private:
  Scarce& scarce_;
};

TEST(DeliveryMemory, ThatEndsLeavesNoWorkerBehind) {
  int ended = 0;
  for (int room = 0; room < 40; ++room) {
    Scarce scarce{room, {}, 0};
    ScarceBackend backend(scarce);
    std::vector<std::vector<Tensor>> list;
    for (int entry = 0; entry < 4; ++entry)
      list.push_back({makeTensor(backend.allocator(), DType::float32, {8, 4096}),
                      makeTensor(backend.allocator(), DType::float32, {8, 1})});
    ExecutorOptions options;
    options.delivery = {
        .from = Delivery::From::pinned, .gathers = true, .prefetch = 1, .workers = 2};
    {
      const auto delivered =
          makeExecutor("eager", backend, parseProgram("x = x * y\nreturn torch.sin(x)"), options);
      try {
        for (int pass = 0; pass < 3; ++pass)
          for (const auto& inputs : list) delivered->call(inputs);
      } catch (const std::bad_alloc&) {
        ++ended;
      }
    }
    EXPECT_EQ(scarce.unfinishedAtTheEnd, 0u) << "room for " << room;
  }
  EXPECT_GT(ended, 8);   // the data set alone is eight
  EXPECT_LT(ended, 40);  // and all of it has room at last
}

}  // namespace
}  // namespace fusebench
