// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/run/executor.h"

namespace fusebench {

/// Records the launches that another executor makes and replays them: `replay` those of eager,
/// `static+replay` those of static. One recording serves one set of shapes, dtypes and strides; the
/// least recently used one is dropped when there are too many. A call copies the inputs into the
/// recording's own buffers and replays it; results are valid until the next call. An input that
/// remains the same tensor, as weights do, is recorded with its own address and not copied. If
/// another tensor is passed later, the launches are recorded again, and the input is copied in
/// later calls. The cost of recording counts as compile time.
class ReplayExecutor final : public Executor {
 public:
  /// `inner` makes the launches; `recordings`: how many are kept (at least one); `stays`: see
  /// ExecutorOptions. Throws std::invalid_argument if the backend cannot capture.
  ReplayExecutor(Backend& backend, SharedProgram program, std::unique_ptr<Executor> inner,
                 int recordings, std::vector<bool> stays);

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override { return statistics_; }
  Plan plan(Forms inputs) const override {
    Plan plan = inner_->plan(inputs);
    plan.options.keepsMemory = true;
    return plan;
  }
  const SharedProgram& program() const override { return shared_; }

 private:
  struct Recording {
    std::size_t hash = 0;
    std::vector<Tensor> buffers;     ///< the inputs as recorded
    std::vector<bool> shared;        ///< per input: recorded with the caller's address
    std::vector<std::size_t> bytes;  ///< per buffer: size of the copy in a call; 0 if shared
    std::unique_ptr<Capture> capture;
    std::vector<Tensor> outputs;
    bool eager = false;  ///< the inner executor had fallen back to eager
  };

  Recording* find(std::span<const Tensor> inputs, std::size_t hash);
  void noticeChanged(std::span<const Tensor> inputs);
  Recording& record(std::span<const Tensor> inputs, std::size_t hash);
  void checkCopies(std::span<const Tensor> inputs) const;
  void makeBuffers(Recording& recording, std::span<const Tensor> inputs);
  void copyInputs(const Recording& recording, std::span<const Tensor> inputs);
  void copyWritten(const Recording& recording, std::span<const Tensor> inputs);
  CompileTimes newInnerTimes();
  std::string reason(std::span<const Tensor> inputs) const;

  Backend& backend_;
  SharedProgram shared_;
  const Program& program_;
  std::vector<bool> written_;  ///< per input: whether the program writes to it
  std::vector<bool> stays_;    ///< per input: the same tensor at each call, as far as is known
  std::unique_ptr<Executor> inner_;
  std::size_t limit_;
  std::list<Recording> recordings_;  ///< most recently used first
  std::vector<Tensor> outputs_;
  std::size_t innerCompilesSeen_ = 0;
  ExecutorStatistics statistics_;
};

}  // namespace fusebench
