// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/derivatives.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "engine/ops/accumulators.h"
#include "engine/ops/formula.h"

namespace fusebench {
namespace {

using namespace formula;

constexpr double kNaturalLog2 = 0.6931471805599453094172321;
constexpr double kNaturalLog10 = 2.302585092994045684017991;
constexpr double kTwoOverRootPi = 1.128379167095512573896159;

bool isConstant(const ExprGraph& graph, ExprId id) {
  return graph[id].primitive == Primitive::constant;
}
bool isConstant(const ExprGraph& graph, ExprId id, double value) {
  return isConstant(graph, id) && graph[id].value == value;
}

/// Writes a formula into another graph, with what follows from constants worked out: a gradient
/// that is 1 is multiplied by nothing.
class Simplifier {
 public:
  Simplifier(const ExprGraph& from, ExprGraph& to) : from_(from), to_(to), done_(from.size(), -1) {}

  ExprId operator()(ExprId id) {
    ExprId& done = done_[static_cast<std::size_t>(id)];
    if (done < 0) {
      const ExprId made = make(from_[id]);
      done_[static_cast<std::size_t>(id)] = made;
      return made;
    }
    return done;
  }

 private:
  ExprId make(const ExprNode& node) {
    switch (node.primitive) {
      case Primitive::input:
        return to_.input(node.index, node.type);
      case Primitive::scalar:
        return to_.scalar(node.index, node.type);
      case Primitive::constant:
        return to_.constant(node.value, node.type);
      default:
        break;
    }
    ExprId operands[3] = {-1, -1, -1};
    const int arity = info(node.primitive).arity;
    for (int i = 0; i < arity; ++i) operands[i] = (*this)(node.operands[i]);
    if (const ExprId shorter = shortened(node, operands); shorter >= 0) return shorter;
    return to_.add(node.primitive, {operands, static_cast<std::size_t>(arity)});
  }

  bool is(ExprId id, double value) const { return isConstant(to_, id, value); }
  ExprId negative(ExprId a) { return to_.add(Primitive::neg, {&a, 1}); }

  /// The truth value at a node, if it follows from constants.
  std::optional<bool> known(ExprId id) const {
    const ExprNode& node = to_[id];
    const auto side = [&](int i) { return known(node.operands[i]); };
    switch (node.primitive) {
      case Primitive::logicalAnd:
        if (side(0) == false || side(1) == false) return false;
        return std::nullopt;
      case Primitive::logicalOr:
        if (side(0) == true || side(1) == true) return true;
        return std::nullopt;
      default:
        break;
    }
    if (!info(node.primitive).truthResult || info(node.primitive).arity != 2) return std::nullopt;
    if (!isConstant(to_, node.operands[0]) || !isConstant(to_, node.operands[1]))
      return std::nullopt;
    const double x = to_[node.operands[0]].value, y = to_[node.operands[1]].value;
    switch (node.primitive) {
      case Primitive::lt:
        return x < y;
      case Primitive::le:
        return x <= y;
      case Primitive::gt:
        return x > y;
      case Primitive::ge:
        return x >= y;
      case Primitive::eq:
        return x == y;
      case Primitive::ne:
        return x != y;
      default:
        return std::nullopt;
    }
  }
  bool knownAs(ExprId id, bool value) const { return known(id) == value; }

  /// -1: it stays as it is.
  ExprId shortened(const ExprNode& node, const ExprId* operands) {
    const ExprId a = operands[0], b = operands[1], c = operands[2];
    const bool constants = isConstant(to_, a) && (b < 0 || isConstant(to_, b));
    const double x = to_[a].value, y = b < 0 ? 0 : to_[b].value;
    switch (node.primitive) {
      case Primitive::add:
        if (constants) return to_.constant(x + y, node.type);
        return is(a, 0) ? b : is(b, 0) ? a : -1;
      case Primitive::sub:
        if (constants) return to_.constant(x - y, node.type);
        return is(b, 0) ? a : is(a, 0) ? negative(b) : -1;
      case Primitive::mul:
        if (constants) return to_.constant(x * y, node.type);
        if (is(a, 0) || is(b, 1)) return a;
        if (is(b, 0) || is(a, 1)) return b;
        return is(a, -1) ? negative(b) : is(b, -1) ? negative(a) : -1;
      case Primitive::div:
        if (constants) return to_.constant(x / y, node.type);
        return is(b, 1) || is(a, 0) ? a : -1;
      case Primitive::neg:
        return constants ? to_.constant(-x, node.type) : -1;
      case Primitive::max:
        return constants ? to_.constant(std::max(x, y), node.type) : -1;
      case Primitive::sqrt:
        return constants ? to_.constant(std::sqrt(x), node.type) : -1;
      case Primitive::log:
        return constants ? to_.constant(std::log(x), node.type) : -1;
      case Primitive::logicalAnd:
        return knownAs(a, true) ? b : knownAs(b, true) ? a : -1;
      case Primitive::logicalOr:
        return knownAs(a, false) ? b : knownAs(b, false) ? a : -1;
      case Primitive::select:
        if (b == c || knownAs(a, true)) return b;
        return knownAs(a, false) ? c : -1;
      case Primitive::toNumber:
        return to_[a].isTruth() ? -1 : a;
      case Primitive::fma: {
        if (!is(a, 0) && !is(b, 0)) return -1;
        return c;
      }
      default:
        return -1;
    }
  }

  const ExprGraph& from_;
  ExprGraph& to_;
  std::vector<ExprId> done_;
};

/// The derivative of a formula in one direction: what an operand's gradient is multiplied by, with
/// the result's gradient already multiplied in. Going forward keeps choices choices: what is not
/// chosen has no part in the gradient, not even as 0 times infinity.
class Differential {
 public:
  Differential(ExprGraph& graph, ExprId root, Expr result, ExprId wanted, Expr gradient)
      : graph_(graph),
        root_(root),
        result_(result),
        wanted_(wanted),
        gradient_(gradient),
        depends_(static_cast<std::size_t>(root) + 1) {
    for (ExprId id = 0; id <= root; ++id) {
      bool depends = id == wanted;
      const ExprNode& node = graph_[id];
      for (int i = 0; i < info(node.primitive).arity; ++i)
        depends |= depends_[static_cast<std::size_t>(node.operands[i])];
      depends_[static_cast<std::size_t>(id)] = depends && !info(node.primitive).truthResult;
    }
  }

  Expr run() { return of(root_); }

 private:
  Expr expr(ExprId id) const { return {&graph_, id}; }
  Expr zero() const { return {&graph_, graph_.constant(0)}; }
  bool depends(ExprId id) const { return depends_[static_cast<std::size_t>(id)]; }

  Expr of(ExprId id) {
    if (id == wanted_) return gradient_;
    if (!depends(id)) return zero();
    const ExprNode node = graph_[id];  // a copy: the graph grows
    return rule(node, id == root_ ? result_ : expr(id));
  }

  /// r: the node's value; those that name it save it, as PyTorch does.
  Expr rule(const ExprNode& node, Expr r) {
    const auto operand = [&](int i) { return expr(node.operands[i]); };
    const auto d = [&](int i) { return of(node.operands[i]); };
    const auto has = [&](int i) { return depends(node.operands[i]); };
    const Expr a = operand(0);
    switch (node.primitive) {
      case Primitive::add:
        return d(0) + d(1);
      case Primitive::sub:
        return d(0) - d(1);
      case Primitive::mul:
        return d(0) * operand(1) + a * d(1);
      case Primitive::div: {
        const Expr b = operand(1);
        const Expr above = has(0) ? d(0) / b : zero();
        return has(1) ? above - d(1) * (a / b / b) : above;
      }
      case Primitive::fma:
        return d(0) * operand(1) + a * d(1) + d(2);
      case Primitive::neg:
        return -d(0);
      case Primitive::abs:
        return d(0) * (toNumber(a > 0) - toNumber(a < 0));
      case Primitive::sqrt:
        return d(0) / (r * 2);
      case Primitive::fmod:
        return has(1) ? d(0) - d(1) * trunc(a / operand(1)) : d(0);
      case Primitive::exp:
        return d(0) * r;
      case Primitive::exp2:
        return d(0) * r * kNaturalLog2;
      case Primitive::expm1:
        return d(0) * (r + 1);
      case Primitive::log:
        return d(0) / a;
      case Primitive::log2:
        return d(0) / (a * kNaturalLog2);
      case Primitive::log10:
        return d(0) / (a * kNaturalLog10);
      case Primitive::log1p:
        return d(0) / (a + 1);
      case Primitive::pow: {
        const Expr b = operand(1);
        Expr sum = zero();
        if (has(0)) {
          const Expr slope = d(0) * (b * pow(a, b - 1));
          const bool fixed = isConstant(graph_, b.id);
          sum = !fixed ? select(b == 0, 0, slope) : graph_[b.id].value == 0 ? zero() : slope;
        }
        if (has(1)) sum = sum + d(1) * select(a == 0 && b >= 0, 0, r * log(a));
        return sum;
      }
      case Primitive::sin:
        return d(0) * cos(a);
      case Primitive::cos:
        return d(0) * -sin(a);
      case Primitive::tan:
        return d(0) * (r * r + 1);
      case Primitive::asin:
        return d(0) * (1 / sqrt(1 - a * a));
      case Primitive::acos:
        return d(0) * -(1 / sqrt(1 - a * a));
      case Primitive::atan:
        return d(0) / (a * a + 1);
      case Primitive::atan2: {
        const Expr b = operand(1);
        const Expr squares = a * a + b * b;
        const Expr shared = select(squares == 0, 0, 1 / squares);
        return d(0) * (b * shared) - d(1) * (a * shared);
      }
      case Primitive::sinh:
        return d(0) * cosh(a);
      case Primitive::cosh:
        return d(0) * sinh(a);
      case Primitive::tanh:
        return d(0) * (1 - r * r);
      case Primitive::asinh:
        return d(0) * (1 / sqrt(a * a + 1));
      case Primitive::acosh:
        return d(0) * (1 / sqrt(a * a - 1));
      case Primitive::atanh:
        return d(0) / (1 - a * a);
      case Primitive::erf:
        return d(0) * (exp(-(a * a)) * kTwoOverRootPi);
      case Primitive::erfc:
        return d(0) * (exp(-(a * a)) * -kTwoOverRootPi);
      case Primitive::max:
        return chosen(node, operand(0) < operand(1));
      case Primitive::min:
        return chosen(node, operand(0) > operand(1));
      case Primitive::copysign:
        return select(a == 0, 0, d(0) * (r / a));
      case Primitive::select:
        return select(a, d(1), d(2));
      case Primitive::convert:
      case Primitive::narrow:
        return d(0);
      default:  // steps: their derivative is 0 where they have one
        return zero();
    }
  }

  /// The gradient of max or min; equal operands share.
  Expr chosen(const ExprNode& node, Expr second) {
    const Expr a = expr(node.operands[0]), b = expr(node.operands[1]);
    const Expr da = of(node.operands[0]), db = of(node.operands[1]);
    return select(second, db, select(a == b, (da + db) * 0.5, da));
  }

  ExprGraph& graph_;
  ExprId root_;
  Expr result_;
  ExprId wanted_;
  Expr gradient_;
  std::vector<bool> depends_;
};

}  // namespace

OpDerivative derivativeOf(const OpRow& row, std::span<const DerivedOperand> operands,
                          std::span<const double> parameters, const std::vector<bool>& wanted,
                          std::optional<double> seed) {
  ExprGraph graph;
  std::vector<Expr> x, constants;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const DerivedOperand& operand = operands[i];
    const TypeClass type = operand.truth ? TypeClass::truth : TypeClass::float32;
    x.push_back({&graph, operand.number ? graph.constant(*operand.number)
                                        : graph.input(static_cast<int>(i), type)});
  }
  for (const double parameter : parameters)
    constants.push_back({&graph, graph.constant(parameter)});
  const Expr result{&graph, graph.input(OpDerivative::resultInput(row.arity))};
  const Expr gradient{
      &graph, seed ? graph.constant(*seed) : graph.input(OpDerivative::gradientInput(row.arity))};
  const Args args(x, constants);
  const Expr meaning = row.derivative ? gradient : row.meaning(args);
  OpDerivative made;
  std::vector<ExprId> found;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ExprId id = -1;
    if (wanted[i])
      id = row.derivative ? row.derivative({args, result, gradient, static_cast<int>(i)}).id
                          : Differential(graph, meaning.id, result, x[i].id, gradient).run().id;
    found.push_back(id);
  }
  Simplifier simplify(graph, made.graph);
  for (const ExprId id : found) {
    const ExprId simple = id < 0 ? -1 : simplify(id);
    made.gradients.push_back(simple >= 0 && isConstant(made.graph, simple, 0) ? -1 : simple);
  }
  return made;
}

namespace {

bool reads(const ExprGraph& graph, ExprId formula, ExprId leaf) {
  if (formula == leaf) return true;
  const ExprNode& node = graph[formula];
  for (int i = 0; i < info(node.primitive).arity; ++i)
    if (reads(graph, node.operands[i], leaf)) return true;
  return false;
}

/// The gradient of the accumulated value, x; the auxiliaries are added to `made` first.
Expr throughAccumulator(Accumulate kind, Expr x, Expr result, Expr gradient, double count,
                        ReductionDerivative& made) {
  ExprGraph& graph = *x.graph;
  const auto auxiliary = [&](Auxiliary by, Expr mapped) {
    made.auxiliaries.push_back({by, mapped.id});
    return Expr{&graph, graph.input(ReductionDerivative::kAuxiliary +
                                    static_cast<int>(made.auxiliaries.size()) - 1)};
  };
  const Expr one = constant(gradient, 1);
  switch (kind) {
    case Accumulate::sum:
      return gradient;
    case Accumulate::sumOfNumbers: {
      // The rule for `finish` counted all elements as numbers.
      const Expr numbers = auxiliary(Auxiliary::sum, select(x != x, 0, one));
      return select(x != x, 0, gradient * count / numbers);
    }
    case Accumulate::prod: {
      // Where a factor is 0, the product of the others: 0 if there is another 0.
      const Expr isZero = x == 0;
      const Expr zeros = auxiliary(Auxiliary::sum, select(isZero, one, 0));
      const Expr others = auxiliary(Auxiliary::product, select(isZero, 1, x));
      return gradient * select(zeros == 0, result / x, select(isZero && zeros == 1, others, 0));
    }
    case Accumulate::max:
    case Accumulate::min: {
      const Expr equals = auxiliary(Auxiliary::sum, select(x == result, one, 0));
      return select(x == result, gradient / equals, 0);
    }
    case Accumulate::squaredDeviations: {
      const Expr mean = auxiliary(Auxiliary::sum, x) / count;
      return gradient * 2 * (x - mean);
    }
    case Accumulate::argmax:
    case Accumulate::any:
    case Accumulate::all:
      break;
  }
  return {&graph, graph.constant(0)};
}

}  // namespace

ReductionDerivative derivativeOf(const OpRow& row, std::span<const double> parameters, double count,
                                 std::optional<double> seed) {
  using Made = ReductionDerivative;
  ExprGraph graph;
  Made made;
  std::vector<Expr> constants;
  for (const double parameter : parameters)
    constants.push_back({&graph, graph.constant(parameter)});
  const Expr x{&graph, graph.input(Made::kElement)}, result{&graph, graph.input(Made::kResult)};
  Expr gradient{&graph, seed ? graph.constant(*seed) : graph.input(Made::kGradient)};
  const Args args({&x, 1}, constants);
  Expr flow = gradient;
  if (row.derivative) {
    flow = row.derivative({args, result, gradient, 0});
  } else {
    if (row.finish) {
      // What is accumulated is not kept: a formula that needs it is not one for this rule.
      const Expr accumulated{&graph, graph.input(Made::kAuxiliary + 7)};
      const Expr finished = row.finish(accumulated, constant(x, count), Args({}, constants));
      const Expr steep = Differential(graph, finished.id, result, accumulated.id, gradient).run();
      // A slope that depends on the result is that of a root, which is endless at 0: PyTorch's is
      // 0.
      gradient = reads(graph, steep.id, result.id) ? select(result == 0, 0, steep) : steep;
    }
    const Expr mapped = row.meaning ? row.meaning(args) : x;
    flow = throughAccumulator(row.accumulate, mapped, result, gradient, count, made);
    if (row.meaning) flow = Differential(graph, mapped.id, mapped, x.id, flow).run();
  }
  Simplifier simplify(graph, made.graph);
  for (Made::Reduced& each : made.auxiliaries) each.mapped = simplify(each.mapped);
  made.gradient = simplify(flow.id);
  return made;
}

bool derivativeCounts(const OpRow& row) {
  return !row.derivative && (row.finish || row.accumulate == Accumulate::squaredDeviations);
}

}  // namespace fusebench
