// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/map_canvas.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/look/map_colors.h"
#include "ui/models/base/ui_text.h"
#include "ui/theme/colors.h"

namespace fusebench {
namespace {

constexpr int kMapTop = 10, kMapBottom = 50, kMapRight = 84;
constexpr int kMapBarGap = 18, kBarWidth = 12;
constexpr double kMapGap = 1;  ///< between cells

}  // namespace

MapCanvas::MapCanvas(const BreakEvenMap& map, QWidget* parent)
    : QWidget(parent), map_(map), readout_(new QLabel(this)) {
  setObjectName(QStringLiteral("mapCanvas"));
  setAccessibleName(uiText("Break-even map"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
  readout_->setObjectName(QStringLiteral("readout"));
  readout_->setAttribute(Qt::WA_TransparentForMouseEvents);
  readout_->setTextFormat(Qt::RichText);
  readout_->setContentsMargins(10, 8, 10, 8);
  readout_->hide();
}

void MapCanvas::setTheme(const Theme& theme) {
  theme_ = &theme;
  refresh();
}

void MapCanvas::refresh() {
  picture_ = mapPicture(map_);
  const QFontMetrics metrics(textFont(0.92));
  int widest = 0;
  for (const MapPicture::Tick& tick : picture_.y)
    widest = std::max(widest, metrics.horizontalAdvance(tick.text));
  leftMargin_ = widest + 42;
  if (cursor_ && (cursor_->x >= map_.x.values.size() || cursor_->y >= map_.y.values.size()))
    cursor_.reset();
  placeReadout();
  update();
}

// ---- geometry ----

QRectF MapCanvas::plotRect() const {
  return QRectF(rect()).adjusted(leftMargin_, kMapTop, -kMapRight, -kMapBottom);
}

QPointF MapCanvas::pixelOf(const MapPoint& shares) const {
  const QRectF area = plotRect();
  return {area.left() + shares.x * area.width(), area.bottom() - shares.y * area.height()};
}

QRectF MapCanvas::boxOf(const MapPicture::Cell& cell) const {
  return QRectF(pixelOf({cell.low.x, cell.high.y}), pixelOf({cell.high.x, cell.low.y}));
}

QRectF MapCanvas::cellRect(MapIndex place) const {
  if (place.x >= picture_.x.size() || place.y >= picture_.y.size()) return {};
  return boxOf(picture_.cells[map_.index(place.x, place.y)]);
}

std::optional<MapIndex> MapCanvas::cellAt(const QPointF& position) const {
  if (map_.empty() || !plotRect().contains(position)) return std::nullopt;
  for (std::size_t i = 0; i < map_.x.values.size(); ++i)
    for (std::size_t j = 0; j < map_.y.values.size(); ++j)
      if (cellRect({i, j}).contains(position)) return MapIndex{i, j};
  return std::nullopt;
}

QColor MapCanvas::colorOf(double ratio) const {
  return ratioColor(picture_.ratios.strength(ratio), *theme_);
}

// ---- drawing ----

void MapCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_->panel);
  if (picture_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  paintCells(painter);
  paintContours(painter);
  paintFigures(painter);
  paintAxes(painter);
  paintColorBar(painter);
  paintCursor(painter);
}

void MapCanvas::paintCells(QPainter& painter) const {
  for (const MapPicture::Cell& cell : picture_.cells) paintCell(painter, cell);
}

void MapCanvas::paintCell(QPainter& painter, const MapPicture::Cell& cell) const {
  const QRectF whole = boxOf(cell);
  const QRectF box = whole.adjusted(kMapGap / 2, kMapGap / 2, -kMapGap / 2, -kMapGap / 2);
  const QColor full = ratioColor(cell.strength, *theme_);
  switch (cell.fill) {
    case MapPicture::Fill::absent:
      painter.setPen(QPen(theme_->border, 1));
      painter.setBrush(Qt::NoBrush);
      return painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    case MapPicture::Fill::crossed:
      painter.setPen(QPen(theme_->border, 1));
      painter.drawLine(box.topLeft(), box.bottomRight());
      painter.drawLine(box.bottomLeft(), box.topRight());
      return;
    case MapPicture::Fill::blank:
      return painter.fillRect(box, blend(theme_->raised, theme_->panel, 0.6));
    case MapPicture::Fill::pale:
      // Part of a coarser block: no gaps, paler, no figure.
      painter.setRenderHint(QPainter::Antialiasing, false);
      painter.fillRect(whole, blend(full, theme_->panel, 0.6));
      return painter.setRenderHint(QPainter::Antialiasing);
    case MapPicture::Fill::full:
      return painter.fillRect(box, full);
  }
}

/// Paints the speedup where there is room, above the contours and their hatching.
void MapCanvas::paintFigure(QPainter& painter, const MapPicture::Cell& cell) const {
  if (cell.figure.isEmpty()) return;
  const QRectF box = boxOf(cell).adjusted(kMapGap / 2, kMapGap / 2, -kMapGap / 2, -kMapGap / 2);
  const QColor full = ratioColor(cell.strength, *theme_);
  const QFontMetricsF metrics(painter.font());
  const double width = metrics.horizontalAdvance(cell.figure);
  if (width > box.width() - 6 || metrics.height() > box.height() - 2) return;
  if (cell.fill == MapPicture::Fill::absent) {
    painter.setPen(theme_->muted);
    return painter.drawText(box, Qt::AlignCenter, cell.figure);
  }
  const bool darkInk = isBright(full);
  painter.setPen(darkInk == theme_->dark ? theme_->window : theme_->text);
  // A ground of its own keeps it readable where the contour's band is hatched.
  const QSizeF size(width + 6, metrics.height());
  painter.fillRect(QRectF(box.center() - QPointF(size.width() / 2, size.height() / 2), size), full);
  painter.drawText(box, Qt::AlignCenter, cell.figure);
}

void MapCanvas::paintFigures(QPainter& painter) const {
  painter.save();
  painter.setFont(monoFont(0.86));
  for (const MapPicture::Cell& cell : picture_.cells) paintFigure(painter, cell);
  painter.restore();
}

void MapCanvas::paintContours(QPainter& painter) const {
  painter.save();
  painter.setClipRect(plotRect());
  QPainterPath band;
  for (const MapLine& piece : picture_.contours.band) {
    QPolygonF polygon;
    for (const MapPoint& point : piece) polygon << pixelOf(point);
    band.addPolygon(polygon);
    band.closeSubpath();
  }
  band.setFillRule(Qt::WindingFill);
  QColor ink = theme_->text;
  ink.setAlphaF(0.3f);
  painter.fillPath(band, QBrush(ink, Qt::BDiagPattern));
  const auto draw = [&](const std::vector<MapLine>& lines, const QPen& pen) {
    painter.setPen(pen);
    for (const MapLine& line : lines) {
      QPolygonF polygon;
      for (const MapPoint& point : line) polygon << pixelOf(point);
      painter.drawPolyline(polygon);
    }
  };
  QPen thin(ink, 1, Qt::DashLine);
  thin.setDashPattern({4, 3});
  draw(picture_.contours.low, thin);
  draw(picture_.contours.high, thin);
  // A rim in the background color keeps the line visible on every color.
  draw(picture_.contours.line, QPen(theme_->panel, 5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  draw(picture_.contours.line, QPen(theme_->text, 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.restore();
}

void MapCanvas::paintAxes(QPainter& painter) const {
  const QRectF area = plotRect();
  painter.setFont(textFont(0.92));
  painter.setPen(theme_->muted);
  const QFontMetricsF metrics(painter.font());
  double freeFrom = -1e9;
  for (const MapPicture::Tick& tick : picture_.x) {
    const double width = metrics.horizontalAdvance(tick.text), middle = pixelOf({tick.at, 0}).x();
    if (middle - width / 2 < freeFrom) continue;
    freeFrom = middle + width / 2 + 8;
    painter.drawText(QRectF(middle - width, area.bottom() + 5, 2 * width, metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop, tick.text);
  }
  double freeBelow = 1e9;
  for (const MapPicture::Tick& tick : picture_.y) {
    const double middle = pixelOf({0, tick.at}).y();
    if (middle + metrics.height() / 2 > freeBelow) continue;
    freeBelow = middle - metrics.height() / 2 - 2;
    painter.drawText(QRectF(0, middle - metrics.height(), area.left() - 8, 2 * metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, tick.text);
  }
  painter.drawText(QRectF(area.left(), area.bottom() + 27, area.width(), metrics.height()),
                   Qt::AlignCenter, picture_.xLabel);
  painter.save();
  painter.translate(16, area.center().y());
  painter.rotate(-90);
  painter.drawText(
      QRectF(-area.height() / 2, -metrics.height() / 2, area.height(), metrics.height()),
      Qt::AlignCenter, picture_.yLabel);
  painter.restore();
}

void MapCanvas::paintColorBar(QPainter& painter) const {
  if (picture_.scale.empty()) return;
  const QRectF area = plotRect();
  const QRectF bar(area.right() + kMapBarGap, area.top(), kBarWidth, area.height());
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  constexpr int kStops = 64;
  for (int stop = 0; stop <= kStops; ++stop) {
    const double at = static_cast<double>(stop) / kStops;
    gradient.setColorAt(at, ratioColor(picture_.strengthAt(at), *theme_));
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 2, 2);
  painter.setFont(textFont(0.92));
  const QFontMetricsF metrics(painter.font());
  std::vector<double> taken;
  for (const MapPicture::Tick& tick : picture_.scale) {
    const double y = bar.bottom() - tick.at * bar.height();
    if (std::ranges::any_of(taken,
                            [&](double other) { return std::abs(other - y) < metrics.height(); }))
      continue;
    taken.push_back(y);
    painter.setPen(QPen(tick.one ? theme_->text : theme_->muted, tick.one ? 2 : 1));
    painter.drawLine(QPointF(bar.right() + (tick.one ? -kBarWidth : 0), y),
                     QPointF(bar.right() + 4, y));
    painter.setPen(tick.one ? theme_->text : theme_->muted);
    painter.drawText(QRectF(bar.right() + 8, y - metrics.height(), width() - bar.right() - 8,
                            2 * metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, tick.text);
  }
}

void MapCanvas::paintCursor(QPainter& painter) const {
  if (!cursor_) return;
  const QRectF box = cellRect(*cursor_);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme_->panel, 5));
  painter.drawRect(box);
  painter.setPen(QPen(hasFocus() ? theme_->accent : theme_->text, 2));
  painter.drawRect(box);
}

// ---- the cursor ----

void MapCanvas::setCursorPlace(std::optional<MapIndex> place) {
  if (place == cursor_) return;
  cursor_ = place;
  placeReadout();
  update();
  emit cursorMoved();
}

void MapCanvas::placeReadout() {
  readout_->setVisible(cursor_.has_value());
  if (!cursor_) return setAccessibleDescription({});
  readout_->setText(readoutText(*cursor_));
  QString plain = readout_->text();
  setAccessibleDescription(plain.replace(QStringLiteral("&nbsp;"), QStringLiteral(" "))
                               .remove(QRegularExpression(QStringLiteral("<[^>]*>"))));
  readout_->adjustSize();
  // The readout is next to the cell, on the side with room, so that the cell itself stays visible.
  const QRectF box = cellRect(*cursor_);
  const QSize size = readout_->size();
  double left = box.right() + 10;
  if (left + size.width() > width() - 4) left = box.left() - 10 - size.width();
  left = std::clamp(left, 4.0, std::max(4.0, static_cast<double>(width() - size.width() - 4)));
  double top = box.center().y() - size.height() / 2.0;
  top = std::clamp(top, 4.0, std::max(4.0, static_cast<double>(height() - size.height() - 4)));
  if (QRectF(QPointF(left, top), size).intersects(box))
    top = box.top() > size.height() + 14 ? box.top() - size.height() - 10 : box.bottom() + 10;
  readout_->move(static_cast<int>(left), static_cast<int>(top));
}

void MapCanvas::mouseMoveEvent(QMouseEvent* event) {
  setCursorPlace(cellAt(event->position()));
}

void MapCanvas::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  const auto place = cellAt(event->position());
  if (event->button() != Qt::LeftButton || !place) return;
  setCursorPlace(place);
  emit picked(place->x, place->y);
}

void MapCanvas::leaveEvent(QEvent*) {
  setCursorPlace(std::nullopt);
}

void MapCanvas::resizeEvent(QResizeEvent*) {
  placeReadout();
}

void MapCanvas::focusInEvent(QFocusEvent* event) {
  if (event->reason() != Qt::MouseFocusReason && !cursor_ && !map_.empty())
    setCursorPlace(MapIndex{0, 0});
  QWidget::focusInEvent(event);
}

void MapCanvas::keyPressEvent(QKeyEvent* event) {
  if (map_.empty()) return QWidget::keyPressEvent(event);
  const MapIndex last{map_.x.values.size() - 1, map_.y.values.size() - 1};
  MapIndex to = cursor_.value_or(MapIndex{});
  switch (event->key()) {
    case Qt::Key_Left:
      to.x -= to.x > 0;
      break;
    case Qt::Key_Right:
      to.x += cursor_ && to.x < last.x;
      break;
    case Qt::Key_Down:
      to.y -= to.y > 0;
      break;
    case Qt::Key_Up:
      to.y += cursor_ && to.y < last.y;
      break;
    case Qt::Key_Home:
      to.x = 0;
      break;
    case Qt::Key_End:
      to.x = last.x;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cursor_) emit picked(cursor_->x, cursor_->y);
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
  setCursorPlace(to);
}

}  // namespace fusebench

#include "moc_map_canvas.cpp"
