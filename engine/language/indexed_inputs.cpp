// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/indexed_inputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/language/program_sizes.h"
#include "engine/ops/ops.h"

namespace fusebench {
namespace {

/// The operand whose integers an op gives back, some of them replaced; -1: it computes others.
int keptOperand(const Op& op) {
  if (!op.row) return -1;
  if (op.row->kind == OpKind::view || op.row->kind == OpKind::copy) return 0;
  const bool casts = op.row->arity == 1 && op.row->result == ResultType::cast &&
                     isInteger(classOf(op.row->castTo));
  if (op.row->kind == OpKind::pointwise && casts) return 0;
  // torch.where(target != ignore_index, target, 0)
  const bool chooses = op.row->kind == OpKind::pointwise && op.row->truthOperands == 1 &&
                       op.row->arity == 3 && op.row->result == ResultType::number;
  return chooses ? 1 : -1;
}

/// An index as times * input + plus; no input: it is computed in another way.
struct LinearIndex {
  ValueId input = -1;
  double times = 1, plus = 0;
};

/// A node of a formula as times * operand + plus. With times 0 it is the number `plus`.
struct LinearNode {
  bool linear = false;
  double times = 0, plus = 0;
  bool isNumber() const { return linear && times == 0; }
};

LinearNode linearNode(const ExprNode& node, std::span<const LinearNode> before) {
  const auto operand = [&](int at) { return before[static_cast<std::size_t>(node.operands[at])]; };
  const auto sum = [](const LinearNode& a, const LinearNode& b, double sign) -> LinearNode {
    return {a.linear && b.linear, a.times + sign * b.times, a.plus + sign * b.plus};
  };
  const auto product = [](const LinearNode& a, const LinearNode& b) -> LinearNode {
    if (!a.linear || !b.linear || (!a.isNumber() && !b.isNumber())) return {};
    return a.isNumber() ? LinearNode{true, a.plus * b.times, a.plus * b.plus}
                        : LinearNode{true, b.plus * a.times, b.plus * a.plus};
  };
  switch (node.primitive) {
    case Primitive::input:
      return {true, 1, 0};
    case Primitive::constant:
      return {true, 0, isInteger(node.type) ? static_cast<double>(node.whole) : node.value};
    case Primitive::add:
      return sum(operand(0), operand(1), 1);
    case Primitive::sub:
      return sum(operand(0), operand(1), -1);
    case Primitive::neg:
      return sum({true, 0, 0}, operand(0), -1);
    case Primitive::mul:
      return product(operand(0), operand(1));
    case Primitive::fma:
      return sum(product(operand(0), operand(1)), operand(2), 1);
    case Primitive::convert:
      return isInteger(node.type) ? operand(0) : LinearNode{};
    default:
      return {};
  }
}

/// The result of an op with one tensor of integers, if it is a multiple and a sum with numbers.
/// `from` gets the position of the tensor among the operands.
LinearNode linearOf(const Op& op, std::size_t& from) {
  if (!op.row || op.row->kind != OpKind::pointwise || !op.row->meaning || op.dependsOnSizes())
    return {};
  if (op.row->places != IndexInputs::none || op.row->truthOperands != 0) return {};
  ExprGraph graph;
  std::vector<Expr> operands, parameters;
  bool found = false;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Operand& operand = op.operands[i];
    if (!operand.isNumber()) {
      if (found) return {};
      found = true;
      from = i;
      operands.push_back({&graph, graph.input(0, TypeClass::int64)});
    } else if (operand.size >= 0 || operand.number != std::floor(operand.number)) {
      return {};
    } else {
      operands.push_back({&graph, graph.constant(operand.number, TypeClass::int64)});
    }
  }
  if (!found) return {};
  for (const double parameter : op.parameters)
    parameters.push_back({&graph, graph.constant(parameter, parameter == std::floor(parameter)
                                                                ? TypeClass::int64
                                                                : TypeClass::float64)});
  const ExprId result = op.row->meaning(Args(operands, parameters)).id;
  std::vector<LinearNode> nodes;
  for (const ExprNode& node : graph.nodes()) nodes.push_back(linearNode(node, nodes));
  return nodes[static_cast<std::size_t>(result)];
}

/// Follows an index back to the input whose integers it has, or has a multiple and a sum of.
LinearIndex indexingInput(const Program& program, ValueId value) {
  const auto inputs = static_cast<ValueId>(program.inputs.size());
  LinearIndex index;
  while (value >= inputs) {
    const Op& op = program.ops[static_cast<std::size_t>(value - inputs)];
    int kept = keptOperand(op);
    if (kept < 0) {
      std::size_t from = 0;
      const LinearNode step = linearOf(op, from);
      const double times = index.times * step.times;
      if (!step.linear || times == 0 || times != std::floor(times)) return {};
      index.plus += index.times * step.plus;
      index.times = times;
      kept = static_cast<int>(from);
    }
    if (static_cast<std::size_t>(kept) >= op.operands.size()) return {};
    const Operand& operand = op.operands[static_cast<std::size_t>(kept)];
    if (operand.isNumber()) return {};
    value = operand.value;
  }
  index.input = value;
  return index;
}

/// The integers of an input that lead to places from 0 up to, but not, `extent`.
IndexedInput placesOf(const LinearIndex& index, std::int64_t extent) {
  double first = -index.plus / index.times;
  double last = (static_cast<double>(extent) - 1 - index.plus) / index.times;
  if (index.times < 0) std::swap(first, last);
  first = std::ceil(first);
  last = std::floor(last);
  // Integers that are used as places are rarely negative.
  if (first < 0 && last >= 0) first = 0;
  constexpr double kLargest = 0x1p53;
  first = std::clamp(first, -kLargest, kLargest);
  last = std::clamp(last, -kLargest, kLargest);
  return {index.input, static_cast<std::int64_t>(first), static_cast<std::int64_t>(last) + 1};
}

}  // namespace

std::vector<IndexedInput> indexedInputs(const Program& program, std::span<const ValueType> types) {
  std::vector<IndexedInput> found;
  for (const Op& op : program.ops) {
    if (!op.row || !op.row->indexing.is || op.operands.size() < 2) continue;
    const Operand& operand = op.operands[static_cast<std::size_t>(op.row->indexing.index)];
    const Operand& source = op.operands[static_cast<std::size_t>(op.row->indexing.source)];
    if (operand.isNumber() || source.isNumber()) continue;
    const LinearIndex index = indexingInput(program, operand.value);
    if (index.input < 0) continue;
    const DType dtype = types[static_cast<std::size_t>(index.input)].dtype;
    const Shape& extents = types[static_cast<std::size_t>(source.value)].shape;
    if (dtype == DType::boolean || isFloat(dtype) || extents.rank() == 0) continue;
    int dim = indexedDim(op);
    if (dim < 0) dim += extents.rank();
    if (dim < 0 || dim >= extents.rank()) continue;
    const IndexedInput places = placesOf(index, extents[dim]);
    const auto known = std::ranges::find(found, index.input, &IndexedInput::input);
    if (known == found.end()) {
      found.push_back(places);
    } else {
      known->low = std::max(known->low, places.low);
      known->end = std::min(known->end, places.end);
    }
  }
  return found;
}

}  // namespace fusebench
