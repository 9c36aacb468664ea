// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

#include "ui/models/canvas/canvas_graph.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// An open frame: an outline around the ops of a call or of a loop iteration, with its name, which
/// folds it, at its upper left.
class CanvasFrameItem : public QGraphicsItem {
 public:
  CanvasFrameItem(const CanvasFrame& frame, int number, const QRectF& area, const Theme& theme);
  void setTheme(const Theme& theme);
  int number() const { return number_; }  ///< in CanvasGraph::frames
  const QRectF& area() const { return area_; }
  /// Area of the frame's name, in scene coordinates.
  QRectF titleFrame() const;

  QRectF boundingRect() const override { return area_.adjusted(-2, -2, 2, 2); }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  QString title() const;

  CanvasFrame frame_;
  int number_;
  QRectF area_;
  const Theme* theme_;
};

}  // namespace fusebench
