// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the chart and its legend from a run.
#include <algorithm>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/chart/chart_ranges.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"

namespace fusebench {

void ChartView::refreshContent() {
  ChartContent content;
  content.metric = metric_;
  if (const Run* run = run_.run()) {
    content = chartContent(*run, run_.summaries(), analysis_.analysis(), metric_, slice_, time_);
    if (overlaysStale_) {
      overlayCurves_.clear();
      for (std::size_t i = 0; i < overlays_.size(); ++i)
        for (Curve& curve : overlayCurves(overlays_[i], static_cast<int>(i), run->experiment,
                                          metric_, slice_, content.time))
          overlayCurves_.push_back(std::move(curve));
      overlaysStale_ = false;
    }
    content.curves.insert(content.curves.end(), overlayCurves_.begin(), overlayCurves_.end());
  }
  giveOwnSeries(content.curves);
  logAtFirst_ = logarithmicAtFirst(content);
  updateLegend(content);
  const SeriesVisibility& visibility = legend_->visibility();
  if (const Run* run = run_.run())
    leaveOut(content, run->experiment, overlayNames(),
             [&](const QString& name) { return !visibility.shown(name); });
  measured_->setShowModels(showModels_);
  measured_->setAxes(axes(false));
  measured_->setContent(std::move(content));
}

void ChartView::updateLegend(const ChartContent& content) {
  const std::vector<Curve>& curves = content.curves;
  std::vector<LegendItem> items;
  if (const Run* run = run_.run())
    for (std::size_t v = 0; v < run->experiment.variants.size(); ++v)
      items.push_back({QString::fromStdString(run->experiment.variants[v].name),
                       QString::fromStdString(run->experiment.variants[v].executor),
                       seriesOf(run->experiment, static_cast<int>(v))});
  for (std::size_t i = 0; i < overlays_.size(); ++i) {
    const bool drawn = std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) {
      return curve.overlay == static_cast<int>(i);
    });
    const Run* run = run_.run();
    const QString problem =
        drawn ? QString()
        : run ? overlayProblem(overlays_[i].run->experiment, run->experiment, slice_)
              : uiText("shown once there is a run");
    // The name of a run without a curve includes the reason.
    items.push_back({problem.isEmpty() ? overlays_[i].name
                                       : QStringLiteral("%1 (%2)").arg(overlays_[i].name, problem),
                     drawn ? uiText("Another run, drawn thinner")
                           : uiText("Another run: it has no values at this point"),
                     -1});
  }
  if (!content.costs.empty())
    items.push_back({costsName(),
                     uiText("What an empty launch, a copy and other basic steps cost on "
                            "this device, measured before the run"),
                     kCostSeries});
  legend_->setItems(items);
  std::size_t drifted = 0;
  firstDrift_.reset();
  if (const Run* run = run_.run())
    for (std::size_t i = 0; i < run_.summaries().size(); ++i)
      if (run_.summaries().at(i).drifted && drifted++ == 0 && !run->cells[i].key.at.empty())
        firstDrift_ = static_cast<double>(run->cells[i].key.at[0]);
  legend_->setBadge(drifted == 0
                        ? QString()
                        : uiText("∿ drift in %1 of %2").arg(drifted).arg(run_.summaries().size()),
                    uiText("<p>The machine became faster or slower while these data points were "
                           "measured: the first and second halves of their samples differ by more "
                           "than chance explains. Click to go to the first one.</p>"));
  legend_->setVisible(!items.empty());
}

void ChartView::refreshPublished() {
  // Hidden means empty: items without data have nothing to draw.
  ChartContent content;
  if (publishedShown()) {
    content.curves = curvesOf(*reference_, *experiment_);
    content.crossings = findCrossings(*reference_);
    if (!content.curves.empty()) {
      std::vector<double> places;
      for (const CurvePoint& point : content.curves[0].points) places.push_back(point.x);
      passThroughBreakEvens(content, places);
    }
    published_->setContent(std::move(content));
    published_->setAxes(axes(true));
  } else {
    published_->setContent(std::move(content));
  }
  refresh();
}

}  // namespace fusebench
