// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/kernel_writer.h"

#include "engine/cpu/codegen/constant_pool.h"
#include "engine/cpu/codegen/pass_choice.h"
#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {
namespace {

using llvm::Value;

/// Nodes that some output depends on.
std::vector<bool> neededNodes(const Kernel& kernel) {
  std::vector<bool> needed(kernel.body.size(), false);
  for (const auto& output : kernel.outputs) needed[static_cast<std::size_t>(output.value)] = true;
  for (std::size_t i = kernel.body.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
    for (int o = 0; o < info(node.primitive).arity; ++o)
      needed[static_cast<std::size_t>(node.operands[o])] = true;
  }
  return needed;
}

}  // namespace

KernelWriter::KernelWriter(const Kernel& kernel, const Schedule& schedule, const Target& target,
                           llvm::Module& module)
    : k_(kernel),
      s_(schedule),
      target_(target),
      module_(module),
      b_(module.getContext()),
      math_(b_, target.vector),
      needed_(neededNodes(kernel)),
      ranges_(valueRanges(kernel)) {}

const KernelTensor& KernelWriter::tensor(std::size_t index) const {
  return index < k_.inputs.size() ? k_.inputs[index] : k_.outputs[index - k_.inputs.size()].tensor;
}

void KernelWriter::write(OpMarks* marks) {
  auto* pointer = b_.getPtrTy();
  auto* type = llvm::FunctionType::get(
      b_.getVoidTy(), {pointer, pointer, pointer, b_.getInt64Ty(), b_.getInt64Ty(), pointer},
      false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kEntryName, module_);
  function_->addFnAttr("target-cpu", target_.cpu);
  function_->addFnAttr("target-features", target_.features);
  if (target_.vectorRegisters == 32 && target_.vector.width == 16) {
    function_->addFnAttr("prefer-vector-width", "512");
    function_->addFnAttr("min-legal-vector-width", "512");
  }
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  marks_ = marks;
  if (marks_) marks_->begin(*function_);
  mark(-1);
  b_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function_));

  readArguments();
  for (const auto& output : k_.outputs) {
    const Accumulator::Setting setting{b_, target_.vector.width, s_.interleave, s_.vectorReduced,
                                       {}, output.accumulated};
    accumulators_.push_back(output.reduces ? Accumulator::make(output.accumulate, setting)
                                           : nullptr);
  }
  writeUniformValues();
  std::vector<bool> skip(k_.body.size());
  for (std::size_t i = 0; i < skip.size(); ++i) skip[i] = !needed_[i] || !uniform_[i].empty();
  segments_ = cutSegments(k_, skip, s_.segmentLimit);
  tiles_.assign(k_.body.size(), nullptr);
  level(0);
  b_.CreateRetVoid();
  promoteSlots(*function_);
  if (s_.pooledConstants) poolConstants(*function_);
}

void KernelWriter::readArguments() {
  auto* pointers = function_->getArg(0);
  auto* integers = function_->getArg(1);
  const std::size_t tensors = k_.inputs.size() + k_.outputs.size();
  for (std::size_t t = 0; t < tensors; ++t)
    pointers_.push_back(
        b_.CreateLoad(b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getPtrTy(), pointers, t)));
  std::uint64_t next = 0;
  const auto known = [&](std::int64_t value) -> Value* {
    if (value != kAtLaunch) return int64(value);
    return b_.CreateLoad(b_.getInt64Ty(), b_.CreateConstGEP1_64(b_.getInt64Ty(), integers, next++));
  };
  for (std::int64_t extent : k_.extents) extents_.push_back(known(extent));
  for (std::size_t t = 0; t < tensors; ++t) {
    Values strides;
    for (std::int64_t stride : tensor(t).strides) strides.push_back(known(stride));
    strides_.push_back(std::move(strides));
  }
  offsets_.assign(tensors, int64(0));
  buffers_.assign(tensors, nullptr);
  indices_.assign(static_cast<std::size_t>(k_.rank()), nullptr);
}

/// What depends on constants and scalars only is computed once, before the loops.
void KernelWriter::writeUniformValues() {
  uniform_.resize(k_.body.size());
  for (std::size_t i = 0; i < k_.body.size(); ++i) {
    if (!needed_[i]) continue;
    const ExprNode& node = k_.body[static_cast<ExprId>(i)];
    if (node.primitive == Primitive::input) continue;
    markNode(i);
    if (node.primitive == Primitive::constant) {
      uniform_[i] = {math_.splat(node)};
    } else if (node.primitive == Primitive::scalar) {
      Value* at = b_.CreateConstGEP1_64(b_.getInt64Ty(), function_->getArg(2),
                                        static_cast<std::uint64_t>(node.index));
      Value* scalar = b_.CreateLoad(memoryType(storageOf(node.type)), at);
      uniform_[i] = {b_.CreateVectorSplat(static_cast<unsigned>(width()), scalar)};
    } else {
      bool allUniform = true;
      for (int o = 0; o < info(node.primitive).arity; ++o)
        allUniform &= !uniform_[static_cast<std::size_t>(node.operands[o])].empty();
      if (allUniform) uniform_[i] = emitNode(static_cast<ExprId>(i), uniform_);
    }
  }
  mark(-1);
}

void KernelWriter::level(int position) {
  const bool reduces = s_.firstReduced < static_cast<int>(s_.order.size());
  if (position == s_.firstReduced && reduces) {
    for (auto& accumulator : accumulators_)
      if (accumulator) accumulator->reset();
    reducedNest(position);
    if (s_.partials && s_.splits)
      emitIf(
          b_, b_.CreateIsNull(function_->getArg(5)), [&] { storeResults(); },
          [&] { storePartials(); });
    else
      storeResults();
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
  Value* begin = int64(0);
  Value* end = extents_[d];
  if (position == 0 && s_.splits) {
    begin = function_->getArg(3);
    end = function_->getArg(4);
  }
  if (dim == s_.panelDim) return panelLoops(position, begin, end);
  if (vector && panelColumn_) {
    begin = panelColumn_;
    end = panelEnd_;
  }
  const auto enterAt = [&](Value* i) { enter(position, i, end); };
  // The innermost reduced loop is cut in short runs, after each of which sums are flushed; of
  // panels see panelRows.
  const bool flushes = innermostReduced && !panelColumn_;
  if (vector) return vectorLoop(begin, end, flushes, enterAt);
  if (!flushes) return emitLoop(b_, begin, end, int64(1), enterAt);
  inRuns(begin, end, kFlushSteps, [&](Value* from, Value* to) {
    emitLoop(b_, from, to, int64(1), enterAt, true);
    flush();
  });
}

/// offset + index * stride, without what adds nothing.
Value* KernelWriter::advanced(Value* offset, Value* index, Value* stride) {
  const auto is = [](Value* value, std::int64_t number) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
    return known && known->getSExtValue() == number;
  };
  if (is(stride, 0) || is(index, 0)) return offset;
  Value* more = is(stride, 1) ? index : b_.CreateMul(index, stride);
  return is(offset, 0) ? more : b_.CreateAdd(offset, more);
}

void KernelWriter::inRuns(Value* begin, Value* end, std::int64_t length,
                          const std::function<void(Value*, Value*)>& run) {
  emitLoop(b_, begin, end, int64(length), [&](Value* from) {
    Value* limit = b_.CreateAdd(from, int64(length));
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
  const Values saved = offsets_;
  const Block savedBlock = block_;
  indices_[d] = index;
  if (dim == s_.vectorDim)
    block_ = {index, end};
  else
    for (std::size_t t = 0; t < offsets_.size(); ++t)
      offsets_[t] = advanced(offsets_[t], index, strides_[t][d]);
  if (k_.reduced(dim))
    reducedNest(position + 1);
  else
    level(position + 1);
  offsets_ = saved;
  block_ = savedBlock;
  indices_[d] = nullptr;
}

/// The blocks, and around them, once for all segments, what a last one that is short needs.
void KernelWriter::vectorLoop(Value* begin, Value* end, bool flushes,
                              const std::function<void(Value*)>& enter) {
  if (!mayHaveTail() || !tailsAroundLoop()) return segmentLoops(begin, end, flushes, enter);
  Value* count = b_.CreateURem(b_.CreateSub(end, begin), int64(step()));
  Value* isShort = b_.CreateIsNotNull(count);
  Value* last = b_.CreateSub(end, count);
  copyTails(inPlace(true), isShort, last, count);
  segmentLoops(begin, end, flushes, enter);
  copyTails(inPlace(false), isShort, last, count);
}

/// All steps of one segment over a tile, then the next segment's. A tile is a run after which sums
/// are flushed, too: one loop less around all of the code, whose registers are sought for longer
/// the deeper it lies.
void KernelWriter::segmentLoops(Value* begin, Value* end, bool flushes,
                                const std::function<void(Value*)>& enter) {
  if (segments_.size() == 1) {
    segment_ = &segments_.front();
    if (!flushes) return emitLoop(b_, begin, end, int64(step()), enter);
    return inRuns(begin, end, std::int64_t{kFlushSteps} * step(), [&](Value* from, Value* to) {
      emitLoop(b_, from, to, int64(step()), enter, true);
      flush();
    });
  }
  const int tile = s_.tile / step() * step();
  inRuns(begin, end, tile, [&](Value* from, Value* to) {
    tileStart_ = from;
    for (const Segment& segment : segments_) {
      segment_ = &segment;
      emitLoop(b_, from, to, int64(step()), enter, true);
    }
    if (flushes) flush();
  });
}

void KernelWriter::body() {
  if (!tailsAroundLoop()) copyTails(inPlace(true), isTail(), int64(0), remaining());
  std::vector<Pack> values = loadInputs(segment_->inputs);
  evaluate(values);
  for (ExprId node : segment_->stores) storeTile(node, values[static_cast<std::size_t>(node)]);
  for (int output : segment_->outputs) {
    const auto o = static_cast<std::size_t>(output);
    mark(k_.outputs[o].op);
    if (!accumulators_[o])
      storeBlock(outputTensor(o), values[static_cast<std::size_t>(k_.outputs[o].value)]);
  }
  mark(-1);
  accumulate(values);
}

/// Computes the segment's nodes; `values` holds its inputs already.
void KernelWriter::evaluate(std::vector<Pack>& values) {
  for (std::size_t i = 0; i < k_.body.size(); ++i)
    if (!uniform_[i].empty()) values[i] = Pack(interleave(), uniform_[i].front());
  for (ExprId node : segment_->loads) values[static_cast<std::size_t>(node)] = loadTile(node);
  for (ExprId id : segment_->nodes) {
    const ExprNode& node = k_.body[id];
    markNode(static_cast<std::size_t>(id));
    llvm::FastMathFlags flags;
    if (k_.contract && node.primitive >= Primitive::add && node.primitive <= Primitive::mul)
      flags.setAllowContract();
    llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
    b_.setFastMathFlags(flags);
    values[static_cast<std::size_t>(id)] = emitNode(id, values);
  }
  mark(-1);
}

Pack KernelWriter::emitNode(ExprId id, const std::vector<Pack>& values) {
  const ExprNode& node = k_.body[id];
  std::vector<Pack> operands;
  std::vector<Range> ranges;
  for (int o = 0; o < info(node.primitive).arity; ++o) {
    const auto operand = static_cast<std::size_t>(node.operands[o]);
    operands.push_back(values[operand]);
    ranges.push_back(ranges_[operand]);
  }
  const TypeClass from = k_.body[node.operands[info(node.primitive).arity - 1]].type;
  return math_.emit(node, from, operands, ranges);
}

void KernelWriter::accumulate(const std::vector<Pack>& values) {
  bool any = false;
  for (int output : segment_->outputs)
    any |= accumulators_[static_cast<std::size_t>(output)] != nullptr;
  if (!any) return;
  Value* index = reducedIndex();
  Value* laneStep = int64(1);
  for (int dim = s_.vectorDim + 1; dim < k_.rank(); ++dim)
    if (k_.reduced(dim)) laneStep = b_.CreateMul(laneStep, extents_[static_cast<std::size_t>(dim)]);
  const auto addAll = [&](const Pack* mask) {
    for (int output : segment_->outputs)
      if (const auto o = static_cast<std::size_t>(output); accumulators_[o]) {
        mark(k_.outputs[o].op);
        accumulators_[o]->add(values[static_cast<std::size_t>(k_.outputs[o].value)], mask, index,
                              laneStep);
      }
    mark(-1);
  };
  if (!s_.vectorReduced || !mayHaveTail()) return addAll(nullptr);
  emitIf(
      b_, isTail(),
      [&] {
        const Pack mask = tailMask();
        addAll(&mask);
      },
      [&] { addAll(nullptr); });
}

/// Row-major position in the reduced dimensions, as positions count.
Value* KernelWriter::reducedIndex() {
  Value* index = int64(0);
  for (int dim = 0; dim < k_.rank(); ++dim) {
    if (!k_.reduced(dim)) continue;
    const auto d = static_cast<std::size_t>(dim);
    index = b_.CreateAdd(b_.CreateMul(index, extents_[d]), indices_[d]);
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
  KernelWriter writer(kernel, schedule, target, *generated.module);
  if (!marked) {
    writer.write();
    return generated;
  }
  OpMarks marks(*generated.module);
  writer.write(&marks);
  marks.finish();
  return generated;
}

}  // namespace fusebench::cpu
