// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/view_state.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/window/workbench.h"

namespace fusebench {

QByteArray viewState(const WindowModels& models, const Workbench& workbench) {
  const ChartView& chart = workbench.view<ChartView>();
  QJsonObject state;
  QJsonArray shown;
  for (const ViewRow& row : viewRows()) {
    const QString key = QLatin1String(row.key);
    // The results' view last: it is the one to look at.
    if (workbench.shows(key) && key != workbench.currentResult()) shown.append(key);
  }
  shown.append(workbench.currentResult());
  state[QStringLiteral("shown")] = shown;
  state[QStringLiteral("metric")] = viewName(chart.metric(), ShownTime::wall);
  if (const auto pin = models.place.pinned()) state[QStringLiteral("place")] = *pin;
  state[QStringLiteral("slice")] = static_cast<qint64>(models.place.slice());
  state[QStringLiteral("variant")] = workbench.view<CanvasView>().variant();
  state[QStringLiteral("layout")] = QJsonDocument::fromJson(toJson(workbench.layout())).object();
  return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void takeViewState(const QByteArray& json, WindowModels& models, Workbench& workbench) {
  const QJsonObject state = QJsonDocument::fromJson(json).object();
  if (const QJsonValue layout = state[QStringLiteral("layout")]; layout.isObject())
    workbench.takeLayout(
        windowLayout(QJsonDocument(layout.toObject()).toJson(QJsonDocument::Compact)));
  const QString metric = state[QStringLiteral("metric")].toString();
  for (const Metric each : kMetrics)
    if (viewName(each, ShownTime::wall) == metric) workbench.view<ChartView>().setMetric(each);
  const double slice = state[QStringLiteral("slice")].toDouble();
  const std::vector<Axis>& axes = models.place.experiment().axes;
  if (axes.size() > 1 && slice >= 0 && slice < static_cast<double>(axes[1].values.size()))
    models.place.setSlice(static_cast<std::size_t>(slice));
  if (const QJsonValue place = state[QStringLiteral("place")]; place.isDouble() && !axes.empty())
    for (const std::int64_t value : axes[0].values)
      if (static_cast<double>(value) == place.toDouble()) models.place.pin(place.toDouble());
  const int variant = state[QStringLiteral("variant")].toInt(-1);
  if (variant >= 0 && variant < static_cast<int>(models.document.experiment().variants.size()))
    workbench.view<CanvasView>().setVariant(variant);
  const QJsonArray shown = state[QStringLiteral("shown")].toArray();
  for (const auto& key : shown) workbench.showView(key.toString());
}

}  // namespace fusebench
