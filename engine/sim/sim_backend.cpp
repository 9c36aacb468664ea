// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_backend.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/base/ticks.h"
#include "engine/sim/sim_collector.h"
#include "engine/sim/sim_graph.h"
#include "engine/sim/sim_memory.h"

namespace fusebench {
namespace sim {
namespace {

/// What is simulated runs what the backend that computes its values runs; null: nobody computes.
BackendTraits traitsBy(const Backend* values) {
  BackendTraits traits;
  traits.name = "sim";
  traits.isSimulated = true;
  traits.hasOwnMemory = true;
  traits.runsOpLists = true;
  traits.canCapture = true;
  traits.canFlushCaches = true;
  traits.runsPhases = !values || values->traits().runsPhases;
  if (!values) return traits;
  traits.rowLimits = values->traits().rowLimits;
  traits.listsNarrowFloats = values->traits().listsNarrowFloats;
  traits.hasFastMath = values->traits().hasFastMath;
  return traits;
}

class SimDevice final : public SimBackend, private HostModel {
 public:
  SimDevice(const SimOptions& options, std::unique_ptr<Backend> values)
      : SimBackend(SimTraits{.note = options.note,
                             .error = options.error,
                             .isExact = options.parameters.noise == 0,
                             .hasQueue = options.parameters.queueDepth > 1}),
        options_(options),
        values_(std::move(values)),
        simulation_(options_.parameters, 1, options_.seed),
        collector_(simulation_),
        silent_(Recorder::Level::split, 1, 0) {
    setTraits(traitsBy(values_.get()));
    computing_ = values_ != nullptr;
    listen(*this, silent_);
    if (!options_.drivesClock) return;
    if (virtualClock) throw std::logic_error("another simulated device is this process' clock");
    ticksPerNanosecond();
    virtualClock = &clock_;
  }
  ~SimDevice() override {
    recording_.reset();
    if (options_.drivesClock) virtualClock = nullptr;
  }

  std::string description() const override {
    return fmt::format("simulated {}, {}; values by {}", options_.title,
                       options_.truth.empty() ? std::string("by a model") : options_.truth,
                       values_ ? values_->description() : std::string("nobody"));
  }
  double now() const override { return simulation_.now(); }
  Effects takeMissingEffects() override { return std::exchange(missing_, 0); }
  void writeScript(Script* script) override { script_ = script; }
  void setComputing(bool compute) override { computing_ = compute && values_; }
  std::uint64_t contentsOf(const Tensor& tensor) override {
    if (!values_) return 0;  // it has addresses and no memory
    // Its values are the host's.
    return contentsHash(tensor.data(), spanBytes(tensor));
  }

  Allocator& allocator() override {
    if (recording_) return recording_->pool();
    return values_ ? values_->allocator() : addresses_;
  }

  std::shared_ptr<const Executable> compile(const Kernel& kernel, CompileTimes& times) override {
    ++times.kernels;
    const std::string text = canonicalText(kernel);
    if (const auto found = kernels_.find(text); found != kernels_.end()) {
      ++times.fromMemory;
      return found->second;
    }
    if (useDisk_ && onDisk_.contains(text)) {
      ++times.fromDisk;
      times.load += spendCompiling(parameters().load);
    } else {
      const auto ops = static_cast<std::uint32_t>(kernel.ops.size());
      times.compiler += spendCompiling(parameters().compile + ops * parameters().compileOp);
      if (script_) script_->actions.push_back({Action::Kind::compile, {}, 0, ops});
    }
    if (useDisk_) onDisk_.insert(text);
    return kernels_[text] = std::make_shared<SimExecutable>(kernel);
  }
  std::shared_ptr<const Executable> assemble(OpList&& list, CompileTimes& times) override {
    times.codegen += spendCompiling(static_cast<double>(list.ops.size()) * parameters().opListOp);
    return std::make_shared<SimExecutable>(std::move(list));
  }
  std::shared_ptr<const Executable> library(const LibraryCall& call, CompileTimes& times) override {
    ++times.kernels;
    std::shared_ptr<const SimExecutable>& known = calls_[canonicalText(call) + call.name];
    ++(known ? times.fromMemory : times.shipped);
    if (!known) known = std::make_shared<SimExecutable>(call);
    return known;
  }
  LibraryTraits libraryTraits() const override {
    return {.name = "simulated", .missing = {}, .byteProducts = {}};
  }
  std::vector<GeneratedCode> code(const LibraryCall& call, const std::int64_t* integers) override {
    Backend* const writer = codeWriter();
    return writer ? writer->code(call, integers) : std::vector<GeneratedCode>();
  }
  std::vector<GeneratedCode> code(const Kernel& kernel) override {
    Backend* const writer = codeWriter();
    return writer ? writer->code(kernel) : std::vector<GeneratedCode>();
  }
  std::vector<GeneratedCode> code(const OpList& list) override {
    Backend* const writer = codeWriter();
    return writer ? writer->code(list) : std::vector<GeneratedCode>();
  }

  void launch(const Executable& executable, const LaunchArguments& arguments) override {
    const auto& asked = static_cast<const SimExecutable&>(executable);
    if (asked.ranks()) [[unlikely]]
      return launchOfRanks(asked, arguments);
    if (recording_) return recording_->add(asked, arguments);
    const SimExecutable::Last& known = sized(asked, arguments);
    enqueue(asked, known.work, known.nanoseconds, known.share, 0);
    launched(asked, arguments);
  }
  /// Communication is the same on all ranks, so that one represents all. Gradients of a bucket are
  /// sent together with its last one: on a separate stream where they overlap.
  void launchOfRanks(const SimExecutable& asked, const LaunchArguments& arguments) {
    const RankCall& call = *asked.ranks();
    Work work = asked.work(arguments);
    work.ranks = ranks_;
    if (call.kind == Collective::reduceStart && ranks_ > 1) {
      openBytes_ = work.bytes + (call.first ? 0 : openBytes_);
      work.copied = work.bytes + (call.last ? openBytes_ : 0);
      work.what = call.last ? Collective::allReduce : Collective::none;
      if (call.last) work.bytes = std::exchange(openBytes_, 0);
    }
    if (recording_) return recording_->add(asked, arguments, work);
    if (call.kind == Collective::reduceWait) {
      if (reduced_) awaitMark(0, *std::exchange(reduced_, std::nullopt));
      ++launches_;
      return tick();
    }
    const bool beside = call.last && call.overlaps && ranks_ > 1;
    const StreamId stream = beside ? rankStream() : 0;
    if (beside) awaitMark(stream, markStream(0));
    enqueue(asked, work, nanoseconds(work, parameters()), share(work, parameters()), stream);
    if (beside) reduced_ = markStream(stream);
    launched(asked, arguments);
  }
  void enqueue(const SimExecutable& asked, const Work& work, double nanoseconds, double share,
               StreamId stream) {
    const double start = simulation_.now();
    std::uint32_t tag = 0;
    if (collector_.collects()) [[unlikely]]
      tag = collector_.expect(SimCollector::launch, DeviceWork::Kind::kernel,
                              {pieceOf(asked.name(), work, nanoseconds)}, 0, 0);
    missing_ |= work.missing;
    simulation_.spend(hostNanoseconds(work, parameters()));
    if (work.kind == Work::Kind::links)
      linksIn(simulation_, stream, nanoseconds, tag);
    else
      launchIn(simulation_, stream, nanoseconds, share, tag);
    if (script_) [[unlikely]]
      script_->actions.push_back({Action::Kind::launch,
                                  {},
                                  static_cast<std::uint16_t>(stream),
                                  placeOf(script_->works, work)});
    ++launches_;
    if (collector_.collects()) [[unlikely]]
      collector_.called(SimCollector::launch, start);
  }
  void launched(const SimExecutable& asked, const LaunchArguments& arguments) {
    if (recorder_) [[unlikely]] {
      recorder_->enqueued();
      recorder_->note(&asked, 0, arguments.step,
                      recorder_->weighs()
                          ? asked.traffic().of(arguments.integers, arguments.pointers)
                          : KernelBytes{});
    }
    if (computes())
      if (const Executable* computed = asked.on(*values_)) values_->launch(*computed, arguments);
    tick();
  }
  void synchronize() override {
    forbidWhileRecording("synchronize");
    const double start = simulation_.now();
    simulation_.synchronize();
    if (script_) script_->actions.push_back({Action::Kind::wait});
    collector_.called(SimCollector::wait, start);
    cold_ = cold_ && !ranCold_;
    ranCold_ = false;
    tick();
  }

  std::optional<CollectorStatus> collectorStatus() const override {
    CollectorStatus status;
    status.state = CollectorState::on;
    status.found = "the simulation records what it does";
    return status;
  }
  DeviceCollector* collector() override { return &collector_; }

  void beginCapture() override {
    if (recording_) throw std::logic_error("a capture is under way");
    recording_ = std::make_unique<SimGraph>(allocator(), parameters(), ++graphs_);
  }
  std::unique_ptr<Capture> endCapture() override {
    if (!recording_) throw std::logic_error("no capture is under way");
    return std::move(recording_);
  }
  void abandonCapture() noexcept override { recording_.reset(); }
  void replay(const Capture& capture) override {
    forbidWhileRecording("replay");
    const auto& graph = static_cast<const SimGraph&>(capture);
    const auto count = static_cast<std::uint32_t>(graph.all().size());
    const double start = simulation_.now();
    std::uint32_t tag = 0;
    if (collector_.collects()) [[unlikely]] {
      std::vector<SimCollector::Piece> pieces;
      for (const CapturedLaunch& launch : graph.all())
        pieces.push_back(pieceOf(launch.executable->name(), launch.work, launch.nanoseconds));
      tag = collector_.expect(SimCollector::graphLaunch, DeviceWork::Kind::kernel,
                              std::move(pieces), parameters().graphGap, graph.number());
    }
    graphIn(simulation_, 0, graph.total(), count, tag);
    if (script_) [[unlikely]] {
      std::vector<std::uint32_t> works;
      for (const CapturedLaunch& launch : graph.all())
        works.push_back(placeOf(script_->works, launch.work));
      script_->actions.push_back({Action::Kind::graph, {}, 0, placeOf(script_->graphs, works)});
    }
    launches_ += count;
    for (const CapturedLaunch& launch : graph.all()) missing_ |= launch.work.missing;
    if (collector_.collects()) [[unlikely]]
      collector_.called(SimCollector::graphLaunch, start);
    if (recorder_) [[unlikely]] {
      recorder_->enqueued();
      for (const CapturedLaunch& launch : graph.all())
        recorder_->note(launch.executable.get(), 0, launch.step, launch.bytes);
    }
    if (computes())
      for (const CapturedLaunch& launch : graph.all())
        if (const Executable* computed = launch.executable->on(*values_))
          values_->launch(*computed, launch.arguments());
    tick();
  }

  void forgetKernels() override {
    kernels_.clear();
    if (values_) values_->forgetKernels();
  }
  void useDiskCache(bool use) override { useDisk_ = use; }
  void setThreads(int threads) override {
    if (threads < 1) throw std::invalid_argument("threads must be at least 1");
  }
  int threads() const override { return 1; }

  void copyIn(const Tensor& to, const void* from, std::size_t bytes) override {
    forbidWhileRecording("copy");
    if (values_) values_->copyIn(to, from, bytes);
    copy({CopyKind::inPageable, static_cast<double>(bytes)}, "copy host to device");
  }
  void copyOut(void* to, const Tensor& from, std::size_t bytes) override {
    forbidWhileRecording("copy");
    if (values_) values_->copyOut(to, from, bytes);
    copy({CopyKind::outPageable, static_cast<double>(bytes)}, "copy device to host");
  }
  void copyWithin(void* to, const void* from, std::size_t bytes) override {
    forbidWhileRecording("copy");
    if (computes()) values_->copyWithin(to, from, bytes);
    copy({CopyKind::within, static_cast<double>(bytes)}, "copy within the device");
  }

  std::optional<std::uint64_t> availableBytes() override {
    const auto all = static_cast<std::uint64_t>(parameters().memoryBytes);
    const std::uint64_t used = allocator().statistics().blockBytes;
    return all > used ? all - used : 0;
  }
  std::shared_ptr<const Executable> emptyKernel() override {
    return std::make_shared<SimExecutable>("empty");
  }
  std::unique_ptr<DeviceTimer> makeTimer() override;
  std::unique_ptr<DeviceStall> makeStall() override;
  /// Work that keeps the device busy for this time. Recordings leave it out.
  void occupy(double nanoseconds) {
    simulation_.enqueue(0, {.duration = nanoseconds, .tag = SimCollector::kUnrecorded});
  }
  void flushCaches() override {
    forbidWhileRecording("flush caches");
    copy({CopyKind::within, parameters().cacheBytes}, "fill");
    coldParameters_ = parameters();
    coldParameters_.cacheBytes = 0;
    cold_ = true;
  }

  std::unique_ptr<CopyQueue> makeCopyQueue() override;
  StreamId sideStream() {
    if (!side_) side_ = simulation_.makeStream(0);
    return *side_;
  }
  StreamId rankStream() {
    if (!rankStream_) rankStream_ = simulation_.makeStream(0);
    return *rankStream_;
  }
  void setRanks(std::shared_ptr<RankGroup> group) override {
    if (values_) values_->setRanks(nullptr);
    setRankCount(group ? group->size() : 1);
  }
  void setRankCount(int ranks) override {
    ranks_ = std::max(1, ranks);
    openBytes_ = 0;
    reduced_.reset();
  }
  bool hasMemory() const { return values_ != nullptr; }
  EventId markStream(StreamId stream) {
    simulation_.spend(parameters().event);
    const EventId event = simulation_.record(stream);
    if (script_)
      script_->actions.push_back(
          {Action::Kind::mark, {}, static_cast<std::uint16_t>(stream), event});
    tick();
    return event;
  }
  void awaitMark(StreamId stream, EventId event) {
    simulation_.spend(parameters().event);
    simulation_.await(stream, event);
    if (script_)
      script_->actions.push_back(
          {Action::Kind::await, {}, static_cast<std::uint16_t>(stream), event});
    tick();
  }
  bool isReached(EventId event) { return simulation_.isReached(event); }
  double reached(EventId event) {
    const double at = simulation_.reached(event);
    tick();
    return at;
  }
  EventId recordEvent() {
    simulation_.spend(parameters().event);
    const EventId event = simulation_.record(0);
    if (script_) script_->actions.push_back({Action::Kind::event});
    tick();
    return event;
  }

  /// A copy by a thread other than the host's; the mark is for finishWorker().
  EventId copyByWorker(int worker, double bytes) {
    while (workers_.size() <= static_cast<std::size_t>(worker))
      workers_.push_back(simulation_.makeStream(0));
    const StreamId stream = workers_[static_cast<std::size_t>(worker)];
    const Copy copied{CopyKind::onHost, bytes};
    workerIn(simulation_, stream, copyNanoseconds(copied, parameters()));
    const EventId event = simulation_.record(stream);
    if (script_) {
      const auto lane = static_cast<std::uint16_t>(stream);
      script_->actions.push_back(
          {Action::Kind::worker, {}, lane, placeOf(script_->copies, copied)});
      script_->actions.push_back({Action::Kind::ticket, {}, lane, event});
    }
    tick();
    return event;
  }
  void finishWorker(EventId event) {
    if (!simulation_.isReached(event)) simulation_.reached(event);
    if (script_) script_->actions.push_back({Action::Kind::hostAwait, {}, 0, event});
    tick();
  }

  void copyOnHost(double bytes) {
    const Copy copied{CopyKind::onHost, bytes};
    sim::copyIn(simulation_, 0, copied, copyNanoseconds(copied, parameters()), 0);
    if (script_)
      script_->actions.push_back({Action::Kind::copy, {}, 0, placeOf(script_->copies, copied)});
    tick();
  }
  void copy(const Copy& copied, const char* name, StreamId stream = 0) {
    const double start = simulation_.now();
    const double time = copyNanoseconds(copied, parameters());
    std::uint32_t tag = 0;
    if (collector_.collects())
      tag = collector_.expect(SimCollector::copy, DeviceWork::Kind::copy,
                              {{name, time, copied.bytes, {}}}, 0, 0);
    sim::copyIn(simulation_, stream, copied, time, tag);
    if (script_)
      script_->actions.push_back({Action::Kind::copy,
                                  {},
                                  static_cast<std::uint16_t>(stream),
                                  placeOf(script_->copies, copied)});
    if (collector_.collects()) collector_.called(SimCollector::copy, start);
    tick();
  }

 private:
  const Parameters& parameters() const { return simulation_.parameters(); }
  bool computes() const { return isComputing(); }
  Backend* codeWriter() {
    if (!options_.makeCode) return values_.get();
    if (!code_) code_ = options_.makeCode();
    return code_.get();
  }
  void tick() { clock_ = static_cast<std::int64_t>(simulation_.now()); }

  void begins(CallPart part) noexcept override {
    if (!isOfHost(part)) return;
    // Whatever it costs here: on another device that plays the script it costs something else.
    if (script_) [[unlikely]]
      script_->actions.push_back({Action::Kind::part, part});
    simulation_.spend(hostNanoseconds(part, parameters()));
    tick();
  }

  std::int64_t spendCompiling(double nanoseconds) {
    const auto before = static_cast<std::int64_t>(simulation_.now());
    simulation_.spend(nanoseconds);
    tick();
    return clock_ - before;
  }

  const SimExecutable::Last& sized(const SimExecutable& executable,
                                   const LaunchArguments& arguments) {
    SimExecutable::Last& last = executable.last();
    const auto count = static_cast<std::size_t>(executable.form().integers);
    if (last.known && !cold_ &&
        std::equal(last.integers.begin(), last.integers.end(), arguments.integers))
      return last;
    last.integers.assign(arguments.integers, arguments.integers + count);
    last.work = executable.work(arguments);
    last.nanoseconds = nanoseconds(last.work, cold_ ? coldParameters_ : parameters());
    last.share = share(last.work, parameters());
    last.known = !cold_;
    ranCold_ = cold_;
    return last;
  }

  SimCollector::Piece pieceOf(const std::string& name, const Work& work, double nanoseconds) const {
    return {name, nanoseconds, work.bytes, gridOf(work, parameters())};
  }

  /// The place of an equal one, which is added if there is none.
  template <class Item>
  static std::uint32_t placeOf(std::vector<Item>& all, const Item& item) {
    const auto found = std::find(all.rbegin(), all.rend(), item);
    if (found != all.rend()) return static_cast<std::uint32_t>(all.rend() - found - 1);
    all.push_back(item);
    return static_cast<std::uint32_t>(all.size() - 1);
  }

  void forbidWhileRecording(const char* what) const {
    if (recording_)
      throw std::logic_error(fmt::format("cannot {} while launches are recorded", what));
  }

  SimOptions options_;
  Effects missing_ = 0;
  std::unique_ptr<Backend> values_;
  std::unique_ptr<Backend> code_;  ///< once code is read
  Addresses addresses_;
  Simulation simulation_;
  SimCollector collector_;
  Recorder silent_;
  Parameters coldParameters_;
  bool cold_ = false;     ///< the caches were flushed, and no wait has followed a launch since then
  bool ranCold_ = false;  ///< a kernel was launched since then
  bool useDisk_ = true;
  std::int64_t clock_ = 0;
  Script* script_ = nullptr;
  std::unordered_map<std::string, std::shared_ptr<const SimExecutable>> kernels_;
  std::unordered_map<std::string, std::shared_ptr<const SimExecutable>> calls_;
  std::set<std::string> onDisk_;
  std::uint32_t graphs_ = 0;
  std::optional<StreamId> side_;   ///< for copies that overlap with launches
  std::vector<StreamId> workers_;  ///< threads that put batches together
  std::optional<StreamId>
      rankStream_;  ///< for communication between ranks that overlaps with launches
  int ranks_ = 1;
  double openBytes_ = 0;            ///< in the bucket that is still open
  std::optional<EventId> reduced_;  ///< buckets that began are done
  std::unique_ptr<SimGraph> recording_;
};

/// Values are copied when the copy is enqueued: what it writes is free by then.
class SimCopies final : public CopyQueue {
 public:
  explicit SimCopies(SimDevice& device) : device_(device), side_(device.sideStream()) {}

  void* hostMemory(std::size_t bytes, bool /*pinned*/) override {
    memory_.emplace_back(device_.hasMemory() ? std::max<std::size_t>(bytes, 1) : 1);
    return memory_.back().data();
  }
  void in(Line line, void* to, const void* from, std::size_t bytes, bool pinned) override {
    if (device_.hasMemory()) std::memcpy(to, from, bytes);
    device_.copy({pinned ? CopyKind::inPinned : CopyKind::inPageable, static_cast<double>(bytes)},
                 "copy host to device", stream(line));
  }
  void out(Line line, void* to, const void* from, std::size_t bytes, bool pinned) override {
    if (device_.hasMemory()) std::memcpy(to, from, bytes);
    device_.copy({pinned ? CopyKind::outPinned : CopyKind::outPageable, static_cast<double>(bytes)},
                 "copy device to host", stream(line));
  }
  Mark mark(Line line) override { return device_.markStream(stream(line)); }
  void await(Line line, Mark mark) override { device_.awaitMark(stream(line), mark); }
  bool isReached(Line /*line*/, Mark mark) override { return device_.isReached(mark); }
  void onHost(void* to, const void* from, std::size_t bytes) override {
    if (device_.hasMemory()) std::memcpy(to, from, bytes);
    device_.copyOnHost(static_cast<double>(bytes));
  }
  void gather(void* to, std::span<const void* const> rows, std::size_t bytes) override {
    if (device_.hasMemory()) CopyQueue::gather(to, rows, bytes);
    device_.copyOnHost(static_cast<double>(bytes) * static_cast<double>(rows.size()));
  }
  Ticket gatherBeside(int worker, void* to, std::span<const void* const> rows,
                      std::size_t bytes) override {
    if (device_.hasMemory()) CopyQueue::gather(to, rows, bytes);
    return device_.copyByWorker(worker,
                                static_cast<double>(bytes) * static_cast<double>(rows.size()));
  }
  void finish(Ticket ticket) override { device_.finishWorker(static_cast<EventId>(ticket)); }

 private:
  StreamId stream(Line line) const { return line == Line::launches ? 0 : side_; }
  SimDevice& device_;
  StreamId side_;
  std::deque<std::vector<std::byte>> memory_;
};

std::unique_ptr<CopyQueue> SimDevice::makeCopyQueue() {
  return std::make_unique<SimCopies>(*this);
}

class SimTimer final : public DeviceTimer {
 public:
  explicit SimTimer(SimDevice& device) : device_(device) {}
  void start() override { start_ = device_.recordEvent(); }
  void stop() override { stop_ = device_.recordEvent(); }
  double nanoseconds() override { return device_.reached(stop_) - device_.reached(start_); }

 private:
  SimDevice& device_;
  EventId start_ = 0, stop_ = 0;
};

std::unique_ptr<DeviceTimer> SimDevice::makeTimer() {
  return std::make_unique<SimTimer>(*this);
}

/// Virtual time costs nothing, so the device is occupied for longer than the host ever enqueues.
class SimStall final : public DeviceStall {
 public:
  explicit SimStall(SimDevice& device) : device_(device) {}
  void hold() override {
    device_.synchronize();
    heldUntil_ = device_.now() + kHeld;
    device_.occupy(kHeld);
  }
  void release() override { released_ = device_.now(); }
  bool lasted() override { return released_ <= heldUntil_; }

 private:
  static constexpr double kHeld = 2e8;  ///< nanoseconds
  SimDevice& device_;
  double heldUntil_ = 0, released_ = 0;
};

std::unique_ptr<DeviceStall> SimDevice::makeStall() {
  return std::make_unique<SimStall>(*this);
}

}  // namespace
}  // namespace sim

std::unique_ptr<SimBackend> makeSimBackend(const SimOptions& options,
                                           std::unique_ptr<Backend> values) {
  return std::make_unique<sim::SimDevice>(options, std::move(values));
}

}  // namespace fusebench
