// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that paste text or take it out.
#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "engine/edit/sketch_inputs.h"
#include "engine/edit/sketch_make.h"
#include "engine/edit/sketch_rewrite.h"
#include "engine/edit/sketch_write.h"

namespace fusebench {
namespace {

using LineKind = SketchLine::Kind;

/// What names each value of a program where it is made; empty: nothing does.
std::string nameOf(const Program& program, ValueId value) {
  if (value < static_cast<ValueId>(program.inputs.size()))
    return program.inputs[static_cast<std::size_t>(value)];
  for (const Statement& statement : program.statements)
    if (statement.value == value && statement.opCount > 0) return statement.target;
  return {};
}

/// Inserts the lines of another text into a model.
class Paste {
 public:
  Paste(SketchModel& model, const SketchModel& from, ValueId joined)
      : model_(model), from_(from), joinedName_(nameIn(model, joined)) {
    for (std::size_t i = 0; i < from.inputs.size(); ++i)
      values_[static_cast<ValueId>(i)] = i == 0 ? joined : inputCalled(model, from.inputs[i]);
    for (std::size_t n = 0; n < from.nodes.size(); ++n) {
      SketchNode node = from.nodes[n];
      node.original = -1;
      values_[SketchModel::resultOf(static_cast<int>(n))] =
          SketchModel::resultOf(static_cast<int>(model.nodes.size()));
      for (Operand& operand : node.op.operands)
        if (!operand.isNumber()) operand.value = values_.at(operand.value);
      if (node.op.writesInto()) node.op.into = values_.at(node.op.into);
      node.before = node.op.operands;
      model.nodes.push_back(std::move(node));
    }
  }

  /// Inserts its statements before line `at`; the value of its result.
  ValueId insert(int at) {
    ValueId last = values_.begin()->second;
    for (const SketchLine& line : from_.lines) {
      if (line.kind != LineKind::statement && line.kind != LineKind::returned) continue;
      SketchLine copy = moved(line);
      last = copy.values[0];
      if (copy.kind == LineKind::returned) {
        if (copy.nodes.empty()) return last;
        copy.kind = LineKind::statement;
        copy.source.clear();
        copy.target.clear();
        copy.values.resize(1);
      }
      copy.valuesBefore = copy.values;
      const std::vector<int> nodes = copy.nodes;
      const int index = model_.insertStatement(at, nodes, copy.values[0]);
      model_.lines[static_cast<std::size_t>(index)] = std::move(copy);
      at = index + 1;
    }
    return last;
  }

 private:
  SketchLine moved(const SketchLine& line) {
    SketchLine copy = line;
    copy.item = copy.block = -1;
    copy.prefix.clear();
    copy.pasted = true;
    if (copy.suffix.empty() || copy.suffix.back() != '\n') copy.suffix += '\n';
    for (int& node : copy.nodes) node = values_.at(SketchModel::resultOf(node)) - kFirstResult;
    for (ValueId& value : copy.values) value = values_.at(value);
    for (auto& [name, value] : copy.reads) value = values_.at(value);
    if (!copy.target.empty()) copy.target = targetFor(copy.target);
    return copy;
  }

  static std::string nameIn(const SketchModel& model, ValueId value) {
    if (!SketchModel::isNode(value)) return model.inputs[static_cast<std::size_t>(value)];
    const int line = model.lineNaming(value);
    return line < 0 ? std::string() : model.lines[static_cast<std::size_t>(line)].target;
  }

  /// The name as pasted unless the program uses it for something else. A line that rebinds the
  /// pasted text's input then rebinds the value that is joined to it, so that a chain stays a
  /// chain.
  std::string targetFor(const std::string& name) {
    if (const auto found = targets_.find(name); found != targets_.end()) return found->second;
    const bool taken = std::binary_search(model_.words.begin(), model_.words.end(), name);
    const bool rebinds = name == from_.inputs.front() && !joinedName_.empty();
    return targets_[name] = !taken ? name : rebinds ? joinedName_ : model_.freshName();
  }

  SketchModel& model_;
  const SketchModel& from_;
  std::string joinedName_;
  std::map<ValueId, ValueId> values_;
  std::map<std::string, std::string> targets_;
};

/// The statements that the selected ops make, reading inputs for everything else.
class Copy {
 public:
  Copy(const Program& from, const std::vector<int>& ops) : from_(from), ops_(ops) {
    for (int index : ops) {
      const Op& op = from.ops[static_cast<std::size_t>(index)];
      for (const Operand& operand : op.operands)
        if (!operand.isNumber()) addInput(operand.value);
      if (op.writesInto()) addInput(op.into);
      forSizes(op, [&](SizeId id) {
        for (const SizeLeaf& leaf : from.sizes.leaves(id)) addInput(leaf.value);
      });
    }
    for (int op : ops) {
      const auto index = static_cast<ValueId>(values_.size());
      values_[from.result(op)] = index;
    }
  }

  Program run() {
    for (int op : ops_) add(op);
    // What writes in place is another name for what it writes to: returned if nothing else is.
    for (const bool writes : {false, true}) {
      if (writes && !result_.outputs.empty()) break;
      for (int op : ops_) {
        const ValueId value = from_.result(op);
        const bool unread = readers(value, true) == 0 &&
                            from_.ops[static_cast<std::size_t>(op)].writesInto() == writes;
        if (unread || readers(value, false) > 0) result_.outputs.push_back(values_.at(value));
      }
    }
    return std::move(result_);
  }

 private:
  bool selected(ValueId value) const {
    return std::binary_search(ops_.begin(), ops_.end(),
                              value - static_cast<ValueId>(from_.inputs.size()));
  }

  template <class AnyOp, class Do>
  static void forSizes(AnyOp& op, Do&& with) {
    for (auto& operand : op.operands)
      if (operand.size >= 0) with(operand.size);
    for (auto& id : op.parameterSizes)
      if (id >= 0) with(id);
    for (auto& id : op.sizes)
      if (id >= 0) with(id);
  }

  void addInput(ValueId value) {
    if (selected(value) || values_.contains(value)) return;
    std::string name = nameOf(from_, value);
    if (name.empty()) name = "x";
    const std::string plain = name;
    for (int n = 1;
         std::find(result_.inputs.begin(), result_.inputs.end(), name) != result_.inputs.end(); ++n)
      name = plain + std::to_string(n);
    values_[value] = static_cast<ValueId>(result_.inputs.size());
    result_.inputs.push_back(name);
  }

  /// How many selected (or other) ops and outputs read it.
  int readers(ValueId value, bool inside) const {
    int count = 0;
    for (std::size_t i = 0; i < from_.ops.size(); ++i)
      if (std::binary_search(ops_.begin(), ops_.end(), static_cast<int>(i)) == inside) {
        count += from_.ops[i].into == value ? 1 : 0;
        for (const Operand& operand : from_.ops[i].operands)
          count += operand.value == value ? 1 : 0;
      }
    if (!inside)
      count += static_cast<int>(std::count(from_.outputs.begin(), from_.outputs.end(), value));
    return count;
  }

  void add(int index) {
    const Op& source = from_.ops[static_cast<std::size_t>(index)];
    Op op = source;
    for (Operand& operand : op.operands)
      if (!operand.isNumber()) operand.value = values_.at(operand.value);
    if (op.writesInto()) op.into = values_.at(op.into);
    result_.writesInto = result_.writesInto || op.writesInto();
    std::map<SizeId, SizeId> taken;
    forSizes(op, [&](SizeId& id) {
      id = result_.sizes.adopt(from_.sizes, id, taken,
                               [this](ValueId value) { return values_.at(value); });
    });
    // Calls, rounds and recomputation for gradients stay with the program that they come from.
    op.frame = op.segment = op.derivativeOf = -1;
    op.after = -1;
    const std::string name = nameOf(from_, from_.result(index));
    op.statement = static_cast<int>(result_.statements.size());
    result_.ops.push_back(std::move(op));
    // The ops of a statement are adjacent; it ends with the one that it names.
    const bool inner = name.empty() && readers(from_.result(index), true) == 1 &&
                       readers(from_.result(index), false) == 0;
    const int count = static_cast<int>(result_.ops.size());
    if (inner) return;
    if (source.statement < 0 && name.empty() && readers(from_.result(index), true) == 0) {
      for (int op_ = named_; op_ < count; ++op_)
        result_.ops[static_cast<std::size_t>(op_)].statement = -1;
      return;
    }
    Statement statement;
    statement.target = name.empty() ? "t" + std::to_string(count) : name;
    statement.firstOp = named_;
    statement.opCount = count - named_;
    statement.value = values_.at(from_.result(index));
    named_ = count;
    result_.statements.push_back(std::move(statement));
  }

  const Program& from_;
  const std::vector<int>& ops_;
  std::map<ValueId, ValueId> values_;
  Program result_;
  int named_ = 0;
};

}  // namespace

std::string copyText(const Sketch& sketch, std::span<const int> ops) {
  std::vector<int> selected(ops.begin(), ops.end());
  std::sort(selected.begin(), selected.end());
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  if (selected.empty()) throw EditRefused("no op is selected; select one or more first");
  for (int op : selected) {
    if (op < 0 || op >= static_cast<int>(sketch.program.ops.size()))
      throw EditRefused("there is no such op in the program");
    if (!sketch.program.ops[static_cast<std::size_t>(op)].row)
      throw EditRefused("a line that is not understood cannot be copied as an op; copy its text");
  }
  return toText(Copy(sketch.program, selected).run());
}

ValueId insertText(SketchModel& model, std::string_view text, ValueId joined, int at,
                   const ProgramHints& hints) {
  const Sketch pasted = fusebench::sketch(text, hints);
  const bool any = std::any_of(pasted.program.ops.begin(), pasted.program.ops.end(),
                               [](const Op& op) { return op.row != nullptr; });
  if (!any)
    throw EditRefused(pasted.problems.empty() || pasted.program.ops.empty()
                          ? "the copied text contains no op; copy lines such as x = torch.exp(x)"
                          : "the copied text is not a program: " + pasted.problems.front().message);
  const SketchModel from(pasted);
  if (from.inputs.empty())
    throw EditRefused("the copied text reads no value that could be connected to the program");
  for (const SketchProblem& problem : pasted.problems) model.problems += problem.op >= 0 ? 1 : 0;
  return Paste(model, from, joined).insert(at);
}

SketchEdit pasteText(const Sketch& sketch, std::string_view text, Port port) {
  SketchModel model(sketch);
  const ValueId result = insertText(model, text, valueAt(model, port), readerLine(model, port));
  setPort(model, port, result);
  return writeSketch(std::move(model));
}

SketchEdit removeProblemLines(const Sketch& sketch) {
  SketchModel model(sketch);
  std::vector<int> ops;
  for (std::size_t i = 0; i < sketch.program.ops.size(); ++i)
    if (!sketch.program.ops[i].row) ops.push_back(static_cast<int>(i));
  std::vector<ValueId> before;  // what could be returned if nothing is
  for (const SketchLine& line : model.lines)
    if (line.kind == LineKind::statement && line.understood) before.push_back(line.values[0]);
  const int returned = model.returnLine();
  const bool returnLost =
      returned >= 0 && !model.lines[static_cast<std::size_t>(returned)].understood;
  for (int op : withBlocks(model, ops)) {
    const SketchNode& node = model.nodes[static_cast<std::size_t>(op)];
    const ValueId result = SketchModel::resultOf(op);
    const int line = model.lineOf(op), by = standIn(node.op);
    ValueId value = by < 0 ? -1 : node.op.operands[static_cast<std::size_t>(by)].value;
    const bool lost = line == returned && returnLost;
    if (by < 0 && lost && !before.empty()) value = before.back();
    if (value < 0 && model.readers(result) > 0) {
      const std::string name = lost ? "" : model.line(line).target;
      std::erase(model.words, name);
      value = inputCalled(model, name.empty() ? "x" : name);
    }
    if (value >= 0) model.replaceReads(result, value);
    model.dropNode(op);
  }
  // If a block's header is removed, its lines are indented like the header.
  for (std::size_t i = 0; i < model.lines.size(); ++i) {
    const SketchLine& line = model.lines[i];
    if (!line.header || line.understood) continue;
    const std::size_t outer = line.prefix.size();
    std::size_t inner = 0;
    for (std::size_t j = i + 1; j < model.lines.size(); ++j) {
      SketchLine& next = model.lines[j];
      if (next.source.empty()) continue;
      if (inner == 0) inner = next.prefix.size();
      if (next.prefix.size() <= outer || inner <= outer) break;
      next.prefix.erase(0, inner - outer);
    }
  }
  std::erase_if(model.lines, [](const SketchLine& line) {
    return !line.understood && (line.kind == LineKind::verbatim || line.nodes.empty()) &&
           line.kind != LineKind::returned;
  });
  if (returnLost) {
    SketchLine& line = model.line(model.returnLine());
    line.understood = true;
    line.source = "return";
  } else if (returned < 0) {
    if (before.empty()) throw EditRefused("nothing would be left; write a line such as x = x + 1");
    SketchLine line;
    line.kind = LineKind::returned;
    line.suffix = "\n";
    line.values = {before.back()};
    for (const SketchLine& other : model.lines)
      if (other.kind == LineKind::statement) line.prefix = other.prefix;
    model.lines.push_back(std::move(line));
  }
  model.problems = 0;
  return writeSketch(std::move(model));
}

}  // namespace fusebench
