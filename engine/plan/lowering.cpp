// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/lowering.h"

#include <algorithm>
#include <array>

#include "engine/ops/accumulators.h"
#include "engine/plan/row_fusion.h"

namespace fusebench {

Expr applyRow(const OpRow& row, DType dtype, std::span<const Expr> operands,
              std::span<const Expr> parameters) {
  const Expr result = row.meaning(Args(operands, parameters));
  return {result.graph, result.graph->stored(result.id, dtype)};
}

namespace {

/// As PyTorch turns a Python number into the tensors' dtype.
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

const Op& opAt(const Program& program, int index) {
  return program.ops[static_cast<std::size_t>(index)];
}

/// Inputs that count, of one group: flat, row, column.
constexpr int kCounts = 3;

/// What a kernel says of itself but its expression: names, tensors, loops and reductions.
class Framing {
 public:
  Framing(const Program& program, const PlanValues& values, const FusionGroup& group)
      : program_(program), planned_(values), group_(group), counts_{} {
    for (const int index : group.ops) {
      const Places places = opAt(program, index).row->places;
      if (areOfSource(places)) {
        asked_.push_back(index);
        continue;
      }
      for (int o = 0; o < count(places); ++o)
        counts_[static_cast<std::size_t>(countOf(places, o))] = true;
    }
    if (group.totals) findOfAll();
  }

  /// Whether an op of a group with phases adds up what there is of all rows.
  bool isTotal(int index) const {
    return group_.totals && opAt(program_, index).row->kind == OpKind::reduce &&
           spaceOf(program_, planned_, index) != group_.space;
  }

  /// Which of the inputs that count a place is: of one group, flat, row and column.
  static int countOf(Places places, int operand) {
    return places == Places::rowColumn ? 1 + operand : 0;
  }
  /// The kernel's input that it is.
  int inputOf(Places places, int operand) const {
    const int number = countOf(places, operand);
    return static_cast<int>(group_.inputs.size()) + static_cast<int>(number > 0 && counts_[0]) +
           static_cast<int>(number > 1 && counts_[1]);
  }

  void listOps(Kernel& kernel) const {
    kernel.name = kernelName(program_, group_.ops);
    kernel.ops.assign(group_.ops.begin(), group_.ops.end());
    kernel.inputValues.assign(group_.inputs.begin(), group_.inputs.end());
    for (const int index : group_.ops) {
      const int statement = opAt(program_, index).statement;
      if (kernel.statements.empty() || kernel.statements.back() != statement)
        kernel.statements.push_back(statement);
    }
  }

  void listTensors(LoopNest& kernel) const {
    kernel.inputs.reserve(group_.inputs.size());
    for (const ValueId value : group_.inputs) {
      KernelTensor& input = kernel.inputs.emplace_back();
      input.dtype = planned_.dtype(value);
      input.rewritten = group_.rewrites && isRewritten(value);
      input.indexed = std::ranges::any_of(asked_, [&](int op) {
        return opAt(program_, op).row->kind == OpKind::gather && isSource(op, value);
      });
    }
    const auto count = [&] { kernel.inputs.push_back({DType::int64, {}, true}); };
    for (const bool counts : counts_)
      if (counts) count();
    for (const ValueId value : group_.made)
      if (asks(value)) count();
    for (const int op : asked_)
      for (int o = 0; o < fusebench::count(opAt(program_, op).row->places); ++o) count();
    kernel.outputs.reserve(group_.outputs.size());
    for (const ValueId value : group_.outputs) setOutput(kernel.outputs.emplace_back(), value);
  }

  /// The result of an op; of a reduction, what it accumulates and makes of that.
  KernelOutput accumulating(ValueId value) const {
    KernelOutput output;
    output.op = value - program_.result(0);
    output.tensor.dtype = planned_.dtype(value);
    const Op& op = opAt(program_, output.op);
    if (op.row->kind != OpKind::reduce) return output;
    output.reduces = true;
    output.accumulate = op.row->accumulate;
    output.finish = op.row->finish;
    if (output.finish)
      output.finishParameters = parameterValues(op, planned_.dtype(op.operands.front().value));
    return output;
  }

  /// The op that makes what the group makes for itself.
  int makerOf(ValueId made) const { return planned_.root(made) - program_.result(0); }
  /// Whether it asks where its elements are: row-major, as they would lie.
  bool asks(ValueId made) const {
    return opAt(program_, makerOf(made)).row->places != Places::none;
  }
  /// What inputs that count do so from.
  LaunchSizes countedFrom() const {
    LaunchSizes from;
    for (const bool counts : counts_)
      if (counts) from.push_back(SymbolicSize(0));
    for (const ValueId value : group_.made)
      if (asks(value)) from.push_back(planned_.offset(value));
    for (const int index : asked_) {
      const Op& op = opAt(program_, index);
      const ValueId source = op.operands[op.row->indexing.source].value;
      const SizeList<SymbolicSize>& extents = planned_.extents(planned_.space(source));
      const auto dim = static_cast<std::size_t>(indexedDim(op, static_cast<int>(extents.size())));
      const bool whole = dim < extents.size();  // else it is one element
      from.push_back(whole ? extents[dim] : SymbolicSize(1));
      if (op.row->places == Places::step)
        from.push_back(whole ? planned_.strides(source)[dim] : SymbolicSize(1));
    }
    return from;
  }
  /// The input that the first of the sizes is which an op asks for.
  int askedInput(int op) const {
    int input = firstMadeInput();
    for (const ValueId value : group_.made) input += static_cast<int>(asks(value));
    for (const int other : asked_) {
      if (other == op) break;
      input += count(opAt(program_, other).row->places);
    }
    return input;
  }
  /// Whether an op's index goes into this value.
  bool isSource(int index, ValueId value) const {
    const Op& op = opAt(program_, index);
    return planned_.named(op.operands[op.row->indexing.source].value) == planned_.named(value);
  }
  /// The kernel's input that an op's index goes into.
  int sourceInput(int op) const {
    for (std::size_t i = 0; i < group_.inputs.size(); ++i)
      if (isSource(op, group_.inputs[i])) return static_cast<int>(i);
    return -1;
  }
  /// The first of the inputs that what the group makes takes.
  int firstMadeInput() const {
    return static_cast<int>(group_.inputs.size()) +
           static_cast<int>(std::count(counts_.begin(), counts_.end(), true));
  }

  /// Gives the kernel its loops; sizes that are known only at launch go to `integers`.
  void place(LoopNest& kernel, LaunchSizes& integers) const {
    if (placeAsRow(kernel, integers)) return;
    IndexSpace<SymbolicSize> loops = spread(kernel);
    if (const DimOrder order = loopOrder(kernel); !order.isRowMajor())
      loops = reordered(loops, order);
    collapse(loops, group_.reduces);
    kernel.reducedMask = loops.reducedMask;
    const auto known = [&integers](const SymbolicSize& size) {
      if (size.isConstant()) return size.constant();
      integers.push_back(size);
      return kAtLaunch;
    };
    for (const auto& extent : loops.extents) kernel.extents.push(known(extent));
    const std::size_t inputs = kernel.inputs.size();
    for (std::size_t t = 0; t < loops.strides.size(); ++t) {
      Strides& strides =
          (t < inputs ? kernel.inputs[t] : kernel.outputs[t - inputs].tensor).strides;
      for (const auto& stride : loops.strides[t]) strides.push(known(stride));
    }
  }

 private:
  /// Of all rows are totals and what is computed of such.
  void findOfAll() {
    for (const int index : group_.ops) {
      const Op& op = opAt(program_, index);
      if (isTotal(index) || std::ranges::any_of(op.operands, [&](const Operand& operand) {
            return reads(op, operand) && isOfAll(operand.value);
          }))
        ofAll_.push_back(program_.result(index));
    }
  }
  bool isOfAll(ValueId value) const {
    return std::ranges::find(ofAll_, planned_.root(value)) != ofAll_.end();
  }

  bool isRewritten(ValueId value) const {
    return std::ranges::any_of(group_.outputs, [&](ValueId output) {
      return planned_.root(output) == planned_.root(value);
    });
  }

  void setOutput(KernelOutput& output, ValueId value) const {
    const Op& op = opAt(program_, value - program_.result(0));
    const bool into = planned_.root(value) != value;
    if (group_.phased) {
      output.op = value - program_.result(0);
      output.tensor.dtype = planned_.dtype(value);
      output.tensor.into = into;
      output.ofRow =
          op.row->kind == OpKind::reduce || spaceOf(program_, planned_, output.op) != group_.space;
      output.ofAll = isOfAll(value);
      return;
    }
    output = accumulating(value);
    output.tensor.into = into;
    if (op.row->kind == OpKind::scan) {
      output.scans = true;
      output.accumulate = op.row->accumulate;
    }
  }

  /// Whether what is reduced goes by without another element of the output.
  static bool standsStill(const KernelOutput& output) { return output.reduces || output.ofRow; }

  /// How the group steps through an input over its space.
  SizeList<SymbolicSize> stridesOf(ValueId value) const {
    if (group_.phased)
      for (const int index : group_.ops)
        for (const Operand& operand : opAt(program_, index).operands)
          if (reads(opAt(program_, index), operand) &&
              planned_.named(operand.value) == planned_.named(value))
            return stridesInRows(planned_, {group_.space, group_.reducedMask},
                                 spaceOf(program_, planned_, index), value);
    for (const int index : asked_) {
      const Op& op = opAt(program_, index);
      for (std::size_t o = 0; o < op.operands.size() && op.row->kind == OpKind::gather; ++o)
        if (planned_.named(op.operands[o].value) == planned_.named(value))
          return indexedStrides(program_, planned_, index, o);
    }
    return broadcastStrides(planned_.extents(planned_.space(value)), planned_.strides(value),
                            planned_.extents(group_.space));
  }

  /// What most groups are: all tensors row-major over the whole index space, of which nothing or
  /// all is reduced. Then merging leaves one loop; there is no need to look at the dimensions.
  bool placeAsRow(LoopNest& kernel, LaunchSizes& integers) const {
    const SizeList<SymbolicSize>& space = planned_.extents(group_.space);
    if (group_.reduces && group_.reducedMask != (1u << space.size()) - 1) return false;
    if (!group_.reduces && group_.reducedMask != 0) return false;
    const auto fills = [&](ValueId value) {
      return planned_.space(value) == group_.space && !planned_.layout(value);
    };
    // A copy that changes the shape is row-major over what it copies.
    const auto fillsAsOutput = [&](const KernelOutput& output, ValueId value) {
      return changesSpace(program_, planned_, output.op) || fills(value);
    };
    for (const ValueId input : group_.inputs)
      if (!fills(input)) return false;
    if (counts_[1] || counts_[2] || asked_.size() > 0) return false;
    for (const ValueId made : group_.made)
      if (asks(made) && !fills(made)) return false;
    for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
      if (!standsStill(kernel.outputs[o]) && !fillsAsOutput(kernel.outputs[o], group_.outputs[o]))
        return false;
    SymbolicSize length(1);
    for (const SymbolicSize& extent : space) length = length * extent;
    if (isOne(length)) return false;
    kernel.reducedMask = group_.reduces ? 1 : 0;
    kernel.extents.push(length.isConstant() ? length.constant() : kAtLaunch);
    if (!length.isConstant()) integers.push_back(length);
    for (KernelTensor& input : kernel.inputs) input.strides.push(1);
    for (KernelOutput& output : kernel.outputs)
      output.tensor.strides.push(standsStill(output) ? 0 : 1);
    return true;
  }

  /// The loops before dimensions are merged.
  IndexSpace<SymbolicSize> spread(const LoopNest& kernel) const {
    const SizeList<SymbolicSize>& space = planned_.extents(group_.space);
    IndexSpace<SymbolicSize> loops{space, group_.reducedMask, {}};
    loops.strides.reserve(kernel.inputs.size() + kernel.outputs.size());
    const auto broadcast = [&](ValueId value) { loops.strides.push_back(stridesOf(value)); };
    for (const ValueId value : group_.inputs) broadcast(value);
    for (std::size_t p = 0; p < kCounts; ++p)
      if (counts_[p]) loops.strides.push_back(countStrides(static_cast<int>(p), space));
    for (const ValueId value : group_.made)
      if (asks(value)) broadcast(value);
    for (const int op : asked_)
      for (int o = 0; o < count(opAt(program_, op).row->places); ++o)
        loops.strides.emplace_back(space.size(), SymbolicSize(0));
    for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
      if (kernel.outputs[o].ofAll)
        loops.strides.emplace_back(space.size(), SymbolicSize(0));
      else if (standsStill(kernel.outputs[o]))
        loops.strides.push_back(outputStrides(space, group_.reducedMask));
      else if (changesSpace(program_, planned_, kernel.outputs[o].op))
        loops.strides.push_back(outputStrides(space, 0));
      else
        broadcast(group_.outputs[o]);
    return loops;
  }

  /// The loops follow what is stored, but that positions count in row-major order.
  DimOrder loopOrder(const LoopNest& kernel) const {
    const DimOrder rowMajor(static_cast<int>(planned_.extents(group_.space).size()));
    DimOrder order = rowMajor;
    for (std::size_t o = kernel.outputs.size(); o-- > 0;) {
      const KernelOutput& output = kernel.outputs[o];
      if (output.reduces && info(output.accumulate).positions) return rowMajor;
      if (output.reduces) continue;
      const PlanValues::ValueLayout* const stored = planned_.layout(group_.outputs[o]);
      order = stored ? stored->order : rowMajor;
    }
    return order;
  }

  const Program& program_;
  const PlanValues& planned_;
  const FusionGroup& group_;
  std::array<bool, kCounts> counts_;  ///< which inputs that count the group's ops take
  ShortList<int, 2> asked_;           ///< ops that take sizes of what their index goes into
  std::vector<ValueId> ofAll_;
};

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
    int next = framing.firstMadeInput();
    for (const ValueId value : group_.made) {
      places_.clear();
      if (framing.asks(value))
        places_.push_back({&graph(), graph().input(next++, TypeClass::int64)});
      kernel.nodeOps.resize(graph().size(), -1);
      lowerOp(framing.makerOf(value));
      expr(value) = expr(planned_.root(value));
      kernel.nodeOps.resize(graph().size(), framing.makerOf(value));
    }
    const auto place = [&](Places places, int operand) {
      return Expr{&graph(), graph().input(framing.inputOf(places, operand), TypeClass::int64)};
    };
    for (int index : group_.ops) {
      const Places places = opAt(program_, index).row->places;
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
  /// Of what it holds at this point: what is written in place is what later ops read by its name.
  ExprId& expr(ValueId value) { return exprs_[static_cast<std::size_t>(planned_.named(value))]; }
  /// The same of what is read: a view of a row's result is that.
  ExprId given(ValueId value) { return expr(value) < 0 ? expr(planned_.root(value)) : expr(value); }
  ExprGraph& graph() { return result_.kernel.body; }

  /// A number of the program as the op that takes it computes with it.
  Expr number(double value, TypeClass type) {
    if (type == TypeClass::truth) type = TypeClass::float32;
    if (numbers_ == Numbers::bakedIn) return baked(value, type);
    result_.scalars.push_back(Scalar::of(value, type));
    result_.kernel.scalarTypes.push_back(type);
    return {&graph(), graph().scalar(static_cast<int>(result_.scalars.size()) - 1, type)};
  }
  Expr baked(double value, TypeClass type) {
    return {&graph(),
            graph().constant(type == TypeClass::float32 ? asFloat32(value) : value, type)};
  }

  OpTypes typesOf(const Op& op) const {
    return opTypesOf(op, [this](ValueId value) {
      return std::pair(planned_.dtype(value), planned_.extents(planned_.space(value)).size());
    });
  }

  /// A tensor operand as the op computes with it. Formulas turn truth values into numbers where
  /// they need them.
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
    const OpTypes types = typesOf(op);
    const TypeClass type = classOf(types);
    operands_.clear();
    std::size_t input = 0;
    for (std::size_t i = 0; row.kind != OpKind::make && i < op.operands.size(); ++i) {
      const Operand& operand = op.operands[i];
      if (row.indexing.is && i != row.indexing.index) continue;  // it is not read here
      if (group_.alone && !operand.isNumber()) {
        // Given twice it is two inputs, as of eager's kernel, which serves any two tensors.
        if (input < group_.inputs.size() && group_.inputs[input] == operand.value)
          expr(operand.value) =
              graph().input(static_cast<int>(input), classOf(result_.kernel.inputs[input].dtype));
        ++input;
      }
      operands_.push_back(
          operand.isNumber() ? number(operand.number, type)
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
    if (row.kind == OpKind::view || row.kind == OpKind::scan) {  // of what is read
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
      const double written = op.parameters[i++];
      if (parameter.kind != Parameter::Kind::number)
        parameters_.push_back({&graph(), graph().constant(written)});
      else if (reduces)  // baked into what is made of the accumulated value, too
        parameters_.push_back(baked(written, type));
      else
        parameters_.push_back(number(written, type));
    }
    for (; i < op.parameters.size(); ++i) parameters_.push_back(number(op.parameters[i], type));
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

  /// What a reduction accumulates: its result is not at hand in this kernel, but where it is
  /// carried on.
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
  std::vector<Expr> places_;                 ///< of the op that is lowered, if it asks
  std::vector<Expr> operands_, parameters_;  ///< likewise
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
  // Per value: the op of the list that makes it; or the input, counted down from -1.
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
      // A reduction that accumulates its operand itself, or a copy: of what that is by now.
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
    ListedOperand* to = listed.operands.data();
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) {
        *to++ = wide ? ListedOperand::of(Scalar::of(operand.number, group.lanes))
                     : ListedOperand{ListedOperand::From::number, -1,
                                     static_cast<float>(operand.number)};
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

void generalise(LoweredKernel& lowered) {
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
