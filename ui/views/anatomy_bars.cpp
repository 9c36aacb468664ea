// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/anatomy_bars.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/models/format.h"

namespace fusebench {
namespace {

constexpr int kBarRow = 44, kBarHeight = 26, kLaunchRow = 19, kLaunchBar = 11, kGap = 10;
constexpr int kLeft = 18, kRight = 18, kTotalWidth = 84, kChevron = 16;
constexpr int kMostLabel = 190;
constexpr double kLabelFrom = 46;  ///< pixels of a segment that carries a label

QString partText(CallPart part, double time, double total) {
  return QStringLiteral("%1: %2 (%3%)")
      .arg(QString::fromLatin1(name(part).data(), static_cast<int>(name(part).size())),
           formatTime(time), QString::number(total > 0 ? 100 * time / total : 0, 'f', 1));
}

}  // namespace

QColor partColor(const Theme& theme, CallPart part) {
  switch (part) {
    case CallPart::kernel:
      return theme.seriesColors[0];
    case CallPart::dispatch:
      return theme.seriesColors[1];
    case CallPart::copy:
      return theme.seriesColors[2];
    case CallPart::allocate:
      return theme.seriesColors[3];
    case CallPart::guard:
      return theme.seriesColors[4];
    case CallPart::launch:
      return theme.seriesColors[5];
    default:
      return theme.muted;
  }
}

AnatomyBars::AnatomyBars(const AnatomyModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(QStringLiteral("Where a call's time goes, a bar for each variant"));
  connect(&model, &AnatomyModel::changed, this, &AnatomyBars::rebuild);
  rebuild();
}

void AnatomyBars::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void AnatomyBars::setShares(bool shares) {
  shares_ = shares;
  update();
}

void AnatomyBars::setOpen(int variant, bool open) {
  if (open)
    open_.insert(variant);
  else
    open_.erase(variant);
  rebuild();
}

void AnatomyBars::rebuild() {
  rows_.clear();
  int top = 4;
  for (std::size_t b = 0; b < model_.bars().size(); ++b) {
    const AnatomyBar& bar = model_.bars()[b];
    rows_.push_back({static_cast<int>(b), -1, top, kBarRow});
    top += kBarRow;
    if (!open_.contains(bar.variant)) continue;
    for (std::size_t l = 0; l < bar.launches.size(); ++l) {
      rows_.push_back({static_cast<int>(b), static_cast<int>(l), top, kLaunchRow});
      top += kLaunchRow;
    }
    top += kGap;
  }
  current_ = std::clamp(current_, 0, std::max(0, static_cast<int>(model_.bars().size()) - 1));
  hovered_ = -1;
  updateGeometry();
  update();
}

QSize AnatomyBars::sizeHint() const {
  const int height = rows_.empty() ? 0 : rows_.back().top + rows_.back().height + 8;
  return {420, height};
}

QSize AnatomyBars::minimumSizeHint() const {
  return {280, sizeHint().height()};
}

int AnatomyBars::labelWidth() const {
  int width = 0;
  const QFontMetrics bold(textFont(1, QFont::DemiBold)), small(textFont(0.9));
  for (const Row& row : rows_) {
    const AnatomyBar& bar = model_.bars()[static_cast<std::size_t>(row.bar)];
    width = std::max(width, row.launch < 0
                                ? bold.horizontalAdvance(bar.name)
                                : small.horizontalAdvance(
                                      bar.launches[static_cast<std::size_t>(row.launch)].label));
  }
  return kLeft + kChevron + std::min(width, std::min(kMostLabel, this->width() / 3));
}

int AnatomyBars::barWidth() const {
  return std::max(40, width() - barLeft() - kTotalWidth - kRight);
}

const PartTimes& AnatomyBars::partsOf(const Row& row) const {
  const AnatomyBar& bar = model_.bars()[static_cast<std::size_t>(row.bar)];
  return row.launch < 0 ? bar.parts : bar.launches[static_cast<std::size_t>(row.launch)].parts;
}

double AnatomyBars::totalOf(const Row& row) const {
  const AnatomyBar& bar = model_.bars()[static_cast<std::size_t>(row.bar)];
  return row.launch < 0 ? bar.total : bar.launches[static_cast<std::size_t>(row.launch)].total;
}

/// Launches share a scale of their own under each bar: the longest one fills it.
std::vector<AnatomyBars::Segment> AnatomyBars::segments(const Row& row) const {
  double full = shares_ ? totalOf(row) : model_.longest();
  if (row.launch >= 0 && !shares_) {
    full = 0;
    for (const auto& launch : model_.bars()[static_cast<std::size_t>(row.bar)].launches)
      full = std::max(full, launch.total);
  }
  std::vector<Segment> made;
  if (!(full > 0)) return made;
  double at = barLeft();
  for (const CallPart part : model_.parts()) {
    const double length = partsOf(row)[static_cast<std::size_t>(part)] / full * barWidth();
    if (length <= 0) continue;
    made.push_back({part, at, at + length});
    at += length;
  }
  return made;
}

void AnatomyBars::paintRow(QPainter& painter, const Row& row) const {
  const AnatomyBar& bar = model_.bars()[static_cast<std::size_t>(row.bar)];
  const bool whole = row.launch < 0;
  const int height = whole ? kBarHeight : kLaunchBar;
  const QRectF line(barLeft(), row.top + (row.height - height) / 2.0, barWidth(), height);

  // Name, with a sign of whether its launches are shown.
  painter.setFont(whole ? textFont(1, QFont::DemiBold) : textFont(0.9));
  painter.setPen(whole ? theme_->text : theme_->muted);
  const QString label = whole ? bar.name : bar.launches[static_cast<std::size_t>(row.launch)].label;
  const QRect labelRect(kLeft + kChevron, row.top, labelWidth() - kLeft - kChevron, row.height);
  painter.drawText(labelRect, Qt::AlignVCenter | Qt::AlignLeft,
                   painter.fontMetrics().elidedText(label, Qt::ElideRight, labelRect.width()));
  if (whole && !bar.launches.empty()) {
    const QPointF middle(kLeft + 5, row.top + row.height / 2.0);
    QPolygonF chevron;
    if (open_.contains(bar.variant))
      chevron << middle + QPointF(-4, -2) << middle + QPointF(0, 3) << middle + QPointF(4, -2);
    else
      chevron << middle + QPointF(-2, -4) << middle + QPointF(3, 0) << middle + QPointF(-2, 4);
    painter.setPen(QPen(theme_->muted, 1.5));
    painter.drawPolyline(chevron);
  }

  const auto pieces = segments(row);
  if (pieces.empty()) return;
  painter.save();
  QPainterPath outline;
  outline.addRoundedRect(QRectF(line.left(), line.top(), pieces.back().to - line.left(), height),
                         whole ? 4 : 2, whole ? 4 : 2);
  painter.setClipPath(outline);
  for (const Segment& piece : pieces) {
    QColor color = partColor(*theme_, piece.part);
    painter.fillRect(QRectF(piece.from, line.top(), piece.to - piece.from, height), color);
    if (!whole || piece.to - piece.from < kLabelFrom) continue;
    // Dark on light colours, light on dark ones.
    painter.setPen(color.lightnessF() > 0.55 ? QColor(0x14, 0x17, 0x1c) : QColor(Qt::white));
    painter.setFont(textFont(0.9));
    painter.drawText(QRectF(piece.from, line.top(), piece.to - piece.from, height), Qt::AlignCenter,
                     QStringLiteral("%1%").arg(std::lround(100 * bar.share(piece.part))));
  }
  painter.restore();
  // Thin lines keep neighbours of like lightness apart.
  painter.setPen(QPen(theme_->panel, 1));
  for (std::size_t i = 1; i < pieces.size(); ++i)
    painter.drawLine(QPointF(pieces[i].from, line.top()), QPointF(pieces[i].from, line.bottom()));

  painter.setFont(whole ? textFont() : textFont(0.9));
  painter.setPen(whole ? theme_->text : theme_->muted);
  const double end = shares_ ? line.right() : pieces.back().to;
  painter.drawText(QRectF(end + 8, row.top, kTotalWidth, row.height), Qt::AlignVCenter,
                   formatTime(totalOf(row)));
}

void AnatomyBars::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (static_cast<int>(r) == hovered_)
      painter.fillRect(QRect(0, row.top, width(), row.height), theme_->raised);
    if (hasFocus() && row.launch < 0 && row.bar == current_) {
      painter.setPen(QPen(theme_->accent, 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(6.5, row.top + 2.5, width() - 13, row.height - 5), 4, 4);
    }
    paintRow(painter, row);
  }
}

const AnatomyBars::Row* AnatomyBars::rowAt(int y) const {
  for (const Row& row : rows_)
    if (y >= row.top && y < row.top + row.height) return &row;
  return nullptr;
}

QString AnatomyBars::textAt(QPoint point) const {
  const Row* row = rowAt(point.y());
  if (!row) return {};
  for (const Segment& piece : segments(*row)) {
    if (point.x() < piece.from || point.x() >= piece.to) continue;
    return partText(piece.part, partsOf(*row)[static_cast<std::size_t>(piece.part)],
                    totalOf(*row)) +
           u'\n' + partDescription(piece.part);
  }
  QStringList lines;
  const AnatomyBar& bar = model_.bars()[static_cast<std::size_t>(row->bar)];
  lines << QStringLiteral("%1: %2").arg(
      row->launch < 0 ? bar.name : bar.launches[static_cast<std::size_t>(row->launch)].label,
      formatTime(totalOf(*row)));
  for (const CallPart part : model_.parts())
    lines << partText(part, partsOf(*row)[static_cast<std::size_t>(part)], totalOf(*row));
  return lines.join(u'\n');
}

bool AnatomyBars::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos());
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void AnatomyBars::toggle(int bar) {
  if (bar < 0 || bar >= static_cast<int>(model_.bars().size())) return;
  const int variant = model_.bars()[static_cast<std::size_t>(bar)].variant;
  setOpen(variant, !isOpen(variant));
}

void AnatomyBars::mousePressEvent(QMouseEvent* event) {
  const Row* row = rowAt(qRound(event->position().y()));
  if (event->button() != Qt::LeftButton || !row || row->launch >= 0) return;
  current_ = row->bar;
  toggle(row->bar);
}

void AnatomyBars::mouseMoveEvent(QMouseEvent* event) {
  const Row* row = rowAt(qRound(event->position().y()));
  const int now = row ? static_cast<int>(row - rows_.data()) : -1;
  if (now == hovered_) return;
  hovered_ = now;
  update();
}

void AnatomyBars::leaveEvent(QEvent* /*event*/) {
  hovered_ = -1;
  update();
}

void AnatomyBars::keyPressEvent(QKeyEvent* event) {
  const int last = static_cast<int>(model_.bars().size()) - 1;
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      current_ =
          std::clamp(current_ + (event->key() == Qt::Key_Down ? 1 : -1), 0, std::max(last, 0));
      update();
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      return toggle(current_);
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace fusebench
