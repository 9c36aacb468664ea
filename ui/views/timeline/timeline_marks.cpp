// SPDX-License-Identifier: GPL-3.0-or-later
// Notes and the ruler on TimelineCanvas.
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {
namespace {

constexpr double kSnap = 9;       ///< pixels
constexpr double kFlag = 9;       ///< of a note, wide
constexpr double kRulerHigh = 3;  ///< half of its bars

}  // namespace

/// A note has its flag at its begin.
std::optional<TraceNotes::Place> TimelineCanvas::noteAt(const QPoint& at) const {
  if (at.y() >= kAxis || at.x() < gutter_) return std::nullopt;
  const TimeScale view = scale();
  for (std::size_t t = 0; t < model_.shown().size(); ++t) {
    const auto& notes = model_.notes().of(t);
    for (std::size_t n = notes.size(); n-- > 0;) {
      const double x = gutter_ + view.x(static_cast<double>(notes[n].time.from));
      if (at.x() >= x - 2 && at.x() <= x + kFlag + 1) return TraceNotes::Place{t, n};
    }
  }
  return std::nullopt;
}

void TimelineCanvas::paintNotes(QPainter& painter) {
  const TimeScale view = scale();
  painter.save();
  painter.setClipRect(QRectF(gutter_, 0, width(), viewport()->height()));
  painter.setRenderHint(QPainter::Antialiasing);
  QColor thread = theme_->warning;
  thread.setAlpha(110);
  for (std::size_t t = 0; t < model_.shown().size(); ++t)
    for (const TraceNote& note : model_.notes().of(t)) {
      const double x = gutter_ + view.x(static_cast<double>(note.time.from));
      const double to = gutter_ + view.x(static_cast<double>(note.time.to));
      if (to < gutter_ || x > viewport()->width()) continue;
      painter.fillRect(QRectF(x, kAxis - 3, std::max(1.0, to - x), 3), theme_->warning);
      painter.fillRect(QRectF(x, kAxis, 1, viewport()->height() - kAxis), thread);
      const QPolygonF flag({QPointF(x, 3), QPointF(x + kFlag, 3), QPointF(x + kFlag - 3, 7),
                            QPointF(x + kFlag, 11), QPointF(x, 11)});
      painter.setPen(Qt::NoPen);
      painter.setBrush(theme_->warning);
      painter.drawPolygon(flag);
      painter.fillRect(QRectF(x, 3, 1.5, kAxis - 3), theme_->warning);
    }
  painter.restore();
}

TimelineCanvas::Edge TimelineCanvas::edgeNear(const QPoint& at) const {
  const TimeScale view = scale();
  const double time = view.time(at.x() + 0.5 - gutter_);
  Edge best{std::llround(time), std::nullopt, false};
  double nearest = kSnap * view.perPixel;
  for (const Band& band : bandsInSight()) {
    if (at.y() < band.y || at.y() >= band.y + rowHeight_ || band.pinned != (at.y() < top()))
      continue;
    const Trace& trace = *model_.shown()[band.trace].trace;
    const TraceRow& row = trace.rows()[band.row];
    const EventId here = trace.firstEndingAfter(row, static_cast<Nanoseconds>(time));
    const EventId first = here > row.first ? here - 1 : here;
    for (EventId e = first; e < row.last && e <= here + 1; ++e)
      for (const bool isEnd : {false, true}) {
        const Nanoseconds edge = isEnd ? trace.end(e) : trace.start(e);
        const double away = std::abs(static_cast<double>(edge) - time);
        if (away >= nearest) continue;
        nearest = away;
        best = {edge, TimelineModel::Place{band.trace, e}, isEnd};
      }
  }
  return best;
}

TimelineModel::Ruler TimelineCanvas::measuredBetween(const QPoint& from, const QPoint& to) const {
  Edge begin = edgeNear(from), end = edgeNear(to);
  if (end.time < begin.time) std::swap(begin, end);
  return {{begin.time, end.time}, begin.at, end.at, begin.isEnd, end.isEnd};
}

/// The first press measures the current event, the next one the time between it and another event.
void TimelineCanvas::measureFromCurrent() {
  const auto& current = model_.current();
  if (!current) return;
  const Trace& trace = *model_.shown()[current->trace].trace;
  const Nanoseconds start = trace.start(current->event), end = trace.end(current->event);
  const auto& ruler = model_.ruler();
  const bool waits = ruler && ruler->from && ruler->from == ruler->to;
  if (!waits || ruler->from == current) {
    model_.setRuler(TimelineModel::Ruler{{start, end}, current, current, false, true});
    return;
  }
  const TimelineModel::Place other = *ruler->from;
  const Trace& its = *model_.shown()[other.trace].trace;
  if (its.start(other.event) <= start)
    model_.setRuler(TimelineModel::Ruler{
        {std::min(its.end(other.event), start), std::max(its.end(other.event), start)},
        other,
        current,
        true,
        false});
  else
    model_.setRuler(TimelineModel::Ruler{
        {std::min(end, its.start(other.event)), std::max(end, its.start(other.event))},
        current,
        other,
        true,
        false});
}

/// A bar with its length, and what is at both ends below it.
void TimelineCanvas::paintRuler(QPainter& painter) {
  if (!model_.ruler()) return;
  const TimeScale view = scale();
  const double from = gutter_ + view.x(static_cast<double>(model_.ruler()->time.from));
  const double to = gutter_ + view.x(static_cast<double>(model_.ruler()->time.to));
  const double left = gutter_, right = viewport()->width();
  if (to < left || from > right) return;
  painter.save();
  painter.setClipRect(QRectF(left, 0, right - left, viewport()->height()));
  for (const double x : {from, to})
    painter.fillRect(QRectF(x, kAxis, 1, viewport()->height() - kAxis), theme_->text);
  const QStringList facts = model_.rulerFacts();
  painter.setFont(textFont(0.95));
  const QFontMetrics metrics(painter.font());
  int wide = 0;
  for (const QString& fact : facts) wide = std::max(wide, metrics.horizontalAdvance(fact));
  wide = std::min(wide, static_cast<int>(right - left) - 28);
  const int line = metrics.lineSpacing();
  const QSize size(wide + 20, line * static_cast<int>(facts.size()) + 12);
  const double middle = (std::max(from, left) + std::min(to, right)) / 2;
  const double x = std::clamp(middle - size.width() / 2.0, left + 4,
                              std::max(left + 4, right - size.width() - 4));
  const QRectF card(x, viewport()->height() - size.height() - 8, size.width(), size.height());
  const double bar = card.top() - 10;
  painter.fillRect(QRectF(from, bar, to - from, 1), theme_->text);
  for (const double end : {from, to})
    painter.fillRect(QRectF(end, bar - kRulerHigh, 1, 2 * kRulerHigh + 1), theme_->text);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(theme_->border);
  painter.setBrush(theme_->raised);
  painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
  double y = card.top() + 6;
  for (qsizetype i = 0; i < facts.size(); ++i, y += line) {
    painter.setPen(i == 0 ? theme_->text : theme_->muted);
    painter.drawText(QRectF(card.left() + 10, y, wide, line), Qt::AlignVCenter,
                     metrics.elidedText(facts[i], Qt::ElideMiddle, wide));
  }
  painter.restore();
}

/// B: a note; [ and ]: from note to note; R: the ruler.
bool TimelineCanvas::markKey(int key, Qt::KeyboardModifiers modifiers) {
  if (modifiers & ~Qt::KeypadModifier) return false;
  switch (key) {
    case Qt::Key_B:
      model_.addNote();
      return true;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
      model_.stepNote(key == Qt::Key_BracketLeft);
      return true;
    case Qt::Key_R:
      measureFromCurrent();
      return true;
    default:
      return false;
  }
}

}  // namespace fusebench
