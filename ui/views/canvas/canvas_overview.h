// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

#include "ui/theme/theme.h"

namespace fusebench {

class CanvasSurface;

/// A large program in a strip right of the graph: every box in the color of its category or of its
/// time, and the part that is in sight. A click goes there. It shows while the program is much
/// higher than the canvas.
class CanvasOverview : public QWidget {
  Q_OBJECT

 public:
  explicit CanvasOverview(CanvasSurface& surface);
  void setTheme(const Theme& theme);
  /// The part of the program that is in sight, in this widget.
  QRectF seen() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  void follow();
  void goTo(QPointF at);
  QPixmap drawn() const;

  CanvasSurface& surface_;
  const Theme* theme_ = &darkTheme();
  QPixmap picture_;  ///< all boxes; null: to be drawn again
};

}  // namespace fusebench
