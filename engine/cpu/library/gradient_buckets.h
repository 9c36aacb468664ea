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

/// Gradients that are summed over the ranks. Those of a bucket are copied into one tensor, which is
/// summed over the ranks once the last of them is ready; the parts are then copied back, divided by
/// the number of ranks. A bucket that overlaps is summed by a thread of this class while the caller
/// continues; wait() returns when everything that was started is done. Parts left open by a call
/// that failed are dropped when the bucket is opened again.
class GradientBuckets {
 public:
  explicit GradientBuckets(std::shared_ptr<RankGroup> group) : group_(std::move(group)) {}
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  /// Adds a gradient of `call.bucket`. `to` must stay valid until wait() returns.
  void add(const RankCall& call, const void* from, void* to, std::int64_t elements, DType dtype);
  /// Throws the exception of a sum since the last call. Open buckets stay open.
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
  std::thread thread_;  ///< started for the first bucket that overlaps
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Bucket*> queue_;  ///< guarded, like the members that follow
  bool busy_ = false, ends_ = false;
  std::exception_ptr thrown_;
};

}  // namespace fusebench::cpu
