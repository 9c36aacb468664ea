// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/cpu/codegen/cpu_executable.h"
#include "engine/cpu/library/library_executable.h"

namespace fusebench::cpu {

/// A call between the group's ranks as the CPU backend launches it. Without a group there is one
/// rank, for which every such op is a copy. Tensors that are not row-major are packed first.
class RankExecutable final : public CpuExecutable {
 public:
  RankExecutable(LibraryCall call, std::shared_ptr<const LibrarySettings> settings);

  void runWhole(const LaunchArguments& arguments) const override;
  void run(const LaunchArguments& arguments, std::int64_t /*begin*/, std::int64_t /*end*/,
           std::uint64_t* /*partials*/) const override {
    runWhole(arguments);
  }
  bool partials() const override { return false; }
  std::int64_t firstExtent(const std::int64_t* /*integers*/) const override { return 1; }
  std::int64_t grain(const std::int64_t* /*integers*/) const override { return 1; }
  double estimate(const std::int64_t* /*integers*/) const override { return 0; }
  void finish(std::vector<std::uint64_t>&, int, const LaunchArguments&) const override {}
  std::size_t partialWords() const override { return 0; }

  /// For people: the request for tensors with these layouts, and what executes it.
  std::string description(const std::int64_t* integers) const;

 protected:
  std::string findName() const override { return call_.name; }
  KernelTraffic findTraffic() const override { return trafficOf(call_); }

 private:
  const void* packed(std::size_t tensor, const LaunchArguments& arguments) const;
  void alone(const void* from, void* to, std::int64_t elements) const;

  LibraryCall call_;
  std::shared_ptr<const LibrarySettings> settings_;
  mutable std::vector<std::byte> packed_;
};

}  // namespace fusebench::cpu
