// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/dtype.h"
#include "engine/ops/collective.h"

namespace fusebench {

/// The processes that run a program together, as seen by one of them. All ranks make every call, in
/// the same order; it returns when this rank may continue. Pointers are host memory, with elements
/// without gaps. Members throw std::runtime_error, in one line, if the service fails.
class RankGroup {
 public:
  virtual ~RankGroup() = default;
  virtual int rank() const = 0;  ///< this one's number, from 0
  virtual int size() const = 0;
  /// The library that connects them, with its version: "Open MPI 4.1.4".
  virtual std::string description() const = 0;

  /// Combines element i of all ranks' `from` into `to`[i]. `from` and `to` may be the same memory.
  /// An average is computed as the sum: the caller divides.
  virtual void allReduce(const void* from, void* to, std::int64_t elements, DType dtype,
                         Combine how) = 0;
  /// `data` becomes the root's.
  virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
  /// `to`: every rank's `from`, one after the other.
  virtual void allGather(const void* from, void* to, std::size_t bytes) = 0;
  /// `to`: this rank's part of the result that allReduce would have for size() * `elements`
  /// elements.
  virtual void reduceScatter(const void* from, void* to, std::int64_t elements, DType dtype,
                             Combine how) = 0;
  virtual void barrier() = 0;

  /// Between these two calls, this rank waits for the others elsewhere, for example on a device.
  virtual void beginWaiting() {}
  virtual void endWaiting() {}
};

/// A rank waits elsewhere while this object exists.
class RankWait {
 public:
  explicit RankWait(RankGroup& group) : group_(group) { group_.beginWaiting(); }
  ~RankWait() { group_.endWaiting(); }
  RankWait(const RankWait&) = delete;
  RankWait& operator=(const RankWait&) = delete;

 private:
  RankGroup& group_;
};

}  // namespace fusebench
