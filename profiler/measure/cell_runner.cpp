// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/cell_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "engine/base/quantity_text.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/device/memory_use.h"
#include "engine/language/program_branches.h"
#include "engine/plan/islands.h"
#include "engine/plan/least_time.h"
#include "engine/plan/storages.h"
#include "engine/sim/sim_backend.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/machine/clock.h"
#include "profiler/machine/machine.h"
#include "profiler/measure/checkpoint_budget.h"
#include "profiler/measure/device_passes.h"

namespace fusebench {
namespace {

constexpr int kWarmUpCalls = 20;
constexpr std::int64_t kUntimedNanoseconds = 1'000'000;
/// With inputs of one form, a longer pass is made in parts, one part per sample; and warming up
/// ends after this time, however few calls there were.
constexpr std::int64_t kLongPass = 100'000'000, kLongWarmUp = 1'000'000'000;
constexpr int kLeastWarmUpCalls = 2;
/// How many calls are counted until one fails.
constexpr std::int64_t kMostCounted = 1'000'000;
constexpr std::string_view kFirstCall = "first call";

const Variant& variantOf(const Experiment& experiment, const CellKey& key) {
  return experiment.variants.at(static_cast<std::size_t>(key.variant));
}

}  // namespace

CellRunner::CellRunner(Backend& backend, InputStore& inputs, ReferenceMemo& references,
                       const Experiment& experiment, CellKey key, const std::atomic<bool>& stop,
                       RankGroup* ranks)
    : backend_(backend),
      inputs_(inputs),
      references_(references),
      experiment_(experiment),
      key_(std::move(key)),
      stop_(stop),
      ranks_(ranks),
      shared_(shared(programOf(backend, experiment, key_))),
      program_(*shared_),
      executors_(backend, variantOf(experiment, key_), shared_),
      written_(writtenInputs(program_)) {
  backend_.setComputing(false);  // but for checks
}

void CellRunner::takeInputs() {
  const auto given = inputs_.get(key_);
  if (std::ranges::find(written_, true) == written_.end()) {
    list_ = given;
    return;
  }
  if (!given_) {
    auto own = std::make_shared<InputList>(*given);
    std::vector<bool> held(written_.size(), false);
    for (const HeldInput& each : program_.held) held[static_cast<std::size_t>(each.input)] = true;
    for (std::vector<Tensor>& entry : own->entries)
      for (std::size_t i = 0; i < entry.size(); ++i) {
        if (!written_[i]) continue;
        // All calls share one tensor for each weight and buffer, including those that they write.
        if (held[i] && &entry != &own->entries.front()) {
          entry[i] = own->entries.front()[i];
          continue;
        }
        entry[i].offset = 0;
        entry[i].block = BlockRef(backend_.allocator().allocate(spanBytes(entry[i])));
      }
    list_ = std::move(own);
  }
  given_ = given;
  restoreInputs();
}

void CellRunner::restoreInputs() {
  if (!given_) return;
  for (std::size_t e = 0; e < list_->entries.size(); ++e) restoreEntry(e);
  backend_.synchronize();
}

void CellRunner::restoreEntry(std::size_t entry) {
  for (std::size_t i = 0; i < written_.size(); ++i)
    if (const Tensor& own = list_->entries[entry][i]; written_[i] && spanBytes(own) > 0)
      backend_.copyWithin(own.data(), given_->entries[entry][i].data(), spanBytes(own));
}

void CellRunner::beginCall(const std::vector<Tensor>& inputs) {
  if (!resets()) return;
  restoreEntry(static_cast<std::size_t>(&inputs - list_->entries.data()));
  backend_.synchronize();
}

void CellRunner::call(const std::vector<Tensor>& inputs) {
  beginCall(inputs);
  executor_->call(inputs);
}

/// Each call alone, on a device that works on its own.
DevicePasses CellRunner::isolated(const InputList& list, DeviceTimer* timer, std::int64_t passes,
                                  DeviceStall* stall) {
  return isolatedPasses(
      backend_, *executor_, list, timer, passes, experiment_.measure.flushes(),
      [this](const std::vector<Tensor>& inputs) { beginCall(inputs); }, stall);
}

/// The value of rank 0, where there are several.
std::int64_t CellRunner::agreed(std::int64_t ours) const {
  if (ranks_ && ranks_->size() > 1) ranks_->broadcast(&ours, sizeof ours, 0);
  return ours;
}

std::unique_ptr<Executor> CellRunner::fresh() {
  return executors_.make(list_->entries);
}

void CellRunner::chooseThreads() {
  backend_.setThreads(threadsAt(experiment_, key_));
  // Simulated ranks need no processes of their own.
  if (auto* const simulated = dynamic_cast<SimBackend*>(&backend_))
    simulated->setRankCount(ranksOf(experiment_, key_));
}

/// What a call on inputs of these forms may run: a plan of each way through the program.
std::vector<Plan> CellRunner::possiblePlans(const std::vector<Form>& inputs) const {
  const Variant& variant = variantOf(experiment_, key_);
  const ExecutorInfo* const executor = findVariantExecutor(variant.executor);
  if (!executor) return {};
  const auto optionsFor = [&](const PlanOptions& row) {
    PlanOptions options = planOptionsFor(row, backend_.traits(), variant.options.planChoices());
    options.specialize = Specialize::exact;  // these sizes are known: no symbols stand for them
    return options;
  };
  // Where op lists are weighed against single kernels, either may come of it.
  std::vector<PlanOptions> all{optionsFor(executor->plan)};
  if (executor->runsOpLists() && backend_.traits().listCosts)
    all.push_back(optionsFor({.grouping = PlanOptions::Grouping::perOp}));
  std::vector<Plan> plans;
  for (const Program* way : waysOf(program_))
    for (const PlanOptions& each : all) plans.push_back(makePlan(*way, inputs, each));
  return plans;
}

/// The bytes that a call on inputs of these forms takes in addition to the inputs.
std::size_t CellRunner::workingBytes(const std::vector<Form>& inputs) const {
  std::size_t most = 0;
  for (const Plan& plan : possiblePlans(inputs))
    most = std::max(most, memoryUseOf(plan, {}, &backend_).peakBytes);
  return most;
}

/// A kernel that runs is not stopped: one that cannot end within the budget is not begun.
void CellRunner::demandTime() const {
  if (backend_.traits().isSimulated) return;  // its time is not ours
  const PeakRates rates = backend_.traits().isSynchronous
                              ? PeakRates::ofProcessor(threadsAt(experiment_, key_))
                              : PeakRates::ofGpu();
  double least = std::numeric_limits<double>::infinity();
  for (const Plan& plan : possiblePlans(inputs_.plan(key_).largest))
    least = std::min(least, leastSeconds(plan, {}, rates));
  const double budget = experiment_.measure.budgetSeconds;
  if (std::isfinite(least) && least > budget)
    throw Unavailable(
        saying("a call takes {:.3g} s or more by the plan's estimate, and the budget "
               "is {:.3g} s; use smaller sizes or a larger budget",
               least, budget));
}

void CellRunner::demandMemory() const {
  const InputStore::Plan plan = inputs_.plan(key_);
  const std::size_t working = workingBytes(plan.largest);
  const std::size_t needed = plan.totalBytes + working;
  if (needed > inputs_.available() / 2)
    throw Unavailable(saying("needs {}, more than half of the {} of free memory",
                             bytesText(static_cast<double>(needed)),
                             bytesText(static_cast<double>(inputs_.available()))));
}

CompileTimes CellRunner::compileOnce() {
  giveWay();
  executor_ = fresh();
  for (const std::size_t entry : list_->firstOfKind()) {
    call(list_->entries[entry]);
    giveWay();
  }
  backend_.synchronize();
  CompileTimes sum;
  for (const CompileEvent& event : executor_->statistics().compiles) sum += event.times;
  kernelsMade_ += sum.kernels - sum.fromMemory;
  return sum;
}

void CellRunner::compileRepeatedly(const CompileMeasuring& measuring, Cell& cell) {
  cell.firstCompiles.clear();
  const std::int64_t start = nowNanoseconds();
  for (int repeat = 0; repeat < measuring.repeats; ++repeat) {
    const double elapsed = static_cast<double>(nowNanoseconds() - start) * 1e-9;
    if (agreed(repeat > 0 && elapsed >= measuring.seconds) != 0) break;
    backend_.useDiskCache(false);
    backend_.forgetKernels();
    cell.firstCompiles.push_back(compileOnce());
  }
  backend_.useDiskCache(true);
  // Twice, if the disk does not have it yet: to store it, and to fetch it. A search's result is not
  // a kernel, so whether the first attempt stored it cannot be seen.
  const bool searches = variantOf(experiment_, key_).options.search;
  for (int attempt = 0; attempt < 2 && (searches || !cell.diskCompile); ++attempt) {
    backend_.forgetKernels();
    const CompileTimes times = compileOnce();
    const bool fetched =
        times.kernels > 0 && times.compiled() == 0 && times.fromDisk + times.shipped > 0;
    if (agreed(fetched) != 0) cell.diskCompile = times;
  }
  cell.memoryCompile = compileOnce();
}

void CellRunner::prepare(const CompileMeasuring& measuring, Cell& cell) {
  if (runsInTorch(variantOf(experiment_, key_).executor))
    throw Unavailable(backend_.traits().isSimulated
                          ? saying("PyTorch variants cannot run on a simulated device")
                          : saying("PyTorch runs this variant, not Fusebench's own worker"));
  if (experiment_.measure.flushes() && !backend_.traits().canFlushCaches)
    throw Unavailable(
        saying("the cache cannot be flushed on this device; measure with \"cache\": \"hot\""));
  demandMemory();
  demandTime();
  chooseThreads();
  takeInputs();
  passes_ = 0;
  if (!timer_) timer_ = backend_.makeTimer();
  // Ranks wait for each other, and one that is held back holds the others back.
  stall_ = timer_ && !ranks_ ? backend_.makeStall() : nullptr;
  executor_.reset();
  before_ = backend_.allocator().statistics();
  if (measuring.repeats > 0) {
    compileRepeatedly(measuring, cell);
  } else {
    compileOnce();
  }
  cell.inputsUsed = static_cast<int>(list_->entries.size());
  if (const double handOver = backend_.handOverNanoseconds(); handOver > 0)
    cell.handOver = handOver;
  count(cell);
}

namespace {

/// The bytes that the steps of a call's plan read and write; nothing where the program chooses its
/// way.
std::optional<double> bytesMovedBy(const Executor& executor, std::span<const Tensor> inputs) {
  const std::vector<Plan> ways = executor.plans(inputs);
  if (ways.size() != 1) return std::nullopt;
  double bytes = 0;
  for (const StepCost& cost :
       costsOf(ways.front(), symbolsOf(ways.front(), executor.formsOfPlan(inputs))))
    bytes += static_cast<double>(cost.bytes.read) + static_cast<double>(cost.bytes.written);
  return bytes;
}

}  // namespace

/// Everything that depends on shapes alone is counted once per kind of shapes and weighted by how
/// many entries are of that kind.
void CellRunner::count(Cell& cell) {
  std::map<std::size_t, std::int64_t> members;
  for (const std::size_t kind : list_->kinds) ++members[kind];
  const auto entries = static_cast<double>(list_->entries.size());
  LaunchCounts launches{std::numeric_limits<std::int64_t>::max(), 0, 0};
  std::int64_t launchSum = 0;  // whole numbers, so that equal means are equal
  double eager = 0;
  std::int64_t peak = 0, peakBlocks = 0;
  std::optional<double> moved = 0;
  int graphs = 1;
  if (auto* const simulated = dynamic_cast<SimBackend*>(&backend_))
    simulated->takeMissingEffects();  // those of earlier calls
  for (const auto& [entry, amount] : members) {
    giveWay();
    const double weight = static_cast<double>(amount) / entries;
    beginCall(list_->entries[entry]);
    const std::uint64_t launchesBefore = backend_.launches();
    const std::uint64_t eagerBefore = executor_->statistics().eagerCalls;
    backend_.allocator().resetPeak();
    executor_->call(list_->entries[entry]);
    backend_.synchronize();
    const auto launched = static_cast<std::int64_t>(backend_.launches() - launchesBefore);
    launches.minimum = std::min(launches.minimum, launched);
    launches.maximum = std::max(launches.maximum, launched);
    launchSum += amount * launched;
    eager += weight * static_cast<double>(executor_->statistics().eagerCalls - eagerBefore);
    // Only this call's own inputs count among the memory that was in use before.
    const AllocatorStatistics used = backend_.allocator().statistics();
    const auto read = static_cast<std::int64_t>(list_->bytes[entry] -
                                                executor_->unreadBytes(list_->entries[entry]));
    const auto above = [read](std::size_t now, std::size_t before) {
      return static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before) + read;
    };
    peak = std::max(peak, above(used.peakBytes, before_.currentBytes));
    peakBlocks = std::max(peakBlocks, above(used.peakBlockBytes, before_.blockBytes));
    graphs = std::max(graphs, executor_->statistics().graphs);
    const std::optional<double> bytes = bytesMovedBy(*executor_, list_->entries[entry]);
    moved = moved && bytes ? std::optional(*moved + weight * *bytes) : std::nullopt;
  }
  cell.bytesMoved = moved;
  if (auto* const simulated = dynamic_cast<SimBackend*>(&backend_)) {
    const auto keys = sim::keysOf(simulated->takeMissingEffects());
    cell.notModeled.assign(keys.begin(), keys.end());
  }
  const ExecutorInfo* const how = findVariantExecutor(variantOf(experiment_, key_).executor);
  if (how && !how->runsEveryOp()) cell.graphs = graphs;
  launches.mean = static_cast<double>(launchSum) / entries;
  cell.launches = launches;
  cell.eagerShare = eager;
  cell.peakBytes = std::max<std::int64_t>(peak, 0);
  cell.peakBlockBytes = std::max<std::int64_t>(peakBlocks, 0);
  cell.recompiles = 0;
  cell.recompileReasons.clear();
  for (const CompileEvent& event : executor_->statistics().compiles) {
    if (event.reason == kFirstCall) continue;
    ++*cell.recompiles;
    if (cell.recompileReasons.size() < 20) cell.recompileReasons.push_back(event.reason);
  }
}

void CellRunner::untimedPass() {
  const std::int64_t start = nowNanoseconds();
  for (const auto& inputs : list_->entries) {
    call(inputs);
    if (agreed(nowNanoseconds() - start >= kUntimedNanoseconds) != 0) break;
  }
  backend_.synchronize();
}

/// What the next sample goes over: the list, or where its calls are long the next part of it.
const InputList& CellRunner::timedInputs() {
  if (part_ == 0) return *list_;
  timed_.entries.clear();
  for (std::size_t i = 0; i < part_; ++i)
    timed_.entries.push_back(list_->entries[(next_ + i) % list_->entries.size()]);
  next_ = (next_ + part_) % list_->entries.size();
  return timed_;
}

void CellRunner::choosePart(std::int64_t call) {
  const std::size_t count = list_->entries.size();
  const bool alike = std::ranges::all_of(list_->kinds, [](std::size_t kind) { return kind == 0; });
  part_ = next_ = 0;
  if (!alike || resets() || call * static_cast<std::int64_t>(count) <= kLongPass) return;
  const auto part = static_cast<std::size_t>(kLongPass / std::max<std::int64_t>(call, 1)) + 1;
  part_ = part < count ? part : 0;
}

std::int64_t CellRunner::timedPasses(std::int64_t passes, const InputList& list) {
  if (ranks_) ranks_->barrier();
  if (resets()) return resettingPasses(passes, list);
  const std::int64_t start = nowNanoseconds();
  for (std::int64_t pass = 0; pass < passes; ++pass)
    for (const auto& inputs : list.entries) executor_->call(inputs);
  backend_.synchronize();
  return nowNanoseconds() - start;
}

/// The time of each call alone, without what reading the clock takes.
std::int64_t CellRunner::resettingPasses(std::int64_t passes, const InputList& list) {
  double taken = 0;
  for (std::int64_t pass = 0; pass < passes; ++pass)
    for (const auto& inputs : list.entries) {
      beginCall(inputs);
      const std::int64_t start = nowNanoseconds();
      executor_->call(inputs);
      backend_.synchronize();
      taken +=
          std::max(static_cast<double>(nowNanoseconds() - start) - clockCostNanoseconds(), 0.0);
    }
  return std::llround(taken);
}

void CellRunner::warmUp() {
  const std::int64_t start = nowNanoseconds();
  std::int64_t calls = 0, most = kWarmUpCalls;
  for (; calls < most; ++calls) {
    giveWay();
    call(list_->entries[static_cast<std::size_t>(calls) % list_->entries.size()]);
    if (calls + 1 != kLeastWarmUpCalls) continue;
    backend_.synchronize();  // the clock shows nothing about work that is only queued
    const std::int64_t each = (nowNanoseconds() - start) / kLeastWarmUpCalls;
    most = agreed(std::clamp<std::int64_t>(kLongWarmUp / std::max<std::int64_t>(each, 1),
                                           kLeastWarmUpCalls, kWarmUpCalls));
  }
  backend_.synchronize();
  choosePart(agreed((nowNanoseconds() - start) / calls));
  const std::int64_t wanted = agreed(shortestSampleNanoseconds());
  const auto timed = [&] {
    const InputList& list = timedInputs();
    const bool alone = experiment_.measure.flushes() || (timer_ && resets());
    return alone ? isolated(list, nullptr, passes_).wall : timedPasses(passes_, list);
  };
  // A pass that something else held up would fix a number that is far too small: what seems to be
  // long enough is measured again, and the lesser counts.
  const auto undisturbed = [&] {
    const std::int64_t first = agreed(timed());
    return first < wanted || first > kLongPass ? first : std::min(first, agreed(timed()));
  };
  passes_ = 1;
  for (std::int64_t taken = undisturbed(); taken < wanted; taken = undisturbed()) {
    giveWay();
    const std::int64_t estimate = passes_ * wanted / std::max<std::int64_t>(taken, 1) + 1;
    passes_ = std::clamp(estimate, passes_ + 1, passes_ * 10);
  }
}

/// On a device that works on its own.
void CellRunner::sampleDevice(TakenSample& taken, const InputList& list) {
  DeviceTimes times;
  if (experiment_.measure.flushes() || resets()) {
    const DevicePasses alone = isolated(list, nullptr, passes_);
    giveWay();
    const DevicePasses timed = isolated(list, timer_.get(), passes_);
    taken.sample.nanoseconds = times.single = alone.perCall();
    times.enqueue = alone.enqueue;
    times.event = timed.event;
    if (stall_) times.device = isolated(list, timer_.get(), 1, stall_.get()).event;
  } else {
    const DevicePasses queued = queuedPasses(backend_, *executor_, list, *timer_, passes_);
    giveWay();
    const DevicePasses alone =
        isolatedPasses(backend_, *executor_, list, nullptr, 1, /*flush=*/false);
    taken.sample.nanoseconds = queued.perCall();
    times.enqueue = queued.enqueue;
    times.event = queued.event;
    times.single = alone.perCall();
    if (stall_) times.device = heldPasses(backend_, *executor_, list, *timer_, *stall_, passes_);
  }
  if (times.device == 0) stall_.reset();  // each attempt takes as long as a stall at most lasts
  taken.sample.device = times;
}

TakenSample CellRunner::sample() {
  if (!executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  try {
    return takeSample();
  } catch (const ProgramError& error) {
    failRunningAway(error);
  }
}

/// Says after how many calls one failed, and which tensors keep their values between calls.
void CellRunner::failRunningAway(const ProgramError& error) {
  std::string kept;
  for (const HeldInput& held : program_.held)
    if (written_[static_cast<std::size_t>(held.input)])
      kept += (kept.empty() ? "`" : ", `") + program_.inputs[static_cast<std::size_t>(held.input)] +
              "`";
  if (kept.empty() || !given_ || ranks_ || resets()) throw error;
  restoreInputs();
  std::int64_t calls = 0;
  try {
    for (; calls < kMostCounted; ++calls) {
      giveWay();
      executor_->call(list_->entries[static_cast<std::size_t>(calls) % list_->entries.size()]);
      backend_.synchronize();
    }
  } catch (const ProgramError& again) {
    if (calls > 0)
      throw ProgramError(again.place(),
                         saying("after {} calls: {}; calls keep the values of {}; to restore them "
                                "before each call, use --reset each-call, or \"reset\": \"each "
                                "call\" under \"measure\"",
                                calls, saidAgain(again.what()), kept));
  }
  throw error;
}

TakenSample CellRunner::takeSample() {
  takeInputs();
  if (passes_ == 0) warmUp();
  restoreInputs();
  untimedPass();
  giveWay();
  const InputList& list = timedInputs();
  TakenSample taken;
  taken.passes = passes_;
  if (timer_) {
    sampleDevice(taken, list);
  } else {
    const auto calls = static_cast<double>(passes_) * static_cast<double>(list.entries.size());
    taken.sample.nanoseconds = static_cast<double>(timedPasses(passes_, list)) / calls;
  }
  if (const auto clock = backend_.clockState()) {
    taken.sample.clockMegahertz = clock->megahertz;
    taken.throttled = clock->throttled;
  }
  return taken;
}

}  // namespace fusebench
