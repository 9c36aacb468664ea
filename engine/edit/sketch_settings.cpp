// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of what one op is and what it is called with.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "engine/edit/layers.h"
#include "engine/edit/sketch_inputs.h"
#include "engine/edit/sketch_make.h"
#include "engine/edit/sketch_rewrite.h"
#include "engine/edit/sketch_write.h"
#include "engine/language/expression_text.h"

namespace fusebench {
namespace {

void checkUnderstood(const Op& op) {
  if (!op.row) throw EditRefused("this line is not understood; edit its text");
}

std::string range(const Parameter& p) {
  const auto shown = [](double value) {
    return std::isinf(value) ? (value > 0 ? "infinity" : "-infinity")
                             : printedNumber(value, value == std::round(value));
  };
  return "from " + std::string(shown(p.low)) + " to " + shown(p.high);
}

void checkParameter(const OpRow& row, const Parameter& p, double value) {
  const std::string name = std::string(p.name) + " of " + std::string(row.name);
  if (p.kind == Parameter::Kind::dims)
    throw EditRefused(name + " is a list of dimensions, not a number");
  if (p.kind == Parameter::Kind::flag && value != 0 && value != 1)
    throw EditRefused(name + " is True or False: 1 or 0");
  if (p.kind == Parameter::Kind::integer && value != std::round(value))
    throw EditRefused(name + " must be a whole number");
  if (std::isnan(value) || value < p.low || value > p.high)
    throw EditRefused(name + " is out of range; it goes " + range(p));
}

/// Ops of other rounds or calls that come from the same place in the text share what is set there.
template <class Set>
void setAlike(SketchModel& model, const Op& set, Set each) {
  const Op like = set;
  for (SketchNode& node : model.nodes) {
    Op& op = node.op;
    const bool alike = op.row == like.row && op.frame != like.frame && op.frame >= 0 &&
                       op.place.line == like.place.line && op.place.column == like.place.column;
    if (alike) each(op);
  }
}

bool isName(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9');
  });
}

}  // namespace

SketchEdit setNumber(const Sketch& sketch, Port port, double number) {
  SketchModel model(sketch);
  if (port.op < 0) throw EditRefused("a program returns tensors; an output cannot be a number");
  Op& op = opAt(model, port.op).op;
  checkUnderstood(op);
  if (port.operand < 0 || port.operand >= static_cast<int>(op.operands.size()))
    throw EditRefused(shownOp(sketch, port.op) + " has no such operand");
  const auto at = static_cast<std::size_t>(port.operand);
  if ((op.row->truthOperands >> at) & 1u)
    throw EditRefused("this operand must be truth values, such as x > 0; connect a comparison");
  const bool onlyValue = std::all_of(op.operands.begin(), op.operands.end(), [&](const Operand& o) {
    return o.isNumber() || &o == &op.operands[at];
  });
  if (onlyValue)
    throw EditRefused(shownOp(sketch, port.op) +
                      " needs at least one tensor; connect its other operand first");
  const bool whole = number == std::round(number) && op.operands[at].integer;
  if (op.operands[at].size >= 0)
    throw EditRefused("this number is a size of a tensor; edit its text");
  setAlike(model, op, [&](Op& other) {
    if (other.operands[at].isNumber() && other.operands[at].size < 0)
      other.operands[at] = {-1, number, whole};
  });
  op.operands[at] = {-1, number, whole};
  settleRow(op);
  return writeSketch(std::move(model));
}

SketchEdit setParameter(const Sketch& sketch, int op, int parameter, double value) {
  SketchModel model(sketch);
  Op& changed = opAt(model, op).op;
  checkUnderstood(changed);
  if (parameter < 0 || parameter >= static_cast<int>(changed.parameters.size()))
    throw EditRefused(shownOp(sketch, op) + " has no such parameter");
  const Parameter& p = changed.row->parameters.begin()[parameter];
  checkParameter(*changed.row, p, value);
  const auto set = [&](Op& each) {
    each.parameters[static_cast<std::size_t>(parameter)] = value;
    if (p.name == "keepdim") each.keepDims = value != 0;
  };
  setAlike(model, changed, set);
  set(changed);
  return writeSketch(std::move(model));
}

SketchEdit setDims(const Sketch& sketch, int op, std::optional<std::vector<int>> dims, bool keep) {
  SketchModel model(sketch);
  Op& changed = opAt(model, op).op;
  checkUnderstood(changed);
  if (changed.row->kind != OpKind::reduce)
    throw EditRefused(shownOp(sketch, op) + " is not a reduction; it has no dimensions to set");
  if (dims && dims->empty()) dims.reset();
  std::size_t i = 0;
  for (const Parameter& p : changed.row->parameters) {
    if (p.kind == Parameter::Kind::dims && p.high == 1 && dims && dims->size() > 1)
      throw EditRefused(shownOp(sketch, op) + " reduces over one dimension or all");
    if (p.name == "keepdim") changed.parameters[i] = keep ? 1 : 0;
    ++i;
  }
  for (int dim : dims.value_or(std::vector<int>{}))
    if (dim < -kMaxRank || dim >= kMaxRank)
      throw EditRefused("there is no dimension " + std::to_string(dim) + "; tensors have at most " +
                        std::to_string(kMaxRank));
  changed.dims = std::move(dims);
  changed.keepDims = keep;
  return writeSketch(std::move(model));
}

SketchEdit replaceOp(const Sketch& sketch, int op, const OpRow& row, const KnownValues& known) {
  if (isLayer(row))
    throw EditRefused("a layer is several ops; add it to the chain and delete this op");
  SketchModel model(sketch);
  const Op before = opAt(model, op).op;
  const int by = standIn(before);
  if (by < 0) throw EditRefused("this line reads nothing that another op could be applied to");
  const ValueId value = before.operands[static_cast<std::size_t>(by)].value;
  const int main = mainOperand(row);
  unsigned kept = 0;  // operands of before
  for (int i = 0; before.row && i < row.arity && i < before.row->arity; ++i) {
    const Operand& old = before.operands[static_cast<std::size_t>(i)];
    const bool truths = ((row.truthOperands >> i) & 1u) != ((before.row->truthOperands >> i) & 1u);
    if (!truths && !(old.isNumber() && (i == main || !takesNumber(row, i)))) kept |= 1u << i;
  }
  std::vector<int> made;
  const int node = makeOp(model, row, value, made, knownOf(sketch, model, value, known), kept);
  Op now = model.nodes[static_cast<std::size_t>(node)].op;
  for (int i = 0; i < row.arity; ++i)
    if ((kept >> i) & 1u)
      now.operands[static_cast<std::size_t>(i)] = before.operands[static_cast<std::size_t>(i)];
  std::size_t at = 0;
  for (const Parameter& p : row.parameters) {
    std::size_t from = 0;
    for (const Parameter& old : before.row ? before.row->parameters : row.parameters) {
      if (before.row && old.name == p.name && old.kind == p.kind &&
          before.parameters[from] >= p.low && before.parameters[from] <= p.high)
        now.parameters[at] = before.parameters[from];
      ++from;
    }
    ++at;
  }
  if (row.kind == OpKind::reduce && before.row && before.row->kind == OpKind::reduce) {
    now.dims = before.dims;
    now.keepDims = before.keepDims;
  }
  settleRow(now);
  SketchLine& line = model.line(model.lineOf(op));
  line.understood = true;
  line.nodes.insert(line.nodes.end(), made.begin(), made.end() - 1);
  model.nodes[static_cast<std::size_t>(op)].op = std::move(now);
  return writeSketch(std::move(model));
}

SketchEdit renameValue(const Sketch& sketch, ValueId value, std::string_view name) {
  SketchModel model(sketch);
  if (value < 0 || value >= sketch.program.valueCount())
    throw EditRefused("there is no such value in the program");
  const ValueId renamed = model.valueOf(value);
  const std::string fresh(name);
  if (!isName(name) || isPythonKeyword(name))
    throw EditRefused("'" + fresh + "' is not a name; a name is letters, digits and _, such as x1");
  for (std::string_view module : {"torch", "math", "np", "numpy", "F", "nn", "self"})
    if (name == module)
      throw EditRefused("'" + fresh + "' stands for a module; choose another name");
  if (std::binary_search(model.words.begin(), model.words.end(), fresh))
    throw EditRefused("'" + fresh + "' is taken; choose another name");
  if (!SketchModel::isNode(renamed)) {
    const std::string old = model.inputs[static_cast<std::size_t>(renamed)];
    model.inputs[static_cast<std::size_t>(renamed)] = fresh;
    for (SketchLine& line : model.lines)
      if (line.declares)
        line.source = withNamesReplaced(
            line.source, {}, [&](const std::string& word) { return word == old ? fresh : word; });
    return writeSketch(std::move(model));
  }
  const int line = model.lineNaming(renamed);
  if (line < 0 || model.lines[static_cast<std::size_t>(line)].target.empty())
    throw EditRefused("no statement names this value; it is inside an expression");
  model.lines[static_cast<std::size_t>(line)].target = fresh;
  return writeSketch(std::move(model));
}

}  // namespace fusebench
