// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace fusebench {

/// Copies between host and device, either in the order of launches or overlapping with them as far
/// as the device supports both. Must be destroyed before its backend.
class CopyQueue {
 public:
  enum class Line : std::uint8_t { launches, beside };
  using Mark = std::uint32_t;

  CopyQueue();
  virtual ~CopyQueue();
  CopyQueue(const CopyQueue&) = delete;
  CopyQueue& operator=(const CopyQueue&) = delete;
  /// Host memory with the lifetime of the queue. Pinned: the device copies from and to it directly;
  /// copies from other memory block the caller. Throws what the backend throws.
  virtual void* hostMemory(std::size_t bytes, bool pinned) = 0;
  /// Enqueues a copy into or out of the device's memory, from or to host memory of this queue. The
  /// source must stay valid until a mark after the copy is reached.
  virtual void in(Line line, void* to, const void* from, std::size_t bytes, bool pinned) = 0;
  virtual void out(Line line, void* to, const void* from, std::size_t bytes, bool pinned) = 0;
  /// Marks everything enqueued in the line so far. A mark is valid for a few hundred further marks.
  virtual Mark mark(Line line) = 0;
  /// Makes everything enqueued later in the line wait for the mark.
  virtual void await(Line line, Mark mark) = 0;
  /// Whether the line has reached the mark by now. Does not wait.
  virtual bool isReached(Line line, Mark mark) = 0;
  /// A copy within host memory, which the host performs.
  virtual void onHost(void* to, const void* from, std::size_t bytes);
  /// Copies rows of `bytes` bytes each consecutively to `to`.
  virtual void gather(void* to, std::span<const void* const> rows, std::size_t bytes);
  /// The same in thread number `worker`, concurrently with the caller. Rows and target must stay
  /// valid until finish() returns, which is called once.
  using Ticket = std::uint64_t;
  virtual Ticket gatherBeside(int worker, void* to, std::span<const void* const> rows,
                              std::size_t bytes);
  virtual void finish(Ticket ticket);

 private:
  class Workers;
  std::unique_ptr<Workers> workers_;  ///< made on first use
};

/// For a host that runs kernels: copies within its memory. Overlapping copies run in a separate
/// thread.
std::unique_ptr<CopyQueue> makeHostCopyQueue();

}  // namespace fusebench
