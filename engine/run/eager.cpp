// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/eager.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/ticks.h"
#include "engine/language/program_sizes.h"
#include "engine/run/value_checks.h"

namespace fusebench {

EagerExecutor::EagerExecutor(Backend& backend, SharedProgram program, bool search)
    : shared_(std::move(program)),
      program_(*shared_),
      backend_(backend),
      dispatcher_(backend, times_, search) {
  for (const Op& op : program_.ops) sites_.emplace_back(op);
  values_.resize(program_.ops.size());
  uses_.resize(sites_.size());
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    for (int o = 0; o < sites_[i].tensors; ++o)
      uses_[i].reads.push_back(static_cast<Slot>(sites_[i].values[static_cast<std::size_t>(o)]));
    uses_[i].writes.push_back(program_.inputs.size() + i);
  }
  for (const SizeCheck& check : program_.checks) {
    if (!check.ofValue()) continue;
    checks_.push_back(check);
    // Needed until the op before it is done.
    if (check.beforeOp > 0)
      uses_[static_cast<std::size_t>(check.beforeOp) - 1].reads.push_back(
          static_cast<Slot>(check.value));
  }
  const std::vector<Slot> outputs(program_.outputs.begin(), program_.outputs.end());
  findLastUses(uses_, program_.inputs.size(), static_cast<std::size_t>(program_.valueCount()),
               outputs);
}

void EagerExecutor::checkInputs(std::size_t inputs) const {
  if (inputs != program_.inputs.size())
    throw ProgramError(
        {}, fmt::format("the program takes {} inputs, not {}", program_.inputs.size(), inputs));
}

void EagerExecutor::releaseAll() {
  outputs_.clear();
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
  return true;
}

/// Works out the numbers that depend on shapes, and checks what the program relies on, where the
/// inputs are not as they were in the call before.
void EagerExecutor::settleSizes(std::span<const Tensor> inputs) {
  const bool same =
      std::equal(inputs.begin(), inputs.end(), settledFor_.begin(), settledFor_.end(),
                 [](const Tensor& input, const Shape& shape) { return input.shape == shape; });
  if (same) return;
  settledFor_.clear();
  std::vector<ValueType> types;
  for (const Tensor& input : inputs) types.push_back({input.shape, input.dtype});
  settled_ = withNumbers(program_, inferTypes(program_, types));
  dispatcher_.forgetSites();
  for (std::size_t i = 0; i < sites_.size(); ++i)
    if (settled_.ops[i].dependsOnSizes()) sites_[i] = CallSite(settled_.ops[i]);
  for (const Tensor& input : inputs) settledFor_.push_back(input.shape);
}

std::span<const Tensor> EagerExecutor::call(std::span<const Tensor> inputs) {
  checkInputs(inputs.size());
  ++statistics_.calls;
  outputs_.clear();
  if (!program_.sizes.empty()) settleSizes(inputs);
  const std::uint64_t kernelsBefore = static_cast<std::uint64_t>(times_.kernels);
  const std::int64_t begin = kernelsBefore == 0 ? steadyNanoseconds() : 0;
  const std::size_t inputCount = inputs.size();
  Recorder* const recorder = backend_.splitRecorder();
  std::int32_t step = 0;  // of the plan: views are none
  std::size_t check = 0;
  const auto checkBefore = [&](std::size_t op) {
    for (; check < checks_.size() && static_cast<std::size_t>(checks_[check].beforeOp) == op;
         ++check) {
      const auto value = static_cast<std::size_t>(checks_[check].value);
      checkValue(backend_, checks_[check],
                 value < inputCount ? inputs[value] : values_[value - inputCount]);
    }
  };
  try {
    if (!checks_.empty()) checkBefore(0);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      mark(recorder, CallPart::dispatch);
      const CallSite& site = sites_[i];
      const Tensor* operands[3];
      for (int o = 0; o < site.tensors; ++o) {
        const auto value = static_cast<std::size_t>(site.values[static_cast<std::size_t>(o)]);
        operands[o] = value < inputCount ? &inputs[value] : &values_[value - inputCount];
      }
      if (!site.isView || !look(site, *operands[0], values_[i])) {
        dispatcher_.run(site, step++, operands, values_[i]);
      }
      if (check < checks_.size()) checkBefore(i + 1);
      if (uses_[i].lastUses.empty()) continue;
      mark(recorder, CallPart::allocate);
      for (const Slot value : uses_[i].lastUses) values_[value - inputCount].block.reset();
    }
  } catch (...) {
    releaseAll();
    throw;
  }
  mark(recorder, CallPart::dispatch);
  for (ValueId output : program_.outputs) {
    const auto value = static_cast<std::size_t>(output);
    outputs_.push_back(value < inputCount ? inputs[value] : values_[value - inputCount]);
  }
  for (ValueId output : program_.outputs)
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
  return makePlan(program_, inputs, {.grouping = PlanOptions::Grouping::apart});
}

}  // namespace fusebench
