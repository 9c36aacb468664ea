// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/base/scalar.h"
#include "engine/language/program.h"
#include "engine/language/program_branches.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_sizes.h"
#include "engine/ops/accumulators.h"
#include "engine/ops/copies.h"
#include "engine/ops/op_numbers.h"

namespace fusebench {
namespace {

std::string nameOf(const Op& op) {
  if (isIndexCheck(*op.row)) return "an index";
  if (isCheck(*op.row)) return "a divisor";
  if (op.row->indexing.is && op.row->spellings.size() == 0) return "x[i]";
  return std::string(op.row->name);
}

std::string shownNumber(double number) {
  return fmt::format("{:.6g}", number);
}

/// Whether a bound of integers leaves none of them, which PyTorch refuses.
bool leavesNothing(const OpRow& row, std::size_t parameter, double bound, TypeClass type) {
  if (row.takes != AcceptedTypes::counted || !std::isfinite(bound)) return false;
  const auto nearest = static_cast<double>(saturated(bound, type));
  return row.parameters.begin()[parameter].name == "min" ? nearest < bound : nearest > bound;
}

/// Fails for numbers that PyTorch does not convert to the integers that the op computes with.
void checkNumbers(const Op& op, DType computed) {
  const OpRow& row = *op.row;
  const auto fail = [&](double number) {
    failProgram(op.place, nameOf(op) + ": " + shownNumber(number) + " cannot be converted to " +
                              std::string(info(computed).name) +
                              " without overflow; cast the tensor first, as in x.long()");
  };
  const TypeClass type = classOf(computed);
  for (const Operand& operand : op.operands) {
    if (!operand.isNumber()) continue;
    const double number =
        wrapsNumbers(row) ? wrappedNumber(operand.number, computed) : operand.number;
    if (wrapsNumbers(row) ? static_cast<double>(saturated(number, type)) != number
                          : !isConverted(number, computed))
      fail(operand.number);
  }
  // The numbers of a line are wrapped, as a cast does.
  const bool lines = row.kind == OpKind::make && row.places != IndexInputs::none;
  if (row.kind == OpKind::reduce || (lines && !row.listsNumbers)) return;
  for (std::size_t p = 0; p < op.parameters.size(); ++p) {
    const double number = op.parameters[p];
    const bool usual = p < row.parameters.size() && number == row.parameters.begin()[p].fallback;
    if (!usual && convertsParameter(row, p) && !isConverted(number, computed)) fail(number);
    if (!usual && leavesNothing(row, p, number, type))
      failProgram(op.place, nameOf(op) + ": " + std::string(row.parameters.begin()[p].name) + "=" +
                                shownNumber(number) + " is outside the range of " +
                                std::string(info(computed).name) +
                                "; cast the tensor first, as in x.long()");
  }
}

/// The types that the op computes in; fails if it does not take such operands.
OpTypes checkedTypes(const Op& op, std::span<const ValueType> operands) {
  const OpRow& row = *op.row;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (((row.truthOperands >> i) & 1u) && operands[i].dtype != DType::boolean)
      failProgram(op.place, nameOf(op) + " needs truth values as its " +
                                std::string(operandName(row, static_cast<int>(i))) +
                                "; compare first, as in x > 0");
  std::array<OperandType, kMostOperands> types;
  for (std::size_t i = 0; i < operands.size(); ++i)
    types[i] = op.operands[i].isNumber()
                   ? typeOfNumber(op.operands[i].integer, op.operands[i].truth)
                   : OperandType{operands[i].dtype, operands[i].shape.rank() > 0
                                                        ? OperandType::Weight::dimensioned
                                                        : OperandType::Weight::scalar};
  OpTypes made = row.kind == OpKind::make
                     ? madeTypes(op, operands.empty() ? DType::float32 : operands[0].dtype)
                     : opTypes(row, {types.data(), operands.size()}, op.parameters);
  if (!made.problem.empty()) failProgram(op.place, made.problem);
  const TypeClass type = classOf(made.computed);
  if (row.dividesWhole && isInteger(type) && op.operands.back().isNumber() &&
      numberIn(row, op.operands.back().number, made.computed) == 0)
    failProgram(op.place, nameOf(op) + ": ZeroDivisionError: integers are divided by 0 here");
  if (isInteger(type)) checkNumbers(op, made.computed);
  return made;
}

Shape broadcastAll(const Op& op, std::span<const ValueType> operands) {
  Shape shape = operands[0].shape;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const std::optional<Shape> both = broadcast(shape, operands[i].shape);
    if (!both)
      failProgram(op.place,
                  nameOf(op) + ": shapes " + toString(shape) + " and " +
                      toString(operands[i].shape) +
                      " do not fit; dimensions, counted from the last, must be equal or 1");
    shape = *both;
  }
  return shape;
}

/// Greatest and smallest of nothing do not exist.
void checkNotEmpty(const Op& op, const Shape& shape, std::uint32_t mask) {
  if (info(op.row->accumulate).emptyAllowed) return;
  for (int i = 0; i < shape.rank(); ++i)
    if (((mask >> i) & 1u) && shape[i] == 0)
      failProgram(op.place, nameOf(op) + " over dimension " + std::to_string(i) + " of shape " +
                                toString(shape) + ": there is no element to choose from");
}

/// Checks the shape of an op's index against its source. Returns the dimension that is indexed; a
/// tensor of no dimensions counts as one of one element.
int checkPlaces(const Op& op, std::span<const ValueType> operands) {
  const IndexRule& rule = op.row->indexing;
  const Shape &source = operands[rule.source].shape, &index = operands[rule.index].shape;
  const int dim = indexedDim(op, source.rank());
  std::int64_t places = 1;
  for (int d = dim; d < std::min(dim + indexedOver(op), source.rank()); ++d)
    places = checkedMultiply(places, source[d]);
  if (places == 0 && elementCount(index) > 0)
    failProgram(op.place, nameOf(op) + ": dimension " + std::to_string(dim) + " of shape " +
                              toString(source) + " has no elements, and the index names some");
  if (rule.flat && index.rank() > 1)
    failProgram(op.place, nameOf(op) + " takes an index of one dimension, not of shape " +
                              toString(index) + "; x[i] takes any");
  return dim;
}

Shape gatheredShape(const Op& op, std::span<const ValueType> operands) {
  const IndexRule& rule = op.row->indexing;
  const Shape &source = operands[rule.source].shape, &index = operands[rule.index].shape;
  const int dim = checkPlaces(op, operands);
  if (!rule.replaces) {
    bool fits = source.rank() == index.rank();
    for (int d = 0; fits && d < index.rank(); ++d) fits = d == dim || index[d] <= source[d];
    if (!fits)
      failProgram(op.place, nameOf(op) + ": an index of shape " + toString(index) +
                                " does not fit into shape " + toString(source) +
                                "; it has as many dimensions, and along all but dimension " +
                                std::to_string(dim) + " at most as many elements");
    return index;
  }
  if (source.rank() == 0)
    failProgram(op.place, nameOf(op) + " of a tensor of no dimensions: there is nothing to index");
  Shape shape;
  const int over = indexedOver(op);
  const int rank = source.rank() - over + (rule.flat ? 1 : index.rank());
  if (rank > kMaxRank)
    failProgram(op.place, nameOf(op) + " returns a tensor of " + std::to_string(rank) +
                              " dimensions; at most " + std::to_string(kMaxRank) +
                              " are supported");
  for (int d = 0; d < dim; ++d) shape.push(source[d]);
  for (const std::int64_t extent : index) shape.push(extent);
  if (rule.flat && index.rank() == 0) shape.push(1);
  for (int d = dim + over; d < source.rank(); ++d) shape.push(source[d]);
  return shape;
}

void checkScattered(const Op& op, std::span<const ValueType> operands) {
  const Shape added = gatheredShape(op, operands), &own = operands[2].shape;
  const IndexRule& rule = op.row->indexing;
  bool fits = rule.spreads || added.rank() == own.rank();
  const int more = own.rank() - added.rank();
  if (rule.spreads) {
    for (int d = 0; fits && d < own.rank(); ++d)
      fits = own[d] == 1 || (d >= more && own[d] == added[d - more]);
    if (fits) return;
  }
  // The added tensor may be larger than the index where both have as many dimensions.
  for (int d = 0; fits && d < own.rank(); ++d)
    fits = rule.replaces ? added[d] == own[d] : added[d] <= own[d];
  if (!fits)
    failProgram(op.place, nameOf(op) + ": the " + (rule.sets ? "written" : "added") +
                              " value has shape " + toString(own) +
                              ", and the index selects shape " + toString(added));
}

/// An op that goes through all of `shape` ends some day.
void checkPoints(const Op& op, const Shape& shape) {
  if (elementCount(shape) > kMostPoints)
    failProgram(op.place, nameOf(op) + ": shape " + toString(shape) +
                              " has more elements than any machine can process");
}

/// The same of a contraction's loops.
void checkLoops(const Op& op, std::span<const std::int64_t> loops) {
  std::int64_t points = 1;
  for (const std::int64_t loop : loops) points = cappedMultiply(points, loop);
  if (points > kMostPoints)
    failProgram(op.place, nameOf(op) +
                              ": operands of these shapes take more multiplications than "
                              "any machine can perform");
}

}  // namespace

void failOverflow(const Op& op) {
  failProgram(op.place, nameOf(op) + ": these sizes are larger than any memory");
}

void checkSize(const std::string& name, SourcePlace place, const ValueType& type, bool view) {
  const std::int64_t most =
      view ? kMostViewElements
           : kAddressSpaceBytes / static_cast<std::int64_t>(info(type.dtype).size);
  const std::optional<std::int64_t> reached = reachedCount(type.shape);
  const bool empty = std::ranges::find(type.shape, 0) != type.shape.end();
  if (!reached || *reached > (empty ? kMostViewElements : most))
    failProgram(
        place, name + ": a tensor of shape " + toString(type.shape) + " is larger than any memory");
}

void checkSize(const Op& op, const ValueType& type, bool view) {
  checkSize(nameOf(op), op.place, type, view);
}

std::uint32_t reducedMask(const Op& op, int rank) {
  if (!op.dims) return rank == 0 ? 0 : ~0u >> (32 - rank);
  std::uint32_t mask = 0;
  for (int dim : *op.dims) {
    const int range = std::max(rank, 1);  // PyTorch lets a scalar be reduced over dim 0 and -1
    if (dim < -range || dim >= range)
      failProgram(op.place, nameOf(op) + ": there is no dimension " + std::to_string(dim) + " in " +
                                std::to_string(rank) + "; it goes from " + std::to_string(-range) +
                                " to " + std::to_string(range - 1));
    const std::uint32_t bit = 1u << (dim < 0 ? dim + range : dim);
    if (mask & bit)
      failProgram(op.place, nameOf(op) + ": dimension " + std::to_string(dim) + " is named twice");
    mask |= bit;
  }
  return rank == 0 ? 0 : mask;
}

Ordering orderingOf(const Op& op, int rank) {
  Ordering ordering{std::max(rank - 1, 0)};
  const std::uint32_t named = op.dims ? reducedMask(op, rank) : 0;
  if (named != 0) ordering.dim = std::countr_zero(named);
  std::size_t p = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const double value = op.parameters[p++];
    if (parameter.name == "descending") ordering.descending = value != 0;
    if (parameter.name == "_first") ordering.first = static_cast<std::int64_t>(value);
  }
  return ordering;
}

namespace {

/// As many places as are asked for.
Shape orderedShape(const Op& op, const Shape& of) {
  const Ordering ordering = orderingOf(op, of.rank());
  if (ordering.first < 0) return of;
  const std::int64_t extent = of.rank() > 0 ? of[ordering.dim] : 1;
  if (ordering.first > extent)
    failProgram(op.place, "topk: dimension " + std::to_string(ordering.dim) + " of shape " +
                              toString(of) + " has no " + std::to_string(ordering.first) +
                              " elements; k is at most " + std::to_string(extent));
  Shape shape;
  for (int d = 0; d < of.rank(); ++d) shape.push(d == ordering.dim ? ordering.first : of[d]);
  return shape;
}

template <class Size>
bool viewed(const Op& op, ViewRule::Function<Size> rule, ViewLayout<Size>& layout,
            std::span<const Size> sizes, const SizeMath<Size>& math) {
  ViewArguments<Size> arguments;
  arguments.hasDims = op.dims.has_value();
  if (op.dims) arguments.dims = *op.dims;
  arguments.sizes = sizes;
  try {
    return rule(layout, arguments, math);
  } catch (const ViewError& error) {
    failProgram(op.place, nameOf(op) + ": " + error.what());
  } catch (const SizeOverflow&) {
    failOverflow(op);
  }
}

}  // namespace

bool viewOf(const Op& op, ViewLayout<std::int64_t>& layout) {
  return viewed(op, op.row->view.known, layout, std::span<const std::int64_t>(op.sizeNumbers),
                SizeMath<std::int64_t>());
}

bool viewOf(const Op& op, ViewLayout<HintedSize>& layout, std::span<const HintedSize> sizes,
            SizeFacts& facts) {
  return viewed(op, op.row->view.hinted, layout, sizes, SizeMath<HintedSize>(facts));
}

void failImpossibleView(const Op& op, const Form& operand) {
  failProgram(op.place, nameOf(op) + ": a tensor of shape " + toString(operand.shape) +
                            " with strides " + toString(operand.strides) +
                            " cannot be viewed in that shape without a copy; write .reshape(...)");
}

OpTypes madeTypes(const Op& op, DType like) {
  const DType dtype = op.row->result == ResultType::truth ? DType::boolean
                      : op.made                           ? *op.made
                      : op.operands.empty()               ? DType::float32
                                                          : like;
  const DType computed =
      dtype == DType::boolean && op.row->places != IndexInputs::none ? DType::int64 : dtype;
  if (op.row->takes == AcceptedTypes::floats && !isFloat(dtype))
    return {computed, dtype,
            nameOf(op) + " makes floats, not " + std::string(info(dtype).name) +
                "; cast what it makes"};
  return {computed, dtype, {}};
}

namespace {

Shape madeShape(const Op& op, std::span<const ValueType> operands) {
  if (!op.operands.empty() && op.sizeNumbers.empty()) return operands[0].shape;
  Shape shape;
  if (op.sizeNumbers.size() > static_cast<std::size_t>(kMaxRank))
    failProgram(op.place,
                nameOf(op) + ": tensors have at most " + std::to_string(kMaxRank) + " dimensions");
  for (const std::int64_t extent : op.sizeNumbers) {
    if (extent < 0)
      failProgram(op.place, nameOf(op) + ": there is no extent " + std::to_string(extent) +
                                "; it is 0 or more");
    shape.push(extent);
  }
  return shape;
}

/// The shape of what the ranks of a group make, as far as it does not depend on how many they are.
Shape rankedShape(const Op& op, std::span<const ValueType> operands) {
  const Shape& result = operands[0].shape;
  if (op.row->collective == Collective::allGather) {
    const std::int64_t all = elementCount(result), own = elementCount(operands[1].shape);
    if (own == 0 ? all != 0 : all % own != 0)
      failProgram(op.place,
                  nameOf(op) + ": the output must have room for the input of every rank, and " +
                      toString(result) + " is not a multiple of " + toString(operands[1].shape));
  }
  if (op.row->collective == Collective::reduceScatter) {
    const Shape& given = operands[1].shape;
    bool rows = given.rank() == result.rank() + 1;
    for (int d = 0; rows && d < result.rank(); ++d) rows = given[d + 1] == result[d];
    if (!rows)
      failProgram(op.place, nameOf(op) + ": the input is a row for every rank, each of the " +
                                "output's shape " + toString(result) + ", and not " +
                                toString(given));
  }
  return result;
}

}  // namespace

int indexedDim(const Op& op, int rank) {
  const int written = indexedDim(op), most = std::max(rank, 1);
  if (written < -most || written >= most)
    failProgram(op.place, nameOf(op) + ": there is no dimension " + std::to_string(written) +
                              " in a tensor of " + std::to_string(rank) + " dimensions");
  return written < 0 ? written + most : written;
}

ValueType inferWritten(const Op& op, const ValueType& made, const ValueType& into) {
  const std::optional<Shape> both = broadcast(made.shape, into.shape);
  if (!both || !(*both == into.shape))
    failProgram(op.place, nameOf(op) + ": output with shape " + toString(into.shape) +
                              " doesn't match the broadcast shape " +
                              toString(both ? *both : made.shape) +
                              "; a tensor that is written in place keeps its shape");
  // What may go where: truth values anywhere, integers not to truth values, floats to floats. A
  // copy converts whatever it is given.
  const auto level = [](DType dtype) {
    return dtype == DType::boolean ? 0 : isFloat(dtype) ? 2 : 1;
  };
  if (!isCopy(*op.row) && level(made.dtype) > level(into.dtype))
    failProgram(op.place, nameOf(op) + ": result type " + std::string(info(made.dtype).name) +
                              " can't be cast to the desired output type " +
                              std::string(info(into.dtype).name) +
                              "; cast the tensor that is written, or write into another");
  return into;
}

namespace {

ValueType inferUnbounded(const Op& op, std::span<const ValueType> operands, OpTypes* types);

}  // namespace

ValueType inferType(const Op& op, std::span<const ValueType> operands, OpTypes* types) {
  try {
    const ValueType type = inferUnbounded(op, operands, types);
    checkSize(op, type, op.row->kind == OpKind::view || op.row->kind == OpKind::copy);
    return type;
  } catch (const SizeOverflow&) {
    failOverflow(op);
  }
}

namespace {

ValueType inferUnbounded(const Op& op, std::span<const ValueType> operands, OpTypes* types) {
  std::array<ValueType, kMostOperands> cast;
  if (op.autocast.isOn()) {
    std::array<DType, kMostOperands> dtypes{};
    for (std::size_t i = 0; i < operands.size(); ++i) dtypes[i] = operands[i].dtype;
    castOperands(op, {dtypes.data(), operands.size()});
    for (std::size_t i = 0; i < operands.size(); ++i) cast[i] = {operands[i].shape, dtypes[i]};
    operands = {cast.data(), operands.size()};
  }
  OpTypes made = checkedTypes(op, operands);
  ValueType type{{}, made.result};
  if (types) *types = std::move(made);
  switch (op.row->kind) {
    case OpKind::pointwise:
      type.shape = broadcastAll(op, operands);
      if (op.row->places == IndexInputs::rowColumn && type.shape.rank() < 2)
        failProgram(op.place, nameOf(op) + " needs matrices, and shape " + toString(type.shape) +
                                  " has no rows and columns");
      break;
    case OpKind::scan:
      type.shape = operands[0].shape;
      reducedMask(op, type.shape.rank());  // there is such a dimension
      checkPoints(op, type.shape);
      break;
    case OpKind::make:
      type.shape = madeShape(op, operands);
      break;
    case OpKind::view: {
      ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(operands[0].shape),
                                      SizeList<std::int64_t>(contiguousStrides(operands[0].shape))};
      viewOf(op, layout);
      type.dtype = operands[0].dtype;
      for (const std::int64_t extent : layout.extents) type.shape.push(extent);
      break;
    }
    case OpKind::copy:
      type = operands[0];
      if (moveOf(*op.row) != Move::fetch) break;
      if (elementCount(type.shape) != 1)
        failProgram(op.place, "item needs one element, and shape " + toString(type.shape) +
                                  " has " + std::to_string(elementCount(type.shape)) +
                                  "; reduce it first, as in x.sum(), or fetch all with x.cpu()");
      type.shape = {};
      break;
    case OpKind::gather:
      type.shape = gatheredShape(op, operands);
      break;
    case OpKind::scatter:
      checkScattered(op, operands);
      type.shape = operands[op.row->indexing.source].shape;
      break;
    case OpKind::order:
      type.shape = orderedShape(op, operands[0].shape);
      checkPoints(op, operands[0].shape);
      break;
    case OpKind::contract: {
      std::vector<int> ranks;
      std::vector<SizeList<std::int64_t>> extents;
      for (const ValueType& operand : operands) {
        ranks.push_back(operand.shape.rank());
        extents.emplace_back(operand.shape);
      }
      const ContractForm form = contractFormOf(op, ranks);
      const SizeMath<std::int64_t> math;
      const std::vector<std::int64_t> loops = contractLoopsOf(op, form, extents);
      for (const std::int64_t extent : contractResult(form, loops, math)) type.shape.push(extent);
      checkSize(op, type, false);
      checkLoops(op, loops);
      break;
    }
    case OpKind::collective:
      if (isFence(*op.row)) break;
      type.shape = rankedShape(op, operands);
      break;
    case OpKind::gradient:
      if (elementCount(operands[0].shape) != 1)
        failProgram(op.place, "a gradient is taken of a scalar, not of shape " +
                                  toString(operands[0].shape) + "; reduce it first, as in x.sum()");
      type = operands[1];
      if (!isFloat(type.dtype) || !isFloat(operands[0].dtype))
        failProgram(op.place, "gradients are defined for floating-point tensors only");
      break;
    case OpKind::reduce: {
      const Shape& shape = operands[0].shape;
      const std::uint32_t mask = reducedMask(op, shape.rank());
      if (isIndexCheck(*op.row))
        checkPlaces(op, operands);
      else
        checkNotEmpty(op, shape, mask);
      checkPoints(op, shape);
      type.shape = reducedShape(shape, mask, op.keepDims);
      break;
    }
  }
  return type;
}

}  // namespace

}  // namespace fusebench
