// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/cpu_backend.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>

#include "engine/base/saying.h"
#include "engine/cpu/codegen/schedule.h"
#include "engine/cpu/instant/op_list_executable.h"
#include "engine/cpu/instant/op_list_text.h"
#include "engine/cpu/library/attention_executable.h"
#include "engine/cpu/library/byte_dots.h"
#include "engine/cpu/library/gradient_buckets.h"
#include "engine/cpu/library/library_executable.h"
#include "engine/cpu/library/order_executable.h"
#include "engine/cpu/library/passed_call.h"
#include "engine/cpu/library/rank_executable.h"
#include "engine/cpu/library/scatter_executable.h"
#include "engine/cpu/runtime/allocator.h"
#include "engine/cpu/runtime/code_text.h"
#include "engine/cpu/runtime/compiled_kernel.h"
#include "engine/cpu/runtime/launch_list.h"
#include "engine/cpu/runtime/scan_executable.h"
#include "engine/cpu/runtime/short_rows.h"
#include "engine/cpu/runtime/thread_pool.h"
#include "engine/cpu/runtime/transposing_copy.h"
#include "engine/cpu/shipped/shipped_code.h"

namespace fusebench {
namespace cpu {
namespace {

std::string processorName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(':'); colon != std::string::npos)
        return line.substr(line.find_first_not_of(" \t", colon + 1));
  return "unknown processor";
}

/// Each line as a comment.
std::string commented(const std::string& text, std::string_view mark) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += fmt::format("{}{}\n", mark, std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  return result;
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const CpuOptions& options)
      : interleave_(options.interleave),
        handOver_(options.handOver),
        jit_(hostTarget(options.vectorWidth), options.compiler),
        // Its loops step as this backend's own choice would have them.
        shipped_(options.shipped && interleave_ == 0 ? ShippedCode::fitting(jit_.target())
                                                     : nullptr),
        cache_(options.cacheDirectory.empty() ? ObjectCache::defaultFolder()
                                              : std::filesystem::path(options.cacheDirectory)),
        useDiskCache_(options.diskCache),
        oneDnn_(options.library ? OneDnn::find() : nullptr) {
    librarySettings_->processor = processorName() + ", " + jit_.target().unit();
    librarySettings_->cache = useDiskCache_ ? &cache_ : nullptr;
    librarySettings_->allocator = &allocator_;
    setThreads(options.threads);
    ticksPerNanosecond();  // executors want it at once
    BackendTraits traits;
    static_cast<PlanTraits&>(traits) = cpuPlanTraits();
    traits.name = "cpu";
    traits.shipsOps = shipped_ != nullptr;
    traits.takesTails = oneDnn_ ? Tails::kernels : Tails::none;
    traits.runsOpLists = true;
    traits.choosesPages = true;
    traits.canCapture = true;
    setTraits(std::move(traits));
  }

  std::string description() const override {
    return fmt::format("{}, {}, LLVM {}, {} thread{}", processorName(), jit_.target().unit(),
                       LLVM_VERSION_STRING, threads(), threads() == 1 ? "" : "s");
  }
  Allocator& allocator() override {
    if (recording_) return recording_->pool();
    return allocator_;
  }

  void usePages(Pages pages) override { allocator_.use(pages); }

  std::string missingCompiler() const override { return jit_.missing(); }
  bool ships(const Kernel& kernel) const override {
    return shipped_ && (isTransposingCopy(kernel) || shipped_->kernel(canonicalText(kernel)));
  }
  std::shared_ptr<const Executable> compile(const Kernel& kernel, CompileTimes& times) override {
    ++times.kernels;
    const std::string canonical = canonicalText(kernel);
    if (const auto found = kernels_.find(canonical); found != kernels_.end()) {
      ++times.fromMemory;
      return found->second;
    }
    if (isScan(kernel)) {
      auto made = std::make_shared<ScanExecutable>(kernel);
      kernels_.emplace(canonical, made);
      return made;
    }
    if (isTransposingCopy(kernel)) {
      ++times.shipped;
      auto made = std::make_shared<TransposingCopy>(kernel);
      kernels_.emplace(canonical, made);
      return made;
    }
    const Schedule plan = schedule(kernel, jit_.target(), interleave_);
    std::unique_ptr<LoadedCode> code;
    if (const KernelFunction found = shipped_ ? shipped_->kernel(canonical) : nullptr) {
      ++times.shipped;
      code = std::make_unique<LoadedCode>(found);
    } else if (const std::string why = jit_.missing(); !why.empty()) {
      throw std::runtime_error(
          saying("no prebuilt kernel of {} for this layout, and none can be compiled: {}",
                 kernel.name, why));
    } else {
      code = jit_.compile(kernel, plan, canonical, useDiskCache_ ? &cache_ : nullptr, times);
    }
    auto compiled = std::make_shared<CompiledKernel>(kernel, plan, jit_.target(), std::move(code));
    std::shared_ptr<const CpuExecutable> made = compiled;
    if (joinsRows(kernel, plan)) made = std::make_shared<ShortRowKernel>(kernel, compiled);
    kernels_.emplace(canonical, made);
    return made;
  }

  std::shared_ptr<const Executable> assemble(OpList&& list, CompileTimes& times) override {
    return std::make_shared<OpListExecutable>(std::move(list), stencils_,
                                              useDiskCache_ ? &cache_ : nullptr, times);
  }

  LibraryTraits libraryTraits() const override {
    // The kernel for processors without VNNI reads both factors along the depth.
    const bool own = cpu::hasByteDots() && !(oneDnn_ && oneDnn_->sumsBytesExactly());
    return {.name = oneDnn_ ? "oneDNN " + oneDnn_->version() : std::string(),
            .missing = oneDnn_ ? std::string() : OneDnn::missing(),
            .byteProducts = {.given = DType::uint8, .alongDepth = own}};
  }
  std::shared_ptr<const Executable> library(const LibraryCall& call, CompileTimes& times) override {
    ++times.kernels;
    std::shared_ptr<const CpuExecutable>& known = calls_[canonicalText(call) + call.name];
    // A library's code was compiled in advance.
    ++(known ? times.fromMemory : times.shipped);
    if (!known && call.ofRanks())
      known = std::make_shared<RankExecutable>(call, librarySettings_);
    else if (!known && call.scatter.is)
      known = std::make_shared<ScatterExecutable>(call);
    else if (!known && call.order.is)
      known = std::make_shared<OrderExecutable>(call);
    else if (!known && call.attention.is)
      known = std::make_shared<AttentionExecutable>(call, oneDnn_);
    else if (!known && call.pass)
      known = passed(call, times);
    else if (!known)
      known = std::make_shared<LibraryExecutable>(call, oneDnn_, librarySettings_);
    return known;
  }
  void setRanks(std::shared_ptr<RankGroup> group) override {
    librarySettings_->buckets = group ? std::make_shared<GradientBuckets>(group) : nullptr;
    librarySettings_->group = std::move(group);
  }
  std::size_t scratchBytes(const LibraryCall& call, const std::int64_t* integers) override {
    if (!call.contracts()) return 0;
    CompileTimes ignored;
    const auto made = library(withoutPass(call), ignored);
    return static_cast<const LibraryExecutable&>(*made).scratchBytes(integers);
  }
  std::vector<GeneratedCode> code(const LibraryCall& call, const std::int64_t* integers) override {
    const std::string asked =
        call.ofRanks()      ? RankExecutable(call, librarySettings_).description(integers)
        : call.attention.is ? AttentionExecutable(call, oneDnn_).description(integers)
        : !call.contracts()
            ? readableText(call, integers)
            : LibraryExecutable(withoutPass(call), oneDnn_, librarySettings_).description(integers);
    // The library has no code to show in either language: the text says what is asked of it.
    std::vector<GeneratedCode> texts{{"llvm", commented(asked, "; "), {}},
                                     {"assembly", commented(asked, "# "), {}}};
    if (!call.pass) return texts;
    for (const GeneratedCode& own : code(*call.pass))
      for (GeneratedCode& text : texts)
        if (text.language == own.language) text.text += "\n" + own.text;
    return texts;
  }

  std::vector<GeneratedCode> code(const Kernel& kernel) override {
    if (isScan(kernel) || isTransposingCopy(kernel)) return {};  // no code of its own
    return codeText(kernel, schedule(kernel, jit_.target(), interleave_), jit_.target());
  }

  std::vector<GeneratedCode> code(const OpList& list) override {
    CompileTimes ignored;
    ObjectCache* const cache = useDiskCache_ ? &cache_ : nullptr;
    return opListText(list, cpu::assemble(list, *stencils_, cache, ignored, /*explain=*/true),
                      jit_);
  }

  void launch(const Executable& executable, const LaunchArguments& arguments) override {
    const auto& kernel = static_cast<const CpuExecutable&>(executable);
    if (recording_) [[unlikely]]
      return recording_->add(kernel, arguments);
    ++launches_;
    execute(kernel, arguments);
  }
  void synchronize() override {}

  void beginCapture() override {
    if (recording_) throw std::logic_error("a capture is under way");
    recording_ = std::make_unique<LaunchList>(allocator_);
  }
  std::unique_ptr<Capture> endCapture() override {
    if (!recording_) throw std::logic_error("no capture is under way");
    return std::move(recording_);
  }
  void abandonCapture() noexcept override { recording_.reset(); }
  void replay(const Capture& capture) override {
    const auto& list = static_cast<const LaunchList&>(capture);
    for (const RecordedLaunch& launch : list.recorded()) {
      ++launches_;
      execute(*launch.kernel, launch.arguments());
    }
  }

  /// The pieces of op lists are forgotten as well: making them is what the first op list costs.
  void forgetKernels() override {
    kernels_.clear();
    calls_.clear();
    stencils_ = std::make_shared<Stencils>(jit_, shipped_);
  }
  void useDiskCache(bool use) override {
    useDiskCache_ = use;
    librarySettings_->cache = use ? &cache_ : nullptr;
  }

  void setThreads(int threads) override {
    if (threads < 1) throw std::invalid_argument("threads must be at least 1");
    pool_ = threads > 1 ? &poolOf(threads) : nullptr;
    librarySettings_->threads = threads;
  }
  double handOverNanoseconds() const override { return pool_ ? pool_->handOverNanoseconds() : 0; }
  int threads() const override { return pool_ ? pool_->threads() : 1; }

  void copyIn(const Tensor& to, const void* from, std::size_t bytes) override {
    std::memcpy(to.data(), from, bytes);
  }
  void copyOut(void* to, const Tensor& from, std::size_t bytes) override {
    std::memcpy(to, from.data(), bytes);
  }
  void copyWithin(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  std::unique_ptr<CopyQueue> makeCopyQueue() override { return makeHostCopyQueue(); }

 private:
  /// A call with its pass, which is compiled. The call alone is not counted: it is a part of this.
  std::shared_ptr<const CpuExecutable> passed(const LibraryCall& call, CompileTimes& times) {
    CompileTimes ignored;
    const auto own = [](std::shared_ptr<const Executable> made) {
      return std::static_pointer_cast<const CpuExecutable>(std::move(made));
    };
    return std::make_shared<PassedCall>(
        call, own(library(withoutPass(call), ignored)), own(compile(*call.pass, times)),
        [this](const CpuExecutable& part, const LaunchArguments& arguments,
               const CpuExecutable& launch) {
          if (pool_ && isWorthSplitting(part, arguments.integers))
            launchSplit(part, arguments, &launch);
          else
            part.runWhole(arguments);
        });
  }

  /// Each number of threads keeps its pool: cells take turns, and what a hand-over costs is
  /// measured once, so that launches go in the same parts each time. Helpers that are not wanted
  /// sleep.
  ThreadPool& poolOf(int threads) {
    std::unique_ptr<ThreadPool>& pool = pools_[threads];
    if (!pool) pool = std::make_unique<ThreadPool>(threads, handOver_);
    return *pool;
  }

  void execute(const CpuExecutable& kernel, const LaunchArguments& arguments) {
    if (recorder_ && recorder_->weighs()) [[unlikely]] {
      const KernelBytes bytes = kernel.traffic().of(arguments.integers, arguments.pointers);
      recorder_->enqueued();
      recorder_->note(&kernel, 0, arguments.step, bytes);
    }
    if (pool_ && isWorthSplitting(kernel, arguments.integers))
      return launchSplit(kernel, arguments);
    mark(recorder_, CallPart::kernel, &kernel, arguments.step);
    kernel.runWhole(arguments);
    mark(recorder_, afterKernel());
  }

  /// The activity of a thread after a kernel.
  CallPart afterKernel() const { return splitRecorder() ? CallPart::launch : CallPart::outside; }

  /// A launch goes in parts when its estimated time is this many hand-overs: then two threads win
  /// even if the estimate is twice too high. That alone decides, not who is there to help: results
  /// do not change their last bits from call to call, as long as the threads are the same.
  double leastNanoseconds() const {
    constexpr double kWorthSplitting = 4;
    return std::max(kWorthSplitting * pool_->handOverNanoseconds(), kShortNanoseconds);
  }
  bool isWorthSplitting(const CpuExecutable& kernel, const std::int64_t* integers) const {
    // The estimate first: it settles the matter for short kernels, whose calls it must not cost.
    return kernel.splits() && kernel.estimate(integers) > leastNanoseconds() &&
           kernel.firstExtent(integers) > kernel.grain(integers);
  }

  /// Several parts for each thread, so that who comes late or is held up does fewer, but none too
  /// short.
  int partsFor(double nanoseconds) const {
    constexpr int kPartsPerThread = 4;
    return static_cast<int>(std::clamp<double>(nanoseconds / leastNanoseconds(), threads(),
                                               kPartsPerThread * threads()));
  }

  /// `call`: whose launch it is a part of, which the calling thread has marked; null: it is one.
  void launchSplit(const CpuExecutable& kernel, const LaunchArguments& arguments,
                   const CpuExecutable* call = nullptr) {
    const std::int64_t extent = kernel.firstExtent(arguments.integers);
    const std::int64_t grain = kernel.grain(arguments.integers);
    const double nanoseconds = kernel.estimate(arguments.integers);
    const std::int64_t grains = (extent + grain - 1) / grain;
    const std::int64_t wanted = std::min<std::int64_t>(partsFor(nanoseconds), grains);
    const std::int64_t each = (grains + wanted - 1) / wanted * grain;
    const int parts = static_cast<int>((extent + each - 1) / each);
    if (kernel.partials())
      partials_.resize(kernel.partialWords() * static_cast<std::size_t>(parts));
    pool_->run(parts, nanoseconds, [&](ThreadPool::Parts& mine) {
      const int thread = recorder_ ? ThreadPool::current() : 0;
      const bool marks = recorder_ && !(call && thread == 0);
      if (marks) recorder_->markOn(thread, CallPart::kernel, call ? call : &kernel, arguments.step);
      do {
        const std::int64_t begin = mine.taken() * each;
        const std::int64_t end = std::min(extent, begin + each);
        std::uint64_t* const partial =
            kernel.partials()
                ? &partials_[kernel.partialWords() * static_cast<std::size_t>(mine.taken())]
                : nullptr;
        kernel.run(arguments, begin, end, partial);
      } while (mine.take());
      // Where only kernels are wanted, a wait is what ends a call.
      const bool waits = thread == 0 && splitRecorder();
      if (marks) recorder_->markOn(thread, waits ? CallPart::wait : CallPart::outside);
    });
    if (kernel.partials()) kernel.finish(partials_, parts, arguments);
    if (!call) mark(recorder_, afterKernel());
  }

  int interleave_;
  double handOver_;
  PoolAllocator allocator_;
  mutable Jit jit_;  ///< which starts when it is first asked for
  const ShippedCode* shipped_;
  ObjectCache cache_;
  std::shared_ptr<Stencils> stencils_ = std::make_shared<Stencils>(jit_, shipped_);
  bool useDiskCache_;
  OneDnn* oneDnn_;  ///< null: loops of our own
  std::shared_ptr<LibrarySettings> librarySettings_ = std::make_shared<LibrarySettings>();
  std::unordered_map<std::string, std::shared_ptr<const CpuExecutable>> calls_;
  std::map<int, std::unique_ptr<ThreadPool>> pools_;  ///< by their number of threads
  ThreadPool* pool_ = nullptr;                        ///< the one in use; null: one thread
  std::unordered_map<std::string, std::shared_ptr<const CpuExecutable>> kernels_;
  std::vector<std::uint64_t> partials_;
  std::unique_ptr<LaunchList> recording_;
};

}  // namespace
}  // namespace cpu

PlanTraits cpuPlanTraits() {
  PlanTraits traits;
  traits.isSynchronous = true;
  traits.shipsOps = true;
  traits.runsPhases = true;
  traits.runsTotals = true;
  traits.joinsShortRows = true;
  traits.takesTails = Tails::kernels;
  traits.runsAttention = true;
  traits.listsNarrowFloats = true;
  return traits;
}

std::unique_ptr<Backend> makeCpuBackend(const CpuOptions& options) {
  return std::make_unique<cpu::CpuBackend>(options);
}

}  // namespace fusebench
