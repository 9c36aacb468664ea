// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/sketch_write.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/edit/line_reader.h"
#include "engine/edit/sketch_rewrite.h"
#include "engine/language/expression_text.h"

namespace fusebench {
namespace {

using LineKind = SketchLine::Kind;

bool sameValue(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

class Writer {
 public:
  explicit Writer(SketchModel model)
      : model_(std::move(model)),
        reader_(model_.textBefore, model_.hints, model_.inputs, model_.heldNames, model_.constants),
        opOfNode_(model_.nodes.size(), -1),
        functional_(std::binary_search(model_.words.begin(), model_.words.end(), "F")
                        ? "F."
                        : "torch.nn.functional.") {}

  SketchEdit run() {
    for (std::size_t i = 0; i < model_.lines.size(); ++i) write(i);
    check();
    SketchEdit edit;
    edit.text = std::move(text_);
    edit.opsNow.assign(model_.opCount, -1);
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
      const int original = model_.nodes[n].original;
      if (opOfNode_[n] < 0) continue;
      if (original >= 0)
        edit.opsNow[static_cast<std::size_t>(original)] = opOfNode_[n];
      else
        edit.added.push_back(opOfNode_[n]);
    }
    std::sort(edit.added.begin(), edit.added.end());
    edit.inputs = model_.newInputs;
    return edit;
  }

 private:
  void write(std::size_t i) {
    const SketchLine& line = model_.lines[i];
    std::string source = line.source;
    if (line.kind == LineKind::code) reader_.read(source, true);
    if (line.kind == LineKind::statement || line.kind == LineKind::returned) source = written(line);
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    text_ += prefixOf(i);
    text_ += source + line.suffix;
    if (line.header && blockEmpty(i)) text_ += line.prefix + "    pass\n";
  }

  /// The line's indentation, corrected where a block that it was in is no longer around it.
  std::string prefixOf(std::size_t i) {
    const SketchLine& line = model_.lines[i];
    const bool isNew = line.kind == LineKind::statement && (line.source.empty() || line.pasted);
    std::string prefix = isNew ? indentation(i) : line.prefix;
    if (line.source.empty() && !isNew && line.kind == LineKind::verbatim) return prefix;
    if (line.block >= 0) return prefix;
    if (indents_.empty() || (opened_ && prefix.size() > indents_.back().size())) {
      indents_.push_back(prefix);
    } else {
      while (indents_.size() > 1 && prefix.size() < indents_.back().size()) indents_.pop_back();
      prefix = indents_.back();
    }
    opened_ = line.header;
    return prefix;
  }

  /// That of the statements around a new line.
  std::string indentation(std::size_t i) const {
    const auto fits = [](const SketchLine& line) {
      return (line.kind == LineKind::statement || line.kind == LineKind::returned) &&
             !line.source.empty() && !line.pasted && line.block < 0;
    };
    for (std::size_t j = i + 1; j < model_.lines.size(); ++j)
      if (fits(model_.lines[j]) || model_.lines[j].header) return model_.lines[j].prefix;
    for (std::size_t j = i; j-- > 0;)
      if (fits(model_.lines[j])) return model_.lines[j].prefix;
    return model_.declared ? "    " : "";
  }

  bool blockEmpty(std::size_t i) const {
    for (std::size_t j = i + 1; j < model_.lines.size(); ++j) {
      const SketchLine& next = model_.lines[j];
      if (next.kind == LineKind::verbatim && next.source.empty()) continue;
      const bool isNew = next.source.empty() || next.pasted;
      const std::string prefix = isNew ? indentation(j) : next.prefix;
      return prefix.size() <= model_.lines[i].prefix.size();
    }
    return true;
  }

  /// The line's text: the first of several ways to write it that means what it should.
  std::string written(const SketchLine& line) {
    std::string reason;
    const auto fits = [&](const std::string& source) {
      if (reader_.read(withoutPrefix(source, line.prefix), line.understood) && matches(line))
        return true;
      if (!reader_.error().empty()) reason = reader_.error();
      reader_.undo();
      return false;
    };
    if (!line.source.empty()) {
      std::string renamed = withNames(line);
      if (fits(renamed)) return renamed;
      for (const std::string& each : withNumber(model_, line, renamed))
        if (fits(each)) return each;
      for (const std::string& each : withFunction(model_, line, renamed))
        if (fits(each)) return each;
      if (line.kind == LineKind::returned && line.values.size() > line.valuesBefore.size())
        if (const std::string longer = withOutputs(line, renamed); fits(longer)) return longer;
    }
    if (line.fixed)
      throw EditRefused("this op is one of several that '" +
                        line.source.substr(0, line.source.find('\n')) + "' makes; edit its text");
    const bool known = std::all_of(line.nodes.begin(), line.nodes.end(), [&](int node) {
      return model_.nodes[static_cast<std::size_t>(node)].op.row != nullptr;
    });
    if (line.understood && known) {
      std::string anew = regenerated(line);
      if (fits(anew)) return anew;
    }
    if (!line.understood || !known) throw EditRefused(notUnderstood(line));
    throw EditRefused(reason.empty() ? "this cannot be written as PyTorch" : reason);
  }

  /// Why the line cannot be written again: it, or a part split off from another line, is not
  /// understood.
  std::string notUnderstood(const SketchLine& line) const {
    std::string text = line.source;
    for (const int node : line.nodes) {
      const SketchNode& each = model_.nodes[static_cast<std::size_t>(node)];
      if (text.empty() && !each.op.row) text = lineOfText(model_.textBefore, each.op.place.line);
    }
    return "'" + text.substr(0, text.find('\n')) +
           "' is not understood, so it cannot be changed here; edit its text";
  }

  static std::string lineOfText(std::string_view text, int line) {
    for (; line > 1 && !text.empty(); --line)
      text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    const std::string_view found = text.substr(0, text.find('\n'));
    return std::string(found.substr(std::min(found.find_first_not_of(" \t"), found.size())));
  }

  /// A block's lines as they are without the indentation of its first one.
  static std::string withoutPrefix(const std::string& source, const std::string& prefix) {
    if (prefix.empty() || source.find('\n') == std::string::npos) return source;
    std::string result;
    std::size_t at = 0;
    while (at < source.size()) {
      const std::size_t end = std::min(source.find('\n', at), source.size() - 1) + 1;
      if (at > 0 && source.compare(at, prefix.size(), prefix) == 0) at += prefix.size();
      result += source.substr(at, end - at);
      at = end;
    }
    return result;
  }

  /// The value's id in the program being read.
  ValueId now(ValueId value) const {
    if (!SketchModel::isNode(value)) return value;
    const int op = opOfNode_[static_cast<std::size_t>(value - kFirstResult)];
    return op < 0 ? -1 : kFirstResult + op;
  }

  /// A name that stands for the value here, `preferred` if it does.
  std::string nameOf(ValueId value, const std::string& preferred = {}) const {
    const ValueId wanted = now(value);
    if (wanted < 0) return {};
    if (!preferred.empty() && reader_.valueOf(preferred) == wanted) return preferred;
    const int line = model_.lineNaming(value);
    std::string own = line >= 0 ? model_.lines[static_cast<std::size_t>(line)].target
                      : SketchModel::isNode(value) ? std::string()
                                                   : model_.inputs[static_cast<std::size_t>(value)];
    if (!own.empty() && reader_.valueOf(own) == wanted) return own;
    for (const auto& [name, bound] : reader_.names().bound)
      if (bound.isTensor() && bound.value == wanted) return name;
    return {};
  }

  std::string withNames(const SketchLine& line) const {
    std::map<ValueId, ValueId> changed;  // what the line read, and reads now
    for (int node : line.nodes) {
      const SketchNode& each = model_.nodes[static_cast<std::size_t>(node)];
      for (std::size_t o = 0; o < each.before.size() && o < each.op.operands.size(); ++o)
        if (!each.before[o].isNumber() && !each.op.operands[o].isNumber())
          changed[each.before[o].value] = each.op.operands[o].value;
    }
    for (std::size_t o = 0; o < line.valuesBefore.size() && o < line.values.size(); ++o)
      changed.emplace(line.valuesBefore[o], line.values[o]);
    return withNamesReplaced(line.source, line.target, [&](const std::string& name) {
      for (const auto& [read, value] : line.reads) {
        if (read != name) continue;
        const auto found = changed.find(value);
        const std::string other = nameOf(found == changed.end() ? value : found->second, name);
        return other.empty() ? name : other;
      }
      return name;
    });
  }

  std::string withOutputs(const SketchLine& line, std::string source) const {
    for (std::size_t i = line.valuesBefore.size(); i < line.values.size(); ++i)
      source += ", " + nameOf(line.values[i]);
    return source;
  }

  std::string regenerated(const SketchLine& line) const {
    std::map<ValueId, Piece> pieces;
    const ExpressionPrinter printer(
        [&](ValueId value) -> Piece {
          const auto found = pieces.find(value);
          return found != pieces.end() ? found->second : Piece{nameOf(value), kAtom};
        },
        functional_);
    for (int node : line.nodes)
      pieces[SketchModel::resultOf(node)] =
          printer.expression(model_.nodes[static_cast<std::size_t>(node)].op);
    std::string source;
    for (ValueId value : line.values)
      source += (source.empty() ? "" : ", ") +
                (pieces.contains(value) ? pieces[value].text : nameOf(value));
    return (line.kind == LineKind::returned ? "return " : line.target + " = ") + source;
  }

  /// Pairs the ops that write in place, whose results nothing reads. False: they are not as many.
  bool pairWrites(const SketchLine& line, std::vector<std::pair<ValueId, ValueId>>& open) const {
    std::vector<ValueId> wanted, got;
    for (const int node : line.nodes)
      if (model_.nodes[static_cast<std::size_t>(node)].op.writesInto())
        wanted.push_back(SketchModel::resultOf(node));
    const auto& ops = reader_.program().ops;
    for (std::size_t i = reader_.opsBefore(); i < ops.size(); ++i)
      if (ops[i].writesInto()) got.push_back(kFirstResult + static_cast<ValueId>(i));
    for (std::size_t i = 0; i < wanted.size() && i < got.size(); ++i)
      open.emplace_back(wanted[i], got[i]);
    return wanted.size() == got.size();
  }

  /// Whether what was read last is what the line should be; notes which op is which if so.
  bool matches(const SketchLine& line) {
    const std::vector<ValueId> got = reader_.values();
    if (line.kind == LineKind::statement) {
      // A line that only writes in place names nothing.
      const ValueId value = line.values.front();
      const bool names = !model_.isNode(value) || !model_.node(value).op.writesInto();
      if (!reader_.madeStatement() ||
          (names && reader_.program().statements.back().target != line.target))
        return false;
    }
    if (got.size() != line.values.size()) return false;
    std::vector<std::pair<ValueId, ValueId>> open;  // wanted, got
    for (std::size_t i = 0; i < got.size(); ++i) open.emplace_back(line.values[i], got[i]);
    if (!pairWrites(line, open)) return false;
    std::map<int, int> found;  // node, op
    while (!open.empty()) {
      const auto [wanted, is] = open.back();
      open.pop_back();
      if (!model_.within(line, wanted)) {
        if (now(wanted) != is || is < 0) return false;
        continue;
      }
      const int op = is - kFirstResult;
      if (op < static_cast<int>(reader_.opsBefore())) return false;
      const auto [known, fresh] = found.emplace(wanted - kFirstResult, op);
      if (!fresh && known->second != op) return false;
      if (fresh && !sameOp(model_.node(wanted).op,
                           reader_.program().ops[static_cast<std::size_t>(op)], open))
        return false;
    }
    if (found.size() != line.nodes.size() ||
        found.size() != reader_.program().ops.size() - reader_.opsBefore())
      return false;
    for (const auto& [node, op] : found) opOfNode_[static_cast<std::size_t>(node)] = op;
    return true;
  }

  /// Compares all but the values read, which are added to `open`.
  bool sameOp(const Op& wanted, const Op& got,
              std::vector<std::pair<ValueId, ValueId>>& open) const {
    if (wanted.row != got.row) return false;
    if (!wanted.row) {
      std::set<ValueId> a, b;
      for (const Operand& operand : wanted.operands) a.insert(now(operand.value));
      for (const Operand& operand : got.operands) b.insert(operand.value);
      return a == b;
    }
    if (wanted.operands.size() != got.operands.size() || wanted.dims != got.dims ||
        wanted.keepDims != got.keepDims || wanted.writesInto() != got.writesInto())
      return false;
    if (got.writesInto()) open.emplace_back(wanted.into, got.into);
    for (std::size_t i = 0; i < got.operands.size(); ++i) {
      const Operand &a = wanted.operands[i], &b = got.operands[i];
      if (a.isNumber() != b.isNumber()) return false;
      if (a.isNumber() ? !sameValue(a.number, b.number) : false) return false;
      if (!a.isNumber()) open.emplace_back(a.value, b.value);
    }
    return std::equal(wanted.parameters.begin(), wanted.parameters.end(), got.parameters.begin(),
                      got.parameters.end(), sameValue);
  }

  /// The text as a whole must be what its lines are one by one.
  void check() const {
    const Sketch whole = sketch(text_, model_.hints);
    const std::vector<Op>& ops = reader_.program().ops;
    bool same = whole.problems.size() <= model_.problems && whole.program.ops.size() == ops.size();
    for (std::size_t i = 0; same && i < ops.size(); ++i)
      same = whole.program.ops[i].row == ops[i].row;
    if (same) return;
    throw EditRefused(whole.problems.empty()
                          ? "this cannot be written as PyTorch; edit the text instead"
                          : "this is not a valid program: " + whole.problems.front().message);
  }

  SketchModel model_;
  LineReader reader_;
  std::vector<int> opOfNode_;
  std::string functional_;
  std::string text_;
  std::vector<std::string> indents_;  ///< indentations of the blocks around the line
  bool opened_ = false;               ///< the last line was a header
};

}  // namespace

SketchEdit writeSketch(SketchModel model) {
  model.settle();
  model.order();
  nameValues(model);
  return Writer(std::move(model)).run();
}

}  // namespace fusebench
