// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/timeline_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "profiler/trace/trace_counters.h"
#include "ui/look/span_colors.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/timeline/counter_picture.h"

namespace fusebench {
namespace {

constexpr int kLaneGap = 7, kTraceGap = 12;
constexpr double kWheelZoom = 0.8;  ///< a notch of the wheel
constexpr double kKeyPan = 0.15;    ///< of what is seen

}  // namespace

TimelineCanvas::TimelineCanvas(TimelineModel& model, QWidget* parent)
    : QAbstractScrollArea(parent), model_(model), empty_(new EmptyCard(this)) {
  setAccessibleName(uiText("Timeline of launches"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  verticalScrollBar()->setSingleStep(rowHeight_);
  setMinimumHeight(90);
  const auto repaint = [this] { viewport()->update(); };
  // The event under the pointer may have moved or disappeared.
  const auto letGo = [this] {
    hovered_.reset();
    facts_.clear();
  };
  connect(&model_, &TimelineModel::tracesChanged, this, [this, letGo] {
    letGo();
    opened_.clear();
    layOut();
    placeEmptyCard();
  });
  connect(&model_, &TimelineModel::viewChanged, this, [letGo, repaint] {
    letGo();
    repaint();
  });
  connect(&model_, &TimelineModel::lanesChanged, this, [this, letGo] {
    letGo();
    layOut();
  });
  connect(&model_, &TimelineModel::selectionChanged, this, repaint);
  connect(&model_, &TimelineModel::searchChanged, this, repaint);
  connect(&model_, &TimelineModel::rulerChanged, this, repaint);
  connect(&model_.notes(), &TraceNotes::changed, this, repaint);
  connect(&model_, &TimelineModel::currentChanged, this, [this] {
    showCurrent();
    viewport()->update();
  });
  layOut();
  empty_->setWords(
      uiText("No launches to show yet"),
      uiText("\"Record\" runs each variant of the chain ten times and shows every launch. Or "
             "open a trace, by Ctrl+O or by dropping it on the window: from the PyTorch profiler "
             "(.json, .json.gz), another Chrome trace, Perfetto (.pftrace), Nsight Systems "
             "(.sqlite), or a folder with one trace for each rank."));
  placeEmptyCard();
}

void TimelineCanvas::placeEmptyCard() {
  empty_->setVisible(model_.empty());
  if (model_.empty()) empty_->placeIn(size());
}

void TimelineCanvas::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (std::size_t c = 0; c < colors_.size(); ++c)
    if (c < kSpanKinds || (c >= kFirstRank && c <= kFirstRank + kRanks))
      colors_[c] = classColor(static_cast<ColorClass>(c), theme).rgb();
  viewport()->update();
}

void TimelineCanvas::layOut() {
  fitGutter();
  rowHeight_ = kRow;
  layOutBands();
  growRows();
  order_.resize(bands_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, {},
                    [this](std::size_t i) { return std::pair(bands_[i].trace, bands_[i].row); });
  viewport()->update();
}

/// Rows take the height that is left over, up to where more would not help to read them.
void TimelineCanvas::growRows() {
  constexpr int kTallest = 30;
  const int left = viewport()->height() - contentHeight_;
  if (left <= 0 || bands_.empty()) return;
  const int least = contentHeight_;
  rowHeight_ = std::min(kTallest, kRow + left / static_cast<int>(bands_.size()));
  if (rowHeight_ > kRow) layOutBands();
  contentHeight_ = least;
}

/// Places the counters of a trace from `y`, and returns the end.
int TimelineCanvas::layOutCounters(std::size_t trace, int y) {
  const Trace& of = *model_.shown()[trace].trace;
  const auto counters = of.counters();
  const int height = isMadeOfCounters(of) ? kTallCounter : kCounter;
  for (std::size_t c = 0; c < counters.size(); ++c) {
    if (!model_.lanes().drawsCounter(counterTitle(counters[c]))) continue;
    counterBands_.push_back({trace, c, y, height});
    y += height + kLaneGap;
  }
  return y;
}

void TimelineCanvas::layOutBands() {
  bands_.clear();
  counterBands_.clear();
  heads_.clear();
  const std::vector<LaneChoices::Entry>& lanes = model_.lanes().entries();
  int y = 0;
  for (const LaneChoices::Entry& entry : lanes)
    if (entry.pinned && model_.lanes().drawn(entry)) y = layOutLane(entry.place.trace, entry, y);
  pinnedHeight_ = y;
  y = 0;
  for (std::size_t t = 0; t < model_.shown().size(); ++t) {
    if (t > 0) y += kTraceGap;
    heads_.push_back(y);
    y += kHead;
    const bool countersFirst = isMadeOfCounters(*model_.shown()[t].trace);
    if (countersFirst) y = layOutCounters(t, y);
    for (const LaneChoices::Entry& entry : lanes)
      if (entry.place.trace == t && !entry.pinned && model_.lanes().drawn(entry))
        y = layOutLane(t, entry, y);
    if (!countersFirst) y = layOutCounters(t, y);
  }
  contentHeight_ = y + top();
  const int page = std::max(0, viewport()->height() - top());
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, std::max(0, y - page));
}

/// Names are whole where they take no more than a share of the width.
void TimelineCanvas::fitGutter() {
  constexpr double kShare = 0.26;
  constexpr std::size_t kMostMeasured = 500;
  const QFontMetrics metrics(font());
  int widest = 0;
  std::size_t measured = 0;
  for (const LaneChoices::Entry& entry : model_.lanes().entries()) {
    if (!model_.lanes().drawn(entry)) continue;
    if (++measured > kMostMeasured) break;
    const Trace& trace = *model_.shown()[entry.place.trace].trace;
    widest =
        std::max({widest, metrics.horizontalAdvance(laneTitle(trace, entry.place.lane)),
                  metrics.horizontalAdvance(text(trace.lanes()[entry.place.lane].processName))});
  }
  for (const auto& shown : model_.shown())
    for (const CounterTrack& counter : shown.trace->counters()) {
      if (++measured > kMostMeasured) break;
      widest = std::max(widest, metrics.horizontalAdvance(counterTitle(counter)));
    }
  constexpr int kAround = 26;  // the mark before a name, and air after it
  gutter_ = std::clamp(widest + kAround, kGutter,
                       std::max(kGutter, static_cast<int>(kShare * viewport()->width())));
}

/// Adds the bands of a lane from `y` down, and says where the next one begins.
int TimelineCanvas::layOutLane(std::size_t t, const LaneChoices::Entry& entry, int y) {
  const Trace& trace = *model_.shown()[t].trace;
  const LaneId lane = entry.place.lane;
  const auto own = trace.rowsOf(lane);
  const std::size_t rows = own.size();
  if (rows == 0) return y;
  const auto row = static_cast<std::size_t>(own.data() - trace.rows().data());
  const bool deep = rows > kRowsUnfolded, opened = opened_.contains({t, lane});
  const std::size_t drawn = entry.collapsed ? 1 : deep && !opened ? kRowsUnfolded : rows;
  for (std::size_t r = 0; r < drawn; ++r, y += rowHeight_) {
    const bool last = r + 1 == drawn;
    bands_.push_back({t, row + r, lane, y, r == 0, last, last ? rows - drawn : 0,
                      !entry.collapsed && deep && opened && r + 1 == kRowsUnfolded, entry.collapsed,
                      entry.pinned});
  }
  return y + kLaneGap;
}

const TimelineCanvas::Band* TimelineCanvas::bandOf(std::size_t trace, std::size_t row) const {
  // A folded band stands for all below it.
  const auto after = std::ranges::upper_bound(
      order_, std::pair(trace, row), {},
      [this](std::size_t i) { return std::pair(bands_[i].trace, bands_[i].row); });
  if (after == order_.begin()) return nullptr;
  const Band& band = bands_[*(after - 1)];
  return band.trace == trace && row <= band.row + band.folded ? &band : nullptr;
}

/// Scrolls to the row of the current event.
void TimelineCanvas::showCurrent() {
  const auto& place = model_.current();
  if (!place) return;
  const Trace& trace = *model_.shown()[place->trace].trace;
  const std::size_t row = trace.rowOf(place->event);
  const Band* band = bandOf(place->trace, row);
  if (band && !band->collapsed && band->folded > 0 && band->row != row) {
    toggleLane(place->trace, band->lane);
    band = bandOf(place->trace, row);
  }
  if (band && !band->pinned) {
    QScrollBar* bar = verticalScrollBar();
    if (band->y < bar->value()) bar->setValue(band->y);
    const int most = band->y + rowHeight_ - (viewport()->height() - top());
    if (most > bar->value()) bar->setValue(most);
  }
  setAccessibleDescription(factsOf(trace, place->event).join(QStringLiteral(", ")));
}

void TimelineCanvas::showDeviceOf(std::size_t trace) {
  const Band* shown = nullptr;
  for (const Band& band : bands_) {
    if (band.trace != trace || band.pinned) continue;
    const Trace& of = *model_.shown()[trace].trace;
    const TraceRow& row = of.rows()[band.row];
    const bool device = row.first < row.last && isDeviceWork(of.kind(row.first));
    if (!shown || device) shown = &band;
    if (device) break;
  }
  if (!shown) return;
  QScrollBar* bar = verticalScrollBar();
  const int page = viewport()->height() - top(), below = shown->y + rowHeight_;
  if (shown->y >= bar->value() && below <= bar->value() + page) return;
  const int head = heads_[trace];
  bar->setValue(below - head <= page ? head : below - page);
}

void TimelineCanvas::toggleLane(std::size_t trace, LaneId lane) {
  if (!opened_.erase({trace, lane})) opened_.insert({trace, lane});
  layOut();
}

/// The band whose name opens or folds its lane, at a place left of the events.
const TimelineCanvas::Band* TimelineCanvas::foldAt(const QPoint& at) const {
  if (at.x() >= gutter_ || at.y() < kAxis) return nullptr;
  const bool pinned = at.y() < top();
  const int y = pinned ? at.y() - kAxis : at.y() - top() + verticalScrollBar()->value();
  for (const Band& band : bands_)
    if (band.pinned == pinned && y >= band.y && y < band.y + rowHeight_ &&
        ((band.folded > 0 && !band.collapsed) || band.folds))
      return &band;
  return nullptr;
}

std::optional<LaneChoices::Place> TimelineCanvas::laneAt(const QPoint& at) const {
  if (at.x() >= gutter_ || at.y() < kAxis) return std::nullopt;
  const std::vector<Band> seen = bandsInSight();
  for (const Band& band : seen)
    if (band.pinned == (at.y() < top()) && at.y() >= band.y && at.y() < band.y + rowHeight_)
      return LaneChoices::Place{band.trace, band.lane};
  return std::nullopt;
}

std::vector<TimelineCanvas::Band> TimelineCanvas::bands() const {
  std::vector<Band> shown = bands_;
  for (Band& band : shown) band.y += band.pinned ? kAxis : top() - verticalScrollBar()->value();
  return shown;
}

std::vector<TimelineCanvas::Band> TimelineCanvas::bandsInSight() const {
  std::vector<Band> shown = bands();
  std::erase_if(shown, [this](const Band& band) {
    return band.y + rowHeight_ <= (band.pinned ? kAxis : top()) || band.y >= viewport()->height();
  });
  return shown;
}

double TimelineCanvas::width() const {
  return std::max(1, viewport()->width() - gutter_);
}

TimeScale TimelineCanvas::scale() const {
  return {model_.from(), (model_.to() - model_.from()) / width()};
}

bool TimelineCanvas::isCurrent(std::size_t trace, EventId event) const {
  return model_.current() && model_.current()->trace == trace && model_.current()->event == event;
}

std::optional<TimelineModel::Place> TimelineCanvas::placeAt(const QPoint& at) const {
  if (at.x() < gutter_ || at.y() < kAxis) return std::nullopt;
  constexpr std::size_t kMostLookedAt = 256;  // as many rows of a collapsed lane as are drawn
  const TimeScale view = scale();
  for (const Band& band : bandsInSight()) {
    if (at.y() < band.y || at.y() >= band.y + rowHeight_ || band.pinned != (at.y() < top()))
      continue;
    const Trace& trace = *model_.shown()[band.trace].trace;
    const std::size_t rows = band.collapsed ? std::min(band.folded, kMostLookedAt) + 1 : 1;
    for (std::size_t row = band.row; row < band.row + rows; ++row) {
      const EventId event =
          eventAt(trace, trace.rows()[row], view.time(at.x() + 0.5 - gutter_), 3 * view.perPixel);
      if (event != kNoEvent) return TimelineModel::Place{band.trace, event};
    }
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
  const auto lane = place ? std::nullopt : laneAt(at);
  const auto note = noteAt(at);
  const CounterTrack* const counter = place || lane ? nullptr : counterAt(at);
  if (note)
    facts_ = QStringList(model_.notes().of(note->trace)[note->note].text);
  else if (counter)
    facts_ = counterFacts(*counter, std::llround(scale().time(at.x() + 0.5 - gutter_)));
  else if (lane)
    facts_ = laneFacts(*model_.shown()[lane->trace].trace, lane->lane);
  else if (const auto gap = place ? std::nullopt : gapAt(at))
    facts_ = gapFacts(gap->first, gap->second, at);
  else if (!place)
    facts_.clear();
  viewport()->setCursor(note ? Qt::PointingHandCursor
                        : at.y() < kAxis && at.x() >= gutter_ && !model_.empty() ? Qt::IBeamCursor
                        : lane || foldAt(at) ? Qt::PointingHandCursor
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
  placeEmptyCard();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
  if (model_.empty()) return;
  const QPoint delta = event->angleDelta();
  const bool sideways =
      event->modifiers() & Qt::ShiftModifier || std::abs(delta.x()) > std::abs(delta.y());
  if (sideways) {
    const int way = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
    model_.pan(-way / 120.0 * kKeyPan * (model_.to() - model_.from()));
  } else if (event->position().x() < gutter_) {
    verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y() * rowHeight_ / 60);
  } else {
    model_.zoom(scale().time(event->position().x() - gutter_),
                std::pow(kWheelZoom, delta.y() / 120.0));
  }
  hover(event->position().toPoint());
  event->accept();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton)
    return model_.step(event->button() == Qt::BackButton);
  if (event->button() != Qt::LeftButton || model_.empty()) return;
  pressed_ = event->pos();
  pressedTime_ = scale().time(pressed_.x() - gutter_);
  moved_ = false;
  pressedLane_ = laneAt(pressed_);
  if (event->modifiers() & Qt::ControlModifier && pressed_.x() >= gutter_) {
    drag_ = Drag::measure;
    return;
  }
  if (pressedLane_) {
    drag_ = Drag::lane;
    return;
  }
  drag_ = pressed_.y() < kAxis || event->modifiers() & Qt::ShiftModifier ? Drag::select : Drag::pan;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->pos();
  if (drag_ == Drag::none) return hover(at);
  if (!moved_ && (at - pressed_).manhattanLength() < QApplication::startDragDistance()) return;
  moved_ = true;
  facts_.clear();
  hovered_.reset();
  if (drag_ == Drag::lane) {
    // It goes where it is held: the lanes make room under the mouse.
    viewport()->setCursor(Qt::ClosedHandCursor);
    if (const auto over = laneAt(at); over && pressedLane_ && *over != *pressedLane_)
      model_.changeLanes([&](LaneChoices& lanes) {
        if (lanes.pinned(*over) == lanes.pinned(*pressedLane_)) lanes.moveTo(*pressedLane_, *over);
      });
  } else if (drag_ == Drag::measure) {
    viewport()->setCursor(Qt::CrossCursor);
    model_.setRuler(measuredBetween(pressed_, at));
  } else if (drag_ == Drag::pan) {
    viewport()->setCursor(Qt::ClosedHandCursor);
    model_.pan(pressedTime_ - scale().time(at.x() - gutter_));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + cursor_.y() - at.y());
  } else {
    const double time = scale().time(at.x() - gutter_);
    model_.selectWhileDragging(
        {std::llround(std::min(time, pressedTime_)), std::llround(std::max(time, pressedTime_))});
  }
  cursor_ = at;
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const Drag was = std::exchange(drag_, Drag::none);
  const auto note = moved_ ? std::nullopt : noteAt(event->pos());
  if (note) {
    model_.showNote(*note);
  } else if (was == Drag::measure) {
    if (!moved_) model_.setRuler(std::nullopt);
  } else if (was == Drag::select) {
    moved_ ? model_.endDragging() : model_.select(std::nullopt);
  } else if (was == Drag::lane && !moved_) {
    clickLane(event->pos());
  } else if (was == Drag::pan && !moved_) {
    model_.setCurrent(placeAt(event->pos()));
  }
  hover(event->pos());
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (laneAt(event->pos())) return clickLane(event->pos());  // the second of two clicks
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
  if (laneKey(event->key(), event->modifiers()) || markKey(event->key(), event->modifiers()))
    return;
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
    case Qt::Key_Escape:
      if (model_.ruler()) return model_.setRuler(std::nullopt);
      return model_.select(std::nullopt);
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

#include "moc_timeline_canvas.cpp"
