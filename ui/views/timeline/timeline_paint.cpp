// SPDX-License-Identifier: GPL-3.0-or-later
// How TimelineCanvas paints.
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/look/span_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {
namespace {

constexpr double kSpanLabelFrom = 36;  ///< pixels
constexpr double kArrowHead = 6;
constexpr int kCardWidth = 380;

}  // namespace

void TimelineCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme_->panel);
  if (model_.empty()) return;  // its card says so
  painter.fillRect(QRect(gutter_ - 1, 0, 1, viewport()->height()), theme_->border);
  arrows_.clear();
  painter.save();
  clipTo(painter, false);
  paintHeads(painter);
  painter.setFont(textFont(0.9));
  const std::vector<Band> seen = bandsInSight();
  for (const Band& band : seen)
    if (!band.pinned) paintBand(painter, band);
  paintCounters(painter);
  if (pinnedHeight_ > 0) {
    clipTo(painter, true);
    painter.fillRect(QRect(0, kAxis, viewport()->width(), pinnedHeight_), theme_->panel);
    painter.fillRect(QRect(gutter_ - 1, kAxis, 1, pinnedHeight_), theme_->border);
    for (const Band& band : seen)
      if (band.pinned) paintBand(painter, band);
    painter.fillRect(QRect(0, top() - 2, viewport()->width(), 2), theme_->border);
  }
  painter.setClipRect(0, kAxis, viewport()->width(), viewport()->height() - kAxis);
  paintArrows(painter);
  painter.restore();
  paintAxis(painter);
  paintSelection(painter);
  paintNotes(painter);
  paintRuler(painter);
  painter.fillRect(QRect(gutter_ - 1, 0, 1, kAxis), theme_->border);
  paintCard(painter);
}

/// To the lanes that stay at the top, or to those that scroll below them.
void TimelineCanvas::clipTo(QPainter& painter, bool pinned) {
  painter.setClipRect(pinned ? QRect(0, kAxis, viewport()->width(), pinnedHeight_)
                             : QRect(0, top(), viewport()->width(), viewport()->height() - top()));
}

void TimelineCanvas::paintHeads(QPainter& painter) {
  for (std::size_t t = 0; t < heads_.size(); ++t) {
    const int y = heads_[t] + top() - verticalScrollBar()->value();
    if (y + kHead < top() || y > viewport()->height()) continue;
    const auto& shown = model_.shown()[t];
    const QRect line(0, y, viewport()->width(), kHead - 3);
    painter.fillRect(line, theme_->raised);
    painter.setFont(textFont(1, QFont::DemiBold));
    painter.setPen(theme_->text);
    const QFontMetrics bold(painter.font());
    const QString title = bold.elidedText(shown.title, Qt::ElideMiddle, line.width() / 2);
    painter.drawText(line.adjusted(12, 0, -12, 0), Qt::AlignVCenter, title);
    const QStringList facts = factsOf(shown);
    const QString warning = warningOf(*shown.trace);
    painter.setFont(textFont(0.9));
    const QFontMetrics plain(painter.font());
    QRect rest = line.adjusted(12 + bold.horizontalAdvance(title) + 14, 0, -12, 0);
    const QString fact =
        plain.elidedText(facts.join(QStringLiteral(" · ")), Qt::ElideRight, rest.width());
    painter.setPen(theme_->muted);
    painter.drawText(rest, Qt::AlignVCenter, fact);
    if (warning.isEmpty()) continue;
    rest.adjust(plain.horizontalAdvance(fact) + 14, 0, 0, 0);
    painter.setPen(theme_->warning);
    painter.drawText(rest, Qt::AlignVCenter,
                     plain.elidedText(warning, Qt::ElideRight, rest.width()));
  }
}

void TimelineCanvas::paintBand(QPainter& painter, const Band& band) {
  const auto& shown = model_.shown()[band.trace];
  const Trace& trace = *shown.trace;
  const TraceRow& row = trace.rows()[band.row];
  const double ratio = viewport()->devicePixelRatioF();
  TimeScale view = scale();
  paintNames(painter, band);
  if (band.lastOfLane)
    painter.fillRect(QRect(gutter_, band.y + rowHeight_ + 3, viewport()->width() - gutter_, 1),
                     theme_->grid);

  TimeScale fine = view;
  fine.perPixel /= ratio;
  const auto wide = static_cast<std::size_t>(std::ceil(width() * ratio));
  if (band.folded > 0)
    drawFolded(band, fine, wide);
  else
    picture_.draw(trace, row, shown.colors, fine, wide);
  const bool idle = !picture_.idle().empty();
  if (idle) paintIdle(painter, band);
  for (EventBox& box : picture_.boxes()) {
    box.from /= ratio;
    box.to /= ratio;
  }
  line_.clear();
  for (const RowPixel& pixel : picture_.pixels()) {
    const QRgb color = colors_[pixel.color];
    line_.push_back(qRgba(qRed(color), qGreen(color), qBlue(color), pixel.cover));
  }
  paintLine(painter, band);
  if (idle) sayIdle(painter, band);
  paintLabels(painter, band);
}

/// Left of the events: the lane, below it its process, and where the lane is folded.
void TimelineCanvas::paintNames(QPainter& painter, const Band& band) {
  const Trace& trace = *model_.shown()[band.trace].trace;
  const QRect place(12, band.y, gutter_ - 20, rowHeight_);
  if (!band.collapsed && (band.folded > 0 || band.folds)) {
    painter.setPen(theme_->accent);
    painter.drawText(place, Qt::AlignVCenter,
                     band.folds
                         ? uiText("▾ rows below: fold")
                         : uiText("▸ %1 deeper rows").arg(formatCount(std::int64_t(band.folded))));
    return;
  }
  const auto rows = trace.rowsOf(band.lane);
  if (band.firstOfLane) {
    // In the margin: what a click does, and that it does not scroll.
    const QRect mark(1, band.y, 12, rowHeight_);
    painter.setPen(band.pinned ? theme_->accent : theme_->muted);
    if (rows.size() > 1)
      painter.drawText(mark, Qt::AlignCenter,
                       band.collapsed ? QStringLiteral("▸") : QStringLiteral("▾"));
    else if (band.pinned)
      painter.drawText(mark, Qt::AlignCenter, QStringLiteral("•"));
    painter.setPen(theme_->text);
    painter.drawText(place.adjusted(2, 0, 0, 0), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(laneTitle(trace, band.lane), Qt::ElideMiddle,
                                                      place.width() - 2));
  } else if (rows.size() > 1 && band.row >= 1 && &rows[1] == &trace.rows()[band.row]) {
    painter.setPen(theme_->muted);
    painter.drawText(place.adjusted(2, 0, 0, 0), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(trace.lanes()[band.lane].processName),
                                                      Qt::ElideMiddle, place.width() - 2));
  }
}

/// Draws the band's row and the rows folded into it as one: at each pixel the outermost event.
void TimelineCanvas::drawFolded(const Band& band, const TimeScale& fine, std::size_t width) {
  constexpr std::size_t kMostMerged = 256;  // a file may be deeper than anybody can look at
  const auto& shown = model_.shown()[band.trace];
  const Trace& trace = *shown.trace;
  std::vector<RowPixel> merged;
  for (std::size_t below = std::min(band.folded, kMostMerged) + 1; below-- > 0;) {
    picture_.draw(trace, trace.rows()[band.row + below], shown.colors, fine, width);
    merged.resize(picture_.pixels().size());
    for (std::size_t x = 0; x < merged.size(); ++x)
      if (picture_.pixels()[x].cover > 0) merged[x] = picture_.pixels()[x];
  }
  picture_.pixels() = std::move(merged);
}

/// line_ over the band's height.
void TimelineCanvas::paintLine(QPainter& painter, const Band& band) {
  QImage line(static_cast<int>(line_.size()), 1, QImage::Format_ARGB32_Premultiplied);
  std::transform(line_.begin(), line_.end(), reinterpret_cast<QRgb*>(line.scanLine(0)),
                 [](QRgb color) { return qPremultiply(color); });
  const double wide = double(line_.size()) / viewport()->devicePixelRatioF();
  painter.drawImage(QRectF(gutter_, band.y + 1, wide, rowHeight_ - 2), line);
}

void TimelineCanvas::paintLabels(QPainter& painter, const Band& band) {
  const auto& shown = model_.shown()[band.trace];
  const Trace& trace = *shown.trace;
  const bool searching = !model_.searched().isEmpty();
  const bool picking = searching || model_.following();
  for (const EventBox& box : picture_.boxes()) {
    const double from = gutter_ + std::max(0.0, box.from);
    const double to = gutter_ + std::min(width(), box.to);
    const QRectF place(from, band.y + 1, to - from, rowHeight_ - 2);
    const bool match = searching ? model_.matches(band.trace, box.event)
                                 : picking && model_.follows(band.trace, box.event);
    const QColor ground = QColor::fromRgb(colors_[shown.colors(trace, box.event)]);
    // Events that do not match the search are dimmed; if ops are followed, only other launches are.
    const bool back = !match && (searching || (picking && trace.details(box.event) != nullptr));
    if (back)
      painter.fillRect(place, [&] {
        QColor veil = theme_->panel;
        veil.setAlpha(170);
        return veil;
      }());
    const bool current = isCurrent(band.trace, box.event);
    if (to - from >= kSpanLabelFrom) {
      painter.setPen(back ? theme_->muted : inkOn(ground));
      painter.drawText(
          place.adjusted(5, 0, -4, 0), Qt::AlignVCenter,
          painter.fontMetrics().elidedText(QString::fromStdString(labelOf(trace, box.event)),
                                           Qt::ElideRight, int(to - from) - 9));
    }
    if (current || (match && to - from > 3)) {
      painter.setPen(QPen(current ? theme_->text : theme_->accent, current ? 2 : 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(place.adjusted(0.5, 0.5, -1, -1));
    }
    if (getsArrow(trace, box.event, box.to - box.from)) {
      const EventId call = trace.link(box.event);
      const bool marked = current || isCurrent(band.trace, call) ||
                          (hovered_ && hovered_->trace == band.trace &&
                           (hovered_->event == box.event || hovered_->event == call));
      const Band* other = bandOf(band.trace, trace.rowOf(call));
      // No arrow to a call that is left out.
      if (!other) continue;
      const int y = other->y + (other->pinned ? kAxis : top() - verticalScrollBar()->value());
      arrows_.push_back(
          {{gutter_ + scale().x(double(trace.start(call))), double(y + rowHeight_ - 1)},
           {gutter_ + box.from, double(band.y + 1)},
           marked});
    }
    addMeeting(band, box, current);
  }
}

/// Connects a collective that all ranks take part in, from rank to rank.
void TimelineCanvas::addMeeting(const Band& band, const EventBox& box, bool current) {
  const Trace& trace = *model_.shown()[band.trace].trace;
  const EventId before = trace.meets(box.event);
  if (before == kNoEvent || !meetingGetsArrow(box.to - box.from)) return;
  const Band* other = bandOf(band.trace, trace.rowOf(before));
  if (!other) return;
  const bool marked = current || isCurrent(band.trace, before) ||
                      (hovered_ && hovered_->trace == band.trace &&
                       (hovered_->event == box.event || hovered_->event == before));
  const int y = other->y + (other->pinned ? kAxis : top() - verticalScrollBar()->value());
  const bool below = y < band.y;
  arrows_.push_back({{gutter_ + scale().x(double(trace.start(before))),
                      double(below ? y + rowHeight_ - 1 : y + 1)},
                     {gutter_ + box.from, double(below ? band.y + 1 : band.y + rowHeight_ - 1)},
                     marked});
}

void TimelineCanvas::paintArrows(QPainter& painter) {
  leaveReadable(arrows_);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(QRectF(gutter_, kAxis, width(), viewport()->height() - kAxis));
  painter.setBrush(Qt::NoBrush);
  for (const LaunchArrow& arrow : arrows_) {
    QColor color = arrow.marked ? theme_->text : theme_->muted;
    color.setAlpha(arrow.marked ? 255 : 120);
    painter.setPen(QPen(color, arrow.marked ? 1.6 : 1));
    const ArrowStroke stroke = strokeOf(arrow, kArrowHead);
    QPainterPath path(arrow.from);
    path.cubicTo(stroke.firstControl, stroke.secondControl, arrow.to);
    painter.drawPath(path);
    painter.drawPolyline(stroke.head.data(), int(stroke.head.size()));
  }
  painter.restore();
}

/// Names are shown in full: a text that is too long for a line continues on the next.
void TimelineCanvas::paintCard(QPainter& painter) {
  if (facts_.isEmpty()) return;
  constexpr int kMostLines = 10;  // at most this many lines per fact
  constexpr int kWrap = Qt::TextWordWrap | Qt::TextWrapAnywhere;
  painter.setFont(textFont(0.95));
  const QFontMetrics metrics(painter.font());
  const int most = std::min(kCardWidth, viewport()->width() - 40);
  int wide = 0, high = 0;
  std::vector<int> heights;
  for (const QString& fact : facts_) {
    const QRect needed = metrics.boundingRect(QRect(0, 0, most, 10'000), kWrap, fact);
    heights.push_back(std::min(needed.height(), kMostLines * metrics.lineSpacing()));
    wide = std::max(wide, std::min(most, needed.width()));
    high += heights.back() + 2;
  }
  QRect card(cursor_ + QPoint(16, 18), QSize(wide + 20, high + 14));
  if (card.right() > viewport()->width() - 4) card.moveRight(cursor_.x() - 12);
  if (card.left() < 4) card.moveLeft(4);
  if (card.bottom() > viewport()->height() - 4) card.moveBottom(cursor_.y() - 12);
  if (card.top() < 4) card.moveTop(4);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(theme_->border);
  painter.setBrush(theme_->raised);
  painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
  int y = card.top() + 7;
  for (qsizetype i = 0; i < facts_.size(); ++i) {
    const int height = heights[static_cast<std::size_t>(i)];
    painter.setPen(i == 0 ? theme_->text : theme_->muted);
    painter.drawText(QRect(card.left() + 10, y, wide + 2, height), kWrap, facts_[i]);
    y += height + 2;
  }
}

}  // namespace fusebench
