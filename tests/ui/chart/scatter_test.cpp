// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/scatter.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <cmath>

#include "tests/ui/synthetic.h"
#include "ui/export/figures/figure_paint.h"
#include "ui/export/figures/scatter_figure.h"
#include "ui/views/scatter/scatter_view.h"

namespace fusebench {
namespace {

/// A run whose cells have memory, and but for the first variant's errors that are known.
fusebench::Run inaccurateRun() {
  fusebench::Run run = test::syntheticRun();
  for (Cell& cell : run.cells) {
    cell.peakBytes = 1000 * (cell.key.variant + 1);
    cell.accuracy = Accuracy{cell.key.variant == 0 ? 0.0 : std::pow(10.0, -cell.key.variant),
                             std::nullopt, std::nullopt};
  }
  return run;
}

ScatterContent scatterOfRun(const fusebench::Run& run, Metric x, Metric y,
                            std::optional<Metric> size, const Reference* published = nullptr) {
  CellSummaries summaries;
  summaries.update(run);
  return scatterContent(run, summaries, 0, x, y, size, published);
}

TEST(Scatter, HasTheCellsThatHaveBothMetricsAndNamesEachVariantOnce) {
  const fusebench::Run run = inaccurateRun();
  const ScatterContent content = scatterOfRun(run, Metric::latency, Metric::error, Metric::memory);
  const std::size_t places = run.experiment.axes[0].values.size();
  const std::size_t variants = run.experiment.variants.size();
  ASSERT_EQ(content.points.size(), places * (variants - 1)) << "what is exact has no place";
  std::size_t named = 0;
  for (const ScatterPoint& point : content.points) {
    EXPECT_GT(point.variant, 0);
    EXPECT_EQ(point.size, 1000 * (point.variant + 1));
    named += point.last;
  }
  EXPECT_EQ(named, variants - 1);
  EXPECT_EQ(scatterTitle(content), "Error against latency; mark size: memory");
}

TEST(Scatter, ShowsWhatWasPublishedWhereItHasBothMetrics) {
  const fusebench::Run run = inaccurateRun();
  Reference reference;
  for (const double value : {100.0, 40.0, 30.0, 50.0})
    reference.curves.push_back({"as published", {1}, {value * 1e6}, {value * 1e6}});
  const auto published = [](const ScatterContent& content) {
    return std::ranges::count_if(content.points,
                                 [](const ScatterPoint& point) { return point.published; });
  };
  EXPECT_EQ(published(scatterOfRun(run, Metric::latency, Metric::memory, {}, &reference)), 4);
  const ScatterContent errors = scatterOfRun(run, Metric::latency, Metric::error, {}, &reference);
  EXPECT_EQ(published(errors), 0);
  EXPECT_EQ(errors.unplaced, 4);
  EXPECT_TRUE(scatterCaption(errors).endsWith("time and memory only."));
}

TEST(Scatter, SaysWhatIsLackingInPlaceOfBareAxes) {
  RunModel run;
  ScatterView view(run, nullptr);
  view.resize(418, 260);
  view.show();
  const auto title = [&] {
    return view.emptyCard().findChild<QLabel*>("cardTitle")->text().toStdString();
  };
  EXPECT_TRUE(view.emptyCard().isVisible());
  EXPECT_EQ(title(), "What does a gain cost?");
  run.show(test::syntheticRun(), true);
  EXPECT_TRUE(view.emptyCard().isVisible());
  EXPECT_EQ(title(), "No data point of this run has both metrics.");
  EXPECT_TRUE(view.rect().contains(
      QRect(view.emptyCard().mapTo(&view, QPoint()), view.emptyCard().size())));
  for (const QComboBox* box : {&view.along(), &view.upwards(), &view.size()})
    EXPECT_GE(box->width(), box->sizeHint().width()) << "its choice is cut";
  run.show(inaccurateRun(), true);
  EXPECT_FALSE(view.emptyCard().isVisible());
}

TEST(Scatter, IsAFigureInBothThemesWhoseMarksAreReadWherePointed) {
  const ScatterContent content =
      scatterOfRun(inaccurateRun(), Metric::latency, Metric::error, Metric::memory);
  for (const Theme& theme : {lightTheme(), darkTheme()}) {
    FigureStyle style;
    style.theme = theme;
    const Figure figure = scatterFigure(content, style);
    ASSERT_EQ(figure.spots.size(), content.points.size());
    for (const FigureSpot& spot : figure.spots) {
      EXPECT_TRUE(figure.plot.contains(spot.area.center()));
      ASSERT_EQ(spot.rows.size(), 3u);
      EXPECT_EQ(spot.rows[2].name, "Memory");
    }
    EXPECT_FALSE(figureImage(figure, 1).isNull());
    std::size_t names = 0;
    for (const FigureSeries& series : figure.series) names += series.group == "names";
    EXPECT_EQ(names, static_cast<std::size_t>(
                         std::ranges::count(content.points, true, &ScatterPoint::last)));
  }
  EXPECT_GT(scatterRadius(4, 4), scatterRadius(1, 4));
  EXPECT_NEAR(scatterRadius(4, 4) / scatterRadius(1, 4), 2, 1e-9) << "the area is the value";
  EXPECT_TRUE(scatterFigure(ScatterContent(), {}).spots.empty());
}

}  // namespace
}  // namespace fusebench
