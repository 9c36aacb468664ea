// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/gradient_ops.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "engine/language/program_errors.h"
#include "engine/ops/derivatives.h"
#include "engine/ops/formula.h"

namespace fusebench {
namespace {

/// The first row for which this holds.
template <class Holds>
const OpRow& rowWhere(Holds holds) {
  const auto rows = opRows();
  const auto found = std::ranges::find_if(rows, holds);
  if (found == rows.end()) throw std::logic_error("an op that gradients are made of is missing");
  return *found;
}

const OpRow& reduceRow(Accumulate by) {
  return rowWhere([by](const OpRow& each) {
    return each.kind == OpKind::reduce && each.accumulate == by && !each.meaning && !each.finish;
  });
}

}  // namespace

/// More than any training step has: gradients of gradients grow with each.
constexpr std::size_t kMostGradientOps = 100000;

ValueId GradientOps::append(Op op) {
  checkWork(op.place, 4);
  if (program_.ops.size() >= kMostGradientOps)
    failProgram(op.place, "the gradients of this program need more than " +
                              std::to_string(kMostGradientOps) +
                              " ops; use fewer gradients of gradients");
  std::vector<ValueType> operands;
  for (const Operand& operand : op.operands)
    operands.push_back(operand.isNumber() ? ValueType() : type(operand.value));
  ValueType made = inferType(op, operands);
  if (op.writesInto()) made = inferWritten(op, made, type(op.into));
  program_.ops.push_back(std::move(op));
  types_.push_back(made);
  return static_cast<ValueId>(types_.size() - 1);
}

ValueId GradientOps::called(const OpRow& row, std::vector<Operand> operands,
                            std::vector<double> parameters) {
  return append(start(row, std::move(operands), std::move(parameters)));
}

/// An op that belongs to the traced path.
Op GradientOps::start(const OpRow& row, std::vector<Operand> operands,
                      std::vector<double> parameters) const {
  Op op;
  op.row = &row;
  op.operands = std::move(operands);
  op.parameters = std::move(parameters);
  op.parameters.resize(row.parameters.size());
  if (following_ < 0) return op;
  const Op& of = program_.ops[static_cast<std::size_t>(following_)];
  op.statement = of.statement;
  op.place = of.place;
  op.frame = of.frame;
  op.derivativeOf = following_;
  return op;
}

std::vector<Operand> GradientOps::emit(const ExprGraph& graph, std::span<const ExprId> nodes,
                                       const Leaf& leaf) {
  std::vector<std::optional<Operand>> done(graph.size());
  const std::function<Operand(ExprId)> at = [&](ExprId id) -> Operand {
    std::optional<Operand>& known = done[static_cast<std::size_t>(id)];
    if (known) return *known;
    const ExprNode& node = graph[id];
    Operand result;
    if (node.primitive == Primitive::constant) {
      result = Operand::ofNumber(node.value);
    } else if (node.primitive == Primitive::input) {
      result = leaf(node.index);
    } else if (node.primitive == Primitive::toNumber || node.primitive == Primitive::convert) {
      result = cast(at(node.operands[0]), storageOf(node.type));
    } else {
      const Tile tile = tileOf(graph, id);
      std::vector<Operand> operands;
      for (const ExprId operand : tile.operands) operands.push_back(at(operand));
      result = Operand::ofValue(append(start(*tile.row, std::move(operands), tile.parameters)));
    }
    done[static_cast<std::size_t>(id)] = result;
    return result;
  };
  std::vector<Operand> results;
  for (const ExprId node : nodes) results.push_back(at(node));
  return results;
}

Operand GradientOps::add(const Operand& a, const Operand& b) {
  if (a.isNumber() && b.isNumber()) return Operand::ofNumber(a.number + b.number);
  ExprGraph graph;
  const Expr sum = formula::operator+(Expr{&graph, graph.input(0)}, Expr{&graph, graph.input(1)});
  return emit(graph, sum.id, [&](int i) { return i == 0 ? a : b; });
}

Operand GradientOps::scaled(const Operand& a, double factor) {
  if (factor == 1) return a;
  if (a.isNumber()) return Operand::ofNumber(a.number * factor);
  ExprGraph graph;
  const Expr product = formula::operator*(Expr{&graph, graph.input(0)}, factor);
  return emit(graph, product.id, [&](int) { return a; });
}

Operand GradientOps::multiplied(const Operand& a, const Operand& b) {
  if (b.isNumber()) return scaled(a, b.number);
  if (a.isNumber()) return scaled(b, a.number);
  ExprGraph graph;
  const Expr product =
      formula::operator*(Expr{&graph, graph.input(0)}, Expr{&graph, graph.input(1)});
  return emit(graph, product.id, [&](int i) { return i == 0 ? a : b; });
}

Operand GradientOps::reduced(Accumulate by, const Operand& of,
                             const std::optional<std::vector<int>>& dims, bool keepDims) {
  static const OpRow &sum = reduceRow(Accumulate::sum), &product = reduceRow(Accumulate::prod);
  const OpRow& row = by == Accumulate::sum ? sum : product;
  Op op = start(row, {of});
  op.dims = dims;
  op.keepDims = keepDims;
  std::size_t p = 0;
  for (const Parameter& parameter : row.parameters) {
    if (parameter.kind == Parameter::Kind::flag) op.parameters[p] = keepDims;
    ++p;
  }
  return Operand::ofValue(append(std::move(op)));
}

Operand GradientOps::contracted(const std::string& equation, const Operand& a, const Operand& b) {
  Op op = start(equationRow(), {a, b});
  op.equation = equation;
  return Operand::ofValue(append(std::move(op)));
}

Operand GradientOps::windowed(const OpRow& row, std::string equation, std::vector<Operand> operands,
                              ContractSettings settings) {
  Op op = start(row, std::move(operands));
  op.equation = std::move(equation);
  op.settings = std::make_shared<const ContractSettings>(std::move(settings));
  return Operand::ofValue(append(std::move(op)));
}

Operand GradientOps::spread(const Operand& of, int dim, std::int64_t extent, std::int64_t start,
                            std::int64_t step) {
  const Shape own = shape(of);
  if (start == 0 && own[dim] == extent) return of;
  exact_ = true;
  std::string seen, result;
  for (int d = 0; d < own.rank(); ++d) {
    const auto letter = static_cast<char>('a' + d);
    seen += d == dim ? "<yk>" : std::string(1, letter);
    result += d == dim ? 'y' : letter;
  }
  // Windows of one element each: the positions that were taken.
  ContractSettings settings;
  settings.stride = {step};
  settings.padding = {-start};
  settings.dilation = {1};
  settings.kernel = {1};
  settings.places = {extent};
  return windowed(sliceGradientRow(), seen + "->" + result, {of}, std::move(settings));
}

Operand GradientOps::banded(const Operand& of, double diagonal) {
  Operand result = of;
  for (const char* triangle : {"tril", "triu"})
    result = Operand::ofValue(append(start(namedOp(triangle), {result}, {diagonal})));
  return result;
}

Operand GradientOps::cast(const Operand& of, DType dtype) {
  if (of.isNumber() || type(of.value).dtype == dtype) return of;
  return Operand::ofValue(append(casting(of, dtype)));
}

Op GradientOps::casting(const Operand& of, DType dtype) const {
  const OpRow& row = rowWhere([dtype](const OpRow& each) {
    return each.result == ResultType::cast && each.castTo == dtype;
  });
  return start(row, {of});
}

Operand GradientOps::filled(ValueId like, const Operand& with) {
  if (with.isNumber()) {  // reads nothing
    const OpRow& row = namedOp("full");
    const auto value = static_cast<std::size_t>(row.parameters.size()) - 1;
    Op op = start(row, {Operand::ofValue(like)});
    op.parameters[value] = with.number;
    return Operand::ofValue(append(std::move(op)));
  }
  // There is no element for which this does or does not hold: both branches are the same.
  ExprGraph graph;
  const Expr x{&graph, graph.input(0)};
  const Expr value{&graph, graph.input(1)};
  const Expr made = formula::select(formula::operator!=(x, x), value, value);
  return cast(emit(graph, made.id, [&](int i) { return i == 0 ? Operand::ofValue(like) : with; }),
              type(like).dtype);
}

Operand GradientOps::view(std::string_view row, const Operand& of, std::vector<int> dims,
                          std::span<const std::int64_t> sizes) {
  Op op = start(namedOp(row), {of});
  if (!dims.empty()) op.dims = std::move(dims);
  op.sizeNumbers.assign(sizes.begin(), sizes.end());
  op.sizes.assign(sizes.size(), -1);
  return Operand::ofValue(append(std::move(op)));
}

Operand GradientOps::copied(const Operand& of) {
  return Operand::ofValue(append(start(copyRow(), {of})));
}

Operand GradientOps::expanded(const Operand& of, const Shape& shape) {
  if (this->shape(of) == shape) return of;
  exact_ = true;
  return view("expand", of, {}, {shape.begin(), shape.end()});
}

Operand GradientOps::asTensor(const Operand& of, ValueId like) {
  return of.isNumber() ? filled(like, of) : expanded(of, type(like).shape);
}

Operand GradientOps::summedTo(const Operand& gradient, const Shape& to, const Shape& whole) {
  const Shape own = shape(gradient);
  std::vector<int> dims;
  int leading = 0;
  double repeats = 1;
  for (int back = 1; back <= whole.rank(); ++back) {
    const bool missing = back > to.rank();
    const std::int64_t extent = whole[whole.rank() - back];
    if (!missing && (to[to.rank() - back] != 1 || extent == 1)) continue;
    const bool there = back <= own.rank();
    if (there && (missing || own[own.rank() - back] != 1)) {
      dims.push_back(own.rank() - back);
      leading += missing;
    }
    if (!there || own[own.rank() - back] == 1) repeats *= static_cast<double>(extent);
  }
  if (repeats != 1) exact_ = true;
  Operand sum = gradient;
  if (!dims.empty()) {
    std::ranges::sort(dims);
    const bool keep = leading < static_cast<int>(dims.size());
    sum = reduced(Accumulate::sum, sum, dims, keep);
    if (keep && leading > 0) {
      std::vector<int> gone;
      for (int d = 0; d < leading; ++d) gone.push_back(d);
      sum = view("squeeze", sum, gone);
    }
  }
  return scaled(sum, repeats);
}

void failGradient(const Op& op) {
  failProgram(op.place, "no gradient goes through " + std::string(op.row->name) +
                            "; detach() what comes before it");
}

}  // namespace fusebench
