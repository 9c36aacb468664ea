// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/device/rank_group.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// Gradients on their way between the ranks. Those of a bucket are copied side by side, summed over
/// the ranks as one tensor once the last of them has come, and copied to where they belong, divided
/// by the ranks. A bucket that overlaps is summed by a thread of this class, beside whatever the
/// caller does; wait() is when all that began is done. What was left open by a call that failed is
/// forgotten when the bucket is opened anew.
class GradientBuckets {
 public:
  explicit GradientBuckets(std::shared_ptr<RankGroup> group) : group_(std::move(group)) {}
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  /// One more gradient of `call.bucket`. `to` must stay where it is until wait() returns.
  void add(const RankCall& call, const void* from, void* to, std::int64_t elements, DType dtype);
  /// Throws what a sum threw since the last time. Buckets that are open stay so.
  void wait();

 private:
  struct Piece {
    void* to;
    std::int64_t elements;
  };
  struct Bucket {
    DType dtype = DType::float32;
    std::vector<std::byte> bytes;
    std::vector<Piece> pieces;
    bool waits = false;  ///< in the queue, or being summed; guarded
  };
  void reduce(Bucket& bucket);
  void work();

  std::shared_ptr<RankGroup> group_;
  std::map<int, Bucket> buckets_;
  std::thread thread_;  ///< begins with the first bucket that overlaps
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Bucket*> queue_;  ///< guarded, as what follows
  bool busy_ = false, ends_ = false;
  std::exception_ptr thrown_;
};

}  // namespace fusebench::cpu
