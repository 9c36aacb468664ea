// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/scalar.h"
#include "engine/device/backend_traits.h"
#include "engine/device/compile_times.h"
#include "engine/device/copy_queue.h"
#include "engine/device/device_collector.h"
#include "engine/device/device_error.h"
#include "engine/device/pages.h"
#include "engine/device/rank_group.h"
#include "engine/device/recorder.h"
#include "engine/device/tensor.h"
#include "engine/plan/kernel.h"
#include "engine/plan/kernel_traffic.h"
#include "engine/plan/library_call.h"
#include "engine/plan/op_list.h"

namespace fusebench {

/// A kernel that is ready to launch on one backend. Always owned by shared_ptr, so that a capture
/// can keep the executables that it launches.
class Executable : public std::enable_shared_from_this<Executable> {
 public:
  virtual ~Executable() = default;
  /// name() and traffic() are computed on first use, which is not safe from several threads at
  /// once.
  const std::string& name() const {
    if (name_.empty()) name_ = findName();
    return name_;
  }
  const KernelTraffic& traffic() const {
    if (!traffic_) traffic_ = std::make_unique<const KernelTraffic>(findTraffic());
    return *traffic_;
  }

 protected:
  Executable() = default;
  explicit Executable(std::string name) : name_(std::move(name)) {}
  Executable(std::string name, KernelTraffic traffic)
      : name_(std::move(name)),
        traffic_(std::make_unique<const KernelTraffic>(std::move(traffic))) {}
  /// For executables that do not pass them to the constructor.
  virtual std::string findName() const { return {}; }
  virtual KernelTraffic findTraffic() const { return {}; }

 private:
  mutable std::string name_;
  mutable std::unique_ptr<const KernelTraffic> traffic_;
};

/// The arguments of one launch; see Kernel for their order. On a synchronous backend, nothing is
/// kept after launch() returns; blocks must outlive the execution.
struct LaunchArguments {
  void* const* pointers = nullptr;
  const std::int64_t* integers = nullptr;
  const Scalar* scalars = nullptr;
  std::int32_t step = -1;  ///< the plan's step, for labels; -1: none
};

/// One representation of the code that a backend generated for a kernel, for people to read.
struct GeneratedCode {
  std::string language;  ///< "llvm", "assembly"
  std::string text;
  std::vector<int> lineOps;  ///< per line: the op (of Kernel::ops) that it belongs to; -1: none
};

/// Launches recorded by Backend::beginCapture, which Backend::replay runs again as one. Memory that
/// was allocated while recording belongs to the capture, and each replay uses it again: its results
/// are valid until the next replay. Must be destroyed before its backend.
class Capture {
 public:
  virtual ~Capture() = default;
  virtual int launches() const = 0;  ///< kernel executions in one replay
  /// Replaces the arguments of one recorded launch in all replays enqueued after this call.
  /// `launch` counts launches in the order of recording. There must be as many arguments as were
  /// recorded; scratch memory stays the same.
  virtual void setArguments(int launch, const LaunchArguments& arguments) = 0;
};

/// Time on a device's own clock between two positions in its queue of work.
class DeviceTimer {
 public:
  virtual ~DeviceTimer() = default;
  virtual void start() = 0;          ///< enqueued: the time when everything before it is finished
  virtual void stop() = 0;           ///< enqueued in the same way
  virtual double nanoseconds() = 0;  ///< waits until stop() has been reached
};

/// Holds back a device's queue of work while the host fills it. The device then does the work
/// without waiting for the host.
class DeviceStall {
 public:
  virtual ~DeviceStall() = default;
  /// Waits for the device. All work enqueued after this call begins after release(), or after 0.2
  /// s: a host that waits for the device before release() would wait forever.
  virtual void hold() = 0;
  virtual void release() = 0;
  /// Whether the device was held back until release(). Waits for the device.
  virtual bool lasted() = 0;
};

/// The clock of a device's processors at one moment.
struct ClockState {
  double megahertz = 0;
  std::string throttled;  ///< why it is throttled: "too hot"; empty: it is not
};

/// Allocates, compiles, launches, synchronizes. Does not know about executors.
class Backend {
 public:
  virtual ~Backend() = default;
  /// Its abilities.
  const BackendTraits& traits() const { return traits_; }
  std::string_view name() const { return traits_.name; }  ///< "cpu"
  virtual std::string description()
      const = 0;  ///< one line for display: model, vector unit, threads
  virtual Allocator& allocator() = 0;

  /// Whether this kernel ships with the backend.
  virtual bool ships(const Kernel& /*kernel*/) const { return false; }
  /// Why no kernel can be compiled here, in one line; empty if kernels can be compiled.
  virtual std::string missingCompiler() const { return {}; }
  /// Compiles the kernel, or finds it compiled; adds the time for this to `times`. Throws
  /// std::runtime_error.
  virtual std::shared_ptr<const Executable> compile(const Kernel& kernel, CompileTimes& times) = 0;

  /// The same for several kernels, which may be compiled in parallel; `times` then has elapsed
  /// times.
  virtual std::vector<std::shared_ptr<const Executable>> compileAll(
      std::span<const Kernel* const> kernels, CompileTimes& times) {
    std::vector<std::shared_ptr<const Executable>> made;
    for (const Kernel* kernel : kernels) made.push_back(compile(*kernel, times));
    return made;
  }

  /// Sets the kind of pages for later allocations; only where traits().choosesPages.
  virtual void usePages(Pages /*pages*/) {}

  /// One launch for a whole op list, assembled from pieces that all programs share. The pieces are
  /// compiled, or found on disk, when first needed; adds the time for all of this to `times`. The
  /// list's ops are not kept. Throws std::runtime_error, and std::logic_error without
  /// traits().runsOpLists.
  virtual std::shared_ptr<const Executable> assemble(OpList&& /*list*/, CompileTimes& /*times*/) {
    throw std::logic_error("this backend runs no op lists");
  }
  /// The executable for a library call: the library, or the backend's own loops if the library is
  /// missing or rejects the call. Null: the backend has neither.
  virtual std::shared_ptr<const Executable> library(const LibraryCall& /*call*/,
                                                    CompileTimes& /*times*/) {
    return nullptr;
  }
  /// The traits of the library that it calls.
  virtual LibraryTraits libraryTraits() const { return {}; }
  /// The ranks for ops between ranks in later calls of library(); null: there is one rank. All
  /// ranks call this. Throws std::invalid_argument if the device cannot be in a group.
  virtual void setRanks(std::shared_ptr<RankGroup>
                            group) {  // NOLINT(performance-unnecessary-value-param): others keep it
    if (group && group->size() > 1)
      throw std::invalid_argument(
          "the device " + std::string(name()) +
          " can be in no group of ranks yet; run ranks on the cpu or on GPUs");
  }
  /// The library that connects its device to those of the other ranks; empty: the group itself
  /// connects them.
  virtual std::string ranksBy() const { return {}; }
  /// Bytes that such a call takes from the allocator while it runs, in addition to its tensors.
  virtual std::size_t scratchBytes(const LibraryCall& /*call*/, const std::int64_t* /*integers*/) {
    return 0;
  }
  /// The request to the library for a launch with these integers, and what executes it, as text.
  virtual std::vector<GeneratedCode> code(const LibraryCall& /*call*/,
                                          const std::int64_t* /*integers*/) {
    return {};
  }

  /// The code that compile() generates for the kernel, generated again here, one entry per stage.
  /// Throws std::runtime_error.
  virtual std::vector<GeneratedCode> code(const Kernel& /*kernel*/) { return {}; }
  /// The code that an op list runs through.
  virtual std::vector<GeneratedCode> code(const OpList& /*list*/) { return {}; }

  /// Whether launches compute their results. A simulated device need not, and its times are the
  /// same either way; other backends always compute.
  virtual void setComputing(bool /*compute*/) {}
  bool isComputing() const { return computing_; }
  /// A fingerprint of a tensor's contents: different contents give different numbers. Takes no
  /// device time. Only for devices that need not compute; others return 0.
  virtual std::uint64_t contentsOf(const Tensor& /*tensor*/) { return 0; }

  /// Enqueues one execution and counts it.
  virtual void launch(const Executable& executable, const LaunchArguments& arguments) = 0;
  virtual void synchronize() = 0;
  /// Kernel executions enqueued so far, including those of replays.
  std::uint64_t launches() const { return launches_; }

  /// Sets where later marks are recorded; null: they are not recorded. The recorder must have room
  /// for threads() threads and outlive its use.
  void setRecorder(Recorder* recorder) {
    recorder_ = recorder;
    split_ = recorder && recorder->level() == Recorder::Level::split ? recorder : listener_;
    if (recorder && host_) recorder->tell(host_);
  }
  Recorder* recorder() const { return recorder_; }
  /// The recorder for an executor's marks: how a call's time divides between kernels and everything
  /// else. Null if these marks are not wanted.
  Recorder* splitRecorder() const { return split_; }

  /// Drops every kernel compiled so far (executables in use stay valid), so that the next compile
  /// is a first one or comes from disk.
  virtual void forgetKernels() = 0;
  virtual void useDiskCache(bool use) = 0;

  virtual void setThreads(int threads) = 0;
  virtual int threads() const = 0;
  /// The cost of handing work to the threads in nanoseconds, measured when this number of threads
  /// is first set. It determines whether a launch is divided. 0 with one thread, and if the device
  /// distributes work by itself.
  virtual double handOverNanoseconds() const { return 0; }

  /// Copies between host memory and a block, synchronously.
  virtual void copyIn(const Tensor& to, const void* from, std::size_t bytes) = 0;
  virtual void copyOut(void* to, const Tensor& from, std::size_t bytes) = 0;
  /// Enqueues a copy between two places in this backend's memory that do not overlap; in order with
  /// launches.
  virtual void copyWithin(void* to, const void* from, std::size_t bytes) = 0;

  /// Makes a queue of copies from and to host memory, which may also overlap with launches; null
  /// where there are none.
  virtual std::unique_ptr<CopyQueue> makeCopyQueue() { return nullptr; }

  /// Free memory of the device in bytes; nothing where the device uses the host's memory.
  virtual std::optional<std::uint64_t> availableBytes() { return std::nullopt; }
  /// The current clock of the device's processors; nothing if it cannot be read.
  virtual std::optional<ClockState> clockState() { return std::nullopt; }

  /// A timer on the device's clock; null if the host's clock is the only one.
  virtual std::unique_ptr<DeviceTimer> makeTimer() { return nullptr; }
  /// Holds back the queue that launches and makeTimer() use; null if the device cannot be held
  /// back.
  virtual std::unique_ptr<DeviceStall> makeStall() { return nullptr; }
  /// A kernel that does nothing, launched without arguments: it measures the cost of a launch
  /// alone. Null if the host runs kernels, so that a launch is just a function call, and if none
  /// can be compiled.
  virtual std::shared_ptr<const Executable> emptyKernel() { return nullptr; }
  /// Enqueues work that evicts everything from the device's last-level cache, if that is possible.
  virtual void flushCaches() {}

  /// Whether device activity is recorded in this process; nothing if the host runs kernels.
  virtual std::optional<CollectorStatus> collectorStatus() const { return std::nullopt; }
  /// The recorder of device activity; null if there is none.
  virtual DeviceCollector* collector() { return nullptr; }

  /// Starts a capture: later launches are recorded and not run, and allocator() is a private pool
  /// with the lifetime of the capture. Do not synchronize or copy before the end.
  virtual void beginCapture() { throw std::logic_error("this backend cannot capture"); }
  /// Ends recording. Throws std::runtime_error if the recording became invalid; recording has then
  /// ended.
  virtual std::unique_ptr<Capture> endCapture() {
    throw std::logic_error("this backend cannot capture");
  }
  /// Ends recording and discards what was recorded.
  virtual void abandonCapture() noexcept {}
  /// Enqueues the recorded launches once; each is counted.
  virtual void replay(const Capture& /*capture*/) {
    throw std::logic_error("this backend cannot capture");
  }

 protected:
  /// The constructor calls it, and again whenever the backend's abilities change.
  void setTraits(BackendTraits traits) { traits_ = std::move(traits); }

  /// For a device whose host is also simulated: the host model receives all marks of calls, through
  /// `listener` if no other recorder is set.
  void listen(HostModel& host, Recorder& listener) {
    host_ = &host;
    listener_ = split_ = &listener;
    listener.tell(&host);
  }

  std::uint64_t launches_ = 0;
  bool computing_ = true;
  Recorder* recorder_ = nullptr;  ///< for kernels

 private:
  BackendTraits traits_;
  Recorder* split_ = nullptr;
  Recorder* listener_ = nullptr;
  HostModel* host_ = nullptr;
};

/// Makes launches compute their results while this object exists; then restores the setting.
class ComputingScope {
 public:
  explicit ComputingScope(Backend& backend) : backend_(backend), before_(backend.isComputing()) {
    backend_.setComputing(true);
  }
  ~ComputingScope() { backend_.setComputing(before_); }
  ComputingScope(const ComputingScope&) = delete;
  ComputingScope& operator=(const ComputingScope&) = delete;

 private:
  Backend& backend_;
  bool before_;
};

/// Records marks in a recorder while this object exists, even if an exception is thrown.
class RecorderScope {
 public:
  RecorderScope(Backend& backend, Recorder* recorder) : backend_(backend) {
    backend.setRecorder(recorder);
  }
  ~RecorderScope() { backend_.setRecorder(nullptr); }
  RecorderScope(const RecorderScope&) = delete;
  RecorderScope& operator=(const RecorderScope&) = delete;

 private:
  Backend& backend_;
};

}  // namespace fusebench
