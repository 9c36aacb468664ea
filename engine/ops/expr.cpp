// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/expr.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace fusebench {
namespace {

constexpr std::array<PrimitiveInfo, 54> kInfos = {{
    {"input", 0, false},  {"scalar", 0, false},   {"constant", 0, false}, {"add", 2, false},
    {"sub", 2, false},    {"mul", 2, false},      {"div", 2, false},      {"fma", 3, false},
    {"neg", 1, false},    {"abs", 1, false},      {"sqrt", 1, false},     {"fmod", 2, false},
    {"exp", 1, false},    {"exp2", 1, false},     {"expm1", 1, false},    {"log", 1, false},
    {"log2", 1, false},   {"log10", 1, false},    {"log1p", 1, false},    {"pow", 2, false},
    {"sin", 1, false},    {"cos", 1, false},      {"tan", 1, false},      {"asin", 1, false},
    {"acos", 1, false},   {"atan", 1, false},     {"atan2", 2, false},    {"sinh", 1, false},
    {"cosh", 1, false},   {"tanh", 1, false},     {"asinh", 1, false},    {"acosh", 1, false},
    {"atanh", 1, false},  {"erf", 1, false},      {"erfc", 1, false},     {"floor", 1, false},
    {"ceil", 1, false},   {"trunc", 1, false},    {"round", 1, false},    {"min", 2, false},
    {"max", 2, false},    {"copysign", 2, false}, {"lt", 2, true},        {"le", 2, true},
    {"gt", 2, true},      {"ge", 2, true},        {"eq", 2, true},        {"ne", 2, true},
    {"and", 2, true},     {"or", 2, true},        {"not", 1, true},       {"select", 3, false},
    {"number", 1, false}, {"truth", 1, true},
}};
static_assert(kInfos.size() == static_cast<std::size_t>(Primitive::toTruth) + 1);

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdu;
}

std::uint64_t hash(const ExprNode& n) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(n.primitive), n.truth);
  h = mix(h, static_cast<std::uint64_t>(n.index));
  h = mix(h, std::bit_cast<std::uint64_t>(n.value));
  for (ExprId o : n.operands) h = mix(h, static_cast<std::uint64_t>(o));
  return h;
}

/// Equality of bits: 0.0 and -0.0 are different constants, and NaN equals itself.
bool same(const ExprNode& a, const ExprNode& b) {
  return a.primitive == b.primitive && a.truth == b.truth && a.index == b.index &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) &&
         a.operands[0] == b.operands[0] && a.operands[1] == b.operands[1] &&
         a.operands[2] == b.operands[2];
}

bool wantsTruth(Primitive primitive, int operand) {
  switch (primitive) {
    case Primitive::logicalAnd:
    case Primitive::logicalOr:
    case Primitive::logicalNot:
    case Primitive::toNumber:
      return true;
    case Primitive::select:
      return operand == 0;
    default:
      return false;
  }
}

}  // namespace

const PrimitiveInfo& info(Primitive primitive) {
  return kInfos[static_cast<std::size_t>(primitive)];
}

ExprId ExprGraph::intern(const ExprNode& node) {
  if (index_.size() < 2 * (nodes_.size() + 1)) {
    std::vector<std::pair<std::uint64_t, ExprId>> grown(
        std::bit_ceil(std::max<std::size_t>(16, 4 * nodes_.size())), {0, -1});
    for (const auto& entry : index_) {
      if (entry.second < 0) continue;
      std::size_t at = entry.first & (grown.size() - 1);
      while (grown[at].second >= 0) at = (at + 1) & (grown.size() - 1);
      grown[at] = entry;
    }
    index_ = std::move(grown);
  }
  const std::uint64_t h = hash(node);
  std::size_t at = h & (index_.size() - 1);
  while (index_[at].second >= 0) {
    if (index_[at].first == h && same((*this)[index_[at].second], node)) return index_[at].second;
    at = (at + 1) & (index_.size() - 1);
  }
  const ExprId id = static_cast<ExprId>(nodes_.size());
  nodes_.push_back(node);
  index_[at] = {h, id};
  return id;
}

ExprId ExprGraph::add(Primitive primitive, std::span<const ExprId> operands) {
  if (static_cast<int>(operands.size()) != info(primitive).arity)
    throw std::logic_error(std::string("primitive ") + std::string(info(primitive).name) +
                           ": wrong number of operands");
  ExprNode node{primitive, info(primitive).truthResult};
  const bool truthSelect =
      primitive == Primitive::select && (*this)[operands[1]].truth && (*this)[operands[2]].truth;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ExprId operand = operands[i];
    const bool want = wantsTruth(primitive, static_cast<int>(i)) || (i > 0 && truthSelect);
    const bool is = (*this)[operand].truth;
    if (is && !want && primitive != Primitive::toTruth)
      operand = add(Primitive::toNumber, {{operand}});
    if (!is && want) operand = add(Primitive::toTruth, {{operand}});
    if (is && primitive == Primitive::toTruth) return operand;
    node.operands[i] = operand;
  }
  if (truthSelect) node.truth = true;
  return intern(node);
}

ExprId ExprGraph::input(int index, bool truth) {
  ExprNode node{Primitive::input, truth};
  node.index = index;
  return intern(node);
}

ExprId ExprGraph::scalar(int index) {
  ExprNode node{Primitive::scalar, false};
  node.index = index;
  return intern(node);
}

ExprId ExprGraph::constant(double value) {
  ExprNode node{Primitive::constant, false};
  node.value = value;
  return intern(node);
}

Expr apply(Primitive primitive, Expr a) {
  return {a.graph, a.graph->add(primitive, {{a.id}})};
}

Expr apply(Primitive primitive, Expr a, Expr b) {
  return {a.graph, a.graph->add(primitive, {{a.id, b.id}})};
}

Expr apply(Primitive primitive, Expr a, Expr b, Expr c) {
  return {a.graph, a.graph->add(primitive, {{a.id, b.id, c.id}})};
}

Expr constant(Expr sibling, double value) {
  return {sibling.graph, sibling.graph->constant(value)};
}

}  // namespace fusebench
