// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/device/host_memory.h"
#include "engine/run/executor.h"

namespace fusebench {

/// Runs an executor on inputs that are in host memory: each call first copies them to the device
/// and, if requested, its results back. With `prefetch` the copies of the next calls' inputs
/// overlap with the launches of this one, into separate buffers. It learns the next inputs from
/// earlier calls: a list that is gone through in order again and again.
///
/// The inputs' contents are read once, when they are first seen.
class DeliveringExecutor final : public Executor {
 public:
  /// Throws std::invalid_argument if the backend has no copies that overlap.
  DeliveringExecutor(Backend& backend, std::unique_ptr<Executor> inner, const Delivery& delivery);
  ~DeliveringExecutor() override;

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override { return inner_->statistics(); }
  Plan plan(Forms inputs) const override { return inner_->plan(inputs); }
  const SharedProgram& program() const override { return inner_->program(); }

 private:
  /// One list entry in host memory.
  struct Source {
    std::vector<Tensor> seen;  ///< the inputs as they came, whose memory is not kept
    std::vector<const void*> identity;
    std::vector<void*> host;
    std::vector<std::size_t> bytes;
    std::vector<std::vector<const void*>> rows;  ///< rows of gathered inputs, in order
    Source* next = nullptr;                      ///< the input that followed it the last time
  };
  /// Device memory for the inputs of one call.
  struct Slot {
    std::vector<Tensor> tensors;
    const Source* holds = nullptr;
    CopyQueue::Mark arrived = 0, used = 0;
    bool usedBefore = false;
    std::uint64_t turn = 0;  ///< turn of its last use
  };

  Source& sourceOf(std::span<const Tensor> inputs);
  Slot& slotOf(const Source& source, CopyQueue::Line line, const Slot* besides = nullptr);
  void fill(Slot& slot, const Source& source, CopyQueue::Line line);
  void keep(Source& source, const Tensor& input);
  const void* gathered(const Source& source, std::size_t input);
  void gatherAhead(const Source& source);
  void beginGathering(const Source& source);
  bool isGathering(const Source& source) const;
  void dropAhead();
  void releaseStaged();
  void fetchResults(std::span<const Tensor> results);

  Backend& backend_;
  std::unique_ptr<Executor> inner_;
  Delivery delivery_;
  std::unique_ptr<HostMemory> host_;
  CopyQueue* copies_ = nullptr;  ///< its copies
  /// The buffer into which rows were gathered, until it is copied.
  struct Staged {
    CopyQueue::Line line;
    CopyQueue::Mark mark;
    BlockRef block;
  };
  std::deque<Staged> staged_;
  std::vector<BlockRef> gathering_;  ///< for the copy that is being made
  /// Batches that workers assemble.
  struct Ahead {
    const Source* source = nullptr;
    std::vector<BlockRef> blocks;  ///< per input; null where nothing is gathered
    std::vector<CopyQueue::Ticket> tickets;
  };
  std::deque<Ahead> ahead_;
  int nextWorker_ = 0;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<Slot> slots_;
  Source* before_ = nullptr;
  std::uint64_t turns_ = 0;
  std::vector<std::pair<void*, std::size_t>> resultMemory_;
};

}  // namespace fusebench
