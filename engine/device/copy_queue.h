// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace fusebench {

/// Copies between host and device, in the order of launches or beside them: as far as the device
/// can, those beside run at the same time as kernels. Ends before its backend.
class CopyQueue {
 public:
  enum class Line : std::uint8_t { launches, beside };
  using Mark = std::uint32_t;

  CopyQueue();
  virtual ~CopyQueue();
  CopyQueue(const CopyQueue&) = delete;
  CopyQueue& operator=(const CopyQueue&) = delete;
  /// Host memory that lives as long as the queue. Pinned: the device copies from and to it by
  /// itself; from other memory copies are waited for. Throws what the backend throws.
  virtual void* hostMemory(std::size_t bytes, bool pinned) = 0;
  /// Enqueues a copy into or out of the device's memory, of host memory of this queue. What is
  /// copied must stay until a mark after it is reached.
  virtual void in(Line line, void* to, const void* from, std::size_t bytes, bool pinned) = 0;
  virtual void out(Line line, void* to, const void* from, std::size_t bytes, bool pinned) = 0;
  /// All that was enqueued in the line so far. Marks are good for some hundred further ones.
  virtual Mark mark(Line line) = 0;
  /// What is enqueued in the line from here on waits for the mark.
  virtual void await(Line line, Mark mark) = 0;
  /// Whether the line has reached the mark by now; nobody waits.
  virtual bool isReached(Line line, Mark mark) = 0;
  /// A copy within host memory, which the host makes itself.
  virtual void onHost(void* to, const void* from, std::size_t bytes);
  /// The same of rows of so many bytes, which are put one after the other.
  virtual void gather(void* to, std::span<const void* const> rows, std::size_t bytes);
  /// The same by thread number `worker`, beside whoever asks; rows and what they are put into must
  /// stay until finish() returns, which is called once.
  using Ticket = std::uint64_t;
  virtual Ticket gatherBeside(int worker, void* to, std::span<const void* const> rows,
                              std::size_t bytes);
  virtual void finish(Ticket ticket);

 private:
  class Workers;
  std::unique_ptr<Workers> workers_;  ///< made when they are first asked for
};

/// Where the host runs kernels: copies of its memory, those beside by a thread of their own.
std::unique_ptr<CopyQueue> makeHostCopyQueue();

}  // namespace fusebench
