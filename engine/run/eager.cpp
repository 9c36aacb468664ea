// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/eager.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace fusebench {

EagerExecutor::EagerExecutor(Backend& backend, SharedProgram program)
    : shared_(std::move(program)),
      program_(*shared_),
      backend_(backend),
      dispatcher_(backend, times_) {
  for (const Op& op : program_.ops) sites_.emplace_back(op);
  values_.resize(program_.ops.size());
  std::vector<int> last(static_cast<std::size_t>(program_.valueCount()), -1);
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    last[static_cast<std::size_t>(program_.result(static_cast<int>(i)))] = static_cast<int>(i);
    for (int o = 0; o < sites_[i].tensors; ++o)
      last[static_cast<std::size_t>(sites_[i].values[static_cast<std::size_t>(o)])] =
          static_cast<int>(i);
  }
  for (ValueId output : program_.outputs) last[static_cast<std::size_t>(output)] = -1;
  lastUses_.resize(sites_.size());
  for (std::size_t v = program_.inputs.size(); v < last.size(); ++v)
    if (last[v] >= 0)
      lastUses_[static_cast<std::size_t>(last[v])].push_back(static_cast<ValueId>(v));
}

void EagerExecutor::checkInputs(std::span<const Tensor> inputs) const {
  if (inputs.size() != program_.inputs.size())
    throw ProgramError({}, fmt::format("the program takes {} inputs, not {}",
                                       program_.inputs.size(), inputs.size()));
}

void EagerExecutor::releaseAll() {
  outputs_.clear();
  for (Tensor& value : values_) value.block.reset();
}

std::span<const Tensor> EagerExecutor::call(std::span<const Tensor> inputs) {
  checkInputs(inputs);
  ++statistics_.calls;
  outputs_.clear();
  const std::uint64_t kernelsBefore = static_cast<std::uint64_t>(times_.kernels);
  const auto begin = kernelsBefore == 0 ? std::chrono::steady_clock::now()
                                        : std::chrono::steady_clock::time_point();
  const std::size_t inputCount = inputs.size();
  Recorder* const recorder = backend_.splitRecorder();
  try {
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      mark(recorder, CallPart::dispatch);
      const CallSite& site = sites_[i];
      const Tensor* operands[3];
      for (int o = 0; o < site.tensors; ++o) {
        const auto value = static_cast<std::size_t>(site.values[static_cast<std::size_t>(o)]);
        operands[o] = value < inputCount ? &inputs[value] : &values_[value - inputCount];
      }
      dispatcher_.run(site, operands, values_[i]);
      if (lastUses_[i].empty()) continue;
      mark(recorder, CallPart::allocate);
      for (ValueId value : lastUses_[i])
        values_[static_cast<std::size_t>(value) - inputCount].block.reset();
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
      const auto all = std::chrono::duration_cast<std::chrono::nanoseconds>(
                           std::chrono::steady_clock::now() - begin)
                           .count();
      event.times.firstLaunch = std::max<std::int64_t>(0, all - times_.total());
    }
    for (const CompileEvent& earlier : statistics_.compiles) {  // times_ is cumulative
      event.times.codegen -= earlier.times.codegen;
      event.times.compiler -= earlier.times.compiler;
      event.times.load -= earlier.times.load;
      event.times.kernels -= earlier.times.kernels;
      event.times.fromDisk -= earlier.times.fromDisk;
      event.times.fromMemory -= earlier.times.fromMemory;
    }
    statistics_.compiles.push_back(std::move(event));
  }
  return outputs_;
}

std::vector<Kernel> EagerExecutor::kernels(std::span<const Tensor> inputs) {
  checkInputs(inputs);
  std::vector<Kernel> result;
  // Run the ops so that every operand has the layout it has in a call, keeping all values.
  std::vector<Tensor> values(sites_.size());
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Tensor* operands[3];
    for (int o = 0; o < sites_[i].tensors; ++o) {
      const auto value = static_cast<std::size_t>(sites_[i].values[static_cast<std::size_t>(o)]);
      operands[o] = value < inputs.size() ? &inputs[value] : &values[value - inputs.size()];
    }
    dispatcher_.run(sites_[i], operands, values[i]);  // first: it says which operands do not fit
    Kernel& kernel = result.emplace_back(dispatcher_.kernel(sites_[i], operands));
    const int op = static_cast<int>(i);  // it was lowered as a program of its own
    kernel.ops = {op};
    const auto operandValues = sites_[i].values.begin();
    kernel.inputValues.assign(operandValues, operandValues + sites_[i].tensors);
    for (int& node : kernel.nodeOps) node = node < 0 ? -1 : op;
    for (KernelOutput& output : kernel.outputs) output.op = op;
  }
  return result;
}

}  // namespace fusebench
