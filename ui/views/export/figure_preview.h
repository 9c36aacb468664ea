// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/export/figures/figure.h"

namespace fusebench {

/// A preview of a figure, scaled down if it does not fit, on a background that shows its edges.
class FigurePreview : public QWidget {
  Q_OBJECT

 public:
  explicit FigurePreview(QWidget* parent = nullptr);
  void setFigure(Figure figure);
  const Figure& figure() const { return figure_; }
  void setGround(const QColor& ground) { ground_ = ground; }
  QSize sizeHint() const override { return {640, 420}; }
  QSize minimumSizeHint() const override { return {320, 240}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Figure figure_;
  QColor ground_;
};

}  // namespace fusebench
