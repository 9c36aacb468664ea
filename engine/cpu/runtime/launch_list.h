// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/cpu/codegen/cpu_executable.h"
#include "engine/device/private_pool.h"

namespace fusebench::cpu {

/// One launch with its arguments copied.
struct RecordedLaunch {
  std::shared_ptr<const CpuExecutable> kernel;
  std::vector<void*> pointers;
  std::vector<std::int64_t> integers;
  std::vector<Scalar> scalars;
  std::int32_t step = -1;

  LaunchArguments arguments() const {
    return {pointers.data(), integers.data(), scalars.data(), step};
  }
};

/// A capture on the CPU: launches to be replayed one after another.
class LaunchList final : public Capture {
 public:
  explicit LaunchList(Allocator& parent) : pool_(new PrivatePool(parent)) {}

  void add(const CpuExecutable& kernel, const LaunchArguments& arguments);
  std::span<const RecordedLaunch> recorded() const { return launches_; }
  Allocator& pool() { return *pool_; }

  int launches() const override { return static_cast<int>(launches_.size()); }
  void setArguments(int launch, const LaunchArguments& arguments) override;

 private:
  PrivatePoolOwner pool_;
  std::vector<RecordedLaunch> launches_;
};

}  // namespace fusebench::cpu
