// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/kernel_writer.h"

#include <bit>
#include <memory>

#include "engine/cpu/codegen/constant_pool.h"
#include "engine/cpu/codegen/pass_choice.h"
#include "engine/cpu/codegen/row_writer.h"
#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {
namespace {

using llvm::Value;

/// Nodes that these values depend on.
std::vector<bool> neededFor(const Kernel& kernel, const std::vector<ExprId>& values) {
  std::vector<bool> needed(kernel.body.size(), false);
  for (const ExprId value : values) needed[static_cast<std::size_t>(value)] = true;
  for (std::size_t i = kernel.body.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
    for (int o = 0; o < info(node.primitive).arity; ++o)
      needed[static_cast<std::size_t>(node.operands[o])] = true;
  }
  return needed;
}

std::vector<ExprId> outputValues(const Kernel& kernel) {
  std::vector<ExprId> values;
  for (const auto& output : kernel.outputs) values.push_back(output.value);
  return values;
}

/// A division of four lanes takes a quarter of the time that one of sixteen does.
VectorTarget fewLanes(VectorTarget target) {
  target.width = std::min(target.width, 4);
  return target;
}

}  // namespace

KernelWriter::KernelWriter(const Kernel& kernel, const Schedule& schedule, const Target& target,
                           llvm::Module& module)
    : module_(module),
      scope_(kernel, schedule, target, module),
      panels_(scope_),
      shorts_(scope_, panels_),
      blocks_(scope_, panels_, shorts_),
      k_(kernel),
      s_(schedule),
      b_(scope_.b),
      needed_(neededFor(kernel, outputValues(kernel))),
      ranges_(valueRanges(kernel)),
      roundings_(roundings(kernel)),
      few_(b_, fewLanes(target.vector)) {}

void beginEntry(KernelScope& scope, llvm::Module& module, OpMarks* marks) {
  auto* pointer = scope.b.getPtrTy();
  auto* number = scope.b.getInt64Ty();
  auto* type = llvm::FunctionType::get(scope.b.getVoidTy(),
                                       {pointer, pointer, pointer, number, number, pointer}, false);
  scope.function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, kEntryName, module);
  scope.function->addFnAttr("target-cpu", scope.target.cpu);
  scope.function->addFnAttr("target-features", scope.target.features);
  if (scope.target.vectorRegisters == 32 && scope.target.vector.width == 16) {
    scope.function->addFnAttr("prefer-vector-width", "512");
    scope.function->addFnAttr("min-legal-vector-width", "512");
  }
  scope.function->addFnAttr(llvm::Attribute::NoUnwind);
  scope.marks = marks;
  if (marks) marks->begin(*scope.function);
  scope.mark(-1);
  scope.b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", scope.function));
}

void KernelWriter::makeAccumulators() {
  // A last block that is short leaves lanes behind: no matter where nothing comes after it.
  const bool even =
      !s_.vectorReduced || !scope_.mayHaveTail() || std::has_single_bit(k_.reducedMask);
  const std::int64_t extent = k_.extents[s_.vectorDim];
  const bool once = goesAlongRow() && std::has_single_bit(k_.reducedMask) && !s_.partials &&
                    extent > 0 && extent <= kFlushSteps * scope_.step();
  for (const auto& output : k_.outputs) {
    Accumulator::Setting setting{b_, scope_.target.vector.width, s_.interleave, s_.vectorReduced,
                                 {}, output.accumulated,         even};
    setting.twice = canLook(output);
    setting.once = once;
    accumulators_.push_back(output.reduces ? Accumulator::make(output.accumulate, setting)
                                           : nullptr);
  }
}

/// Whether a loop along reduced elements is one loop, with nothing on the way.
bool KernelWriter::goesAlongRow() const {
  return s_.vectorReduced && s_.order.back() == s_.vectorDim && !s_.hasPanels() &&
         segments_.size() == 1;
}

/// Whether what is accumulated is cheap enough to be gone through twice, in runs that are long
/// enough for what is done after each.
bool KernelWriter::canLook(const KernelOutput& output) const {
  constexpr double kCheap = 6;
  if (!output.reduces || !goesAlongRow()) return false;
  const std::int64_t extent = k_.extents[s_.vectorDim];
  if (!std::has_single_bit(k_.reducedMask) && (extent == kAtLaunch || extent < 4 * scope_.step()))
    return false;
  const std::vector<bool> needed = neededFor(k_, {output.value});
  double cost = 0;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i] && uniform_[i].empty())
      cost += instructionCount(k_.body[static_cast<ExprId>(i)].primitive);
  return cost <= kCheap;
}

void KernelWriter::cutIntoSegments() {
  std::vector<bool> skip(k_.body.size());
  for (std::size_t i = 0; i < skip.size(); ++i) skip[i] = !needed_[i] || !uniform_[i].empty();
  segments_ = cutSegments(k_, skip, s_.segmentLimit);
}

KernelScope::Values KernelWriter::writeRow(const KernelScope::Values& carried) {
  gather(carried);
  return rowResults(scope_, accumulators_);
}

void KernelWriter::writePartOfRow(Value* words) {
  gather({});
  storePartials(scope_, accumulators_, words);
}

void KernelWriter::gather(const KernelScope::Values& carried) {
  setCarried(carried);
  writeUniformValues();
  cutIntoSegments();
  makeAccumulators();
  for (auto& accumulator : accumulators_)
    if (accumulator) accumulator->reset();
  reducedNest(s_.firstReduced);
}

KernelScope::Values KernelWriter::rowValues(const KernelScope::Values& carried) {
  setCarried(carried);
  writeUniformValues();
  KernelScope::Values values;
  for (const KernelOutput& output : k_.outputs) {
    scope_.mark(output.op);
    values.push_back(b_.CreateExtractElement(
        uniform_[static_cast<std::size_t>(output.value)].front(), std::uint64_t{0}));
  }
  scope_.mark(-1);
  return values;
}

void KernelWriter::storeRow(const KernelScope::Values& carried) {
  const KernelScope::Values values = rowValues(carried);
  for (std::size_t o = 0; o < k_.outputs.size(); ++o) {
    const KernelOutput& output = k_.outputs[o];
    scope_.mark(output.op);
    const std::size_t tensor = scope_.outputTensor(o);
    b_.CreateStore(scope_.toMemory(values[o], output.tensor.dtype, true), scope_.element(tensor));
  }
  scope_.mark(-1);
}

/// Sets the values that earlier loops computed for the row, and those that are the same all along
/// it.
void KernelWriter::setCarried(const KernelScope::Values& carried) {
  inRow_ = true;
  uniform_.resize(k_.body.size());
  const std::vector<bool> ofRow = rowNodes(k_);
  for (std::size_t i = 0; i < k_.body.size(); ++i) {
    const ExprNode& node = k_.body[static_cast<ExprId>(i)];
    if (!needed_[i] || !ofRow[i]) continue;
    const auto index = static_cast<std::size_t>(
        node.index < LoopNest::kFirstTotal ? node.index : node.index - LoopNest::kFirstTotal);
    Value* one = nullptr;
    if (node.primitive == Primitive::carried)
      one = carried[index];
    else if (node.primitive == Primitive::input)
      one = blocks_.loadStanding(index);
    if (one) uniform_[i] = {b_.CreateVectorSplat(few_.width(), one)};
  }
}

void KernelWriter::write(OpMarks* marks) {
  beginEntry(scope_, module_, marks);
  scope_.readArguments();
  writeUniformValues();
  cutIntoSegments();
  makeAccumulators();
  level(0);
  if (!s_.streamed.empty()) scope_.orderStores();
  b_.CreateRetVoid();
  promoteSlots(*scope_.function);
  if (s_.pooledConstants) poolConstants(*scope_.function);
}

Pack KernelWriter::everywhere(const Pack& few) {
  return {b_.CreateVectorSplat(static_cast<unsigned>(scope_.width()),
                               b_.CreateExtractElement(few.front(), std::uint64_t{0}))};
}

/// Values that depend on constants and scalars only, or on those of a row, are computed once,
/// before the loops. For a row, where this is repeated, a few lanes are computed.
void KernelWriter::writeUniformValues() {
  uniform_.resize(k_.body.size());
  VectorMath& math = inRow_ ? few_ : scope_.math;
  for (std::size_t i = 0; i < k_.body.size(); ++i) {
    if (!needed_[i]) continue;
    const ExprNode& node = k_.body[static_cast<ExprId>(i)];
    if (node.primitive == Primitive::input || node.primitive == Primitive::carried ||
        node.primitive == Primitive::at)
      continue;
    markNode(i);
    if (node.primitive == Primitive::constant) {
      uniform_[i] = {math.splat(node)};
    } else if (node.primitive == Primitive::scalar) {
      Value* at = b_.CreateConstGEP1_64(b_.getInt64Ty(), scope_.function->getArg(2),
                                        static_cast<std::uint64_t>(node.index));
      Value* scalar = b_.CreateLoad(scope_.memoryType(storageOf(node.type)), at);
      uniform_[i] = {b_.CreateVectorSplat(math.width(), scalar)};
    } else {
      bool allUniform = true;
      for (int o = 0; o < info(node.primitive).arity; ++o)
        allUniform &= !uniform_[static_cast<std::size_t>(node.operands[o])].empty();
      if (allUniform) uniform_[i] = emitNode(static_cast<ExprId>(i), uniform_, math);
    }
  }
  for (std::size_t i = 0; inRow_ && i < uniform_.size(); ++i) {
    if (uniform_[i].empty()) continue;
    const ExprNode& node = k_.body[static_cast<ExprId>(i)];
    uniform_[i] = node.primitive == Primitive::constant ? Pack{scope_.math.splat(node)}
                                                        : everywhere(uniform_[i]);
  }
  scope_.mark(-1);
}

void KernelWriter::level(int position) {
  const bool reduces = s_.firstReduced < static_cast<int>(s_.order.size());
  if (position == s_.firstReduced && reduces) {
    for (auto& accumulator : accumulators_)
      if (accumulator) accumulator->reset();
    reducedNest(position);
    if (s_.partials && s_.splits)
      emitIf(
          b_, b_.CreateIsNull(scope_.function->getArg(5)),
          [&] { storeResults(scope_, blocks_, accumulators_); },
          [&] { storePartials(scope_, accumulators_, scope_.function->getArg(5)); });
    else
      storeResults(scope_, blocks_, accumulators_);
    return;
  }
  if (position == static_cast<int>(s_.order.size())) return body();
  loop(position);
}

void KernelWriter::reducedNest(int position) {
  if (position == static_cast<int>(s_.order.size())) return body();
  loop(position);
}

void KernelWriter::loop(int position) {
  const int dim = s_.order[static_cast<std::size_t>(position)];
  const auto d = static_cast<std::size_t>(dim);
  const bool vector = dim == s_.vectorDim;
  const bool innermostReduced =
      k_.reduced(dim) && position + 1 == static_cast<int>(s_.order.size());
  Value* begin = scope_.int64(0);
  Value* end = scope_.extents[d];
  if (position == 0 && s_.splits) {
    begin = scope_.function->getArg(3);
    end = scope_.function->getArg(4);
  }
  if (dim == s_.panelDim) return panelLoops(position, begin, end);
  if (vector && panels_.entered()) {
    begin = panels_.column();
    end = panels_.end();
  }
  const auto enterAt = [&](Value* i) { enter(position, i, end); };
  // The innermost reduced loop is cut into short runs, after each of which sums are flushed;
  // panelRows() handles panels.
  const bool flushes = innermostReduced && !panels_.entered();
  if (vector) return vectorLoop(begin, end, flushes, enterAt);
  if (!flushes) return emitLoop(b_, begin, end, scope_.int64(1), enterAt);
  inRuns(begin, end, kFlushSteps, [&](Value* from, Value* to) {
    emitLoop(b_, from, to, scope_.int64(1), enterAt, true);
    flush();
  });
}

void KernelWriter::inRuns(Value* begin, Value* end, std::int64_t length,
                          const std::function<void(Value*, Value*)>& run) {
  emitLoop(b_, begin, end, scope_.int64(length), [&](Value* from) {
    Value* limit = b_.CreateAdd(from, scope_.int64(length));
    run(from, b_.CreateSelect(b_.CreateICmpSLT(limit, end), limit, end));
  });
}

void KernelWriter::flush() {
  for (auto& accumulator : accumulators_)
    if (accumulator) accumulator->flush();
}

void KernelWriter::enter(int position, Value* index, Value* end) {
  const int dim = s_.order[static_cast<std::size_t>(position)];
  const auto d = static_cast<std::size_t>(dim);
  const KernelScope::Values saved = scope_.offsets;
  const KernelScope::Block savedBlock = scope_.block;
  scope_.indices[d] = index;
  if (dim == s_.vectorDim)
    scope_.block = {index, end};
  else
    for (std::size_t t = 0; t < scope_.offsets.size(); ++t)
      scope_.offsets[t] = scope_.advanced(scope_.offsets[t], index, scope_.strides[t][d]);
  if (k_.reduced(dim))
    reducedNest(position + 1);
  else
    level(position + 1);
  scope_.offsets = saved;
  scope_.block = savedBlock;
  scope_.indices[d] = nullptr;
}

/// The blocks, and around them, once for all segments, what a last one that is short needs.
void KernelWriter::vectorLoop(Value* begin, Value* end, bool flushes,
                              const std::function<void(Value*)>& enter) {
  if (!scope_.mayHaveTail() || !scope_.tailsAroundLoop())
    return segmentLoops(begin, end, flushes, enter);
  Value* count = b_.CreateURem(b_.CreateSub(end, begin), scope_.int64(scope_.step()));
  Value* isShort = b_.CreateIsNotNull(count);
  Value* last = b_.CreateSub(end, count);
  shorts_.copyAll(shorts_.inPlace(segments_, true), isShort, last, count);
  segmentLoops(begin, end, flushes, enter);
  shorts_.copyAll(shorts_.inPlace(segments_, false), isShort, last, count);
}

/// All steps of one segment over a tile, then the next segment's. A tile is also a run after which
/// sums are flushed. This avoids one loop around all of the code, whose register allocation takes
/// longer the deeper it is nested.
void KernelWriter::segmentLoops(Value* begin, Value* end, bool flushes,
                                const std::function<void(Value*)>& enter) {
  if (segments_.size() == 1) {
    segment_ = &segments_.front();
    if (!flushes) return emitLoop(b_, begin, end, scope_.int64(scope_.step()), enter);
    return inRuns(begin, end, std::int64_t{kFlushSteps} * scope_.step(),
                  [&](Value* from, Value* to) {
                    lookAt(from, to, enter);
                    emitLoop(b_, from, to, scope_.int64(scope_.step()), enter, true);
                    addAgain(from, to, enter);
                    flush();
                  });
  }
  const int tile = s_.tile / scope_.step() * scope_.step();
  inRuns(begin, end, tile, [&](Value* from, Value* to) {
    blocks_.beginTile(from);
    for (const Segment& segment : segments_) {
      segment_ = &segment;
      emitLoop(b_, from, to, scope_.int64(scope_.step()), enter, true);
    }
    if (flushes) flush();
  });
}

template <class Step>
void KernelWriter::forLooking(const Step& step) {
  for (std::size_t o = 0; o < accumulators_.size(); ++o)
    if (accumulators_[o] && accumulators_[o]->looks()) step(*accumulators_[o], k_.outputs[o].value);
}

/// The first time through a run, for those who want it.
void KernelWriter::lookAt(Value* begin, Value* end, const std::function<void(Value*)>& enter) {
  std::vector<ExprId> values;
  forLooking([&](Accumulator& accumulator, ExprId value) {
    values.push_back(value);
    accumulator.begin(b_.CreateSub(end, begin));
  });
  if (values.empty()) return;
  looked_ = neededFor(k_, values);
  pass_ = Pass::look;
  emitLoop(b_, begin, end, scope_.int64(scope_.step()), enter, true);
  pass_ = Pass::whole;
  forLooking([](Accumulator& accumulator, ExprId) { accumulator.looked(); });
}

/// Adds the sums of the run, and repeats the run with scaling if they left the range of their type.
void KernelWriter::addAgain(Value* begin, Value* end, const std::function<void(Value*)>& enter) {
  Value* any = nullptr;
  forLooking([&](Accumulator& accumulator, ExprId) {
    Value* one = accumulator.added();
    any = any ? b_.CreateOr(any, one) : one;
  });
  if (!any) return;
  const auto repeat = [&] {
    forLooking([](Accumulator& accumulator, ExprId) { accumulator.again(); });
    pass_ = Pass::again;
    emitLoop(b_, begin, end, scope_.int64(scope_.step()), enter, true);
    pass_ = Pass::whole;
    forLooking([](Accumulator& accumulator, ExprId) { accumulator.added(); });
  };
  emitIf(b_, any, repeat, {}, true);
}

/// The loops over panelDim and the vectorized dimension, one panel at a time.
void KernelWriter::panelLoops(int position, Value* begin, Value* end) {
  const auto smaller = [this](Value* a, Value* b) {
    return b_.CreateSelect(b_.CreateICmpSLT(a, b), a, b);
  };
  const auto onePanel = [&](Value* row, Value* rowsEnd, Value* column, Value* length) {
    Value* rows = smaller(scope_.int64(s_.panelRows), b_.CreateSub(rowsEnd, row));
    Value* columns = smaller(scope_.int64(s_.panelColumns), b_.CreateSub(length, column));
    panels_.enter(row, column, rows, columns);
    panelRows(position, b_.CreateAdd(row, rows), end);
    panels_.leave(rows, columns);
  };
  const std::int64_t down = std::int64_t{s_.panelRows} * std::max(s_.panelsDown, 1);
  emitLoop(b_, begin, end, scope_.int64(down), [&](Value* top) {
    Value* bottom = smaller(b_.CreateAdd(top, scope_.int64(down)), end);
    Value* length = scope_.extents[static_cast<std::size_t>(s_.vectorDim)];
    emitLoop(b_, scope_.int64(0), length, scope_.int64(s_.panelColumns), [&](Value* column) {
      if (s_.panelsDown <= 1) return onePanel(top, end, column, length);
      emitLoop(b_, top, bottom, scope_.int64(s_.panelRows),
               [&](Value* row) { onePanel(row, bottom, column, length); });
    });
  });
}

/// The panel's rows up to `stop`, in runs after which sums are flushed.
void KernelWriter::panelRows(int position, Value* stop, Value* end) {
  const auto enterAt = [&](Value* index) { enter(position, index, end); };
  if (k_.reducedMask == 0) return emitLoop(b_, panels_.row(), stop, scope_.int64(1), enterAt);
  const std::int64_t length = std::max(1, kFlushSteps * scope_.step() / s_.panelColumns);
  inRuns(panels_.row(), stop, length, [&](Value* from, Value* to) {
    emitLoop(b_, from, to, scope_.int64(1), enterAt, true);
    flush();
  });
}

void KernelWriter::body() {
  if (!scope_.tailsAroundLoop())
    shorts_.copyAll(shorts_.inPlace(segments_, true), scope_.isTail(), scope_.int64(0),
                    scope_.remaining());
  if (segment_ == &segments_.front() && pass_ == Pass::whole)
    for (const auto& [input, elements] : ahead_) fetch(input, elements);
  std::vector<Pack> values = blocks_.loadInputs(segment_->inputs);
  evaluate(values);
  if (pass_ != Pass::whole) return accumulate(values);
  for (ExprId node : segment_->stores)
    blocks_.storeTile(node, values[static_cast<std::size_t>(node)]);
  for (int output : segment_->outputs) {
    const auto o = static_cast<std::size_t>(output);
    scope_.mark(k_.outputs[o].op);
    if (!accumulators_[o])
      blocks_.store(scope_.outputTensor(o), values[static_cast<std::size_t>(k_.outputs[o].value)]);
  }
  scope_.mark(-1);
  accumulate(values);
}

/// Each line of the block that is as far on, into the second-level cache: the first has the row.
void KernelWriter::fetch(std::size_t input, Value* elements) {
  constexpr std::uint64_t kLine = 64;
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(scope_.step()) * info(k_.inputs[input].dtype).size;
  Value* first = scope_.element(input, elements);
  for (std::uint64_t at = 0; at < bytes; at += kLine)
    b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {b_.getPtrTy()},
                       {b_.CreateConstGEP1_64(b_.getInt8Ty(), first, at), b_.getInt32(0),
                        b_.getInt32(2), b_.getInt32(1)});
}

/// Computes the segment's nodes; `values` holds its inputs already.
void KernelWriter::evaluate(std::vector<Pack>& values) {
  for (std::size_t i = 0; i < k_.body.size(); ++i)
    if (!uniform_[i].empty()) values[i] = Pack(scope_.interleave(), uniform_[i].front());
  for (ExprId node : segment_->loads)
    values[static_cast<std::size_t>(node)] = blocks_.loadTile(node);
  for (ExprId id : segment_->nodes) {
    if (pass_ != Pass::whole && !looked_[static_cast<std::size_t>(id)]) continue;
    const ExprNode& node = k_.body[id];
    markNode(static_cast<std::size_t>(id));
    llvm::FastMathFlags flags;
    if (k_.contract && node.primitive >= Primitive::add && node.primitive <= Primitive::mul)
      flags.setAllowContract();
    llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
    b_.setFastMathFlags(flags);
    values[static_cast<std::size_t>(id)] = emitNode(id, values, scope_.math);
  }
  scope_.mark(-1);
}

Pack KernelWriter::emitNode(ExprId id, const std::vector<Pack>& values, VectorMath& math) {
  const ExprNode& node = k_.body[id];
  if (node.primitive == Primitive::at) {
    const auto input = static_cast<std::size_t>(node.index);
    const ExprId place = node.operands[0];
    return blocks_.loadAt(input, values[static_cast<std::size_t>(place)], standsStill(place));
  }
  if (node.primitive == Primitive::narrow) {
    Pack made = values[static_cast<std::size_t>(node.operands[0])];
    for (Value*& value : made)
      value = math.rounded(value, static_cast<DType>(node.index),
                           roundings_[static_cast<std::size_t>(id)]);
    return made;
  }
  std::vector<Pack> operands;
  std::vector<Range> ranges;
  for (int o = 0; o < info(node.primitive).arity; ++o) {
    const auto operand = static_cast<std::size_t>(node.operands[o]);
    operands.push_back(values[operand]);
    ranges.push_back(ranges_[operand]);
  }
  const TypeClass from = k_.body[node.operands[info(node.primitive).arity - 1]].type;
  return math.emit(node, from, operands, ranges);
}

/// Whether a node has the same value all along the vectorized dimension.
bool KernelWriter::standsStill(ExprId id) {
  for (std::size_t i = still_.size(); i <= static_cast<std::size_t>(id); ++i) {
    const ExprNode& node = k_.body[static_cast<ExprId>(i)];
    bool still = node.primitive != Primitive::carried;
    if (node.primitive == Primitive::input || node.primitive == Primitive::at)
      still = k_.inputs[static_cast<std::size_t>(node.index)].strides[s_.vectorDim] == 0;
    for (int o = 0; o < info(node.primitive).arity; ++o)
      still = still && still_[static_cast<std::size_t>(node.operands[o])];
    still_.push_back(still);
  }
  return still_[static_cast<std::size_t>(id)];
}

void KernelWriter::accumulate(const std::vector<Pack>& values) {
  bool any = false;
  for (int output : segment_->outputs)
    any |= accumulators_[static_cast<std::size_t>(output)] != nullptr;
  if (!any) return;
  Value* index = reducedIndex();
  Value* laneStep = scope_.int64(1);
  for (int dim = s_.vectorDim + 1; dim < k_.rank(); ++dim)
    if (k_.reduced(dim))
      laneStep = b_.CreateMul(laneStep, scope_.extents[static_cast<std::size_t>(dim)]);
  const auto addAll = [&](const Pack* mask) {
    for (int output : segment_->outputs)
      if (const auto o = static_cast<std::size_t>(output); accumulators_[o]) {
        scope_.mark(k_.outputs[o].op);
        if (pass_ != Pass::whole && !accumulators_[o]->looks()) continue;
        if (pass_ == Pass::look) {
          accumulators_[o]->look(values[static_cast<std::size_t>(k_.outputs[o].value)], mask);
          continue;
        }
        accumulators_[o]->add(values[static_cast<std::size_t>(k_.outputs[o].value)], mask, index,
                              laneStep);
      }
    scope_.mark(-1);
  };
  if (!s_.vectorReduced || !scope_.mayHaveTail()) return addAll(nullptr);
  emitIf(
      b_, scope_.isTail(),
      [&] {
        const Pack mask = shorts_.mask();
        addAll(&mask);
      },
      [&] { addAll(nullptr); });
}

/// Row-major position in the reduced dimensions, as positions count.
Value* KernelWriter::reducedIndex() {
  Value* index = scope_.int64(0);
  for (int dim = 0; dim < k_.rank(); ++dim) {
    if (!k_.reduced(dim)) continue;
    const auto d = static_cast<std::size_t>(dim);
    index = b_.CreateAdd(b_.CreateMul(index, scope_.extents[d]), scope_.indices[d]);
  }
  return index;
}

GeneratedModule generate(const Kernel& kernel, const Schedule& schedule, const Target& target,
                         const llvm::DataLayout& layout, bool marked) {
  GeneratedModule generated;
  generated.context = std::make_unique<llvm::LLVMContext>();
  generated.module = std::make_unique<llvm::Module>(kernel.name, *generated.context);
  generated.module->setDataLayout(layout);
  generated.module->setTargetTriple(target.triple);
  if (!schedule.strengthReduction) leaveOutStrengthReduction(*generated.context);
  const auto write = [&](OpMarks* marks) {
    if (kernel.hasPhases())
      RowWriter(kernel, schedule, target, *generated.module).write(marks);
    else
      KernelWriter(kernel, schedule, target, *generated.module).write(marks);
  };
  if (!marked) {
    write(nullptr);
    return generated;
  }
  OpMarks marks(*generated.module);
  write(&marks);
  marks.finish();
  return generated;
}

}  // namespace fusebench::cpu
