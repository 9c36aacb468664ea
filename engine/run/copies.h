// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>

#include "engine/device/host_memory.h"
#include "engine/language/program.h"

namespace fusebench {

/// Runs the copies of a program, one after the other in the order of its launches. Ends before its
/// backend and after the tensors that it made.
class Copies {
 public:
  /// `overlap`: see PlanOptions.
  explicit Copies(Backend& backend, bool overlap = false) : backend_(backend), overlap_(overlap) {}
  ~Copies();

  /// Copies the contents of `from` into new memory. `result` has the new form, memory included;
  /// both have the same layout, without gaps.
  void run(const Op& op, const Tensor& from, Tensor& result);
  /// One element, which the host waits for and which is not kept: its value is on the device, too.
  void fetch(const Tensor& from);

 private:
  /// Host memory of a copy for which the host did not wait.
  struct InFlight {
    CopyQueue::Mark mark;
    BlockRef block;
  };
  /// Device memory for a copy that overlaps with the launches, and the mark after its last use.
  struct Buffer {
    BlockRef block;
    CopyQueue::Mark used = 0;
    bool usedBefore = false;
  };
  struct Buffers {
    std::array<Buffer, 2> turns;
    std::size_t next = 0;
  };
  HostMemory& host();
  void beside(const Op& op, const Tensor& from, Tensor& result, std::size_t bytes);
  Allocator& allocatorOf(Memory memory);
  void releaseFinished();

  Backend& backend_;
  bool overlap_;
  std::unique_ptr<HostMemory> host_;  ///< made when it is first needed
  std::deque<InFlight> inFlight_;     ///< in order of their marks
  std::map<const Op*, Buffers> buffers_;
};

}  // namespace fusebench
