// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ChartView that hears the mouse and the keyboard.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QRubberBand>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ui/views/base/plain_texts.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"

namespace fusebench {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
constexpr double kGrip = 6;  ///< pixels on either side of the pin's line in which it can be grabbed
constexpr double kStill = 4;            ///< a press that moves less is a click
constexpr double kChartZoomStep = 0.8;  ///< a notch of the wheel, a press of +
constexpr double kPanStep = 0.1;

}  // namespace

std::optional<double> ChartView::valueUnder(const QPointF& position) const {
  for (const CurvePlot* part : {measured_.get(), published_.get()}) {
    if (part == published_.get() && !publishedShown()) continue;
    const QRect rect = part->rect().rect();
    if (position.x() >= rect.left() - 12 && position.x() <= rect.right() + 12 &&
        position.y() >= rect.top() && position.y() <= rect.bottom() + 30)
      return part->nearestValue(position.x());
  }
  return std::nullopt;
}

QPointF ChartView::sharesAt(const QPointF& position) const {
  const QRect rect = measured_->rect().rect();
  return {(position.x() - rect.left()) / std::max(1, rect.width()),
          1 - (position.y() - rect.top()) / std::max(1, rect.height())};
}

bool ChartView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == legend_ && event->type() == QEvent::LayoutRequest) fitLegend();
  if (watched != plot_) return QWidget::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      pressed(*static_cast<QMouseEvent*>(event));
      break;
    case QEvent::MouseMove:
      moved(*static_cast<QMouseEvent*>(event));
      break;
    case QEvent::MouseButtonRelease:
      released(*static_cast<QMouseEvent*>(event));
      break;
    case QEvent::MouseButtonDblClick:
      // Its first click has moved the pin: it goes back to where it was.
      if (const auto to = pinBeforeClick_ ? pinBeforeClick_ : pin_; to && pin_ != pinBeforeClick_)
        pick(*to);
      drag_ = Drag::none;
      fit();
      break;
    case QEvent::Wheel:
      wheeled(*static_cast<QWheelEvent*>(event));
      return true;
    case QEvent::ToolTip: {
      const auto& help = *static_cast<QHelpEvent*>(event);
      const QString tip = measured_->markerTip(help.pos());
      if (tip.isEmpty())
        QToolTip::hideText();
      else
        showTip(help.globalPos(), QStringLiteral("<p>%1</p>").arg(tip.toHtmlEscaped()), plot_);
      return true;
    }
    case QEvent::Leave:
      if (drag_ != Drag::none) break;
      pointAt(QString(), -1);
      emit hovered(kNowhere);
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void ChartView::pick(double x) {
  pinBeforeClick_ = pin_;
  setPin(pin_ == x ? std::nullopt : std::optional(x));
  emit picked(x);
}

void ChartView::pointAt(const QString& name, int overlay) {
  if (!measured_->setPointed(name, overlay)) return;
  const std::vector<QString> others = overlayNames();
  const auto other = static_cast<std::size_t>(overlay);
  legend_->mark(overlay >= 0 && other < others.size() ? others[other] : name);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::pointAt(const QPointF& position) {
  const auto curve = measured_->curveAt(position);
  if (!curve) return pointAt(QString(), -1);
  const Curve& at = measured_->curves()[*curve];
  pointAt(at.name, at.overlay);
}

void ChartView::pressed(const QMouseEvent& event) {
  setFocus(Qt::MouseFocusReason);
  if (event.button() != Qt::LeftButton && event.button() != Qt::MiddleButton) return;
  pressedAt_ = lastAt_ = event.position();
  if (event.modifiers().testFlag(Qt::ShiftModifier)) {
    drag_ = Drag::band;
    band_->setGeometry(QRect(pressedAt_.toPoint(), QSize()));
  } else if (pin_ && std::abs(measured_->pixelOf(*pin_) - event.position().x()) <= kGrip &&
             event.button() == Qt::LeftButton) {
    drag_ = Drag::pin;
  } else {
    drag_ = Drag::pending;
  }
}

void ChartView::moved(const QMouseEvent& event) {
  const QPointF at = event.position();
  if (drag_ == Drag::pending && (at - pressedAt_).manhattanLength() > kStill)
    // Only the measured curves can be moved.
    drag_ = measured_->rect().rect().adjusted(-60, 0, 4, 40).contains(pressedAt_.toPoint())
                ? Drag::pan
                : Drag::none;
  switch (drag_) {
    case Drag::pan: {
      const QPointF from = sharesAt(lastAt_), to = sharesAt(at);
      panBy(from.x() - to.x(), from.y() - to.y());
      lastAt_ = at;
      break;
    }
    case Drag::pin:
      if (const auto value = measured_->nearestValue(at.x()); value && value != pin_) pick(*value);
      break;
    case Drag::band:
      band_->setGeometry(QRect(pressedAt_.toPoint(), at.toPoint()).normalized());
      band_->show();
      break;
    case Drag::pending:
      break;
    case Drag::none: {
      const bool grip = pin_ && std::abs(measured_->pixelOf(*pin_) - at.x()) <= kGrip &&
                        measured_->rect().rect().adjusted(0, 0, 0, 8).contains(at.toPoint());
      plot_->setCursor(grip ? Qt::SizeHorCursor : Qt::ArrowCursor);
      pointAt(at);
      emit hovered(valueUnder(at).value_or(kNowhere));
      break;
    }
  }
}

void ChartView::released(const QMouseEvent& event) {
  const Drag drag = drag_;
  drag_ = Drag::none;
  if (drag == Drag::band) {
    band_->hide();
    const QPointF from = sharesAt(pressedAt_), to = sharesAt(event.position());
    showRanges(between(measured_->shownX(), std::clamp(from.x(), 0.0, 1.0),
                       std::clamp(to.x(), 0.0, 1.0), measured_->wholeX()),
               between(measured_->shownY(), std::clamp(from.y(), 0.0, 1.0),
                       std::clamp(to.y(), 0.0, 1.0), measured_->wholeY()));
    return;
  }
  const bool still = (event.position() - pressedAt_).manhattanLength() <= kStill;
  if (!still || event.button() != Qt::LeftButton) return;
  if (drag == Drag::pending) {
    if (const auto value = valueUnder(event.position())) pick(*value);
  } else if (drag == Drag::pin && pin_) {
    pick(*pin_);  // a click on the pin takes it away
  }
}

void ChartView::wheeled(const QWheelEvent& event) {
  const double notches = (event.angleDelta().y() + event.angleDelta().x()) / 120.0;
  if (notches == 0) return;
  const QPointF shares = sharesAt(event.position());
  const bool overX = shares.y() < 0, overY = shares.x() < 0;  // over an axis: that axis alone
  const bool onlyX = overX || event.modifiers().testFlag(Qt::ShiftModifier);
  const bool onlyY = overY || event.modifiers().testFlag(Qt::ControlModifier);
  zoom(std::clamp(shares.x(), 0.0, 1.0), std::clamp(shares.y(), 0.0, 1.0),
       std::pow(kChartZoomStep, notches), !onlyY, !onlyX);
}

void ChartView::zoom(double shareX, double shareY, double factor, bool alongX, bool alongY) {
  const AxisRange x = measured_->shownX(), y = measured_->shownY();
  showRanges(alongX ? zoomed(x, shareX, factor, measured_->wholeX()) : x,
             alongY ? zoomed(y, shareY, factor, measured_->wholeY()) : y);
}

void ChartView::panBy(double shareX, double shareY) {
  showRanges(panned(measured_->shownX(), shareX, measured_->wholeX()),
             panned(measured_->shownY(), shareY, measured_->wholeY()));
}

void ChartView::showRanges(const AxisRange& x, const AxisRange& y) {
  measured_->show(x, y);
  refreshControls();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

bool ChartView::moveCursor(int key) {
  const std::vector<double> values = axes(false).values;
  if (values.empty()) return false;
  auto at = cursorValue_ ? std::find(values.begin(), values.end(), *cursorValue_) : values.end();
  if (at == values.end())
    at = key == Qt::Key_Right ? values.begin() : values.end() - 1;
  else if (key == Qt::Key_Right && at + 1 != values.end())
    ++at;
  else if (key == Qt::Key_Left && at != values.begin())
    --at;
  if (pin_ != *at) pick(*at);
  return true;
}

bool ChartView::event(QEvent* event) {
  // Escape removes the pin, unless there is a run to stop.
  if (event->type() == QEvent::ShortcutOverride && pin_ && !busy_ &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
    event->accept();
  return QWidget::event(event);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  const double middle =
      cursorValue_ ? std::clamp(shareOf(measured_->shownX(), *cursorValue_), 0.0, 1.0) : 0.5;
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (shift)
        panBy(event->key() == Qt::Key_Left ? -kPanStep : kPanStep, 0);
      else
        moveCursor(event->key());
      return;
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (!shift) break;
      panBy(0, event->key() == Qt::Key_Down ? -kPanStep : kPanStep);
      return;
    case Qt::Key_Escape:
      if (!pin_) break;
      pick(*pin_);
      return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom(middle, 0.5, kChartZoomStep, true, true);
      return;
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
      zoom(middle, 0.5, 1 / kChartZoomStep, true, true);
      return;
    case Qt::Key_F:
    case Qt::Key_Home:
      if (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) break;
      fit();
      return;
    case Qt::Key_T:
      if (event->modifiers() != Qt::NoModifier || !timesAvailable()) break;
      setTime(nextTime());
      return;
    case Qt::Key_L:
      if (event->modifiers() != Qt::NoModifier) break;
      logValues_[metric_] = !logValue();
      fit();
      refresh();
      if (metric_ == Metric::latency) emit logLatencyChanged(logValue());
      return;
    default:
      if (event->modifiers() == Qt::NoModifier && event->key() >= Qt::Key_1 &&
          event->key() < Qt::Key_1 + static_cast<int>(std::size(kMetrics))) {
        setMetric(kMetrics[event->key() - Qt::Key_1]);
        return;
      }
  }
  QWidget::keyPressEvent(event);
}

}  // namespace fusebench
