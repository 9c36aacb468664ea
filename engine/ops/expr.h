// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// The operations that a backend implements. Op rows are written in these, and so is everything
/// that interprets an op: code generators, the double reference, the readable form of a kernel.
/// IEEE semantics throughout: NaN in, NaN out; signed zeros and infinities as in C's math library.
enum class Primitive : std::uint8_t {
  // leaves
  input,     ///< element of the kernel's input number `index`
  scalar,    ///< run-time number `index`, the same for every element
  constant,  ///< `value`, rounded to the compute type by a backend
  // arithmetic
  add,
  sub,
  mul,
  div,
  fma,  ///< a * b + c, rounded once
  neg,
  abs,
  sqrt,
  fmod,  ///< C's fmod: sign of the dividend, exact
  // exponentials and logarithms
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  pow,
  // trigonometric, radians
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  // hyperbolic
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  erfc,
  // rounding to an integral value; round is half to even
  floor,
  ceil,
  trunc,
  round,
  // NaN if either operand is NaN
  min,
  max,
  copysign,  ///< magnitude of a, sign of b
  // comparisons: number, number -> truth; false with NaN, except ne
  lt,
  le,
  gt,
  ge,
  eq,
  ne,
  // truth -> truth
  logicalAnd,
  logicalOr,
  logicalNot,
  select,    ///< truth a ? b : c; b and c of one type
  toNumber,  ///< truth -> 1 or 0
  toTruth,   ///< number -> a != 0 (NaN is true)
};

struct PrimitiveInfo {
  std::string_view name;  ///< as printed in a kernel's readable form
  int arity;
  bool truthResult;  ///< yields a truth value rather than a number (select: as its branches)
};
const PrimitiveInfo& info(Primitive primitive);

using ExprId = std::int32_t;

struct ExprNode {
  Primitive primitive;
  bool truth;              ///< the value is a truth value, not a number
  std::int32_t index = 0;  ///< of an input or scalar leaf
  double value = 0;        ///< of a constant leaf
  ExprId operands[3] = {-1, -1, -1};

  friend bool operator==(const ExprNode&, const ExprNode&) = default;
};

/// Expressions over elements, stored in order of definition: operands come before their users.
/// Equal nodes are shared, so common subexpressions are computed once; that changes no bit.
class ExprGraph {
 public:
  ExprId add(Primitive primitive, std::span<const ExprId> operands);
  ExprId input(int index, bool truth = false);
  ExprId scalar(int index);
  ExprId constant(double value);

  const ExprNode& operator[](ExprId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  std::span<const ExprNode> nodes() const { return nodes_; }
  std::size_t size() const { return nodes_.size(); }

 private:
  ExprId intern(const ExprNode& node);
  std::vector<ExprNode> nodes_;
  std::vector<std::pair<std::uint64_t, ExprId>> index_;  // open-addressed hash of nodes_
};

/// A handle that lets an op's meaning be written as a formula: `1 / sqrt(x[0])`.
/// Truth values convert to numbers (1 or 0) where a number is needed, and numbers to truth values
/// (not equal to 0) where a truth value is needed, as PyTorch's type promotion does for bool.
struct Expr {
  ExprGraph* graph = nullptr;
  ExprId id = -1;
  bool isTruth() const { return (*graph)[id].truth; }
};

/// What a meaning function gets: tensor operands and parameters, all as expressions.
class Args {
 public:
  Args(std::span<const Expr> operands, std::span<const Expr> parameters)
      : operands_(operands), parameters_(parameters) {}
  Expr operator[](int i) const { return operands_[static_cast<std::size_t>(i)]; }
  Expr parameter(int i) const { return parameters_[static_cast<std::size_t>(i)]; }

 private:
  std::span<const Expr> operands_, parameters_;
};

Expr apply(Primitive primitive, Expr a);
Expr apply(Primitive primitive, Expr a, Expr b);
Expr apply(Primitive primitive, Expr a, Expr b, Expr c);
Expr constant(Expr sibling, double value);  ///< a constant in the sibling's graph

}  // namespace fusebench
