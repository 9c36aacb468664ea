// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "engine/run/reference.h"

namespace fusebench::test {

/// Evaluates a row as a backend does: every primitive's result is a float32. Sloppy: those that
/// backends approximate are rounded up or down at random, so that they are off by up to one unit in
/// the last place.
class Float32Row {
 public:
  Float32Row(const OpRow& row, std::span<const double> parameters, bool sloppy = false)
      : sloppy_(sloppy) {
    std::vector<Expr> operands, constants;
    for (int i = 0; i < row.arity; ++i)
      operands.push_back(
          {&graph_,
           graph_.input(i, (row.truthOperands >> i) & 1u ? TypeClass::truth : TypeClass::float32)});
    for (double parameter : parameters) constants.push_back({&graph_, graph_.constant(parameter)});
    result_ = row.meaning(Args(operands, constants)).id;
  }

  const ExprNode& result() const { return graph_[result_]; }

  float operator()(std::span<const float> operands) {
    values_.resize(graph_.size());
    for (std::size_t i = 0; i < graph_.size(); ++i) values_[i] = value(graph_.nodes()[i], operands);
    return values_[static_cast<std::size_t>(result_)];
  }

 private:
  float value(const ExprNode& node, std::span<const float> operands) {
    if (node.primitive == Primitive::input) return operands[static_cast<std::size_t>(node.index)];
    if (node.primitive == Primitive::constant) return static_cast<float>(node.value);
    const auto at = [&](int k) {
      const ExprId id = node.operands[k];
      return id < 0 ? 0.0 : static_cast<double>(values_[static_cast<std::size_t>(id)]);
    };
    const double exact = evaluatePrimitive(node.primitive, at(0), at(1), at(2));
    return sloppy_ ? off(node.primitive, exact) : static_cast<float>(exact);
  }

  float off(Primitive primitive, double exact) {
    const auto rounded = static_cast<float>(exact);
    const bool approximated = primitive >= Primitive::exp && primitive <= Primitive::erfc;
    const bool denormal = std::fabs(rounded) < std::numeric_limits<float>::min();
    const double rounding = static_cast<double>(rounded) - exact;
    if (!approximated || denormal || !std::isfinite(rounded) || rounding == 0 || random_() % 2 == 0)
      return rounded;
    return std::nextafter(rounded, rounding > 0 ? -INFINITY : INFINITY);
  }

  ExprGraph graph_;
  ExprId result_ = -1;
  bool sloppy_;
  std::vector<float> values_;
  std::minstd_rand random_{1};
};

}  // namespace fusebench::test
