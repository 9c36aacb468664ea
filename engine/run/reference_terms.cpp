// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference_terms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/run/reference.h"

namespace fusebench {
namespace {

/// |f'(a)| of a function of one operand with f(a) = r; nothing for other primitives.
double steepness(Primitive primitive, double a, double r) {
  using std::numbers::inv_sqrtpi, std::numbers::ln10, std::numbers::ln2;
  switch (primitive) {
    case Primitive::neg:
    case Primitive::abs:
    case Primitive::copysign:
    case Primitive::convert:
    case Primitive::narrow:
      return 1;
    case Primitive::sqrt:
      return 0.5 / r;
    case Primitive::exp:
      return r;
    case Primitive::exp2:
      return r * ln2;
    case Primitive::expm1:
      return r + 1;
    case Primitive::log:
      return 1 / a;
    case Primitive::log2:
      return 1 / (a * ln2);
    case Primitive::log10:
      return 1 / (a * ln10);
    case Primitive::log1p:
      return 1 / (1 + a);
    case Primitive::sin:
      return std::cos(a);
    case Primitive::cos:
      return std::sin(a);
    case Primitive::tan:
      return 1 + r * r;
    case Primitive::asin:
    case Primitive::acos:
      return 1 / std::sqrt(1 - a * a);
    case Primitive::atan:
      return 1 / (1 + a * a);
    case Primitive::sinh:
      return std::cosh(a);
    case Primitive::cosh:
      return std::sinh(a);
    case Primitive::tanh:
      return 1 - r * r;
    case Primitive::asinh:
      return 1 / std::sqrt(a * a + 1);
    case Primitive::acosh:
      return 1 / std::sqrt(a * a - 1);
    case Primitive::atanh:
      return 1 / (1 - a * a);
    case Primitive::erf:
    case Primitive::erfc:
      return 2 * inv_sqrtpi * std::exp(-a * a);
    default:
      return 0;
  }
}

}  // namespace

TermsOfRow::TermsOfRow(const OpRow& row, std::span<const double> parameters,
                       const std::vector<bool>& truthOperands) {
  std::vector<Expr> operands, constants;
  for (int o = 0; o < row.arity; ++o) {
    const auto at = static_cast<std::size_t>(o);
    const bool truth =
        (at < truthOperands.size() && truthOperands[at]) || ((row.truthOperands >> o) & 1u) != 0;
    operands.push_back({&graph_, graph_.input(o, truth ? TypeClass::truth : TypeClass::float32)});
  }
  for (const double parameter : parameters)
    constants.push_back({&graph_, graph_.constant(parameter)});
  result_ = row.meaning(Args(operands, constants)).id;
}

double TermsOfRow::counted(ExprId operand) const {
  const bool leaf = info(graph_[operand].primitive).arity == 0;
  return leaf ? term(operand) : std::max(term(operand), std::fabs(value(operand)));
}

double TermsOfRow::carried(const ExprNode& node, double result) const {
  const ExprId a = node.operands[0], b = node.operands[1], c = node.operands[2];
  switch (node.primitive) {
    case Primitive::add:
    case Primitive::sub:
      return std::max(counted(a), counted(b));
    case Primitive::mul:
      return std::max(std::fabs(value(b)) * term(a), std::fabs(value(a)) * term(b));
    case Primitive::fma:
      return std::max({std::fabs(value(b)) * term(a), std::fabs(value(a)) * term(b), counted(c),
                       std::fabs(value(a) * value(b))});
    case Primitive::div:
      return std::max(term(a), std::fabs(result) * term(b)) / std::fabs(value(b));
    case Primitive::fmod:
      return std::max(term(a), std::fabs(std::trunc(value(a) / value(b))) * term(b));
    case Primitive::pow: {
      const double byBase = term(a) > 0 ? std::fabs(result * value(b) / value(a)) * term(a) : 0;
      const double byExponent =
          term(b) > 0 ? std::fabs(result * std::log(std::fabs(value(a)))) * term(b) : 0;
      return std::max(byBase, byExponent);
    }
    case Primitive::atan2:
      return std::max(std::fabs(value(b)) * term(a), std::fabs(value(a)) * term(b)) /
             (value(a) * value(a) + value(b) * value(b));
    case Primitive::min:
    case Primitive::max:
      return result == value(a) ? term(a) : term(b);
    case Primitive::select:
      return value(a) != 0 ? term(b) : term(c);
    default:
      break;
  }
  // If nothing is propagated, an infinite slope must not create an error.
  return term(a) > 0 ? std::fabs(steepness(node.primitive, value(a), result)) * term(a) : 0;
}

double TermsOfRow::operator()(std::span<const double> values, std::span<const double> terms) {
  values_.resize(graph_.size());
  terms_.resize(graph_.size());
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    const ExprNode& node = graph_.nodes()[i];
    if (node.primitive == Primitive::input) {
      values_[i] = values[static_cast<std::size_t>(node.index)];
      terms_[i] = terms[static_cast<std::size_t>(node.index)];
      continue;
    }
    if (info(node.primitive).arity == 0) {
      values_[i] = node.value;
      terms_[i] = 0;
      continue;
    }
    const auto operand = [&](int o) {
      return o < info(node.primitive).arity ? value(node.operands[o]) : 0.0;
    };
    values_[i] = evaluatePrimitive(node.primitive, operand(0), operand(1), operand(2));
    const double found = carried(node, values_[i]);
    terms_[i] = std::isfinite(found) ? found : 0;
  }
  return std::max(std::fabs(value(result_)), term(result_));
}

}  // namespace fusebench
