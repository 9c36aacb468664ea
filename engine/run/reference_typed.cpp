// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference_typed.h"

#include <algorithm>

#include "engine/base/elements.h"
#include "engine/base/integer_power.h"
#include "engine/base/scalar.h"
#include "engine/ops/accumulators.h"
#include "engine/ops/op_numbers.h"
#include "engine/run/reference_primitives.h"

namespace fusebench {
namespace {

/// A value of any class: floats and bools in one member, integers in the other.
struct Cell {
  long double real = 0;
  std::int64_t whole = 0;
};

Cell convertedCell(Cell cell, TypeClass from, TypeClass to) {
  if (isInteger(to)) {
    const std::int64_t whole =
        isInteger(from) ? wrapped(cell.whole, to) : truncated(static_cast<double>(cell.real), to);
    return {static_cast<long double>(whole), whole};
  }
  long double real = isInteger(from) ? static_cast<long double>(cell.whole) : cell.real;
  if (to == TypeClass::truth) return {real != 0 ? 1.0L : 0.0L, real != 0 ? 1 : 0};
  if (from != TypeClass::truth &&
      from != to)  // a conversion rounds; not every int of 2^53 or more is a double
    real = to == TypeClass::float64 ? static_cast<double>(real) : static_cast<float>(real);
  return {real, 0};
}

std::int64_t quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a));
  return a / b;
}

std::int64_t integerOf(Primitive primitive, std::int64_t a, std::int64_t b, TypeClass type) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const auto from = [](std::uint64_t bits) { return static_cast<std::int64_t>(bits); };
  const bool fits = b >= 0 && b < bitsOf(type);
  switch (primitive) {
    case Primitive::add:
      return from(x + y);
    case Primitive::sub:
      return from(x - y);
    case Primitive::mul:
      return from(x * y);
    case Primitive::div:
      return quotient(a, b);
    case Primitive::fmod:
      return from(x - static_cast<std::uint64_t>(quotient(a, b)) * y);
    case Primitive::neg:
      return from(0 - x);
    case Primitive::abs:
      return a < 0 ? from(0 - x) : a;
    case Primitive::pow:
      return integerPower(a, b);
    case Primitive::min:
      return std::min(a, b);
    case Primitive::max:
      return std::max(a, b);
    case Primitive::bitAnd:
      return a & b;
    case Primitive::bitOr:
      return a | b;
    case Primitive::bitXor:
      return a ^ b;
    case Primitive::bitNot:
      return ~a;
    case Primitive::shiftLeft:
      return fits ? from(x << y) : 0;
    case Primitive::shiftRight:
      if (type == TypeClass::uint8) return fits ? a >> b : 0;
      return a >> (fits ? b : bitsOf(type) - 1);
    default:
      return 0;
  }
}

/// A formula over cells, evaluated at one point after another.
class TypedFormula {
 public:
  ExprGraph& graph() { return graph_; }
  void setResult(ExprId result) { result_ = result; }
  ExprId result() const { return result_; }
  TypeClass resultType() const { return graph_[result_].type; }

  Cell at(std::span<const Cell> inputs) {
    cells_.resize(graph_.size());
    for (std::size_t i = 0; i < graph_.size(); ++i)
      cells_[i] = evaluated(graph_.nodes()[i], inputs);
    return cells_[static_cast<std::size_t>(result_)];
  }

 private:
  Cell evaluated(const ExprNode& node, std::span<const Cell> inputs) const {
    if (node.primitive == Primitive::input) return inputs[static_cast<std::size_t>(node.index)];
    if (node.primitive == Primitive::constant) return {node.value, node.whole};
    const int arity = info(node.primitive).arity;
    const auto cell = [&](int o) {
      return o < arity ? cells_[static_cast<std::size_t>(node.operands[o])] : Cell{};
    };
    const TypeClass from = graph_[node.operands[arity - 1]].type;
    switch (node.primitive) {
      case Primitive::toNumber:
      case Primitive::toTruth:
      case Primitive::convert:
        return convertedCell(cell(0), from, node.type);
      case Primitive::narrow:
        return {roundedTo(static_cast<double>(cell(0).real), static_cast<DType>(node.index)), 0};
      case Primitive::select:
        return cell(0).real != 0 ? cell(1) : cell(2);
      default:
        break;
    }
    if (isInteger(from)) {
      if (node.isTruth()) {
        const bool holds = compared(node.primitive, cell(0).whole, cell(1).whole);
        return {holds ? 1.0L : 0.0L, holds ? 1 : 0};
      }
      const std::int64_t whole =
          wrapped(integerOf(node.primitive, cell(0).whole, cell(1).whole, from), from);
      return {static_cast<long double>(whole), whole};
    }
    return {primitiveOf(node.primitive, cell(0).real, cell(1).real, cell(2).real), 0};
  }

  ExprGraph graph_;
  ExprId result_ = -1;
  std::vector<Cell> cells_;
};

Cell cellOf(const ReferenceTensor& tensor, std::size_t at) {
  if (isInteger(classOf(tensor.type.dtype))) return {0, tensor.integers[at]};
  return {tensor.values[at], 0};
}

/// The formula of an op's row with operands of these classes as inputs.
TypedFormula formulaOf(const Op& op, const OpTypes& types,
                       std::span<const TypeClass> operandClasses) {
  TypedFormula formula;
  ExprGraph& graph = formula.graph();
  const TypeClass type = classOf(types);
  std::vector<Expr> operands, parameters;
  const std::size_t read = op.row->kind == OpKind::make ? 0 : op.operands.size();
  for (std::size_t i = 0; i < read; ++i)
    operands.push_back(
        {&graph,
         op.operands[i].isNumber()
             ? graph.constant(numberIn(*op.row, op.operands[i].number, types.computed), type)
             : graph.input(static_cast<int>(i), operandClasses[i])});
  for (int place = 0; place < count(op.row->places); ++place)
    operands.push_back({&graph, graph.input(static_cast<int>(read) + place, TypeClass::int64)});
  const auto number = [&](std::size_t parameter, double written) {
    const double taken = parameterIn(*op.row, parameter, written, types.computed);
    return graph.constant(
        type == TypeClass::float32 ? static_cast<double>(static_cast<float>(taken)) : taken, type);
  };
  std::size_t p = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const double written = op.parameters[p];
    parameters.push_back({&graph, parameter.kind == Parameter::Kind::number
                                      ? number(p, written)
                                      : graph.constant(written)});
    ++p;
  }
  for (; p < op.parameters.size(); ++p) parameters.push_back({&graph, number(p, op.parameters[p])});
  formula.setResult(op.row->meaning(Args(operands, parameters)).id);
  return formula;
}

}  // namespace

void setIntegers(ReferenceTensor& tensor) {
  const TypeClass type = classOf(tensor.type.dtype);
  if (!isInteger(type)) return;
  tensor.integers.clear();
  for (const double value : tensor.values) tensor.integers.push_back(truncated(value, type));
}

std::size_t broadcastPlace(const Shape& own, const Shape& shape, std::int64_t flat) {
  std::int64_t index = 0, step = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    const std::int64_t position = flat % shape[i];
    flat /= shape[i];
    const int at = i - (shape.rank() - own.rank());
    if (at < 0) continue;
    if (own[at] != 1) index += position * step;
    step *= own[at];
  }
  return static_cast<std::size_t>(index);
}

namespace {

/// The position of element number `flat`, after the operands.
void addPlaces(IndexInputs places, const Shape& shape, std::int64_t flat, std::span<Cell> into) {
  const int rank = shape.rank();
  const auto cell = [](std::int64_t whole) { return Cell{static_cast<long double>(whole), whole}; };
  if (places == IndexInputs::flat) into[0] = cell(flat);
  if (places != IndexInputs::rowColumn) return;
  const std::int64_t columns = rank > 0 ? shape[rank - 1] : 1;
  into[0] = cell(rank > 1 ? flat / columns % shape[rank - 2] : 0);
  into[1] = cell(flat % columns);
}

}  // namespace

ReferenceTensor placed(const Op& op, std::span<const ReferenceTensor* const> operands,
                       const OpTypes& types, ReferenceTensor result) {
  if (op.row->kind == OpKind::make) operands = {};
  return pointwiseTyped(op, operands, types, std::move(result));
}

ReferenceTensor pointwiseTyped(const Op& op, std::span<const ReferenceTensor* const> operands,
                               const OpTypes& types, ReferenceTensor result) {
  const TypeClass type = classOf(types);
  std::vector<TypeClass> classes(operands.size(), type);
  for (std::size_t k = 0; k < operands.size(); ++k)
    if ((op.row->truthOperands >> k) & 1u) classes[k] = TypeClass::truth;
  TypedFormula formula = formulaOf(op, types, classes);
  // Casts are the only ops on floats that round; and values created from given numbers are those of
  // their type.
  const bool given = op.row->kind == OpKind::make && op.row->bound.ulp == 0;
  if (op.row->result == ResultType::cast || given || !isFloat(types.result))
    formula.setResult(formula.graph().stored(formula.result(), types.result));
  const TypeClass made = formula.resultType();
  result.integers.resize(isInteger(made) ? result.values.size() : 0);
  std::vector<Cell> point(operands.size() + static_cast<std::size_t>(count(op.row->places)));
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    addPlaces(op.row->places, result.type.shape, static_cast<std::int64_t>(i),
              std::span(point).subspan(operands.size()));
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!operands[k]) continue;
      const ReferenceTensor& operand = *operands[k];
      const std::size_t at =
          broadcastPlace(operand.type.shape, result.type.shape, static_cast<std::int64_t>(i));
      point[k] = convertedCell(cellOf(operand, at), classOf(operand.type.dtype), classes[k]);
    }
    const Cell cell = formula.at(point);
    if (isInteger(made)) result.integers[i] = cell.whole;
    result.values[i] =
        isInteger(made) ? static_cast<double>(cell.whole) : static_cast<double>(cell.real);
  }
  return result;
}

void mapTyped(const Op& op, const OpTypes& types, std::vector<double>& elements) {
  const TypeClass type[] = {classOf(types)};
  TypedFormula formula = formulaOf(op, types, type);
  for (double& element : elements) {
    const Cell cell{element, 0};
    element = static_cast<double>(formula.at({&cell, 1}).real);
  }
}

ReferenceTensor reduceIntegers(const Op& op, const ReferenceTensor& operand, const OpTypes& types,
                               ReferenceTensor result) {
  const Shape& shape = operand.type.shape;
  const std::uint32_t mask = reducedMask(op, shape.rank());
  const AccumulatorRow& row = info(op.row->accumulate);
  const TypeClass type[] = {classOf(types)};
  std::vector<std::vector<std::int64_t>> groups(result.values.size());
  for (std::size_t flat = 0; flat < operand.values.size(); ++flat) {
    std::int64_t rest = static_cast<std::int64_t>(flat), to = 0, step = 1;
    for (int i = shape.rank() - 1; i >= 0; --i) {
      if (!((mask >> i) & 1u)) {
        to += rest % shape[i] * step;
        step *= shape[i];
      }
      rest /= shape[i];
    }
    Cell cell = convertedCell(cellOf(operand, flat), classOf(operand.type.dtype), type[0]);
    if (op.row->meaning) {
      TypedFormula formula = formulaOf(op, types, type);
      const TypeClass made = formula.resultType();
      cell = convertedCell(formula.at({&cell, 1}), made, TypeClass::int64);
    }
    groups[static_cast<std::size_t>(to)].push_back(cell.whole);
  }
  result.integers.resize(result.values.size());
  for (std::size_t r = 0; r < groups.size(); ++r) {
    const std::vector<std::int64_t>& elements = groups[r];
    std::int64_t made = saturated(row.identity, TypeClass::int64);
    if (row.family == AccumulatorFamily::place)
      made = std::max_element(elements.begin(), elements.end()) - elements.begin();
    else
      for (const std::int64_t x : elements)
        made = integerOf(row.combine, made, x, TypeClass::int64);
    result.integers[r] = wrapped(made, classOf(types.result));
    result.values[r] = static_cast<double>(result.integers[r]);
  }
  return result;
}

}  // namespace fusebench
