// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors that are made, as PyTorch text: torch.zeros(2, 3), torch.full_like(x, 2.0).
#include <cmath>
#include <string>

#include "engine/language/expression_text.h"

namespace fusebench {
namespace {

/// Whether it can be written as a Python int, which PyTorch reads as an int64.
bool isShortWhole(double value) {
  return value == std::round(value) && std::abs(value) < 0x1p53;
}

}  // namespace

Piece ExpressionPrinter::makingForm(const Op& op) const {
  const bool ofTensor = !op.operands.empty(), sized = !op.sizeNumbers.empty();
  std::string name = "torch." + std::string(op.row->name), arguments;
  const auto add = [&](const std::string& argument) {
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  const auto addPlace = [&] {
    if (!op.madeIn) return;
    add(*op.madeIn == Memory::device ? "device='cuda'"
        : *op.madeIn == Memory::host ? "device='cpu'"
                                     : "pin_memory=True");
  };
  if (ofTensor && sized) {
    name = within(operand(op, 0), kAtom) + ".new_" + std::string(op.row->name);
  } else if (ofTensor) {
    name += "_like";
    add(operand(op, 0).text);
  }
  if (op.row->listsNumbers) {
    add(listedText(op, 0, op.row->parameters.size()).first);
    add("dtype=torch." + std::string(info(*op.made).name));
    addPlace();
    return {name + "(" + arguments + ")", kAtom};
  }
  const bool whole = op.made && isInteger(classOf(*op.made));
  std::size_t next = 0, p = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const double value = op.parameters[p++];
    if (parameter.kind == Parameter::Kind::sizes) {
      if (isHidden(parameter)) ++next;
      if (isHidden(parameter) || (!sized && ofTensor)) continue;
      const std::size_t end = parameter.high == 1 ? next + 1 : op.sizeNumbers.size();
      std::string list;
      for (; next < end; ++next) list += (list.empty() ? "" : ", ") + viewSize(op, next);
      add(parameter.high == 1 ? list : "(" + list + (op.sizeNumbers.size() == 1 ? ",)" : ")"));
      continue;
    }
    if (isHidden(parameter)) continue;
    const bool isSize = !op.parameterSizes.empty() && op.parameterSizes[p - 1] >= 0;
    if (isSize)
      add(size(op.parameterSizes[p - 1]).text);
    else if (op.made == DType::boolean)
      add(value != 0 ? "True" : "False");
    else
      add(printedNumber(value, whole || (!op.made && isShortWhole(value))));
  }
  if (op.made) add("dtype=torch." + std::string(info(*op.made).name));
  addPlace();
  return {name + "(" + arguments + ")", kAtom};
}

/// The list at a depth whose first number is parameter `next`, and the parameter after its last.
std::pair<std::string, std::size_t> ExpressionPrinter::listedText(const Op& op, std::size_t depth,
                                                                  std::size_t next) const {
  if (depth == op.sizeNumbers.size()) {
    const double value = op.parameters[next];
    const bool isSize = next < op.parameterSizes.size() && op.parameterSizes[next] >= 0;
    std::string text = isSize ? size(op.parameterSizes[next]).text
                       : op.made == DType::boolean
                           ? (value != 0 ? "True" : "False")
                           : printedNumber(value, isInteger(classOf(*op.made)));
    return {std::move(text), next + 1};
  }
  std::string text;
  for (std::int64_t i = 0; i < op.sizeNumbers[depth]; ++i) {
    auto [item, after] = listedText(op, depth + 1, next);
    text += (i > 0 ? ", " : "") + item;
    next = after;
  }
  return {"[" + text + "]", next};
}

}  // namespace fusebench
