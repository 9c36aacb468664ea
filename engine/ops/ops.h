// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/dtype.h"
#include "engine/base/shape.h"
#include "engine/ops/autocast.h"
#include "engine/ops/collective.h"
#include "engine/ops/contract_rule.h"
#include "engine/ops/expr.h"
#include "engine/ops/view_rule.h"

namespace fusebench {

/// The group of an op in the palette and on the help page.
enum class Category : std::uint8_t {
  arithmetic,
  comparison,
  powers,
  exponential,
  trigonometric,
  hyperbolic,
  special,
  rounding,
  activation,
  selection,
  reduction,
  bits,
  casting,
  views,
  making,
  contraction,
  collective
};
std::string_view title(Category category);

/// How an op is lowered. There is one lowering per kind; no pass names an op.
enum class OpKind : std::uint8_t {
  pointwise,
  reduce,
  view,        ///< the same elements in another layout: not a step, unless they have to be copied
  make,        ///< depends only on numbers and on each element's position
  scan,        ///< accumulates along one dimension; each step is a result
  contract,    ///< sums of products over loops of its own; libraries compute them
  collective,  ///< between the ranks of a group: see collective.h
  copy,        ///< to another memory, or to other memory of the same kind: see copies.h
  gradient,  ///< gradient of one value with respect to another: plans contain the ops that compute
             ///< it instead
  gather,    ///< reads elements of one tensor at the positions in another
  scatter,   ///< adds elements of one tensor to another at the positions in a third
  order,     ///< positions of the elements in sorted order along one dimension, in either direction
};

/// The position of an element, which a meaning receives after its operands: int64.
enum class IndexInputs : std::uint8_t {
  none,
  flat,       ///< one number: how many elements come before it in row-major order
  rowColumn,  ///< two: its index along the last dimension but one, and along the last
  extent,     ///< one, for the dimension that an index selects along (IndexRule): its extent
  step        ///< two, for that dimension: its extent, and its stride in elements
};
/// Number of a meaning's operands that this adds.
constexpr int count(IndexInputs places) {
  return places == IndexInputs::none                                    ? 0
         : places == IndexInputs::flat || places == IndexInputs::extent ? 1
                                                                        : 2;
}
/// Whether they are the same for all elements: sizes of the tensor that an index refers to.
constexpr bool areOfSource(IndexInputs places) {
  return places == IndexInputs::extent || places == IndexInputs::step;
}

/// A step that can be applied to a product in the same launch; see plan/tails.h.
enum class Tail : std::uint8_t {
  none,
  relu,  ///< 0 where it is not positive; NaN is unchanged
  gelu,  ///< by tanh
  geluByErf,
  silu,
  scale,  ///< by a number, or element by element
  add     ///< of a number, or element by element
};

/// The accumulator of a reduction; the row's `finish` turns it into the result. The properties that
/// passes need are in its row; see accumulators.h.
enum class Accumulate : std::uint8_t {
  sum,
  prod,
  max,
  min,
  squaredDeviations,
  argmax,
  any,
  all,
  sumOfNumbers,
};
/// Number of accumulators.
inline constexpr std::size_t kAccumulates = static_cast<std::size_t>(Accumulate::sumOfNumbers) + 1;

enum class ResultType : std::uint8_t {
  number,  ///< the type that it computes in
  truth,
  index,  ///< int64
  cast,   ///< the row's `castTo`
};

/// The operand dtypes that an op accepts, and what it converts the promoted dtype to before it
/// computes (see op_types.h), as in PyTorch.
enum class AcceptedTypes : std::uint8_t {
  floats,    ///< floats only
  promoted,  ///< floats; integers and bools become float32
  numbers,   ///< floats and integers unchanged; only bools are not supported
  counted,   ///< floats and integers unchanged; bools become int64
  gathered,  ///< floats unchanged; integers and bools become int64
  any,       ///< all unchanged
  whole,     ///< integers and bools only
  integers,  ///< integers only
};

/// How an op uses an index: an operand of integers, each of which is a position along a dimension
/// of another operand, the source. The op's dims name that dimension.
struct IndexRule {
  bool is = false;
  std::uint8_t source = 0, index = 1;  ///< operands
  /// The index's dimensions replace the one that is indexed; false: the index has a dimension for
  /// each of the source's.
  bool replaces = true;
  bool flat = false;   ///< it has at most one dimension
  bool wraps = false;  ///< negative positions count from the end; false: they are errors
  /// scatter: its third operand replaces the existing elements; if several go to one position, the
  /// last one in the index's row-major order counts. false: they are combined with the existing
  /// ones by the row's accumulator.
  bool sets = false;
  bool spreads = false;  ///< scatter: its third operand is broadcast to the positions in the index
};

/// A keyword argument of an op.
struct Parameter {
  enum class Kind : std::uint8_t {
    number,   ///< a run-time number: eager passes it, fused kernels embed it in their code
    integer,  ///< structural: part of the compiled code
    flag,     ///< structural: True or False
    dims,   ///< structural: None, an int or a tuple of ints: dimensions, to reduce over or to view
    sizes,  ///< for a view: an int or several: extents, positions, bounds
  };
  std::string_view name;
  Kind kind = Kind::number;
  double fallback = std::numeric_limits<double>::quiet_NaN();  ///< used if it is not given
  bool required = false;
  double low = -std::numeric_limits<double>::infinity();  ///< smallest value accepted
  double high = std::numeric_limits<double>::infinity();  ///< greatest value accepted; dims and
                                                          ///< sizes: how many there may be
  std::string_view doc;
  bool whole = false;  ///< number: an int in PyTorch
  /// integer: the names of its values, starting at 0, if they have names.
  std::span<const std::string_view> names{};
};

/// The range of one operand in tests: values in [low, high] (by default, the whole float range).
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// How far a result may be from the exact one: within `ulp` units in the last place of its type, or
/// within `absolute` of it, whichever is more lenient. 16-bit floats are computed in float32 within
/// this bound and rounded once.
struct ErrorBound {
  double ulp = 0;
  double absolute = 0;  ///< in float32
  /// In float64: the same number of units in the last place of a float64, unless the float32 error
  /// occurs at the end of its range.
  double absolute64 = absolute * 0x1p-29;
};

/// The most tensor operands that an op may have.
inline constexpr std::size_t kMostOperands = 3;
/// The most parameters.
inline constexpr std::size_t kMostParameters = 8;

using Meaning = Expr (*)(Args);
/// The backward pass through an op, per element: its operands and parameters, its result, and the
/// gradient of the result.
struct Flow {
  Args x;
  Expr result, gradient;
  int operand = 0;  ///< the operand whose gradient is computed
};
using Derivative = Expr (*)(const Flow&);
/// The result of a reduction from its accumulated value, evaluated in double precision. count:
/// number of elements that were accumulated.
using Finish = Expr (*)(Expr accumulated, Expr count, Args parameters);

/// All data of one op. See op_rows.h.
struct OpRow {
  std::string_view name;
  std::initializer_list<std::string_view>
      spellings{};  ///< PyTorch names: "torch.exp", "x.exp", "F.relu", "+"
  Category category{};
  int arity = 1;  ///< number of tensor operands, at most kMostOperands (all but one may be numbers)
  std::initializer_list<std::string_view>
      operands{};                   ///< keywords of the operands; see operandName()
  std::uint8_t numberOperands = 0;  ///< bit i: PyTorch's function accepts a number as operand i
  std::uint8_t truthOperands = 0;   ///< bit i: operand i must be a bool tensor
  AcceptedTypes takes = AcceptedTypes::floats;
  bool plain = false;  ///< set by the table: pointwise, and `usual` (OpTypes) for float32 operands
                       ///< without bools
  std::initializer_list<Parameter> parameters{};  ///< at most kMostParameters
  bool property = false;                          ///< written without a call: x.T
  OpKind kind = OpKind::pointwise;
  ViewRule view{};             ///< view: how extents, strides and offset change
  ContractRule contract{};     ///< contract: how it iterates over its operands
  Collective collective{};     ///< collective: the communication between the ranks
  IndexRule indexing{};        ///< gather, scatter, and the reductions that check positions
  bool thenCopied = false;     ///< view: PyTorch copies the view, so that x.contiguous() follows
  bool copies = false;         ///< view: becomes a row-major copy where strides cannot express it
  bool madeWhereRead = false;  ///< make: so cheap that its users compute it, and it is never stored
  bool listsNumbers = false;   ///< make: its ops have numbers after the row's parameters
  IndexInputs places{};        ///< pointwise, make: positions that follow the operands
  ResultType result = ResultType::number;
  DType castTo = DType::float32;  ///< ResultType::cast: the type
  Meaning meaning = nullptr;  ///< pointwise: the formula; reduce: maps each element before it is
                              ///< accumulated; null: the identity
  Accumulate accumulate{};    ///< reduce, scatter: the accumulator
  Finish finish = nullptr;    ///< reduce: the result from the accumulated value; null: that value
  /// The gradient of an operand, where the rules on primitives and accumulators (derivatives.h)
  /// would lose digits or differ from PyTorch at a kink; null: these rules apply.
  Derivative derivative = nullptr;
  bool differentiable = true;  ///< false: PyTorch has no derivative of it either
  bool inPlace = true;         ///< pointwise; false: PyTorch has no in-place x.name_() for it
  /// pointwise: PyTorch rounds a number among the operands to their 16-bit float dtype first.
  bool roundsNumbers = false;
  bool dividesWhole =
      false;    ///< pointwise: division of integers by 0 is an error; see zeroCheckRow()
  Tail tail{};  ///< pointwise: what it means to a library
  AutocastRule autocast{};                   ///< what autocast does to its operands
  ErrorBound bound;                          ///< for each float dtype
  std::initializer_list<Interval> domain{};  ///< for each operand, for tests; empty: everything
  std::string_view doc;                      ///< one line
};

/// All rows, in palette order.
std::span<const OpRow> opRows();

/// The row called `name`, or null.
const OpRow* findOp(std::string_view name);
/// The same for a name in the engine's own code. Throws std::logic_error if no row has it.
const OpRow& namedOp(std::string_view name);

/// The contraction for which each op specifies the index letters: see Op::equation.
const OpRow& equationRow();

/// The keyword of tensor operand `i`: the row's, or else PyTorch's usual "input" and "other".
std::string_view operandName(const OpRow& row, int i);

/// All rows with this spelling ("torch.max", "F.relu", "x.sum", "+"): more than one where PyTorch
/// overloads a name by the number of operands.
std::span<const OpRow* const> rowsSpelled(std::string_view spelling);

/// Position of `row` in opRows().
int opIndex(const OpRow& row);

/// The `count` strings of `known` with the smallest edit distance to `unknown`, nearest first;
/// strings that share fewer than about half of their letters with it are left out.
std::vector<std::string> nearest(std::string_view unknown, std::span<const std::string_view> known,
                                 int count = 1);

/// The names of rows nearest to `unknown` by edit distance, nearest first, at most `count` of them.
std::vector<std::string> nearestNames(std::string_view unknown, int count = 1);

/// The dtype of an op's result for float32 operands.
inline DType resultDType(const OpRow& row) {
  switch (row.result) {
    case ResultType::number:
      return DType::float32;
    case ResultType::truth:
      return DType::boolean;
    case ResultType::index:
      return DType::int64;
    case ResultType::cast:
      return row.castTo;
  }
  return DType::float32;
}

/// The dtype of a row's meaning with float32 operands: that of a pointwise op's result, or of the
/// values that a reduction accumulates.
inline DType meaningDType(const OpRow& row) {
  return row.kind == OpKind::reduce ? DType::float32 : resultDType(row);
}

/// The gradient of a scalar with respect to a value, as an op of a program: operand 0 is
/// differentiated with respect to operand 1; the result is like operand 1. It is not a row of the
/// table: see plan/differentiate.h.
const OpRow& gradientRow();

/// A contraction in the gradients of contractions over windows. The op itself specifies its loops
/// (Op::equation, Op::settings), and it is not a row of the table either. `by`: what it
/// accumulates: sum: products; max: gradients of windows, each to the greatest element of its
/// window in the second operand. `mean`: a window's gradient is divided by its number of elements.
const OpRow& windowGradientRow(Accumulate by, bool mean);

/// The op that replaces a gradient in data-parallel training (see DataParallel): its average over
/// the ranks. The result is available after an op of gradientWaitRow() that reads it. Parameters:
/// the bucket, and whether it is the bucket's last. They are not rows of the table either.
const OpRow& gradientReduceRow();
const OpRow& gradientWaitRow(int gradients);
/// A tensor after a part of it was written: a view of operand 0, all of it. The gradient of the
/// written part goes to operand 1, the written values. Differentiated programs have one such op
/// after each such write. It is not a row of the table.
const OpRow& partWrittenRow();

/// The gradient of a read by an index: adds elements at the positions in the index. It is not a row
/// of the table either. `replaces`: see IndexRule.
const OpRow& indexGradientRow(bool replaces);
/// The inverse: a read by an index with any number of dimensions.
const OpRow& indexReadRow(bool replaces, bool wraps);

/// The check before every op of a program that uses an index: finds the position that is farthest
/// out of range, as outsidePlace() decodes it; 0 or less if there is none.
const OpRow& indexCheckRow(bool wraps);

/// The check of a divisor before integers are divided by it: whether any of its elements is 0.
const OpRow& zeroCheckRow();
/// The out-of-range position that a check found.
std::int64_t outsidePlace(std::int64_t found);

/// A product of integers whose loops the op itself specifies (Op::equation, Op::settings),
/// accumulated in int32: quantized layers become this op. It is not a row of the table either.
const OpRow& integerProductRow();

/// The gradient of slices: a contraction of one operand that specifies its loops itself, with
/// windows of one element whose gradients go back to their positions. It is not a row of the table.
const OpRow& sliceGradientRow();

/// Whether gradients flow through an op on floats.
inline bool isDifferentiable(const OpRow& row) {
  return row.differentiable && row.takes != AcceptedTypes::whole &&
         row.takes != AcceptedTypes::integers &&
         (row.result == ResultType::number ||
          (row.result == ResultType::cast && isFloat(row.castTo)));
}

/// Whether an op calls a service: a library, the ranks of a group, a copy engine. Such an op is a
/// step of its own, and the tensors that it reads and writes are in memory.
inline bool isCalled(const OpRow& row) {
  return row.kind == OpKind::contract || row.kind == OpKind::collective ||
         row.kind == OpKind::copy || row.kind == OpKind::scatter || row.kind == OpKind::order;
}

/// Whether an op exists for its side effect, not for its result: everything before it completes
/// first, and everything after it comes later.
inline bool isFence(const OpRow& row) {
  return row.collective == Collective::barrier || row.collective == Collective::reduceWait;
}

/// Whether the op exists for float32 and bools with such a result: one that `instant` has pieces
/// for.
inline bool hasPieces(const OpRow& row) {
  if (row.kind == OpKind::make || row.kind == OpKind::scan || row.places != IndexInputs::none)
    return false;
  const bool stored = resultDType(row) == DType::float32 || resultDType(row) == DType::boolean ||
                      row.kind == OpKind::reduce;
  return stored && !isCalled(row) && row.takes != AcceptedTypes::whole &&
         row.takes != AcceptedTypes::integers;
}

/// Whether a row is a check of positions, which is not printed in any text.
inline bool isIndexCheck(const OpRow& row) {
  return row.indexing.is && row.kind == OpKind::reduce;
}

/// Whether a row is a check that belongs to another op, and is not part of a program's text.
inline bool isCheck(const OpRow& row) {
  return isIndexCheck(row) || &row == &zeroCheckRow();
}

/// Whether a parameter is internal: only the language sets it, and it is not shown.
inline bool isHidden(const Parameter& parameter) {
  return parameter.name.starts_with('_');
}

/// Whether an op's loops run over its operand's elements: a reduction, and the copy of a view.
/// Those of other ops run over their result's elements.
inline bool goesOverOperand(const OpRow& row) {
  return row.kind == OpKind::reduce || row.kind == OpKind::view;
}

/// The op that copies its operand's elements into a new tensor.
const OpRow& copyRow();
inline bool isCopy(const OpRow& row) {
  return &row == &copyRow();
}

/// Whether a parameter is part of the code of a row's meaning. Parameters of a reduction other than
/// numbers determine its loops and how it is finished.
inline bool isStructural(const OpRow& row, const Parameter& parameter) {
  return row.kind == OpKind::pointwise && parameter.kind != Parameter::Kind::number;
}

/// Shape that remains after reducing `shape` over the dims set in `mask`.
Shape reducedShape(const Shape& shape, std::uint32_t mask, bool keepDims);

}  // namespace fusebench
