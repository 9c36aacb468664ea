// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/plot_frame.h"

#include <limits>

namespace fusebench {

QCPGraph* PlotFrame::addGraph(const char* layer) {
  auto* graph = new QCPGraph(xAxis(), yAxis());
  graph->removeFromLegend();
  graph->setLayer(layer);
  graph->setSelectable(QCP::stNone);
  graph->setAdaptiveSampling(false);  // thinned already
  return graph;
}

QCPItemText* PlotFrame::addText(Qt::Alignment alignment) {
  auto* text = new QCPItemText(&plot);
  text->setLayer(kLabelLayer);
  text->setClipToAxisRect(false);
  text->setPositionAlignment(alignment);
  text->position->setType(QCPItemPosition::ptAbsolute);
  return text;
}

QCPItemLine* PlotFrame::addVertical(const char* layer) {
  auto* line = new QCPItemLine(&plot);
  line->setLayer(layer);
  line->setClipAxisRect(&rect);
  for (QCPItemPosition* position : {line->start, line->end}) {
    position->setAxisRect(&rect);
    position->setAxes(xAxis(), yAxis());
    position->setTypeX(QCPItemPosition::ptPlotCoords);
    position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  return line;
}

QCPItemLine* PlotFrame::addLevel(const char* layer) {
  auto* line = new QCPItemLine(&plot);
  line->setLayer(layer);
  line->setClipAxisRect(&rect);
  for (QCPItemPosition* position : {line->start, line->end}) {
    position->setAxisRect(&rect);
    position->setAxes(xAxis(), yAxis());
    position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    position->setTypeY(QCPItemPosition::ptPlotCoords);
  }
  return line;
}

QCPItemLine* PlotFrame::addLeader() {
  auto* line = new QCPItemLine(&plot);
  line->setLayer(kLabelLayer);
  line->setClipToAxisRect(false);
  for (QCPItemPosition* position : {line->start, line->end})
    position->setType(QCPItemPosition::ptAbsolute);
  return line;
}

QCPItemEllipse* PlotFrame::addDot(const char* layer) {
  auto* dot = new QCPItemEllipse(&plot);
  dot->setLayer(layer);
  dot->setClipToAxisRect(false);
  for (QCPItemPosition* position : {dot->topLeft, dot->bottomRight})
    position->setType(QCPItemPosition::ptAbsolute);
  return dot;
}

void PlotFrame::addLine(QCPGraph& graph, double x0, double y0, double x1, double y1) const {
  const auto add = [&](double x, double y) {
    graph.addData(x, drawable(y) ? y : std::numeric_limits<double>::quiet_NaN());
  };
  add(x0, y0);
  if (!axes.logValue && !axes.logAxis) return;
  for (const auto& [x, y] : between(x0, y0, x1, y1, axes.logAxis)) add(x, y);
}

double widthOf(const QCPItemText& item) {
  return QFontMetricsF(item.font()).horizontalAdvance(item.text()) + item.padding().left() +
         item.padding().right() + 2;
}

void setDot(QCPItemEllipse& dot, double x, double y, double radius) {
  dot.topLeft->setCoords(x - radius, y - radius);
  dot.bottomRight->setCoords(x + radius, y + radius);
}

}  // namespace fusebench
