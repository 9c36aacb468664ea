// SPDX-License-Identifier: GPL-3.0-or-later
// Functions with a backward of their own: subclasses of torch.autograd.Function. Their forward is
// not differentiated. A value h is made whose derivative is backward, and the result is a copy of h
// into which the values of forward are written without being recorded.
#include <algorithm>
#include <array>
#include <string_view>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using OwnKind = PythonValue::Kind;

/// Ops on one element that are linear in each tensor they read.
constexpr std::array<std::string_view, 4> kLinearInAll{{"neg", "add", "sub", "clone"}};
/// Ops that are linear in their first tensor alone, or in one of two.
constexpr std::array<std::string_view, 2> kProducts{{"mul", "div"}};

bool isAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Evaluator::Linear Evaluator::linearity(ValueId from, ValueId to, std::size_t firstOp) const {
  std::vector<bool> depends(program_.ops.size() - firstOp);
  const auto reads = [&](const Operand& operand) {
    if (operand.isNumber() || operand.detached) return false;
    const std::ptrdiff_t made = operand.value - kFirstResult - static_cast<std::ptrdiff_t>(firstOp);
    return operand.value == from || (made >= 0 && depends[static_cast<std::size_t>(made)]);
  };
  const auto isZero = [&](const Operand& operand) {
    if (operand.isNumber()) return operand.size < 0 && operand.number == 0;
    const std::ptrdiff_t made = operand.value - kFirstResult - static_cast<std::ptrdiff_t>(firstOp);
    return made >= 0 && program_.ops[firstOp + static_cast<std::size_t>(made)].row->name == "zeros";
  };
  bool pointwise = true;
  for (std::size_t i = 0; i < depends.size(); ++i) {
    const Op& op = program_.ops[firstOp + i];
    const auto count = std::ranges::count_if(op.operands, reads);
    const bool makes = op.row->kind == OpKind::make;
    depends[i] = count > 0 && !makes;
    if (!depends[i] && op.into >= 0 && reads(Operand::ofValue(op.into))) return Linear::no;
    if (!depends[i]) continue;
    const auto all = std::ranges::count_if(
        op.operands, [&](const Operand& each) { return reads(each) || isZero(each); });
    const bool whole = all == std::ssize(op.operands);
    const std::string_view name = op.row->name;
    if (!op.recorded || (op.into >= 0 && !reads(Operand::ofValue(op.into)))) return Linear::no;
    switch (op.row->kind) {
      case OpKind::view:
        break;
      case OpKind::reduce:
        if (name != "sum" && name != "mean") return Linear::no;
        pointwise = false;
        break;
      case OpKind::contract:
        if (count != 1) return Linear::no;
        pointwise = false;
        break;
      case OpKind::pointwise: {
        const bool product =
            isAmong(kProducts, name) && count == 1 && (name == "mul" || reads(op.operands[0]));
        const bool choice = name == "where" && !reads(op.operands[0]) &&
                            std::ranges::count_if(op.operands, [&](const Operand& each) {
                              return reads(each) || isZero(each);
                            }) == 2;
        const bool masks = name == "masked_fill" && count == 1 && reads(op.operands[0]) &&
                           op.parameters.front() == 0;
        const bool cast = op.operands.size() == 1 && findDType(name) != nullptr;
        if (!product && !choice && !masks && !cast && !(isAmong(kLinearInAll, name) && whole))
          return Linear::no;
        break;
      }
      default:
        return Linear::no;
    }
  }
  const std::ptrdiff_t made = to - kFirstResult - static_cast<std::ptrdiff_t>(firstOp);
  if (to != from && (made < 0 || !depends[static_cast<std::size_t>(made)])) return Linear::no;
  return pointwise ? Linear::pointwise : Linear::yes;
}

/// Undoes the ops since the first one that is named.
void Evaluator::forgetOps(std::size_t ops, std::size_t checks) {
  program_.ops.resize(ops);
  program_.checks.resize(checks);
  pending_ = std::min(pending_, ops);
  builder_.forgetTypes();
}

bool Evaluator::sameShape(const PythonValue& made, const std::vector<PythonValue>& inputs) {
  const std::optional<Shape> own = builder_.shapeOf(made.value);
  for (const PythonValue& each : inputs) {
    if (!each.isTensor() || each.detached) continue;
    const std::optional<Shape> given = builder_.shapeOf(each.value);
    if (!own || !given || *own != *given) return false;
  }
  return true;
}

PythonValue Evaluator::carrier(const PythonValue& backward, const PythonValue& made,
                               const std::vector<PythonValue>& inputs, SourcePlace place) {
  // Elsewhere a call runs what forward says alone, as it does in PyTorch.
  if (!builder_.followsOwnBackward()) return {};
  const std::size_t ops = program_.ops.size(), checks = program_.checks.size();
  const auto gradientsFor = [&](const PythonValue& given) {
    const PythonValue found = call(backward, {{"", given, place}}, place);
    std::vector<PythonValue> all =
        found.kind == OwnKind::list ? found.items() : std::vector<PythonValue>{found};
    all.resize(inputs.size());
    return all;
  };
  const auto differs = [](const PythonValue& each) { return each.isTensor() && !each.detached; };
  if (std::ranges::count_if(inputs, differs) == 1 && sameShape(made, inputs)) {
    const auto at = std::ranges::find_if(inputs, differs) - inputs.begin();
    const PythonValue& input = inputs[static_cast<std::size_t>(at)];
    PythonValue h = gradientsFor(input)[static_cast<std::size_t>(at)];
    if (h.isTensor() && linearity(input.value, h.value, ops) == Linear::pointwise) return h;
    forgetOps(ops, checks);
  }
  // The transpose of backward, which is linear: the derivative of <backward(g), x> by g.
  const PythonValue zeros =
      call(PythonValue::pathOf("torch.zeros_like", place), {{"", made, place}}, place);
  const std::size_t first = program_.ops.size();
  const std::vector<PythonValue> found = gradientsFor(zeros);
  PythonValue total;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!differs(inputs[i]) || !found[i].isTensor()) continue;
    if (linearity(zeros.value, found[i].value, first) == Linear::no) {
      forgetOps(ops, checks);
      return {};
    }
    const PythonValue product = binary("*", found[i], inputs[i], place);
    const PythonValue sum = builder_.method(product, "sum", {}, place);
    total = total.isTensor() ? binary("+", total, sum, place) : sum;
  }
  if (!total.isTensor()) {
    forgetOps(ops, checks);
    return {};
  }
  return builder_
      .call("torch.autograd.grad",
            {{"", total, place},
             {"", zeros, place},
             {"create_graph", PythonValue::flagOf(true, place), place}},
            place)
      .items()
      .front();
}

}  // namespace fusebench
