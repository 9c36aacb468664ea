// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/differentiate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/elements.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_gradients.h"
#include "engine/ops/derivatives.h"
#include "engine/ops/formula.h"
#include "engine/plan/contraction_gradients.h"
#include "engine/plan/gradient_ops.h"
#include "engine/plan/gradient_ranks.h"
#include "engine/plan/kept_values.h"
#include "engine/plan/saved_values.h"
#include "engine/plan/view_gradients.h"

namespace fusebench {

namespace {

/// The views that lead from the tensor whose memory a value lies in to that value, outermost first.
std::vector<std::size_t> viewsOf(const Program& program, ValueId value) {
  std::vector<std::size_t> views;
  const auto inputs = static_cast<ValueId>(program.inputs.size());
  for (value = sameTensor(program, value); value >= inputs; value = sameTensor(program, value)) {
    const Op& op = program.ops[static_cast<std::size_t>(value - inputs)];
    if (op.row->kind != OpKind::view && op.row->kind != OpKind::copy) break;
    views.push_back(static_cast<std::size_t>(value - inputs));
    value = op.operands.front().value;
  }
  std::ranges::reverse(views);
  return views;
}

/// Goes back from one value through the ops before it. A gradient may be a number, and may have
/// fewer or smaller dimensions than its value: then it is the same along them.
class Backward {
 public:
  /// `saved`: see KeptValues.
  Backward(GradientOps& ops, std::size_t inputs, Keeping keeping, std::vector<bool> saved)
      : ops_(ops),
        inputs_(inputs),
        ranks_(ops, inputs),
        kept_(ops, inputs, keeping, std::move(saved)),
        forward_(ops.program().ops.size()),
        gradients_(ops.count()),
        flows_(ops.count()) {}

  void run(ValueId of, std::span<const ValueId> by) {
    for (const ValueId value : by) flows_[index(value)] = true;
    for (std::size_t i = 0; i < forward_; ++i) {
      passes_.push_back(passes(i));
      if (passes_[i]) flows_[inputs_ + i] = true;
    }
    if (!flows_[index(of)])
      failProgram(opAt(forward_ - 1).place,
                  "nothing that gradients are asked for has a part in the value that is "
                  "differentiated");
    gradients_[index(of)] = Operand::ofNumber(1);
    ranks_.expect(
        by, [&](std::size_t i, const Operand& operand) { return passes_[i] && wants(operand); });
    for (std::size_t i = forward_; i-- > 0;) {
      const std::optional<Operand> gradient = gradients_[inputs_ + i];
      if (!gradient || !passes_[i]) continue;
      ops_.follow(static_cast<int>(i));
      kept_.enter(i, *gradient);
      const Op op = opAt(i);  // a copy: ops are added
      through(op, i, *gradient);
      for (const ValueId value : ranks_.readFirstBy(i)) ranks_.reduce(value, finished(value));
    }
    // By what has no part in it, or where no gradient came by: these are there, too.
    ops_.follow(static_cast<int>(forward_) - 1);
    for (const ValueId value : ranks_.left()) ranks_.reduce(value, finished(value));
    ranks_.wait();
  }

  /// Whether a gradient has come by op `i`.
  bool passed(std::size_t i) const { return passes_[i] && gradients_[inputs_ + i].has_value(); }

  /// What it read of what was there, in later steps than those that made it.
  const std::set<ValueId>& needed() const { return kept_.needed(); }

  /// The gradient as a tensor like the value that it is by.
  ValueId gradientOf(ValueId by) {
    ops_.follow(static_cast<int>(forward_) - 1);
    if (const ValueId reduced = ranks_.reduced(by); reduced >= 0) return reduced;
    return finished(by);
  }

 private:
  ValueId finished(ValueId by) {
    const Operand gradient = gradients_[index(by)].value_or(Operand::ofNumber(0));
    const ValueType& type = ops_.type(by);
    if (gradient.isNumber() || !(ops_.shape(gradient) == type.shape))
      return ops_.filled(by, gradient).value;
    const Operand typed = ops_.cast(gradient, type.dtype);
    // What was there before is not handed out a second time.
    return index(typed.value) < inputs_ + forward_ ? ops_.copied(typed).value : typed.value;
  }

  static std::size_t index(ValueId value) { return static_cast<std::size_t>(value); }
  ValueId result(std::size_t op) const { return static_cast<ValueId>(inputs_ + op); }
  const Op& opAt(std::size_t i) const { return ops_.program().ops[i]; }

  bool wants(const Operand& operand) const {
    return !operand.isNumber() && !operand.detached && flows_[index(operand.value)];
  }

  bool passes(std::size_t i) const {
    const Op& op = opAt(i);
    if (!op.recorded || !isFloat(ops_.type(result(i)).dtype)) return false;
    const bool any =
        std::ranges::any_of(op.operands, [&](const Operand& each) { return wants(each); });
    return any && (op.row->kind == OpKind::view || isDifferentiable(*op.row));
  }

  void give(const Operand& operand, Operand gradient) {
    const DType dtype = ops_.type(operand.value).dtype;
    // A number stands for a tensor of them, which is of the operand's dtype.
    if (gradient.isNumber())
      gradient.number = roundedTo(gradient.number, dtype);
    else
      gradient = ops_.cast(gradient, dtype);
    std::optional<Operand>& all = gradients_[index(operand.value)];
    all = all ? ops_.add(*all, gradient) : gradient;
  }

  void through(const Op& op, std::size_t i, const Operand& gradient) {
    switch (op.row->kind) {
      case OpKind::pointwise:
        return throughPointwise(op, i, gradient);
      case OpKind::reduce:
        return throughReduction(op, i, gradient);
      case OpKind::view:
        return throughViewOf(op, i, gradient);
      case OpKind::contract:
        return throughContraction(op, i, gradient);
      case OpKind::scan:
        return throughScan(op, i, gradient);
      // Values are the same: gradients lie where the copy does.
      case OpKind::copy:
        return give(op.operands[0], gradient);
      case OpKind::collective:
        return throughCollective(op, i, gradient);
      case OpKind::gather:
        return throughGather(op, i, gradient);
      case OpKind::scatter:
        return throughScatter(op, i, gradient);
      case OpKind::make:  // of no tensor
      case OpKind::gradient:
        break;
    }
  }

  void throughContraction(const Op& op, std::size_t i, const Operand& gradient) {
    if (op.row == &sliceGradientRow())
      return give(op.operands[0],
                  throughSliceGradient(ops_, op, ops_.type(result(i)).shape, gradient));
    const ContractionGradients back(ops_, op, result(i), gradient,
                                    [&](ValueId value) { return kept_.read(value, op.segment); });
    for (std::size_t o = 0; o < op.operands.size(); ++o)
      if (wants(op.operands[o])) give(op.operands[o], back.to(o));
  }

  /// What every rank has of a sum over ranks goes back to each of them: the sum over ranks of what
  /// comes back, as torch.distributed.nn has it.
  void throughCollective(const Op& op, std::size_t i, const Operand& gradient) {
    const auto combine = static_cast<Combine>(static_cast<int>(op.parameters.front()));
    if (op.row->collective != Collective::allReduce ||
        (combine != Combine::sum && combine != Combine::average))
      failGradient(op);
    Op back = op;
    back.operands = {ops_.asTensor(gradient, result(i))};
    back.derivativeOf = static_cast<int>(i);
    give(op.operands[0], Operand::ofValue(ops_.append(std::move(back))));
  }

  /// Back through what is read by an index: added up where it was read from.
  void throughGather(const Op& op, std::size_t i, const Operand& gradient) {
    const IndexRule& rule = op.row->indexing;
    const Operand& source = op.operands[rule.source];
    Op back = op;
    back.row = &indexGradientRow(rule.replaces);
    back.parameters.clear();
    if (!back.dims) back.dims = std::vector<int>{0};
    back.operands = {ops_.filled(source.value, Operand::ofNumber(0)),
                     kept_.read(op.operands[rule.index].value, op.segment),
                     ops_.asTensor(gradient, result(i))};
    back.derivativeOf = static_cast<int>(i);
    give(source, Operand::ofValue(ops_.append(std::move(back))));
  }

  /// Back through what was added by an index: to what it was added to as it is, and to what was
  /// added where that went.
  void throughScatter(const Op& op, std::size_t i, const Operand& gradient) {
    const IndexRule& rule = op.row->indexing;
    const auto index = [&] { return kept_.read(op.operands[rule.index].value, op.segment); };
    if (wants(op.operands[rule.source])) {
      Operand rest = gradient;
      if (rule.sets) {  // nothing of what was written over is left
        Op cleared = op;
        cleared.into = -1;
        cleared.operands = {ops_.asTensor(gradient, result(i)), index(),
                            ops_.filled(op.operands[2].value, Operand::ofNumber(0))};
        cleared.derivativeOf = static_cast<int>(i);
        rest = Operand::ofValue(ops_.append(std::move(cleared)));
      }
      give(op.operands[rule.source], rest);
    }
    if (!wants(op.operands[2])) return;
    Op back = op;
    back.into = -1;
    back.row = &indexReadRow(rule.replaces, rule.wraps);
    back.parameters.assign(back.row->parameters.size(), 0);
    back.operands = {ops_.asTensor(gradient, result(i)), index()};
    back.derivativeOf = static_cast<int>(i);
    Operand made = Operand::ofValue(ops_.append(std::move(back)));
    const ValueId added = op.operands[2].value;
    const Shape whole = ops_.type(added).shape, given = ops_.shape(made);
    if (rule.spreads) return give(op.operands[2], spreadBack(made, whole, given));
    // Of what is added only as much as the index has is.
    if (!rule.replaces && !(given == whole))
      for (int d = 0; d < whole.rank(); ++d)
        if (given[d] != whole[d]) made = ops_.spread(made, d, whole[d], 0, 1);
    if (rule.replaces && !(given == whole))
      made = ops_.view("reshape", made, {}, {whole.begin(), whole.end()});
    give(op.operands[2], made);
  }

  /// Of what was broadcast to `given`: summed over that, and with the dimensions of one element
  /// that it had before.
  Operand spreadBack(const Operand& made, const Shape& whole, const Shape& given) {
    Shape least;
    for (int d = std::max(0, whole.rank() - given.rank()); d < whole.rank(); ++d)
      least.push(whole[d]);
    const Operand summed = ops_.summedTo(made, least, given);
    return least == whole ? summed : ops_.view("reshape", summed, {}, {whole.begin(), whole.end()});
  }

  /// Back through running sums: what comes from a place on, which is all but what came before it.
  void throughScan(const Op& op, std::size_t i, const Operand& gradient) {
    if (op.row->accumulate != Accumulate::sum || op.row->meaning || op.row->finish)
      failGradient(op);
    const Operand all = ops_.asTensor(gradient, result(i));
    Op running = op;
    running.operands = {all};
    running.derivativeOf = static_cast<int>(i);
    const Operand before = ops_.scaled(Operand::ofValue(ops_.append(std::move(running))), -1);
    const Operand sum = ops_.reduced(Accumulate::sum, all, op.dims, true);
    give(op.operands[0], ops_.add(ops_.add(sum, before), all));
  }

  void throughPointwise(const Op& op, std::size_t i, const Operand& gradient) {
    if (op.row->places != Places::none) return throughPlaces(op, i, gradient);
    std::vector<DerivedOperand> operands;
    std::vector<bool> wanted;
    for (const Operand& operand : op.operands) {
      operands.push_back({operand.isNumber() ? std::optional(operand.number) : std::nullopt,
                          !operand.isNumber() && ops_.type(operand.value).dtype == DType::boolean});
      wanted.push_back(wants(operand));
    }
    const OpDerivative derivative =
        derivativeOf(*op.row, operands, op.parameters, wanted,
                     gradient.isNumber() ? std::optional(gradient.number) : std::nullopt);
    std::vector<ExprId> nodes;
    std::vector<std::size_t> of;
    for (std::size_t o = 0; o < op.operands.size(); ++o)
      if (derivative.gradients[o] >= 0) {
        nodes.push_back(derivative.gradients[o]);
        of.push_back(o);
      }
    const auto leaf = [&](int input) {
      if (input < op.row->arity)
        return kept_.read(op.operands[static_cast<std::size_t>(input)].value, op.segment);
      return input == OpDerivative::resultInput(op.row->arity) ? kept_.read(result(i), op.segment)
                                                               : gradient;
    };
    const std::size_t first = ops_.program().ops.size();
    const std::vector<Operand> made = ops_.emit(derivative.graph, nodes, leaf);
    kept_.defer(first);
    const Shape whole = ops_.type(result(i)).shape;
    for (std::size_t k = 0; k < made.size(); ++k) {
      const Operand& operand = op.operands[of[k]];
      give(operand, ops_.summedTo(made[k], ops_.type(operand.value).shape, whole));
    }
  }

  /// Back through an op that by where an element is multiplies it with a number: the same op.
  void throughPlaces(const Op& op, std::size_t i, const Operand& gradient) {
    Op again = op;
    again.operands[0] = ops_.asTensor(gradient, result(i));
    again.derivativeOf = static_cast<int>(i);
    again.into = -1;
    give(op.operands[0], Operand::ofValue(ops_.append(std::move(again))));
  }

  /// A value of a reduction's result's shape with the reduced dimensions in their places again.
  Operand aligned(const Operand& value, const Op& op, int rank) {
    if (value.isNumber() || op.keepDims) return value;
    const std::uint32_t mask = reducedMask(op, rank);
    const int own = ops_.shape(value).rank();
    Operand result = value;
    for (int back = 1, seen = 0; back <= rank && seen < own; ++back) {
      if ((mask >> (rank - back)) & 1u)
        result = ops_.view("unsqueeze", result, {-back});
      else
        ++seen;
    }
    return result;
  }

  void throughReduction(const Op& op, std::size_t i, const Operand& gradient) {
    const Operand& operand = op.operands[0];
    const Shape shape = ops_.type(operand.value).shape;
    const std::uint32_t mask = reducedMask(op, shape.rank());
    double count = 1;
    for (int d = 0; d < shape.rank(); ++d)
      if ((mask >> d) & 1u) count *= static_cast<double>(shape[d]);
    if (derivativeCounts(*op.row)) ops_.makeExact();
    const ReductionDerivative derivative =
        derivativeOf(*op.row, op.parameters, count,
                     gradient.isNumber() ? std::optional(gradient.number) : std::nullopt);
    std::map<int, Operand> known;
    const auto leaf = [&](int input) {
      const auto found = known.find(input);
      if (found != known.end()) return found->second;
      Operand value = kept_.read(operand.value, op.segment);
      if (input == ReductionDerivative::kResult)
        value = aligned(kept_.read(result(i), op.segment), op, shape.rank());
      if (input == ReductionDerivative::kGradient) value = aligned(gradient, op, shape.rank());
      return known[input] = value;
    };
    int next = ReductionDerivative::kAuxiliary;
    for (const ReductionDerivative::Reduced& each : derivative.auxiliaries) {
      const Operand mapped = ops_.emit(derivative.graph, each.mapped, leaf);
      const Accumulate by = each.by == Auxiliary::sum ? Accumulate::sum : Accumulate::prod;
      // Over all of them it is a scalar, which fits everywhere.
      known[next++] = ops_.reduced(by, mapped, op.dims, op.dims.has_value());
    }
    give(operand, ops_.emit(derivative.graph, derivative.gradient, leaf));
  }

  /// Back through a tensor of which a part was written: to what was written there the gradient of
  /// that part, and to the tensor as it was before that of the rest.
  void throughPartWritten(const Op& op, std::size_t i, const Operand& gradient) {
    const Operand all = ops_.asTensor(gradient, result(i));
    const std::vector<std::size_t> views = viewsOf(ops_.program(), op.operands[1].value);
    if (wants(op.operands[1])) {
      Operand part = all;
      for (const std::size_t view : views) {
        Op seen = opAt(view);
        seen.operands = {part};
        seen.derivativeOf = static_cast<int>(i);
        part = Operand::ofValue(ops_.append(std::move(seen)));
      }
      give(op.operands[1], part);
    }
    if (!wants(op.operands[0])) return;
    std::optional<Operand> there = Operand::ofNumber(1);  // 1 where it was written, else 0
    for (std::size_t v = views.size(); v-- > 0 && there;) {
      const Op view = opAt(views[v]);
      there = throughView(ops_, view, result(views[v]), *there);
    }
    if (!there) return give(op.operands[0], all);  // no element was
    if (there->isNumber()) return;                 // all were
    ExprGraph graph;
    const Expr written{&graph, graph.input(0)}, passes{&graph, graph.input(1)};
    const Expr rest = formula::select(formula::operator!=(written, 0.0), 0, passes);
    give(op.operands[0],
         ops_.emit(graph, rest.id, [&](int input) { return input == 0 ? *there : all; }));
  }

  void throughViewOf(const Op& op, std::size_t i, const Operand& gradient) {
    if (op.row == &partWrittenRow()) return throughPartWritten(op, i, gradient);
    if (const auto back = throughView(ops_, op, result(i), gradient)) give(op.operands[0], *back);
  }

  GradientOps& ops_;
  std::size_t inputs_;
  GradientRanks ranks_;
  KeptValues kept_;
  std::size_t forward_;                            ///< so many ops are gone back through
  std::vector<std::optional<Operand>> gradients_;  ///< per value, as far as they are known
  std::vector<bool> passes_;                       ///< per op
  std::vector<bool> flows_;                        ///< per value: a gradient goes through it
};

/// Op after op, with values renumbered as gradients become several ops.
class Differentiation {
 public:
  /// `copied`: ops that work in place on a copy of what they write over.
  Differentiation(const Program& from, std::span<const ValueType> inputs, Keeping keeping,
                  const std::set<std::size_t>& copied)
      : from_(from), copied_(copied), ops_(inputs), inputs_(inputs.size()), keeping_(keeping) {}

  /// The op of `from_` that an op has become of.
  std::size_t origin(std::size_t op) const {
    const ValueId value = static_cast<ValueId>(inputs_ + op);
    return static_cast<std::size_t>(std::ranges::find(values_, value) - values_.begin()) - inputs_;
  }

  Differentiated run() {
    Differentiated made;
    Program& program = ops_.program();
    program = from_;
    program.ops.clear();
    program.sizes = {};
    program.checks.clear();
    program.asksGradients = false;
    for (std::size_t i = 0; i < inputs_; ++i) values_.push_back(static_cast<ValueId>(i));
    std::vector<int> starts;  // of each op of `from_`, among those there are now
    for (std::size_t i = 0; i < from_.ops.size(); ++i) {
      const auto start = static_cast<int>(program.ops.size());
      std::size_t count = 1;
      if (from_.ops[i].row->kind != OpKind::gradient)
        append(i);
      else
        count = gradientsFrom(i);
      starts.insert(starts.end(), count, start);
      i += count - 1;
    }
    starts.push_back(static_cast<int>(program.ops.size()));
    // Those of sizes hold already, or there would be no numbers.
    for (const SizeCheck& check : from_.checks) {
      if (!check.ofValue()) continue;
      program.checks.push_back(check);
      program.checks.back().value = now(check.value);
      program.checks.back().beforeOp = starts[static_cast<std::size_t>(check.beforeOp)];
    }
    for (ValueId& output : program.outputs) output = now(output);
    for (Statement& statement : program.statements) {
      if (statement.value >= 0) statement.value = now(statement.value);
      const auto first = inputs_ + static_cast<std::size_t>(statement.firstOp);
      if (statement.opCount > 0) statement.firstOp = values_[first] - static_cast<int>(inputs_);
    }
    if (keeping_ == Keeping::named) workInPlace(program);
    made.exact = ops_.exact();
    made.program = std::move(program);
    made.tape = std::move(tape_);
    made.waysBack = std::move(waysBack_);
    return made;
  }

 private:
  ValueId now(ValueId value) const { return values_[static_cast<std::size_t>(value)]; }

  /// Op by op a derivative is several kernels, of which a framework has one: what lies between them
  /// is written over by the next, so that it takes no more memory than there.
  void workInPlace(Program& program) const {
    std::vector<int> uses(ops_.count(), 0);
    const auto use = [&](ValueId value) {
      if (value >= 0) ++uses[static_cast<std::size_t>(value)];
    };
    for (const ValueId output : program.outputs) use(output);
    for (const SizeCheck& check : program.checks)
      if (check.ofValue()) use(check.value);
    for (const Op& op : program.ops) {
      for (const Operand& operand : op.operands)
        if (!operand.isNumber()) use(operand.value);
      use(op.after);
      use(op.into);
    }
    const auto inner = [&](const Op& op) {
      return op.derivativeOf >= 0 && op.row->kind == OpKind::pointwise &&
             op.row->places == Places::none;
    };
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      Op& op = program.ops[i];
      if (!inner(op) || op.writesInto()) continue;
      const ValueType& type = ops_.type(static_cast<ValueId>(inputs_ + i));
      for (const Operand& operand : op.operands) {
        if (operand.isNumber() || static_cast<std::size_t>(operand.value) < inputs_) continue;
        const Op& made = program.ops[static_cast<std::size_t>(operand.value) - inputs_];
        const ValueType& own = ops_.type(operand.value);
        if (!inner(made) || made.derivativeOf != op.derivativeOf ||
            uses[static_cast<std::size_t>(operand.value)] != 1 || !(own.shape == type.shape) ||
            own.dtype != type.dtype)
          continue;
        op.into = operand.value;
        program.writesInto = true;
        break;
      }
    }
  }

  /// The value that a tensor is at this point, as far as gradients go: after the last write to its
  /// memory that tensor, or its views of it anew.
  ValueId current(ValueId value) {
    const ValueId known = now(value);
    if (written_.empty()) return known;
    const ValueId root = writtenRoot(ops_.program(), known);
    const auto found = written_.find(root);
    if (found == written_.end() || known >= found->second) return known;
    const ValueId whole = found->second, name = sameTensor(ops_.program(), known);
    if (name == root) return whole;
    ValueId& anew = seen_[{name, whole}];
    if (anew == 0) anew = seenAnew(known, whole);
    return anew;
  }

  /// A view of a tensor as it was, of the tensor as it is. What was copied instead stays.
  ValueId seenAnew(ValueId value, ValueId whole) {
    const std::vector<std::size_t> views = viewsOf(ops_.program(), value);
    Shape shape = ops_.type(whole).shape;
    ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(shape),
                                    SizeList<std::int64_t>(contiguousStrides(shape))};
    for (const std::size_t view : views) {
      const Op& op = ops_.program().ops[view];
      if (op.row->kind != OpKind::view || !viewOf(op, layout)) return value;
    }
    ValueId seen = whole;
    for (const std::size_t view : views) {
      Op op = ops_.program().ops[view];
      op.operands.front().value = seen;
      seen = ops_.append(std::move(op));
    }
    return seen;
  }

  /// After a write: what the tensor is whose memory was written.
  void wrote(ValueId made) {
    const ValueId root = writtenRoot(ops_.program(), made);
    if (sameTensor(ops_.program(), made) != root) {
      const auto found = written_.find(root);
      const Op& write = ops_.program().ops[static_cast<std::size_t>(made) - inputs_];
      Op whole;
      whole.row = &partWrittenRow();
      whole.statement = write.statement;
      whole.place = write.place;
      whole.frame = write.frame;
      whole.operands = {Operand::ofValue(found == written_.end() ? root : found->second),
                        Operand::ofValue(made)};
      made = ops_.append(std::move(whole));
    }
    written_[root] = made;
  }

  void append(std::size_t i) {
    Op op = moved(from_.ops[i]);
    if (copied_.contains(i)) {
      for (Operand& operand : op.operands) {
        if (operand.isNumber() ||
            writtenRoot(ops_.program(), operand.value) != writtenRoot(ops_.program(), op.into))
          continue;
        Op copy = op;
        copy.row = &copyRow();
        copy.operands = {operand};
        copy.parameters.clear();
        copy.into = -1;
        operand.value = ops_.append(std::move(copy));
        operand.detached = false;
      }
    }
    const bool writes = op.writesInto() && op.recorded;
    values_.push_back(ops_.append(std::move(op)));
    if (writes) wrote(values_.back());
  }

  Op moved(Op op) {
    for (Operand& operand : op.operands) {
      if (!operand.isNumber()) operand.value = current(operand.value);
      operand.size = -1;
    }
    if (op.writesInto()) op.into = now(op.into);
    op.parameterSizes.clear();
    op.sizes.assign(op.sizeNumbers.size(), -1);
    return op;
  }

  /// What is kept for a way back: nothing is said where all is that derivatives name.
  std::vector<bool> savedFor(ValueId of, std::span<const ValueId> by) const {
    if (keeping_ == Keeping::named) return {};
    GradientOps trial = ops_;
    Backward backward(trial, inputs_, Keeping::named, {});
    backward.run(of, by);
    std::vector<bool> results(values_.size(), false);
    for (const ValueId output : from_.outputs)
      if (static_cast<std::size_t>(output) < values_.size())
        results[static_cast<std::size_t>(output)] = true;
    std::vector<bool> free(ops_.count(), false);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i]) free[static_cast<std::size_t>(values_[i])] = true;
    return savedValues(ops_, inputs_, backward.needed(), free);
  }

  /// The gradients of one value from op `first` on, which share one way back. Returns how many.
  std::size_t gradientsFrom(std::size_t first) {
    const ValueId of = current(from_.ops[first].operands[0].value);
    std::vector<ValueId> by;
    for (std::size_t i = first; i < from_.ops.size(); ++i) {
      const Op& op = from_.ops[i];
      if (op.row->kind != OpKind::gradient || current(op.operands[0].value) != of) break;
      by.push_back(current(op.operands[1].value));
    }
    Backward backward(ops_, inputs_, keeping_, savedFor(of, by));
    const std::size_t before = ops_.program().ops.size();
    backward.run(of, by);
    for (const ValueId value : by) values_.push_back(backward.gradientOf(value));
    ops_.follow(-1);
    note(backward, before);
    waysBack_.push_back(
        {of, static_cast<int>(before), static_cast<int>(ops_.program().ops.size())});
    return by.size();
  }

  /// What the way back, the ops from `before` on, reads of what was there.
  void note(const Backward& backward, std::size_t before) {
    std::vector<std::vector<ValueId>> saved(before);
    const auto& ops = ops_.program().ops;
    for (std::size_t i = before; i < ops.size(); ++i) {
      if (ops[i].derivativeOf < 0) continue;
      const auto own = static_cast<std::size_t>(ops[i].derivativeOf);
      for (const Operand& operand : ops[i].operands) {
        if (operand.isNumber() || operand.value >= static_cast<ValueId>(inputs_ + before)) continue;
        // A gradient may be a value that was made after the op: then that value's own op saves it.
        const auto made = static_cast<std::size_t>(operand.value) - inputs_;
        const bool later = operand.value >= static_cast<ValueId>(inputs_ + own + 1);
        std::vector<ValueId>& of = saved[later ? made : own];
        if (std::ranges::find(of, operand.value) == of.end()) of.push_back(operand.value);
      }
    }
    for (std::size_t i = 0; i < before; ++i)
      if (backward.passed(i)) tape_.push_back({static_cast<int>(i), std::move(saved[i])});
  }

  const Program& from_;
  const std::set<std::size_t>& copied_;
  std::map<ValueId, ValueId> written_;  ///< per tensor that is written in place: what it is now
  std::map<std::pair<ValueId, ValueId>, ValueId> seen_;  ///< its views of that
  GradientOps ops_;
  std::size_t inputs_;
  Keeping keeping_;
  std::vector<Differentiated::Entry> tape_;
  std::vector<Differentiated::WayBack> waysBack_;
  std::vector<ValueId> values_;  ///< per value of `from_`
};

}  // namespace

Differentiated taped(const Program& program, std::span<const ValueType> inputs, Keeping keeping) {
  Differentiated made = differentiate(withGradients(program, program.taped), inputs, keeping);
  made.program.ops.resize(program.ops.size());
  made.waysBack.clear();
  made.program.outputs = program.outputs;
  made.program.taped.clear();
  for (const Differentiated::Entry& entry : made.tape)
    for (const ValueId value : entry.saved)
      if (value >= static_cast<ValueId>(inputs.size()) &&
          std::ranges::find(made.program.outputs, value) == made.program.outputs.end())
        made.program.outputs.push_back(value);
  return made;
}

Differentiated differentiate(const Program& program, std::span<const ValueType> inputs,
                             Keeping keeping) {
  std::set<std::size_t> copied;
  for (;;) {
    Differentiation differentiation(program, inputs, keeping, copied);
    try {
      return differentiation.run();
    } catch (const WrittenOver& over) {
      copied.insert(differentiation.origin(over.op));
    }
  }
}

}  // namespace fusebench
