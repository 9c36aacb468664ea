// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lowering.h"

#include <map>

#include <fmt/format.h>

namespace fusebench {

Expr applyRow(const OpRow& row, DType dtype, std::span<const Expr> operands,
              std::span<const Expr> parameters) {
  Expr result = row.meaning(Args(operands, parameters));
  if (dtype == DType::boolean && !result.isTruth()) result = apply(Primitive::toTruth, result);
  if (dtype != DType::boolean && result.isTruth()) result = apply(Primitive::toNumber, result);
  return result;
}

std::vector<double> parameterValues(const Op& op) {
  return op.parameters;
}

std::string kernelName(const Program& program, std::span<const int> ops) {
  const auto name = [&](std::size_t i) {
    return program.ops[static_cast<std::size_t>(ops[i])].row->name;
  };
  if (ops.size() > 4)
    return fmt::format("{}_{}_..._{} ({} ops)", name(0), name(1), name(ops.size() - 1), ops.size());
  std::string text;
  for (std::size_t i = 0; i < ops.size(); ++i) text += fmt::format("{}{}", i ? "_" : "", name(i));
  return text;
}

namespace {

/// As PyTorch turns a Python number into the tensors' dtype.
double asFloat32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

class Lowering {
 public:
  Lowering(const Program& program, const ProgramTrace& trace, const FusionGroup& group,
           Numbers numbers)
      : program_(program), trace_(trace), group_(group), numbers_(numbers) {}

  LoweredKernel run(bool contract) {
    Kernel& kernel = result_.kernel;
    kernel.contract = contract;
    kernel.name = kernelName(program_, group_.ops);
    kernel.ops = group_.ops;
    for (std::size_t i = 0; i < group_.inputs.size(); ++i) {
      const ValueId value = group_.inputs[i];
      const DType dtype = typed(value).dtype;
      kernel.inputs.push_back({dtype, {}});
      exprs_[value] = graph().input(static_cast<int>(i), dtype == DType::boolean);
    }
    for (int index : group_.ops) {
      kernel.nodeOps.resize(graph().size(), -1);
      lowerOp(index);
      kernel.nodeOps.resize(graph().size(), index);
    }
    kernel.scalars = static_cast<int>(result_.scalars.size());
    placeTensors();
    return std::move(result_);
  }

 private:
  ExprGraph& graph() { return result_.kernel.body; }
  const TracedValue& typed(ValueId value) const {
    return trace_.values[static_cast<std::size_t>(value)];
  }

  Expr number(double value) {
    if (numbers_ == Numbers::bakedIn) return {&graph(), graph().constant(asFloat32(value))};
    result_.scalars.push_back(static_cast<float>(value));
    return {&graph(), graph().scalar(static_cast<int>(result_.scalars.size()) - 1)};
  }

  void lowerOp(int index) {
    const Op& op = program_.ops[static_cast<std::size_t>(index)];
    const ValueId value = program_.result(index);
    std::vector<int>& statements = result_.kernel.statements;
    if (statements.empty() || statements.back() != op.statement) statements.push_back(op.statement);
    std::vector<Expr> operands;
    for (const Operand& operand : op.operands)
      operands.push_back(operand.isNumber() ? number(operand.number)
                                            : Expr{&graph(), exprs_.at(operand.value)});
    if (op.row->kind == OpKind::reduce) {
      KernelOutput output;
      output.reduces = true;
      output.accumulate = op.row->accumulate;
      output.finish = op.row->finish;
      output.finishParameters = parameterValues(op);
      Expr operand = operands.front();
      if (operand.isTruth()) operand = apply(Primitive::toNumber, operand);
      output.value = operand.id;
      reductions_[value] = output;
      return;
    }
    std::vector<Expr> parameters;
    std::size_t i = 0;
    for (const Parameter& parameter : op.row->parameters) {
      const double written = op.parameters[i++];
      parameters.push_back(parameter.kind == Parameter::Kind::number
                               ? number(written)
                               : Expr{&graph(), graph().constant(written)});
    }
    exprs_[value] = applyRow(*op.row, typed(value).dtype, operands, parameters).id;
    result_.opNodes.emplace_back(index, exprs_[value]);
  }

  void placeTensors() {
    Kernel& kernel = result_.kernel;
    Layout<SymbolicSize> layout{group_.space, group_.reducedMask, {}};
    for (ValueId value : group_.inputs)
      layout.strides.push_back(
          broadcastStrides(typed(value).extents, typed(value).strides, group_.space));
    for (ValueId value : group_.outputs) {
      KernelOutput output;
      if (const auto found = reductions_.find(value); found != reductions_.end()) {
        output = found->second;
      } else {
        output.value = exprs_.at(value);
      }
      output.tensor.dtype = typed(value).dtype;
      output.op = value - static_cast<ValueId>(program_.inputs.size());
      layout.strides.push_back(
          outputStrides(group_.space, output.reduces ? group_.reducedMask : 0));
      kernel.outputs.push_back(output);
    }
    layout = collapse(layout, group_.reduces);
    kernel.reducedMask = layout.reducedMask;
    const auto known = [](const SymbolicSize& size, std::vector<SymbolicSize>& integers) {
      if (size.isConstant()) return size.constant();
      integers.push_back(size);
      return kAtLaunch;
    };
    for (const auto& extent : layout.extents) kernel.extents.push(known(extent, result_.integers));
    for (std::size_t t = 0; t < layout.strides.size(); ++t) {
      Strides strides;
      for (const auto& stride : layout.strides[t]) strides.push(known(stride, result_.integers));
      const std::size_t inputs = kernel.inputs.size();
      (t < inputs ? kernel.inputs[t] : kernel.outputs[t - inputs].tensor).strides = strides;
    }
  }

  const Program& program_;
  const ProgramTrace& trace_;
  const FusionGroup& group_;
  Numbers numbers_;
  LoweredKernel result_;
  std::map<ValueId, ExprId> exprs_;
  std::map<ValueId, KernelOutput> reductions_;
};

}  // namespace

LoweredKernel lower(const Program& program, const ProgramTrace& trace, const FusionGroup& group,
                    Numbers numbers, bool contract) {
  return Lowering(program, trace, group, numbers).run(contract);
}

LoweredChain lowerChain(const Program& program, const ProgramTrace& trace,
                        const FusionGroup& group) {
  LoweredKernel lowered = lower(program, trace, group, Numbers::bakedIn);
  LoweredChain result{{std::move(lowered.kernel), {}, {}}, std::move(lowered.integers)};
  Chain& chain = result.chain;
  std::vector<int> inputOf(static_cast<std::size_t>(program.valueCount()), -1);
  std::vector<int> stepOf = inputOf;
  for (std::size_t i = 0; i < group.inputs.size(); ++i)
    inputOf[static_cast<std::size_t>(group.inputs[i])] = static_cast<int>(i);
  const auto place = [&](const Operand& operand) {
    if (operand.isNumber())
      return ChainOperand{ChainOperand::From::number, -1, static_cast<float>(operand.number)};
    const auto value = static_cast<std::size_t>(operand.value);
    if (stepOf[value] >= 0) return ChainOperand{ChainOperand::From::step, stepOf[value], 0};
    return ChainOperand{ChainOperand::From::input, inputOf[value], 0};
  };
  for (const int index : group.ops) {
    const Op& op = program.ops[static_cast<std::size_t>(index)];
    if (op.row->kind == OpKind::reduce) continue;
    const ValueId value = program.result(index);
    ChainStep step;
    step.row = op.row;
    step.op = index;
    step.dtype = trace.values[static_cast<std::size_t>(value)].dtype;
    for (const Operand& operand : op.operands)
      step.operands[static_cast<std::size_t>(step.operandCount++)] = place(operand);
    step.parameters = op.parameters;
    step.node = lowered.opNodes[chain.steps.size()].second;
    stepOf[static_cast<std::size_t>(value)] = static_cast<int>(chain.steps.size());
    chain.steps.push_back(std::move(step));
  }
  for (const KernelOutput& output : chain.kernel.outputs) {
    const Op& op = program.ops[static_cast<std::size_t>(output.op)];
    chain.results.push_back(
        output.reduces
            ? place(op.operands.front())
            : ChainOperand{ChainOperand::From::step,
                           stepOf[static_cast<std::size_t>(program.result(output.op))], 0});
  }
  return result;
}

void generalise(LoweredKernel& lowered) {
  Kernel& kernel = lowered.kernel;
  std::vector<SymbolicSize> integers;
  auto old = lowered.integers.begin();
  const auto open = [&](std::int64_t& known, bool keep) {
    if (known == kAtLaunch) {
      integers.push_back(*old++);
    } else if (!keep) {
      integers.push_back(SymbolicSize(known));
      known = kAtLaunch;
    }
  };
  for (int d = 0; d < kernel.rank(); ++d) open(kernel.extents[d], false);
  const auto openStrides = [&](KernelTensor& tensor) {
    for (int d = 0; d < kernel.rank(); ++d)
      open(tensor.strides[d], tensor.strides[d] == 0 || tensor.strides[d] == 1);
  };
  for (auto& input : kernel.inputs) openStrides(input);
  for (auto& output : kernel.outputs) openStrides(output.tensor);
  lowered.integers = std::move(integers);
}

}  // namespace fusebench
