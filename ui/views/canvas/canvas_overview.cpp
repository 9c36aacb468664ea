// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_overview.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/models/base/ui_text.h"
#include "ui/views/canvas/canvas_style.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

constexpr int kOverviewWidth = 26, kOverviewInset = 3;
constexpr double kWorthwhile = 4;  ///< times as high as the canvas

QColor boxColor(const CanvasNode& node, const Theme& theme) {
  if (!node.problems.isEmpty()) return theme.error;
  if (node.share >= 0) return mixed(theme.grid, theme.warning, 0.2 + 0.8 * node.heat);
  if (node.row) return mixed(canvasGround(theme), categoryColor(theme, node.row->category), 0.75);
  return theme.muted;
}

}  // namespace

CanvasOverview::CanvasOverview(CanvasSurface& surface) : QWidget(&surface), surface_(surface) {
  setAccessibleName(uiText("Overview of the program"));
  setToolTip(uiText("The whole program. Click to go there."));
  setCursor(Qt::PointingHandCursor);
  hide();
  connect(&surface, &CanvasSurface::viewChanged, this, &CanvasOverview::follow);
  connect(&surface, &CanvasSurface::graphShown, this, [this] { picture_ = {}; });
}

void CanvasOverview::setTheme(const Theme& theme) {
  theme_ = &theme;
  picture_ = {};
  update();
}

void CanvasOverview::follow() {
  const QRect room = surface_.viewport()->geometry();
  const double high = surface_.content().height() * surface_.zoom();
  const bool wanted = high > kWorthwhile * room.height() && room.height() > 0;
  setVisible(wanted);
  surface_.setAside(wanted ? kOverviewWidth : 0);
  if (!wanted) return;
  const QRect place(room.right() + 1, room.top(), kOverviewWidth, room.height());
  if (place.size() != size()) picture_ = {};
  setGeometry(place);
  update();
}

QRectF CanvasOverview::seen() const {
  const QRectF all = surface_.content();
  const QRectF part = surface_.mapToScene(surface_.viewport()->rect()).boundingRect();
  const double scale = all.height() > 0 ? height() / all.height() : 0;
  const double top = std::clamp((part.top() - all.top()) * scale, 0.0, double(height()));
  const double end = std::clamp((part.bottom() - all.top()) * scale, 0.0, double(height()));
  return {0.0, top, double(width()), std::max(3.0, end - top)};
}

QPixmap CanvasOverview::drawn() const {
  QPixmap picture(size() * devicePixelRatioF());
  picture.setDevicePixelRatio(devicePixelRatioF());
  picture.fill(theme_->panel);
  QPainter painter(&picture);
  const QRectF all = surface_.content();
  const double down = height() / std::max(1.0, all.height());
  const double across = (width() - 2 * kOverviewInset) / std::max(1.0, all.width());
  const CanvasGraph& graph = surface_.graph();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].hidden) continue;
    const QRectF box = surface_.places()[i];
    painter.fillRect(
        QRectF(kOverviewInset + (box.left() - all.left()) * across, (box.top() - all.top()) * down,
               std::max(2.0, box.width() * across), std::max(0.75, box.height() * down)),
        boxColor(graph.nodes[i], *theme_));
  }
  return picture;
}

void CanvasOverview::paintEvent(QPaintEvent* /*event*/) {
  if (picture_.isNull()) picture_ = drawn();
  QPainter painter(this);
  painter.drawPixmap(0, 0, picture_);
  painter.fillRect(QRectF(0, 0, 1, height()), theme_->border);
  QColor inside = theme_->text;
  inside.setAlphaF(0.12F);
  painter.setPen(QPen(theme_->text, 1));
  painter.setBrush(inside);
  painter.drawRect(seen().adjusted(0.5, 0.5, -0.5, -0.5));
}

void CanvasOverview::goTo(QPointF at) {
  const QRectF all = surface_.content();
  const double y = all.top() + at.y() / std::max(1, height()) * all.height();
  const QPointF now = surface_.mapToScene(surface_.viewport()->rect().center());
  surface_.panBy({0, (now.y() - y) * surface_.zoom()});
}

void CanvasOverview::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) goTo(event->position());
}

void CanvasOverview::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) goTo(event->position());
}

}  // namespace fusebench

#include "moc_canvas_overview.cpp"
