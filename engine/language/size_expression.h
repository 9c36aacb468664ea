// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/base/shape.h"
#include "engine/language/source_place.h"

namespace fusebench {

/// A value of a program: inputs first, then one per op, in order.
using ValueId = int;

/// A number that depends on the shapes of a program's values: a node of its SizeExpressions.
using SizeId = int;

/// A Python number: an int as long as it is exact, else a float.
struct SizeNumber {
  double number = 0;
  bool integer = true;
};

/// What a node is. Arithmetic is Python's, on ints and floats: `/` gives a float, `//` and `%`
/// round towards minus infinity; comparisons give 1 or 0.
enum class SizeKind : std::uint8_t {
  constant,
  extent,    ///< of one dimension of a value; negative: counted from the last
  rank,      ///< of a value
  elements,  ///< of a value: the product of its extents
  add,
  subtract,
  multiply,
  trueDivide,
  floorDivide,
  remainder,
  power,
  negative,
  absolute,
  minimum,
  maximum,
  toInteger,  ///< int(): towards zero
  toFloat,
  round,     ///< round(): to the nearest int, halves to the even one
  function,  ///< one of sizeFunctions()
  less,
  lessEqual,
  equal,
  notEqual,
};

/// A function of Python's math module on one number.
struct SizeFunction {
  std::string_view name;
  double (*function)(double);
  bool integer;  ///< gives an int
};
std::span<const SizeFunction> sizeFunctions();
/// Position of the one called `name` ("sqrt") in sizeFunctions(); -1: there is none.
int findSizeFunction(std::string_view name);

/// What an operator between numbers is; swapped: with its operands exchanged.
struct SizeOperator {
  SizeKind kind;
  bool swapped;
};
/// Of "+" or "<="; nothing for what numbers do not have.
std::optional<SizeOperator> sizeOperator(std::string_view symbol);

struct SizeNode {
  SizeKind kind = SizeKind::constant;
  SizeId a = -1, b = -1;   ///< operands
  ValueId value = -1;      ///< extent, rank, elements: of this value
  int dim = 0;             ///< extent: the dimension; function: its position in sizeFunctions()
  SizeNumber constant;     ///< of a constant
  std::int16_t depth = 0;  ///< of operands below it
};

/// What a size is read off.
struct SizeLeaf {
  enum class Of : std::uint8_t { extent, rank, elements };
  Of of = Of::extent;
  ValueId value = -1;
  int dim = 0;  ///< extent: which; negative: counted from the last
};

/// The sizes of a program: each node once, operands before what uses them. Constants are folded.
/// Members that make nodes throw ProgramError at `place` where Python raises, and past the limits
/// (kMostSizes, kDeepestSize) that keep hostile text from taking memory or stack.
class SizeExpressions {
 public:
  static constexpr int kMostSizes = 100000;
  static constexpr int kDeepestSize = 1000;

  SizeId constant(double number, bool integer);
  /// `dim` may be negative. Whether the value has it is seen when it is evaluated.
  SizeId extent(ValueId value, int dim);
  SizeId rank(ValueId value);
  SizeId elements(ValueId value);
  SizeId unary(SizeKind kind, SizeId a, SourcePlace place);
  SizeId binary(SizeKind kind, SizeId a, SizeId b, SourcePlace place);
  /// `which`: a position in sizeFunctions().
  SizeId function(int which, SizeId a, SourcePlace place);

  int count() const { return static_cast<int>(nodes_.size()); }
  bool empty() const { return nodes_.empty(); }
  const SizeNode& operator[](SizeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  /// Its number if it is a constant.
  std::optional<SizeNumber> known(SizeId id) const;

  /// The leaves that a size depends on, each once, in order of their nodes.
  std::vector<SizeLeaf> leaves(SizeId id) const;

  /// As one would write it: "x.shape[0] // 2"; `nameOf` says what a value is called. What is nested
  /// deeply is left out, for it is for messages.
  std::string text(SizeId id, const std::function<std::string(ValueId)>& nameOf) const;

  /// The same in full, to be read again. Throws ProgramError where it would be longer than any
  /// text.
  std::string fullText(SizeId id, const std::function<std::string(ValueId)>& nameOf) const;

  /// The size `id` of another program's sizes, whose values have other ids here. `done` keeps what
  /// was taken over before, by id there.
  SizeId adopt(const SizeExpressions& from, SizeId id, std::map<SizeId, SizeId>& done,
               const std::function<ValueId(ValueId)>& idOf);

  /// Gives every leaf's value another id: when a program's values are numbered anew.
  void renumber(const std::function<ValueId(ValueId)>& idOf);

 private:
  using Key = std::tuple<SizeKind, SizeId, SizeId, ValueId, int, double, bool>;
  SizeId add(SizeNode node, SourcePlace place);
  std::pair<std::string, int> written(SizeId id, int depth, bool full,
                                      const std::function<std::string(ValueId)>& nameOf) const;
  static Key keyOf(const SizeNode& node);

  std::vector<SizeNode> nodes_;
  std::map<Key, SizeId> known_;
};

/// Works sizes out for given shapes; each node once.
class SizeValues {
 public:
  /// shapeOf(value): called only for values that an evaluated size depends on; what it returns is
  /// used before it is called again.
  using ShapeOf = std::function<Shape(ValueId)>;
  SizeValues(const SizeExpressions& sizes, ShapeOf shapeOf)
      : sizes_(sizes), shapeOf_(std::move(shapeOf)) {}

  /// Throws ProgramError at `place` where Python raises: a dimension that is not there, a division
  /// by zero, a root of a negative number.
  SizeNumber at(SizeId id, SourcePlace place);
  /// The same for what has to be an int; throws ProgramError if it is a float.
  std::int64_t integer(SizeId id, SourcePlace place);

 private:
  SizeNumber evaluate(const SizeNode& node, SourcePlace place);

  const SizeExpressions& sizes_;
  ShapeOf shapeOf_;
  std::vector<std::optional<SizeNumber>> known_;
};

/// Python's arithmetic on numbers known now, which sizes and constants share. `b` is not looked at
/// for kinds of one operand; `which`: of a function. Throws ProgramError where Python raises.
SizeNumber pythonArithmetic(SizeKind kind, SizeNumber a, SizeNumber b, int which,
                            SourcePlace place);

}  // namespace fusebench
