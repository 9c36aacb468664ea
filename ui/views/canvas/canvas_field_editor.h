// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <functional>

#include "ui/models/canvas/canvas_fields.h"
#include "ui/theme/theme.h"

namespace fusebench {

class CanvasSurface;

/// Edits one field in place, over its chip on the node. Enter commits the value, Tab moves to the
/// next field, Escape keeps the old value. An invalid value is explained while it is typed.
class CanvasFieldEditor : public QLineEdit {
  Q_OBJECT

 public:
  explicit CanvasFieldEditor(CanvasSurface& surface);

  /// Why a text is not valid; empty: it is.
  std::function<QString(int node, int field, const QString& typed)> check;
  /// Accepts a text; returns the refusal, or nothing.
  std::function<QString(int node, int field, const QString& typed)> commit;
  /// Shows a message about the field; empty words clear it.
  std::function<void(const QString& words, QPointF scene)> say;

  void open(int node, int field);
  bool isOpen() const { return node_ >= 0; }
  int node() const { return node_; }
  int field() const { return field_; }
  /// Accepts the typed text if it is valid, and closes.
  void leave();
  void close();
  /// Moves to the current position of the chip.
  void follow();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  bool accept();
  void walk(int fields);
  void judge();
  void restyle();
  QPointF below() const;

  CanvasSurface& surface_;
  int node_ = -1, field_ = -1;
  bool flag_ = false;
  QString error_;
};

}  // namespace fusebench
