// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/islands.h"

#include <stdexcept>

#include "engine/plan/fusion.h"
#include "engine/plan/lowering.h"
#include "engine/plan/trace.h"

namespace fusebench {
namespace {

/// Tensors without memory: tracing looks at their form alone.
std::vector<Tensor> forms(std::span<const ValueType> types) {
  std::vector<Tensor> tensors;
  for (const ValueType& type : types) {
    Tensor& tensor = tensors.emplace_back();
    tensor.dtype = type.dtype;
    tensor.shape = type.shape;
    tensor.strides = contiguousStrides(type.shape);
  }
  return tensors;
}

struct Fused {
  ProgramTrace trace;
  std::vector<FusionGroup> groups;
};

Fused fusedFor(const Program& program, std::span<const ValueType> inputs,
               std::string_view executor) {
  const bool eager = executor == "eager";
  if (!eager && executor != "static" && executor != "dynamic")
    throw std::invalid_argument("no executor called '" + std::string(executor) +
                                "'; there are eager, static and dynamic");
  const Specialise specialise = executor == "static" ? Specialise::exact : Specialise::symbolic;
  ProgramTrace traced = trace(program, forms(inputs), specialise);
  std::vector<FusionGroup> groups = eager ? separate(program, traced) : fuse(program, traced);
  return {std::move(traced), std::move(groups)};
}

/// Eager's kernels serve any shape, take numbers at launch, and know nothing but their op.
std::vector<std::string> eagerKernels(const Program& program, std::span<const ValueType> inputs) {
  const std::vector<ValueType> types = inferTypes(program, inputs);
  std::vector<std::string> texts;
  for (const Op& op : program.ops) {
    Program single;
    single.ops.push_back(op);
    std::vector<ValueType> operands;
    for (Operand& operand : single.ops.front().operands) {
      if (operand.isNumber()) continue;
      operands.push_back(types[static_cast<std::size_t>(operand.value)]);
      operand.value = static_cast<ValueId>(single.inputs.size());
      single.inputs.push_back("x" + std::to_string(single.inputs.size()));
    }
    single.outputs = {single.result(0)};
    const ProgramTrace traced = trace(single, forms(operands), Specialise::exact);
    LoweredKernel lowered =
        lower(single, traced, separate(single, traced).front(), Numbers::atLaunch);
    generalise(lowered);
    texts.push_back(readableText(lowered.kernel));
  }
  return texts;
}

}  // namespace

std::vector<Island> islands(const Program& program, std::span<const ValueType> inputs,
                            std::string_view executor) {
  std::vector<Island> result;
  for (const FusionGroup& group : fusedFor(program, inputs, executor).groups) {
    const bool reduces =
        group.reduces ||
        program.ops[static_cast<std::size_t>(group.ops.front())].row->kind == OpKind::reduce;
    result.push_back(
        {{group.ops.begin(), group.ops.end()}, kernelName(program, group.ops), reduces});
  }
  return result;
}

std::vector<std::string> readableKernels(const Program& program, std::span<const ValueType> inputs,
                                         std::string_view executor) {
  if (executor == "eager") return eagerKernels(program, inputs);
  const Fused fused = fusedFor(program, inputs, executor);
  std::vector<std::string> texts;
  for (const FusionGroup& group : fused.groups)
    texts.push_back(readableText(lower(program, fused.trace, group, Numbers::bakedIn).kernel));
  return texts;
}

}  // namespace fusebench
