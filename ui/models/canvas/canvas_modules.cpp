// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_modules.h"

#include <QStringList>
#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>

#include "ui/models/base/as_index.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/canvas/canvas_graph.h"

namespace fusebench {
namespace {

std::vector<std::string> partsOf(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t end = std::min(path.find('.', from), path.size());
    parts.push_back(path.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

/// The frames of modules that are open while one goes through the ops.
class OpenModules {
 public:
  explicit OpenModules(ModuleFrames& made) : made_(made) {}

  /// The frame of a module, closing and opening what is between it and the one before.
  int enter(const std::string& path) {
    const std::vector<std::string> parts = partsOf(path);
    std::size_t same = 0;
    while (same < parts.size() && same < names_.size() && parts[same] == names_[same]) ++same;
    names_.resize(same);
    frames_.resize(same);
    for (; same < parts.size(); ++same) {
      const int parent = frames_.empty() ? -1 : frames_.back();
      const QString around = parent < 0 ? QString() : made_.modules[at(parent)] + u'.';
      made_.frames.push_back({Frame::Kind::module, parent, parts[same], {}});
      made_.modules.push_back(around + QString::fromStdString(parts[same]));
      frames_.push_back(static_cast<int>(made_.frames.size()) - 1);
      names_.push_back(parts[same]);
    }
    return frames_.empty() ? -1 : frames_.back();
  }

 private:
  ModuleFrames& made_;
  std::vector<std::string> names_;
  std::vector<int> frames_;
};

/// Many ops that a module has between the modules within it are one box, too: such as those that
/// make a mask before the first layer of a language model.
void gatherOwnOps(ModuleFrames& made) {
  constexpr std::size_t kLeastGathered = 6;
  std::set<int> around;  // frames that have frames of modules within them; -1: the model
  for (const Frame& frame : made.frames) around.insert(frame.parent);
  for (std::size_t first = 0, end = 0; first < made.ofOp.size(); first = end) {
    const int module = made.ofOp[first];
    while (end < made.ofOp.size() && made.ofOp[end] == module) ++end;
    if (end - first < kLeastGathered || !around.contains(module)) continue;
    made.frames.push_back({Frame::Kind::function, module, uiText("operations").toStdString(), {}});
    made.modules.emplace_back();
    for (std::size_t i = first; i < end; ++i)
      made.ofOp[i] = static_cast<int>(made.frames.size()) - 1;
  }
}

/// The number of boxes that each frame has directly while it is open, and the frames within it. The
/// last entry is the graph outside of all frames.
struct FrameBoxes {
  std::vector<int> own;
  std::vector<std::vector<int>> within;
};

FrameBoxes boxesOf(const CanvasGraph& open) {
  const std::size_t outside = open.frames.size();
  FrameBoxes boxes{std::vector<int>(outside + 1), std::vector<std::vector<int>>(outside + 1)};
  const auto slot = [&](int frame) { return frame < 0 ? outside : at(frame); };
  for (std::size_t f = 0; f < open.frames.size(); ++f)
    boxes.within[slot(open.frames[f].parent)].push_back(static_cast<int>(f));
  // A weight is in the innermost frame around all that read it.
  std::vector<int> weightIn(open.nodes.size(), -2);
  for (const CanvasEdge& edge : open.edges) {
    if (!open.nodes[at(edge.from)].weight) continue;
    int frame = open.nodes[at(edge.to)].frame;
    if (weightIn[at(edge.from)] != -2) {
      const auto contains = [&](int around, int inner) {
        for (; inner >= 0; inner = open.frames[at(inner)].parent)
          if (inner == around) return true;
        return false;
      };
      int around = weightIn[at(edge.from)];
      while (around >= 0 && !contains(around, frame)) around = open.frames[at(around)].parent;
      frame = around;
    }
    weightIn[at(edge.from)] = frame;
  }
  for (std::size_t i = 0; i < open.nodes.size(); ++i) {
    const CanvasNode& node = open.nodes[i];
    ++boxes.own[slot(node.weight && weightIn[i] != -2 ? weightIn[i] : node.frame)];
  }
  return boxes;
}

}  // namespace

CanvasOrigins canvasOrigins(const Experiment& experiment, const Program& program) {
  CanvasOrigins origins;
  origins.captured = experiment.capture.has_value();
  origins.ops = originsOf(experiment, program);
  for (const HeldInput& held : program.held)
    origins.weights.insert(QString::fromStdString(program.inputs[at(held.input)]));
  if (origins.captured)
    for (const InputSet& set : experiment.inputSets)
      for (const InputSpec& spec : set.inputs)
        if (spec.held) origins.weights.insert(QString::fromStdString(spec.name));
  return origins;
}

ModuleFrames moduleFrames(const Program& program, const CanvasOrigins& origins) {
  ModuleFrames made;
  if (!origins.captured || origins.ops.size() != program.ops.size()) {
    made.frames = program.frames;
    made.modules.resize(made.frames.size());
    for (const Op& op : program.ops) made.ofOp.push_back(op.frame);
    return made;
  }
  OpenModules open(made);
  std::vector<int> number(program.frames.size(), -1);  // frames of the program itself
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const int module = open.enter(origins.ops[i].module);
    const std::function<int(int)> own = [&](int frame) {
      if (frame < 0 || at(frame) >= program.frames.size()) return module;
      if (number[at(frame)] < 0) {
        Frame copy = program.frames[at(frame)];
        copy.parent = own(copy.parent);
        made.frames.push_back(std::move(copy));
        made.modules.emplace_back();
        number[at(frame)] = static_cast<int>(made.frames.size()) - 1;
      }
      return number[at(frame)];
    };
    made.ofOp.push_back(own(program.ops[i].frame));
  }
  gatherOwnOps(made);
  return made;
}

std::set<QString> overviewFolds(const CanvasGraph& open) {
  const FrameBoxes boxes = boxesOf(open);
  const std::size_t outside = open.frames.size();
  std::vector<int> folded = boxes.within[outside];
  const auto inside = [&](int frame) {
    return boxes.own[at(frame)] + static_cast<int>(boxes.within[at(frame)].size());
  };
  int count = boxes.own[outside] + static_cast<int>(folded.size());
  while (count < kLeastBoxes) {
    int deeper = count;
    std::vector<int> next;
    for (const int frame : folded) {
      deeper += inside(frame) - 1;
      next.insert(next.end(), boxes.within[at(frame)].begin(), boxes.within[at(frame)].end());
    }
    if (folded.empty() || deeper > kMostBoxes) break;
    count = deeper;
    folded = std::move(next);
  }
  while (count < kLeastBoxes) {
    auto best = folded.end();
    for (auto each = folded.begin(); each != folded.end(); ++each)
      if (count + inside(*each) - 1 <= kMostBoxes &&
          (best == folded.end() || inside(*each) > inside(*best)))
        best = each;
    if (best == folded.end()) break;
    const int opened = *best;
    count += inside(opened) - 1;
    folded.erase(best);
    folded.insert(folded.end(), boxes.within[at(opened)].begin(), boxes.within[at(opened)].end());
  }
  // What is within a folded one is folded, too: it opens step by step.
  std::set<QString> keys;
  std::vector<bool> shut(open.frames.size(), false);
  for (const int frame : folded) shut[at(frame)] = true;
  for (std::size_t f = 0; f < open.frames.size(); ++f) {
    const int parent = open.frames[f].parent;
    if (parent >= 0 && shut[at(parent)]) shut[f] = true;
    if (shut[f]) keys.insert(open.frames[f].key);
  }
  return keys;
}

std::vector<int> nodesFound(const CanvasGraph& graph, const QString& search) {
  const QStringList words = search.split(u' ', Qt::SkipEmptyParts);
  std::vector<int> found;
  if (words.isEmpty()) return found;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const CanvasNode& node = graph.nodes[i];
    if (node.kind == CanvasNode::Kind::output) continue;
    const QStringList where = {node.name, node.code, node.module, node.source};
    const bool all = std::ranges::all_of(words, [&](const QString& word) {
      return std::ranges::any_of(
          where, [&](const QString& text) { return text.contains(word, Qt::CaseInsensitive); });
    });
    if (all) found.push_back(static_cast<int>(i));
  }
  return found;
}

std::vector<QString> framesAround(const CanvasGraph& graph, int node) {
  std::vector<QString> keys;
  if (node < 0 || at(node) >= graph.nodes.size()) return keys;
  for (int f = graph.nodes[at(node)].frame; f >= 0; f = graph.frames[at(f)].parent)
    keys.push_back(graph.frames[at(f)].key);
  return keys;
}

void setShares(CanvasGraph& graph, const std::vector<double>& statements) {
  const double total = std::accumulate(statements.begin(), statements.end(), 0.0);
  if (statements.size() != graph.program.statements.size() + 1 || total <= 0) return;
  const auto slot = [&](int statement) {
    return statement < 0 ? statements.size() - 1 : at(statement);
  };
  std::vector<int> ops(statements.size(), 0);
  for (const Op& op : graph.program.ops) ++ops[slot(op.statement)];
  // Sums of the ops before each, so that a frame takes one difference.
  std::vector<double> before = {0};
  for (const Op& op : graph.program.ops)
    before.push_back(before.back() +
                     statements[slot(op.statement)] / ops[slot(op.statement)] / total);
  const auto between = [&](int first, int last) {
    return before[at(graph.opOfNode(last) + 1)] - before[at(graph.opOfNode(first))];
  };
  for (CanvasFrame& frame : graph.frames) frame.share = between(frame.first, frame.last);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    CanvasNode& node = graph.nodes[i];
    const auto number = static_cast<int>(i);
    if (graph.opOfNode(number) < 0 || node.hidden) continue;
    node.share = node.folded >= 0 ? graph.frames[at(node.folded)].share : between(number, number);
    graph.hottest = std::max(graph.hottest, node.share);
  }
  for (CanvasNode& node : graph.nodes)
    if (node.share >= 0 && graph.hottest > 0) node.heat = node.share / graph.hottest;
}

QString shareText(double share) {
  const double percent = 100 * share;
  return QStringLiteral("%1%").arg(percent, 0, 'f', percent >= 9.95 || percent < 0.05 ? 0 : 1);
}

}  // namespace fusebench
