// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/storages/storage_canvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/look/storage_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/theme/colors.h"

namespace fusebench {
namespace {

constexpr double kAbove = 18, kBelow = 20, kRight = 14, kAxisSpace = 8;
constexpr double kNameHeight = 13, kNameSpace = 10;  ///< a band that is named is no smaller
constexpr double kOutlined = 6;                      ///< pixels, both ways
constexpr int kTicks = 4;                            ///< about

/// A power of two, so that bytes read as people say them.
double byteStep(double top) {
  double step = 1;
  while (step * kTicks < top) step *= 2;
  return step;
}

/// In the unit that the whole axis has: "8 MiB".
QString byteLabel(double bytes, double top) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; top >= 1024 && unit + 1 < kUnits.size(); top /= 1024) ++unit;
  const double value = bytes / std::exp2(10.0 * static_cast<double>(unit));
  return bytes == 0 ? QStringLiteral("0")
                    : QString::number(value, 'g', 4) + u' ' + QLatin1String(kUnits[unit]);
}

}  // namespace

StorageCanvas::StorageCanvas(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void StorageCanvas::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void StorageCanvas::setPicture(StoragePicture picture, std::int64_t top) {
  picture_ = std::move(picture);
  top_ = std::max<std::int64_t>(top, 1);
  hovered_.reset();
  current_ = std::min(current_, static_cast<int>(picture_.columns.size()) - 1);
  setAccessibleDescription(peakText(picture_));
  update();
}

void StorageCanvas::setCurrent(int column) {
  column = std::clamp(column, -1, static_cast<int>(picture_.columns.size()) - 1);
  if (column == current_) return;
  current_ = column;
  update();
  emit currentChanged(column);
}

QSize StorageCanvas::sizeHint() const {
  return {640, 220};
}

QSize StorageCanvas::minimumSizeHint() const {
  return {200, 90};
}

QRectF StorageCanvas::plot() const {
  const QFontMetricsF metrics(textFont(0.9));
  const double left = metrics.horizontalAdvance(QStringLiteral("1000 MiB")) + kAxisSpace + 4;
  return QRectF(rect()).adjusted(left, kAbove, -kRight, -kBelow);
}

double StorageCanvas::xOf(int column) const {
  const QRectF area = plot();
  const auto count = static_cast<double>(std::max<std::size_t>(1, picture_.columns.size()));
  return area.left() + area.width() * column / count;
}

double StorageCanvas::yOf(double bytes) const {
  const QRectF area = plot();
  return area.bottom() - area.height() * bytes / static_cast<double>(top_);
}

int StorageCanvas::columnAt(double x) const {
  const QRectF area = plot();
  if (picture_.columns.empty() || x < area.left() || x >= area.right()) return -1;
  return static_cast<int>((x - area.left()) / area.width() *
                          static_cast<double>(picture_.columns.size()));
}

std::optional<std::size_t> StorageCanvas::bandAt(QPointF point) const {
  const QRectF area = plot();
  const int column = columnAt(point.x());
  if (column < 0 || point.y() > area.bottom()) return std::nullopt;
  return picture_.bandAt(column,
                         (area.bottom() - point.y()) / area.height() * static_cast<double>(top_));
}

QString StorageCanvas::columnText(int column) const {
  const StoragePicture::Column& of = picture_.columns[static_cast<std::size_t>(column)];
  return uiText("%1: %2").arg(of.step, formatBytes(of.bytes));
}

QString StorageCanvas::textAt(QPoint point) const {
  const int column = columnAt(point.x());
  if (column < 0) return {};
  const auto band = bandAt(point);
  return band ? bandText(picture_, *band) + u'\n' + columnText(column) : columnText(column);
}

void StorageCanvas::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(textFont(0.9));
  painter.fillRect(rect(), theme_->panel);
  if (picture_.columns.size() < 2) return;
  paintAxis(painter);
  for (std::size_t b = 0; b < picture_.bands.size(); ++b) paintBand(painter, b);
  paintPeak(painter);
}

void StorageCanvas::paintAxis(QPainter& painter) const {
  const QRectF area = plot();
  const QFontMetricsF metrics(painter.font());
  const double step = byteStep(static_cast<double>(top_));
  for (double bytes = 0; bytes <= static_cast<double>(top_); bytes += step) {
    const double y = std::round(yOf(bytes)) + 0.5;
    painter.setPen(theme_->grid);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(theme_->muted);
    painter.drawText(QRectF(0, y - 10, area.left() - kAxisSpace, 20),
                     Qt::AlignRight | Qt::AlignVCenter,
                     byteLabel(bytes, static_cast<double>(top_)));
  }
  // Where the way back begins and ends.
  const auto& columns = picture_.columns;
  const auto back = [](const StoragePicture::Column& column) { return column.backward; };
  const auto first = std::ranges::find_if(columns, back);
  if (first != columns.end()) {
    const auto end = std::find_if_not(first, columns.end(), back);
    const double from = xOf(static_cast<int>(first - columns.begin())),
                 to = xOf(static_cast<int>(end - columns.begin()));
    painter.fillRect(QRectF(from, area.top(), to - from, area.height()),
                     blend(theme_->accent, theme_->panel, 0.07));
    painter.setPen(theme_->muted);
    painter.drawText(QRectF(from, 0, std::max(to - from, 60.0), kAbove),
                     Qt::AlignHCenter | Qt::AlignVCenter, uiText("backward"));
    if (from - area.left() > metrics.horizontalAdvance(uiText("forward")))
      painter.drawText(QRectF(area.left(), 0, from - area.left(), kAbove),
                       Qt::AlignHCenter | Qt::AlignVCenter, uiText("forward"));
  }
  painter.setPen(theme_->muted);
  const QRectF under(area.left(), area.bottom() + 2, area.width(), kBelow - 2);
  painter.drawText(under, Qt::AlignLeft | Qt::AlignVCenter, uiText("first step"));
  painter.drawText(under, Qt::AlignRight | Qt::AlignVCenter,
                   uiText("after the last of %1").arg(columns.size() - 1));
}

/// A band's outline: along its upper side, and back along its lower one.
QPolygonF StorageCanvas::outlineOf(const StoragePicture::Band& band) const {
  QPolygonF upper, lower;
  const double height = yOf(0) - yOf(static_cast<double>(band.bytes));
  for (int c = band.first; c <= band.last; ++c) {
    const auto at = static_cast<std::size_t>(c - band.first);
    if (at > 0 && band.below[at] == band.below[at - 1] && c < band.last) continue;
    const double y = yOf(static_cast<double>(band.below[at]));
    if (!lower.isEmpty()) {
      upper << QPointF(xOf(c), upper.back().y());
      lower << QPointF(xOf(c), lower.back().y());
    }
    upper << QPointF(xOf(c), y - height);
    lower << QPointF(xOf(c), y);
  }
  upper << QPointF(xOf(band.last + 1), upper.back().y());
  lower << QPointF(xOf(band.last + 1), lower.back().y());
  std::ranges::reverse(lower);
  return upper << lower;
}

void StorageCanvas::paintBand(QPainter& painter, std::size_t b) const {
  const StoragePicture::Band& band = picture_.bands[b];
  const QColor color = storageColor(*theme_, band.kind);
  const double height = yOf(0) - yOf(static_cast<double>(band.bytes));
  // Outlines would be all that is seen of what is thin.
  const bool outlined = height >= kOutlined && xOf(1) - xOf(0) >= kOutlined;
  painter.setBrush(b == hovered_ ? color : blend(color, theme_->panel, 0.72));
  painter.setPen(outlined ? QPen(theme_->panel, 1) : QPen(Qt::NoPen));
  painter.setRenderHint(QPainter::Antialiasing, outlined);
  painter.drawPolygon(outlineOf(band));
  painter.setRenderHint(QPainter::Antialiasing);
  // Named where it lies still for as long as its name is wide.
  const double y = yOf(static_cast<double>(band.below.front()));
  const auto moves = std::ranges::find_if(
      band.below, [&](std::int64_t below) { return below != band.below.front(); });
  const double width =
      xOf(band.first + static_cast<int>(moves - band.below.begin())) - xOf(band.first);
  if (height < kNameHeight ||
      width < QFontMetricsF(painter.font()).horizontalAdvance(band.name) + kNameSpace)
    return;
  painter.setPen(theme_->text);
  painter.drawText(QRectF(xOf(band.first), y - height, width, height), Qt::AlignCenter, band.name);
}

void StorageCanvas::paintPeak(QPainter& painter) const {
  const QRectF area = plot();
  const double y = yOf(static_cast<double>(picture_.peak));
  painter.setPen(QPen(theme_->text, 1, Qt::DashLine));
  painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  if (current_ < 0) return;
  painter.setPen(QPen(theme_->accent, hasFocus() ? 2 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(
      QRectF(QPointF(xOf(current_), area.top()), QPointF(xOf(current_ + 1), area.bottom())));
}

void StorageCanvas::hover(std::optional<std::size_t> band) {
  if (band == hovered_) return;
  hovered_ = band;
  update();
}

void StorageCanvas::mousePressEvent(QMouseEvent* event) {
  if (const int column = columnAt(event->position().x()); column >= 0) setCurrent(column);
}

void StorageCanvas::mouseMoveEvent(QMouseEvent* event) {
  hover(bandAt(event->position()));
}

void StorageCanvas::leaveEvent(QEvent* /*event*/) {
  hover(std::nullopt);
}

void StorageCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return setCurrent(std::max(0, current_ - 1));
    case Qt::Key_Right:
      return setCurrent(current_ + 1);
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(static_cast<int>(picture_.columns.size()) - 1);
    default:
      QWidget::keyPressEvent(event);
  }
}

bool StorageCanvas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = textAt(help->pos());
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace fusebench
