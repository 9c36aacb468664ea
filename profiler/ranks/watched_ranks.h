// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "engine/device/rank_group.h"
#include "profiler/machine/clock.h"

namespace fusebench {

/// A group that records, readable from any thread, since when this rank has been waiting in it.
class WatchedRanks final : public RankGroup {
 public:
  explicit WatchedRanks(std::shared_ptr<RankGroup> group) : group_(std::move(group)) {}

  /// Seconds since its request to the group that is still open; 0: it waits for no rank.
  double waiting() const {
    const std::int64_t since = since_;
    return since == 0 ? 0 : static_cast<double>(nowNanoseconds() - since) * 1e-9;
  }

  /// Number of requests to the group, an open one included.
  std::int64_t asked() const { return asked_; }

  int rank() const override { return group_->rank(); }
  int size() const override { return group_->size(); }
  std::string description() const override { return group_->description(); }
  void allReduce(const void* from, void* to, std::int64_t elements, DType dtype,
                 Combine how) override {
    const Waiting waiting(*this);
    group_->allReduce(from, to, elements, dtype, how);
  }
  void broadcast(void* data, std::size_t bytes, int root) override {
    const Waiting waiting(*this);
    group_->broadcast(data, bytes, root);
  }
  void allGather(const void* from, void* to, std::size_t bytes) override {
    const Waiting waiting(*this);
    group_->allGather(from, to, bytes);
  }
  void reduceScatter(const void* from, void* to, std::int64_t elements, DType dtype,
                     Combine how) override {
    const Waiting waiting(*this);
    group_->reduceScatter(from, to, elements, dtype, how);
  }
  void barrier() override {
    const Waiting waiting(*this);
    group_->barrier();
  }
  void beginWaiting() override {
    ++asked_;
    since_ = nowNanoseconds();
  }
  void endWaiting() override { since_ = 0; }

 private:
  using Waiting = RankWait;

  std::shared_ptr<RankGroup> group_;
  std::atomic<std::int64_t> since_ = 0, asked_ = 0;
};

}  // namespace fusebench
