// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/device/rank_group.h"

namespace fusebench {

/// A group that passes everything on to another one: for tests that look at some of it.
class PassingRanks : public RankGroup {
 public:
  explicit PassingRanks(std::shared_ptr<RankGroup> group) : group_(std::move(group)) {}
  int rank() const override { return group_->rank(); }
  int size() const override { return group_->size(); }
  std::string description() const override { return group_->description(); }
  void allReduce(const void* from, void* to, std::int64_t elements, DType dtype,
                 Combine how) override {
    group_->allReduce(from, to, elements, dtype, how);
  }
  void broadcast(void* data, std::size_t bytes, int root) override {
    group_->broadcast(data, bytes, root);
  }
  void allGather(const void* from, void* to, std::size_t bytes) override {
    group_->allGather(from, to, bytes);
  }
  void reduceScatter(const void* from, void* to, std::int64_t elements, DType dtype,
                     Combine how) override {
    group_->reduceScatter(from, to, elements, dtype, how);
  }
  void barrier() override { group_->barrier(); }
  void beginWaiting() override { group_->beginWaiting(); }
  void endWaiting() override { group_->endWaiting(); }

 private:
  std::shared_ptr<RankGroup> group_;
};

}  // namespace fusebench
