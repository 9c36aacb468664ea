// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/op_types.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <vector>

#include "engine/base/elements.h"
#include "engine/ops/op_numbers.h"

namespace fusebench {
namespace {

bool isWhole(DType dtype) {
  return isInteger(classOf(dtype));
}

std::string ofOperands(const OpRow& row, DType dtype) {
  return std::string(row.name) + " of " +
         (dtype == DType::boolean ? "truth values" : std::string(info(dtype).name));
}

/// The type to compute in for the operands' common dtype, or why it is refused.
OpTypes computedIn(const OpRow& row, DType common) {
  const bool truth = common == DType::boolean, whole = isWhole(common);
  const auto refused = [&](const char* remedy) -> OpTypes {
    return {common, common,
            ofOperands(row, common) + " is not defined in PyTorch either; " + remedy};
  };
  switch (row.takes) {
    case AcceptedTypes::floats:
      if (row.kind == OpKind::contract && whole)
        return {common, common,
                ofOperands(row, common) +
                    " is not supported; convert them to floats with .float() "
                    "first"};
      if (truth || whole) return refused("convert them to floats with .float() first");
      break;
    case AcceptedTypes::promoted:
      if (truth || whole) return {DType::float32, DType::float32};
      break;
    case AcceptedTypes::numbers:
      if (truth) return refused("convert them to numbers with .float() or .long() first");
      break;
    case AcceptedTypes::counted:
      if (truth) return {DType::int64, DType::int64};
      break;
    case AcceptedTypes::gathered:
      if (truth || whole) return {DType::int64, DType::int64};
      break;
    case AcceptedTypes::whole:
      if (isFloat(common)) return refused("it takes integers and comparisons, as in x > 0");
      break;
    case AcceptedTypes::integers:
      if (!whole) return refused("it takes integers");
      break;
    case AcceptedTypes::any:
      break;
  }
  return {common, common};
}

/// Products of bytes, which need not be of one dtype.
OpTypes ofIntegerProduct(const OpRow& row, std::span<const OperandType> operands) {
  for (const OperandType& operand : operands)
    if (operand.dtype != DType::int8 && operand.dtype != DType::uint8)
      return {operands[0].dtype, row.castTo,
              ofOperands(row, operand.dtype) + " is not there: it takes int8 and uint8"};
  return {operands[0].dtype, row.castTo};
}

/// Elements stay what they are, and an index is of integers that may be as many as there are
/// places.
OpTypes ofIndexed(const OpRow& row, std::span<const OperandType> operands) {
  const DType own = operands[row.indexing.source].dtype;
  const DType index = operands[row.indexing.index].dtype;
  OpTypes types{own, own};
  if (isIndexCheck(row)) types = {DType::int64, DType::int64};
  if (index != DType::int64 && index != DType::int32) {
    types.problem = "an index is of int64 or int32, and this one is of " +
                    std::string(info(index).name) +
                    (index == DType::boolean ? "; for a mask write torch.where(mask, x, other)"
                     : index == DType::uint8 && row.indexing.wraps
                         ? ", which PyTorch takes for a mask; for places write .long(), for a mask "
                           "torch.where(mask.bool(), x, other)"
                         : "; make integers of it with .long()");
  } else if (row.kind == OpKind::scatter && operands[2].dtype != own) {
    types.problem = std::string(row.name) + (row.indexing.sets ? " writes " : " adds ") +
                    std::string(info(operands[2].dtype).name) + " to " +
                    std::string(info(own).name) + "; cast one";
  } else if (row.kind == OpKind::scatter && own == DType::boolean && !row.indexing.sets) {
    types.problem = std::string(row.name) + " adds numbers; make some with .long() first";
  }
  return types;
}

}  // namespace

OpTypes opTypes(const OpRow& row, std::span<const OperandType> operands,
                std::span<const double> parameters) {
  if (row.kind == OpKind::view) return {operands[0].dtype, operands[0].dtype};
  if (isFence(row)) return {};
  if (row.indexing.is) return ofIndexed(row, operands);
  if (row.kind == OpKind::contract && row.takes == AcceptedTypes::integers)
    return ofIntegerProduct(row, operands);
  // Products convert nothing, and nothing is converted between ranks.
  if (isCalled(row))
    for (const OperandType& operand : operands)
      if (operand.dtype != operands[0].dtype)
        return {operands[0].dtype, operands[0].dtype,
                std::string(row.name) + " of " + std::string(info(operands[0].dtype).name) +
                    " and " + std::string(info(operand.dtype).name) +
                    ": its operands have to be of one dtype; cast one, as in x." +
                    (operands[0].dtype == DType::float32 ? "float" : "to") + "(" +
                    (operands[0].dtype == DType::float32
                         ? std::string()
                         : "torch." + std::string(info(operands[0].dtype).name)) +
                    ")"};
  std::array<OperandType, kMostOperands> weighed;
  std::size_t count = 0;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (!((row.truthOperands >> i) & 1u)) weighed[count++] = operands[i];
  OpTypes types = computedIn(row, resultType({weighed.data(), count}));
  // A fraction among integers: bounds make floats of them, other numbers have no place.
  if (types.problem.empty() && isWhole(types.computed)) {
    std::size_t p = 0;
    for (const Parameter& parameter : row.parameters) {
      const double value = p < parameters.size() ? parameters[p++] : 0;
      if (parameter.kind != Parameter::Kind::number || !std::isfinite(value) ||
          value == std::trunc(value))
        continue;
      if (row.takes == AcceptedTypes::counted)
        types.computed = types.result = DType::float32;
      else
        types.problem = ofOperands(row, types.computed) + " takes an integer as " +
                        std::string(parameter.name) +
                        "; convert them to floats with .float() first";
      break;
    }
  }
  switch (row.result) {
    case ResultType::number:
      break;
    case ResultType::truth:
      // PyTorch's any and all give bytes for bytes.
      types.result = row.kind == OpKind::reduce && types.computed == DType::uint8 ? DType::uint8
                                                                                  : DType::boolean;
      break;
    case ResultType::index:
      types.result = DType::int64;
      break;
    case ResultType::cast:
      types.result = row.castTo;
      break;
  }
  return types;
}

namespace {

/// Type classes of op lists, in addition to float32.
constexpr std::array kListed = {TypeClass::float64, TypeClass::int64, TypeClass::int32,
                                TypeClass::int8, TypeClass::uint8};

/// A row's meaning of values of a type.
ExprGraph meaningOf(const OpRow& row, TypeClass type) {
  ExprGraph graph;
  std::vector<Expr> operands, parameters;
  for (int o = 0; o < row.arity; ++o)
    operands.push_back(
        {&graph, graph.input(o, (row.truthOperands >> o) & 1u ? TypeClass::truth : type)});
  for (std::size_t p = 0; p < row.parameters.size(); ++p)
    parameters.push_back({&graph, graph.scalar(static_cast<int>(p), type)});
  row.meaning(Args(operands, parameters));
  return graph;
}

/// Whether instructions do it to values of a type, with no function of the host, which code that
/// ships cannot call. To bytes int32's do, which asks that the formula's constants are bytes, too.
bool isOfInstructions(const OpRow& row, TypeClass type) {
  const ExprGraph graph = meaningOf(row, type);
  if (std::ranges::any_of(graph.nodes(),
                          [](const ExprNode& node) { return info(node.primitive).routine; }))
    return false;
  if (bitsOf(type) != 8) return true;
  const ExprGraph wider = meaningOf(row, TypeClass::int32);
  return std::ranges::equal(graph.nodes(), wider.nodes(), {}, &ExprNode::whole, &ExprNode::whole);
}

}  // namespace

double numberIn(const OpRow& row, double number, DType computed) {
  if (isWhole(computed)) return wrappedNumber(number, computed);
  return row.roundsNumbers && isRounded(computed) ? roundedTo(number, computed) : number;
}

bool hasPiecesIn(const OpRow& row, const OpTypes& types) {
  const DType own = types.computed;
  const auto* listed = std::ranges::find(kListed, classOf(own));
  if (listed == kListed.end()) return false;
  if (row.kind != OpKind::pointwise || !row.meaning || !hasPieces(row)) return false;
  if (row.result == ResultType::cast || (types.result != own && types.result != DType::boolean))
    return false;
  const auto isCode = [&row](const Parameter& parameter) { return isStructural(row, parameter); };
  if (std::ranges::any_of(row.parameters, isCode)) return false;
  // Found out once for each, for types are worked out wherever a plan is made; 0: not yet.
  static std::vector<std::array<std::atomic<signed char>, kListed.size()>> known(opRows().size());
  std::atomic<signed char>& has = known[static_cast<std::size_t>(opIndex(row))]
                                       [static_cast<std::size_t>(listed - kListed.begin())];
  if (has == 0) has = isOfInstructions(row, classOf(own)) ? 1 : -1;
  return has > 0;
}

}  // namespace fusebench
