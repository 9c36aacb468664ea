// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/expression_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "engine/ops/copies.h"
#include "engine/ops/op_choices.h"

namespace fusebench {
namespace {

Tightness tightnessOf(std::string_view symbol) {
  if (symbol == "**") return kPower;
  if (symbol == "*" || symbol == "/" || symbol == "//" || symbol == "%" || symbol == "@")
    return kProduct;
  if (symbol == "+" || symbol == "-") return kSum;
  return kComparison;
}

bool isOperator(std::string_view spelling) {
  return spelling.find('.') == std::string_view::npos;
}

/// The choice that leads to `row` from another one; null if it has a spelling of its own.
const OpChoice* choiceOf(const OpRow& row) {
  for (const OpChoice& choice : opChoices())
    if (choice.to == row.name && row.spellings.size() == 0) return &choice;
  return nullptr;
}

/// A number that stands for a tensor: an int stays one where integers may stay integers, and is of
/// float32 where what it goes into takes floats alone.
std::string numberAsTensor(const Operand& operand, AcceptedTypes takes) {
  if (operand.truth) return operand.number != 0 ? "True" : "False";
  const bool floats = takes == AcceptedTypes::floats || takes == AcceptedTypes::promoted;
  return printedNumber(operand.number, operand.integer && !floats);
}

/// A whole number that PyTorch would make floats of integers for, if it were written as a float.
bool isWrittenWhole(const OpRow& row, double value) {
  return row.takes != AcceptedTypes::floats && row.takes != AcceptedTypes::promoted &&
         std::isfinite(value) && value == std::trunc(value) && std::fabs(value) < 1e15;
}

/// Without dim, PyTorch takes a correction only together with dim=None.
std::string correctionOfAll(double value) {
  if (value == 0) return "unbiased=False";
  return "dim=None, correction=" + printedNumber(value, true);
}

std::string dims(const std::vector<int>& dims) {
  if (dims.size() == 1) return std::to_string(dims[0]);
  std::string text = "(";
  for (std::size_t i = 0; i < dims.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(dims[i]);
  return text + ")";
}

/// A contraction's per-window numbers, starting at `first`; empty: all have their defaults.
template <typename SizeText>
std::string windowsText(const Op& op, const Parameter& parameter, std::size_t first,
                        SizeText sizeText) {
  const auto count = static_cast<std::size_t>(parameter.high);
  bool same = !parameter.required;
  std::string text;
  for (std::size_t w = first; w < first + count; ++w) {
    same = same && op.sizes[w] < 0 &&
           op.sizeNumbers[w] == static_cast<std::int64_t>(parameter.fallback);
    text += (w > first ? ", " : "") +
            (op.sizes[w] >= 0 ? sizeText(op.sizes[w]) : std::to_string(op.sizeNumbers[w]));
  }
  if (same) return {};
  return count == 1 ? text : "(" + text + ")";
}

/// Adds the parameters that differ from their defaults. `limits`: those that are infinite limits
/// instead, for clamp without any, which PyTorch does not accept.
template <typename Add, typename SizeText>
bool parameters(const Op& op, Add add, bool limits, SizeText sizeText) {
  bool any = false;
  std::size_t i = 0, nextSize = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const double value = op.parameters[i++];
    if (isHidden(parameter)) continue;
    const bool same =
        value == parameter.fallback || (std::isnan(value) && std::isnan(parameter.fallback));
    std::string text;
    if (parameter.kind == Parameter::Kind::dims) {
      if (op.dims)
        text = dims(*op.dims);
      else if (op.keepDims)
        text = "()";
    } else if (parameter.kind == Parameter::Kind::sizes) {
      const auto count = static_cast<std::size_t>(parameter.high);
      text = windowsText(op, parameter, nextSize, sizeText);
      nextSize += count;
    } else if (parameter.kind == Parameter::Kind::flag) {
      if (!same) text = value != 0 ? "True" : "False";
    } else if (!op.parameterSizes.empty() && op.parameterSizes[i - 1] >= 0) {
      text = sizeText(op.parameterSizes[i - 1]);
    } else if (!parameter.names.empty()) {
      if (!same) text = parameter.names[static_cast<std::size_t>(value)];
    } else if (parameter.required || !same || op.row->spellings.size() == 0) {
      text = printedNumber(value, parameter.kind == Parameter::Kind::integer || parameter.whole ||
                                      isWrittenWhole(*op.row, value));
    }
    if (limits)
      text = std::isinf(value) && value >= parameter.low ? printedNumber(value, false) : "";
    if (text.empty()) continue;
    const bool unbiased = parameter.name == "correction" && !op.dims && !op.keepDims;
    add(unbiased ? correctionOfAll(value) : std::string(parameter.name) + "=" + text);
    any = true;
  }
  return any;
}

}  // namespace

std::string printedNumber(double number, bool integer) {
  if (std::isnan(number)) return "float('nan')";
  if (std::isinf(number)) return number > 0 ? "float('inf')" : "float('-inf')";
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  std::string text(buffer.data(), end);
  if (integer && text.find_first_of("e.") != std::string::npos) {
    const auto whole = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                     std::chars_format::fixed)
                           .ptr;
    text.assign(buffer.data(), whole);
  }
  if (!integer && text.find_first_of("e.") == std::string::npos) text += ".0";
  return text;
}

std::string within(const Piece& piece, Tightness least) {
  return piece.tightness >= least ? piece.text : "(" + piece.text + ")";
}

Piece ExpressionPrinter::expression(const Op& op) const {
  if (op.row->kind == OpKind::gradient)
    return {"torch.autograd.grad(" + operand(op, 0).text + ", " + operand(op, 1).text +
                ", retain_graph=True)[0]",
            kAtom};
  if (!op.recorded) {
    Op recorded = op;
    recorded.recorded = true;
    return {within(expression(recorded), kAtom) + ".detach()", kAtom};
  }
  if (op.row->kind == OpKind::view) return viewForm(op);
  if (op.row->kind == OpKind::make) return makingForm(op);
  if (op.row->kind == OpKind::copy) return copyForm(op);
  if (op.row->kind == OpKind::order) return orderForm(op);
  if (op.row->indexing.is && op.dims) return indexForm(op);
  const OpChoice* choice = choiceOf(*op.row);
  const OpRow& row = choice ? namedOp(choice->from) : *op.row;
  if (choice && choice->by == OpChoice::By::exponent)
    return {within(operand(op, 0), kAtom) + " ** " +
                printedNumber(choice->number, choice->number == std::round(choice->number)),
            kPower};
  const std::string_view spelling = *row.spellings.begin();
  // A keyword needs the function's form: torch.add(x, y, alpha=2.0).
  if (isOperator(spelling) && !choice) return operatorForm(op, spelling);
  return functionForm(op, row, choice);
}

Piece ExpressionPrinter::copyForm(const Op& op) const {
  const std::string of = within(operand(op, 0), kAtom);
  const bool blocks = op.parameters.empty() || op.parameters.front() == 0;
  switch (moveOf(*op.row)) {
    case Move::toDevice:
      return {of + (blocks ? ".cuda()" : ".cuda(non_blocking=True)"), kAtom};
    case Move::toHost:
      return {of + (blocks ? ".cpu()" : ".to('cpu', non_blocking=True)"), kAtom};
    case Move::pin:
      return {of + ".pin_memory()", kAtom};
    case Move::fetch:
      return {of + ".item()", kAtom};
    case Move::again:
      break;
  }
  return {"torch.tensor(" + operand(op, 0).text + ")", kAtom};
}

Piece ExpressionPrinter::size(SizeId id) const {
  if (!sizes_) return {"(...)", kAtom};
  std::string text =
      sizes_->fullText(id, [this](ValueId value) { return within(pieceOf_(value), kAtom); });
  const bool plain = (*sizes_)[id].value >= 0 || text.find(' ') == std::string::npos;
  return {plain ? text : "(" + text + ")", kAtom};
}

namespace {

/// The cast after an argument of a function that autocast knows as one op.
std::string castText(const Op& op, const Operand& operand) {
  if (!operand.listed || !op.autocast.isOn()) return {};
  const Autocast rule = op.autocast.of(op.listed.rule);
  if (rule == Autocast::none) return {};
  if (rule == Autocast::single) return ".float()";
  return ".to(torch." + std::string(info(op.autocast.lower).name) + ")";
}

}  // namespace

Piece ExpressionPrinter::operand(const Op& op, int i) const {
  const Operand& operand = op.operands[static_cast<std::size_t>(i)];
  if (!operand.isNumber()) {
    const std::string after = (operand.detached ? ".detach()" : "") + castText(op, operand);
    if (after.empty()) return pieceOf_(operand.value);
    return {within(pieceOf_(operand.value), kAtom) + after, kAtom};
  }
  if (operand.size >= 0) return size(operand.size);
  if (operand.truth) return {operand.number != 0 ? "True" : "False", kAtom};
  const bool negative =
      std::signbit(operand.number) && !std::isnan(operand.number) && !std::isinf(operand.number);
  return {printedNumber(operand.number, operand.integer), negative ? kUnary : kAtom};
}

Piece ExpressionPrinter::operatorForm(const Op& op, std::string_view spelling) const {
  if (op.operands.size() == 1) {
    const std::string symbol(spelling.substr(spelling.size() - 1));
    return {symbol + within(operand(op, 0), kUnary), kUnary};
  }
  const Tightness tightness = tightnessOf(spelling);
  Piece left = operand(op, 0), right = operand(op, 1);
  // ** groups to the right, comparisons not at all, the others to the left.
  const Tightness leftLeast = tightness == kPower        ? kAtom
                              : tightness == kComparison ? kSum
                                                         : tightness;
  const Tightness rightLeast = tightness == kPower ? kUnary : static_cast<Tightness>(tightness + 1);
  std::string text = within(left, leftLeast);
  text += " ";
  text += spelling;
  text += " " + within(right, rightLeast);
  return {std::move(text), tightness};
}

Piece ExpressionPrinter::functionForm(const Op& op, const OpRow& row,
                                      const OpChoice* choice) const {
  std::string_view spelling = *row.spellings.begin();
  for (std::string_view each : row.spellings)  // an operator cannot take keywords
    if (isOperator(spelling) && each.substr(0, 6) == "torch.") spelling = each;
  std::string name(spelling);
  std::size_t first = 0;
  if (spelling.substr(0, 2) == "F.") name = functional_ + name.substr(2);
  if (spelling.substr(0, 2) == "x.") {
    name = within(operand(op, 0), kAtom) + name.substr(1);
    first = 1;
  }
  return {name + "(" + argumentsText(op, row, choice, first) + ")", kAtom};
}

std::string ExpressionPrinter::argumentsText(const Op& op, const OpRow& row, const OpChoice* choice,
                                             std::size_t first) const {
  std::string arguments;
  const auto add = [&](const std::string& argument) {
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  if (!op.equation.empty()) add("'" + op.equation + "'");
  for (std::size_t i = first; i < op.operands.size(); ++i) {
    const std::string text = operand(op, static_cast<int>(i)).text;
    // An operator's method takes numbers as the operator does.
    const bool bare = !op.operands[i].isNumber() || ((row.numberOperands >> i) & 1u) ||
                      (first == 1 && std::ranges::any_of(row.spellings, isOperator));
    const bool isSize = op.operands[i].size >= 0;
    add(bare     ? text
        : isSize ? "torch.tensor(float(" + text + "))"
                 : "torch.tensor(" + numberAsTensor(op.operands[i], row.takes) + ")");
  }
  const auto sizeText = [&](SizeId id) { return size(id).text; };
  bool keywords = parameters(op, add, false, sizeText);
  if (choice && choice->by == OpChoice::By::text) {
    add(std::string(choice->keyword) + "='" + std::string(choice->text) + "'");
    keywords = true;
  }
  for (const OpChoice& each : opChoices())
    if (each.by == OpChoice::By::dtype && each.to == op.row->name)
      add(std::string(each.keyword) + "=" + std::string(each.text));
  if (!keywords) parameters(op, add, true, sizeText);
  return arguments;
}

std::string ExpressionPrinter::statement(const Op& op, bool self) const {
  const Piece target = pieceOf_(op.into);
  const std::string into = within(target, kAtom);
  if (op.row->kind == OpKind::make) {  // one number everywhere
    const Piece number =
        op.parameterSizes.size() > 1 && op.parameterSizes[1] >= 0
            ? size(op.parameterSizes[1])
            : Piece{printedNumber(op.parameters.back(),
                                  op.parameters.back() == std::round(op.parameters.back())),
                    kAtom};
    return into + ".fill_(" + number.text + ")";
  }
  if (op.row->kind == OpKind::scatter) return scatterStatement(op, into);
  if (isCopy(*op.row)) return into + ".copy_(" + operand(op, 0).text + ")";
  const OpChoice* choice = choiceOf(*op.row);
  const OpRow& row = choice ? namedOp(choice->from) : *op.row;
  if (choice && choice->by == OpChoice::By::exponent)
    return into + "." + std::string(row.name) + "_(" +
           printedNumber(choice->number, choice->number == std::round(choice->number)) + ")";
  std::string_view method, function;
  for (const std::string_view each : row.spellings) {
    if (each.starts_with("x.") && method.empty()) method = each.substr(2);
    if (each.starts_with("torch.") && function.empty()) function = each;
  }
  if (self && !method.empty() && row.inPlace)
    return into + "." + std::string(method) + "_(" + argumentsText(op, row, choice, 1) + ")";
  if (!function.empty())
    return std::string(function) + "(" + argumentsText(op, row, choice, 0) +
           ", out=" + target.text + ")";
  return functional_ + std::string((*row.spellings.begin()).substr(2)) + "(" +
         argumentsText(op, row, choice, 0) + ", inplace=True)";
}

}  // namespace fusebench
