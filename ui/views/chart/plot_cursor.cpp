// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/plot_cursor.h"

#include "ui/models/chart/chart_drawing.h"

namespace fusebench {
namespace {

constexpr double kRing = 6.5;
constexpr double kKnob = 5.5;

}  // namespace

PlotCursor::PlotCursor(PlotFrame& frame)
    : frame_(frame),
      line_(frame.addVertical(kHoverLayer)),
      pinLine_(frame.addVertical(kHoverLayer)),
      knob_(frame.addDot(kHoverLayer)) {
  line_->setVisible(false);
  pinLine_->setVisible(false);
  knob_->setVisible(false);
}

void PlotCursor::make() {
  const std::size_t count = frame_.content.curves.size();
  while (rings_.size() > count) {
    frame_.plot.removeItem(rings_.back());
    rings_.pop_back();
  }
  while (rings_.size() < count) {
    rings_.push_back(frame_.addDot(kHoverLayer));
    rings_.back()->setVisible(false);
  }
  restyle();
}

void PlotCursor::restyle() {
  const Theme& theme = *frame_.theme;
  line_->setPen(QPen(theme.muted, 1));
  pinLine_->setPen(QPen(theme.accent, 1));
  knob_->setPen(QPen(theme.panel, 1.5));
  knob_->setBrush(theme.accent);
  for (QCPItemEllipse* ring : rings_) ring->setPen(QPen(theme.text, 1.5));
}

void PlotCursor::place() {
  placePin();
  highlight(highlighted_);
}

void PlotCursor::setPin(std::optional<double> x) {
  pin_ = x;
  placePin();
}

void PlotCursor::placePin() {
  const QCPAxisRect& rect = frame_.rect;
  const double at = pin_ ? frame_.pixelOf(*pin_) : 0;
  const bool inside = pin_ && at >= rect.left() - 1 && at <= rect.right() + 1;
  pinLine_->setVisible(inside);
  knob_->setVisible(inside);
  if (!inside) return;
  pinLine_->start->setCoords(*pin_, 0);
  pinLine_->end->setCoords(*pin_, 1);
  setDot(*knob_, at, rect.bottom(), kKnob);
}

void PlotCursor::highlight(std::optional<double> x) {
  highlighted_ = x;
  line_->setVisible(x.has_value());
  if (x) {
    line_->start->setCoords(*x, 0);
    line_->end->setCoords(*x, 1);
  }
  const QCPAxisRect& rect = frame_.rect;
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    const Curve& curve = frame_.content.curves[i];
    const auto value = x && curve.overlay < 0 ? valueAt(curve, *x, frame_.scales()) : std::nullopt;
    const double px = x ? frame_.pixelOf(*x) : 0;
    const double height = value ? *value : -1;
    const double py = value ? frame_.heightOf(height) : 0;
    const bool inside = value && frame_.drawable(height) && px >= rect.left() &&
                        px <= rect.right() && py >= rect.top() && py <= rect.bottom();
    rings_[i]->setVisible(inside);
    if (inside) setDot(*rings_[i], px, py, kRing);
  }
}

}  // namespace fusebench
