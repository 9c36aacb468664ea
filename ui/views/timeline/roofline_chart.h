// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/models/timeline/operator_figures.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Operators by FLOPs per byte and per second, on logarithmic axes, below the peak rates of the
/// device. Color and shape of a mark show the class of the operator, its size the share of the
/// time. A click chooses an operator; so do Left, Right and Enter.
class RooflineChart : public QWidget {
  Q_OBJECT

 public:
  explicit RooflineChart(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Null: nothing, or not yet (`busy`).
  void setFigures(std::shared_ptr<const RooflineFigures::Made> made, bool busy);
  /// Marks a point; kNoPoint: none.
  void mark(std::uint32_t point);
  std::uint32_t marked() const { return marked_; }

  struct Mark {
    QPointF place;
    double radius;
    std::uint32_t point;
  };
  /// The points that are drawn, the largest first.
  const std::vector<Mark>& marks() const { return marks_; }
  /// The labels of the rates that are drawn as lines.
  const QStringList& roofs() const { return roofs_; }
  QString wordsOf(std::uint32_t point) const;

 signals:
  void pointChosen(std::uint32_t point);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  QSize minimumSizeHint() const override { return {220, 120}; }

 private:
  /// The part of the plane that is drawn, in powers of ten of FLOP/byte and GFLOP/s.
  struct Span {
    double left, right, bottom, top;
  };
  void layOut();
  QRectF area() const;
  std::vector<std::size_t> usedLooks() const;
  std::vector<QPointF> legendPlaces() const;
  QPointF placeOf(double intensity, double gigaflops) const;
  const Mark* markAt(QPointF position) const;
  void paintGrid(QPainter& painter);
  void paintRoofs(QPainter& painter);
  void paintMark(QPainter& painter, const Mark& mark);
  void paintLegend(QPainter& painter);

  std::shared_ptr<const RooflineFigures::Made> made_;
  bool busy_ = false;
  const Theme* theme_ = &darkTheme();
  std::optional<Span> span_;
  std::vector<Mark> marks_;
  QStringList roofs_;
  std::uint32_t marked_ = kNoPoint, hovered_ = kNoPoint;
};

}  // namespace fusebench
