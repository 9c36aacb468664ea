// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

#include "ui/models/canvas/canvas_walk.h"
#include "ui/views/canvas/canvas_actions.h"

class QKeyEvent;

namespace fusebench {

/// Keyboard control of the canvas. It has one mode, connecting, in which the arrow keys choose the
/// source of an operand.
class CanvasKeys {
 public:
  CanvasKeys(CanvasSurface& surface, CanvasActions& actions)
      : surface_(surface), actions_(actions) {}

  std::function<void(int node, int field)> editField;
  /// Describes what a mode waits for; empty: it is over.
  std::function<void(const QString& words, QPointF scene)> hint;
  std::function<void(bool held)> space;
  /// Cancels the current mouse gesture; returns whether there was one.
  std::function<bool()> cancelMouse;
  std::function<void()> menu;
  std::function<void()> fold;    ///< the frame around the current op, or the folded one there
  std::function<void()> layout;  ///< shows the memory layout of a tensor

  /// Whether the key was the canvas's.
  bool press(QKeyEvent* event);
  bool release(QKeyEvent* event);
  /// Whether the canvas wants the key before shortcuts of the window do.
  bool wants(QKeyEvent* event) const;
  bool connecting() const { return connectTo_ >= 0; }
  void stopConnecting();
  void startConnecting();

 private:
  bool pressControl(int key, bool shift);
  bool pressPlain(QKeyEvent* event);
  bool pressWhileConnecting(QKeyEvent* event);
  bool go(CanvasStep step, bool extend);
  bool tab(bool back);
  void showConnecting();
  void finishConnecting();
  void edit();

  CanvasSurface& surface_;
  CanvasActions& actions_;
  int connectTo_ = -1, operand_ = 0, candidate_ = -1;
  QString number_;
};

}  // namespace fusebench
