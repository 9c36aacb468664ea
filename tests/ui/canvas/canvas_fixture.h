// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QGraphicsItem>
#include <string>
#include <vector>

#include "ui/models/setup/document_model.h"
#include "ui/views/canvas/canvas_view.h"

class QMimeData;

namespace fusebench {

/// A canvas on a real document, and hands for it: mouse and keys as a person has them, events sent
/// to the view's viewport, places asked of what is drawn.
class Canvas : public testing::Test {
 protected:
  Canvas();
  /// Starts with this program; the history is empty.
  void load(const std::string& body, const std::string& inputs = "x");
  /// The statements and the return, without header and indentation, joined by "; ".
  std::string code();

  /// The node with this title (the n-th such), or -1 and a failure.
  int node(const QString& title, int nth = 0);
  int edge(const QString& from, const QString& to);
  /// Selected nodes' titles, in the program's order.
  std::string selected();
  std::string current();

  // Places on the viewport.
  QPoint pixel(QPointF scene);
  QPoint body(const QString& title, int nth = 0);  ///< where neither field nor port is
  QPoint out(const QString& title);
  QPoint in(const QString& title, int operand = 0);
  QPoint middle(const QString& from, const QString& to);
  QPoint ground();

  void press(QPoint at, Qt::KeyboardModifiers modifiers = {});
  void move(QPoint to, Qt::KeyboardModifiers modifiers = {});
  void release(QPoint at, Qt::KeyboardModifiers modifiers = {});
  void click(QPoint at, Qt::KeyboardModifiers modifiers = {});
  void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {});
  void key(int key, Qt::KeyboardModifiers modifiers = {});
  /// Types into whatever has the keyboard: the canvas, an editor on it.
  void type(const QString& text);
  /// Carries data over the canvas to a place; false if the canvas would not take it.
  bool carry(QMimeData& data, QPoint to);
  bool drop(QMimeData& data, QPoint at);
  bool dropOp(const char* name, QPoint at);
  /// Chooses in the palette that popped up.
  void chooseInPopup(const QString& search);

  std::string said();  ///< the message that shows now; empty: none
  std::string undoName() { return document.undoName().toStdString(); }

  DocumentModel document;
  CanvasView view{document};
};

}  // namespace fusebench
