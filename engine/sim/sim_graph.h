// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/device/private_pool.h"
#include "engine/sim/sim_executable.h"

namespace fusebench::sim {

/// A launch that a graph keeps, with its arguments.
struct CapturedLaunch {
  std::shared_ptr<const SimExecutable> executable;
  std::vector<void*> pointers;
  std::vector<std::int64_t> integers;
  std::vector<Scalar> scalars;
  Work work;
  double nanoseconds = 0;
  KernelBytes bytes;
  std::int32_t step = -1;
  bool ofRanks = false;  ///< its work is that at the time of capture

  void set(const LaunchArguments& arguments);
  LaunchArguments arguments() const;
};

/// Captured launches, and their times on a device.
class SimGraph final : public Capture {
 public:
  SimGraph(Allocator& parent, const Parameters& device, std::uint32_t number);

  Allocator& pool() { return *pool_; }
  std::uint32_t number() const { return number_; }
  void add(const SimExecutable& executable, const LaunchArguments& arguments);
  /// Adds a collective with its work.
  void add(const SimExecutable& executable, const LaunchArguments& arguments, const Work& work);
  const std::vector<CapturedLaunch>& all() const { return all_; }
  double total() const;  ///< time of one launch of the graph, in ns

  int launches() const override { return static_cast<int>(all_.size()); }
  void setArguments(int launch, const LaunchArguments& arguments) override;

 private:
  void measure(CapturedLaunch& launch) const;

  PrivatePoolOwner pool_;
  const Parameters& device_;
  std::uint32_t number_;
  std::vector<CapturedLaunch> all_;
};

}  // namespace fusebench::sim
