// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/phase_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/cuda/codegen/accumulator_text.h"
#include "engine/cuda/codegen/device_functions.h"
#include "engine/cuda/codegen/element_weight.h"
#include "engine/cuda/codegen/launch_sizes.h"
#include "engine/cuda/codegen/loop_writer.h"
#include "engine/cuda/codegen/typed_text.h"

namespace fusebench::cuda {
namespace {

TypedAccumulator accumulatorFor(const KernelOutput& output) {
  return {output.accumulate, output.accumulated};
}

constexpr std::string_view kAcrossRow =
    R"(// Merges what a row of threads (blockDim.x of them, a power of two) has gathered, in a fixed
// order; the row's first thread in each warp gets the result. A warp may hold several rows, which
// then wait for nobody. `turn` is other than at the call before: who is ahead overwrites nothing.
template <class State>
static __device__ __forceinline__ State acrossRow(State mine, const int turn) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2)
    if (lanes < (int)blockDim.x) mine = merged(mine, fromLane(mine, lanes));
  if (blockDim.x <= 32) return mine;
  __shared__ State warps[2][16];
  const int inRow = (int)(blockDim.x / 32), first = (int)threadIdx.y * inRow;
  if (threadIdx.x % 32 == 0) warps[turn][first + (int)(threadIdx.x / 32)] = mine;
  __syncthreads();
  mine = warps[turn][first + (int)threadIdx.x % inRow];
#pragma unroll
  for (int lanes = 8; lanes > 0; lanes /= 2)
    if (lanes < inRow) mine = merged(mine, fromLane(mine, lanes));
  return mine;
}
)";

constexpr std::string_view kToRow =
    R"(// What a row's first thread in a warp has, for all of the row there.
template <class Number>
static __device__ __forceinline__ Number fromFirst(const Number mine) {
  const unsigned lane = (threadIdx.x + threadIdx.y * blockDim.x) % 32;
  return __shfl_sync(0xffffffffu, mine, (int)(lane - threadIdx.x % 32));
}
static __device__ __forceinline__ float toRow(const float mine) { return fromFirst(mine); }
static __device__ __forceinline__ double toRow(const double mine) { return fromFirst(mine); }
static __device__ __forceinline__ int toRow(const int mine) { return fromFirst(mine); }
static __device__ __forceinline__ long long toRow(const long long mine) { return fromFirst(mine); }
)";

/// Squared deviations of a row: all its threads take the row's first element as the pivot, so that
/// what they have gathered merges by adding; else it is as accumulator_text.cpp says.
constexpr std::string_view kSpread =
    R"(// Sums of x - pivot and of its square, the pivot being the row's first x.
struct alignas(8) Spread {
  double sum, squares;
};
static __device__ __forceinline__ void add(Spread& spread, const float x, const double pivot) {
  const double off = (double)x - pivot;
  spread.sum += off;
  spread.squares = fma(off, off, spread.squares);
}
static __device__ __forceinline__ Spread merged(const Spread a, const Spread b) {
  return {a.sum + b.sum, a.squares + b.squares};
}
static __device__ __forceinline__ Spread fromLane(const Spread mine, const int lanes) {
  return {__shfl_down_sync(0xffffffffu, mine.sum, lanes),
          __shfl_down_sync(0xffffffffu, mine.squares, lanes)};
}
// The sum of (x - mean)^2.
static __device__ __forceinline__ double squares(const Spread spread, const double count) {
  if (count == 0.0) return 0.0;
  const double made = fma(-spread.sum / count, spread.sum, spread.squares);
  return made < 0.0 ? 0.0 : made;
}
)";

double costOf(Primitive primitive) {
  return isRoutine(primitive) ? 20 : 1;
}

bool isSpread(const KernelOutput& output) {
  return output.accumulate == Accumulate::squaredDeviations &&
         output.accumulated == TypeClass::float32;
}

/// A thread keeps up to so many elements of a row, those of several tensors in up to so many
/// registers: half of those that it has.
constexpr int kMostElements = 32, kMostRegisters = 64;
/// For rows of unknown length, and for those that need no more.
constexpr int kUsualElements = 16;

/// Registers per element. An element of 64 bits takes two, and a value computed from it as many
/// again: more would not be kept in registers, but spilled.
int registersOf(DType dtype) {
  return info(dtype).size == 8 ? 4 : 1;
}

/// The reads of elements that are cheaper than this are worth overlapping.
constexpr std::int64_t kLightRow = 64;

/// The most compileMicroseconds() of phases that are part of each loop that calls them: a loop of
/// eight rounds that each take a sine and a mean took 9 s. Beyond it the expensive ones are
/// separate routines. Values kept in registers are then in local memory during calls, so only as
/// many phases as necessary become routines.
constexpr std::int64_t kMostMicroseconds = 1'000'000;
/// A phase below this does not become a routine: the call would take the same time as its body.
constexpr std::int64_t kWorthACall = 1'000;

}  // namespace

PhaseWriter::PhaseWriter(KernelFacts& facts, const SourceOptions& options, SourceText& text)
    : facts_(facts), text_(text), split_(phasesOf(facts.kernel, nullptr)) {
  for (int dim = 0; dim < facts.kernel.rank(); ++dim)
    (facts.kernel.reduced(dim) ? reduced_ : rows_).push_back(dim);
  std::vector<bool> moved(facts.tensors(), false);
  for (std::size_t t = 0; t < facts.tensors(); ++t)
    moved[t] = t >= facts.kernel.inputs.size() || !facts.kernel.inputs[t].indexed;
  width_ = vectorWidth(facts, reduced_, reduced_.back(), moved);
  int number = 0;
  for (const KernelPhase& loop : split_.loops) {
    ++number;
    add(phases_, loop, options, fmt::format("phase{}", number),
        fmt::format("One element of a row in phase {}.", number));
  }
  if (!split_.last.kernel.outputs.empty())
    add(phases_, split_.last, options, "atLast", "What is of the row, after all phases.");
  if (goesOnce(facts.kernel)) return;
  chooseKept();
  if (kept_.vectors > 0) keepResults(options);
}

LoopWriter PhaseWriter::loopOf(Phase& phase) const {
  return {phase.facts, *phase.element, text_, rows_, reduced_, width_};
}

/// Chooses the inputs that several phases read along the row, if all phases take several elements
/// at a time.
void PhaseWriter::chooseKept() {
  std::vector<int> readers(facts_.kernel.inputs.size(), 0);
  std::vector<std::string> conditions;
  for (std::size_t p = 0; p < split_.loops.size(); ++p) {
    const LoopWriter loop = loopOf(phases_[p]);
    if (!loop.vectors()) return;
    for (const std::string& condition : loop.conditions())
      if (std::ranges::find(conditions, condition) == conditions.end())
        conditions.push_back(condition);
    for (const std::size_t t : phases_[p].element->inputs()) {
      const KernelTensor& input = facts_.kernel.inputs[t];
      if (!input.indexed && !input.counts && input.strides[reduced_.back()] == 1) ++readers[t];
    }
  }
  kept_.arrays.resize(readers.size());
  int number = 0;
  for (std::size_t t = 0; t < readers.size(); ++t) {
    const int registers = registers_ + registersOf(facts_.kernel.inputs[t].dtype);
    if (readers[t] <= 1 || registers * kUsualElements > kMostRegisters) continue;
    kept_.arrays[t] = facts_.names.make(fmt::format("kept{}", number++));
    registers_ = registers;
  }
  if (number == 0) return;
  const std::int64_t length = facts_.knownProduct(reduced_);
  const bool narrow = width_ == kNarrowVector;
  const int most = narrow ? kUsualElements / 2 : kMostElements;
  int elements = narrow ? most : kUsualElements;
  if (length != kAtLaunch) {
    while (elements > width_ && length <= kShortRowThreads * elements / 2) elements /= 2;
    while (elements < most && 2 * elements * registers_ <= kMostRegisters &&
           length > kRowThreads * elements)
      elements *= 2;
    if (length > kRowThreads * elements) return;
    if (length % width_ != 0) return;
  } else {
    conditions.push_back(fmt::format("length % {} == 0", width_));
  }
  kept_.vectors = elements / width_;
  keptWhen_ = fmt::format("length <= {} * lanes", elements);
  for (const std::string& condition : conditions) keptWhen_ += " && " + condition;
}

/// Has what is dear and asked for by several phases kept, too, where there is room.
void PhaseWriter::keepResults(const SourceOptions& options) {
  keptSplit_ = phasesOf(facts_.kernel, costOf);
  if (keptSplit_.buffers.empty()) return;
  int number = 0;
  for (const KernelPhase& loop : keptSplit_.loops) {
    ++number;
    add(keptPhases_, loop, options, fmt::format("keptPhase{}", number),
        fmt::format("The same where what several phases need is kept, in phase {}.", number));
  }
  if (mostRegisters() * std::max(keptElements(), kUsualElements) > kMostRegisters) {
    keptPhases_.clear();
    return;
  }
  for (std::size_t b = 0; b < keptSplit_.buffers.size(); ++b)
    buffers_.push_back(facts_.names.make(fmt::format("made{}", b)));
}

/// How many registers an element takes where most is kept at a time: each value from the phase that
/// makes it to the last that reads it. Inputs are there from the start.
int PhaseWriter::mostRegisters() const {
  std::vector<int> most(keptPhases_.size(), 0);
  const auto live = [&](int tensor, DType dtype) {
    std::size_t first = tensor < 0 ? most.size() : 0, last = 0;
    for (std::size_t p = 0; p < keptPhases_.size(); ++p) {
      const KernelPhase& said = *keptPhases_[p].said;
      const std::size_t inputs = said.kernel.inputs.size();
      const auto isIt = [&](std::size_t t) { return said.tensors[t] == tensor; };
      bool used = std::ranges::any_of(keptPhases_[p].element->inputs(), isIt);
      for (std::size_t t = inputs; t < said.tensors.size(); ++t) used = used || isIt(t);
      if (!used) continue;
      first = std::min(first, p);
      last = p;
    }
    for (std::size_t p = first; p <= last && p < most.size(); ++p) most[p] += registersOf(dtype);
  };
  for (std::size_t t = 0; t < kept_.arrays.size(); ++t)
    if (!kept_.arrays[t].empty()) live(static_cast<int>(t), facts_.kernel.inputs[t].dtype);
  for (std::size_t b = 0; b < keptSplit_.buffers.size(); ++b)
    live(-1 - static_cast<int>(b), keptSplit_.buffers[b]);
  return most.empty() ? 0 : *std::ranges::max_element(most);
}

/// The kept inputs among a phase's tensors.
LoopWriter::Kept PhaseWriter::keptOf(const Phase& phase) const {
  LoopWriter::Kept kept{kept_.vectors, {}, {}};
  const KernelPhase& said = *phase.said;
  for (std::size_t t = 0; t < said.tensors.size(); ++t) {
    const int tensor = said.tensors[t];
    const bool input = t < said.kernel.inputs.size();
    std::string name;
    if (tensor < 0)
      name = buffers_[static_cast<std::size_t>(-1 - tensor)];
    else if (input)
      name = kept_.arrays[static_cast<std::size_t>(tensor)];
    (input ? kept.arrays : kept.results).push_back(name);
  }
  return kept;
}

/// Reads what is kept, before the first phase.
void PhaseWriter::writeKeeping() {
  text_.line("// What several phases read stays in registers where all of the row has room there.");
  for (std::size_t t = 0; t < kept_.arrays.size(); ++t)
    if (!kept_.arrays[t].empty())
      text_.line(fmt::format("{} {}[{}][{}];", classText(classOf(facts_.kernel.inputs[t].dtype)),
                             kept_.arrays[t], kept_.vectors, width_));
  for (std::size_t b = 0; b < buffers_.size(); ++b)
    text_.line(fmt::format("{} {}[{}][{}];", classText(classOf(keptSplit_.buffers[b])), buffers_[b],
                           kept_.vectors, width_));
  text_.open(rows_.empty() ? "if (fits)" : "if (fits && row < rows)");
  LoopWriter::writeIndices(facts_, text_, rows_, "row");
  loopOf(phases_.front()).writeKeeping(kept_, "length", "lane", "lanes");
  text_.close();
}

void PhaseWriter::add(std::deque<Phase>& to, const KernelPhase& said, const SourceOptions& options,
                      const std::string& name, const std::string& comment) {
  Phase& phase = to.emplace_back(Phase{&said, KernelFacts(said.kernel, options), nullptr});
  nameAsWhole(phase);
  phase.element = std::make_unique<ElementFunction>(phase.facts, facts_.names.make(name), comment);
}

void PhaseWriter::nameAsWhole(Phase& phase) const {
  KernelFacts& own = phase.facts;
  own.whole = &facts_;
  own.index = facts_.index;
  own.extents = facts_.extents;
  own.indices = facts_.indices;
  own.scalars = facts_.scalars;
  own.carried = facts_.carried;
  for (std::size_t t = 0; t < phase.said->tensors.size(); ++t) {
    const int tensor = phase.said->tensors[t];
    if (tensor < 0 || tensor == KernelPhase::kNowhere) continue;
    own.pointers[t] = facts_.pointers[static_cast<std::size_t>(tensor)];
    own.strides[t] = facts_.strides[static_cast<std::size_t>(tensor)];
  }
}

std::vector<bool> PhaseWriter::primitives() const {
  std::vector<bool> used(kPrimitives, false);
  for (const std::deque<Phase>* phases : {&phases_, &keptPhases_})
    for (const Phase& phase : *phases)
      for (std::size_t p = 0; p < used.size(); ++p)
        used[p] = used[p] || phase.element->primitives()[p];
  return used;
}

int PhaseWriter::width() const {
  const bool any = std::ranges::any_of(split_.loops, [&](const KernelPhase& loop) {
    const auto found = std::ranges::find(phases_, &loop, &Phase::said);
    KernelFacts facts = found->facts;
    return LoopWriter(facts, *found->element, text_, rows_, reduced_, width_).vectors();
  });
  return any ? width_ : 1;
}

void PhaseWriter::writeFunctions() const {
  // A loop in registers has each element's text, other loops a vector's and that of a single one.
  const int others = width_ + 1;
  writeFunctions(phases_, keptPhases_.empty() ? keptElements() + others : others);
  writeFunctions(keptPhases_, keptElements());
}

void PhaseWriter::writeFunctions(const std::deque<Phase>& phases, std::int64_t copies) const {
  const auto isLoop = [&](const Phase& phase) { return phase.said != &split_.last; };
  std::int64_t microseconds = 0;
  for (const Phase& phase : phases)
    microseconds += (isLoop(phase) ? copies : 1) * compileMicroseconds(phase.said->kernel);
  for (const Phase& phase : phases)
    phase.element->write(text_, microseconds > kMostMicroseconds && isLoop(phase) &&
                                    compileMicroseconds(phase.said->kernel) >= kWorthACall);
}

void PhaseWriter::writeHelpers() const {
  std::vector<std::string> written;
  bool spreads = false;
  for (const KernelOutput& carried : facts_.kernel.carried) {
    if (isSpread(carried)) {
      spreads = true;
      continue;
    }
    const TypedAccumulator kind = accumulatorFor(carried);
    if (std::ranges::find(written, kind.state()) != written.end()) continue;
    written.push_back(kind.state());
    text_.block(kind.definition());
  }
  if (spreads) text_.block(kSpread);
  text_.block(kAcrossRow);
  text_.block(kToRow);
}

void PhaseWriter::writePhase(Phase& phase) {
  const Kernel& kernel = phase.said->kernel;
  struct Gathered {
    const KernelOutput* output;
    std::size_t number;
    std::string gathering, state, pivot;
  };
  std::vector<Gathered> all;
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
    if (!kernel.outputs[o].reduces) continue;
    const TypedAccumulator kind = accumulatorFor(kernel.outputs[o]);
    const int carried = phase.said->carried[o];
    const std::string state = facts_.names.make(fmt::format("state{}", carried));
    if (isSpread(kernel.outputs[o])) {
      const std::string pivot = facts_.names.make(fmt::format("pivot{}", carried));
      all.push_back({&kernel.outputs[o], o, state, state, pivot});
      text_.line(fmt::format("Spread {} = {{0.0, 0.0}};", state));
      text_.line(fmt::format("double {} = 0.0;", pivot));
      continue;
    }
    const std::string gathering = kind.gathering() == kind.state()
                                      ? state
                                      : facts_.names.make(fmt::format("gathering{}", carried));
    all.push_back({&kernel.outputs[o], o, gathering, state, {}});
    text_.line(fmt::format("{} {} = {};", kind.gathering(), gathering, kind.nothing()));
  }
  const auto adds = [&](const Phase& as, const std::vector<std::string>& results, int width) {
    StatementComments comments(text_, facts_.program);
    for (const Gathered& each : all) {
      const TypedAccumulator kind = accumulatorFor(*each.output);
      const auto number = static_cast<std::size_t>(
          std::ranges::find(as.said->carried, phase.said->carried[each.number]) -
          as.said->carried.begin());
      const std::string& value = results[as.element->resultOf(number)];
      const std::string place = !each.pivot.empty()                        ? each.pivot
                                : !info(each.output->accumulate).positions ? ""
                                : width > 1 ? fmt::format("{} * i + k", width)
                                            : "i";
      comments.before(each.output->op);
      for (const std::string& line : kind.adds(each.gathering, value, place, width))
        text_.line(line, each.output->op);
    }
  };
  // A block of its own: phases have names of their loops in common.
  text_.open(rows_.empty() ? "if (length > 0)" : "if (row < rows)");
  LoopWriter::writeIndices(facts_, text_, rows_, "row");
  LoopWriter loop = loopOf(phase);
  if (elementWeight(kernel) <= kLightRow) loop.overlapVectors();
  if (std::ranges::any_of(all, [](const Gathered& each) { return !each.pivot.empty(); })) {
    text_.open("if (length > 0)");
    loop.writeFirst([&](const std::vector<std::string>& results) {
      for (const Gathered& each : all)
        if (!each.pivot.empty())
          text_.line(fmt::format("{} = (double){};", each.pivot,
                                 results[phase.element->resultOf(each.number)]));
    });
    text_.close();
  }
  if (kept_.vectors > 0) {
    const auto p = static_cast<std::size_t>(phase.said - split_.loops.data());
    Phase& as = keptPhases_.empty() ? phase : keptPhases_[p];
    text_.open("if (fits)");
    loopOf(as).writeKept(keptOf(as), "length", "lane", "lanes",
                         [&](const auto& results) { adds(as, results, width_); });
    text_.close("} else {");
    text_.indent();
  }
  loop.write(
      "length", "lane", "lanes", [&](const auto& results) { adds(phase, results, 1); },
      [&](const auto& results) { adds(phase, results, width_); });
  if (kept_.vectors > 0) text_.close();
  text_.close();
  for (const Gathered& each : all) {
    const TypedAccumulator kind = accumulatorFor(*each.output);
    const bool spread = !each.pivot.empty();
    const std::string mine =
        each.gathering == each.state ? each.gathering : fmt::format("gathered({})", each.gathering);
    const std::string made = facts_.names.make(each.state + "_row");
    text_.line(fmt::format("const {} {} = acrossRow({}, turn);", spread ? "Spread" : kind.state(),
                           made, mine));
    text_.line("turn ^= 1;");
    const AccumulatorText& words = accumulatorText(each.output->accumulate);
    const std::string count =
        words.count.empty() ? "(double)length" : fmt::format("{}.{}", made, words.count);
    const std::string result = spread ? fmt::format("squares({}, {})", made, count)
                                      : fmt::format("{}.{}", made, words.result);
    const auto carried = static_cast<std::size_t>(phase.said->carried[each.number]);
    text_.line(
        fmt::format("const {} {} = toRow({});", classText(classOf(each.output->tensor.dtype)),
                    facts_.carried[carried], carriedText(*each.output, result, count)),
        each.output->op);
  }
}

void PhaseWriter::writeLast() {
  text_.open(rows_.empty() ? "if (threadIdx.x == 0)" : "if (threadIdx.x == 0 && row < rows)");
  LoopWriter::writeIndices(facts_, text_, rows_, "row");
  writeOfRow();
  text_.close();
}

void PhaseWriter::writeOfRow() {
  Phase& phase = phases_.back();
  loopOf(phase).writeOnce("1", "0");
}

void PhaseWriter::writeEntry(const std::string& name) {
  const std::string& index = facts_.index;
  text_.line("// Rows of threads, each of which goes along one row once a phase.");
  text_.line(fmt::format("extern \"C\" __global__ void __launch_bounds__({})", kRowThreads));
  text_.open(fmt::format("{}({})", name, facts_.parameters(true)));
  text_.line(fmt::format("const {} length = {};", index, facts_.product(reduced_)));
  text_.line(fmt::format("const {0} lane = ({0})threadIdx.x;", index));
  text_.line(fmt::format("const {0} lanes = ({0})blockDim.x;", index));
  text_.line("int turn = 0;");
  if (kept_.vectors > 0) text_.line(fmt::format("const bool fits = {};", keptWhen_));
  if (!rows_.empty()) {
    text_.line(fmt::format("const {} rows = {};", index, facts_.product(rows_)));
    text_.open(
        fmt::format("for ({0} first = ({0})blockIdx.x * blockDim.y; first < rows; "
                    "first += ({0})gridDim.x * blockDim.y)",
                    index));
    text_.line(fmt::format("const {} row = first + threadIdx.y;", index));
  }
  if (kept_.vectors > 0) writeKeeping();
  for (std::size_t p = 0; p < split_.loops.size(); ++p) writePhase(phases_[p]);
  if (phases_.size() > split_.loops.size()) writeLast();
  if (!rows_.empty()) text_.close();
  text_.close();
}

}  // namespace fusebench::cuda
