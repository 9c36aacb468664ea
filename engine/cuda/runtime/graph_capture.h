// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/cuda/runtime/cuda_executable.h"
#include "engine/device/private_pool.h"

namespace fusebench::cuda {

/// A CUDA graph created by capturing a stream, with everything that its kernels need: modules, and
/// memory from a private pool.
class GraphCapture final : public Capture {
 public:
  /// Begins capturing. Throws CudaError.
  GraphCapture(std::shared_ptr<const Device> device, Stream stream, Allocator& parent);
  ~GraphCapture() override;

  /// While capturing: such a launch was just added to the stream. Throws CudaError.
  void add(const CudaExecutable& executable, const LaunchPlan& plan, const LaunchMemory& memory,
           const KernelBytes& bytes, std::int32_t step);
  /// The same for a library's call, whose arguments do not change.
  void addCall(const CudaExecutable& executable, const KernelBytes& bytes, std::int32_t step) {
    launches_.push_back(
        {std::static_pointer_cast<const CudaExecutable>(executable.shared_from_this()),
         {},
         {},
         nullptr,
         bytes,
         step});
  }
  /// Ends capturing and creates the executable graph. Throws CudaError.
  void finish();
  void abandon() noexcept;

  /// Each replay makes calls to the ranks of a group.
  void asksRanks() { asksRanks_ = true; }
  bool mayAskRanks() const { return asksRanks_; }

  Allocator& pool() { return *pool_; }
  GraphExec exec() const { return exec_; }

  int launches() const override { return static_cast<int>(launches_.size()); }
  void setArguments(int launch, const LaunchArguments& arguments) override;
  /// Reports the executions of one replay.
  void note(Recorder& recorder) const;

 private:
  struct Launch {
    std::shared_ptr<const CudaExecutable> executable;
    LaunchPlan plan;
    LaunchMemory memory;
    GraphNode node = nullptr;  ///< null: it is a library's
    KernelBytes bytes;
    std::int32_t step = -1;  ///< the plan's step
  };

  std::shared_ptr<const Device> device_;
  Stream stream_;
  PrivatePoolOwner pool_;
  bool capturing_ = false, asksRanks_ = false;
  Graph graph_ = nullptr;
  GraphExec exec_ = nullptr;
  std::vector<Launch> launches_;
};

}  // namespace fusebench::cuda
