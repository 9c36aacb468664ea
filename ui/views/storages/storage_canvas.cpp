// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/storages/storage_canvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/look/storage_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/theme/colors.h"
#include "ui/views/base/plain_texts.h"

namespace fusebench {
namespace {

constexpr double kAbove = 18, kBelow = 20, kRight = 14, kAxisSpace = 8;
constexpr double kNameHeight = 13, kNameSpace = 10;  ///< a band that is named is no smaller
constexpr double kOutlined = 6;                      ///< pixels, both ways

}  // namespace

StorageCanvas::StorageCanvas(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void StorageCanvas::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void StorageCanvas::setPicture(std::shared_ptr<const StoragePicture> picture, std::int64_t top) {
  if (picture == picture_ && top == top_) return;
  picture_ = std::move(picture);
  top_ = std::max<std::int64_t>(top, 1);
  hovered_.reset();
  current_ = std::min(current_, static_cast<int>(picture_->columns.size()) - 1);
  setAccessibleDescription(peakText(*picture_));
  update();
}

void StorageCanvas::setCurrent(int column) {
  column = std::clamp(column, -1, static_cast<int>(picture_->columns.size()) - 1);
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

StorageScale StorageCanvas::scale() const {
  return {plot(), picture_->columns.size(), top_};
}

int StorageCanvas::columnAt(double x) const {
  const QRectF area = plot();
  if (picture_->columns.empty() || x < area.left() || x >= area.right()) return -1;
  return static_cast<int>((x - area.left()) / area.width() *
                          static_cast<double>(picture_->columns.size()));
}

std::optional<std::size_t> StorageCanvas::bandAt(QPointF point) const {
  const QRectF area = plot();
  const int column = columnAt(point.x());
  if (column < 0 || point.y() > area.bottom()) return std::nullopt;
  return picture_->bandAt(column,
                          (area.bottom() - point.y()) / area.height() * static_cast<double>(top_));
}

QString StorageCanvas::columnText(int column) const {
  const StoragePicture::Column& of = picture_->columns[static_cast<std::size_t>(column)];
  return uiText("%1: %2").arg(of.step, formatBytes(of.bytes));
}

QRectF StorageCanvas::columnPlace(int column) const {
  const StorageScale of = scale();
  return {QPointF(of.x(column), of.area.top()), QPointF(of.x(column + 1), of.area.bottom())};
}

QString StorageCanvas::textAt(QPoint point) const {
  const int column = columnAt(point.x());
  if (column < 0) return {};
  const auto band = bandAt(point);
  return band ? bandText(*picture_, *band) + u'\n' + columnText(column) : columnText(column);
}

void StorageCanvas::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(textFont(0.9));
  painter.fillRect(rect(), theme_->panel);
  if (picture_->columns.size() < 2) return;
  paintAxis(painter);
  for (std::size_t b = 0; b < picture_->bands.size(); ++b) paintBand(painter, b);
  paintPeak(painter);
}

void StorageCanvas::paintAxis(QPainter& painter) const {
  const QRectF area = plot();
  const QFontMetricsF metrics(painter.font());
  const StorageScale scale = this->scale();
  for (const double bytes : scale.ticks()) {
    const double y = std::round(scale.y(bytes)) + 0.5;
    painter.setPen(theme_->grid);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(theme_->muted);
    painter.drawText(QRectF(0, y - 10, area.left() - kAxisSpace, 20),
                     Qt::AlignRight | Qt::AlignVCenter, scale.tickText(bytes));
  }
  // Marks the range of the backward pass.
  const auto& columns = picture_->columns;
  const auto back = [](const StoragePicture::Column& column) { return column.backward; };
  const auto first = std::ranges::find_if(columns, back);
  if (first != columns.end()) {
    const auto end = std::find_if_not(first, columns.end(), back);
    const double from = scale.x(static_cast<int>(first - columns.begin())),
                 to = scale.x(static_cast<int>(end - columns.begin()));
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
                   uiText("after step %1").arg(columns.size() - 1));
}

void StorageCanvas::paintBand(QPainter& painter, std::size_t b) const {
  const StoragePicture::Band& band = picture_->bands[b];
  const StorageScale scale = this->scale();
  const QColor color = storageColor(*theme_, band.kind);
  const double height = scale.height(band);
  // Outlines would be all that is seen of what is thin.
  const bool outlined = height >= kOutlined && scale.x(1) - scale.x(0) >= kOutlined;
  painter.setBrush(b == hovered_ ? color : storageFill(*theme_, band.kind));
  painter.setPen(outlined ? QPen(theme_->panel, 1) : QPen(Qt::NoPen));
  painter.setRenderHint(QPainter::Antialiasing, outlined);
  const std::vector<QPointF> outline = scale.outline(band);
  painter.drawPolygon(outline.data(), static_cast<int>(outline.size()));
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF room = scale.nameRoom(band);
  if (height < kNameHeight ||
      room.width() < QFontMetricsF(painter.font()).horizontalAdvance(band.name) + kNameSpace)
    return;
  painter.setPen(theme_->text);
  painter.drawText(room, Qt::AlignCenter, band.name);
}

void StorageCanvas::paintPeak(QPainter& painter) const {
  const QRectF area = plot();
  const double y = scale().y(static_cast<double>(picture_->peak));
  painter.setPen(QPen(theme_->text, 1, Qt::DashLine));
  painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  if (current_ < 0) return;
  painter.setPen(QPen(theme_->accent, hasFocus() ? 2 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(columnPlace(current_));
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
      return setCurrent(static_cast<int>(picture_->columns.size()) - 1);
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
    showTip(help->globalPos(), text, this);
  return true;
}

}  // namespace fusebench

#include "moc_storage_canvas.cpp"
