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

#include "ui/theme/colors.h"
#include "ui/models/base/format.h"
#include "ui/views/chart/axis_tickers.h"

namespace fusebench {
namespace {

constexpr int kMapTop = 10, kMapBottom = 50, kMapRight = 84;
constexpr int kMapBarGap = 18, kBarWidth = 12;
constexpr double kMapGap = 1;  ///< between cells

}  // namespace

MapCanvas::MapCanvas(const BreakEvenMap& map, QWidget* parent)
    : QWidget(parent), map_(map), readout_(new QLabel(this)) {
  setObjectName(QStringLiteral("mapCanvas"));
  setAccessibleName(QStringLiteral("Break-even map"));
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
  scale_ = ratioScale(map_);
  xEdges_ = map_.x.edges();
  yEdges_ = map_.y.edges();
  const QFontMetrics metrics(textFont(0.92));
  int widest = 0;
  for (const double value : map_.y.values)
    widest = std::max(widest,
                      metrics.horizontalAdvance(axisValueText(value, placeStyle(map_.y.values))));
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

QPointF MapCanvas::pixelOf(const MapPoint& point) const {
  const QRectF area = plotRect();
  const double u = (point.x - xEdges_.front()) / (xEdges_.back() - xEdges_.front());
  const double v = (point.y - yEdges_.front()) / (yEdges_.back() - yEdges_.front());
  return {area.left() + u * area.width(), area.bottom() - v * area.height()};
}

QRectF MapCanvas::cellRect(MapIndex place) const {
  if (place.x + 1 >= xEdges_.size() || place.y + 1 >= yEdges_.size()) return {};
  return QRectF(pixelOf({xEdges_[place.x], yEdges_[place.y + 1]}),
                pixelOf({xEdges_[place.x + 1], yEdges_[place.y]}));
}

std::optional<MapIndex> MapCanvas::cellAt(const QPointF& position) const {
  if (map_.empty() || !plotRect().contains(position)) return std::nullopt;
  for (std::size_t i = 0; i < map_.x.values.size(); ++i)
    for (std::size_t j = 0; j < map_.y.values.size(); ++j)
      if (cellRect({i, j}).contains(position)) return MapIndex{i, j};
  return std::nullopt;
}

// Blue for faster, orange for slower: told apart with every common colour
// blindness. Towards the ends the colour goes on towards the text's, so that
// strength shows as lightness, too.
QColor MapCanvas::colorOf(double ratio) const {
  const double strength = scale_.strength(ratio);
  if (std::isnan(strength)) return theme_->panel;
  const QColor& hue = theme_->seriesColors[strength > 0 ? 0 : 1];
  const double amount = std::pow(std::abs(strength), 0.8);
  constexpr double kFullHue = 0.6;
  if (amount <= kFullHue) return blend(hue, theme_->raised, amount / kFullHue);
  return blend(theme_->text, hue, 0.6 * (amount - kFullHue) / (1 - kFullHue));
}

// ---- drawing ----

void MapCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_->panel);
  if (map_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  paintCells(painter);
  paintContours(painter);
  paintFigures(painter);
  paintAxes(painter);
  paintColorBar(painter);
  paintCursor(painter);
}

void MapCanvas::paintCells(QPainter& painter) const {
  for (std::size_t i = 0; i < map_.x.values.size(); ++i)
    for (std::size_t j = 0; j < map_.y.values.size(); ++j) paintCell(painter, {i, j});
}

void MapCanvas::paintCell(QPainter& painter, MapIndex at) const {
  const std::size_t k = map_.index(at.x, at.y);
  const MapPlace& place = map_.places[k];
  const QRectF whole = cellRect(at);
  const QRectF box = whole.adjusted(kMapGap / 2, kMapGap / 2, -kMapGap / 2, -kMapGap / 2);
  if (place.state == PlaceState::hole) {
    painter.setPen(QPen(theme_->border, 1));
    painter.drawLine(box.topLeft(), box.bottomRight());
    painter.drawLine(box.bottomLeft(), box.topRight());
    return;
  }
  if (!map_.source[k]) {
    painter.fillRect(box, blend(theme_->raised, theme_->panel, 0.6));
    return;
  }
  const QColor full = colorOf(map_.places[*map_.source[k]].speedUp.value);
  if (place.state == PlaceState::pending) {
    // Part of a coarser block: no gaps, paler, no figure.
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(whole, blend(full, theme_->panel, 0.6));
    painter.setRenderHint(QPainter::Antialiasing);
    return;
  }
  painter.fillRect(box, full);
}

/// How many times as fast, where there is room: above the contours and their hatching.
void MapCanvas::paintFigure(QPainter& painter, MapIndex at) const {
  const std::size_t k = map_.index(at.x, at.y);
  const MapPlace& place = map_.places[k];
  if (place.state != PlaceState::measured || !map_.source[k]) return;
  const QRectF box = cellRect(at).adjusted(kMapGap / 2, kMapGap / 2, -kMapGap / 2, -kMapGap / 2);
  const QColor full = colorOf(map_.places[*map_.source[k]].speedUp.value);
  QString text = formatRatio(place.speedUp.value);
  if (place.certainty() == Certainty::unsure) text.prepend(QStringLiteral("≈ "));
  const QFontMetricsF metrics(painter.font());
  if (metrics.horizontalAdvance(text) > box.width() - 6 || metrics.height() > box.height() - 2)
    return;
  const bool darkInk = isBright(full);
  painter.setPen(darkInk == theme_->dark ? theme_->window : theme_->text);
  // A ground of its own keeps it readable where the contour's band is hatched.
  const QSizeF size(metrics.horizontalAdvance(text) + 6, metrics.height());
  painter.fillRect(QRectF(box.center() - QPointF(size.width() / 2, size.height() / 2), size), full);
  painter.drawText(box, Qt::AlignCenter, text);
}

void MapCanvas::paintFigures(QPainter& painter) const {
  painter.save();
  painter.setFont(monoFont(0.86));
  for (std::size_t i = 0; i < map_.x.values.size(); ++i)
    for (std::size_t j = 0; j < map_.y.values.size(); ++j) paintFigure(painter, {i, j});
  painter.restore();
}

void MapCanvas::paintContours(QPainter& painter) const {
  painter.save();
  painter.setClipRect(plotRect());
  QPainterPath band;
  for (const MapLine& piece : map_.contours.band) {
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
  draw(map_.contours.low, thin);
  draw(map_.contours.high, thin);
  // A rim of the ground's colour keeps the line visible on every colour.
  draw(map_.contours.line, QPen(theme_->panel, 5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  draw(map_.contours.line, QPen(theme_->text, 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.restore();
}

void MapCanvas::paintAxes(QPainter& painter) const {
  const QRectF area = plotRect();
  painter.setFont(textFont(0.92));
  painter.setPen(theme_->muted);
  const QFontMetricsF metrics(painter.font());
  double freeFrom = -1e9;
  for (std::size_t i = 0; i < map_.x.values.size(); ++i) {
    const QString text = axisValueText(map_.x.values[i], placeStyle(map_.x.values));
    const double width = metrics.horizontalAdvance(text), middle = cellRect({i, 0}).center().x();
    if (middle - width / 2 < freeFrom) continue;
    freeFrom = middle + width / 2 + 8;
    painter.drawText(QRectF(middle - width, area.bottom() + 5, 2 * width, metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop, text);
  }
  double freeBelow = 1e9;
  for (std::size_t j = 0; j < map_.y.values.size(); ++j) {
    const double middle = cellRect({0, j}).center().y();
    if (middle + metrics.height() / 2 > freeBelow) continue;
    freeBelow = middle - metrics.height() / 2 - 2;
    painter.drawText(QRectF(0, middle - metrics.height(), area.left() - 8, 2 * metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter,
                     axisValueText(map_.y.values[j], placeStyle(map_.y.values)));
  }
  painter.drawText(QRectF(area.left(), area.bottom() + 27, area.width(), metrics.height()),
                   Qt::AlignCenter, map_.x.label);
  painter.save();
  painter.translate(16, area.center().y());
  painter.rotate(-90);
  painter.drawText(
      QRectF(-area.height() / 2, -metrics.height() / 2, area.height(), metrics.height()),
      Qt::AlignCenter, map_.y.label);
  painter.restore();
}

void MapCanvas::paintColorBar(QPainter& painter) const {
  const QRectF area = plotRect();
  const QRectF bar(area.right() + kMapBarGap, area.top(), kBarWidth, area.height());
  const double low = std::log(scale_.lowest), high = std::log(scale_.highest);
  const auto heightOf = [&](double ratio) {
    return bar.bottom() - (std::log(ratio) - low) / (high - low) * bar.height();
  };
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  constexpr int kStops = 64;
  for (int stop = 0; stop <= kStops; ++stop) {
    const double at = static_cast<double>(stop) / kStops;
    gradient.setColorAt(at, colorOf(std::exp(low + at * (high - low))));
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 2, 2);
  painter.setFont(textFont(0.92));
  const QFontMetricsF metrics(painter.font());
  std::vector<double> taken;
  const auto mark = [&](double ratio) {
    const double y = heightOf(ratio);
    for (const double other : taken)
      if (std::abs(other - y) < metrics.height()) return;
    taken.push_back(y);
    painter.setPen(QPen(ratio == 1 ? theme_->text : theme_->muted, ratio == 1 ? 2 : 1));
    painter.drawLine(QPointF(bar.right() + (ratio == 1 ? -kBarWidth : 0), y),
                     QPointF(bar.right() + 4, y));
    painter.setPen(ratio == 1 ? theme_->text : theme_->muted);
    painter.drawText(QRectF(bar.right() + 8, y - metrics.height(), width() - bar.right() - 8,
                            2 * metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, ratioTickText(ratio));
  };
  mark(1);
  for (const double tick : scale_.ticks())
    if (std::abs(tick - 1) > 1e-9) mark(tick);
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
  // Beside the cell, on the side with room, so that the cell itself stays in
  // view.
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
