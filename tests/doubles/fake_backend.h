// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/device/backend.h"

namespace fusebench {

/// Gives out memory from the heap and counts it.
class FakeAllocator final : public Allocator {
 public:
  Block* allocate(std::size_t bytes) override;
  void release(Block* block) noexcept override;
  AllocatorStatistics statistics() const override { return statistics_; }
  void resetPeak() override { statistics_.peakBytes = statistics_.currentBytes; }

 private:
  AllocatorStatistics statistics_;
};

/// A backend that compiles nothing and computes nothing, but counts, and tells compiled, disk and
/// memory apart as a real one does.
class FakeBackend : public Backend {
 public:
  FakeBackend() { setTraits(itsTraits()); }
  std::string description() const override { return "a double"; }
  Allocator& allocator() override { return allocator_; }
  std::shared_ptr<const Executable> compile(const Kernel& kernel, CompileTimes& times) override;
  void launch(const Executable& executable, const LaunchArguments& arguments) override;
  void synchronize() override { note("wait"); }
  void forgetKernels() override { inMemory_.clear(); }
  void useDiskCache(bool use) override { useDisk_ = use; }
  void setThreads(int threads) override { threads_ = threads; }
  int threads() const override { return threads_; }
  void copyIn(const Tensor& to, const void* from, std::size_t bytes) override;
  void copyOut(void* to, const Tensor& from, std::size_t bytes) override;
  void copyWithin(void* to, const void* from, std::size_t bytes) override;

  std::optional<ClockState> clockState() override { return clock; }
  std::unique_ptr<DeviceTimer> makeTimer() override;
  std::unique_ptr<DeviceStall> makeStall() override;
  void flushCaches() override { note("flush"); }

  /// As a GPU does: it has a timer and a cache to flush.
  void setWorksOnItsOwn(bool does) {
    worksOnItsOwn_ = does;
    setTraits(itsTraits());
  }
  std::function<void()> onLaunch;  ///< called at every launch, if set
  double timerNanoseconds = 0;     ///< what its timers say
  bool stallLasts = true;          ///< until it is released
  std::optional<ClockState> clock;
  /// What it was asked to do, in order, if anybody wants to know: "start launch stop wait".
  std::vector<std::string>* asked = nullptr;
  void note(const char* what) {
    if (asked) asked->emplace_back(what);
  }

 private:
  BackendTraits itsTraits() const {
    BackendTraits traits;
    traits.name = "fake";
    traits.runsPhases = true;
    traits.canFlushCaches = worksOnItsOwn_;
    return traits;
  }

  bool worksOnItsOwn_ = false;
  FakeAllocator allocator_;
  std::set<std::string> inMemory_, onDisk_;
  bool useDisk_ = true;
  int threads_ = 1;
};

}  // namespace fusebench
