// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/language/program_sizes.h"
#include "engine/ops/accumulators.h"

namespace fusebench {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// NaN from either side; of equal zeros the positive one.
double greater(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return kNan;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

/// PyTorch stores the numbers of a float32 expression as float32.
double roundedToFloat32(double number) {
  return static_cast<double>(static_cast<float>(number));
}

/// Value number `flat` of a tensor broadcast to `shape`, row-major.
double broadcastElement(const ReferenceTensor& tensor, const Shape& shape, std::int64_t flat) {
  const Shape& own = tensor.type.shape;
  std::int64_t index = 0, step = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    const std::int64_t position = flat % shape[i];
    flat /= shape[i];
    const int at = i - (shape.rank() - own.rank());
    if (at < 0) continue;
    if (own[at] != 1) index += position * step;
    step *= own[at];
  }
  return tensor.values[static_cast<std::size_t>(index)];
}

ReferenceTensor pointwise(const Op& op, std::span<const ReferenceTensor* const> operands,
                          ReferenceTensor result) {
  std::vector<bool> truth;
  for (const ReferenceTensor* operand : operands)
    truth.push_back(operand && operand->type.dtype == DType::boolean);
  std::vector<double> parameters;
  for (double parameter : op.parameters) parameters.push_back(roundedToFloat32(parameter));
  RowFunction function(*op.row, parameters, truth);
  std::vector<double> point(operands.size());
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    for (std::size_t k = 0; k < operands.size(); ++k)
      point[k] = operands[k] ? broadcastElement(*operands[k], result.type.shape,
                                                static_cast<std::int64_t>(i))
                             : roundedToFloat32(op.operands[k].number);
    result.values[i] = function(point);
  }
  return result;
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

/// The values of an op's parameters, numbers as float32 holds them.
std::vector<double> parametersOf(const Op& op) {
  std::vector<double> parameters;
  std::size_t i = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const double value = op.parameters[i++];
    parameters.push_back(parameter.kind == Parameter::Kind::number ? roundedToFloat32(value)
                                                                   : value);
  }
  return parameters;
}

/// A row's finish as a formula over (accumulated, count).
double finished(const Op& op, double accumulated, double count) {
  if (!op.row->finish) return accumulated;
  ExprGraph graph;
  const Expr value{&graph, graph.input(0)}, number{&graph, graph.input(1)};
  std::vector<Expr> parameters;
  for (double parameter : parametersOf(op))
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

ReferenceTensor reduce(const Op& op, const ReferenceTensor& operand, ReferenceTensor result,
                       std::vector<double>& terms) {
  const std::uint32_t mask = reducedMask(op, operand.type.shape.rank());
  auto groups = grouped(operand, mask, result.values.size());
  if (op.row->meaning) {
    RowFunction map(*op.row, parametersOf(op), {operand.type.dtype == DType::boolean});
    for (std::vector<double>& group : groups)
      for (double& x : group) x = map({&x, 1});
  }
  terms.resize(result.values.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Accumulated a = accumulate(info(op.row->accumulate), groups[i]);
    const double value = finished(op, a.value, a.count);
    result.values[i] = result.type.dtype == DType::boolean ? value != 0 : value;
    terms[i] = a.terms > 0 ? std::fabs(finished(op, a.terms, a.count)) : 0;
  }
  return result;
}

/// Whether a float32 would hold the value as an infinity.
bool isInfiniteAsFloat32(double value) {
  return std::isinf(static_cast<float>(value));
}

double elementError(double expected, double scale, double got) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::isnan(expected) || std::isnan(got))
    return std::isnan(expected) && std::isnan(got) ? 0 : kInfinity;
  if (isInfiniteAsFloat32(expected) || isInfiniteAsFloat32(got))
    return isInfiniteAsFloat32(expected) && isInfiniteAsFloat32(got) &&
                   std::signbit(expected) == std::signbit(got)
               ? 0
               : kInfinity;
  const double difference = std::fabs(got - expected);
  // Below the smallest normal number there are no relative digits to get right.
  return difference / std::max(scale, static_cast<double>(std::numeric_limits<float>::min()));
}

}  // namespace

double evaluatePrimitive(Primitive primitive, double a, double b, double c) {
  switch (primitive) {
    case Primitive::input:
    case Primitive::scalar:
    case Primitive::constant:
      break;
    case Primitive::add:
      return a + b;
    case Primitive::sub:
      return a - b;
    case Primitive::mul:
      return a * b;
    case Primitive::div:
      return a / b;
    case Primitive::fma:
      return std::fma(a, b, c);
    case Primitive::neg:
      return -a;
    case Primitive::abs:
      return std::fabs(a);
    case Primitive::sqrt:
      return std::sqrt(a);
    case Primitive::fmod:
      return std::fmod(a, b);
    case Primitive::exp:
      return std::exp(a);
    case Primitive::exp2:
      return std::exp2(a);
    case Primitive::expm1:
      return std::expm1(a);
    case Primitive::log:
      return std::log(a);
    case Primitive::log2:
      return std::log2(a);
    case Primitive::log10:
      return std::log10(a);
    case Primitive::log1p:
      return std::log1p(a);
    case Primitive::pow:
      return std::pow(a, b);
    case Primitive::sin:
      return std::sin(a);
    case Primitive::cos:
      return std::cos(a);
    case Primitive::tan:
      return std::tan(a);
    case Primitive::asin:
      return std::asin(a);
    case Primitive::acos:
      return std::acos(a);
    case Primitive::atan:
      return std::atan(a);
    case Primitive::atan2:
      return std::atan2(a, b);
    case Primitive::sinh:
      return std::sinh(a);
    case Primitive::cosh:
      return std::cosh(a);
    case Primitive::tanh:
      return std::tanh(a);
    case Primitive::asinh:
      return std::asinh(a);
    case Primitive::acosh:
      return std::acosh(a);
    case Primitive::atanh:
      return std::atanh(a);
    case Primitive::erf:
      return std::erf(a);
    case Primitive::erfc:
      return std::erfc(a);
    case Primitive::floor:
      return std::floor(a);
    case Primitive::ceil:
      return std::ceil(a);
    case Primitive::trunc:
      return std::trunc(a);
    case Primitive::round:
      return std::nearbyint(a);
    case Primitive::min:
      return -greater(-a, -b);
    case Primitive::max:
      return greater(a, b);
    case Primitive::copysign:
      return std::copysign(a, b);
    case Primitive::lt:
      return a < b;
    case Primitive::le:
      return a <= b;
    case Primitive::gt:
      return a > b;
    case Primitive::ge:
      return a >= b;
    case Primitive::eq:
      return a == b;
    case Primitive::ne:
      return a != b;
    case Primitive::logicalAnd:
      return a != 0 && b != 0;
    case Primitive::logicalOr:
      return a != 0 || b != 0;
    case Primitive::logicalNot:
      return a == 0;
    case Primitive::select:
      return a != 0 ? b : c;
    case Primitive::toNumber:
      return a;
    case Primitive::toTruth:
      return a != 0;
  }
  return kNan;
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
    operands.push_back({&graph_, graph_.input(i, truth || ((row.truthOperands >> i) & 1u))});
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
  const std::vector<ValueType> types = inferTypes(program, inputTypes);
  std::vector<ReferenceTensor> values(inputs.begin(), inputs.end());
  std::vector<std::vector<double>> terms(types.size());
  values.reserve(types.size());
  const Program settled = program.sizes.empty() ? Program() : withNumbers(program, types);
  for (const Op& op : (program.sizes.empty() ? program : settled).ops) {
    const std::size_t id = values.size();
    ReferenceTensor result{types[id], {}};
    result.values.resize(static_cast<std::size_t>(elementCount(result.type.shape)));
    std::vector<const ReferenceTensor*> operands;
    for (const Operand& operand : op.operands)
      operands.push_back(operand.isNumber() ? nullptr
                                            : &values[static_cast<std::size_t>(operand.value)]);
    switch (op.row->kind) {
      case OpKind::pointwise:
        values.push_back(pointwise(op, operands, std::move(result)));
        break;
      case OpKind::view:
        // An error is measured in a view as in what it is a view of.
        if (const auto& sums = terms[static_cast<std::size_t>(op.operands[0].value)]; !sums.empty())
          terms[id] = viewed(op, {operands[0]->type, sums}, result).values;
        values.push_back(viewed(op, *operands[0], std::move(result)));
        break;
      case OpKind::reduce:
        values.push_back(reduce(op, *operands[0], std::move(result), terms[id]));
        break;
    }
  }
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
    worst = std::max(worst, elementError(expected.value.values[i], expected.scale[i], got[i]));
  return worst;
}

}  // namespace fusebench
