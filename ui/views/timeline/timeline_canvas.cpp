// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/timeline_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/look/span_colors.h"

namespace fusebench {
namespace {

constexpr int kLaneGap = 7, kTraceGap = 12;
constexpr double kWheelZoom = 0.8;  ///< a notch of the wheel
constexpr double kKeyPan = 0.15;    ///< of what is seen

}  // namespace

TimelineCanvas::TimelineCanvas(TimelineModel& model, QWidget* parent)
    : QAbstractScrollArea(parent), model_(model) {
  setAccessibleName(tr("Timeline of launches"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  verticalScrollBar()->setSingleStep(kRow);
  setMinimumHeight(90);
  const auto repaint = [this] { viewport()->update(); };
  connect(&model_, &TimelineModel::tracesChanged, this, [this] {
    hovered_.reset();
    facts_.clear();
    opened_.clear();
    layOut();
  });
  connect(&model_, &TimelineModel::viewChanged, this, repaint);
  connect(&model_, &TimelineModel::selectionChanged, this, repaint);
  connect(&model_, &TimelineModel::searchChanged, this, repaint);
  connect(&model_, &TimelineModel::currentChanged, this, [this] {
    showCurrent();
    viewport()->update();
  });
  layOut();
}

void TimelineCanvas::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (std::size_t c = 0; c < colors_.size(); ++c)
    if (c < kSpanKinds || (c >= kFirstRank && c <= kFirstRank + kRanks))
      colors_[c] = classColor(static_cast<ColorClass>(c), theme).rgb();
  viewport()->update();
}

void TimelineCanvas::layOut() {
  bands_.clear();
  heads_.clear();
  int y = 0;
  for (std::size_t t = 0; t < model_.shown().size(); ++t) {
    if (t > 0) y += kTraceGap;
    heads_.push_back(y);
    y += kHead;
    const Trace& trace = *model_.shown()[t].trace;
    std::size_t row = 0;
    for (LaneId lane = 0; lane < trace.lanes().size(); ++lane) {
      const std::size_t rows = trace.rowsOf(lane).size();
      const bool deep = rows > kRowsUnfolded, opened = opened_.contains({t, lane});
      const std::size_t drawn = deep && !opened ? kRowsUnfolded : rows;
      for (std::size_t r = 0; r < drawn; ++r, y += kRow)
        bands_.push_back({t, row + r, lane, y, r == 0, r + 1 == drawn,
                          r + 1 == drawn ? rows - drawn : 0,
                          deep && opened && r + 1 == kRowsUnfolded});
      row += rows;
      y += kLaneGap;
    }
  }
  const int page = std::max(0, viewport()->height() - kAxis);
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, std::max(0, y - page));
  viewport()->update();
}

const TimelineCanvas::Band* TimelineCanvas::bandOf(std::size_t trace, std::size_t row) const {
  // By trace and row in order; a folded band stands for all below it.
  const auto after =
      std::ranges::upper_bound(bands_, std::pair(trace, row), {},
                               [](const Band& band) { return std::pair(band.trace, band.row); });
  if (after == bands_.begin()) return nullptr;
  const Band& band = *(after - 1);
  return band.trace == trace && row <= band.row + band.folded ? &band : nullptr;
}

/// The row of the event at hand comes into sight.
void TimelineCanvas::showCurrent() {
  const auto& place = model_.current();
  if (!place) return;
  const Trace& trace = *model_.shown()[place->trace].trace;
  const std::size_t row = trace.rowOf(place->event);
  const Band* band = bandOf(place->trace, row);
  if (band && band->folded > 0 && band->row != row) {
    toggleLane(place->trace, band->lane);
    band = bandOf(place->trace, row);
  }
  if (band) {
    QScrollBar* bar = verticalScrollBar();
    if (band->y < bar->value()) bar->setValue(band->y);
    const int most = band->y + kRow - (viewport()->height() - kAxis);
    if (most > bar->value()) bar->setValue(most);
  }
  setAccessibleDescription(factsOf(trace, place->event).join(QStringLiteral(", ")));
}

void TimelineCanvas::toggleLane(std::size_t trace, LaneId lane) {
  if (!opened_.erase({trace, lane})) opened_.insert({trace, lane});
  layOut();
}

/// The band whose name opens or folds its lane, at a place left of the events.
const TimelineCanvas::Band* TimelineCanvas::foldAt(const QPoint& at) const {
  if (at.x() >= kGutter || at.y() < kAxis) return nullptr;
  const int y = at.y() - kAxis + verticalScrollBar()->value();
  for (const Band& band : bands_)
    if (y >= band.y && y < band.y + kRow && (band.folded > 0 || band.folds)) return &band;
  return nullptr;
}

std::vector<TimelineCanvas::Band> TimelineCanvas::bands() const {
  std::vector<Band> shown = bands_;
  for (Band& band : shown) band.y += kAxis - verticalScrollBar()->value();
  return shown;
}

std::vector<TimelineCanvas::Band> TimelineCanvas::bandsInSight() const {
  std::vector<Band> shown = bands();
  std::erase_if(shown, [this](const Band& band) {
    return band.y + kRow <= kAxis || band.y >= viewport()->height();
  });
  return shown;
}

double TimelineCanvas::width() const {
  return std::max(1, viewport()->width() - kGutter);
}

TimeScale TimelineCanvas::scale() const {
  return {model_.from(), (model_.to() - model_.from()) / width()};
}

bool TimelineCanvas::isCurrent(std::size_t trace, EventId event) const {
  return model_.current() && model_.current()->trace == trace && model_.current()->event == event;
}

std::optional<TimelineModel::Place> TimelineCanvas::placeAt(const QPoint& at) const {
  if (at.x() < kGutter || at.y() < kAxis) return std::nullopt;
  const TimeScale view = scale();
  for (const Band& band : bands()) {
    if (at.y() < band.y || at.y() >= band.y + kRow) continue;
    const Trace& trace = *model_.shown()[band.trace].trace;
    const EventId event = eventAt(trace, trace.rows()[band.row], view.time(at.x() + 0.5 - kGutter),
                                  3 * view.perPixel);
    if (event != kNoEvent) return TimelineModel::Place{band.trace, event};
    if (band.folded > 0) break;
  }
  return std::nullopt;
}

void TimelineCanvas::hover(const QPoint& at) {
  cursor_ = at;
  const auto place = placeAt(at);
  if (place != hovered_) {
    hovered_ = place;
    facts_ = place ? factsOf(*model_.shown()[place->trace].trace, place->event) : QStringList();
  }
  viewport()->setCursor(at.y() < kAxis && at.x() >= kGutter && !model_.empty() ? Qt::IBeamCursor
                        : foldAt(at) ? Qt::PointingHandCursor
                                     : Qt::ArrowCursor);
  viewport()->update();
}

bool TimelineCanvas::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) {
    hovered_.reset();
    facts_.clear();
    viewport()->update();
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
  if (model_.empty()) return;
  const QPoint delta = event->angleDelta();
  const bool sideways =
      event->modifiers() & Qt::ShiftModifier || std::abs(delta.x()) > std::abs(delta.y());
  if (sideways) {
    const int way = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
    model_.pan(-way / 120.0 * kKeyPan * (model_.to() - model_.from()));
  } else if (event->position().x() < kGutter) {
    verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y() * kRow / 60);
  } else {
    model_.zoom(scale().time(event->position().x() - kGutter),
                std::pow(kWheelZoom, delta.y() / 120.0));
  }
  hover(event->position().toPoint());
  event->accept();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || model_.empty()) return;
  pressed_ = event->pos();
  pressedTime_ = scale().time(pressed_.x() - kGutter);
  moved_ = false;
  drag_ = pressed_.y() < kAxis || event->modifiers() & Qt::ShiftModifier ? Drag::select : Drag::pan;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->pos();
  if (drag_ == Drag::none) return hover(at);
  if (!moved_ && (at - pressed_).manhattanLength() < QApplication::startDragDistance()) return;
  moved_ = true;
  facts_.clear();
  hovered_.reset();
  if (drag_ == Drag::pan) {
    viewport()->setCursor(Qt::ClosedHandCursor);
    model_.pan(pressedTime_ - scale().time(at.x() - kGutter));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + cursor_.y() - at.y());
  } else {
    const double time = scale().time(at.x() - kGutter);
    model_.selectWhileDragging(
        {std::llround(std::min(time, pressedTime_)), std::llround(std::max(time, pressedTime_))});
  }
  cursor_ = at;
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const Drag was = std::exchange(drag_, Drag::none);
  if (was == Drag::select) {
    moved_ ? model_.endDragging() : model_.select(std::nullopt);
  } else if (was == Drag::pan && !moved_) {
    if (const Band* fold = foldAt(event->pos()))
      toggleLane(fold->trace, fold->lane);
    else
      model_.setCurrent(placeAt(event->pos()));
  }
  hover(event->pos());
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto place = placeAt(event->pos())) {
    const Trace& trace = *model_.shown()[place->trace].trace;
    const auto start = static_cast<double>(trace.start(place->event));
    const auto duration =
        static_cast<double>(std::max<Nanoseconds>(1, trace.duration(place->event)));
    model_.setView(start - 0.25 * duration, start + 1.25 * duration);
    model_.setCurrent(place);
  } else {
    model_.fit();
  }
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
  if (model_.empty()) return QAbstractScrollArea::keyPressEvent(event);
  const double seen = model_.to() - model_.from();
  const auto& current = model_.current();
  double center = (model_.from() + model_.to()) / 2;
  if (current) {
    const Trace& trace = *model_.shown()[current->trace].trace;
    const double middle = static_cast<double>(trace.start(current->event)) +
                          static_cast<double>(trace.duration(current->event)) / 2;
    if (middle > model_.from() && middle < model_.to()) center = middle;
  }
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
      return model_.zoom(center, 0.5);
    case Qt::Key_Minus:
    case Qt::Key_S:
      return model_.zoom(center, 2);
    case Qt::Key_Left:
    case Qt::Key_A:
      return model_.pan(-kKeyPan * seen);
    case Qt::Key_Right:
    case Qt::Key_D:
      return model_.pan(kKeyPan * seen);
    case Qt::Key_Home:
      return model_.setView(0, seen);
    case Qt::Key_End:
      return model_.setView(static_cast<double>(model_.length()) - seen,
                            static_cast<double>(model_.length()));
    case Qt::Key_F:
    case Qt::Key_0:
      return model_.fit();
    case Qt::Key_N:
    case Qt::Key_Period:
      model_.next(false);
      return;
    case Qt::Key_P:
    case Qt::Key_Comma:
      model_.next(true);
      return;
    case Qt::Key_L:  // along the arrow
      if (current) {
        const EventId link = model_.shown()[current->trace].trace->link(current->event);
        if (link != kNoEvent) model_.goTo({current->trace, link});
      }
      return;
    case Qt::Key_O:  // all rows of the lane, or the outer ones
      if (current) {
        const Trace& trace = *model_.shown()[current->trace].trace;
        toggleLane(current->trace, trace.rows()[trace.rowOf(current->event)].lane);
      }
      return;
    case Qt::Key_M:
      if (current) {
        const Trace& trace = *model_.shown()[current->trace].trace;
        model_.select(TimeRange{trace.start(current->event), trace.end(current->event)});
      }
      return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      return model_.select(std::nullopt);
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void TimelineCanvas::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

}  // namespace fusebench
