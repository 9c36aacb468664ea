// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "engine/ops/derivatives.h"

namespace fusebench {
namespace {

/// A row's formula, to be found in others. Operands are inputs, parameters scalars.
struct Pattern {
  const OpRow* row = nullptr;
  ExprGraph graph;
  ExprId root = -1;
  std::size_t size = 0;  ///< primitives in it
};

bool isLeafNode(const ExprNode& node) {
  return info(node.primitive).arity == 0;
}

/// Adds the formula for number operands, or for truth-value operands, apart from those that must be
/// truth values in both.
void addPattern(const OpRow& row, bool truth, std::vector<Pattern>& patterns) {
  Pattern pattern;
  pattern.row = &row;
  std::vector<Expr> operands, parameters;
  for (int i = 0; i < row.arity; ++i) {
    const bool kept = truth || ((row.truthOperands >> i) & 1u);
    operands.push_back(
        {&pattern.graph, pattern.graph.input(i, kept ? TypeClass::truth : TypeClass::float32)});
  }
  for (std::size_t p = 0; p < row.parameters.size(); ++p)
    parameters.push_back({&pattern.graph, pattern.graph.scalar(static_cast<int>(p))});
  pattern.root = row.meaning(Args(operands, parameters)).id;
  for (const ExprNode& node : pattern.graph.nodes()) pattern.size += !isLeafNode(node);
  if (pattern.size > 0 && !isLeafNode(pattern.graph[pattern.root]))
    patterns.push_back(std::move(pattern));
}

std::vector<Pattern> makePatterns() {
  std::vector<Pattern> patterns;
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || !row.meaning || row.places != IndexInputs::none ||
        row.takes == AcceptedTypes::whole || row.takes == AcceptedTypes::integers ||
        row.result == ResultType::cast || row.result == ResultType::index)
      continue;
    const bool numbers = std::ranges::all_of(row.parameters, [](const Parameter& parameter) {
      return parameter.kind == Parameter::Kind::number;
    });
    if (!numbers) continue;
    addPattern(row, false, patterns);
    if (row.result == ResultType::truth && row.truthOperands == 0) addPattern(row, true, patterns);
  }
  std::ranges::stable_sort(patterns, std::ranges::greater(), &Pattern::size);
  return patterns;
}

bool commutes(Primitive primitive) {
  switch (primitive) {
    case Primitive::add:
    case Primitive::mul:
    case Primitive::eq:
    case Primitive::ne:
    case Primitive::logicalAnd:
    case Primitive::logicalOr:
      return true;
    default:
      return false;
  }
}

/// Whether a pattern's formula matches at a node, and with which operands.
class Match {
 public:
  Match(const Pattern& pattern, const ExprGraph& graph) : pattern_(pattern), graph_(graph) {
    bound_.operands.fill(-1);
    bound_.parameters.fill(-1);
  }

  bool at(ExprId node) { return match(pattern_.root, node) && complete(); }

  Tile tile() const {
    const OpRow& row = *pattern_.row;
    Tile tile{&row, {}, {}};
    for (int i = 0; i < row.arity; ++i)
      tile.operands.push_back(bound_.operands[static_cast<std::size_t>(i)]);
    std::size_t p = 0;
    for (const Parameter& parameter : row.parameters) {
      const ExprId bound = bound_.parameters[p++];
      tile.parameters.push_back(bound < 0 ? parameter.fallback : graph_[bound].value);
    }
    return tile;
  }

 private:
  struct Bound {
    std::array<ExprId, kMostOperands> operands;
    std::array<ExprId, kMostParameters> parameters;
  };

  static bool bind(ExprId& place, ExprId node) {
    if (place >= 0) return place == node;
    place = node;
    return true;
  }

  bool match(ExprId patternId, ExprId id) {
    const ExprNode& wanted = pattern_.graph[patternId];
    const ExprNode& node = graph_[id];
    switch (wanted.primitive) {
      case Primitive::input:
        return wanted.isTruth() == node.isTruth() &&
               bind(bound_.operands[static_cast<std::size_t>(wanted.index)], id);
      case Primitive::scalar:
        return node.primitive == Primitive::constant &&
               bind(bound_.parameters[static_cast<std::size_t>(wanted.index)], id);
      case Primitive::constant:
        return node.primitive == Primitive::constant && node.value == wanted.value;
      default:
        break;
    }
    if (wanted.primitive != node.primitive) return false;
    const Bound before = bound_;
    if (operands(wanted, node, false)) return true;
    bound_ = before;
    return commutes(wanted.primitive) && operands(wanted, node, true);
  }

  bool operands(const ExprNode& wanted, const ExprNode& node, bool swapped) {
    const int arity = info(wanted.primitive).arity;
    for (int i = 0; i < arity; ++i)
      if (!match(wanted.operands[i], node.operands[swapped ? 1 - i : i])) return false;
    return true;
  }

  /// Whether each operand is there and may be what it is: a number only where PyTorch takes one.
  bool complete() const {
    const OpRow& row = *pattern_.row;
    bool tensor = false;
    for (int i = 0; i < row.arity; ++i) {
      const ExprId operand = bound_.operands[static_cast<std::size_t>(i)];
      if (operand < 0) return false;
      const bool number = graph_[operand].primitive == Primitive::constant;
      if (number && !((row.numberOperands >> i) & 1u)) return false;
      tensor |= !number;
    }
    std::size_t p = 0;
    for (const Parameter& parameter : row.parameters) {
      const ExprId bound = bound_.parameters[p++];
      if (bound < 0) continue;
      const double value = graph_[bound].value;
      if (value < parameter.low || value > parameter.high) return false;
    }
    return tensor;
  }

  const Pattern& pattern_;
  const ExprGraph& graph_;
  Bound bound_{};
};

}  // namespace

Tile tileOf(const ExprGraph& graph, ExprId node) {
  static const std::vector<Pattern> patterns = makePatterns();
  for (const Pattern& pattern : patterns) {
    Match match(pattern, graph);
    if (match.at(node)) return match.tile();
  }
  throw std::logic_error("no op computes " + std::string(info(graph[node].primitive).name) +
                         " in a derivative");
}

}  // namespace fusebench
