// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/size_expression.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/language/expression_text.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

constexpr int kDeepestWritten = 6;
constexpr int kDeepestFull = 14;

bool isLeaf(SizeKind kind) {
  return kind <= SizeKind::elements;
}

bool isSizeUnary(SizeKind kind) {
  return kind == SizeKind::negative || kind == SizeKind::absolute || kind == SizeKind::toInteger ||
         kind == SizeKind::toFloat || kind == SizeKind::round || kind == SizeKind::function;
}

/// How a node of two operands is written; empty: as a call.
struct SizeSymbol {
  SizeKind kind;
  const char* symbol;
  Tightness tightness;
};
constexpr std::array<SizeSymbol, 11> kSizeSymbols = {{
    {SizeKind::add, "+", kSum},
    {SizeKind::subtract, "-", kSum},
    {SizeKind::multiply, "*", kProduct},
    {SizeKind::trueDivide, "/", kProduct},
    {SizeKind::floorDivide, "//", kProduct},
    {SizeKind::remainder, "%", kProduct},
    {SizeKind::power, "**", kPower},
    {SizeKind::less, "<", kComparison},
    {SizeKind::lessEqual, "<=", kComparison},
    {SizeKind::equal, "==", kComparison},
    {SizeKind::notEqual, "!=", kComparison},
}};

std::string functionName(const SizeNode& node) {
  switch (node.kind) {
    case SizeKind::absolute:
      return "abs";
    case SizeKind::toInteger:
      return "int";
    case SizeKind::toFloat:
      return "float";
    case SizeKind::round:
      return "round";
    case SizeKind::minimum:
      return "min";
    case SizeKind::maximum:
      return "max";
    default:
      return "math." + std::string(sizeFunctions()[static_cast<std::size_t>(node.dim)].name);
  }
}

}  // namespace

SizeExpressions::Key SizeExpressions::keyOf(const SizeNode& node) {
  double number = node.constant.number;
  if (std::isnan(number)) number = std::numeric_limits<double>::max();  // a key must equal itself
  return {node.kind, node.a, node.b, node.value, node.dim, number, node.constant.integer};
}

SizeId SizeExpressions::add(SizeNode node, SourcePlace place) {
  const bool isNumber = node.kind == SizeKind::constant && std::isnan(node.constant.number);
  const Key key = keyOf(node);
  if (const auto found = known_.find(key); !isNumber && found != known_.end()) return found->second;
  if (count() >= kMostSizes)
    failProgram(place, "this needs more than " + std::to_string(kMostSizes) +
                           " different sizes; write the program shorter");
  for (const SizeId below : {node.a, node.b})
    if (below >= 0)
      node.depth = std::max(node.depth, static_cast<std::int16_t>((*this)[below].depth + 1));
  if (node.depth > kDeepestSize)
    failProgram(place, "arithmetic on sizes is nested more than " + std::to_string(kDeepestSize) +
                           " deep here");
  nodes_.push_back(node);
  if (!isNumber) known_.emplace(key, count() - 1);
  return count() - 1;
}

SizeId SizeExpressions::constant(double number, bool integer) {
  SizeNode node;
  node.constant = {number, integer};
  return add(node, {});
}

SizeId SizeExpressions::extent(ValueId value, int dim) {
  SizeNode node;
  node.kind = SizeKind::extent;
  node.value = value;
  node.dim = dim;
  return add(node, {});
}

SizeId SizeExpressions::rank(ValueId value) {
  SizeNode node;
  node.kind = SizeKind::rank;
  node.value = value;
  return add(node, {});
}

SizeId SizeExpressions::elements(ValueId value) {
  SizeNode node;
  node.kind = SizeKind::elements;
  node.value = value;
  return add(node, {});
}

SizeId SizeExpressions::unary(SizeKind kind, SizeId a, SourcePlace place) {
  if (const auto x = known(a)) {
    const SizeNumber folded = pythonArithmetic(kind, *x, {1, true}, 0, place);
    return constant(folded.number, folded.integer);
  }
  SizeNode node;
  node.kind = kind;
  node.a = a;
  return add(node, place);
}

SizeId SizeExpressions::function(int which, SizeId a, SourcePlace place) {
  if (const auto x = known(a)) {
    const SizeNumber folded = pythonArithmetic(SizeKind::function, *x, {1, true}, which, place);
    return constant(folded.number, folded.integer);
  }
  SizeNode node;
  node.kind = SizeKind::function;
  node.a = a;
  node.dim = which;
  return add(node, place);
}

SizeId SizeExpressions::binary(SizeKind kind, SizeId a, SizeId b, SourcePlace place) {
  const auto x = known(a), y = known(b);
  if (x && y) {
    const SizeNumber folded = pythonArithmetic(kind, *x, *y, 0, place);
    return constant(folded.number, folded.integer);
  }
  const auto isInt = [](const std::optional<SizeNumber>& n, double number) {
    return n && n->integer && n->number == number;
  };
  // Operations that change nothing, whatever the other operand is.
  if ((kind == SizeKind::add && isInt(y, 0)) || (kind == SizeKind::subtract && isInt(y, 0)) ||
      (kind == SizeKind::multiply && isInt(y, 1)))
    return a;
  if ((kind == SizeKind::add && isInt(x, 0)) || (kind == SizeKind::multiply && isInt(x, 1)))
    return b;
  SizeNode node;
  node.kind = kind;
  node.a = a;
  node.b = b;
  return add(node, place);
}

std::optional<SizeNumber> SizeExpressions::known(SizeId id) const {
  const SizeNode& node = (*this)[id];
  if (node.kind != SizeKind::constant) return std::nullopt;
  return node.constant;
}

std::vector<SizeLeaf> SizeExpressions::leaves(SizeId id) const {
  std::vector<bool> needed(static_cast<std::size_t>(id) + 1);
  needed[static_cast<std::size_t>(id)] = true;
  for (SizeId i = id; i >= 0; --i) {
    if (!needed[static_cast<std::size_t>(i)]) continue;
    for (const SizeId below : {(*this)[i].a, (*this)[i].b})
      if (below >= 0) needed[static_cast<std::size_t>(below)] = true;
  }
  std::vector<SizeLeaf> found;
  for (SizeId i = 0; i <= id; ++i) {
    const SizeNode& node = (*this)[i];
    if (!needed[static_cast<std::size_t>(i)] || node.value < 0) continue;
    const auto of = node.kind == SizeKind::extent ? SizeLeaf::Of::extent
                    : node.kind == SizeKind::rank ? SizeLeaf::Of::rank
                                                  : SizeLeaf::Of::elements;
    found.push_back({of, node.value, node.dim});
  }
  return found;
}

std::string SizeExpressions::text(SizeId id,
                                  const std::function<std::string(ValueId)>& nameOf) const {
  return written(id, 0, false, nameOf).first;
}

std::string SizeExpressions::fullText(SizeId id,
                                      const std::function<std::string(ValueId)>& nameOf) const {
  return written(id, 0, true, nameOf).first;
}

std::pair<std::string, int> SizeExpressions::written(
    SizeId id, int depth, bool full, const std::function<std::string(ValueId)>& nameOf) const {
  // Nodes are shared, so that a text in full could be exponentially long.
  if (full && depth > kDeepestFull)
    failProgram({}, "arithmetic on sizes is nested too deep here to be written as text");
  if (!full && depth > kDeepestWritten) return {"(...)", kAtom};
  const SizeNode& node = (*this)[id];
  switch (node.kind) {
    case SizeKind::constant:
      return {printedNumber(node.constant.number, node.constant.integer),
              node.constant.number < 0 ? kUnary : kAtom};
    case SizeKind::extent:
      return {nameOf(node.value) + ".shape[" + std::to_string(node.dim) + "]", kAtom};
    case SizeKind::rank:
      return {nameOf(node.value) + ".dim()", kAtom};
    case SizeKind::elements:
      return {nameOf(node.value) + ".numel()", kAtom};
    case SizeKind::negative: {
      const auto [text, tightness] = written(node.a, depth + 1, full, nameOf);
      return {"-" + within({text, static_cast<Tightness>(tightness)}, kUnary), kUnary};
    }
    default:
      break;
  }
  const auto piece = [&](SizeId of) {
    const auto [text, tightness] = written(of, depth + 1, full, nameOf);
    return Piece{text, static_cast<Tightness>(tightness)};
  };
  for (const SizeSymbol& each : kSizeSymbols) {
    if (each.kind != node.kind) continue;
    const Tightness tight = each.tightness;
    const Tightness left = tight == kPower ? kAtom : tight == kComparison ? kSum : tight;
    const Tightness right = tight == kPower ? kUnary : static_cast<Tightness>(tight + 1);
    return {within(piece(node.a), left) + " " + each.symbol + " " + within(piece(node.b), right),
            tight};
  }
  std::string text = functionName(node) + "(" + piece(node.a).text;
  if (node.b >= 0) text += ", " + piece(node.b).text;
  return {text + ")", kAtom};
}

SizeId SizeExpressions::adopt(const SizeExpressions& from, SizeId id,
                              std::map<SizeId, SizeId>& done,
                              const std::function<ValueId(ValueId)>& idOf) {
  if (const auto found = done.find(id); found != done.end()) return found->second;
  SizeNode node = from[id];
  if (node.a >= 0) node.a = adopt(from, node.a, done, idOf);
  if (node.b >= 0) node.b = adopt(from, node.b, done, idOf);
  if (node.value >= 0) node.value = idOf(node.value);
  return done[id] = add(node, {});
}

void SizeExpressions::renumber(const std::function<ValueId(ValueId)>& idOf) {
  known_.clear();
  for (SizeId id = 0; id < count(); ++id) {
    SizeNode& node = nodes_[static_cast<std::size_t>(id)];
    if (node.value >= 0) node.value = idOf(node.value);
    known_.emplace(keyOf(node), id);
  }
}

SizeNumber SizeValues::at(SizeId id, SourcePlace place) {
  known_.resize(static_cast<std::size_t>(sizes_.count()));
  std::optional<SizeNumber>& known = known_[static_cast<std::size_t>(id)];
  if (!known) {
    const SizeNumber found = evaluate(sizes_[id], place);
    known_[static_cast<std::size_t>(id)] = found;
    return found;
  }
  return *known;
}

std::int64_t SizeValues::integer(SizeId id, SourcePlace place) {
  const SizeNumber found = at(id, place);
  if (!found.integer && std::fabs(found.number) > static_cast<double>(kMostPoints))
    failProgram(place,
                "a size of " + printedNumber(found.number, false) + " is larger than any memory");
  if (!found.integer)
    failProgram(place, "a size must be an int, but this is the float " +
                           printedNumber(found.number, false) + "; divide with //");
  return static_cast<std::int64_t>(found.number);
}

SizeNumber SizeValues::evaluate(const SizeNode& node, SourcePlace place) {
  if (node.kind == SizeKind::constant) return node.constant;
  if (isLeaf(node.kind)) {
    const Shape shape = shapeOf_(node.value);
    if (node.kind == SizeKind::rank) return {static_cast<double>(shape.rank()), true};
    if (node.kind == SizeKind::elements) {
      const std::int64_t count = elementCount(shape);
      // Past that a double does not hold every int.
      return {static_cast<double>(count), count <= kMostPoints};
    }
    const int dim = node.dim < 0 ? node.dim + shape.rank() : node.dim;
    if (dim < 0 || dim >= shape.rank())
      failProgram(place, "there is no dimension " + std::to_string(node.dim) + " in shape " +
                             toString(shape));
    return {static_cast<double>(shape[dim]), true};
  }
  const SizeNumber a = at(node.a, place);
  const SizeNumber b = isSizeUnary(node.kind) ? SizeNumber{1, true} : at(node.b, place);
  return pythonArithmetic(node.kind, a, b, node.dim, place);
}

}  // namespace fusebench
