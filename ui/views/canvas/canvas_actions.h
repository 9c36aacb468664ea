// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <functional>
#include <optional>
#include <vector>

#include "ui/models/canvas/canvas_commands.h"

namespace fusebench {

class CanvasSurface;

/// Where something is dropped.
struct CanvasTarget {
  enum class Kind { none, append, edge, port, branch };
  Kind kind = Kind::none;
  int edge = -1;  ///< edge; port: the edge into it
  int node = -1;  ///< branch: whose value
};

/// Everything that the user can do on the canvas: keys, mouse and menu all end here. Nodes and
/// edges belong to the surface. A refused edit shows its reason where it was attempted.
class CanvasActions {
 public:
  CanvasActions(DocumentModel& document, CanvasSurface& surface)
      : document_(document), commands_(document), surface_(surface) {
    commands_.finished = [this](const CanvasOutcome& outcome) {
      finish(outcome, laterPlace_, laterMoved_);
    };
  }

  /// Shows a message at a position in the scene.
  std::function<void(const QString& words, QPointF scene)> say;
  /// Lets the user choose an op at a position in the scene.
  using Chosen = std::function<void(const OpRow& row)>;
  std::function<void(const QString& heading, QPointF scene, Chosen chosen)> choose;

  /// Selected ops of the sketch, each once; repeats count as their originals.
  std::vector<int> ops() const;
  /// The selected node; without a selection, the focused node.
  int node() const;

  void append(const OpRow& row);
  void put(const OpRow& row, const CanvasTarget& target);
  /// The target of an op that is dropped at a position in the scene.
  CanvasTarget targetAt(QPointF scene) const;
  void chooseAfter();
  void chooseBefore();
  void chooseBranch();
  void chooseBranchFrom(int node, QPointF scene);
  void chooseReplacement();
  void chooseOnEdge(int edge, QPointF scene);

  void remove();
  void duplicate();
  bool copy();
  void cut();
  void paste();
  /// `edge`: on which; -1: at the end.
  void pasteText(const QString& text, int edge);
  void moveTo(int edge);
  /// One op later or earlier in the chain.
  void moveBy(bool later);
  void connect(int fromNode, int toNode, int operand);
  void setNumber(int toNode, int operand, double number);
  /// Why the typed text is not valid for the field, or nothing.
  QString check(int node, int field, const QString& typed) const;
  /// Sets a field of a node; returns the refusal, or nothing.
  QString setField(int node, int field, const QString& typed);
  void toggle(int node, int field);
  void removeProblemLines();
  void selectAll();
  void undo();
  void redo();

 private:
  std::optional<Port> portOf(int edge) const;
  int endEdge() const;
  QPointF placeOf(int node) const;
  void finish(const CanvasOutcome& outcome, QPointF place, bool selectMoved = false);
  void edgeChosen(int edge, const OpRow& row, QPointF place);

  DocumentModel& document_;
  CanvasCommands commands_;
  CanvasSurface& surface_;
  /// For an edit that finishes later: where to show a refusal, and whether to select the moved ops.
  QPointF laterPlace_;
  bool laterMoved_ = false;
};

}  // namespace fusebench
