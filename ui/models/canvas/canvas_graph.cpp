// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_graph.h"

#include <algorithm>
#include <map>

#include "engine/base/said_again.h"
#include "ui/models/base/as_index.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/canvas/canvas_frames.h"

namespace fusebench {
namespace {

bool isOperator(std::string_view spelling) {
  return !spelling.empty() && spelling.find('.') == std::string_view::npos &&
         spelling.find(' ') == std::string_view::npos;
}

/// Numbers of the sketch's ops behind those of a program whose statements
/// repeat.
std::vector<int> originals(const Program& written, const Program& shown) {
  std::vector<int> result(shown.ops.size(), -1);
  const int length = static_cast<int>(written.statements.size());
  for (std::size_t s = 0; s < shown.statements.size() && length > 0; ++s) {
    const Statement& statement = shown.statements[s];
    const Statement& source = written.statements[s % static_cast<std::size_t>(length)];
    for (int k = 0; k < statement.opCount; ++k)
      result[static_cast<std::size_t>(statement.firstOp + k)] = source.firstOp + k;
  }
  // The ops of the return are the last ones in both programs.
  auto shownOp = static_cast<int>(shown.ops.size()) - 1;
  auto writtenOp = static_cast<int>(written.ops.size()) - 1;
  while (shownOp >= 0 && writtenOp >= 0 &&
         shown.ops[static_cast<std::size_t>(shownOp)].statement < 0)
    result[static_cast<std::size_t>(shownOp--)] = writtenOp--;
  return result;
}

/// A name that can be read aloud: "add" where the node shows "+".
QString plainName(const CanvasNode& node) {
  return node.row ? text(node.row->name) : node.title;
}

class GraphBuilder {
 public:
  GraphBuilder(const Sketch& sketch, std::span<const std::optional<ValueType>> types,
               std::span<const SketchProblem> problems, const CanvasExtent& extent,
               const CanvasOrigins& origins)
      : sketch_(sketch), written_(sketch.program), extent_(extent), origins_(origins) {
    graph_.statements = static_cast<int>(written_.statements.size());
    chooseProgram();
    findTypes(types);
    addInputs();
    addOps();
    addOutputs();
    addEdges();
    addOrigins();
    addFrames();
    for (const SketchProblem& problem : sketch.problems) addProblem(problem);
    for (const SketchProblem& problem : problems) addProblem(problem);
  }
  CanvasGraph take() { return std::move(graph_); }

 private:
  void chooseProgram() {
    const bool cycles = extent_.drawn > graph_.statements && sketch_.valid() &&
                        graph_.statements > 0 && written_.isChain();
    graph_.program = cycles ? firstStatements(written_, extent_.drawn) : written_;
    originals_ = originals(written_, graph_.program);
    graph_.inputs = static_cast<int>(graph_.program.inputs.size());
    graph_.ops = static_cast<int>(graph_.program.ops.size());
  }

  void findTypes(std::span<const std::optional<ValueType>> types) {
    types_.assign(types.begin(), types.end());
    const auto count = static_cast<std::size_t>(graph_.program.valueCount());
    if (graph_.program.ops.size() != written_.ops.size()) {
      std::vector<ValueType> inputs;
      for (std::size_t i = 0; i < written_.inputs.size() && i < types.size() && types[i]; ++i)
        inputs.push_back(*types[i]);
      types_.clear();
      if (inputs.size() == written_.inputs.size()) try {
          for (const ValueType& type : inferTypes(graph_.program, inputs)) types_.push_back(type);
        } catch (const ProgramError&) {
          types_.clear();  // a later pass does not fit, so no types are shown
        }
    }
    types_.resize(count);
  }

  /// The dtype after the shape: "float32" of "(8, 16) float32".
  static QString dtypeIn(const QString& type) { return type.mid(type.indexOf(u')') + 1).trimmed(); }

  QString typeOf(ValueId value) const {
    const auto at = static_cast<std::size_t>(value);
    return value >= 0 && at < types_.size() && types_[at] ? typeText(*types_[at]) : QString();
  }

  void addInputs() {
    for (int i = 0; i < graph_.inputs; ++i) {
      CanvasNode node;
      node.kind = CanvasNode::Kind::input;
      node.index = i;
      node.title = QString::fromStdString(graph_.program.inputs[static_cast<std::size_t>(i)]);
      node.type = typeOf(i);
      CanvasField name;
      name.kind = CanvasField::Kind::name;
      name.position = i;
      name.name = QStringLiteral("name");
      name.text = node.title;
      name.bare = true;
      node.fields.push_back(name);
      graph_.nodes.push_back(std::move(node));
    }
  }

  /// Part of a branching program returns what it leaves unread: the written return does not run.
  bool otherReturn() const {
    return extent_.active > 0 && extent_.active < graph_.statements && sketch_.valid() &&
           !written_.isChain();
  }

  bool dimmed(const Op& op) const {
    return op.statement < 0 ? otherReturn() : extent_.active > 0 && op.statement >= extent_.active;
  }

  void addOps() {
    for (int i = 0; i < graph_.ops; ++i) {
      const Op& op = graph_.program.ops[static_cast<std::size_t>(i)];
      CanvasNode node;
      node.index = i;
      node.original = originals_[static_cast<std::size_t>(i)];
      node.statement = op.statement;
      node.row = op.row;
      node.repeat = op.statement >= graph_.statements;
      node.dim = dimmed(op);
      node.code = codeOf(op);
      node.ports = static_cast<int>(op.operands.size());
      node.place = op.place;
      node.type = typeOf(graph_.program.result(i));
      if (op.row) {
        node.title = opTitle(*op.row);
        if (op.writesInto()) node.title += uiText(" in place");
        node.symbol = op.row->spellings.size() > 0 && isOperator(*op.row->spellings.begin());
        node.fields = canvasFields(op);
      } else {
        node.title = node.code;
      }
      graph_.nodes.push_back(std::move(node));
    }
  }

  QString codeOf(const Op& op) const {
    if (op.statement < 0)
      return QStringLiteral("return ") + QString::fromStdString(graph_.program.returnText);
    return QString::fromStdString(
        graph_.program.statements[static_cast<std::size_t>(op.statement)].text);
  }

  void addOutputs() {
    const auto count = graph_.program.outputs.size();
    for (std::size_t i = 0; i < count; ++i) {
      CanvasNode node;
      node.kind = CanvasNode::Kind::output;
      node.index = static_cast<int>(i);
      node.ports = 1;
      node.dim = otherReturn();
      node.title = count == 1 ? QStringLiteral("return")
                              : QStringLiteral("return %1").arg(static_cast<int>(i) + 1);
      node.code = QStringLiteral("return ") + QString::fromStdString(graph_.program.returnText);
      node.type = typeOf(graph_.program.outputs[i]);
      graph_.nodes.push_back(std::move(node));
    }
  }

  void addEdge(ValueId value, int to, int operand) {
    if (value < 0 || value >= graph_.program.valueCount()) return;
    CanvasEdge edge;
    edge.from = writtenBy(value);
    edge.to = to;
    edge.operand = operand;
    edge.value = value;
    edge.label = typeOf(value);
    const int op = graph_.opOfNode(edge.from);
    if (op >= 0) {
      const auto& operands = graph_.program.ops[static_cast<std::size_t>(op)].operands;
      edge.news = std::none_of(operands.begin(), operands.end(), [&](const Operand& read) {
        return !read.isNumber() && typeOf(read.value) == edge.label;
      });
      edge.otherType = std::none_of(operands.begin(), operands.end(), [&](const Operand& read) {
        return !read.isNumber() && dtypeIn(typeOf(read.value)) == dtypeIn(edge.label);
      });
    } else {
      edge.otherType = dtypeIn(edge.label) != QLatin1String("float32");
    }
    graph_.edges.push_back(std::move(edge));
  }

  /// Where a tensor comes from at this point: the op that wrote to it last, if one did.
  ValueId writtenBy(ValueId value) const {
    const auto found = writers_.find(sameTensor(graph_.program, value));
    return found == writers_.end() ? value : found->second;
  }

  void addEdges() {
    for (int i = 0; i < graph_.ops; ++i) {
      const Op& op = graph_.program.ops[static_cast<std::size_t>(i)];
      for (std::size_t k = 0; k < op.operands.size(); ++k)
        if (!op.operands[k].isNumber())
          addEdge(op.operands[k].value, graph_.nodeOfOp(i), static_cast<int>(k));
      if (!op.writesInto()) continue;
      writers_[sameTensor(graph_.program, op.into)] = graph_.program.result(i);
      writers_[writtenRoot(graph_.program, op.into)] = graph_.program.result(i);
    }
    for (std::size_t i = 0; i < graph_.program.outputs.size(); ++i)
      addEdge(graph_.program.outputs[i], graph_.inputs + graph_.ops + static_cast<int>(i),
              static_cast<int>(i));
  }

  void addOrigins() {
    for (CanvasNode& node : graph_.nodes) {
      node.name = plainName(node);
      node.weight = node.kind == CanvasNode::Kind::input && origins_.weights.contains(node.title);
      if (node.original < 0 || at(node.original) >= origins_.ops.size()) continue;
      const ModuleOrigin& origin = origins_.ops[at(node.original)];
      node.module = QString::fromStdString(origin.module);
      node.source = QString::fromStdString(origin.source);
    }
  }

  /// Adds the frames whose ops are contiguous, and records which node is in which frame.
  void addFrames() {
    const ModuleFrames made = moduleFrames(graph_.program, origins_);
    const std::vector<Frame>& written = made.frames;
    std::vector<CanvasFrame> all(written.size());
    std::vector<int> counts(written.size(), 0);
    const auto within = [&](int frame) {
      return frame >= 0 && static_cast<std::size_t>(frame) < written.size();
    };
    for (int i = 0; i < graph_.ops; ++i) {
      const int node = graph_.nodeOfOp(i);
      if (graph_.nodes[static_cast<std::size_t>(node)].repeat) continue;
      int frame = made.ofOp[at(i)];
      for (; within(frame); frame = written[static_cast<std::size_t>(frame)].parent) {
        CanvasFrame& each = all[static_cast<std::size_t>(frame)];
        if (counts[static_cast<std::size_t>(frame)]++ == 0) each.first = node;
        each.last = node;
      }
    }
    std::vector<int> kept(written.size(),
                          -1);  // in graph_.frames, of the frame or of one around it
    std::map<QString, int> names;
    for (std::size_t f = 0; f < written.size(); ++f) {
      CanvasFrame& frame = all[f];
      const int parent =
          within(written[f].parent) ? kept[static_cast<std::size_t>(written[f].parent)] : -1;
      kept[f] = parent;
      CanvasFrame* const around = parent < 0 ? nullptr : &graph_.frames[at(parent)];
      const bool together = counts[f] == frame.last - frame.first + 1;
      const int least = written[f].kind == Frame::Kind::way ? 1 : 2;  // it is a break besides
      if (counts[f] < least || !together) continue;
      if (around && around->first == frame.first && around->last == frame.last) {
        // A list of one layer, or a module that only calls another: one box for both.
        if (!made.modules[f].isEmpty()) {
          around->title += u'.' + QString::fromStdString(written[f].name);
          around->module = made.modules[f];
        }
        continue;
      }
      frame.kind = written[f].kind;
      frame.parent = parent;
      frame.title = QString::fromStdString(written[f].name);
      frame.module = made.modules[f];
      const QString name = (around ? around->key : QString()) + u'/' + frame.title;
      frame.key = QStringLiteral("%1#%2").arg(name).arg(++names[name]);
      frame.depth = around ? around->depth + 1 : 0;
      kept[f] = static_cast<int>(graph_.frames.size());
      graph_.frames.push_back(frame);
    }
    nestFrames(graph_);
    for (std::size_t f = 0; f < graph_.frames.size(); ++f)
      for (int i = graph_.frames[f].first; i <= graph_.frames[f].last; ++i)
        graph_.nodes[static_cast<std::size_t>(i)].frame = static_cast<int>(f);
  }

  /// The op that shows a problem: the one that causes it, else the last op of its statement.
  int opToBlame(const SketchProblem& problem) const {
    if (problem.op >= 0 && problem.op < static_cast<int>(written_.ops.size())) return problem.op;
    if (problem.statement < 0 || problem.statement >= static_cast<int>(written_.statements.size()))
      return -1;
    const Statement& s = written_.statements[static_cast<std::size_t>(problem.statement)];
    return s.opCount > 0 ? s.firstOp + s.opCount - 1 : -1;
  }

  void addProblem(const SketchProblem& problem) {
    const QString words = QString::fromStdString(saidAgain(problem.message));
    const int node = graph_.nodeOfOriginal(opToBlame(problem));
    if (node >= 0) {
      QStringList& list = graph_.nodes[static_cast<std::size_t>(node)].problems;
      if (!list.contains(words)) list << words;
      return;
    }
    const QString placed =
        problem.place.line > 0 ? uiText("Line %1: %2").arg(problem.place.line).arg(words) : words;
    if (std::find(graph_.elsewhere.begin(), graph_.elsewhere.end(), placed) ==
        graph_.elsewhere.end())
      graph_.elsewhere.push_back(placed);
  }

  const Sketch& sketch_;
  const Program& written_;
  std::map<ValueId, ValueId> writers_;  ///< last writer of each tensor that is modified in place
  CanvasExtent extent_;
  const CanvasOrigins& origins_;
  std::vector<int> originals_;
  std::vector<std::optional<ValueType>> types_;
  CanvasGraph graph_;
};

}  // namespace

CanvasGraph canvasGraph(const Sketch& sketch, std::span<const std::optional<ValueType>> types,
                        std::span<const SketchProblem> problems, const CanvasExtent& extent,
                        const CanvasOrigins& origins) {
  return GraphBuilder(sketch, types, problems, extent, origins).take();
}

QString typeText(const ValueType& type) {
  return QStringLiteral("%1 %2").arg(QString::fromStdString(toString(type.shape)),
                                     text(info(type.dtype).name));
}

QString opTitle(const OpRow& row) {
  if (row.spellings.size() == 0) return text(row.name);
  const std::string_view first = *row.spellings.begin();
  if (isOperator(first)) return text(first);
  if (first.find(' ') != std::string_view::npos) return text(row.name);
  return text(first.substr(first.rfind('.') + 1));
}

int CanvasGraph::nodeOfOriginal(int original) const {
  if (original < 0) return -1;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].original == original && !nodes[i].repeat) return static_cast<int>(i);
  return -1;
}

std::vector<int> CanvasGraph::nodesOfOriginal(int original) const {
  std::vector<int> result;
  for (std::size_t i = 0; i < nodes.size() && original >= 0; ++i)
    if (nodes[i].original == original) result.push_back(static_cast<int>(i));
  return result;
}

std::vector<int> CanvasGraph::sharing(int node) const {
  std::vector<int> result;
  if (opOfNode(node) < 0) return result;
  const auto framed = [this](int i) {
    return program.ops[static_cast<std::size_t>(opOfNode(i))].frame;
  };
  const CanvasNode& like = nodes[static_cast<std::size_t>(node)];
  if (!like.row || like.place.line <= 0) return result;
  for (int i = inputs; i < inputs + ops; ++i) {
    const CanvasNode& each = nodes[static_cast<std::size_t>(i)];
    if (i != node && each.row == like.row && !each.repeat && framed(i) >= 0 &&
        framed(i) != framed(node) && each.place.line == like.place.line &&
        each.place.column == like.place.column)
      result.push_back(i);
  }
  return result;
}

ValueId CanvasGraph::originalValue(int node) const {
  if (node < 0 || node >= static_cast<int>(nodes.size())) return -1;
  const CanvasNode& at = nodes[static_cast<std::size_t>(node)];
  if (at.kind == CanvasNode::Kind::input) return at.index;
  return at.kind == CanvasNode::Kind::op && at.original >= 0 ? inputs + at.original : -1;
}

std::optional<Port> CanvasGraph::port(const CanvasEdge& edge) const {
  const CanvasNode& reader = nodes[static_cast<std::size_t>(edge.to)];
  if (reader.kind == CanvasNode::Kind::output) return Port{-1, reader.index};
  if (reader.original < 0) return std::nullopt;
  if (!reader.repeat) return Port{reader.original, edge.operand};
  const CanvasNode& from = nodes[static_cast<std::size_t>(edge.from)];
  const auto pass = [this](const CanvasNode& node) { return node.statement / statements; };
  if (from.kind == CanvasNode::Kind::input || pass(from) == pass(reader))
    return Port{reader.original, edge.operand};
  // From the end of one pass into the next: as written, that is the end of the chain.
  for (const CanvasEdge& end : edges) {
    const CanvasNode& last = nodes[static_cast<std::size_t>(end.to)];
    const bool returned = last.kind == CanvasNode::Kind::output || last.statement < 0;
    if (returned && nodes[static_cast<std::size_t>(end.from)].statement >= 0) return port(end);
  }
  return std::nullopt;
}

std::vector<int> CanvasGraph::edgesInto(int node) const {
  std::vector<int> result;
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].to == node) result.push_back(static_cast<int>(i));
  return result;
}

std::vector<int> CanvasGraph::edgesOutOf(int node) const {
  std::vector<int> result;
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].from == node) result.push_back(static_cast<int>(i));
  return result;
}

int CanvasGraph::edgeInto(int node, int operand) const {
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].to == node && edges[i].operand == operand) return static_cast<int>(i);
  return -1;
}

QString CanvasGraph::description(int node) const {
  if (node < 0 || node >= static_cast<int>(nodes.size())) return {};
  const CanvasNode& at = nodes[static_cast<std::size_t>(node)];
  QStringList parts;
  switch (at.kind) {
    case CanvasNode::Kind::input:
      parts << uiText("Input %1").arg(at.title);
      break;
    case CanvasNode::Kind::output:
      parts << uiText("Result: %1").arg(at.code);
      break;
    case CanvasNode::Kind::op:
      parts << (at.row           ? plainName(at)
                : at.folded >= 0 ? uiText("Folded: %1").arg(at.title)
                                 : uiText("Line that is not understood"));
      break;
  }
  for (const CanvasField& field : at.fields)
    if (field.kind != CanvasField::Kind::name)
      parts << (field.kind == CanvasField::Kind::flag
                    ? QStringLiteral("%1 %2").arg(field.name, field.text)
                    : field.shown());
  QStringList sources;
  for (int edge : edgesInto(node))
    sources << plainName(
        nodes[static_cast<std::size_t>(edges[static_cast<std::size_t>(edge)].from)]);
  if (!sources.isEmpty()) parts << uiText("reads %1").arg(sources.join(uiText(" and ")));
  if (!at.type.isEmpty()) parts << uiText("gives %1").arg(at.type);
  if (at.kind == CanvasNode::Kind::op)
    parts << (at.statement >= 0 ? uiText("statement %1: %2").arg(at.statement + 1).arg(at.code)
                                : at.code);
  if (const auto others = sharing(node).size(); others > 0)
    parts << uiText("written once and run %1 times: an edit changes all").arg(others + 1);
  if (!at.module.isEmpty()) parts << uiText("module %1").arg(at.module);
  if (at.share >= 0) parts << uiText("%1 of a recorded call").arg(shareText(at.share));
  if (at.repeat) parts << uiText("a repeat, edited where it is first written");
  if (at.dim) parts << uiText("does not run at the marked point");
  for (const QString& problem : at.problems) parts << uiText("problem: ") + problem;
  return parts.join(QStringLiteral(", "));
}

}  // namespace fusebench
