// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/sketch_make.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/edit/sketch_inputs.h"
#include "engine/ops/op_choices.h"

namespace fusebench {
namespace {

bool needsTruth(const OpRow& row, int i) {
  return (row.truthOperands >> i) & 1u;
}

bool isTruth(const SketchModel& model, ValueId value) {
  if (!SketchModel::isNode(value)) return false;
  const OpRow* const row = model.node(value).op.row;
  return row && resultDType(*row) == DType::boolean;
}

/// The row that an op is printed as: that of its own, or the one that leads to it by a choice.
const OpRow& spelledRow(const OpRow& row) {
  if (row.spellings.size() > 0) return row;
  for (const OpChoice& choice : opChoices())
    if (choice.to == row.name) return namedOp(choice.from);
  return row;
}

/// Dimensions and sizes that most tensors have: first and last, all that is left.
void startView(Op& op) {
  int number = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const bool usual = !std::isnan(parameter.fallback);
    if (!usual && !parameter.required) continue;
    if (parameter.kind == Parameter::Kind::dims) {
      if (!op.dims) op.dims.emplace();
      op.dims->push_back(usual ? static_cast<int>(parameter.fallback) : number == 0 ? 0 : -1);
      ++number;
      continue;
    }
    // The first place, one of them, or all that is left.
    const double start = parameter.high != 1 ? -1 : op.sizes.empty() ? 0 : 1;
    op.sizes.push_back(-1);
    op.sizeNumbers.push_back(static_cast<std::int64_t>(usual ? parameter.fallback : start));
  }
}

Op newOp(const OpRow& row) {
  if (!canStart(row))
    throw EditRefused(std::string(row.name) + ": " +
                      "the dimensions or sizes depend on the tensor; write the call in the code");
  Op op;
  op.row = &row;
  op.parameters = startingParameters(row);
  if (row.kind == OpKind::view) startView(op);
  if (row.kind == OpKind::scan) op.dims = {0};
  setUsualWindows(op);
  return op;
}

}  // namespace

bool canStart(const OpRow& row) {
  if (row.kind == OpKind::contract && row.contract.indices.empty()) return false;
  if (row.kind == OpKind::make || row.arity == 0 || row.indexing.is) return false;
  if (row.kind != OpKind::view) return true;
  const auto isOpen = [](const Parameter& parameter) {
    return parameter.required && parameter.high != 1 && std::isnan(parameter.fallback);
  };
  return row.spellings.size() > 0 &&
         std::none_of(row.parameters.begin(), row.parameters.end(), isOpen);
}

int mainOperand(const OpRow& row) {
  for (int i = 0; i < row.arity; ++i)
    if (!needsTruth(row, i)) return i;
  return 0;
}

int standIn(const Op& op) {
  int truth = -1;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (op.operands[i].isNumber()) continue;
    if (!op.row || !needsTruth(*op.row, static_cast<int>(i))) return static_cast<int>(i);
    if (truth < 0) truth = static_cast<int>(i);
  }
  return truth;
}

double startingNumber(const OpRow& row) {
  return row.category == Category::arithmetic || row.category == Category::powers ? 1 : 0;
}

bool takesNumber(const OpRow& row, int i) {
  if (needsTruth(row, i) || isCalled(row)) return false;
  const OpRow& spelled = spelledRow(row);
  const bool isOperator = spelled.spellings.size() > 0 &&
                          spelled.spellings.begin()->find('.') == std::string_view::npos &&
                          spelled.arity == 2;
  return isOperator || ((spelled.numberOperands >> i) & 1u) || ((row.numberOperands >> i) & 1u);
}

std::vector<double> startingParameters(const OpRow& row) {
  // A row that a parameter's value leads to begins with that; one for any other value with a small
  // number that leads to no other row.
  constexpr double kAnyOther = 3;
  const OpChoice* const choice = parameterChoiceOf(row);
  std::vector<double> values;
  for (const Parameter& parameter : row.parameters) {
    if (choice && parameter.name == choice->keyword)
      values.push_back(std::isnan(choice->number) ? kAnyOther : choice->number);
    else if (parameter.kind == Parameter::Kind::dims ||
             (parameter.kind == Parameter::Kind::sizes && row.kind != OpKind::contract))
      values.push_back(0);
    else if (!std::isnan(parameter.fallback))
      values.push_back(parameter.fallback);
    else
      values.push_back(std::clamp(0.0, parameter.low, parameter.high));
  }
  return values;
}

void settleRow(Op& op) {
  if (const OpRow* chosen = chosenByParameter(*op.row, op.parameters)) {
    op.row = chosen;
    return;
  }
  for (const OpChoice& choice : opChoices()) {
    if (choice.by != OpChoice::By::exponent || choice.from != op.row->name) continue;
    if (!op.operands[1].isNumber() || op.operands[1].number != choice.number) continue;
    op.row = &namedOp(choice.to);
    op.operands.pop_back();
    op.parameters.resize(op.row->parameters.size());
    return;
  }
}

int makeOp(SketchModel& model, const OpRow& row, ValueId value, std::vector<int>& made,
           const std::optional<KnownValue>& known, unsigned given) {
  Op op = newOp(row);
  const int main = mainOperand(row);
  const bool truth = isTruth(model, value);
  const bool chooses = row.truthOperands != 0 && !needsTruth(row, main);
  for (int i = 0; i < row.arity; ++i) {
    if (needsTruth(row, i) && !truth) {
      Op compare = newOp(namedOp("gt"));
      compare.operands = {{value, 0, false}, {-1, 0, true}};
      made.push_back(model.addNode(std::move(compare)));
      op.operands.push_back({SketchModel::resultOf(made.back()), 0, false});
    } else if (i == main && chooses && truth && takesNumber(row, i)) {
      op.operands.push_back({-1, 1, false});  // a number, which the truth value chooses
    } else if (i == main || needsTruth(row, i) || ((given >> i) & 1u)) {
      op.operands.push_back({value, 0, false});
    } else if (!takesNumber(row, i)) {
      op.operands.push_back({addInput(model, fittingInput(row, i, known)), 0, false});
    } else {
      op.operands.push_back({-1, startingNumber(row), false});
    }
  }
  made.push_back(model.addNode(std::move(op)));
  return made.back();
}

SketchNode& opAt(SketchModel& model, int op) {
  if (op < 0 || op >= static_cast<int>(model.opCount))
    throw EditRefused("there is no such op in the program");
  return model.nodes[static_cast<std::size_t>(op)];
}

ValueId valueAt(const SketchModel& model, Port port) {
  if (port.op < 0) {
    const int line = model.returnLine();
    if (line < 0) throw EditRefused("the program has no return; write one first, such as return x");
    const std::vector<ValueId>& outputs = model.lines[static_cast<std::size_t>(line)].values;
    if (port.operand < 0 || port.operand >= static_cast<int>(outputs.size()))
      throw EditRefused("the program has no such output");
    return outputs[static_cast<std::size_t>(port.operand)];
  }
  if (port.op >= static_cast<int>(model.opCount))
    throw EditRefused("there is no such op in the program");
  const std::vector<Operand>& operands = model.nodes[static_cast<std::size_t>(port.op)].op.operands;
  if (port.operand < 0 || port.operand >= static_cast<int>(operands.size()))
    throw EditRefused("the op has no such operand");
  const Operand& operand = operands[static_cast<std::size_t>(port.operand)];
  if (operand.isNumber())
    throw EditRefused("this operand is a number; connect a value to it first");
  return operand.value;
}

void setPort(SketchModel& model, Port port, ValueId value) {
  if (port.op < 0)
    model.line(model.returnLine()).values[static_cast<std::size_t>(port.operand)] = value;
  else
    model.nodes[static_cast<std::size_t>(port.op)]
        .op.operands[static_cast<std::size_t>(port.operand)] = {value, 0, false};
}

int readerLine(SketchModel& model, Port port) {
  const int line = port.op < 0 ? model.returnLine() : model.lineOf(port.op);
  model.line(line);
  return line;
}

int lineAfter(const SketchModel& model, ValueId value) {
  if (SketchModel::isNode(value)) return model.lineOf(value - kFirstResult) + 1;
  for (std::size_t i = 0; i < model.lines.size(); ++i)
    if (model.lines[i].kind == SketchLine::Kind::statement ||
        model.lines[i].kind == SketchLine::Kind::returned)
      return static_cast<int>(i);
  return static_cast<int>(model.lines.size());
}

std::vector<int> withBlocks(const SketchModel& model, std::vector<int> ops) {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const int line = model.lineOf(ops[i]);
    if (line < 0) continue;
    const int item = model.lines[static_cast<std::size_t>(line)].item;
    for (const SketchLine& other : model.lines)
      if (item >= 0 && other.block == item && other.item != item)
        ops.insert(ops.end(), other.nodes.begin(), other.nodes.end());
  }
  std::sort(ops.begin(), ops.end());
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  return ops;
}

void takeOut(const Sketch& sketch, SketchModel& model, const std::vector<int>& ops) {
  for (int op : ops) {
    const SketchNode& node = model.nodes[static_cast<std::size_t>(op)];
    const ValueId result = SketchModel::resultOf(op);
    const int by = standIn(node.op);
    if (by < 0 && model.readers(result) > 0)
      throw EditRefused("nothing would be left for the readers of " + shownOp(sketch, op) +
                        ", which reads no value itself; remove its readers first");
    const ValueId value = by < 0 ? -1 : node.op.operands[static_cast<std::size_t>(by)].value;
    if (by >= 0) model.replaceReads(result, value);
    model.dropNode(op);
  }
}

}  // namespace fusebench
