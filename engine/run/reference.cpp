// SPDX-License-Identifier: GPL-3.0-or-later
// double also suffices for float64: a primitive is the C library's, with an error of one or two
// units of 2^-53 of its value, and sums are accumulated in long double, so that k primitives in
// sequence have an error of about k * 2^-52 of a result's scale. Tests allow a program 1e-13, which
// is 450 of them, and more. A single op's bound is a few of them: each op of float64 is tested
// against 200 bits of MPFR.
#include "engine/run/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "engine/base/elements.h"
#include "engine/language/program_sizes.h"
#include "engine/ops/op_numbers.h"
#include "engine/plan/islands.h"
#include "engine/plan/parts.h"
#include "engine/plan/plan.h"
#include "engine/run/reference_collective.h"
#include "engine/run/reference_contract.h"
#include "engine/run/reference_indexing.h"
#include "engine/run/reference_primitives.h"
#include "engine/run/reference_reductions.h"
#include "engine/run/reference_terms.h"
#include "engine/run/reference_typed.h"
#include "engine/run/reference_writes.h"
#include "engine/run/value_checks.h"

namespace fusebench {
namespace {

/// Value number `flat` of a tensor broadcast to `shape`, row-major.
double broadcastElement(const ReferenceTensor& tensor, const Shape& shape, std::int64_t flat) {
  return tensor.values[broadcastPlace(tensor.type.shape, shape, flat)];
}

/// A tensor's elements as an op of that dtype computes with them.
std::vector<double> computedWith(const ReferenceTensor& operand, DType computed) {
  std::vector<double> values = operand.values;
  const DType own = operand.type.dtype;
  // A number that is not a float of this width is rounded to one; nothing else is rounded.
  if (own != computed && own != DType::boolean && isFloat(computed))
    for (double& value : values) value = roundedTo(value, computed);
  return values;
}

ReferenceTensor pointwise(const Op& op, std::span<const ReferenceTensor* const> operands,
                          const OpTypes& types, ReferenceTensor result) {
  std::vector<bool> truth;
  std::vector<ReferenceTensor> given;
  for (const ReferenceTensor* operand : operands) {
    truth.push_back(operand && operand->type.dtype == DType::boolean);
    given.emplace_back();
    if (operand) given.back() = {operand->type, computedWith(*operand, types.computed), {}};
  }
  std::vector<double> parameters;
  for (std::size_t p = 0; p < op.parameters.size(); ++p)
    parameters.push_back(
        roundedTo(parameterIn(*op.row, p, op.parameters[p], types.computed), DType::float32));
  RowFunction function(*op.row, parameters, truth);
  std::vector<double> point(operands.size());
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    for (std::size_t k = 0; k < operands.size(); ++k)
      point[k] =
          operands[k]
              ? broadcastElement(given[k], result.type.shape, static_cast<std::int64_t>(i))
              : roundedTo(numberIn(*op.row, op.operands[k].number, types.computed), DType::float32);
    result.values[i] = function(point);
  }
  // A cast rounds, by definition.
  if (op.row->result == ResultType::cast)
    for (double& value : result.values) value = roundedTo(value, result.type.dtype);
  if (types.result == DType::boolean)
    for (double& value : result.values) value = value != 0;
  setIntegers(result);
  return result;
}

/// The terms that errors of a pointwise op's float result are measured against; see TermsOfRow.
/// Operands whose terms are null or empty are exact in every element.
std::vector<double> termsOfPointwise(const Op& op, std::span<const ReferenceTensor* const> operands,
                                     std::span<const std::vector<double>* const> terms,
                                     const ReferenceTensor& result) {
  std::vector<bool> truth;
  for (const ReferenceTensor* operand : operands)
    truth.push_back(operand && operand->type.dtype == DType::boolean);
  TermsOfRow function(*op.row, op.parameters, truth);
  std::vector<double> values(operands.size()), given(operands.size()), made(result.values.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (std::size_t k = 0; k < operands.size(); ++k) {
      values[k] = op.operands[k].number;
      given[k] = 0;
      if (!operands[k]) continue;
      const std::size_t at =
          broadcastPlace(operands[k]->type.shape, result.type.shape, static_cast<std::int64_t>(i));
      values[k] = operands[k]->values[at];
      if (!terms[k]->empty()) given[k] = (*terms[k])[at];
    }
    made[i] = function(values, given);
    if (!std::isfinite(made[i])) made[i] = 0;
  }
  return made;
}

/// The elements that a view of a row-major tensor sees, in its own row-major order.
ReferenceTensor viewed(const Op& op, const ReferenceTensor& operand, ReferenceTensor result) {
  ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(operand.type.shape),
                                  SizeList<std::int64_t>(contiguousStrides(operand.type.shape))};
  viewOf(op, layout);  // every view of a row-major tensor exists
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    std::int64_t at = layout.offset, rest = static_cast<std::int64_t>(i);
    for (std::size_t d = layout.extents.size(); d-- > 0;) {
      at += rest % layout.extents[d] * layout.strides[d];
      rest /= layout.extents[d];
    }
    result.values[i] = operand.values[static_cast<std::size_t>(at)];
    if (!operand.integers.empty())
      result.integers.push_back(operand.integers[static_cast<std::size_t>(at)]);
  }
  return result;
}

/// Whether an element would hold the value as an infinity.
bool isInfiniteAs(double value, DType dtype) {
  return isFloat(dtype) ? std::isinf(roundedTo(value, dtype)) : std::isinf(value);
}

double smallestNormal(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 0x1p-14;
    case DType::float64:
      return std::numeric_limits<double>::min();
    default:
      return static_cast<double>(std::numeric_limits<float>::min());
  }
}

double elementError(DType dtype, double expected, double scale, double got) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::isnan(expected) || std::isnan(got))
    return std::isnan(expected) && std::isnan(got) ? 0 : kInfinity;
  if (isInfiniteAs(expected, dtype) || isInfiniteAs(got, dtype))
    return isInfiniteAs(expected, dtype) && isInfiniteAs(got, dtype) &&
                   std::signbit(expected) == std::signbit(got)
               ? 0
               : kInfinity;
  const double difference = std::fabs(got - expected);
  // Below the smallest normal number there are no relative digits to get right.
  return difference / std::max(scale, smallestNormal(dtype));
}

}  // namespace

double evaluatePrimitive(Primitive primitive, double a, double b, double c) {
  return primitiveOf(primitive, a, b, c);
}

double evaluateExpression(const ExprGraph& graph, ExprId result, std::span<const double> inputs,
                          std::span<const double> scalars, std::vector<double>& scratch) {
  scratch.resize(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const ExprNode& node = graph.nodes()[i];
    const auto operand = [&](int k) {
      const ExprId id = node.operands[k];
      return id < 0 ? 0.0 : scratch[static_cast<std::size_t>(id)];
    };
    const std::size_t index = static_cast<std::size_t>(node.index);
    switch (node.primitive) {
      case Primitive::input:
        scratch[i] = inputs[index];
        break;
      case Primitive::scalar:
        scratch[i] = scalars[index];
        break;
      case Primitive::constant:
        scratch[i] = node.value;
        break;
      default:
        scratch[i] = evaluatePrimitive(node.primitive, operand(0), operand(1), operand(2));
    }
  }
  return scratch[static_cast<std::size_t>(result)];
}

RowFunction::RowFunction(const OpRow& row, std::span<const double> parameters,
                         const std::vector<bool>& truthOperands) {
  std::vector<Expr> operands, constants;
  for (int i = 0; i < row.arity; ++i) {
    const bool truth = static_cast<std::size_t>(i) < truthOperands.size() &&
                       truthOperands[static_cast<std::size_t>(i)];
    operands.push_back(
        {&graph_, graph_.input(i, truth || ((row.truthOperands >> i) & 1u) ? TypeClass::truth
                                                                           : TypeClass::float32)});
  }
  for (double parameter : parameters) constants.push_back({&graph_, graph_.constant(parameter)});
  result_ = row.meaning(Args(operands, constants)).id;
}

double RowFunction::operator()(std::span<const double> operands) {
  return evaluateExpression(graph_, result_, operands, {}, scratch_);
}

double evaluateRow(const OpRow& row, std::span<const double> operands,
                   std::span<const double> parameters) {
  return RowFunction(row, parameters)(operands);
}

namespace {

/// Whether results are rounded, and how: see evaluateRounded().
struct Rounding {
  bool on = false;
  int draw = 0;
};

/// One rank's evaluation of a program with known sizes: op by op, with the values against which
/// each result's error is measured.
class Evaluation {
 public:
  Evaluation(const Program& program, std::span<const ReferenceTensor> inputs,
             const std::vector<ValueType>& types, Forms forms, Rounding rounding)
      : program_(program),
        rounding_(rounding),
        inputs_(inputs.size()),
        types_(types),
        values_(inputs.begin(), inputs.end()),
        terms_(types_.size()),
        memory_(program, forms) {
    for (ReferenceTensor& value : values_)
      if (value.integers.empty()) setIntegers(value);
    values_.reserve(types_.size());  // operands are pointed to while results are added
  }

  /// The next op, for which this rank's values are sufficient.
  void run(const Op& op) {
    refresh(op);
    compute(op);
    if (rounding_.on) round();
    settle(op);
  }
  /// This rank's operands of the next op, which is an op between ranks.
  RankOperands bring(const Op& op);
  /// That op's result.
  void add(const Op& op, RankResult result);
  void finish() {
    checkValues();
    for (ValueId output : program_.outputs) memory_.refresh(output, values_, terms_);
  }

  std::span<const ReferenceTensor> inputs() const { return {values_.data(), inputs_}; }
  std::vector<ReferenceResult> results() const;

 private:
  void checkValues();
  void refresh(const Op& op);
  ValueType typeOf(const Op& op) const {
    return op.writesInto() ? ownType(op, types_) : types_[values_.size()];
  }
  void compute(const Op& op);
  void settle(const Op& op);
  void write();
  void round();

  const Program& program_;
  Rounding rounding_;
  std::size_t inputs_;
  const std::vector<ValueType>& types_;
  std::vector<ReferenceTensor> values_;
  std::vector<std::vector<double>> terms_;
  SharedMemory memory_;
  std::size_t check_ = 0;
};

/// Checks the program's asserts on values that are known at this point.
void Evaluation::checkValues() {
  for (; check_ < program_.checks.size(); ++check_) {
    const SizeCheck& each = program_.checks[check_];
    if (static_cast<std::size_t>(each.beforeOp) + inputs_ > values_.size()) return;
    if (!each.ofValue()) continue;
    memory_.refresh(each.value, values_, terms_);
    const double element = values_[static_cast<std::size_t>(each.value)].values.front();
    if (!isExpected(each, element)) failCheck(program_, each, element, types_);
  }
}

/// Updates the next op's operands from their memory.
void Evaluation::refresh(const Op& op) {
  checkValues();
  for (const Operand& operand : op.operands)
    if (!operand.isNumber()) memory_.refresh(operand.value, values_, terms_);
}

/// Half the distance from 1 to the next number.
double unitRoundoff(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 0x1p-11;
    case DType::bfloat16:
      return 0x1p-8;
    case DType::float64:
      return 0x1p-53;
    default:
      return 0x1p-24;
  }
}

/// A number from -1 to 1, by SplitMix64 (Steele, Lea and Flood, 2014).
double drawnAt(int draw, std::size_t value, std::size_t element) {
  std::uint64_t bits = static_cast<std::uint64_t>(draw) * 0x9e3779b97f4a7c15u +
                       static_cast<std::uint64_t>(value) * 0xd1b54a32d192ed03u +
                       static_cast<std::uint64_t>(element) * 0x8cb92ba72f3d8dd7u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
}

/// Rounds the result that was added last.
void Evaluation::round() {
  ReferenceTensor& made = values_.back();
  const DType dtype = made.type.dtype;
  if (!isFloat(dtype)) return;
  const std::size_t id = values_.size() - 1;
  const std::vector<double>& terms = terms_[id];
  const double step = 2 * unitRoundoff(dtype);
  for (std::size_t i = 0; i < made.values.size(); ++i) {
    double& value = made.values[i];
    const double nearest = roundedTo(value, dtype);
    if (rounding_.draw > 0 && std::isfinite(value) && nearest != value && dtype != DType::float64) {
      const double scale = std::max(std::fabs(value), i < terms.size() ? terms[i] : 0);
      value = roundedTo(value + step * scale * drawnAt(rounding_.draw, id, i), dtype);
    } else {
      value = nearest;
    }
  }
}

/// The new value may be another name for existing memory.
void Evaluation::settle(const Op& op) {
  if (op.writesInto())
    write();
  else if (op.row->kind == OpKind::view || op.row->kind == OpKind::copy)
    memory_.made(static_cast<ValueId>(values_.size() - 1));
}

RankOperands Evaluation::bring(const Op& op) {
  refresh(op);
  RankOperands own;
  own.result = typeOf(op);
  if (op.operands.empty()) return own;
  const auto last = static_cast<std::size_t>(op.operands.back().value);
  own.value = &values_[last];
  own.terms = &terms_[last];
  return own;
}

void Evaluation::add(const Op& op, RankResult result) {
  terms_[values_.size()] = std::move(result.terms);
  values_.push_back(std::move(result.value));
  settle(op);
}

/// Adds the op's result, before it is written anywhere.
void Evaluation::compute(const Op& op) {
  const std::size_t id = values_.size();
  ReferenceTensor result{typeOf(op), {}, {}};
  result.values.resize(static_cast<std::size_t>(elementCount(result.type.shape)));
  std::vector<const ReferenceTensor*> operands;
  std::vector<const std::vector<double>*> operandTerms;
  for (const Operand& operand : op.operands) {
    const auto value = static_cast<std::size_t>(operand.value);
    operands.push_back(operand.isNumber() ? nullptr : &values_[value]);
    operandTerms.push_back(operand.isNumber() ? nullptr : &terms_[value]);
  }
  const OpTypes made = opTypesOf(op, [&](ValueId value) {
    const ValueType& type = types_[static_cast<std::size_t>(value)];
    return std::pair(type.dtype, type.shape.rank());
  });
  const TypeClass type = classOf(made);
  const bool typed = isInteger(type) || type == TypeClass::float64;
  switch (op.row->kind) {
    case OpKind::scan:
      values_.push_back(scanned(op, *operands[0], made, std::move(result), terms_[id]));
      break;
    case OpKind::make:
      values_.push_back(placed(op, operands, made, std::move(result)));
      break;
    case OpKind::pointwise:
      values_.push_back(op.row->places != IndexInputs::none
                            ? placed(op, operands, made, std::move(result))
                        : typed ? pointwiseTyped(op, operands, made, std::move(result))
                                : pointwise(op, operands, made, std::move(result)));
      if (op.row->places == IndexInputs::none && !isInteger(type) && isFloat(made.result))
        terms_[id] = termsOfPointwise(op, operands, operandTerms, values_.back());
      break;
    case OpKind::view:
      // An error in a view is measured like one in what it is a view of.
      if (!operandTerms[0]->empty())
        terms_[id] = viewed(op, {operands[0]->type, *operandTerms[0], {}}, result).values;
      values_.push_back(viewed(op, *operands[0], std::move(result)));
      break;
    case OpKind::contract:
      values_.push_back(contracted(op, operands, operandTerms, std::move(result), terms_[id]));
      break;
    case OpKind::gather:
      values_.push_back(gathered(op, operands, operandTerms, std::move(result), terms_[id]));
      break;
    case OpKind::scatter:
      values_.push_back(scattered(op, operands, operandTerms, std::move(result), terms_[id]));
      break;
    case OpKind::order:
      values_.push_back(ordered(op, *operands[0], std::move(result)));
      break;
    case OpKind::copy:
      result.values = operands[0]->values;
      result.integers = operands[0]->integers;
      terms_[id] = *operandTerms[0];
      values_.push_back(std::move(result));
      break;
    case OpKind::collective:
    case OpKind::gradient:
      throw std::logic_error("this op is no single rank's, or is left of a gradient");
    case OpKind::reduce:
      if (isIndexCheck(*op.row)) {
        values_.push_back(checkedPlaces(op, operands, std::move(result)));
        break;
      }
      values_.push_back(
          isInteger(type) && (!op.row->meaning || op.row->result == ResultType::index)
              ? reduceIntegers(op, *operands[0], made, std::move(result))
              : reduce(op, *operands[0], *operandTerms[0], made, std::move(result), terms_[id]));
      break;
  }
}

/// The last result becomes the tensor that it was written to.
void Evaluation::write() {
  const std::size_t id = values_.size() - 1;
  const std::vector<double> given = std::exchange(terms_[id], {});
  const Shape own = values_[id].type.shape;
  convertWritten(values_[id], types_[id]);
  for (std::size_t i = 0; i < values_[id].values.size() && !given.empty(); ++i)
    terms_[id].push_back(
        given[broadcastPlace(own, types_[id].shape, static_cast<std::int64_t>(i))]);
  memory_.wrote(static_cast<ValueId>(id), values_, terms_);
}

std::vector<ReferenceResult> Evaluation::results() const {
  std::vector<ReferenceResult> results;
  for (ValueId output : program_.outputs) {
    ReferenceResult result{values_[static_cast<std::size_t>(output)], {}};
    const std::vector<double>& sums = terms_[static_cast<std::size_t>(output)];
    for (std::size_t i = 0; i < result.value.values.size(); ++i)
      result.scale.push_back(
          std::max(std::fabs(result.value.values[i]), i < sums.size() ? sums[i] : 0));
    results.push_back(std::move(result));
  }
  return results;
}

/// An op between the ranks, executed for all of them.
void runCollective(const Op& op, std::vector<Evaluation>& ranks) {
  std::vector<RankOperands> given;
  for (Evaluation& rank : ranks) given.push_back(rank.bring(op));
  std::vector<RankResult> made = collected(op, given);
  for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r].add(op, std::move(made[r]));
}

/// The path through a program that its inputs take, as a program without branches: `known` branches
/// are decided already. The ops before a branch are evaluated to decide it.
Program wayOf(const Program& program, const std::vector<ReferenceTensor>& inputs, Rounding rounding,
              std::size_t known) {
  std::vector<ValueId> given;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) given.push_back(static_cast<ValueId>(i));
  for (; known < program.branches.size(); ++known) {
    const Branch& branch = program.branches[known];
    const Program before =
        partOf(program, 0, branch.beforeOp, false, given, {&branch.condition, 1});
    const ReferenceTensor condition =
        (rounding.on ? evaluateRounded(before, inputs, std::span<const Form>(), rounding.draw)
                     : evaluateReference(before, inputs))
            .front()
            .value;
    if ((condition.values.at(0) != 0) != branch.holds && branch.other)
      return wayOf(*branch.other, inputs, rounding, known + 1);
  }
  Program way = program;
  way.branches.clear();
  return way;
}

std::vector<std::vector<ReferenceResult>> evaluateAll(
    const Program& program, std::span<const std::vector<ReferenceTensor>> inputs,
    std::vector<std::vector<ReferenceTensor>>* inputsAfter, Forms forms, Rounding rounding) {
  std::vector<ValueType> inputTypes;
  for (const ReferenceTensor& input : inputs.front()) inputTypes.push_back(input.type);
  const std::vector<Form> contiguous = contiguousForms(inputTypes);
  if (!program.branches.empty())
    return evaluateAll(wayOf(program, inputs.front(), rounding, 0), inputs, inputsAfter, forms,
                       rounding);
  if (program.isSettledFirst())
    return evaluateAll(*settle(program, contiguous).program, inputs, inputsAfter, forms, rounding);
  const std::vector<ValueType> types = inferTypes(program, inputTypes);
  const Program sized = program.sizes.empty() ? Program() : withNumbers(program, types);
  const Program& settled = program.sizes.empty() ? program : sized;
  std::vector<Evaluation> ranks;
  ranks.reserve(inputs.size());
  for (const std::vector<ReferenceTensor>& own : inputs)
    ranks.emplace_back(settled, own, types, forms.size() > 0 ? forms : Forms(contiguous), rounding);
  for (const Op& op : settled.ops) {
    if (op.row->kind == OpKind::collective)
      runCollective(op, ranks);
    else
      for (Evaluation& rank : ranks) rank.run(op);
  }
  std::vector<std::vector<ReferenceResult>> results;
  if (inputsAfter) inputsAfter->clear();
  for (Evaluation& rank : ranks) {
    rank.finish();
    results.push_back(rank.results());
    if (inputsAfter) inputsAfter->emplace_back(rank.inputs().begin(), rank.inputs().end());
  }
  return results;
}

}  // namespace

std::vector<std::vector<ReferenceResult>> evaluateRanks(
    const Program& program, std::span<const std::vector<ReferenceTensor>> inputs,
    std::vector<std::vector<ReferenceTensor>>* inputsAfter, Forms forms) {
  return evaluateAll(program, inputs, inputsAfter, forms, {});
}

std::vector<ReferenceResult> evaluateRounded(const Program& program,
                                             std::span<const ReferenceTensor> inputs, Forms forms,
                                             int draw) {
  const std::vector<ReferenceTensor> own(inputs.begin(), inputs.end());
  return std::move(evaluateAll(program, {&own, 1}, nullptr, forms, {true, draw}).front());
}

std::vector<ReferenceResult> evaluateReference(const Program& program,
                                               std::span<const ReferenceTensor> inputs,
                                               std::vector<ReferenceTensor>* inputsAfter,
                                               Forms forms) {
  const std::vector<ReferenceTensor> own(inputs.begin(), inputs.end());
  std::vector<std::vector<ReferenceTensor>> after;
  auto results = evaluateRanks(program, {&own, 1}, inputsAfter ? &after : nullptr, forms);
  if (inputsAfter) *inputsAfter = std::move(after.front());
  return std::move(results.front());
}

double relativeError(const ReferenceResult& expected, std::span<const double> got) {
  if (got.size() != expected.value.values.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    worst = std::max(worst, elementError(expected.value.type.dtype, expected.value.values[i],
                                         expected.scale[i], got[i]));
  return worst;
}

}  // namespace fusebench
