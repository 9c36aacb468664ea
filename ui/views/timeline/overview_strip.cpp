// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/overview_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/look/span_colors.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kOverviewHeight = 22, kStripEdge = 8, kStripGap = 3, kNarrowestPart = 4;
constexpr std::size_t kMostRowsCounted = 256;
constexpr double kStripZoom = 0.8;  ///< for a notch of the wheel
constexpr double kStripPan = 0.5;   ///< of the part, for a key

/// How long a row is busy in a range.
Nanoseconds busyIn(const Trace& trace, const TraceRow& row, TimeRange range) {
  const EventId from = trace.firstEndingAfter(row, range.from),
                to = trace.firstStartingAt(row, range.to);
  if (from >= to) return 0;
  return trace.busyBetween(from, to) - std::max<Nanoseconds>(0, range.from - trace.start(from)) -
         std::max<Nanoseconds>(0, trace.end(to - 1) - range.to);
}

bool isOfDevice(const Trace& trace, const TraceRow& row) {
  return trace.lanes()[row.lane].kind == Lane::Kind::device;
}

/// How much happens in each column, 0 to 1: the share in which a device's busiest stream works. A
/// host has no such share, even where it runs the kernels itself: there, the number of calls that
/// begin, relative to the most.
std::vector<float> columnsOf(const TimelineModel::Shown& shown, double perColumn, int columns) {
  const Trace& trace = *shown.trace;
  std::vector<float> made(std::size_t(std::max(0, columns)), 0);
  const bool byDevice = std::ranges::any_of(
      trace.rows(), [&](const TraceRow& row) { return isOfDevice(trace, row); });
  std::size_t counted = 0;
  for (const TraceRow& row : trace.rows()) {
    const bool device = isOfDevice(trace, row);
    if (device != byDevice || row.first == row.last) continue;
    if (++counted > kMostRowsCounted) break;
    for (std::size_t x = 0; x < made.size(); ++x) {
      const TimeRange range{Nanoseconds(double(x) * perColumn),
                            Nanoseconds(double(x + 1) * perColumn)};
      if (device)
        made[x] = std::max(made[x], float(double(busyIn(trace, row, range)) /
                                          double(std::max<Nanoseconds>(1, range.length()))));
      else
        made[x] +=
            float(trace.firstStartingAt(row, range.to) - trace.firstStartingAt(row, range.from));
    }
  }
  if (byDevice) return made;
  const float most = made.empty() ? 0 : *std::ranges::max_element(made);
  for (float& one : made) one = most > 0 ? std::sqrt(one / most) : 0;
  return made;
}

}  // namespace

OverviewStrip::OverviewStrip(TimelineModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
  setFixedHeight(kOverviewHeight);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(uiText("The whole trace, and the visible part"));
  setToolTip(uiText("The whole trace: drag the visible part, or click where to move it"));
  connect(&model_, &TimelineModel::viewChanged, this, qOverload<>(&QWidget::update));
  connect(&model_, &TimelineModel::selectionChanged, this, qOverload<>(&QWidget::update));
  connect(&model_, &TimelineModel::tracesChanged, this, [this] {
    setVisible(!model_.empty());
    count();
  });
  setVisible(!model_.empty());
}

void OverviewStrip::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

QSize OverviewStrip::sizeHint() const {
  return {200, kOverviewHeight};
}

void OverviewStrip::count() {
  busy_.clear();
  const int columns = width() - 2 * kStripEdge;
  for (const auto& shown : model_.shown())
    busy_.push_back(columnsOf(shown, double(model_.length()) / std::max(1, columns), columns));
  update();
}

double OverviewStrip::busyAt(int x) const {
  const auto at = std::size_t(x - kStripEdge);
  return busy_.empty() || at >= busy_.front().size() ? 0 : double(busy_.front()[at]);
}

double OverviewStrip::timeAt(double x) const {
  return (x - kStripEdge) / std::max(1, width() - 2 * kStripEdge) * double(model_.length());
}

double OverviewStrip::xOf(double time) const {
  const double share = time / double(std::max<Nanoseconds>(1, model_.length()));
  return kStripEdge + std::clamp(share, 0.0, 1.0) * (width() - 2 * kStripEdge);
}

QRectF OverviewStrip::part() const {
  const double from = xOf(model_.from()), to = std::max(from + kNarrowestPart, xOf(model_.to()));
  return {from, 1, to - from, kOverviewHeight - 2.0};
}

void OverviewStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_->panel);
  const double room = kOverviewHeight - 2.0 * kStripGap;
  const double each = busy_.empty() ? room : room / double(busy_.size());
  const QColor ink = spanColor(SpanKind::kernel, *theme_);
  for (std::size_t t = 0; t < busy_.size(); ++t)
    for (std::size_t x = 0; x < busy_[t].size(); ++x) {
      if (busy_[t][x] <= 0) continue;
      // Little work shows, too: a column is at least faint.
      QColor color = ink;
      color.setAlphaF(std::clamp(0.25F + 0.75F * busy_[t][x], 0.0F, 1.0F));
      painter.fillRect(
          QRectF(kStripEdge + double(x), kStripGap + double(t) * each, 1, std::max(1.0, each - 1)),
          color);
    }
  if (const auto& selected = model_.selection()) {
    QColor color = theme_->accent;
    color.setAlphaF(0.25F);
    const double from = xOf(double(selected->from));
    painter.fillRect(
        QRectF(from, 0, std::max(1.0, xOf(double(selected->to)) - from), kOverviewHeight), color);
  }
  const QRectF shown = part();
  QColor veil = theme_->panel;
  veil.setAlphaF(0.6F);
  painter.fillRect(QRectF(0, 0, shown.left(), kOverviewHeight), veil);
  painter.fillRect(QRectF(shown.right(), 0, width() - shown.right(), kOverviewHeight), veil);
  painter.setPen(hasFocus() ? QPen(theme_->accent, 2) : QPen(theme_->muted, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(shown.adjusted(0.5, 0.5, -0.5, -0.5));
}

void OverviewStrip::resizeEvent(QResizeEvent*) {
  count();
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || model_.empty()) return;
  const double middle = (model_.from() + model_.to()) / 2;
  // Held where it was taken; elsewhere the part comes to the mouse.
  grabbed_ = part().contains(event->position()) ? timeAt(event->position().x()) - middle : 0;
  mouseMoveEvent(event);
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton) || model_.empty()) return;
  const double middle = (model_.from() + model_.to()) / 2;
  model_.pan(timeAt(event->position().x()) - grabbed_ - middle);
}

void OverviewStrip::wheelEvent(QWheelEvent* event) {
  if (model_.empty()) return;
  model_.zoom((model_.from() + model_.to()) / 2,
              std::pow(kStripZoom, event->angleDelta().y() / 120.0));
  event->accept();
}

void OverviewStrip::keyPressEvent(QKeyEvent* event) {
  if (model_.empty()) return QWidget::keyPressEvent(event);
  const double part = model_.to() - model_.from(), middle = model_.from() + part / 2;
  switch (event->key()) {
    case Qt::Key_Left:
      return model_.pan(-kStripPan * part);
    case Qt::Key_Right:
      return model_.pan(kStripPan * part);
    case Qt::Key_Up:
      return model_.zoom(middle, kStripZoom);
    case Qt::Key_Down:
      return model_.zoom(middle, 1 / kStripZoom);
    case Qt::Key_Home:
      return model_.setView(0, part);
    case Qt::Key_End:
      return model_.setView(double(model_.length()) - part, double(model_.length()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return model_.fit();
    default:
      QWidget::keyPressEvent(event);
  }
}

void OverviewStrip::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void OverviewStrip::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

}  // namespace fusebench

#include "moc_overview_strip.cpp"
