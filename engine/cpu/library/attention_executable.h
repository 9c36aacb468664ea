// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/cpu/codegen/cpu_executable.h"
#include "engine/cpu/library/onednn.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// An attention as the CPU backend launches it. Each thread has its own blocks of rows and
/// processes the columns block by block: a product computes a block of scores, a softmax that is
/// corrected from block to block turns them into weights in place, and a second product adds the
/// weighted values to the rows (Milakov and Gimelshein, "Online normalizer calculation for
/// softmax", 2018; Dao et al., "FlashAttention", 2022). A thread needs memory for one block,
/// whatever the sizes. Columns that a mask boundary excludes in all rows of a block are not
/// computed.
class AttentionExecutable final : public CpuExecutable {
 public:
  /// `library`: computes the products; null: our own loops compute them.
  AttentionExecutable(LibraryCall call, OneDnn* library);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  bool partials() const override { return false; }
  std::int64_t firstExtent(const std::int64_t* integers) const override;
  std::int64_t grain(const std::int64_t* /*integers*/) const override { return 1; }
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>&, int, const LaunchArguments&) const override {}
  std::size_t partialWords() const override { return 0; }

  /// For people: the request and the code that executes it.
  std::string description(const std::int64_t* integers) const;

 protected:
  std::string findName() const override { return call_.name; }
  KernelTraffic findTraffic() const override { return trafficOf(call_); }

 private:
  LibraryCall call_;
  OneDnn* library_;
};

}  // namespace fusebench::cpu
