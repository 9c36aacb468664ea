// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/cuda/library/call_library.h"
#include "engine/cuda/runtime/cuda_executable.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A backend's tools for its library calls.
struct LibraryTools {
  std::string device{};  ///< what times depend on
  /// The cache of results of searches; null: there is none.
  std::function<ObjectCache*()> cache;
  /// A kernel that copies a tensor of this rank into another one with the same extents.
  std::function<std::shared_ptr<const CudaExecutable>(DType, std::size_t rank)> copier;
  /// Enqueues it; its integers are extents and strides of both.
  std::function<void(const CudaExecutable&, const std::int64_t* integers, void* from, void* to)>
      copy;
  /// Time of one execution with these pointers in nanoseconds; 0: it is not supported.
  std::function<double(PreparedCall&, const LibraryCall&, const std::int64_t* integers,
                       void* const* pointers)>
      time;
};

/// A library's call as the CUDA backend launches it: prepared once for each form of its tensors, at
/// the first launch. If the library does not support it, our own kernel runs it, which is compiled
/// then.
class CallExecutable final : public CudaExecutable {
 public:
  using MakeOwn = std::function<std::shared_ptr<const CudaExecutable>()>;

  /// `library` outlives this.
  CallExecutable(LibraryCall call, CallLibrary& library, std::shared_ptr<const LibraryTools> tools,
                 MakeOwn makeOwn);

  const CallExecutable* asCall() const override { return this; }
  /// The outcome of preparing for a launch's integers and alignments.
  struct Prepared {
    std::vector<std::int64_t> integers;
    std::vector<std::uint32_t> alignments;
    bool empty = false;                  ///< there is nothing to compute
    bool searched = false;               ///< or there is nothing to search
    std::unique_ptr<PreparedCall> call;  ///< null: the library does not support it
    std::string why;
  };
  /// `mayTime`: a search may run the call. `pointers` null: for tensors that are aligned like newly
  /// allocated ones.
  const Prepared& preparedFor(const std::int64_t* integers, void* const* pointers,
                              bool mayTime) const;
  /// Makes our own kernel serve later launches like the last one that was prepared.
  void refused() const;

  const LibraryCall& call() const { return call_; }
  /// For people: the request for tensors with these layouts, and what executes it.
  std::string description(const std::int64_t* integers) const;
  /// Bytes of the library's workspace for such a launch.
  std::size_t scratchBytes(const std::int64_t* integers) const;

  // These are for our own kernel.
  const CudaExecutable& serving(const std::int64_t* integers) const override;
  LaunchPlan plan(const std::int64_t* integers, int multiprocessors) const override;
  Function function(const LaunchStep& step) const override;
  void setParameters(ParameterList& list, const LaunchArguments& arguments, const LaunchPlan& plan,
                     const LaunchMemory& memory) const override;

 private:
  const CudaExecutable& own() const;
  /// A product that the library does not support for operands without a step of 1, on copies that
  /// have one. Null: that does not help, and `why` is unchanged.
  std::unique_ptr<PreparedCall> ofCopies(const LibraryRequest& request, std::string& why) const;

  LibraryCall call_;
  std::size_t count_;  ///< number of a launch's integers
  CallLibrary& library_;
  std::shared_ptr<const LibraryTools> tools_;
  MakeOwn makeOwn_;
  mutable std::shared_ptr<const CudaExecutable> own_;
  mutable std::vector<std::unique_ptr<Prepared>> prepared_;
  mutable Prepared* last_ = nullptr;  ///< the one used last: consecutive calls tend to be alike
};

}  // namespace fusebench::cuda
