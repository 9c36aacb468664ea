// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lowering.h"

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
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (i > 0) text += '_';
    text += name(i);
  }
  return text;
}

namespace {

/// As PyTorch turns a Python number into the tensors' dtype.
double asFloat32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

const Op& opAt(const Program& program, int index) {
  return program.ops[static_cast<std::size_t>(index)];
}

/// What a kernel says of itself but its expression: names, tensors, loops and reductions.
class Framing {
 public:
  Framing(const Program& program, const ProgramTrace& trace, const FusionGroup& group)
      : program_(program), trace_(trace), group_(group) {}

  void listOps(Kernel& kernel) const {
    kernel.ops = group_.ops;
    for (const int index : group_.ops) {
      const int statement = opAt(program_, index).statement;
      if (kernel.statements.empty() || kernel.statements.back() != statement)
        kernel.statements.push_back(statement);
    }
  }

  void nameTensors(Kernel& kernel) const {
    kernel.name = kernelName(program_, group_.ops);
    kernel.inputs.reserve(group_.inputs.size());
    for (const ValueId value : group_.inputs) kernel.inputs.push_back({trace_[value].dtype, {}});
    kernel.outputs.reserve(group_.outputs.size());
    for (const ValueId value : group_.outputs) kernel.outputs.push_back(output(value));
  }

  /// Gives the kernel its loops; sizes that are known only at launch go to `integers`.
  void place(Kernel& kernel, std::vector<SymbolicSize>& integers) const {
    const Layout<SymbolicSize> layout =
        collapse(reordered(spread(kernel), loopOrder(kernel)), group_.reduces);
    kernel.reducedMask = layout.reducedMask;
    const auto known = [&integers](const SymbolicSize& size) {
      if (size.isConstant()) return size.constant();
      integers.push_back(size);
      return kAtLaunch;
    };
    for (const auto& extent : layout.extents) kernel.extents.push(known(extent));
    const std::size_t inputs = kernel.inputs.size();
    for (std::size_t t = 0; t < layout.strides.size(); ++t) {
      Strides& strides =
          (t < inputs ? kernel.inputs[t] : kernel.outputs[t - inputs].tensor).strides;
      for (const auto& stride : layout.strides[t]) strides.push(known(stride));
    }
  }

 private:
  KernelOutput output(ValueId value) const {
    KernelOutput output;
    output.op = value - static_cast<ValueId>(program_.inputs.size());
    output.tensor.dtype = trace_[value].dtype;
    const Op& op = opAt(program_, output.op);
    if (op.row->kind == OpKind::reduce) {
      output.reduces = true;
      output.accumulate = op.row->accumulate;
      output.finish = op.row->finish;
      output.finishParameters = parameterValues(op);
    }
    return output;
  }

  /// The loops before dimensions are merged.
  Layout<SymbolicSize> spread(const Kernel& kernel) const {
    const SizeList<SymbolicSize>& space = trace_.extents(group_.space);
    Layout<SymbolicSize> layout{space, group_.reducedMask, {}};
    layout.strides.reserve(kernel.inputs.size() + kernel.outputs.size());
    for (const ValueId value : group_.inputs) {
      const TracedLayout& from = trace_.layout(value);
      layout.strides.push_back(broadcastStrides(from.extents, from.strides, space));
    }
    for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
      const TracedLayout& to = trace_.layout(group_.outputs[o]);
      layout.strides.push_back(kernel.outputs[o].reduces
                                   ? outputStrides(space, group_.reducedMask)
                                   : broadcastStrides(to.extents, to.strides, space));
    }
    return layout;
  }

  /// The loops follow what is stored, but that argmax counts places in row-major order.
  DimOrder loopOrder(const Kernel& kernel) const {
    const DimOrder rowMajor(static_cast<int>(trace_.extents(group_.space).size()));
    DimOrder order = rowMajor;
    for (std::size_t o = kernel.outputs.size(); o-- > 0;) {
      const KernelOutput& output = kernel.outputs[o];
      if (output.reduces && output.accumulate == Accumulate::argmax) return rowMajor;
      const DimOrder& stored = trace_.layout(group_.outputs[o]).order;
      if (!output.reduces && stored.rank() == rowMajor.rank()) order = stored;
    }
    return order;
  }

  const Program& program_;
  const ProgramTrace& trace_;
  const FusionGroup& group_;
};

class Lowering {
 public:
  Lowering(const Program& program, const ProgramTrace& trace, const FusionGroup& group,
           Numbers numbers)
      : program_(program),
        trace_(trace),
        group_(group),
        numbers_(numbers),
        exprs_(static_cast<std::size_t>(program.valueCount()), -1) {}

  LoweredKernel run(bool contract) {
    Kernel& kernel = result_.kernel;
    const Framing framing(program_, trace_, group_);
    framing.listOps(kernel);
    framing.nameTensors(kernel);
    kernel.contract = contract;
    for (std::size_t i = 0; i < group_.inputs.size(); ++i)
      expr(group_.inputs[i]) =
          graph().input(static_cast<int>(i), kernel.inputs[i].dtype == DType::boolean);
    for (int index : group_.ops) {
      kernel.nodeOps.resize(graph().size(), -1);
      lowerOp(index);
      kernel.nodeOps.resize(graph().size(), index);
    }
    kernel.scalars = static_cast<int>(result_.scalars.size());
    for (KernelOutput& output : kernel.outputs) output.value = expr(program_.result(output.op));
    framing.place(kernel, result_.integers);
    return std::move(result_);
  }

 private:
  ExprId& expr(ValueId value) { return exprs_[static_cast<std::size_t>(value)]; }
  ExprGraph& graph() { return result_.kernel.body; }

  Expr number(double value) {
    if (numbers_ == Numbers::bakedIn) return {&graph(), graph().constant(asFloat32(value))};
    result_.scalars.push_back(static_cast<float>(value));
    return {&graph(), graph().scalar(static_cast<int>(result_.scalars.size()) - 1)};
  }

  void lowerOp(int index) {
    const Op& op = opAt(program_, index);
    const ValueId value = program_.result(index);
    operands_.clear();
    for (const Operand& operand : op.operands)
      operands_.push_back(operand.isNumber() ? number(operand.number)
                                             : Expr{&graph(), expr(operand.value)});
    if (op.row->kind == OpKind::reduce) {
      Expr operand = operands_.front();
      if (operand.isTruth()) operand = apply(Primitive::toNumber, operand);
      expr(value) = operand.id;  // what is accumulated; the result is not at hand in this kernel
      return;
    }
    parameters_.clear();
    std::size_t i = 0;
    for (const Parameter& parameter : op.row->parameters) {
      const double written = op.parameters[i++];
      parameters_.push_back(parameter.kind == Parameter::Kind::number
                                ? number(written)
                                : Expr{&graph(), graph().constant(written)});
    }
    expr(value) = applyRow(*op.row, trace_[value].dtype, operands_, parameters_).id;
  }

  const Program& program_;
  const ProgramTrace& trace_;
  const FusionGroup& group_;
  Numbers numbers_;
  LoweredKernel result_;
  std::vector<ExprId> exprs_;                ///< per value
  std::vector<Expr> operands_, parameters_;  ///< of the op that is lowered
};

}  // namespace

LoweredKernel lower(const Program& program, const ProgramTrace& trace, const FusionGroup& group,
                    Numbers numbers, bool contract) {
  return Lowering(program, trace, group, numbers).run(contract);
}

LoweredChain lowerChain(const Program& program, const ProgramTrace& trace,
                        const FusionGroup& group) {
  LoweredChain result;
  Chain& chain = result.chain;
  const Framing framing(program, trace, group);
  framing.nameTensors(chain.kernel);
  framing.place(chain.kernel, result.integers);
  /// Per value: where it comes from.
  std::vector<ChainOperand> sources(static_cast<std::size_t>(program.valueCount()));
  for (std::size_t i = 0; i < group.inputs.size(); ++i)
    sources[static_cast<std::size_t>(group.inputs[i])] = {ChainOperand::From::input,
                                                          static_cast<int>(i), 0};
  const auto source = [&](const Operand& operand) {
    if (operand.isNumber())
      return ChainOperand{ChainOperand::From::number, -1, static_cast<float>(operand.number)};
    return sources[static_cast<std::size_t>(operand.value)];
  };
  chain.steps.reserve(group.ops.size());
  for (const int index : group.ops) {
    const Op& op = opAt(program, index);
    if (op.row->kind == OpKind::reduce) continue;
    const ValueId value = program.result(index);
    sources[static_cast<std::size_t>(value)] = {ChainOperand::From::step,
                                                static_cast<int>(chain.steps.size()), 0};
    ChainStep& step = chain.steps.emplace_back();
    step.row = op.row;
    step.op = index;
    step.dtype = trace[value].dtype;
    for (const Operand& operand : op.operands)
      step.operands[static_cast<std::size_t>(step.operandCount++)] = source(operand);
    step.parameters = op.parameters;
  }
  for (const KernelOutput& output : chain.kernel.outputs)
    chain.results.push_back(output.reduces
                                ? source(opAt(program, output.op).operands.front())
                                : sources[static_cast<std::size_t>(program.result(output.op))]);
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
