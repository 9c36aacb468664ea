// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/anatomy/anatomy_bars.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/base/plain_texts.h"

namespace fusebench {
namespace {

constexpr int kBarRow = 44, kBarHeight = 26, kDeviceRow = 26, kLaunchRow = 19, kBarGap = 10;
constexpr int kMostLabel = 190;

}  // namespace

AnatomyBars::AnatomyBars(const AnatomyModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(uiText("Where a call's time goes, a bar for each variant"));
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
  for (AnatomyRow& row : anatomyRows(model_, open_)) {
    const bool launches = !rows_.empty() && !rows_.back().whole();
    if (launches && row.whole()) top += kBarGap;
    // The device's bar belongs to the one above it.
    if (row.whole() && row.side == Side::device && !launches) top -= (kBarRow - kBarHeight) / 2 - 2;
    const int height = !row.whole() ? kLaunchRow : row.leads() ? kBarRow : kDeviceRow;
    rows_.push_back({std::move(row), top, height});
    top += height;
  }
  setCurrent(std::clamp(current_, 0, std::max(0, static_cast<int>(model_.bars().size()) - 1)));
  hovered_ = -1;
  updateGeometry();
  update();
}

void AnatomyBars::setCurrent(int bar) {
  const bool changed = bar != current_;
  current_ = bar;
  update();
  if (changed) emit currentChanged(bar);
}

std::vector<AnatomyBars::PlacedRow> AnatomyBars::placedRows() const {
  std::vector<PlacedRow> placed;
  for (const Row& row : rows_) placed.push_back({row, QRect(0, row.top, width(), row.height)});
  return placed;
}

std::optional<int> AnatomyBars::deviceTop(int bar) const {
  for (const Row& row : rows_)
    if (row.bar == bar && row.side == Side::device) return row.top;
  return std::nullopt;
}

QSize AnatomyBars::sizeHint() const {
  const int height = rows_.empty() ? 0 : rows_.back().top + rows_.back().height + 8;
  return {420, height};
}

QSize AnatomyBars::minimumSizeHint() const {
  return {280, sizeHint().height()};
}

const AnatomyBar& AnatomyBars::barOf(const Row& row) const {
  return model_.bars()[static_cast<std::size_t>(row.bar)];
}

QFont AnatomyBars::labelFont(const Row& row) {
  return row.leads() ? textFont(1, QFont::DemiBold) : textFont(0.9);
}

QString AnatomyBars::shownLabel(const Row& row) const {
  return QFontMetrics(labelFont(row))
      .elidedText(row.label, Qt::ElideRight, labelWidth() - kMarginLeft - kChevron);
}

QString AnatomyBars::labelOf(int bar) const {
  for (const Row& row : rows_)
    if (row.bar == bar && row.leads()) return shownLabel(row);
  return {};
}

int AnatomyBars::labelWidth() const {
  int width = 0;
  const QFontMetrics bold(textFont(1, QFont::DemiBold)), small(textFont(0.9));
  for (const Row& row : rows_) {
    width = std::max(width, (row.leads() ? bold : small).horizontalAdvance(row.label));
  }
  // An advance is rounded, and what is a fraction of a pixel too wide is cut by two letters.
  return kMarginLeft + kChevron + std::min(width + 2, std::min(kMostLabel, this->width() / 3));
}

int AnatomyBars::barWidth() const {
  return std::max(40, width() - barLeft() - kTotalWidth - kMarginRight);
}

/// The time that fills the width. Launches under a bar share a scale, set by the longest of them.
double AnatomyBars::fullOf(const Row& row) const {
  if (row.whole()) return shares_ ? row.total : model_.longest();
  // A launch on a device has a single part, so its share has no meaning.
  if (shares_ && row.side == Side::host) return row.total;
  double full = 0;
  for (const Row& other : rows_)
    if (other.bar == row.bar && other.side == row.side && !other.whole())
      full = std::max(full, other.total);
  return full;
}

std::vector<AnatomyBars::Segment> AnatomyBars::segments(const Row& row) const {
  const double full = fullOf(row);
  std::vector<Segment> made;
  if (!(full > 0)) return made;
  double at = barLeft();
  for (const Piece& piece : row.pieces) {
    const double length = piece.time / full * barWidth();
    if (length <= 0) continue;
    made.push_back({piece, at, at + length});
    at += length;
  }
  return made;
}

const AnatomyBars::Row* AnatomyBars::rowAt(int y) const {
  for (const Row& row : rows_)
    if (y >= row.top && y < row.top + row.height) return &row;
  return nullptr;
}

QString AnatomyBars::textAt(QPoint point) const {
  const Row* row = rowAt(point.y());
  if (!row) return {};
  if (!row->problem.isEmpty())
    return uiText("%1 was not recorded: %2").arg(row->title, row->problem);
  for (const auto& [piece, from, to] : segments(*row)) {
    if (point.x() < from || point.x() >= to) continue;
    const QString what = pieceText(*row, piece);
    return (row->side == Side::device ? QStringLiteral("%1\n%2").arg(row->title, what) : what) +
           u'\n' + partDescription(piece.part);
  }
  QStringList lines;
  lines << QStringLiteral("%1: %2").arg(row->title, formatTime(row->total));
  for (const Piece& piece : row->pieces) lines << pieceText(*row, piece);
  return lines.join(u'\n');
}

bool AnatomyBars::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos());
    text.isEmpty() ? QToolTip::hideText() : showTip(help->globalPos(), text, this);
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
  if (event->button() != Qt::LeftButton || !row || !row->whole()) return;
  const int bar = row->bar;
  setCurrent(bar);
  toggle(bar);
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
      setCurrent(
          std::clamp(current_ + (event->key() == Qt::Key_Down ? 1 : -1), 0, std::max(last, 0)));
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

#include "moc_anatomy_bars.cpp"
