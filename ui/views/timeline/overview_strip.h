// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/timeline/timeline_model.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// An overview of the traces in a few pixels of height, and the visible part of the timeline. The
/// part is moved by dragging or by a click, and the wheel zooms. Left and Right move the part, Up
/// and Down zoom, Home and End go to the ends, Enter shows everything.
class OverviewStrip : public QWidget {
  Q_OBJECT

 public:
  explicit OverviewStrip(TimelineModel& model, QWidget* parent = nullptr);
  TimelineModel& model() const { return model_; }
  void setTheme(const Theme& theme);
  /// Where the visible part is drawn.
  QRectF part() const;
  QSize sizeHint() const override;
  /// How much happens in the first trace at one pixel, 0 to 1.
  double busyAt(int x) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void count();
  double timeAt(double x) const;
  double xOf(double time) const;

  TimelineModel& model_;
  const Theme* theme_ = &darkTheme();
  std::vector<std::vector<float>> busy_;  ///< for each trace, column by column
  double grabbed_ = 0;                    ///< from the middle of the part, nanoseconds
};

}  // namespace fusebench
