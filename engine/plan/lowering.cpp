// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/lowering.h"

#include <algorithm>
#include <span>
#include <string>

#include "engine/ops/op_numbers.h"
#include "engine/plan/framing.h"
#include "engine/plan/row_fusion.h"

namespace fusebench {

Expr applyRow(const OpRow& row, DType dtype, std::span<const Expr> operands,
              std::span<const Expr> parameters) {
  const Expr result = row.meaning(Args(operands, parameters));
  return {result.graph, result.graph->stored(result.id, dtype)};
}

namespace {

/// Rounds as PyTorch does when it converts a Python number to float32.
double asFloat32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

}  // namespace

std::vector<double> parameterValues(const Op& op, DType computed) {
  std::vector<double> values = op.parameters;
  std::size_t i = 0;
  for (const Parameter& parameter : op.row->parameters) {
    if (parameter.kind == Parameter::Kind::number && computed != DType::float64)
      values[i] = asFloat32(values[i]);
    ++i;
  }
  return values;
}

KernelLabel kernelLabel(const Program& program, std::span<const int> ops) {
  KernelLabel label;
  label.ops = ops.size();
  const std::size_t named = std::min(ops.size(), KernelLabel::kNamed);
  for (std::size_t i = 0; i < named; ++i)
    label.rows[i] = program.ops[static_cast<std::size_t>(ops[i])].row;
  if (named < ops.size()) label.rows.back() = program.ops[static_cast<std::size_t>(ops.back())].row;
  return label;
}

std::string kernelName(const Program& program, std::span<const int> ops) {
  return kernelLabel(program, ops).text();
}

namespace {

class Lowering {
 public:
  Lowering(const Program& program, const PlanValues& values, const FusionGroup& group,
           Numbers numbers)
      : program_(program),
        planned_(values),
        group_(group),
        framing_(program, values, group),
        numbers_(numbers),
        exprs_(static_cast<std::size_t>(program.valueCount()), -1) {}

  LoweredKernel run(bool contract) {
    Kernel& kernel = result_.kernel;
    const Framing& framing = framing_;
    framing.listOps(kernel);
    framing.listTensors(kernel);
    kernel.contract = contract;
    for (std::size_t i = 0; i < group_.inputs.size(); ++i)
      expr(group_.inputs[i]) = graph().input(static_cast<int>(i), classOf(kernel.inputs[i].dtype));
    result_.countedFrom = framing.countedFrom();
    lowerMade();
    const auto place = [&](IndexInputs places, int operand) {
      return Expr{&graph(), graph().input(framing.inputOf(places, operand), TypeClass::int64)};
    };
    for (int index : group_.ops) {
      if (std::ranges::find(group_.choices, index) != group_.choices.end()) continue;
      const IndexInputs places = opAt(program_, index).row->places;
      places_.clear();
      for (int o = 0; o < count(places); ++o)
        places_.push_back(
            areOfSource(places)
                ? Expr{&graph(), graph().input(framing.askedInput(index) + o, TypeClass::int64)}
                : place(places, o));
      kernel.nodeOps.resize(graph().size(), -1);
      lowerOp(index);
      kernel.nodeOps.resize(graph().size(), index);
    }
    kernel.scalars = static_cast<int>(result_.scalars.size());
    for (KernelOutput& output : kernel.outputs) {
      output.value = expr(program_.result(output.op));
      output.accumulated = graph()[output.value].type;
    }
    framing.place(kernel, result_.integers);
    return std::move(result_);
  }

 private:
  /// Computes the values that the group does not read, op by op. One value can be read through
  /// several views, so that each op gets its own operands.
  void lowerMade() {
    const MadeOps& made = framing_.made();
    const int first = framing_.firstMadeInput();
    std::vector<ExprId> results;
    for (const MadeOps::MadeOp& each : made.ops) {
      const Op& op = opAt(program_, each.op);
      for (std::size_t o = 0; o < each.operands.size(); ++o)
        if (each.operands[o] >= 0)
          expr(op.operands[o].value) = results[static_cast<std::size_t>(each.operands[o])];
      places_.clear();
      for (const int counted : each.counted)
        places_.push_back({&graph(), graph().input(first + counted, TypeClass::int64)});
      result_.kernel.nodeOps.resize(graph().size(), -1);
      lowerOp(each.op);
      result_.kernel.nodeOps.resize(graph().size(), each.op);
      results.push_back(expr(program_.result(each.op)));
    }
    for (std::size_t i = 0; i < group_.made.size(); ++i)
      expr(group_.made[i]) = results[static_cast<std::size_t>(made.makers[i])];
  }

  /// The current expression of a value: later ops read a value written in place under its old name.
  ExprId& expr(ValueId value) { return exprs_[static_cast<std::size_t>(planned_.named(value))]; }
  /// The expression to read: a view of the result of a row reads that result.
  ExprId given(ValueId value) { return expr(value) < 0 ? expr(planned_.root(value)) : expr(value); }
  ExprGraph& graph() { return result_.kernel.body; }

  /// A number of the program in the type in which the op computes.
  Expr number(double value, TypeClass type) {
    if (type == TypeClass::truth) type = TypeClass::float32;
    if (numbers_ == Numbers::bakedIn) return baked(value, type);
    result_.scalars.push_back(Scalar::of(value, type));
    result_.kernel.scalarTypes.push_back(type);
    return {&graph(), graph().scalar(static_cast<int>(result_.scalars.size()) - 1, type)};
  }
  /// The same for one of the op's operands.
  Expr numberIn(const OpRow& row, double value, const OpTypes& types) {
    const Expr written = number(fusebench::numberIn(row, value, types.computed), classOf(types));
    // A kernel that takes its numbers as arguments gets them as they were written.
    if (!row.roundsNumbers || numbers_ == Numbers::bakedIn) return written;
    return {&graph(), graph().stored(written.id, types.computed)};
  }
  Expr baked(double value, TypeClass type) {
    return {&graph(),
            graph().constant(type == TypeClass::float32 ? asFloat32(value) : value, type)};
  }

  /// A tensor operand in the type in which the op computes. Formulas convert booleans to numbers
  /// where they need to.
  Expr tensor(ValueId value, DType computed, bool keptAsTruth) {
    const DType own = planned_.dtype(value);
    const bool kept = keptAsTruth || own == computed ||
                      (own == DType::boolean && classOf(computed) == TypeClass::float32);
    return {&graph(), kept ? given(value) : graph().stored(given(value), computed)};
  }

  void lowerOp(int index) {
    const Op& op = opAt(program_, index);
    const OpRow& row = *op.row;
    const ValueId value = program_.result(index);
    const OpTypes types = opTypesIn(op, planned_);
    const TypeClass type = classOf(types);
    operands_.clear();
    std::size_t input = 0;
    for (std::size_t i = 0; row.kind != OpKind::make && i < op.operands.size(); ++i) {
      const Operand& operand = op.operands[i];
      if (row.indexing.is && i != row.indexing.index) continue;  // it is not read here
      if (group_.alone && !operand.isNumber()) {
        // An operand that is passed twice is two inputs, as in the eager kernel for any two
        // tensors.
        if (input < group_.inputs.size() && group_.inputs[input] == operand.value)
          expr(operand.value) =
              graph().input(static_cast<int>(input), classOf(result_.kernel.inputs[input].dtype));
        ++input;
      }
      operands_.push_back(
          operand.isNumber() ? numberIn(row, operand.number, types)
          : row.indexing.is  ? Expr{&graph(), given(operand.value)}
                            : tensor(operand.value, types.computed, (row.truthOperands >> i) & 1u));
    }
    if (row.indexing.is) operands_[0].id = graph().converted(operands_[0].id, TypeClass::int64);
    operands_.insert(operands_.end(), places_.begin(), places_.end());
    if (row.kind == OpKind::gather) {
      expr(value) = graph().at(framing_.sourceInput(index), row.meaning(Args(operands_, {})).id,
                               classOf(types.result));
      return;
    }
    const bool reduces = row.kind == OpKind::reduce;
    if (row.kind == OpKind::view || row.kind == OpKind::scan) {  // the value that is read
      expr(value) = operands_.front().id;
      return;
    }
    if (reduces && !row.meaning) {
      Expr operand = operands_.front();
      if (operand.isTruth()) operand = apply(Primitive::toNumber, operand);
      setReduced(value, operand.id);
      return;
    }
    parameters_.clear();
    std::size_t i = 0;
    for (const Parameter& parameter : row.parameters) {
      const double written = parameterIn(row, i, op.parameters[i], types.computed);
      ++i;
      if (parameter.kind != Parameter::Kind::number)
        parameters_.push_back({&graph(), graph().constant(written)});
      else if (reduces)  // baked into what is made of the accumulated value, too
        parameters_.push_back(baked(written, type));
      else
        parameters_.push_back(number(written, type));
    }
    for (; i < op.parameters.size(); ++i)
      parameters_.push_back(number(parameterIn(row, i, op.parameters[i], types.computed), type));
    if (!reduces) {
      ExprId made = applyRow(row, types.result, operands_, parameters_).id;
      if (op.writesInto()) made = graph().stored(made, planned_.dtype(value));
      expr(value) = made;
      return;
    }
    Expr mapped = row.meaning(Args(operands_, parameters_));
    if (mapped.isTruth()) mapped = apply(Primitive::toNumber, mapped);
    setReduced(value, mapped.id);
  }

  /// Sets the value that a reduction accumulates. Its result is not available in this kernel,
  /// except if it is carried to a later phase.
  void setReduced(ValueId value, ExprId mapped) {
    expr(value) = mapped;
    if (!group_.phased) return;
    const bool total = framing_.isTotal(value - program_.result(0));
    std::vector<KernelOutput>& carried = total ? result_.kernel.totals : result_.kernel.carried;
    KernelOutput& output = carried.emplace_back(framing_.accumulating(value));
    output.value = mapped;
    output.accumulated = graph()[mapped].type;
    const DType dtype = output.tensor.dtype;
    const int number = static_cast<int>(carried.size()) - 1 + (total ? LoopNest::kFirstTotal : 0);
    expr(value) = graph().stored(graph().carried(number, classOf(dtype)), dtype);
  }

  const Program& program_;
  const PlanValues& planned_;
  const FusionGroup& group_;
  Framing framing_;
  Numbers numbers_;
  LoweredKernel result_;
  std::vector<ExprId> exprs_;                ///< per value
  std::vector<Expr> places_;                 ///< positions for the current op, if it uses them
  std::vector<Expr> operands_, parameters_;  ///< of the current op
};

}  // namespace

LoweredKernel lower(const Program& program, const PlanValues& values, const FusionGroup& group,
                    Numbers numbers, bool contract) {
  return Lowering(program, values, group, numbers).run(contract);
}

LoweredOpList lowerOpList(const Program& program, const PlanValues& values,
                          const FusionGroup& group) {
  LoweredOpList result;
  OpList& list = result.list;
  list.label = kernelLabel(program, group.ops);
  list.lanes = group.lanes;
  const bool wide = group.lanes != TypeClass::float32;
  const Framing framing(program, values, group);
  framing.listTensors(list.kernel);
  framing.place(list.kernel, result.integers);
  // Per value: the op of the list that makes it, or the input, counted down from -1.
  ShortList<int, 128> sources(static_cast<std::size_t>(program.valueCount()));
  const auto sourceOf = [&](ValueId value) -> int& {
    return sources[static_cast<std::size_t>(values.named(value))];
  };
  const auto operandFrom = [](int source) -> ListedOperand {
    if (source < 0) return {ListedOperand::From::input, -1 - source, 0};
    return {ListedOperand::From::op, source, 0};
  };
  for (std::size_t i = 0; i < group.inputs.size(); ++i) {
    sourceOf(group.inputs[i]) = -1 - static_cast<int>(i);
    list.truths |= list.kernel.inputs[i].dtype == DType::boolean;
  }
  list.ops.resize(group.ops.size());
  ListedOp* const ops = list.ops.data();
  const ValueId firstResult = program.result(0);
  int made = 0;
  for (const int index : group.ops) {
    const Op& op = opAt(program, index);
    const OpRow& row = *op.row;
    if (!row.meaning) {
      // For a reduction that accumulates its operand itself, or a copy: the current source of that
      // operand.
      sourceOf(firstResult + index) = sourceOf(op.operands.front().value);
      continue;
    }
    ListedOp& listed = ops[made];
    listed.row = &row;
    listed.op = index;
    listed.dtype = meaningDType(row);
    if (const DType given = values.dtype(program.result(index));
        row.kind == OpKind::pointwise && (isRounded(given) || wide))
      listed.dtype = given;
    list.truths |= listed.dtype == DType::boolean;
    const DType computed = wide                ? storageOf(group.lanes)
                           : row.roundsNumbers ? opTypesIn(op, values).computed
                                               : DType::float32;
    ListedOperand* to = listed.operands.data();
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) {
        const double number = numberIn(row, operand.number, computed);
        *to++ = wide ? ListedOperand::of(Scalar::of(number, group.lanes))
                     : ListedOperand{ListedOperand::From::number, -1, static_cast<float>(number)};
        continue;
      }
      const int source = sourceOf(operand.value);
      if (source >= 0) ops[source].lastUse = made;
      *to++ = operandFrom(source);
    }
    listed.operandCount = row.arity;
    listed.parameters = op.parameters;
    sourceOf(firstResult + index) = made++;
  }
  list.ops.resize(static_cast<std::size_t>(made));
  list.results.reserve(list.kernel.outputs.size());
  for (const KernelOutput& output : list.kernel.outputs)
    list.results.push_back(operandFrom(sourceOf(program.result(output.op))));
  return result;
}

void generalize(LoweredKernel& lowered) {
  Kernel& kernel = lowered.kernel;
  LaunchSizes integers;
  const SymbolicSize* old = lowered.integers.begin();
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
  for (auto& output : kernel.outputs) {
    openStrides(output.tensor);
    output.tensor.into = false;
  }
  lowered.integers = std::move(integers);
}

}  // namespace fusebench
