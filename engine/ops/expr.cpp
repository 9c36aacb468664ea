// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/expr.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "engine/base/scalar.h"

namespace fusebench {
namespace {

constexpr std::array<PrimitiveInfo, kPrimitives> kInfos = {{
    {"input", 0, false},       {"scalar", 0, false},      {"constant", 0, false},
    {"carried", 0, false},     {"add", 2, false},         {"sub", 2, false},
    {"mul", 2, false},         {"div", 2, false},         {"fma", 3, false},
    {"neg", 1, false},         {"abs", 1, false},         {"sqrt", 1, false},
    {"fmod", 2, false, true},  {"exp", 1, false, true},   {"exp2", 1, false, true},
    {"expm1", 1, false, true}, {"log", 1, false, true},   {"log2", 1, false, true},
    {"log10", 1, false, true}, {"log1p", 1, false, true}, {"pow", 2, false, true},
    {"sin", 1, false, true},   {"cos", 1, false, true},   {"tan", 1, false, true},
    {"asin", 1, false, true},  {"acos", 1, false, true},  {"atan", 1, false, true},
    {"atan2", 2, false, true}, {"sinh", 1, false, true},  {"cosh", 1, false, true},
    {"tanh", 1, false, true},  {"asinh", 1, false, true}, {"acosh", 1, false, true},
    {"atanh", 1, false, true}, {"erf", 1, false, true},   {"erfc", 1, false, true},
    {"floor", 1, false},       {"ceil", 1, false},        {"trunc", 1, false},
    {"round", 1, false},       {"min", 2, false},         {"max", 2, false},
    {"copysign", 2, false},    {"lt", 2, true},           {"le", 2, true},
    {"gt", 2, true},           {"ge", 2, true},           {"eq", 2, true},
    {"ne", 2, true},           {"and", 2, true},          {"or", 2, true},
    {"not", 1, true},          {"select", 3, false},      {"number", 1, false},
    {"truth", 1, true},        {"bit_and", 2, false},     {"bit_or", 2, false},
    {"bit_xor", 2, false},     {"bit_not", 1, false},     {"shift_left", 2, false},
    {"shift_right", 2, false}, {"convert", 1, false},     {"narrow", 1, false},
    {"at", 1, false},
}};
static_assert(kInfos.back().arity == 1);

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdu;
}

std::uint64_t hash(const ExprNode& n) {
  std::uint64_t h =
      mix(static_cast<std::uint64_t>(n.primitive), static_cast<std::uint64_t>(n.type));
  h = mix(h, static_cast<std::uint64_t>(n.index));
  h = mix(h, std::bit_cast<std::uint64_t>(n.value));
  for (ExprId o : n.operands) h = mix(h, static_cast<std::uint64_t>(o));
  if (n.whole != 0) h = mix(h, static_cast<std::uint64_t>(n.whole));
  return h;
}

/// Equality of bits: 0.0 and -0.0 are different constants, and NaN equals itself.
bool same(const ExprNode& a, const ExprNode& b) {
  return a.primitive == b.primitive && a.type == b.type && a.index == b.index &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) &&
         a.operands[0] == b.operands[0] && a.operands[1] == b.operands[1] &&
         a.operands[2] == b.operands[2] && a.whole == b.whole;
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

/// The logical primitive that a bitwise one is for truth values.
Primitive logicalOf(Primitive primitive) {
  switch (primitive) {
    case Primitive::bitAnd:
      return Primitive::logicalAnd;
    case Primitive::bitOr:
      return Primitive::logicalOr;
    case Primitive::bitNot:
      return Primitive::logicalNot;
    default:
      return primitive;
  }
}
/// Whether it stays among truth values if all its operands are.
bool takesTruths(Primitive primitive) {
  return primitive == Primitive::select || logicalOf(primitive) != primitive;
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

namespace {

/// Whole numbers are what these would make of them.
bool isRounding(Primitive primitive) {
  return primitive >= Primitive::floor && primitive <= Primitive::round;
}
/// Needs a float, whatever the operands are.
bool isForFloats(Primitive primitive) {
  return (primitive >= Primitive::exp && primitive <= Primitive::erfc &&
          primitive != Primitive::pow) ||
         primitive == Primitive::sqrt || primitive == Primitive::copysign;
}

}  // namespace

ExprId ExprGraph::add(Primitive primitive, std::span<const ExprId> operands) {
  if (static_cast<int>(operands.size()) != info(primitive).arity)
    throw std::logic_error(std::string("primitive ") + std::string(info(primitive).name) +
                           ": wrong number of operands");
  // What the numbers among the operands are computed in: the latest of their classes.
  TypeClass type = isForFloats(primitive) ? TypeClass::float32 : TypeClass::truth;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (!wantsTruth(primitive, static_cast<int>(i)))
      type = std::max(type, (*this)[operands[i]].type);
  const bool allTruth = type == TypeClass::truth;
  const bool ofTruths = allTruth && takesTruths(primitive);
  if (allTruth) type = TypeClass::float32;
  if (primitive == Primitive::toTruth && allTruth) return operands[0];
  if (isInteger(type) && isRounding(primitive)) return operands[0];
  if (isInteger(type) && primitive == Primitive::fma) {
    const ExprId product = add(Primitive::mul, operands.first(2));
    return add(Primitive::add, {{product, operands[2]}});
  }
  if (ofTruths && primitive != Primitive::select) return add(logicalOf(primitive), operands);
  ExprNode node{primitive};
  node.type = info(primitive).truthResult || ofTruths ? TypeClass::truth : type;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool truth =
        wantsTruth(primitive, static_cast<int>(i)) || (ofTruths && primitive == Primitive::select);
    node.operands[i] = converted(operands[i], truth ? TypeClass::truth : type);
  }
  return intern(node);
}

ExprId ExprGraph::input(int index, TypeClass type) {
  ExprNode node{Primitive::input, type};
  node.index = index;
  return intern(node);
}

ExprId ExprGraph::scalar(int index, TypeClass type) {
  ExprNode node{Primitive::scalar, type};
  node.index = index;
  return intern(node);
}

ExprId ExprGraph::carried(int index, TypeClass type) {
  ExprNode node{Primitive::carried, type};
  node.index = index;
  return intern(node);
}

ExprId ExprGraph::at(int input, ExprId place, TypeClass type) {
  ExprNode node{Primitive::at, type};
  node.index = input;
  node.operands[0] = converted(place, TypeClass::int64);
  return intern(node);
}

ExprId ExprGraph::constant(double value, TypeClass type) {
  ExprNode node{Primitive::constant, type == TypeClass::truth ? TypeClass::float32 : type};
  node.value = value;
  if (isInteger(type)) {
    // A fraction is cut off, as in x.fill_(1.5) of integers.
    node.whole = saturated(value, type);
    node.value = static_cast<double>(node.whole);
  }
  return intern(node);
}

ExprId ExprGraph::converted(ExprId value, TypeClass type) {
  const ExprNode node = (*this)[value];
  if (node.type == type) return value;
  if (node.primitive == Primitive::constant && type != TypeClass::truth && !isInteger(type))
    return constant(isInteger(node.type) ? static_cast<double>(node.whole) : node.value, type);
  ExprNode made{node.isTruth()             ? Primitive::toNumber
                : type == TypeClass::truth ? Primitive::toTruth
                                           : Primitive::convert,
                type};
  made.operands[0] = value;
  return intern(made);
}

ExprId ExprGraph::stored(ExprId value, DType dtype) {
  value = converted(value, classOf(dtype));
  if (!isRounded(dtype)) return value;
  ExprNode node{Primitive::narrow, TypeClass::float32};
  node.index = static_cast<std::int32_t>(dtype);
  node.operands[0] = value;
  return intern(node);
}

void ExprGraph::readInstead(ExprId id, int input) {
  ExprNode& node = nodes_[static_cast<std::size_t>(id)];
  node = {Primitive::input, node.type};
  node.index = input;
  index_.clear();  // it has the old nodes; adding the next node rebuilds it
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
  return {sibling.graph, sibling.graph->constant(value, sibling.type())};
}

}  // namespace fusebench
