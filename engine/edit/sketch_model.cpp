// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/sketch_model.h"

#include <algorithm>
#include <cctype>

namespace fusebench {
namespace {

using LineKind = SketchLine::Kind;
using ItemKind = SketchItem::Kind;

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

LineKind lineKind(ItemKind kind) {
  switch (kind) {
    case ItemKind::statement:
      return LineKind::statement;
    case ItemKind::returned:
      return LineKind::returned;
    case ItemKind::other:
      return LineKind::code;
    default:
      return LineKind::verbatim;
  }
}

}  // namespace

SketchModel::SketchModel(const Sketch& sketch) {
  const SketchReading reading = readSketch(sketch.text, sketch.hints);
  const Program& program = reading.sketch.program;
  inputs = program.inputs;
  declared = reading.declared;
  textBefore = sketch.text;
  hints = sketch.hints;
  for (const HeldInput& held : program.held)
    heldNames.push_back(program.inputs[static_cast<std::size_t>(held.input)]);
  constants = reading.constants;
  problems = reading.sketch.problems.size();
  opCount = program.ops.size();
  mayReuse = program.isChain() || program.statements.empty();
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    SketchNode node{program.ops[i], static_cast<int>(i), {}, {}, nullptr};
    for (Operand& operand : node.op.operands)
      if (!operand.isNumber()) operand.value = valueOf(operand.value);
    if (node.op.writesInto()) node.op.into = valueOf(node.op.into);
    node.before = node.op.operands;
    node.parametersBefore = node.op.parameters;
    node.rowBefore = node.op.row;
    nodes.push_back(std::move(node));
  }
  addItems(reading);
  std::vector<LexerProblem> ignored;
  for (const Token& token : tokenizeTolerantly(sketch.text, ignored))
    if (token.kind == Token::Kind::name) words.push_back(token.value);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

ValueId SketchModel::valueOf(ValueId programValue) const {
  const auto count = static_cast<ValueId>(inputs.size());
  return programValue < count ? programValue : kFirstResult + programValue - count;
}

/// Cuts the text into lines: the text between the items stays as it is.
void SketchModel::addItems(const SketchReading& reading) {
  const std::string_view text = reading.sketch.text;
  const Program& program = reading.sketch.program;
  std::size_t at = 0;
  std::string joined;  // indentation of what follows on the line of the item before
  bool follows = false;
  for (std::size_t i = 0; i < reading.items.size(); ++i) {
    const SketchItem& item = reading.items[i];
    SketchLine line;
    line.kind = lineKind(item.kind);
    line.item = static_cast<int>(i);
    line.block = item.block;
    line.understood = item.understood;
    line.header = item.kind == ItemKind::header;
    line.declares = item.declares;
    std::size_t begin = text.substr(0, item.range.begin).rfind('\n') + 1;
    if (follows || begin < at) {
      line.prefix = joined;
    } else {
      addGap(text.substr(at, begin - at));
      line.prefix = text.substr(begin, item.range.begin - begin);
    }
    line.source = text.substr(item.range.begin, item.range.end - item.range.begin);
    const std::size_t lineEnd = std::min(text.find('\n', item.range.end), text.size() - 1) + 1;
    const bool more = i + 1 < reading.items.size() &&
                      reading.items[i + 1].range.begin < std::max(lineEnd, item.range.end);
    at = more ? reading.items[i + 1].range.begin : std::max(lineEnd, item.range.end);
    if (more) {  // several statements on one line: each gets its own
      line.suffix = "\n";
      joined = line.prefix + (line.header ? "    " : "");
    } else {
      std::string_view rest = text.substr(item.range.end, at - item.range.end);
      const std::size_t semicolon = rest.find_first_not_of(" \t");
      if (semicolon != std::string_view::npos && rest[semicolon] == ';')
        rest.remove_prefix(semicolon + 1);
      line.suffix = rest;
    }
    follows = more;
    if (item.kind == ItemKind::statement) {
      const Statement& statement = program.statements[static_cast<std::size_t>(item.statement)];
      line.target = statement.target;
      line.alsoNames = item.names;
      line.fixed = item.compound;
      const int firstItem = item.firstStatement < 0 ? item.statement : item.firstStatement;
      const auto firstStatement = static_cast<std::size_t>(firstItem);
      const int end = statement.firstOp + statement.opCount;
      for (int op = program.statements[firstStatement].firstOp; op < end; ++op)
        line.nodes.push_back(op);
      line.values = {valueOf(statement.value)};
      for (int s = firstItem; s < item.statement; ++s) {
        const Statement& earlier = program.statements[static_cast<std::size_t>(s)];
        line.values.push_back(valueOf(earlier.value));
        line.alsoNames.push_back(earlier.target);
      }
    } else if (item.kind == ItemKind::returned) {
      line.fixed = item.compound;
      for (std::size_t op = 0; op < program.ops.size(); ++op)
        if (program.ops[op].statement < 0 ||
            (item.firstStatement >= 0 && program.ops[op].statement >= item.firstStatement))
          line.nodes.push_back(static_cast<int>(op));
      for (ValueId output : program.outputs) line.values.push_back(valueOf(output));
    }
    // Statements that write in place keep their position and their text.
    for (const int node : line.nodes)
      line.fixed = line.fixed || nodes[static_cast<std::size_t>(node)].op.writesInto();
    line.valuesBefore = line.values;
    line.hadNodes = !line.nodes.empty();
    for (const auto& [name, value] : item.reads) line.reads.emplace_back(name, valueOf(value));
    lines.push_back(std::move(line));
  }
  addGap(text.substr(std::min(at, text.size())));
}

void SketchModel::addGap(std::string_view gap) {
  if (gap.empty()) return;
  SketchLine line;
  line.suffix = gap;
  lines.push_back(std::move(line));
}

int SketchModel::addNode(Op op) {
  SketchNode node;
  node.before = op.operands;
  node.parametersBefore = op.parameters;
  node.rowBefore = op.row;
  node.op = std::move(op);
  nodes.push_back(std::move(node));
  return static_cast<int>(nodes.size()) - 1;
}

int SketchModel::lineOf(int node) const {
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (contains(lines[i].nodes, node)) return static_cast<int>(i);
  return -1;
}

SketchLine& SketchModel::line(int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= lines.size())
    throw EditRefused("this is not in a line that can be edited here; edit the text");
  return lines[static_cast<std::size_t>(index)];
}

int SketchModel::returnLine() const {
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].kind == LineKind::returned) return static_cast<int>(i);
  return -1;
}

int SketchModel::lineNaming(ValueId value) const {
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].kind == LineKind::statement && lines[i].values[0] == value && !lines[i].fixed &&
        within(lines[i], value))
      return static_cast<int>(i);
  return -1;
}

bool SketchModel::within(const SketchLine& line, ValueId value) const {
  return isNode(value) && contains(line.nodes, value - kFirstResult);
}

int SketchModel::insertLine(int at, SketchLine line) {
  lines.insert(lines.begin() + at, std::move(line));
  return at;
}

int SketchModel::insertStatement(int at, std::vector<int> nodes_, ValueId value) {
  // After the last line there is no line whose block it could be in.
  while (at > 0 && at < static_cast<int>(lines.size()) &&
         lines[static_cast<std::size_t>(at)].block >= 0) {
    const int block = lines[static_cast<std::size_t>(at)].block;
    const auto header = std::find_if(lines.begin(), lines.end(),
                                     [&](const SketchLine& line) { return line.item == block; });
    if (header == lines.end() || header - lines.begin() >= at) break;
    at = static_cast<int>(header - lines.begin());
  }
  SketchLine line;
  line.kind = LineKind::statement;
  line.suffix = "\n";
  line.nodes = std::move(nodes_);
  line.values = {value};
  line.hadNodes = true;
  return insertLine(at, std::move(line));
}

void SketchModel::replaceReads(ValueId from, ValueId to) {
  for (SketchNode& each : nodes)
    for (Operand& operand : each.op.operands)
      if (operand.value == from) operand.value = to;
  for (SketchNode& each : nodes)
    if (each.op.into == from) each.op.into = to;
  for (SketchLine& line : lines)
    for (ValueId& value : line.values)
      if (value == from) value = to;
}

bool SketchModel::dependsOn(ValueId value, ValueId on) const {
  std::vector<bool> seen(nodes.size(), false);
  std::vector<ValueId> open{value};
  while (!open.empty()) {
    const ValueId at = open.back();
    open.pop_back();
    if (at == on) return true;
    if (!isNode(at) || seen[static_cast<std::size_t>(at - kFirstResult)]) continue;
    seen[static_cast<std::size_t>(at - kFirstResult)] = true;
    for (const Operand& operand : node(at).op.operands)
      if (!operand.isNumber()) open.push_back(operand.value);
  }
  return false;
}

int SketchModel::readers(ValueId value) const {
  int count = 0;
  for (const SketchLine& line : lines) {
    for (int each : line.nodes)
      for (const Operand& operand : nodes[static_cast<std::size_t>(each)].op.operands)
        count += operand.value == value ? 1 : 0;
    for (ValueId output : line.values)
      count += output == value && (line.kind == LineKind::returned || !within(line, value)) ? 1 : 0;
  }
  return count;
}

void SketchModel::dropNode(int dropped) {
  for (SketchLine& line : lines) std::erase(line.nodes, dropped);
}

std::string shownOp(const Sketch& sketch, int op) {
  const Op& found = sketch.program.ops[static_cast<std::size_t>(op)];
  if (found.row) {
    // As its node shows it: "*", not "mul".
    const auto spelling = found.row->spellings.begin();
    if (spelling != found.row->spellings.end() &&
        std::ispunct(static_cast<unsigned char>((*spelling)[0])))
      return "\"" + std::string(*spelling) + "\"";
    return std::string(found.row->name);
  }
  return "the line that is not understood";
}

}  // namespace fusebench
