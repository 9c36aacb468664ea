// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/dtype.h"

namespace fusebench {

/// The operations that a backend implements. Op rows are written in terms of these, and so is
/// everything that interprets an op: code generators, the reference, the readable form of a kernel.
/// Floats have IEEE semantics throughout: NaN in, NaN out; signed zeros and infinities as in C's
/// math library. Integers wrap around in the width of their class; div is the quotient rounded
/// toward zero, fmod its remainder, and a quotient by 0 is 0.
enum class Primitive : std::uint8_t {
  // leaves
  input,     ///< element of kernel input number `index`
  scalar,    ///< run-time number `index`, which is the same for every element
  constant,  ///< `value`, rounded to the compute type by the backend
  carried,   ///< result number `index` that a reduction of the kernel hands to what follows it, the
             ///< same for all of a row; see LoopNest::carried
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
  select,    ///< a ? b : c for a bool a; b and c have the same type
  toNumber,  ///< bool -> 1 or 0 of the node's class
  toTruth,   ///< number -> a != 0 (NaN is true)
  // integers and bools
  bitAnd,
  bitOr,
  bitXor,
  bitNot,
  shiftLeft,   ///< 0 for counts that are at least the width of the class, and for negative counts
  shiftRight,  ///< arithmetic shift; such counts are treated as the width minus one
  // between types
  convert,  ///< a number of one class converted to another; see scalar.h for floats to integers
  narrow,   ///< float32 rounded to the 16-bit float of DType `index`; stored as float32
  // memory
  at,  ///< the element of input `index` at this offset, in elements, from the loops' current
       ///< position
};
/// The number of primitives.
inline constexpr std::size_t kPrimitives = static_cast<std::size_t>(Primitive::at) + 1;

struct PrimitiveInfo {
  std::string_view name;  ///< as printed in the readable form of a kernel
  int arity;
  bool truthResult;      ///< returns a bool rather than a number (select: like its branches)
  bool routine = false;  ///< takes many instructions: no processor has a single one for it
};
const PrimitiveInfo& info(Primitive primitive);

using ExprId = std::int32_t;

struct ExprNode {
  Primitive primitive;
  TypeClass type = TypeClass::float32;  ///< class of the value
  std::int32_t index = 0;  ///< leaves other than constants, and `at`: the number; narrow: the DType
  double value = 0;        ///< constant: its value
  ExprId operands[3] = {-1, -1, -1};
  std::int64_t whole = 0;  ///< constant of an integer class: its value

  bool isTruth() const { return type == TypeClass::truth; }

  friend bool operator==(const ExprNode&, const ExprNode&) = default;
};

/// Expressions over elements, stored in order of definition: operands come before their users.
/// Equal nodes are shared, so common subexpressions are computed once, which does not change any
/// bit of the results.
class ExprGraph {
 public:
  ExprId add(Primitive primitive, std::span<const ExprId> operands);
  ExprId input(int index, TypeClass type = TypeClass::float32);
  ExprId scalar(int index, TypeClass type = TypeClass::float32);
  ExprId carried(int index, TypeClass type);
  /// Primitive::at of an input whose elements are of that class.
  ExprId at(int input, ExprId place, TypeClass type);
  /// A constant. Integer classes saturate and throw std::logic_error for a fraction; bool returns a
  /// float32 constant.
  ExprId constant(double value, TypeClass type = TypeClass::float32);
  /// The value converted to that class; the value itself if it already is of that class.
  ExprId converted(ExprId value, TypeClass type);
  /// The value as an element of this dtype stores it.
  ExprId stored(ExprId value, DType dtype);
  /// Replaces the node by an input that later users read instead.
  void readInstead(ExprId id, int input);

  const ExprNode& operator[](ExprId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  std::span<const ExprNode> nodes() const { return nodes_; }
  std::size_t size() const { return nodes_.size(); }

 private:
  ExprId intern(const ExprNode& node);
  std::vector<ExprNode> nodes_;
  std::vector<std::pair<std::uint64_t, ExprId>> index_;  // open-addressing hash table of nodes_
};

/// A handle for writing an op's meaning as a formula: `1 / sqrt(x[0])`. Bools convert to numbers (1
/// or 0) where a number is needed, and numbers to bools (not equal to 0) where a bool is needed, as
/// in PyTorch's type promotion. Numbers of two classes are computed in the later of the two, in the
/// order of the enumerators.
struct Expr {
  ExprGraph* graph = nullptr;
  ExprId id = -1;
  TypeClass type() const { return (*graph)[id].type; }
  bool isTruth() const { return type() == TypeClass::truth; }
};

/// The arguments of a meaning function: tensor operands and parameters, all as expressions.
class Args {
 public:
  Args(std::span<const Expr> operands, std::span<const Expr> parameters)
      : operands_(operands), parameters_(parameters) {}
  Expr operator[](int i) const { return operands_[static_cast<std::size_t>(i)]; }
  Expr parameter(int i) const { return parameters_[static_cast<std::size_t>(i)]; }
  /// How many parameters there are: those of the row, followed by the numbers of an op that lists
  /// numbers.
  int parameters() const { return static_cast<int>(parameters_.size()); }

 private:
  std::span<const Expr> operands_, parameters_;
};

Expr apply(Primitive primitive, Expr a);
Expr apply(Primitive primitive, Expr a, Expr b);
Expr apply(Primitive primitive, Expr a, Expr b, Expr c);
/// A constant in the sibling's graph and of its class; float32 if the sibling is a bool.
Expr constant(Expr sibling, double value);

}  // namespace fusebench
