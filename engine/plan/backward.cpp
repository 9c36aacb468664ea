// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/backward.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/base/elements.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_gradients.h"
#include "engine/ops/derivatives.h"
#include "engine/ops/formula.h"
#include "engine/plan/contraction_gradients.h"
#include "engine/plan/view_gradients.h"

namespace fusebench {

std::vector<std::size_t> viewsOf(const Program& program, ValueId value) {
  std::vector<std::size_t> views;
  const auto inputs = static_cast<ValueId>(program.inputs.size());
  for (value = sameTensor(program, value); value >= inputs; value = sameTensor(program, value)) {
    const Op& op = program.ops[static_cast<std::size_t>(value - inputs)];
    if (op.row->kind != OpKind::view && op.row->kind != OpKind::copy) break;
    // A tensor after a part of it was written is not a view: it has other elements.
    if (op.row != &partWrittenRow()) views.push_back(static_cast<std::size_t>(value - inputs));
    value = op.operands.front().value;
  }
  std::ranges::reverse(views);
  return views;
}

Backward::Backward(GradientOps& ops, std::size_t inputs, SavePolicy policy, std::vector<bool> saved)
    : ops_(ops),
      inputs_(inputs),
      ranks_(ops, inputs),
      kept_(ops, inputs, policy, std::move(saved)),
      forward_(ops.program().ops.size()),
      gradients_(ops.count()),
      flows_(ops.count()) {}

void Backward::run(ValueId of, std::span<const ValueId> by, bool ofGradient) {
  for (const ValueId value : by) flows_[index(value)] = true;
  for (std::size_t i = 0; i < forward_; ++i) {
    passes_.push_back(passes(i));
    if (passes_[i]) flows_[inputs_ + i] = true;
  }
  if (!flows_[index(of)] && !ofGradient)
    failProgram(
        opAt(forward_ - 1).place,
        "the differentiated value does not depend on anything that gradients are requested for");
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
  // For values that have no part in it, or that no gradient reached: these are set, too.
  ops_.follow(static_cast<int>(forward_) - 1);
  for (const ValueId value : ranks_.left()) ranks_.reduce(value, finished(value));
  ranks_.wait();
}

ValueId Backward::gradientOf(ValueId by) {
  ops_.follow(static_cast<int>(forward_) - 1);
  if (const ValueId reduced = ranks_.reduced(by); reduced >= 0) return reduced;
  return finished(by);
}

ValueId Backward::finished(ValueId by) {
  const Operand gradient = gradients_[index(by)].value_or(Operand::ofNumber(0));
  const ValueType& type = ops_.type(by);
  if (gradient.isNumber() || !(ops_.shape(gradient) == type.shape))
    return ops_.filled(by, gradient).value;
  const Operand typed = ops_.cast(gradient, type.dtype);
  // A value that existed before is copied, so that it is not returned a second time.
  return index(typed.value) < inputs_ + forward_ ? ops_.copied(typed).value : typed.value;
}

bool Backward::wants(const Operand& operand) const {
  return !operand.isNumber() && !operand.detached && flows_[index(operand.value)];
}

bool Backward::passes(std::size_t i) const {
  const Op& op = opAt(i);
  if (!op.recorded || !isFloat(ops_.type(result(i)).dtype)) return false;
  const bool any =
      std::ranges::any_of(op.operands, [&](const Operand& each) { return wants(each); });
  return any && (op.row->kind == OpKind::view || isDifferentiable(*op.row));
}

void Backward::give(const Operand& operand, Operand gradient) {
  const DType dtype = ops_.type(operand.value).dtype;
  // A number represents a tensor of its value, with the operand's dtype.
  if (gradient.isNumber())
    gradient.number = roundedTo(gradient.number, dtype);
  else
    gradient = ops_.cast(gradient, dtype);
  std::optional<Operand>& all = gradients_[index(operand.value)];
  all = all ? ops_.add(*all, gradient) : gradient;
}

void Backward::through(const Op& op, std::size_t i, const Operand& gradient) {
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
    // The values are the same: gradients are in the copy's memory.
    case OpKind::copy:
      return give(op.operands[0], gradient);
    case OpKind::collective:
      return throughCollective(op, i, gradient);
    case OpKind::gather:
      return throughGather(op, i, gradient);
    case OpKind::scatter:
      return throughScatter(op, i, gradient);
    case OpKind::make:   // its result does not depend on a tensor
    case OpKind::order:  // positions have no gradients
    case OpKind::gradient:
      break;
  }
}

void Backward::throughContraction(const Op& op, std::size_t i, const Operand& gradient) {
  if (op.row == &sliceGradientRow())
    return give(op.operands[0],
                throughSliceGradient(ops_, op, ops_.type(result(i)).shape, gradient));
  const ContractionGradients back(ops_, op, result(i), gradient,
                                  [&](ValueId value) { return kept_.read(value, op.segment); });
  for (std::size_t o = 0; o < op.operands.size(); ++o)
    if (wants(op.operands[o])) give(op.operands[o], back.to(o));
}

void Backward::throughCollective(const Op& op, std::size_t i, const Operand& gradient) {
  const auto combine = static_cast<Combine>(static_cast<int>(op.parameters.front()));
  if (op.row->collective != Collective::allReduce ||
      (combine != Combine::sum && combine != Combine::average))
    failGradient(op);
  Op back = op;
  back.operands = {ops_.asTensor(gradient, result(i))};
  back.derivativeOf = static_cast<int>(i);
  give(op.operands[0], Operand::ofValue(ops_.append(std::move(back))));
}

void Backward::throughGather(const Op& op, std::size_t i, const Operand& gradient) {
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

void Backward::throughExtremes(const Op& op, std::size_t i, const Operand& gradient) {
  const ValueId own = op.operands[0].value, added = op.operands[2].value;
  const Operand all = ops_.asTensor(gradient, result(i));
  const auto appended = [&](const OpRow& row, std::vector<Operand> operands) {
    Op made = op;
    made.into = -1;
    made.row = &row;
    made.parameters.assign(row.parameters.size(), 0);
    made.operands = std::move(operands);
    made.derivativeOf = static_cast<int>(i);
    return Operand::ofValue(ops_.append(std::move(made)));
  };
  const Operand index = kept_.read(op.operands[1].value, op.segment);
  const Operand best = kept_.read(result(i), op.segment);
  const auto read = [&](const Operand& of) {
    return appended(indexReadRow(/*replaces=*/false, /*wraps=*/false), {of, index});
  };
  const Shape whole = ops_.type(added).shape, given = ops_.type(index.value).shape;
  Operand sent = kept_.read(added, op.segment);
  for (int d = 0; d < whole.rank(); ++d)  // the part of it that has the size of the index
    if (given[d] != whole[d])
      sent = ops_.view("narrow", sent, {d}, std::array{std::int64_t{0}, given[d]});
  // `value` where a and b are equal, else 0.
  const auto whereEqual = [&](const Operand& a, const Operand& b, const Operand& value) {
    ExprGraph graph;
    const Expr x{&graph, graph.input(0)}, y{&graph, graph.input(1)}, z{&graph, graph.input(2)};
    return ops_.emit(graph, formula::select(formula::operator!=(x, y), 0, z).id, [&](int input) {
      return input == 0 ? a : input == 1 ? b : value;
    });
  };
  const Operand bestSent = read(best);
  const Operand ones = ops_.filled(result(i), Operand::ofNumber(1));
  const Operand onesSent = ops_.filled(bestSent.value, Operand::ofNumber(1));
  const Operand ownFirst = kept_.read(own, op.segment);
  const Operand count = appended(namedOp("scatter_add"), {whereEqual(ownFirst, best, ones), index,
                                                          whereEqual(sent, bestSent, onesSent)});
  ExprGraph graph;
  const Expr flows{&graph, graph.input(0)}, among{&graph, graph.input(1)};
  const Operand part = ops_.emit(graph, formula::operator/(flows, among).id,
                                 [&](int input) { return input == 0 ? all : count; });
  if (wants(op.operands[0])) give(op.operands[0], whereEqual(ownFirst, best, part));
  if (!wants(op.operands[2])) return;
  Operand made = whereEqual(sent, bestSent, read(part));
  for (int d = 0; d < whole.rank(); ++d)
    if (given[d] != whole[d]) made = ops_.spread(made, d, whole[d], 0, 1);
  give(op.operands[2], made);
}

void Backward::throughScatter(const Op& op, std::size_t i, const Operand& gradient) {
  const IndexRule& rule = op.row->indexing;
  if (!rule.sets && op.row->accumulate != Accumulate::sum) {
    if (op.row->accumulate == Accumulate::prod) failGradient(op);
    return throughExtremes(op, i, gradient);
  }
  const auto index = [&] { return kept_.read(op.operands[rule.index].value, op.segment); };
  if (wants(op.operands[rule.source])) {
    Operand rest = gradient;
    if (rule.sets) {  // nothing of the overwritten contents remains
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
  Operand all = ops_.asTensor(gradient, result(i));
  if (const int over = indexedOver(op); over > 1) {  // its dimensions as one
    const Shape shape = ops_.shape(all);
    const int dim = indexedDim(op, shape.rank());
    std::vector<std::int64_t> merged(shape.begin(), shape.begin() + dim + 1);
    for (int d = dim + 1; d < dim + over; ++d)
      merged.back() = checkedMultiply(merged.back(), shape[d]);
    merged.insert(merged.end(), shape.begin() + dim + over, shape.end());
    all = ops_.view("reshape", all, {}, merged);
    ops_.makeExact();
    back.dims = {dim};
  }
  back.operands = {all, index()};
  back.derivativeOf = static_cast<int>(i);
  Operand made = Operand::ofValue(ops_.append(std::move(back)));
  const ValueId added = op.operands[2].value;
  const Shape whole = ops_.type(added).shape, given = ops_.shape(made);
  if (rule.spreads) return give(op.operands[2], spreadBack(made, whole, given));
  // Only the part of the added tensor that has the size of the index gets a gradient.
  if (!rule.replaces && !(given == whole))
    for (int d = 0; d < whole.rank(); ++d)
      if (given[d] != whole[d]) made = ops_.spread(made, d, whole[d], 0, 1);
  if (rule.replaces && !(given == whole))
    made = ops_.view("reshape", made, {}, {whole.begin(), whole.end()});
  give(op.operands[2], made);
}

Operand Backward::spreadBack(const Operand& made, const Shape& whole, const Shape& given) {
  Shape least;
  for (int d = std::max(0, whole.rank() - given.rank()); d < whole.rank(); ++d)
    least.push(whole[d]);
  const Operand summed = ops_.summedTo(made, least, given);
  return least == whole ? summed : ops_.view("reshape", summed, {}, {whole.begin(), whole.end()});
}

void Backward::throughScan(const Op& op, std::size_t i, const Operand& gradient) {
  if (op.row->accumulate != Accumulate::sum || op.row->meaning || op.row->finish) failGradient(op);
  const Operand all = ops_.asTensor(gradient, result(i));
  Op running = op;
  running.operands = {all};
  running.derivativeOf = static_cast<int>(i);
  const Operand before = ops_.scaled(Operand::ofValue(ops_.append(std::move(running))), -1);
  const Operand sum = ops_.reduced(Accumulate::sum, all, op.dims, true);
  give(op.operands[0], ops_.add(ops_.add(sum, before), all));
}

void Backward::throughPointwise(const Op& op, std::size_t i, const Operand& gradient) {
  if (op.row->places != IndexInputs::none) return throughPlaces(op, i, gradient);
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

void Backward::throughPlaces(const Op& op, std::size_t i, const Operand& gradient) {
  Op again = op;
  again.operands[0] = ops_.asTensor(gradient, result(i));
  again.derivativeOf = static_cast<int>(i);
  again.into = -1;
  give(op.operands[0], Operand::ofValue(ops_.append(std::move(again))));
}

Operand Backward::aligned(const Operand& value, const Op& op, int rank) {
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

void Backward::throughReduction(const Op& op, std::size_t i, const Operand& gradient) {
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
    // A reduction over all of them gives a scalar, which fits everywhere.
    known[next++] = ops_.reduced(by, mapped, op.dims, op.dims.has_value());
  }
  give(operand, ops_.emit(derivative.graph, derivative.gradient, leaf));
}

void Backward::throughPartWritten(const Op& op, std::size_t i, const Operand& gradient) {
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

void Backward::throughViewOf(const Op& op, std::size_t i, const Operand& gradient) {
  if (op.row == &partWrittenRow()) return throughPartWritten(op, i, gradient);
  if (const auto back = throughView(ops_, op, result(i), gradient)) give(op.operands[0], *back);
}

}  // namespace fusebench
