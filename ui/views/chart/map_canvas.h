// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/models/chart/break_even_map.h"
#include "ui/models/chart/map_picture.h"
#include "ui/theme/theme.h"

class QLabel;

namespace fusebench {

/// A point of the map by its indices on the two axes.
struct MapIndex {
  std::size_t x = 0, y = 0;
  friend bool operator==(const MapIndex&, const MapIndex&) = default;
};

/// Draws the map: cells at their values, the break-even line with its uncertainty, axes and the
/// color bar. The mouse and the arrow keys move a cursor over the cells.
class MapCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit MapCanvas(const BreakEvenMap& map, QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  /// The map has changed.
  void refresh();
  void setCursorPlace(std::optional<MapIndex> place);
  std::optional<MapIndex> cursorPlace() const { return cursor_; }

  const BreakEvenMap& map() const { return map_; }
  QRectF plotRect() const;
  QRectF cellRect(MapIndex place) const;
  std::optional<MapIndex> cellAt(const QPointF& position) const;
  /// Color of a speedup on the current scale.
  QColor colorOf(double ratio) const;
  const QLabel& readout() const { return *readout_; }

  QSize sizeHint() const override { return {560, 420}; }
  QSize minimumSizeHint() const override { return {320, 220}; }

 signals:
  void picked(std::size_t xIndex, std::size_t yIndex);
  void cursorMoved();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  /// Converts shares of the plot to pixels.
  QPointF pixelOf(const MapPoint& shares) const;
  void paintCells(QPainter& painter) const;
  void paintCell(QPainter& painter, const MapPicture::Cell& cell) const;
  void paintFigure(QPainter& painter, const MapPicture::Cell& cell) const;
  QRectF boxOf(const MapPicture::Cell& cell) const;
  void paintFigures(QPainter& painter) const;
  void paintContours(QPainter& painter) const;
  void paintAxes(QPainter& painter) const;
  void paintColorBar(QPainter& painter) const;
  void paintCursor(QPainter& painter) const;
  void placeReadout();
  QString readoutText(MapIndex place) const;

  const BreakEvenMap& map_;
  MapPicture picture_;
  const Theme* theme_ = &darkTheme();
  std::optional<MapIndex> cursor_;
  int leftMargin_ = 64;
  QLabel* readout_;
};

}  // namespace fusebench
