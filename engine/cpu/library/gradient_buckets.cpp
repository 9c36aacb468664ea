// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/gradient_buckets.h"

#include <cstring>
#include <utility>

#include "engine/base/elements.h"

namespace fusebench::cpu {
GradientBuckets::~GradientBuckets() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void GradientBuckets::add(const RankCall& call, const void* from, void* to, std::int64_t elements,
                          DType dtype) {
  Bucket& bucket = buckets_[call.bucket];
  if (call.first) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !bucket.waits; });  // a call that has since failed
    bucket.bytes.clear();
    bucket.pieces.clear();
  }
  bucket.dtype = dtype;
  const std::size_t bytes = static_cast<std::size_t>(elements) * info(dtype).size;
  const std::size_t before = bucket.bytes.size();
  bucket.bytes.resize(before + bytes);
  if (bytes > 0) std::memcpy(bucket.bytes.data() + before, from, bytes);
  bucket.pieces.push_back({to, elements});
  if (!call.last) return;
  if (!call.overlaps) return reduce(bucket);
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(&bucket);
    bucket.waits = true;
  }
  changed_.notify_all();
}

void GradientBuckets::reduce(Bucket& bucket) {
  const std::size_t size = info(bucket.dtype).size;
  std::byte* at = bucket.bytes.data();
  group_->allReduce(at, at, static_cast<std::int64_t>(bucket.bytes.size() / size), bucket.dtype,
                    Combine::sum);
  for (const Piece& piece : bucket.pieces) {
    divideElements(at, piece.to, piece.elements, bucket.dtype, group_->size());
    at += static_cast<std::size_t>(piece.elements) * size;
  }
}

void GradientBuckets::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Bucket* const bucket = queue_.front();
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      reduce(*bucket);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    if (thrown && !thrown_) thrown_ = thrown;
    busy_ = bucket->waits = false;
    changed_.notify_all();
  }
}

void GradientBuckets::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
  const std::exception_ptr thrown = std::exchange(thrown_, nullptr);
  lock.unlock();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace fusebench::cpu
