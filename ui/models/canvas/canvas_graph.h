// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <span>
#include <vector>

#include "engine/edit/sketch.h"
#include "ui/models/canvas/canvas_fields.h"
#include "ui/models/canvas/canvas_modules.h"

namespace fusebench {

/// An element of the canvas: one node per input, op and output of a program. Nodes are in that
/// order, so that the node of a value has the value's number.
struct CanvasNode {
  enum class Kind { input, op, output };
  Kind kind = Kind::op;
  int index = 0;               ///< number of the input, op or output in the shown program
  int original = -1;           ///< op of the sketch that is edited through this node; -1: none
  int statement = -1;          ///< of the shown program; -1: input, return
  const OpRow* row = nullptr;  ///< null: not an op, or a line that is not understood
  bool repeat = false;         ///< an op of the first pass again: edits go to that one
  bool dim = false;            ///< does not run at the marked place
  bool symbol = false;         ///< the title is an operator: `+`
  bool weight = false;         ///< an input: a parameter or a buffer
  QString title;               ///< as the user writes it: "+", "exp", "x", "return"
  QString name;                ///< for screen readers: "add" if the title is "+"
  QString code;                ///< the statement that contains it
  QString module, source;      ///< where it is in the user's model (ModuleOrigin)
  std::vector<CanvasField> fields;
  int ports = 0;            ///< operands; numbers among them can be connected to
  QStringList problems;     ///< in words
  QString type;             ///< of its value: "(8, 16) float32"; empty: not known
  SourcePlace place;        ///< of an op, in the text
  int frame = -1;           ///< innermost of CanvasGraph::frames around it
  double share = -1;        ///< in the time of a recorded call; -1: unknown
  double heat = 0;          ///< share compared with the largest one
  bool hidden = false;      ///< within a frame that is folded
  int folded = -1;          ///< it represents this frame, which is folded
  std::vector<int> inside;  ///< then the ops of the sketch that are within
  bool notUnderstood() const { return kind == Kind::op && !row && folded < 0; }
};

struct CanvasEdge {
  int from = 0, to = 0;    ///< nodes
  int operand = 0;         ///< of the reader
  ValueId value = -1;      ///< in the shown program
  QString label;           ///< "(8, 16) float32", or empty
  bool news = true;        ///< whether the label shows information that the edge above it does not
  bool otherType = false;  ///< whether its dtype is new: different from the one above, or an
                           ///< input's other than float32
};

/// A call of a function or of a module, or an iteration of a loop, around the ops created within
/// it. Frames around fewer than two ops, or around the same ops as their parent frame, are left
/// out.
struct CanvasFrame {
  Frame::Kind kind = Frame::Kind::function;
  int parent = -1;    ///< in CanvasGraph::frames, which has parents first
  QString title;      ///< "norm", "self.act", "i = 2"
  QString module;     ///< path in a captured model: "layers.0.attn"; empty: not a module of one
  QString key;        ///< identifies it, and does not change while others are edited
  int first = 0;      ///< nodes: from this one
  int last = 0;       ///< to this one
  int depth = 0;      ///< frames around it
  int within = 0;     ///< how deep open frames are nested in it
  double share = -1;  ///< in the time of a recorded call; -1: unknown
  bool folded = false;
  bool hidden = false;  ///< within one that is folded

  /// Whether it is drawn around its nodes.
  bool open() const { return !folded && !hidden; }
};

/// A program as a graph, with the problems that belong to none of its nodes.
struct CanvasGraph {
  std::vector<CanvasNode> nodes;
  std::vector<CanvasEdge> edges;
  std::vector<CanvasFrame> frames;
  std::vector<QString> elsewhere;  ///< problems that belong to no node
  Program program;                 ///< as shown: the sketch's program, or its statements repeated
  int inputs = 0, ops = 0;
  int statements = 0;  ///< that the program has as written
  double hottest = 0;  ///< the largest share of a node; 0: unknown

  int nodeOfOp(int op) const { return inputs + op; }
  int opOfNode(int node) const {
    return node < inputs || node >= inputs + ops ? -1 : node - inputs;
  }
  /// The node through which op `original` of the sketch is edited; -1: none.
  int nodeOfOriginal(int original) const;
  /// Nodes that show op `original`, repeats included.
  std::vector<int> nodesOfOriginal(int original) const;
  /// Nodes that come from the same position in the text as this one, in other calls or iterations:
  /// a change to one of them changes all.
  std::vector<int> sharing(int node) const;
  /// The sketch's number of the value that node `node` stands for; -1: none
  /// (outputs).
  ValueId originalValue(int node) const;
  /// The port by which edits refer to the end of edge `edge`. In a repeat it is that of the first
  /// pass; an edge that comes from the pass before has the port at the end of the chain.
  std::optional<Port> port(const CanvasEdge& edge) const;
  std::vector<int> edgesInto(int node) const;
  std::vector<int> edgesOutOf(int node) const;
  int edgeInto(int node, int operand) const;
  /// "exp of (8, 16) float32, statement 3: x = torch.exp(x)": for screen readers.
  QString description(int node) const;
};

/// How much of the program is shown and which of it runs.
struct CanvasExtent {
  int drawn = 0;   ///< statements; 0: as written. More than that only for a
                   ///< chain, which cycles
  int active = 0;  ///< statements that run at the marked place; 0: all
};

/// `types` are those of the sketch's values, as far as known. `problems` are added to the sketch's
/// own; inferSketchTypes() and others find them.
CanvasGraph canvasGraph(const Sketch& sketch, std::span<const std::optional<ValueType>> types,
                        std::span<const SketchProblem> problems, const CanvasExtent& extent = {},
                        const CanvasOrigins& origins = {});

/// "(8, 16) float32".
QString typeText(const ValueType& type);

/// The display name of an op: its operator, or the last part of its PyTorch spelling.
QString opTitle(const OpRow& row);

}  // namespace fusebench
