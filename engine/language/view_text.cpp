// SPDX-License-Identifier: GPL-3.0-or-later
// Views as PyTorch text: x.transpose(0, 1), x[:, 2:].
#include <string>
#include <vector>

#include "engine/language/expression_text.h"

namespace fusebench {
namespace {

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

/// `:` for every dimension before the one that is sliced, or `...` and those after it.
std::string subscript(int dim, const std::string& slice) {
  std::string text = dim < 0 ? "[..., " : "[";
  for (int d = 0; d < dim; ++d) text += ":, ";
  text += slice;
  for (int d = dim; d < -1; ++d) text += ", :";
  return text + "]";
}

}  // namespace

Piece ExpressionPrinter::viewForm(const Op& op) const {
  const OpRow& row = *op.row;
  const std::string self = within(operand(op, 0), kAtom);
  std::vector<std::string> sizes;
  for (std::size_t i = 0; i < op.sizeNumbers.size(); ++i) sizes.push_back(viewSize(op, i));
  if (&row == &partWrittenRow()) return operand(op, 0);  // the same tensor
  if (row.spellings.size() == 0) {                       // a slice: start, end, step
    std::string slice = sizes[0] == "0" ? ":" : sizes[0] + ":";
    if (op.sizeNumbers[1] != kToTheEnd || op.sizes[1] >= 0) slice += sizes[1];
    if (sizes[2] != "1") slice += ":" + sizes[2];
    return {self + subscript(op.dims->front(), slice), kAtom};
  }
  std::string_view spelling = *row.spellings.begin();
  for (const std::string_view each : row.spellings)
    if (each.substr(0, 2) == "x.") spelling = each;
  const std::string name = self + std::string(spelling.substr(1));
  if (row.property) return {name, kAtom};
  // Lists share out what is left among them; a list of the last parameter needs no brackets.
  std::vector<std::string> arguments, dims;
  if (op.dims)
    for (const int dim : *op.dims) dims.push_back(std::to_string(dim));
  std::size_t lists = 0, nextDim = 0, nextSize = 0;
  for (const Parameter& parameter : row.parameters)
    lists += parameter.kind == Parameter::Kind::dims && parameter.high != 1;
  for (const Parameter& parameter : row.parameters) {
    const bool ofDims = parameter.kind == Parameter::Kind::dims;
    std::vector<std::string>& from = ofDims ? dims : sizes;
    std::size_t& next = ofDims ? nextDim : nextSize;
    const std::size_t count = parameter.high == 1 ? 1
                              : ofDims            ? dims.size() / lists
                                                  : sizes.size() - nextSize;
    if (ofDims && !op.dims) continue;
    const std::vector<std::string> own(from.begin() + static_cast<std::ptrdiff_t>(next),
                                       from.begin() + static_cast<std::ptrdiff_t>(next + count));
    next += count;
    const bool brackets = parameter.high != 1 && (own.size() != 1 || lists > 1);
    arguments.push_back(brackets ? "(" + joined(own) + (own.size() == 1 ? ",)" : ")")
                                 : joined(own));
  }
  return {name + "(" + joined(arguments) + ")", kAtom};
}

/// What scatter_reduce is told to do, of a row that has no other text; null: it has.
static const char* reductionName(const OpRow& row) {
  if (row.kind != OpKind::scatter || row.indexing.sets) return nullptr;
  switch (row.accumulate) {
    case Accumulate::prod:
      return "'prod'";
    case Accumulate::max:
      return "'amax'";
    case Accumulate::min:
      return "'amin'";
    default:
      return nullptr;
  }
}

/// x[:, i], torch.gather(x, 1, i).
Piece ExpressionPrinter::indexForm(const Op& op) const {
  const OpRow& row = *op.row;
  const int dim = op.dims->front();
  const char* const by = reductionName(row);
  if (row.spellings.size() == 0 && !by)
    return {within(operand(op, 0), kAtom) + subscript(dim, operand(op, 1).text), kAtom};
  std::vector<std::string> arguments = {operand(op, 0).text, std::to_string(dim)};
  for (int o = 1; o < row.arity; ++o) arguments.push_back(operand(op, o).text);
  if (by) return {"torch.scatter_reduce(" + joined(arguments) + ", " + by + ")", kAtom};
  return {std::string(*row.spellings.begin()) + "(" + joined(arguments) + ")", kAtom};
}

std::vector<std::string> ExpressionPrinter::digitsOf(const Op& op, const std::string& into) const {
  const int over = indexedOver(op), dim = indexedDim(op);
  // Counted as arange(rows)[i] * columns + arange(columns)[j]: i and j are what was written.
  std::vector<std::string> written;
  ValueId value = op.operands[1].value;
  for (int d = over; opOf_ && d-- > 0;) {
    const Op* own = opOf_(value);
    const Op* before = nullptr;
    if (d > 0 && own && own->row->name == "add" && !own->operands[0].isNumber() &&
        !own->operands[1].isNumber()) {
      before = opOf_(own->operands[0].value);
      own = opOf_(own->operands[1].value);
      if (!before || before->row->name != "mul" || before->operands[0].isNumber()) break;
      value = before->operands[0].value;
    }
    const bool counts = own && own->row->kind == OpKind::gather && own->row->indexing.wraps &&
                        opOf_(own->operands[0].value) &&
                        opOf_(own->operands[0].value)->row->kind == OpKind::make;
    if (!counts || (d > 0 && !before)) break;
    written.insert(written.begin(), operand(*own, 1).text);
  }
  if (written.size() == static_cast<std::size_t>(over)) return written;
  // For any other index, its digits: x[i // 4, i % 4].
  std::vector<std::string> digits;
  std::string after;
  for (int d = over; d-- > 0;) {
    const std::string extent = into + ".shape[" + std::to_string(dim + d) + "]";
    std::string digit = within(operand(op, 1), kAtom);
    if (!after.empty()) digit += " // (" + after + ")";
    if (d > 0) digit += " % " + extent;
    after += (after.empty() ? "" : " * ") + extent;
    digits.insert(digits.begin(), digit);
  }
  return digits;
}

/// torch.argsort(x, dim=1), or, where some of the places are asked for, torch.topk(x, 3)[1].
Piece ExpressionPrinter::orderForm(const Op& op) const {
  std::size_t p = 0;
  bool descending = false;
  double first = -1;
  for (const Parameter& parameter : op.row->parameters) {
    if (parameter.name == "descending") descending = op.parameters[p] != 0;
    if (parameter.name == "_first") first = op.parameters[p];
    ++p;
  }
  if (first < 0) return functionForm(op, *op.row, nullptr);
  std::vector<std::string> arguments = {operand(op, 0).text, printedNumber(first, true)};
  if (op.dims) arguments.push_back("dim=" + std::to_string(op.dims->front()));
  if (!descending) arguments.emplace_back("largest=False");
  return {"torch.topk(" + joined(arguments) + ")[1]", kAtom};
}

std::string ExpressionPrinter::scatterStatement(const Op& op, const std::string& into) const {
  const OpRow& row = *op.row;
  const int dim = op.dims ? op.dims->front() : 0;
  const std::string index = operand(op, 1).text, value = operand(op, 2).text;
  if (const char* const by = reductionName(row))
    return into + ".scatter_reduce_(" + joined({std::to_string(dim), index, value, by}) + ")";
  if (const int over = indexedOver(op); over > 1) {
    const std::vector<std::string> digits = digitsOf(op, into);
    const int last = dim < 0 ? dim + over - 1 : dim;
    const std::string items = subscript(last, joined(digits));
    return row.indexing.sets
               ? into + items + " = " + value
               : into + ".index_put_((" + joined(digits) + "), " + value + ", accumulate=True)";
  }
  if (row.spellings.size() == 0)
    return row.indexing.sets
               ? into + subscript(dim, index) + " = " + value
               : into + ".index_put_((" + index + ",), " + value + ", accumulate=True)";
  return into + "." + std::string(row.name) + "_(" + joined({std::to_string(dim), index, value}) +
         ")";
}

std::string ExpressionPrinter::viewSize(const Op& op, std::size_t i) const {
  if (op.sizes[i] >= 0) return size(op.sizes[i]).text;
  return std::to_string(op.sizeNumbers[i]);
}

}  // namespace fusebench
