// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference_reductions.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/base/elements.h"
#include "engine/ops/accumulators.h"
#include "engine/run/reference_terms.h"
#include "engine/run/reference_typed.h"

namespace fusebench {
namespace {

/// The data from which one element of a reduction's result is computed.
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

/// The values of an op's parameters; numbers as float32 holds them if the op computes in float32.
std::vector<double> parametersOf(const Op& op, const OpTypes& types) {
  std::vector<double> parameters;
  std::size_t i = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const double value = op.parameters[i++];
    const bool rounds =
        parameter.kind == Parameter::Kind::number && types.computed != DType::float64;
    parameters.push_back(rounds ? roundedTo(value, DType::float32) : value);
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

/// Groups the operand's elements by the result's element to which they contribute, in row-major
/// order.
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

}  // namespace

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
      if (a.terms > 0) {  // a sum: each element's term if that is greater
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

}  // namespace fusebench
