// SPDX-License-Identifier: GPL-3.0-or-later
// The break-even map: contours, the map of a run, and its view.
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "profiler/study/study_schedule.h"
#include "tests/ui/chart/map_run.h"
#include "tests/ui/synthetic.h"
#include "ui/models/chart/break_even_map.h"
#include "ui/models/chart/map_picture.h"
#include "ui/models/chart/ratio_scale.h"
#include "ui/views/chart/map_canvas.h"
#include "ui/views/chart/map_view.h"

namespace fusebench {
namespace {

// ---- contours ----

ContourGrid gridOf(const std::vector<double>& x, const std::vector<double>& y,
                   const std::function<double(double, double)>& f, double halfWidth = 0.1) {
  ContourGrid grid{x, y, {}, {}, {}, {}};
  for (const double a : x)
    for (const double b : y) {
      grid.state.push_back(PlaceState::measured);
      grid.value.push_back(f(a, b));
      grid.low.push_back(f(a, b) - halfWidth);
      grid.high.push_back(f(a, b) + halfWidth);
    }
  return grid;
}

double areaOf(const std::vector<MapLine>& polygons) {
  double sum = 0;
  for (const MapLine& polygon : polygons)
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const MapPoint &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
      sum += (a.x * b.y - b.x * a.y) / 2;  // all wound alike, so nothing cancels
    }
  return sum;
}

TEST(Contour, OfAPlaneIsItsStraightLineOnAnUnevenGridToo) {
  const auto plane = [](double x, double y) { return x + 2 * y - 1.2; };
  const Contours found =
      contoursAtZero(gridOf({0, 0.1, 0.35, 0.8, 1}, {0, 0.5, 0.6, 1}, plane, 0.05));
  ASSERT_EQ(found.line.size(), 1u);
  for (const MapPoint& point : found.line[0]) EXPECT_NEAR(plane(point.x, point.y), 0, 1e-12);
  // From edge to edge: it leaves the unit square at (1, 0.1) and (0, 0.6).
  MapPoint first = found.line[0].front(), last = found.line[0].back();
  if (first.x > last.x) std::swap(first, last);
  EXPECT_NEAR(first.x, 0, 1e-12);
  EXPECT_NEAR(first.y, 0.6, 1e-12);
  EXPECT_NEAR(last.x, 1, 1e-12);
  EXPECT_NEAR(last.y, 0.1, 1e-12);
}

TEST(Contour, LowAndHighLinesBoundTheBandWhoseAreaIsKnown) {
  const Contours found = contoursAtZero(gridOf(
      {0, 0.3, 0.7, 1}, {0, 0.5, 1}, [](double x, double) { return x - 0.5; }, 0.1));
  EXPECT_NEAR(areaOf(found.band), 0.2, 1e-12);
  for (const MapPoint& point : found.low[0]) EXPECT_NEAR(point.x, 0.6, 1e-12);
  for (const MapPoint& point : found.high[0]) EXPECT_NEAR(point.x, 0.4, 1e-12);
}

TEST(Contour, AroundAPeakIsAClosedRing) {
  const Contours found =
      contoursAtZero(gridOf({0, 0.25, 0.5, 0.75, 1}, {0, 0.25, 0.5, 0.75, 1},
                            [](double x, double y) { return 0.3 - std::hypot(x - 0.5, y - 0.5); }));
  ASSERT_EQ(found.line.size(), 1u);
  EXPECT_GT(found.line[0].size(), 8u);
  EXPECT_EQ(found.line[0].front(), found.line[0].back());
}

TEST(Contour, OfASaddleIsTwoLinesThatDoNotCross) {
  const Contours found = contoursAtZero(gridOf(
      {-1, 1}, {-1, 1}, [](double x, double y) { return x * y + 0.5; }, 0));
  ASSERT_EQ(found.line.size(), 2u);
  for (const MapLine& line : found.line)
    for (const MapPoint& point : line) EXPECT_LT(point.x * point.y, 0);
}

TEST(Contour, IsAbsentWhereNothingChangesSign) {
  const Contours found = contoursAtZero(gridOf(
      {0, 1}, {0, 1}, [](double, double) { return 1; }, 0.1));
  EXPECT_TRUE(found.line.empty());
  EXPECT_TRUE(found.low.empty());
  EXPECT_TRUE(found.band.empty());
}

TEST(Contour, LeavesOutTheSquaresAroundAHole) {
  ContourGrid grid = gridOf({0, 1, 2, 3}, {0, 1, 2, 3}, [](double x, double) { return x - 1.5; });
  grid.state[grid.at(1, 3)] = PlaceState::hole;
  grid.value[grid.at(1, 3)] = std::nan("");
  const Contours found = contoursAtZero(grid);
  ASSERT_EQ(found.line.size(), 1u);
  double top = 0;
  for (const MapPoint& point : found.line[0]) {
    EXPECT_NEAR(point.x, 1.5, 1e-12);
    top = std::max(top, point.y);
  }
  EXPECT_NEAR(top, 2, 1e-12);
}

TEST(Contour, IsThatOfTheCoarseGridWhileFinerPlacesArePending) {
  ContourGrid grid =
      gridOf({0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, [](double x, double) { return x - 1; });
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      if (i % 2 == 1 || j % 2 == 1) {
        grid.state[grid.at(i, j)] = PlaceState::pending;
        grid.value[grid.at(i, j)] = std::nan("");
      }
  const Contours found = contoursAtZero(grid);
  ASSERT_EQ(found.line.size(), 1u);
  double length = 0;
  for (const MapPoint& point : found.line[0]) {
    EXPECT_NEAR(point.x, 1, 1e-12);
    length = std::max(length, point.y);
  }
  EXPECT_NEAR(length, 4, 1e-12);
}

// ---- axes ----

TEST(MapAxisScale, IsLogarithmicWhereThatSpacesTheValuesMoreEvenly) {
  EXPECT_TRUE(mapAxis({"elements", "", {16, 64, 256, 1024}}).logarithmic);
  EXPECT_FALSE(mapAxis({"statements", "", {1, 5, 10, 15, 20, 25, 30}}).logarithmic);
  EXPECT_FALSE(mapAxis({"x", "", {0, 1, 10, 100}}).logarithmic);
  EXPECT_EQ(mapAxis({"size", "bytes", {1}}).label, "size (bytes)");
  EXPECT_EQ(mapAxis({"elements", "elements", {1}}).label, "elements");
}

TEST(MapAxisScale, PutsEdgesHalfWayBetweenUnevenValues) {
  const std::vector<double> edges = mapAxis({"n", "", {0, 10, 40, 100}}).edges();
  const std::vector<double> expected{-0.05, 0.05, 0.25, 0.7, 1.3};
  ASSERT_EQ(edges.size(), expected.size());
  for (std::size_t i = 0; i < edges.size(); ++i) EXPECT_NEAR(edges[i], expected[i], 1e-12);
}

// ---- the map of a run ----

// Twice as fast beyond the diagonal, half as fast before it; on it exactly as fast.
double diagonal(double x, double y) {
  return x * y > 64 ? 2 : x * y < 64 ? 0.5 : 1;
}

TEST(BreakEvenMapOfARun, HasTheRatiosAndTheirCertainty) {
  const auto run = test::mapRun({4, 8, 16}, {4, 8, 16}, diagonal);
  const BreakEvenMap map = breakEvenMap(run, 1);
  ASSERT_EQ(map.places.size(), 9u);
  EXPECT_NEAR(map.at(2, 2).speedUp.value, 2, 1e-9);
  EXPECT_EQ(map.at(2, 2).certainty(), Certainty::faster);
  EXPECT_EQ(map.at(0, 1).certainty(), Certainty::slower);
  EXPECT_EQ(map.at(1, 1).certainty(), Certainty::unsure);
  EXPECT_EQ(map.at(2, 2).samples, 31u);
  EXPECT_NEAR(map.at(2, 2).baseline.value, 1000, 1e-9);
  // log 2 and -log 2 on both sides: the line runs through the places on the diagonal.
  ASSERT_EQ(map.contours.line.size(), 1u);
  for (const MapPoint& point : map.contours.line[0]) EXPECT_NEAR(point.x + point.y, 1, 1e-9);
}

TEST(BreakEvenMapOfARun, WithTooFewSamplesIsNotCertain) {
  const BreakEvenMap map = breakEvenMap(test::mapRun({1, 2}, {1, 2}, diagonal, 5), 1);
  EXPECT_EQ(map.at(0, 0).state, PlaceState::measured);
  EXPECT_EQ(map.at(0, 0).certainty(), Certainty::none);
}

TEST(BreakEvenMapOfARun, HasHolesWhereAVariantCannotRunAndSaysWhy) {
  auto run = test::mapRun({1, 2, 3}, {1, 2}, diagonal);
  for (Cell& cell : run.cells)
    if (cell.key == CellKey{1, {2, 2}}) {
      cell.samples.clear();
      cell.stop = Stop::unavailable;
      cell.error = "needs more than half of the memory";
    }
  const BreakEvenMap map = breakEvenMap(run, 1);
  EXPECT_EQ(map.at(1, 1).state, PlaceState::hole);
  EXPECT_EQ(map.at(1, 1).problem, "needs more than half of the memory");
  EXPECT_FALSE(map.source[map.index(1, 1)]);
}

TEST(BreakEvenMapOfARun, ShowsWhatWasNotMeasuredAsThatOnceTheMeasuringIsOver) {
  fusebench::Run run = test::mapRun({1, 2, 3}, {16, 64}, [](double, double) { return 2.0; });
  for (Cell& cell : run.cells)
    if (cell.key.at == std::vector<std::int64_t>{2, 64}) {
      cell.samples.clear();
      cell.stop = Stop::running;
    }
  const auto fillAt = [&] { return mapPicture(breakEvenMap(run, 1)).cells[3].fill; };
  EXPECT_EQ(fillAt(), MapPicture::Fill::pale);
  for (Cell& cell : run.cells)
    if (cell.samples.empty()) cell.stop = Stop::budget;
  EXPECT_EQ(fillAt(), MapPicture::Fill::absent);
  EXPECT_EQ(breakEvenMap(run, 1).places[3].state, PlaceState::empty);
  EXPECT_TRUE(summaryOf(breakEvenMap(run, 1), run.experiment).contains("1 is not measured"));
}

TEST(MapPicture, OfNothingMeasuredHasNoScaleOfColors) {
  fusebench::Run run = test::mapRun({1, 2, 3}, {16, 64}, [](double, double) { return 2.0; });
  EXPECT_FALSE(mapPicture(breakEvenMap(run, 1)).scale.empty());
  for (Cell& cell : run.cells) {
    cell.samples.clear();
    cell.stop = Stop::interrupted;
  }
  EXPECT_TRUE(mapPicture(breakEvenMap(run, 1)).scale.empty());
}

TEST(BreakEvenMapOfARun, FillsBlocksFromTheNearestMeasuredPlace) {
  auto run = test::mapRun({1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}, diagonal);
  for (Cell& cell : run.cells)
    if (cell.key.at[0] % 4 != 1 || cell.key.at[1] % 4 != 1) {  // all but the corners
      cell.samples.clear();
      cell.stop = Stop::running;
    }
  const BreakEvenMap map = breakEvenMap(run, 1);
  EXPECT_EQ(map.at(0, 1).state, PlaceState::pending);
  EXPECT_EQ(map.source[map.index(1, 1)], map.index(0, 0));
  EXPECT_EQ(map.source[map.index(3, 1)], map.index(4, 0));
  EXPECT_EQ(map.source[map.index(4, 4)], map.index(4, 4));
}

TEST(BreakEvenMapOfARun, OfOneAxisIsEmpty) {
  EXPECT_TRUE(breakEvenMap(test::syntheticRun(), 1).empty());
}

TEST(BreakEvenMapOfARun, IsSummedUpInWords) {
  const auto run = test::mapRun({4, 8, 16}, {4, 8, 16}, diagonal);
  EXPECT_EQ(summaryOf(breakEvenMap(run, 1), run.experiment),
            "fused is faster at 3 of 9 points, slower at 3; 3 within noise. Largest: 2.00× at 8 "
            "statements, 16 elements.");
}

TEST(RatioScaleOfAMap, IsSymmetricInFactorsAndHasOneAmongItsTicks) {
  const RatioScale scale{0.5, 8};
  EXPECT_NEAR(scale.strength(8), 1, 1e-12);
  EXPECT_NEAR(scale.strength(2), -scale.strength(0.5), 1e-12);
  EXPECT_EQ(scale.strength(1), 0);
  EXPECT_TRUE(std::isnan(scale.strength(0)));
  EXPECT_EQ(scale.ticks(), (std::vector<double>{0.5, 1, 2, 5}));
  for (const RatioScale narrow : {RatioScale{0.95, 1.1}, RatioScale{1, 1.02}}) {
    const auto ticks = narrow.ticks();
    EXPECT_NE(std::find(ticks.begin(), ticks.end(), 1.0), ticks.end());
  }
}

// ---- the model and the view ----

class Map : public testing::Test {
 protected:
  void show(fusebench::Run shown) {
    run.show(std::move(shown), true);
    ASSERT_TRUE(QTest::qWaitFor([this] { return view.model().upToDate(); }, 10'000));
    view.resize(700, 520);
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
  }
  QPoint middleOf(std::size_t x, std::size_t y) {
    return view.canvas().cellRect({x, y}).center().toPoint();
  }

  RunModel run;
  MapView view{run};
};

TEST_F(Map, OfARunWithOneAxisOffersASecondOne) {
  QSignalSpy wanted(&view, &MapView::secondAxisRequested);
  show(test::syntheticRun());
  EXPECT_TRUE(view.emptyCard().isVisible());
  auto* button = view.emptyCard().findChild<QPushButton*>();
  EXPECT_EQ(button->text(), "Sweep a second axis: elements");
  button->click();
  EXPECT_EQ(wanted.size(), 1);
}

TEST_F(Map, BeforeATwoAxisRunOffersNoSecondAxis) {
  const auto planned = test::mapRun({1, 2}, {1, 2}, diagonal);
  view.setExperiment(&planned.experiment);
  view.show();
  EXPECT_TRUE(view.emptyCard().isVisible());
  EXPECT_FALSE(view.emptyCard().findChild<QPushButton*>()->isVisible());
}

TEST_F(Map, AClickOnACellNamesItsPlace) {
  show(test::mapRun({1, 5, 30}, {16, 256, 4096, 65536}, diagonal));
  EXPECT_FALSE(view.emptyCard().isVisible());
  QSignalSpy picked(&view, &MapView::cellPicked);
  QTest::mouseClick(&view.canvas(), Qt::LeftButton, {}, middleOf(2, 1));
  ASSERT_EQ(picked.size(), 1);
  EXPECT_EQ(picked[0][0].value<std::size_t>(), 2u);
  EXPECT_EQ(picked[0][1].value<std::size_t>(), 1u);
  QTest::mouseClick(&view.canvas(), Qt::LeftButton, {}, QPoint(4, 4));  // next to the map
  EXPECT_EQ(picked.size(), 1);
}

TEST_F(Map, ArrowsMoveTheCursorWithinTheMapAndEnterPicks) {
  show(test::mapRun({1, 5, 30}, {16, 256}, diagonal));
  MapCanvas& canvas = view.canvas();
  canvas.setCursorPlace(MapIndex{0, 0});
  QTest::keyClick(&canvas, Qt::Key_Left);
  QTest::keyClick(&canvas, Qt::Key_Right);
  QTest::keyClick(&canvas, Qt::Key_Up);
  QTest::keyClick(&canvas, Qt::Key_Up);
  EXPECT_EQ(canvas.cursorPlace(), (MapIndex{1, 1}));
  QSignalSpy picked(&view, &MapView::cellPicked);
  QTest::keyClick(&canvas, Qt::Key_Return);
  ASSERT_EQ(picked.size(), 1);
  EXPECT_EQ(picked[0][0].value<std::size_t>(), 1u);
  EXPECT_TRUE(canvas.accessibleDescription().contains("speedup"));
}

TEST_F(Map, ReadsOutLatenciesRatioIntervalAndSamples) {
  show(test::mapRun({1, 5, 30}, {16, 256}, diagonal));
  view.canvas().setCursorPlace(MapIndex{2, 1});
  const QString text = view.canvas().readout().text();
  EXPECT_TRUE(view.canvas().readout().isVisible());
  for (const char* part : {"30 statements, 256 elements", "1.00", "500", "2.00×", "31 samples"})
    EXPECT_TRUE(text.contains(QString::fromUtf8(part))) << part << " in " << text.toStdString();
}

TEST_F(Map, OneIsSaidInTheSingular) {
  const BreakEvenMap map = breakEvenMap(test::mapRun({1, 5, 30}, {16, 256}, diagonal), 1);
  EXPECT_EQ(placeTitle(map, 0, 0), "1 statement, 16 elements");
  EXPECT_EQ(placeTitle(map, 1, 1), "5 statements, 256 elements");
}

/// Where the ratio may be 1 or not there is no line, and the legend does not mention one.
TEST_F(Map, NamesNoLineWhereThereIsOnlyAHatch) {
  const auto ratio = [](double statements, double elements) {
    return statements == 5 && elements == 256 ? 1.05 : 1.9;
  };
  show(test::mapRun({1, 5, 30}, {16, 256, 4096}, ratio, 31, 0.3));
  QString said;
  for (const QLabel* label : view.findChildren<QLabel*>())
    if (label->isVisible()) said += label->text();
  EXPECT_TRUE(said.contains("Hatched: the 95% interval includes the break-even."))
      << said.toStdString();
  EXPECT_FALSE(said.contains("Line:"));
}

TEST_F(Map, OfARunThatWasStoppedSaysNoMoreThanWasMeasured) {
  const auto said = [this] {
    QString all;
    for (const QLabel* label : view.findChildren<QLabel*>())
      if (label->isVisible()) all += label->text();
    return all;
  };
  fusebench::Run stopped = test::mapRun({1, 5, 30}, {16, 256}, [](double, double) { return 2.0; });
  show(stopped);
  EXPECT_TRUE(said().contains("There is no break-even within these points."));
  for (Cell& cell : stopped.cells)
    if (cell.key.at[1] == 256) {
      cell.samples.clear();
      cell.stop = Stop::interrupted;
    }
  show(stopped);
  EXPECT_FALSE(said().contains("within these points"));
  EXPECT_TRUE(said().contains("There is no break-even between the points measured."));
  EXPECT_TRUE(said().contains("Dashed outline: not measured."));
  for (Cell& cell : stopped.cells) {
    cell.samples.clear();
    cell.stop = Stop::interrupted;
  }
  show(stopped);
  EXPECT_FALSE(said().contains("break-even"));
}

TEST_F(Map, CellsLieWhereTheirUnevenValuesAre) {
  show(test::mapRun({0, 10, 40, 100}, {1, 2}, diagonal));
  const double unit = view.canvas().cellRect({0, 0}).width() / 0.1;  // edges at -0.05 and 0.05
  EXPECT_NEAR(view.canvas().cellRect({1, 0}).width(), 0.2 * unit, 0.5);
  EXPECT_NEAR(view.canvas().cellRect({2, 0}).width(), 0.45 * unit, 0.5);
  EXPECT_NEAR(view.canvas().cellRect({3, 0}).right(), view.canvas().plotRect().right(), 0.5);
  EXPECT_GT(view.canvas().cellRect({0, 0}).top(), view.canvas().cellRect({0, 1}).top());
}

TEST_F(Map, AnotherVariantIsChosenByItsButton) {
  show(test::mapRun({4, 8, 16}, {4, 8, 16}, diagonal));
  QToolButton* same = nullptr;
  for (QToolButton* button : view.findChildren<QToolButton*>())
    if (button->text() == "same") same = button;
  ASSERT_TRUE(same);
  same->click();
  ASSERT_TRUE(QTest::qWaitFor([this] { return view.model().upToDate(); }, 10'000));
  EXPECT_EQ(view.model().map().variant, 2);
  EXPECT_EQ(view.model().map().at(2, 2).certainty(), Certainty::unsure);
  // It stays chosen when results come in and when the next run has it, too.
  run.show(test::mapRun({4, 8}, {4, 8}, diagonal), true);
  EXPECT_EQ(view.model().map().variant, 2);
}

TEST_F(Map, FasterSlowerAndEvenHaveDifferentColorsInBothThemes) {
  show(test::mapRun({4, 8, 16}, {4, 8, 16}, diagonal));
  for (const Theme* theme : {&darkTheme(), &lightTheme()}) {
    view.setTheme(*theme);
    const QColor faster = view.canvas().colorOf(2), slower = view.canvas().colorOf(0.5);
    EXPECT_GT(faster.blue(), faster.red());
    EXPECT_GT(slower.red(), slower.blue());
    EXPECT_EQ(view.canvas().colorOf(1), theme->raised);
  }
}

TEST_F(Map, OfARunThatEndedWithoutASampleSaysWhatHappenedAndWhatHelps) {
  auto stopped = test::mapRun({4, 8}, {4, 8}, diagonal, 0);
  stopped.interrupted = true;
  for (Cell& cell : stopped.cells) cell.stop = Stop::interrupted;
  show(std::move(stopped));
  EXPECT_FALSE(view.summary().isVisibleTo(&view));
  ASSERT_TRUE(view.emptyCard().isVisibleTo(&view));
  EXPECT_EQ(view.emptyCard().findChild<QLabel*>("cardTitle")->text(), "Nothing was measured.");
  QSignalSpy steps(&view, &MapView::stepRequested);
  view.emptyCard().findChild<QPushButton*>()->click();
  ASSERT_EQ(steps.size(), 1);
  EXPECT_EQ(steps[0][0].value<NextStep>(), NextStep::run);
}

TEST_F(Map, GrowsWithTheCellsThatCome) {
  auto whole = test::mapRun({4, 8, 16}, {4, 8, 16}, diagonal);
  show(test::mapRun({4, 8, 16}, {4, 8, 16}, diagonal, 0));
  EXPECT_EQ(view.summary().text(), "Nothing is measured yet.");
  std::map<int, Cell> news;
  const auto empty = test::mapRun({4, 8, 16}, {4, 8, 16}, diagonal, 0);
  for (const std::size_t i : fillOrder(empty.experiment, empty.cells))
    if (news.size() < 15) news[static_cast<int>(i)] = whole.cells[i];  // corners and center
  run.update(news);
  ASSERT_TRUE(QTest::qWaitFor([this] { return view.model().upToDate(); }, 10'000));
  EXPECT_EQ(view.model().map().at(1, 1).state, PlaceState::measured);
  EXPECT_EQ(view.model().map().at(0, 1).state, PlaceState::pending);
  EXPECT_FALSE(view.model().map().contours.line.empty());
}

TEST(MapPicture, CellsTileThePlotAndAFigureStandsWhereOneWasMeasured) {
  const auto run = test::mapRun({4, 8, 16}, {4, 8}, [](double x, double y) { return x / y; });
  const MapPicture picture = mapPicture(breakEvenMap(run, 1));
  ASSERT_EQ(picture.cells.size(), 6u);
  double area = 0;
  for (const MapPicture::Cell& cell : picture.cells) {
    area += (cell.high.x - cell.low.x) * (cell.high.y - cell.low.y);
    EXPECT_EQ(cell.fill, MapPicture::Fill::full);
  }
  EXPECT_NEAR(area, 1, 1e-12);
  EXPECT_EQ(picture.cells.front().low, (MapPoint{0, 0}));
  EXPECT_EQ(picture.cells.back().high, (MapPoint{1, 1}));
  EXPECT_EQ(picture.cells[4].figure, "4.00×");
  EXPECT_GT(picture.cells[4].strength, picture.cells[2].strength);
  ASSERT_FALSE(picture.scale.empty());
  EXPECT_TRUE(picture.scale[0].one);
  EXPECT_NEAR(picture.strengthAt(picture.scale[0].at), 0, 1e-12);
  EXPECT_EQ(picture.x.size(), 3u);
  EXPECT_EQ(picture.y[1].text, "8");
}

}  // namespace
}  // namespace fusebench
