// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that add, remove and join ops.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/edit/layers.h"
#include "engine/edit/sketch_inputs.h"
#include "engine/edit/sketch_make.h"
#include "engine/edit/sketch_write.h"

namespace fusebench {
namespace {

using LineKind = SketchLine::Kind;

/// Puts the chain of new nodes that ends in `last` on the edge into the port: inside of the
/// reader's statement where the edge is inside of it, else as a statement of its own before it.
void putOnEdge(SketchModel& model, std::vector<int> made, int last, Port port, bool apart) {
  const ValueId value = valueAt(model, port);
  const int reader = readerLine(model, port);
  setPort(model, port, SketchModel::resultOf(last));
  SketchLine& line = model.line(reader);
  if (!apart && model.within(line, value) && line.understood)
    line.nodes.insert(line.nodes.end(), made.begin(), made.end());
  else
    model.insertStatement(reader, std::move(made), SketchModel::resultOf(last));
}

SketchEdit insertRow(const Sketch& sketch, const OpRow& row, Port port, bool apart,
                     const KnownValues& known) {
  if (isLayer(row)) return insertLayer(sketch, row, port, known);
  SketchModel model(sketch);
  std::vector<int> made;
  const ValueId value = valueAt(model, port);
  const int op = makeOp(model, row, value, made, knownOf(sketch, model, value, known));
  putOnEdge(model, made, op, port, apart);
  return writeSketch(std::move(model));
}

void checkOps(const Sketch& sketch, std::span<const int> ops) {
  if (ops.empty()) throw EditRefused("no op is selected; select one or more first");
  for (int op : ops)
    if (op < 0 || op >= static_cast<int>(sketch.program.ops.size()))
      throw EditRefused("there is no such op in the program");
}

std::vector<int> sorted(std::span<const int> ops) {
  std::vector<int> result(ops.begin(), ops.end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

SketchEdit appendOp(const Sketch& sketch, const OpRow& row, const KnownValues& known) {
  SketchModel model(sketch);
  const ValueId output = valueAt(model, {-1, 0});
  const SketchLine& returned = model.line(model.returnLine());
  if (model.within(returned, output)) {
    const SketchNode& last = model.node(output);
    if (last.op.row && last.op.row->kind == OpKind::reduce) {
      // An input is not put before anything: what is connected to it comes later.
      if (&row == findOpOrLayer("input"))
        return branchLayer(
            sketch, row,
            sketch.program.ops[static_cast<std::size_t>(last.original)].operands[0].value, known);
      return insertRow(sketch, row, {last.original, 0}, true, known);
    }
  }
  return insertRow(sketch, row, {-1, 0}, true, known);
}

SketchEdit insertOnEdge(const Sketch& sketch, const OpRow& row, Port port,
                        const KnownValues& known) {
  return insertRow(sketch, row, port, port.op < 0, known);
}

SketchEdit branchFrom(const Sketch& sketch, const OpRow& row, ValueId value,
                      const KnownValues& known) {
  if (isLayer(row)) return branchLayer(sketch, row, value, known);
  SketchModel model(sketch);
  if (value < 0 || value >= sketch.program.valueCount())
    throw EditRefused("there is no such value in the program");
  valueAt(model, {-1, 0});
  const ValueId from = model.valueOf(value);
  std::vector<int> made;
  const int op = makeOp(model, row, from, made, knownOf(sketch, model, from, known));
  model.line(model.returnLine()).values.push_back(SketchModel::resultOf(op));
  const int at = std::min(lineAfter(model, from), model.returnLine());
  const int line = model.insertStatement(at, std::move(made), SketchModel::resultOf(op));
  model.line(line).ownName = true;
  return writeSketch(std::move(model));
}

SketchEdit removeOps(const Sketch& sketch, std::span<const int> ops) {
  checkOps(sketch, ops);
  SketchModel model(sketch);
  takeOut(sketch, model, withBlocks(model, sorted(ops)));
  return writeSketch(std::move(model));
}

SketchEdit duplicateOps(const Sketch& sketch, std::span<const int> selected) {
  checkOps(sketch, selected);
  SketchModel model(sketch);
  const std::vector<int> ops = sorted(selected);
  for (int op : ops)
    if (!opAt(model, op).op.row)
      throw EditRefused("a line that is not understood cannot be duplicated; fix it first");
  const ValueId result = SketchModel::resultOf(ops.back());
  const Op& first = opAt(model, ops.front()).op;
  // What reads no value, such as torch.zeros, begins a copy of its own.
  std::map<ValueId, ValueId> copies;
  if (const int by = standIn(first); by >= 0)
    copies[first.operands[static_cast<std::size_t>(by)].value] = result;
  std::map<int, std::vector<int>> groups;  // by line
  const int lastLine = model.lineOf(ops.back());
  std::vector<int> made;
  for (int op : ops) {
    Op copy = opAt(model, op).op;
    for (Operand& operand : copy.operands)
      if (const auto found = copies.find(operand.value);
          !operand.isNumber() && found != copies.end())
        operand.value = found->second;
    const int node = model.addNode(std::move(copy));
    copies[SketchModel::resultOf(op)] = SketchModel::resultOf(node);
    groups[model.lineOf(op)].push_back(node);
    made.push_back(node);
  }
  const ValueId last = SketchModel::resultOf(made.back());
  // Those who read the last one read its copy; the copies read it.
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    if (std::find(made.begin(), made.end(), static_cast<int>(n)) == made.end())
      for (Operand& operand : model.nodes[n].op.operands)
        if (operand.value == result) operand.value = last;
  for (SketchLine& line : model.lines)
    for (ValueId& value : line.values)
      if (value == result && (line.kind == LineKind::returned || !model.within(line, value)))
        value = last;
  SketchLine& end = model.line(lastLine);
  const bool named = end.kind == LineKind::statement && end.values[0] == result;
  if (groups.size() == 1 && !named) {
    end.nodes.insert(end.nodes.end(), made.begin(), made.end());
    return writeSketch(std::move(model));
  }
  int at = lastLine + (named ? 1 : 0);
  for (const auto& [line, nodes] : groups)
    at = model.insertStatement(at, nodes, SketchModel::resultOf(nodes.back())) + 1;
  return writeSketch(std::move(model));
}

SketchEdit moveOps(const Sketch& sketch, std::span<const int> ops, Port port) {
  checkOps(sketch, ops);
  SketchModel model(sketch);
  valueAt(model, port);
  const std::vector<int> moved = sorted(ops);
  for (int op : moved)
    if (!opAt(model, op).op.row || standIn(opAt(model, op).op) < 0)
      throw EditRefused("a line that is not understood cannot be moved; fix it first");
  if (std::find(moved.begin(), moved.end(), port.op) != moved.end()) {
    SketchEdit same{sketch.text, {}, {}};
    for (std::size_t i = 0; i < sketch.program.ops.size(); ++i)
      same.opsNow.push_back(static_cast<int>(i));
    return same;  // dropped where they are
  }
  // Statements that are moved whole keep their text.
  std::map<int, SketchLine> carried;
  for (int op : moved) {
    const SketchLine& line = model.line(model.lineOf(op));
    if (line.kind == LineKind::statement && line.nodes == std::vector<int>{op}) carried[op] = line;
  }
  takeOut(sketch, model, moved);
  std::erase_if(model.lines, [](const SketchLine& line) {
    return line.kind == LineKind::statement && line.hadNodes && line.nodes.empty();
  });
  for (int op : moved) {
    const ValueId value = valueAt(model, port);
    Op& it = model.nodes[static_cast<std::size_t>(op)].op;
    for (std::size_t i = 0; i < it.operands.size(); ++i)
      if (static_cast<int>(i) != standIn(it) && !it.operands[i].isNumber() && port.op >= 0 &&
          model.dependsOn(it.operands[i].value, SketchModel::resultOf(port.op)))
        throw EditRefused(
            shownOp(sketch, op) + " also reads what comes after " + shownOp(sketch, port.op) +
            ", so it cannot come before it; connect its other operand elsewhere first");
    it.operands[static_cast<std::size_t>(standIn(it))].value = value;
    putOnEdge(model, {op}, op, port, false);
    const int line = model.lineOf(op);
    if (const auto found = carried.find(op);
        found != carried.end() && model.line(line).nodes.size() == 1) {
      SketchLine whole = found->second;
      whole.values = {SketchModel::resultOf(op)};
      whole.nodes = {op};
      model.line(line) = std::move(whole);
    }
  }
  return writeSketch(std::move(model));
}

SketchEdit connect(const Sketch& sketch, ValueId value, Port port) {
  SketchModel model(sketch);
  if (value < 0 || value >= sketch.program.valueCount())
    throw EditRefused("there is no such value in the program");
  const ValueId from = model.valueOf(value);
  if (port.op >= 0) {
    const Op& reader = opAt(model, port.op).op;
    if (port.operand < 0 || port.operand >= static_cast<int>(reader.operands.size()))
      throw EditRefused(shownOp(sketch, port.op) + " has no such operand");
    if (model.dependsOn(from, SketchModel::resultOf(port.op))) {
      const std::string made = shownOp(sketch, from - kFirstResult);
      throw EditRefused(
          from == SketchModel::resultOf(port.op)
              ? made + " cannot read its own result; connect something that comes before it"
              : "this would make a cycle: " + made + " needs the result of " +
                    shownOp(sketch, port.op) +
                    "; disconnect that first, or connect a value that does not depend on it");
    }
  } else {
    valueAt(model, port);
  }
  setPort(model, port, from);
  return writeSketch(std::move(model));
}

}  // namespace fusebench
