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

/// A number that depends on the shapes of a program's values: the number of a node in
/// SizeExpressions.
using SizeId = int;

/// A Python number: an int as long as it is exact, otherwise a float.
struct SizeNumber {
  double number = 0;
  bool integer = true;
};

/// The kind of a node. Arithmetic follows Python for ints and floats: `/` returns a float, `//` and
/// `%` round toward minus infinity; comparisons return 1 or 0.
enum class SizeKind : std::uint8_t {
  constant,
  extent,    ///< one extent of a value; negative dimension: counted from the last
  rank,      ///< a value's number of dimensions
  elements,  ///< a value's number of elements: the product of its extents
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
  round,     ///< round(): to the nearest int, halves to even
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
/// Index in sizeFunctions() of the function called `name` ("sqrt"); -1 if there is none.
int findSizeFunction(std::string_view name);

/// The node kind of an operator between numbers; swapped: its operands are exchanged.
struct SizeOperator {
  SizeKind kind;
  bool swapped;
};
/// For an operator such as "+" or "<="; nothing for operators that numbers do not have.
std::optional<SizeOperator> sizeOperator(std::string_view symbol);

struct SizeNode {
  SizeKind kind = SizeKind::constant;
  SizeId a = -1, b = -1;   ///< operands
  ValueId value = -1;      ///< extent, rank, elements: the value that it describes
  int dim = 0;             ///< extent: the dimension; function: its index in sizeFunctions()
  SizeNumber constant;     ///< of a constant
  std::int16_t depth = 0;  ///< nesting depth of its operands
};

/// A property of a value from which sizes are computed.
struct SizeLeaf {
  enum class Of : std::uint8_t { extent, rank, elements };
  Of of = Of::extent;
  ValueId value = -1;
  int dim = 0;  ///< extent: the dimension; negative: counted from the last
};

/// The sizes of a program: each node is stored once, operands before their users. Constants are
/// folded. Members that add nodes throw ProgramError at `place` where Python raises, and beyond the
/// limits (kMostSizes, kDeepestSize) that protect memory and stack from hostile text.
class SizeExpressions {
 public:
  static constexpr int kMostSizes = 100000;
  static constexpr int kDeepestSize = 1000;

  SizeId constant(double number, bool integer);
  /// `dim` may be negative. Whether the value has this dimension is checked when the size is
  /// evaluated.
  SizeId extent(ValueId value, int dim);
  SizeId rank(ValueId value);
  SizeId elements(ValueId value);
  SizeId unary(SizeKind kind, SizeId a, SourcePlace place);
  SizeId binary(SizeKind kind, SizeId a, SizeId b, SourcePlace place);
  /// `which`: an index in sizeFunctions().
  SizeId function(int which, SizeId a, SourcePlace place);

  int count() const { return static_cast<int>(nodes_.size()); }
  bool empty() const { return nodes_.empty(); }
  const SizeNode& operator[](SizeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  /// Its number if it is a constant.
  std::optional<SizeNumber> known(SizeId id) const;

  /// The leaves that a size depends on, each once, in the order of their nodes.
  std::vector<SizeLeaf> leaves(SizeId id) const;

  /// The size as source: "x.shape[0] // 2"; `nameOf` returns the name of a value. Deeply nested
  /// parts are left out, because the text is for messages.
  std::string text(SizeId id, const std::function<std::string(ValueId)>& nameOf) const;

  /// The same in full, so that it can be parsed. Throws ProgramError if it would be longer than a
  /// text may be.
  std::string fullText(SizeId id, const std::function<std::string(ValueId)>& nameOf) const;

  /// Copies the size `id` from another program, whose values have other ids here. `done` maps sizes
  /// there to sizes already copied.
  SizeId adopt(const SizeExpressions& from, SizeId id, std::map<SizeId, SizeId>& done,
               const std::function<ValueId(ValueId)>& idOf);

  /// Renumbers the values of all leaves after the values of a program have been renumbered.
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

/// Evaluates sizes for given shapes, each node once.
class SizeValues {
 public:
  /// shapeOf(value) is called only for values that an evaluated size depends on. Its result is used
  /// before it is called again.
  using ShapeOf = std::function<Shape(ValueId)>;
  SizeValues(const SizeExpressions& sizes, ShapeOf shapeOf)
      : sizes_(sizes), shapeOf_(std::move(shapeOf)) {}

  /// Throws ProgramError at `place` where Python raises: for a missing dimension, a division by
  /// zero or the root of a negative number.
  SizeNumber at(SizeId id, SourcePlace place);
  /// The same for a size that has to be an int; throws ProgramError if it is a float.
  std::int64_t integer(SizeId id, SourcePlace place);

 private:
  SizeNumber evaluate(const SizeNode& node, SourcePlace place);

  const SizeExpressions& sizes_;
  ShapeOf shapeOf_;
  std::vector<std::optional<SizeNumber>> known_;
};

/// Python's arithmetic on known numbers, for sizes and constants. `b` is unused for kinds with one
/// operand; `which` is the index of a function. Throws ProgramError where Python raises.
SizeNumber pythonArithmetic(SizeKind kind, SizeNumber a, SizeNumber b, int which,
                            SourcePlace place);

}  // namespace fusebench
