// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/cpu/codegen/cpu_executable.h"
#include "engine/cpu/library/byte_call.h"
#include "engine/cpu/library/onednn.h"
#include "engine/cpu/library/wide_call.h"
#include "engine/device/rank_group.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

class GradientBuckets;

/// A backend's settings for its library calls.
struct LibrarySettings {
  int threads = 1;                             ///< the most that they may use
  std::string processor{};                     ///< what times depend on
  ObjectCache* cache = nullptr;                ///< of results of searches
  std::shared_ptr<RankGroup> group{};          ///< null: there is one rank
  std::shared_ptr<GradientBuckets> buckets{};  ///< of the group
  Allocator* allocator = nullptr;              ///< of memory that calls take while they run
};

/// A library call as the CPU backend launches it: prepared once for each form of its tensors, at
/// the first launch. Without a library that supports the call, Fusebench's own loops run.
class LibraryExecutable final : public CpuExecutable {
 public:
  /// `library`: null if there is none. It outlives this object.
  LibraryExecutable(LibraryCall call, OneDnn* library,
                    std::shared_ptr<const LibrarySettings> settings);

  void runWhole(const LaunchArguments& arguments) const override;
  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  bool partials() const override { return false; }
  std::int64_t firstExtent(const std::int64_t* integers) const override;
  std::int64_t grain(const std::int64_t* /*integers*/) const override { return 1; }
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>&, int, const LaunchArguments&) const override {}
  std::size_t partialWords() const override { return 0; }

  const LibraryCall& call() const { return call_; }
  /// For people: the request for tensors with these layouts, and what executes it.
  std::string description(const std::int64_t* integers) const;
  /// Bytes that it allocates while it runs.
  std::size_t scratchBytes(const std::int64_t* integers) const;

 protected:
  std::string findName() const override { return call_.name; }
  KernelTraffic findTraffic() const override { return trafficOf(call_); }

 private:
  /// The call prepared for a launch's integers.
  struct Prepared {
    std::vector<std::int64_t> integers;
    int threads = 0;
    CallSizes sizes;
    std::unique_ptr<PreparedCall> call;
    std::unique_ptr<WideCall> wide;   ///< in its place
    std::unique_ptr<ByteCall> bytes;  ///< the same; null: our own loops
  };
  Prepared& preparedFor(const std::int64_t* integers) const;

  LibraryCall call_;
  std::size_t count_;  ///< number of a launch's integers
  OneDnn* library_;
  std::shared_ptr<const LibrarySettings> settings_;
  mutable std::vector<std::unique_ptr<Prepared>> prepared_;
  mutable Prepared* last_ = nullptr;  ///< the one used last: consecutive calls tend to be alike
};

}  // namespace fusebench::cpu
