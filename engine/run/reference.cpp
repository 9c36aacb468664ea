// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine/base/elements.h"
#include "engine/language/program_sizes.h"
#include "engine/ops/accumulators.h"
#include "engine/plan/islands.h"
#include "engine/plan/plan.h"
#include "engine/run/reference_contract.h"
#include "engine/run/reference_primitives.h"
#include "engine/run/reference_terms.h"
#include "engine/run/reference_typed.h"
#include "engine/run/value_checks.h"

namespace fusebench {
namespace {

/// PyTorch stores the numbers of a float32 expression as float32.
double roundedToFloat32(double number) {
  return static_cast<double>(static_cast<float>(number));
}

/// Value number `flat` of a tensor broadcast to `shape`, row-major.
double broadcastElement(const ReferenceTensor& tensor, const Shape& shape, std::int64_t flat) {
  return tensor.values[broadcastPlace(tensor.type.shape, shape, flat)];
}

/// A tensor's elements as an op of that dtype computes with them.
std::vector<double> computedWith(const ReferenceTensor& operand, DType computed) {
  std::vector<double> values = operand.values;
  const DType own = operand.type.dtype;
  // What is no float of this width becomes one; nothing else is rounded.
  if (own != computed && own != DType::boolean && isFloat(computed))
    for (double& value : values) value = roundedTo(value, computed);
  return values;
}

ReferenceTensor pointwise(const Op& op, std::span<const ReferenceTensor* const> operands,
                          const OpTypes& types, ReferenceTensor result) {
  std::vector<bool> truth;
  std::vector<ReferenceTensor> given;
  for (const ReferenceTensor* operand : operands) {
    truth.push_back(operand && operand->type.dtype == DType::boolean);
    given.emplace_back();
    if (operand) given.back() = {operand->type, computedWith(*operand, types.computed), {}};
  }
  std::vector<double> parameters;
  for (double parameter : op.parameters) parameters.push_back(roundedToFloat32(parameter));
  RowFunction function(*op.row, parameters, truth);
  std::vector<double> point(operands.size());
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    for (std::size_t k = 0; k < operands.size(); ++k)
      point[k] = operands[k]
                     ? broadcastElement(given[k], result.type.shape, static_cast<std::int64_t>(i))
                     : roundedToFloat32(op.operands[k].number);
    result.values[i] = function(point);
  }
  // A cast rounds: that is what it is for.
  if (op.row->result == ResultType::cast)
    for (double& value : result.values) value = roundedTo(value, result.type.dtype);
  if (types.result == DType::boolean)
    for (double& value : result.values) value = value != 0;
  setIntegers(result);
  return result;
}

/// What errors of a pointwise op's float result are measured against; see TermsOfRow. Of operands
/// whose terms are null or empty every element is exact.
std::vector<double> termsOfPointwise(const Op& op, std::span<const ReferenceTensor* const> operands,
                                     std::span<const std::vector<double>* const> terms,
                                     const ReferenceTensor& result) {
  std::vector<bool> truth;
  for (const ReferenceTensor* operand : operands)
    truth.push_back(operand && operand->type.dtype == DType::boolean);
  TermsOfRow function(*op.row, op.parameters, truth);
  std::vector<double> values(operands.size()), given(operands.size()), made(result.values.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (std::size_t k = 0; k < operands.size(); ++k) {
      values[k] = op.operands[k].number;
      given[k] = 0;
      if (!operands[k]) continue;
      const std::size_t at =
          broadcastPlace(operands[k]->type.shape, result.type.shape, static_cast<std::int64_t>(i));
      values[k] = operands[k]->values[at];
      if (!terms[k]->empty()) given[k] = (*terms[k])[at];
    }
    made[i] = function(values, given);
    if (!std::isfinite(made[i])) made[i] = 0;
  }
  return made;
}

/// The elements that a view of a row-major tensor sees, in its own row-major order.
ReferenceTensor viewed(const Op& op, const ReferenceTensor& operand, ReferenceTensor result) {
  ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(operand.type.shape),
                                  SizeList<std::int64_t>(contiguousStrides(operand.type.shape))};
  viewOf(op, layout);  // of a row-major tensor there is every view
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    std::int64_t at = layout.offset, rest = static_cast<std::int64_t>(i);
    for (std::size_t d = layout.extents.size(); d-- > 0;) {
      at += rest % layout.extents[d] * layout.strides[d];
      rest /= layout.extents[d];
    }
    result.values[i] = operand.values[static_cast<std::size_t>(at)];
    if (!operand.integers.empty())
      result.integers.push_back(operand.integers[static_cast<std::size_t>(at)]);
  }
  return result;
}

/// What one element of a reduction's result is made of.
struct Accumulated {
  double value = 0;
  double count = 0;
  double terms = 0;  ///< sum of |terms|; 0: the error is not measured against it
};

Accumulated accumulate(const AccumulatorRow& row, std::span<const double> elements) {
  const auto all = static_cast<double>(elements.size());
  long double terms = 0;
  for (double x : elements) terms += std::fabs(x);
  switch (row.family) {
    case AccumulatorFamily::fold: {
      long double folded = row.identity;
      for (double x : elements) folded = row.combine == Primitive::mul ? folded * x : folded + x;
      return {static_cast<double>(folded), all, row.cancels ? static_cast<double>(terms) : 0};
    }
    case AccumulatorFamily::extreme: {
      double best = row.identity;
      for (double x : elements) best = evaluatePrimitive(row.combine, best, x, 0);
      return {best, all, 0};
    }
    case AccumulatorFamily::deviations: {
      long double sum = 0, squares = 0;
      for (double x : elements) sum += x;
      const long double mean = sum / static_cast<long double>(elements.size());
      for (double x : elements) squares += (x - mean) * (x - mean);
      return {static_cast<double>(squares), all, 0};
    }
    case AccumulatorFamily::place: {
      std::size_t best = 0;
      for (std::size_t i = 1; i < elements.size(); ++i)
        if (!std::isnan(elements[best]) &&
            (std::isnan(elements[i]) || elements[i] > elements[best]))
          best = i;
      return {static_cast<double>(best), all, 0};
    }
    case AccumulatorFamily::numbers: {
      long double sum = 0, magnitudes = 0;
      double count = 0;
      for (double x : elements) {
        if (std::isnan(x)) continue;
        sum += x;
        magnitudes += std::fabs(x);
        ++count;
      }
      return {static_cast<double>(sum), count, static_cast<double>(magnitudes)};
    }
  }
  return {};
}

/// The values of an op's parameters, numbers as float32 holds them where that is computed in.
std::vector<double> parametersOf(const Op& op, const OpTypes& types) {
  std::vector<double> parameters;
  std::size_t i = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const double value = op.parameters[i++];
    const bool rounds =
        parameter.kind == Parameter::Kind::number && types.computed != DType::float64;
    parameters.push_back(rounds ? roundedToFloat32(value) : value);
  }
  return parameters;
}

/// A row's finish as a formula over (accumulated, count).
double finished(const Op& op, const OpTypes& types, double accumulated, double count) {
  if (!op.row->finish) return accumulated;
  ExprGraph graph;
  const Expr value{&graph, graph.input(0)}, number{&graph, graph.input(1)};
  std::vector<Expr> parameters;
  for (double parameter : parametersOf(op, types))
    parameters.push_back({&graph, graph.constant(parameter)});
  const Expr result = op.row->finish(value, number, Args({}, parameters));
  const double inputs[] = {accumulated, count};
  std::vector<double> scratch;
  return evaluateExpression(graph, result.id, inputs, {}, scratch);
}

/// Groups the operand's elements by the result's element that they go to, in row-major order.
std::vector<std::vector<double>> grouped(const ReferenceTensor& operand, std::uint32_t mask,
                                         std::size_t results) {
  std::vector<std::vector<double>> groups(results);
  const Shape& shape = operand.type.shape;
  for (std::size_t flat = 0; flat < operand.values.size(); ++flat) {
    std::int64_t rest = static_cast<std::int64_t>(flat), to = 0, step = 1;
    for (int i = shape.rank() - 1; i >= 0; --i) {
      if (!((mask >> i) & 1u)) {
        to += rest % shape[i] * step;
        step *= shape[i];
      }
      rest /= shape[i];
    }
    groups[static_cast<std::size_t>(to)].push_back(operand.values[flat]);
  }
  return groups;
}

/// `operandTerms`: what errors of the operand's elements are measured against; empty: they are
/// exact. `terms` becomes that of the result.
ReferenceTensor reduce(const Op& op, const ReferenceTensor& operand,
                       const std::vector<double>& operandTerms, const OpTypes& types,
                       ReferenceTensor result, std::vector<double>& terms) {
  const std::uint32_t mask = reducedMask(op, operand.type.shape.rank());
  const bool wide = types.computed == DType::float64;
  auto groups = grouped(operand, mask, result.values.size());
  std::vector<std::vector<double>> groupTerms;
  if (!operandTerms.empty()) {
    groupTerms = grouped({operand.type, operandTerms, {}}, mask, result.values.size());
    if (op.row->meaning) {
      TermsOfRow map(*op.row, parametersOf(op, types), {operand.type.dtype == DType::boolean});
      for (std::size_t g = 0; g < groups.size(); ++g)
        for (std::size_t e = 0; e < groups[g].size(); ++e)
          groupTerms[g][e] = map({&groups[g][e], 1}, {&groupTerms[g][e], 1});
    }
  }
  if (op.row->meaning && wide) {
    for (std::vector<double>& group : groups) mapTyped(op, types, group);
  } else if (op.row->meaning) {
    RowFunction map(*op.row, parametersOf(op, types), {operand.type.dtype == DType::boolean});
    for (std::vector<double>& group : groups)
      for (double& x : group) x = map({&x, 1});
  }
  terms.resize(result.values.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const AccumulatorRow& row = info(op.row->accumulate);
    Accumulated a = accumulate(row, groups[i]);
    if (!groupTerms.empty()) {
      if (a.terms > 0) {  // of a sum, each element's where that is the greater
        a.terms = 0;
        for (std::size_t e = 0; e < groups[i].size(); ++e)
          if (!std::isnan(groups[i][e]))
            a.terms += std::max(std::fabs(groups[i][e]), groupTerms[i][e]);
      } else if (row.family == AccumulatorFamily::extreme && !groups[i].empty()) {
        a.terms = *std::ranges::max_element(groupTerms[i]);
      }
    }
    const double value = finished(op, types, a.value, a.count);
    result.values[i] = result.type.dtype == DType::boolean ? value != 0 : value;
    terms[i] = std::max(std::fabs(value),
                        a.terms > 0 ? std::fabs(finished(op, types, a.terms, a.count)) : 0);
    if (!std::isfinite(terms[i])) terms[i] = 0;
  }
  setIntegers(result);
  return result;
}

/// Running sums or products along a dimension.
ReferenceTensor scanned(const Op& op, const ReferenceTensor& operand, const OpTypes& types,
                        ReferenceTensor result, std::vector<double>& terms) {
  const Shape& shape = operand.type.shape;
  const std::uint32_t mask = reducedMask(op, shape.rank());
  std::int64_t extent = 1, step = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    if ((mask >> d) & 1u) {
      extent = shape[d];
      break;
    }
    step *= shape[d];
  }
  const bool whole = isInteger(classOf(types)),
             multiplies = info(op.row->accumulate).combine == Primitive::mul;
  const std::size_t count = result.values.size();
  if (whole) result.integers.resize(count);
  terms.resize(multiplies ? 0 : count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool first = static_cast<std::int64_t>(i) / step % extent == 0;
    const std::size_t before = first ? i : i - static_cast<std::size_t>(step);
    const double value = operand.values[i];
    if (whole) {
      const auto own = static_cast<std::uint64_t>(
          operand.integers.empty() ? static_cast<std::int64_t>(value) : operand.integers[i]);
      const auto sum = static_cast<std::uint64_t>(first ? 0 : result.integers[before]);
      result.integers[i] = static_cast<std::int64_t>(first        ? own
                                                     : multiplies ? sum * own
                                                                  : sum + own);
      result.values[i] = static_cast<double>(result.integers[i]);
    } else {
      result.values[i] = first        ? value
                         : multiplies ? result.values[before] * value
                                      : result.values[before] + value;
    }
    if (!multiplies) terms[i] = std::fabs(value) + (first ? 0 : terms[before]);
  }
  return result;
}

/// Whether an element would hold the value as an infinity.
bool isInfiniteAs(double value, DType dtype) {
  return isFloat(dtype) ? std::isinf(roundedTo(value, dtype)) : std::isinf(value);
}

double smallestNormal(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 0x1p-14;
    case DType::float64:
      return std::numeric_limits<double>::min();
    default:
      return static_cast<double>(std::numeric_limits<float>::min());
  }
}

double elementError(DType dtype, double expected, double scale, double got) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::isnan(expected) || std::isnan(got))
    return std::isnan(expected) && std::isnan(got) ? 0 : kInfinity;
  if (isInfiniteAs(expected, dtype) || isInfiniteAs(got, dtype))
    return isInfiniteAs(expected, dtype) && isInfiniteAs(got, dtype) &&
                   std::signbit(expected) == std::signbit(got)
               ? 0
               : kInfinity;
  const double difference = std::fabs(got - expected);
  // Below the smallest normal number there are no relative digits to get right.
  return difference / std::max(scale, smallestNormal(dtype));
}

}  // namespace

double evaluatePrimitive(Primitive primitive, double a, double b, double c) {
  return primitiveOf(primitive, a, b, c);
}

double evaluateExpression(const ExprGraph& graph, ExprId result, std::span<const double> inputs,
                          std::span<const double> scalars, std::vector<double>& scratch) {
  scratch.resize(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const ExprNode& node = graph.nodes()[i];
    const auto operand = [&](int k) {
      const ExprId id = node.operands[k];
      return id < 0 ? 0.0 : scratch[static_cast<std::size_t>(id)];
    };
    const std::size_t index = static_cast<std::size_t>(node.index);
    switch (node.primitive) {
      case Primitive::input:
        scratch[i] = inputs[index];
        break;
      case Primitive::scalar:
        scratch[i] = scalars[index];
        break;
      case Primitive::constant:
        scratch[i] = node.value;
        break;
      default:
        scratch[i] = evaluatePrimitive(node.primitive, operand(0), operand(1), operand(2));
    }
  }
  return scratch[static_cast<std::size_t>(result)];
}

RowFunction::RowFunction(const OpRow& row, std::span<const double> parameters,
                         const std::vector<bool>& truthOperands) {
  std::vector<Expr> operands, constants;
  for (int i = 0; i < row.arity; ++i) {
    const bool truth = static_cast<std::size_t>(i) < truthOperands.size() &&
                       truthOperands[static_cast<std::size_t>(i)];
    operands.push_back(
        {&graph_, graph_.input(i, truth || ((row.truthOperands >> i) & 1u) ? TypeClass::truth
                                                                           : TypeClass::float32)});
  }
  for (double parameter : parameters) constants.push_back({&graph_, graph_.constant(parameter)});
  result_ = row.meaning(Args(operands, constants)).id;
}

double RowFunction::operator()(std::span<const double> operands) {
  return evaluateExpression(graph_, result_, operands, {}, scratch_);
}

double evaluateRow(const OpRow& row, std::span<const double> operands,
                   std::span<const double> parameters) {
  return RowFunction(row, parameters)(operands);
}

std::vector<ReferenceResult> evaluateReference(const Program& program,
                                               std::span<const ReferenceTensor> inputs) {
  std::vector<ValueType> inputTypes;
  for (const ReferenceTensor& input : inputs) inputTypes.push_back(input.type);
  if (program.differentiates())
    return evaluateReference(*settle(program, contiguousForms(inputTypes)).program, inputs);
  const std::vector<ValueType> types = inferTypes(program, inputTypes);
  std::vector<ReferenceTensor> values(inputs.begin(), inputs.end());
  for (ReferenceTensor& value : values)
    if (value.integers.empty()) setIntegers(value);
  std::vector<std::vector<double>> terms(types.size());
  values.reserve(types.size());
  const Program settled = program.sizes.empty() ? Program() : withNumbers(program, types);
  std::size_t check = 0;
  const auto checkValues = [&] {
    for (; check < program.checks.size(); ++check) {
      const SizeCheck& each = program.checks[check];
      if (static_cast<std::size_t>(each.beforeOp) + inputs.size() > values.size()) return;
      if (each.ofValue())
        checkElement(each, values[static_cast<std::size_t>(each.value)].values.front());
    }
  };
  for (const Op& op : (program.sizes.empty() ? program : settled).ops) {
    checkValues();
    const std::size_t id = values.size();
    ReferenceTensor result{types[id], {}, {}};
    result.values.resize(static_cast<std::size_t>(elementCount(result.type.shape)));
    std::vector<const ReferenceTensor*> operands;
    std::vector<const std::vector<double>*> operandTerms;
    for (const Operand& operand : op.operands) {
      const auto value = static_cast<std::size_t>(operand.value);
      operands.push_back(operand.isNumber() ? nullptr : &values[value]);
      operandTerms.push_back(operand.isNumber() ? nullptr : &terms[value]);
    }
    const OpTypes made = opTypesOf(op, [&](ValueId value) {
      const ValueType& type = types[static_cast<std::size_t>(value)];
      return std::pair(type.dtype, type.shape.rank());
    });
    const TypeClass type = classOf(made);
    const bool typed = isInteger(type) || type == TypeClass::float64;
    switch (op.row->kind) {
      case OpKind::scan:
        values.push_back(scanned(op, *operands[0], made, std::move(result), terms[id]));
        break;
      case OpKind::make:
        values.push_back(placed(op, operands, made, std::move(result)));
        break;
      case OpKind::pointwise:
        values.push_back(op.row->places != Places::none
                             ? placed(op, operands, made, std::move(result))
                         : typed ? pointwiseTyped(op, operands, made, std::move(result))
                                 : pointwise(op, operands, made, std::move(result)));
        if (op.row->places == Places::none && !isInteger(type) && isFloat(made.result))
          terms[id] = termsOfPointwise(op, operands, operandTerms, values.back());
        break;
      case OpKind::view:
        // An error is measured in a view as in what it is a view of.
        if (const auto& sums = terms[static_cast<std::size_t>(op.operands[0].value)]; !sums.empty())
          terms[id] = viewed(op, {operands[0]->type, sums, {}}, result).values;
        values.push_back(viewed(op, *operands[0], std::move(result)));
        break;
      case OpKind::contract:
        values.push_back(contracted(op, operands, operandTerms, std::move(result), terms[id]));
        break;
      case OpKind::copy:
        result.values = operands[0]->values;
        result.integers = operands[0]->integers;
        terms[id] = terms[static_cast<std::size_t>(op.operands[0].value)];
        values.push_back(std::move(result));
        break;
      case OpKind::gradient:
        throw std::logic_error("a gradient is left in a differentiated program");
      case OpKind::reduce:
        values.push_back(
            isInteger(type) && (!op.row->meaning || op.row->result == ResultType::index)
                ? reduceIntegers(op, *operands[0], made, std::move(result))
                : reduce(op, *operands[0], *operandTerms[0], made, std::move(result), terms[id]));
        break;
    }
  }
  checkValues();
  std::vector<ReferenceResult> results;
  for (ValueId output : program.outputs) {
    ReferenceResult result{values[static_cast<std::size_t>(output)], {}};
    const std::vector<double>& sums = terms[static_cast<std::size_t>(output)];
    for (std::size_t i = 0; i < result.value.values.size(); ++i)
      result.scale.push_back(
          std::max(std::fabs(result.value.values[i]), i < sums.size() ? sums[i] : 0));
    results.push_back(std::move(result));
  }
  return results;
}

double relativeError(const ReferenceResult& expected, std::span<const double> got) {
  if (got.size() != expected.value.values.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    worst = std::max(worst, elementError(expected.value.type.dtype, expected.value.values[i],
                                         expected.scale[i], got[i]));
  return worst;
}

}  // namespace fusebench
