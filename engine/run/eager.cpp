// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/eager.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/ticks.h"
#include "engine/language/program_sizes.h"
#include "engine/plan/overwritten.h"
#include "engine/run/value_checks.h"

namespace fusebench {

EagerExecutor::EagerExecutor(Backend& backend, SharedProgram program, bool search, bool overlap)
    : shared_(std::move(program)),
      program_(*shared_),
      backend_(backend),
      dispatcher_(backend, times_, search),
      copies_(backend, overlap),
      ownMemory_(backend.traits().hasOwnMemory),
      overlap_(overlap) {
  // Work that depends on the inputs' forms is done later.
  if (program_.sizes.empty() && !program_.isSettledFirst()) prepare(program_);
}

/// Creates a call site for each op.
void EagerExecutor::prepare(const Program& program) {
  running_ = &program;
  dispatcher_.forgetSites();
  sites_.clear();
  checks_.clear();
  for (const Op& op : program.ops) sites_.emplace_back(op);
  for (std::size_t i = 0; i < sites_.size(); ++i)
    sites_[i].onlyTakesMemory = isOverwritten(program, static_cast<int>(i));
  values_.assign(program.ops.size(), Tensor());
  uses_.assign(sites_.size(), StepUses());
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    for (int o = 0; o < sites_[i].tensors; ++o)
      uses_[i].reads.push_back(static_cast<Slot>(sites_[i].values[static_cast<std::size_t>(o)]));
    // The target of an in-place write must exist.
    if (sites_[i].into >= 0) uses_[i].reads.push_back(static_cast<Slot>(sites_[i].into));
    uses_[i].writes.push_back(program.inputs.size() + i);
  }
  for (const SizeCheck& check : program.checks) {
    if (!check.ofValue()) continue;
    checks_.push_back(check);
    // Needed until the op before it is done.
    if (check.beforeOp > 0)
      uses_[static_cast<std::size_t>(check.beforeOp) - 1].reads.push_back(
          static_cast<Slot>(check.value));
  }
  const std::vector<Slot> outputs(program.outputs.begin(), program.outputs.end());
  findLastUses(uses_, program.inputs.size(), static_cast<std::size_t>(program.valueCount()),
               outputs);
}

/// Determines for each op whether it is recorded, and what is kept of it for its gradient.
void EagerExecutor::prepareTape(const std::vector<Differentiated::Entry>& entries) {
  taped_.assign(entries.empty() ? 0 : sites_.size(), Taped());
  for (const Differentiated::Entry& entry : entries) {
    Taped& taped = taped_[static_cast<std::size_t>(entry.op)];
    taped.records = true;
    taped.saved = entry.saved;
  }
}

void EagerExecutor::checkInputs(std::size_t inputs) const {
  if (inputs != program_.inputs.size())
    throw ProgramError(
        {}, saying("the program takes {} inputs, not {}", program_.inputs.size(), inputs));
}

void EagerExecutor::releaseAll() {
  outputs_.clear();
  tape_.begin(0);
  for (Tensor& value : values_) value.block.reset();
}

/// Makes a view of the operand without touching its elements. False: they have to be copied.
bool EagerExecutor::look(const CallSite& site, const Tensor& operand, Tensor& result) const {
  const Op& op = *site.op;
  ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(operand.shape),
                                  SizeList<std::int64_t>(operand.strides), operand.offset};
  if (!viewOf(op, layout)) {
    if (op.row->copies) return false;
    failImpossibleView(op, operand);
  }
  result.dtype = operand.dtype;
  result.offset = layout.offset;
  result.shape = Shape({layout.extents.begin(), layout.extents.size()});
  result.strides = Strides({layout.strides.begin(), layout.strides.size()});
  result.contiguous = isContiguous(result.shape, result.strides);
  result.block = operand.block;
  result.memory = operand.memory;
  checkSize(op, {result.shape, result.dtype}, /*view=*/true);
  // Any strides are correct for an empty tensor. Kernels are found by row-major ones.
  if (elementCount(result.shape) == 0) result.strides = rowMajorStrides(result.shape);
  result.checkInBlock();
  return true;
}

/// Copies the operand, unless it already is at the destination. Returns whether that was a step.
bool EagerExecutor::copy(const CallSite& site, const Tensor& from, Tensor& result) {
  const Op& op = *site.op;
  if (moveOf(*op.row) == Move::fetch) {
    const ValueType type[] = {{from.shape, from.dtype}};
    inferType(op, type);
    result = from;
    result.shape = Shape();
    result.strides = Strides();
    result.contiguous = true;
    if (!ownMemory_ || from.memory != Memory::device) return false;
    copies_.fetch(from);
    return true;
  }
  checkPinned(op, from.memory, ownMemory_);
  const std::optional<Memory> to = destination(op, from.memory, ownMemory_);
  if (!to) {
    result = from;
    return false;
  }
  if (!from.contiguous && !isGapless(from.shape, from.strides)) failGaps(op);
  static_cast<Form&>(result) = from;
  result.offset = 0;
  result.memory = *to;
  copies_.run(op, from, result);
  return true;
}

/// Allocates memory for a tensor that others write: see isOverwritten().
void EagerExecutor::take(const CallSite& site, const Tensor* const* operands, Tensor& result) {
  checkMaking(*site.op, ownMemory_);
  ValueType given[1];
  const std::size_t like = site.op->operands.size();
  if (like > 0) given[0] = {operands[0]->shape, operands[0]->dtype};
  const ValueType type = inferType(*site.op, {given, like});
  mark(backend_.splitRecorder(), CallPart::allocate);
  result = makeTensor(backend_.allocator(), type.dtype, type.shape);
}

/// Ops compute on the device.
void EagerExecutor::checkMemory(const Op& op, std::span<const Tensor* const> operands) const {
  checkMaking(op, ownMemory_);
  for (std::size_t i = 0, next = 0; next < operands.size(); ++i) {
    if (op.operands[i].isNumber()) continue;
    if (operands[next++]->memory != Memory::device) failElsewhere(program_, op, op.operands[i]);
  }
}

/// If the inputs differ from those of the previous call, computes what depends on their forms,
/// numbers and which ops create gradients, and checks what the program relies on.
void EagerExecutor::settleFor(std::span<const Tensor> inputs) {
  const bool same = std::equal(inputs.begin(), inputs.end(), settledFor_.begin(), settledFor_.end(),
                               [](const Tensor& input, const Form& form) {
                                 return input.shape == form.shape && input.dtype == form.dtype &&
                                        input.strides == form.strides;
                               });
  if (same && running_) return;
  settledFor_.clear();
  const Settled settled = settle(program_, inputs);
  settled_ = settled.program;
  prepare(*settled_);
  prepareTape(settled.tape);
  waysBack_ = settled.waysBack;
  settledFor_.assign(inputs.begin(), inputs.end());
}

const Tensor& EagerExecutor::tensorOf(ValueId value, std::span<const Tensor> inputs) const {
  const auto at = static_cast<std::size_t>(value);
  return at < inputs.size() ? inputs[at] : values_[at - inputs.size()];
}

/// Runs one op. The steps common to all ops are written out in the loop over them, so that a launch
/// costs as little as possible.
[[gnu::always_inline]] inline void EagerExecutor::runOp(std::size_t i, std::int32_t& step,
                                                        std::span<const Tensor> inputs) {
  mark(backend_.splitRecorder(), CallPart::dispatch);
  const CallSite& site = sites_[i];
  const Tensor* operands[3];
  for (int o = 0; o < site.tensors; ++o)
    operands[o] = &tensorOf(site.values[static_cast<std::size_t>(o)], inputs);
  runSite(i, step, operands, inputs);
}

[[gnu::always_inline]] inline void EagerExecutor::runSite(std::size_t i, std::int32_t& step,
                                                          const Tensor* const* operands,
                                                          std::span<const Tensor> inputs) {
  const CallSite& site = sites_[i];
  if (!site.usual) {
    if (site.isCopy) {
      step += copy(site, *operands[0], values_[i]);
      return;
    }
    if (site.into >= 0) values_[i] = tensorOf(site.into, inputs);
    if (site.isView && look(site, *operands[0], values_[i])) return;
    if (site.onlyTakesMemory) return take(site, operands, values_[i]);
  }
  if (ownMemory_) [[unlikely]] {
    checkMemory(*site.op, {operands, static_cast<std::size_t>(site.tensors)});
    if (site.into >= 0 && values_[i].memory != Memory::device)
      failElsewhere(program_, *site.op, Operand::ofValue(site.into));
  }
  dispatcher_.run(site, step++, operands, values_[i]);
}

/// Runs one op of a gradient with what `node` of the tape has saved for it; without a node, like
/// any other op.
void EagerExecutor::runBack(std::size_t i, std::int32_t& step, std::span<const Tensor> inputs,
                            const Tape::Node* node) {
  if (!node) return runOp(i, step, inputs);
  mark(backend_.splitRecorder(), CallPart::dispatch);
  const CallSite& site = sites_[i];
  const std::vector<ValueId>& saved = taped_[static_cast<std::size_t>(node->op)].saved;
  const Tensor* operands[3];
  for (int o = 0; o < site.tensors; ++o) {
    const ValueId value = site.values[static_cast<std::size_t>(o)];
    operands[o] = &tensorOf(value, inputs);
    for (std::size_t k = 0; k < node->saved.size(); ++k)
      if (saved[k] == value) operands[o] = &node->saved[k];
  }
  runSite(i, step, operands, inputs);
}

/// Frees the values that no later op reads.
[[gnu::always_inline]] inline void EagerExecutor::release(std::size_t i) {
  if (uses_[i].lastUses.empty()) return;
  mark(backend_.splitRecorder(), CallPart::allocate);
  for (const Slot value : uses_[i].lastUses) values_[value - program_.inputs.size()].block.reset();
}

/// Records an op that has run: where its operands came from, and the tensors to be saved.
void EagerExecutor::record(std::size_t i, std::span<const Tensor> inputs) {
  mark(backend_.splitRecorder(), CallPart::tape);
  Tape::Node& node =
      tape_.record(static_cast<int>(i), *sites_[i].op, static_cast<ValueId>(inputs.size() + i));
  for (const ValueId value : taped_[i].saved) node.saved.push_back(tensorOf(value, inputs));
}

/// Goes back along the tape, node by node, and runs the ops that compute gradients. A node's saved
/// tensors are freed with the last op that reads them. Returns the op after them.
std::size_t EagerExecutor::goBack(const Differentiated::WayBack& way, std::int32_t& step,
                                  std::span<const Tensor> inputs) {
  mark(backend_.splitRecorder(), CallPart::tape);
  tape_.goBack(way.of);
  auto i = static_cast<std::size_t>(way.first);
  const auto end = static_cast<std::size_t>(way.end);
  while (i < end) {
    Tape::Node* const node = tape_.next();
    // Those that remain when all nodes are done create results from gradients that exist.
    for (; i < end && (!node || sites_[i].op->derivativeOf == node->op); ++i) {
      runBack(i, step, inputs, node);
      if (node) releaseSaved(*node, uses_[i].lastUses);
      release(i);
    }
    mark(backend_.splitRecorder(), CallPart::tape);
    if (node) node->saved.clear();
  }
  return end;
}

void EagerExecutor::releaseSaved(Tape::Node& node, const ShortList<Slot, 2>& values) const {
  const std::vector<ValueId>& saved = taped_[static_cast<std::size_t>(node.op)].saved;
  for (const Slot value : values)
    for (std::size_t k = 0; k < node.saved.size(); ++k)
      if (static_cast<Slot>(saved[k]) == value) node.saved[k].block.reset();
}

std::span<const Tensor> EagerExecutor::call(std::span<const Tensor> inputs) {
  checkInputs(inputs.size());
  for (const Tensor& input : inputs) input.checkInBlock();
  ++statistics_.calls;
  outputs_.clear();
  if (!program_.sizes.empty() || program_.isSettledFirst()) settleFor(inputs);
  const std::uint64_t kernelsBefore = static_cast<std::uint64_t>(times_.kernels);
  const std::int64_t begin = kernelsBefore == 0 ? steadyNanoseconds() : 0;
  const std::size_t inputCount = inputs.size();
  Recorder* const recorder = backend_.splitRecorder();
  std::int32_t step = 0;  // step of the plan: views are not steps
  std::size_t check = 0;
  const auto checkBefore = [&](std::size_t op) {
    for (; check < checks_.size() && static_cast<std::size_t>(checks_[check].beforeOp) == op;
         ++check)
      checkValue(backend_, program_, checks_[check], tensorOf(checks_[check].value, inputs),
                 inputs);
  };
  try {
    if (!taped_.empty()) tape_.begin(values_.size() + inputCount);
    if (!checks_.empty()) checkBefore(0);
    auto way = waysBack_.begin();
    std::size_t i = 0;
    if (taped_.empty() && checks_.empty() && waysBack_.empty())
      for (; i < sites_.size(); ++i) {
        runOp(i, step, inputs);
        release(i);
      }
    while (i < sites_.size()) {
      if (way != waysBack_.end() && i == static_cast<std::size_t>(way->first)) {
        i = goBack(*way++, step, inputs);
        if (check < checks_.size()) checkBefore(i);
        continue;
      }
      runOp(i, step, inputs);
      if (!taped_.empty() && taped_[i].records) record(i, inputs);
      if (check < checks_.size()) checkBefore(i + 1);
      release(i++);
    }
  } catch (...) {
    releaseAll();
    throw;
  }
  mark(recorder, CallPart::dispatch);
  for (ValueId output : running_->outputs) outputs_.push_back(tensorOf(output, inputs));
  for (ValueId output : running_->outputs)
    if (static_cast<std::size_t>(output) >= inputCount)
      values_[static_cast<std::size_t>(output) - inputCount].block.reset();
  if (static_cast<std::uint64_t>(times_.kernels) != kernelsBefore) {
    CompileEvent event{kernelsBefore == 0 ? "first call" : "new op, dtype or layout", times_};
    if (kernelsBefore == 0) {
      const std::int64_t all = steadyNanoseconds() - begin;
      event.times.firstLaunch = std::max<std::int64_t>(0, all - times_.total());
    }
    for (const CompileEvent& earlier : statistics_.compiles) {  // times_ is cumulative
      event.times.codegen -= earlier.times.codegen;
      event.times.compiler -= earlier.times.compiler;
      event.times.load -= earlier.times.load;
      event.times.kernels -= earlier.times.kernels;
      event.times.fromDisk -= earlier.times.fromDisk;
      event.times.fromMemory -= earlier.times.fromMemory;
      event.times.shipped -= earlier.times.shipped;
    }
    statistics_.compiles.push_back(std::move(event));
  }
  return outputs_;
}

Plan EagerExecutor::plan(Forms inputs) const {
  checkInputs(inputs.size());
  return makePlan(program_, inputs,
                  planOptionsFor({.grouping = PlanOptions::Grouping::perOp}, backend_.traits(),
                                 {.overlap = overlap_}));
}

}  // namespace fusebench
