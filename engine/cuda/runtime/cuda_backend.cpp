// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/cuda_backend.h"
#include "engine/base/saying.h"
#include "engine/cuda/cupti/activity_collector.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "engine/cuda/codegen/call_source.h"
#include "engine/cuda/codegen/code_text.h"
#include "engine/cuda/driver/nvml.h"
#include "engine/cuda/instant/interpreter_listing.h"
#include "engine/cuda/library/cudnn.h"
#include "engine/cuda/runtime/backend_traits.h"
#include "engine/cuda/runtime/call_executable.h"
#include "engine/cuda/runtime/contraction_kernel.h"
#include "engine/cuda/runtime/device_libraries.h"
#include "engine/cuda/runtime/event_timer.h"
#include "engine/cuda/runtime/graph_capture.h"
#include "engine/cuda/runtime/interpreter.h"
#include "engine/cuda/runtime/kernel_compiler.h"
#include "engine/cuda/runtime/memory_pool.h"
#include "engine/cuda/runtime/rank_executable.h"
#include "engine/cuda/runtime/rank_launcher.h"
#include "engine/cuda/runtime/side_copies.h"
#include "engine/cuda/runtime/staged_copies.h"
#include "engine/cuda/runtime/stream_stall.h"

namespace fusebench {
namespace cuda {
namespace {

std::shared_ptr<const Device> openDevice(const CudaOptions& options) {
  auto driver = Driver::open(options.driver);
  const auto all = listDevices(*driver);
  return std::make_shared<const Device>(std::move(driver), chooseDevice(all, options.device));
}

/// A stream that waits for no other.
class OwnStream {
 public:
  explicit OwnStream(std::shared_ptr<const Device> device) : device_(std::move(device)) {
    device_->use();
    device_->driver().streamCreate(&stream_, kStreamNonBlocking);
  }
  ~OwnStream() {
    if (device_->tryUse()) device_->driver().streamDestroy.attempt(stream_);
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  Stream get() const { return stream_; }

 private:
  std::shared_ptr<const Device> device_;
  Stream stream_ = nullptr;
};

/// By which the blocks that share a result find out who is the last; see Entry. They are 0 whenever
/// no kernel runs: kernels that count with them set them back.
class ArrivalCounters {
 public:
  ArrivalCounters(std::shared_ptr<const Device> device, Stream stream)
      : device_(std::move(device)) {
    constexpr std::size_t kBytes = kArrivalCounters * sizeof(unsigned);
    const Driver& driver = device_->driver();
    device_->use();
    driver.memAlloc(&counters_, kBytes);
    try {
      driver.memsetD8Async(counters_, 0, kBytes, stream);
      driver.streamSynchronize(stream);
    } catch (...) {
      driver.memFree.attempt(counters_);
      throw;
    }
  }
  ~ArrivalCounters() {
    if (device_->tryUse()) device_->driver().memFree.attempt(counters_);
  }
  ArrivalCounters(const ArrivalCounters&) = delete;
  ArrivalCounters& operator=(const ArrivalCounters&) = delete;
  unsigned* get() const {
    return reinterpret_cast<unsigned*>(static_cast<std::uintptr_t>(counters_));
  }

 private:
  std::shared_ptr<const Device> device_;
  DevicePointer counters_ = 0;
};

/// The clock of one device, as far as it can be read.
class ClockReader {
 public:
  ClockReader(const DeviceInfo& device, const std::string& library) {
    try {
      nvml_ = Nvml::open(library);
      handle_ = nvml_->find(device.uuid);
    } catch (const NoNvml&) {  // the doctor reports it
    }
  }
  std::optional<ClockState> read() const {
    return handle_ ? nvml_->clockOf(handle_) : std::nullopt;
  }

 private:
  std::shared_ptr<const Nvml> nvml_;
  Nvml::Handle handle_ = nullptr;
};

DevicePointer addressOf(const void* pointer) {
  return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(pointer));
}

/// A sum of one term: a copy, of tensors of any sizes.
LibraryCall copyCall(DType dtype, std::size_t rank) {
  std::string letters;
  for (std::size_t d = 0; d < rank; ++d) letters += static_cast<char>('a' + d);
  LibraryCall call;
  call.name = "copy";
  const int ranks[] = {static_cast<int>(rank)};
  call.form = contractForm(letters + "->" + letters, -1, ranks);
  call.operands = {dtype};
  call.result = dtype;
  return call;
}

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(const CudaOptions& options)
      : device_(openDevice(options)),
        driver_(device_->driver()),
        multiprocessors_(device_->info().multiprocessors),
        stream_(device_),
        memory_(device_, stream_.get(), options.driverPool),
        arrived_(device_, stream_.get()),
        compiler_(device_, options.nvrtc,
                  options.cacheDirectory.empty() ? ObjectCache::defaultFolder()
                                                 : std::filesystem::path(options.cacheDirectory),
                  options.shipped),
        interpreter_(compiler_, device_, stream_.get(), memory_),
        copies_(device_, stream_.get()),
        clock_(device_->info(), options.nvml),
        useDiskCache_(options.diskCache),
        libraries_(device_, options),
        cacheFolder_(options.cacheDirectory.empty()
                         ? ObjectCache::defaultFolder()
                         : std::filesystem::path(options.cacheDirectory)),
        tools_(std::make_shared<LibraryTools>()),
        nccl_(options.nccl),
        ranks_(device_, stream_.get(), memory_, tools_) {
    const DeviceInfo& device = device_->info();
    BackendTraits traits = traitsOf(device, libraries_.areWanted(), compiler_.ships());
    traits.deviceId = device.uuid;
    traits.hasOwnMemory = true;
    traits.canCapture = true;
    traits.canFlushCaches = true;
    setTraits(std::move(traits));
    compiler_.setWhenRefused([this] {
      BackendTraits now = this->traits();
      now.shipsOps = compiler_.ships();
      setTraits(std::move(now));
    });
    tools_->device =
        fmt::format("{} {}.{}, {} multiprocessors, driver {}", device.name, device.major,
                    device.minor, device.multiprocessors, driver_.versionText());
    tools_->cache = [this]() -> ObjectCache* {
      if (!useDiskCache_) return nullptr;
      if (!found_) found_ = std::make_unique<ObjectCache>(cacheFolder_);
      return found_.get();
    };
    tools_->copier = [this](DType dtype, std::size_t rank) {
      std::shared_ptr<const CudaExecutable>& known = copiers_[{dtype, rank}];
      CompileTimes ignored;
      if (!known) known = ownKernel(copyCall(dtype, rank), ignored);
      return known;
    };
    tools_->copy = [this](const CudaExecutable& kernel, const std::int64_t* integers, void* from,
                          void* to) {
      void* const pointers[] = {from, to};
      const LaunchArguments arguments{pointers, integers, nullptr};
      const LaunchPlan plan = kernel.plan(integers, multiprocessors_);
      kernel.setParameters(parameters_, arguments, plan, {});
      driver_.launchKernel(kernel.function(plan.step), plan.step.blocksX, plan.step.blocksY, 1,
                           plan.step.threadsX, plan.step.threadsY, 1, 0, stream_.get(),
                           parameters_.data(), nullptr);
    };
    tools_->time = [this](PreparedCall& tried, const LibraryCall& call,
                          const std::int64_t* integers, void* const* pointers) {
      return shortestExecution(device_, stream_.get(), searchStall(), memory_, tried, call,
                               integers, pointers);
    };
  }

  ~CudaBackend() override {
    recording_.reset();
    // Kernels that run use what is about to go.
    if (device_->tryUse()) driver_.streamSynchronize.attempt(stream_.get());
  }

  std::string description() const override {
    return fmt::format(
        "{}, driver CUDA {}, {}", device_->info().text(), driver_.versionText(),
        compiler_.nvrtc() ? "NVRTC " + compiler_.nvrtc()->versionText() : std::string("no NVRTC"));
  }
  Allocator& allocator() override {
    if (recording_) return recording_->pool();
    return memory_;
  }

  bool ships(const Kernel& kernel) const override {
    std::string text = canonicalText(kernel);
    if (const auto known = ships_.find(text); known != ships_.end()) return known->second;
    const bool does = compiler_.ships(kernel);
    return ships_.emplace(std::move(text), does).first->second;
  }
  std::string missingCompiler() const override { return compiler_.missing(); }
  std::shared_ptr<const Executable> compile(const Kernel& kernel, CompileTimes& times) override {
    const Kernel* const one[] = {&kernel};
    return compileAll(one, times).front();
  }

  std::vector<std::shared_ptr<const Executable>> compileAll(std::span<const Kernel* const> kernels,
                                                            CompileTimes& times) override {
    std::vector<std::string> texts;
    std::vector<const Kernel*> missing;
    std::vector<std::string> missingTexts;
    for (const Kernel* kernel : kernels) {
      ++times.kernels;
      const std::string& text = texts.emplace_back(canonicalText(*kernel));
      if (kernels_.contains(text) ||
          std::find(missingTexts.begin(), missingTexts.end(), text) != missingTexts.end()) {
        ++times.fromMemory;
        continue;
      }
      missing.push_back(kernel);
      missingTexts.push_back(text);
    }
    if (missing.size() == 1) {
      kernels_[missingTexts[0]] = compiler_.compile(*missing[0], useDiskCache_, times);
    } else if (!missing.empty()) {
      auto made = compiler_.compileAll(missing, useDiskCache_, times);
      for (std::size_t i = 0; i < made.size(); ++i) kernels_[missingTexts[i]] = std::move(made[i]);
    }
    std::vector<std::shared_ptr<const Executable>> result;
    for (const std::string& text : texts) result.push_back(kernels_.at(text));
    return result;
  }

  std::shared_ptr<const Executable> assemble(OpList&& list, CompileTimes& times) override {
    forbidWhileRecording("put an op list together");
    return interpreter_.assemble(list, useDiskCache_, times);
  }

  std::shared_ptr<const Executable> library(const LibraryCall& call, CompileTimes& times) override {
    ++times.kernels;
    std::shared_ptr<const CudaExecutable>& known = calls_[canonicalText(call) + call.name];
    if (known) {
      ++times.fromMemory;
      return known;
    }
    if (call.ofRanks()) {
      ++times.shipped;
      known = std::make_shared<RankExecutable>(call);
    } else if (CallLibrary* const found = libraries_.forCall(call)) {
      // A library's code was compiled in advance.
      ++times.shipped;
      known = std::make_shared<CallExecutable>(call, *found, tools_, [this, call] {
        CompileTimes ignored;
        return ownKernel(call, ignored);
      });
    } else {
      known = ownKernel(call, times);
    }
    return known;
  }
  void setRanks(std::shared_ptr<RankGroup> group) override {
    forbidWhileRecording("join a group of ranks");
    ranks_.setGroup(std::move(group), nccl_);
  }
  std::string ranksBy() const override { return ranks_.description(); }
  LibraryTraits libraryTraits() const override {
    const CallLibrary* const found = libraries_.products();
    LibraryTraits traits;
    if (found) traits.name = found->name();
    if (!found && libraries_.areWanted()) traits.missing = libraries_.missingProducts();
    traits.byteProducts = byteProductsOf(found != nullptr);
    return traits;
  }
  std::size_t scratchBytes(const LibraryCall& call, const std::int64_t* integers) override {
    if (call.ofRanks() || !libraries_.forCall(call)) return 0;
    CompileTimes ignored;
    const auto made = library(call, ignored);
    return static_cast<const CudaExecutable&>(*made).asCall()->scratchBytes(integers);
  }
  std::vector<GeneratedCode> code(const LibraryCall& call, const std::int64_t* integers) override {
    if (call.ofRanks()) {
      const std::string by = ranks_.description();
      const std::string text = inComments(readableText(call, integers) +
                                          (by.empty() ? "one rank: a copy\n" : by + "\n"));
      return {{"cuda", text, {}}, {"ptx", text, {}}};
    }
    std::string asked;
    if (CallLibrary* const found = libraries_.forCall(call); found && integers) {
      const CallExecutable made(call, *found, tools_, {});
      asked = inComments(made.description(integers));
      if (made.preparedFor(integers, nullptr, false).call)
        return {{"cuda", asked, {}}, {"ptx", asked, {}}};
    } else if (libraries_.areWanted() && isConvolution(call) && !libraries_.convolutions()) {
      asked = inComments("a kernel of Fusebench's own: " + libraries_.missingConvolutions());
    } else if (libraries_.areWanted() && !libraries_.products()) {
      asked = inComments("a kernel of Fusebench's own: " + libraries_.missingProducts());
    }
    const std::string text = asked + callSource(call).text;
    return {{"cuda", text, {}}, {"ptx", "// compiled when it is first launched\n", {}}};
  }

  std::vector<GeneratedCode> code(const OpList& list) override { return interpretedText(list); }
  std::vector<GeneratedCode> code(const Kernel& kernel) override {
    if (!reader_) reader_.emplace(compiler_.nvrtc(), compiler_.target());
    return reader_->read(kernel);
  }

  void launch(const Executable& executable, const LaunchArguments& arguments) override {
    const auto& asked = static_cast<const CudaExecutable&>(executable);
    try {
      if (asked.isOfRanks()) [[unlikely]] {
        launchRanks(static_cast<const RankExecutable&>(asked), arguments);
        return;
      }
      if (const CallExecutable* const call = asked.asCall())
        if (launchCall(*call, arguments)) return;
      const CudaExecutable& kernel = asked.serving(arguments.integers);
      const LaunchPlan plan = kernel.plan(arguments.integers, multiprocessors_);
      if (!plan.launches) return;
      device_->use();
      BlockRef scratch;
      if (plan.scratchBytes > 0) scratch = BlockRef(allocator().allocate(plan.scratchBytes));
      const LaunchMemory memory{scratch ? scratch.get()->data : nullptr, arrived_.get()};
      kernel.setParameters(parameters_, arguments, plan, memory);
      const KernelBytes bytes = bytesOf(kernel, arguments);
      const LaunchStep& step = plan.step;
      driver_.launchKernel(kernel.function(step), step.blocksX, step.blocksY, 1, step.threadsX,
                           step.threadsY, 1, 0, stream_.get(), parameters_.data(), nullptr);
      if (recording_) {
        recording_->add(asked, plan, memory, bytes, arguments.step);
      } else {
        ++launches_;
        if (recorder_) [[unlikely]] {
          recorder_->enqueued();
          recorder_->note(&asked, 0, arguments.step, bytes);
        }
      }
    } catch (const CudaError& error) {
      throw error.during("launching " + asked.name());
    }
    lastLaunched_ = &nameOf(asked);
  }

  /// Has the ranks of the group do it together.
  void launchRanks(const RankExecutable& call, const LaunchArguments& arguments) {
    const bool enqueued =
        ranks_.launch(call.call(), arguments, recording_ ? &recording_->pool() : nullptr);
    lastLaunched_ = &nameOf(call);
    if (recording_) {
      recordsRanks_ = true;
      if (enqueued) recording_->addCall(call, bytesOf(call, arguments), arguments.step);
      return;
    }
    if (enqueued) {
      ++launches_;
      if (recorder_) [[unlikely]] {
        recorder_->enqueued();
        recorder_->note(&call, 0, arguments.step, bytesOf(call, arguments));
      }
    }
    // It is what the host waits at, too.
    if (call.call().ranks.kind == Collective::barrier) synchronize();
  }

  /// Has a library do it. False: it refuses.
  bool launchCall(const CallExecutable& call, const LaunchArguments& arguments) {
    const CallExecutable::Prepared& prepared =
        call.preparedFor(arguments.integers, arguments.pointers, /*mayTime=*/!recording_);
    if (prepared.empty) return true;
    if (!prepared.call) return false;
    device_->use();
    BlockRef workspace;
    if (const std::size_t bytes = prepared.call->workspaceBytes(); bytes > 0)
      workspace = BlockRef(allocator().allocate(bytes));
    const KernelBytes bytes = bytesOf(call, arguments);
    if (!prepared.call->run(stream_.get(), arguments.pointers,
                            workspace ? workspace.get()->data : nullptr)) {
      call.refused();
      return false;
    }
    if (recording_) {
      recording_->addCall(call, bytes, arguments.step);
    } else {
      ++launches_;
      if (recorder_) [[unlikely]] {
        recorder_->enqueued();
        recorder_->note(&call, 0, arguments.step, bytes);
      }
    }
    lastLaunched_ = &nameOf(call);
    return true;
  }

  void synchronize() override {
    forbidWhileRecording("synchronize");
    try {
      device_->use();
      const std::optional<RankWait> waits = ranks_.waiting();
      driver_.streamSynchronize(stream_.get());
    } catch (const CudaError& error) {
      throw error.during(lastLaunched_ ? saying("waiting for launches, the last of which was "
                                                "{}",
                                                *lastLaunched_)
                                       : std::string(saying("waiting for the device")));
    }
    if (!compiler_.retired().empty()) compiler_.retired().unload();
  }

  std::optional<CollectorStatus> collectorStatus() const override {
    return cuda::collectorStatus();
  }
  DeviceCollector* collector() override { return processCollector(); }

  void beginCapture() override {
    if (recording_) throw std::logic_error("a capture is under way");
    recording_ = std::make_unique<GraphCapture>(device_, stream_.get(), memory_);
    recordsRanks_ = false;
    memory_.setCapturing(true);
  }
  std::unique_ptr<Capture> endCapture() override {
    if (!recording_) throw std::logic_error("no capture is under way");
    memory_.setCapturing(false);
    ranks_.forgetCaptured();
    std::unique_ptr<GraphCapture> made = std::move(recording_);
    if (recordsRanks_) made->asksRanks();
    made->finish();
    return made;
  }
  void abandonCapture() noexcept override {
    memory_.setCapturing(false);
    ranks_.forgetCaptured();
    recording_.reset();
  }
  void replay(const Capture& capture) override {
    forbidWhileRecording("replay");
    const auto& graph = static_cast<const GraphCapture&>(capture);
    try {
      device_->use();
      driver_.graphLaunch(graph.exec(), stream_.get());
      if (graph.mayAskRanks()) ranks_.mayWait();
    } catch (const CudaError& error) {
      throw error.during(saying("replaying {} launches", capture.launches()));
    }
    launches_ += static_cast<std::uint64_t>(capture.launches());
    if (recorder_) [[unlikely]]
      graph.note(*recorder_);
  }

  void forgetKernels() override {
    kernels_.clear();
    calls_.clear();
    copiers_.clear();
    interpreter_.forget();
  }
  void useDiskCache(bool use) override { useDiskCache_ = use; }
  /// Threads are the CPU backend's: the host only enqueues.
  void setThreads(int threads) override {
    if (threads < 1) throw std::invalid_argument("threads must be at least 1");
  }
  int threads() const override { return 1; }

  void copyIn(const Tensor& to, const void* from, std::size_t bytes) override {
    forbidWhileRecording("copy");
    if (copies_.stages(bytes)) synchronize();  // says what failed of the work before
    copies_.in(addressOf(to.data()), from, bytes);
    synchronize();
  }
  void copyOut(void* to, const Tensor& from, std::size_t bytes) override {
    forbidWhileRecording("copy");
    if (copies_.stages(bytes)) synchronize();
    copies_.out(to, addressOf(from.data()), bytes);
    synchronize();
  }
  void copyWithin(void* to, const void* from, std::size_t bytes) override {
    forbidWhileRecording("copy");
    device_->use();
    driver_.memcpyDtoDAsync(addressOf(to), addressOf(from), bytes, stream_.get());
  }

  std::unique_ptr<CopyQueue> makeCopyQueue() override {
    return std::make_unique<SideCopies>(device_, stream_.get());
  }

  std::optional<std::uint64_t> availableBytes() override {
    // Pooled memory is free for allocations from this backend.
    const AllocatorStatistics held = memory_.statistics();
    return device_->memory().free + (held.heldBytes - held.blockBytes);
  }
  std::optional<ClockState> clockState() override { return clock_.read(); }
  std::shared_ptr<const Executable> emptyKernel() override {
    if (!compiler_.nvrtc() && !compiler_.ships()) return nullptr;
    CompileTimes ignored;
    Kernel kernel;
    kernel.name = "empty";
    return compiler_.compile(kernel, emptySource(), useDiskCache_, ignored);
  }
  std::unique_ptr<DeviceTimer> makeTimer() override {
    return std::make_unique<EventTimer>(device_, stream_.get());
  }
  std::unique_ptr<DeviceStall> makeStall() override {
    return std::make_unique<StreamStall>(device_, stream_.get());
  }
  void flushCaches() override {
    forbidWhileRecording("flush caches");
    // Writing twice the cache's size leaves nothing else in it.
    const std::size_t bytes = 2 * std::max<std::size_t>(device_->info().l2Bytes, 1u << 20);
    if (!flushed_) flushed_ = BlockRef(memory_.allocate(bytes));
    device_->use();
    driver_.memsetD8Async(addressOf(flushed_.get()->data), 0, bytes, stream_.get());
  }

 private:
  std::shared_ptr<const CudaExecutable> ownKernel(const LibraryCall& call, CompileTimes& times) {
    Kernel named;
    named.name = call.name;
    return std::make_shared<ContractionKernel>(
        call, compiler_.compile(named, callSource(call), useDiskCache_, times));
  }

  StreamStall* searchStall() {
    if (!stall_) {
      stall_.emplace();
      try {
        *stall_ = std::make_unique<StreamStall>(device_, stream_.get());
      } catch (const CudaError&) {
        device_->use();  // throws if the context is unusable
      }
    }
    return stall_->get();
  }

  /// The bytes that a launch reads and writes, if they are recorded.
  KernelBytes bytesOf(const CudaExecutable& executable, const LaunchArguments& arguments) const {
    if (!recording_ && !(recorder_ && recorder_->weighs())) [[likely]]
      return {};
    return executable.traffic().of(arguments.integers, arguments.pointers);
  }

  void forbidWhileRecording(const char* what) const {
    if (recording_)
      throw std::logic_error(fmt::format("cannot {} while launches are recorded", what));
  }
  /// The name, where it stays readable after the kernel is gone.
  const std::string& nameOf(const CudaExecutable& kernel) {
    if (lastLaunched_ && *lastLaunched_ == kernel.name()) return *lastLaunched_;
    return *names_.insert(kernel.name()).first;
  }

  std::shared_ptr<const Device> device_;
  const Driver& driver_;
  int multiprocessors_;
  OwnStream stream_;
  MemoryPool memory_;
  ArrivalCounters arrived_;
  KernelCompiler compiler_;
  std::optional<CodeReader> reader_;  ///< once code is read
  Interpreter interpreter_;
  StagedCopies copies_;
  ClockReader clock_;
  bool useDiskCache_;
  std::unordered_map<std::string, std::shared_ptr<const CudaExecutable>> kernels_;
  mutable std::unordered_map<std::string, bool> ships_;  ///< by canonical text
  DeviceLibraries libraries_;
  std::filesystem::path cacheFolder_;
  std::unique_ptr<ObjectCache> found_;  ///< by searches
  std::shared_ptr<LibraryTools> tools_;
  std::unordered_map<std::string, std::shared_ptr<const CudaExecutable>> calls_;
  std::map<std::pair<DType, std::size_t>, std::shared_ptr<const CudaExecutable>> copiers_;
  std::string nccl_;
  RankLauncher ranks_;
  bool recordsRanks_ = false;  ///< what is being recorded asks other ranks
  ParameterList parameters_;
  std::unique_ptr<GraphCapture> recording_;
  BlockRef flushed_;
  /// For timing the ways of a library; null until then, or if the driver refuses it.
  std::optional<std::unique_ptr<StreamStall>> stall_;
  std::set<std::string> names_;
  const std::string* lastLaunched_ = nullptr;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Backend> makeCudaBackend(const CudaOptions& options) {
  return std::make_unique<cuda::CudaBackend>(options);
}

}  // namespace fusebench
