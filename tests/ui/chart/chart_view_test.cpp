// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/readout_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/views/base/empty_card.h"
#include "ui/views/chart/chart_bar.h"
#include "ui/views/chart/chart_legend.h"

namespace fusebench {
namespace {

/// A chart of the synthetic run with its analysis.
class Chart : public testing::Test {
 protected:
  Chart() {
    applyTheme(*qApp, darkTheme());
    view = std::make_unique<ChartView>(run, analysis);
    view->setTheme(darkTheme());
    view->resize(800, 480);
    view->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  }
  void show(fusebench::Run shown) {
    experiment = shown.experiment;
    view->setExperiment(&experiment, nullptr);
    run.show(std::move(shown), true);
    ASSERT_TRUE(QTest::qWaitFor([this] { return analysis.upToDate(); }, 20'000));
    settle();
  }
  void settle() {
    plot().replot(QCustomPlot::rpImmediateRefresh);
    test::handleEvents();
  }
  QCustomPlot& plot() { return *view->findChild<QCustomPlot*>(); }
  QPoint at(double x, double share = 0.5) {
    const QRect rect = view->measured().rect().rect();
    return {static_cast<int>(view->measured().pixelOf(x)),
            rect.bottom() - static_cast<int>(share * rect.height())};
  }
  double width() {
    const AxisRange x = view->measured().shownX();
    return x.high - x.low;
  }
  void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    const auto send = [&](QEvent::Type type, QPoint place, Qt::MouseButton button,
                          Qt::MouseButtons buttons) {
      QMouseEvent event(type, place, plot().mapToGlobal(place), button, buttons, modifiers);
      QApplication::sendEvent(&plot(), &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    for (int step = 1; step <= 5; ++step)
      send(QEvent::MouseMove, from + (to - from) * step / 5, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
    settle();
  }
  void wheel(QPoint place, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(place, plot().mapToGlobal(place), {}, {0, 120 * notches}, Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot(), &event);
    settle();
  }

  RunModel run;
  AnalysisModel analysis{run};
  Experiment experiment;
  std::unique_ptr<ChartView> view;
};

TEST_F(Chart, ItsContextMenuDoesWhatItsBarDoes) {
  show(test::syntheticRun());
  const auto actions = [&] {
    QContextMenuEvent asked(QContextMenuEvent::Other, QPoint(9, 9), QPoint(9, 9));
    // Stops before the menu, which would take the mouse.
    view->setContextMenuPolicy(Qt::PreventContextMenu);
    QApplication::sendEvent(&plot(), &asked);
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    std::map<QString, QAction*> found;
    for (QAction* action : view->actions()) found[action->text()] = action;
    return found;
  };
  ASSERT_EQ(actions().count("Logarithmic values"), 1u);
  const bool log = view->bar().logValue().isChecked();
  EXPECT_EQ(actions()["Logarithmic values"]->isChecked(), log);
  actions()["Logarithmic values"]->trigger();
  settle();
  EXPECT_NE(view->bar().logValue().isChecked(), log);
  EXPECT_EQ(actions()["Logarithmic values"]->isChecked(), !log);

  EXPECT_FALSE(actions()["Clear pin"]->isEnabled());
  view->setPin(10);
  ASSERT_TRUE(actions()["Clear pin"]->isEnabled());
  actions()["Clear pin"]->trigger();
  EXPECT_FALSE(view->pin());

  EXPECT_FALSE(actions()["Show everything"]->isEnabled());
  drag(at(10), at(20));
  ASSERT_TRUE(actions()["Show everything"]->isEnabled());
  actions()["Show everything"]->trigger();
  EXPECT_TRUE(view->measured().fitted());

  QGuiApplication::clipboard()->clear();
  actions()["Copy picture"]->trigger();
  EXPECT_EQ(QGuiApplication::clipboard()->pixmap().size(), view->size());
}

TEST_F(Chart, TheWheelZoomsAboutTheMouseAndFShowsAllAgain) {
  show(test::syntheticRun());
  const double whole = width();
  const int before = at(20).x();
  wheel(at(20), 3);
  EXPECT_LT(width(), 0.6 * whole);
  EXPECT_NEAR(at(20).x(), before, 2);
  EXPECT_TRUE(view->bar().fit().isEnabled());
  QTest::keyClick(view.get(), Qt::Key_F);
  EXPECT_NEAR(width(), whole, 1e-9);
  EXPECT_FALSE(view->bar().fit().isEnabled());
}

TEST_F(Chart, ShiftWheelZoomsOnlyAlongAndCtrlWheelOnlyUp) {
  show(test::syntheticRun());
  const AxisRange x = view->measured().shownX(), y = view->measured().shownY();
  wheel(at(15), 2, Qt::ShiftModifier);
  EXPECT_EQ(view->measured().shownY().high, y.high);
  EXPECT_LT(view->measured().shownX().high, x.high);
  view->fit();
  wheel(at(15), 2, Qt::ControlModifier);
  EXPECT_EQ(view->measured().shownX().high, x.high);
  EXPECT_LT(view->measured().shownY().high, y.high);
}

TEST_F(Chart, ADragPansAndIsNoClick) {
  show(test::syntheticRun());
  QSignalSpy picks(view.get(), &ChartView::picked);
  const double low = view->measured().shownX().low;
  drag(at(20), at(10));
  EXPECT_NEAR(view->measured().shownX().low, low + 10, 0.5);
  EXPECT_EQ(picks.count(), 0);
}

TEST_F(Chart, AShiftDragShowsTheRectangle) {
  show(test::syntheticRun());
  drag(at(25, 0.9), at(10, 0.1), Qt::ShiftModifier);
  EXPECT_NEAR(view->measured().shownX().low, 10, 0.2);
  EXPECT_NEAR(view->measured().shownX().high, 25, 0.2);
}

TEST_F(Chart, NewSamplesDoNotMoveAChartThatWasZoomed) {
  show(test::syntheticRun());
  wheel(at(20), 2);
  const AxisRange before = view->measured().shownX();
  Cell cell = test::syntheticCell({0, {30}}, 33);
  run.update({{18, cell}});
  EXPECT_EQ(view->measured().shownX().low, before.low);
  EXPECT_EQ(view->measured().shownX().high, before.high);
}

TEST_F(Chart, AClickPinsTheCursorItsLineIsDraggedAndAClickOnItTakesItAway) {
  show(test::syntheticRun());
  QSignalSpy picks(view.get(), &ChartView::picked);
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(10));
  EXPECT_EQ(view->pin(), 10.0);
  const AxisRange before = view->measured().shownX();
  drag(at(10), at(20));
  EXPECT_EQ(view->pin(), 20.0);
  EXPECT_EQ(view->measured().shownX().low, before.low);  // not panned
  EXPECT_EQ(picks.last().first().toDouble(), 20.0);
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(20));
  EXPECT_FALSE(view->pin());
}

TEST_F(Chart, KeysZoomPanAndChooseMetricAndScale) {
  show(test::syntheticRun());
  const double whole = width();
  QTest::keyClick(view.get(), Qt::Key_Plus);
  EXPECT_LT(width(), whole);
  const double low = view->measured().shownX().low;
  QTest::keyClick(view.get(), Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_GT(view->measured().shownX().low, low);
  QTest::keyClick(view.get(), Qt::Key_Home);
  EXPECT_NEAR(width(), whole, 1e-9);
  QTest::keyClick(view.get(), Qt::Key_2);
  EXPECT_EQ(view->metric(), Metric::speedUp);
  EXPECT_EQ(view->measured().curves().size(), 2u);
  EXPECT_FALSE(view->measured().shownY().logarithmic);
  QTest::keyClick(view.get(), Qt::Key_L);
  EXPECT_TRUE(view->measured().shownY().logarithmic);
}

TEST_F(Chart, EachMetricRemembersItsOwnScale) {
  show(test::syntheticRun());
  EXPECT_TRUE(view->bar().logValue().isChecked());
  view->bar().logValue().click();
  view->setMetric(Metric::compile);
  EXPECT_TRUE(view->bar().logValue().isChecked());
  view->setMetric(Metric::latency);
  EXPECT_FALSE(view->bar().logValue().isChecked());
}

TEST_F(Chart, PointingAtACurvesNameFadesTheOthers) {
  show(test::syntheticRun());
  const CurvePlot& plot = view->measured();
  ASSERT_EQ(plot.curves().size(), 3u);
  emit view->legend().entries()[1]->pointed(true);
  EXPECT_LT(plot.strength(0), 0.3);
  EXPECT_GT(plot.strength(1), 0.9);
  EXPECT_LT(plot.strength(2), 0.3);
  emit view->legend().entries()[1]->pointed(false);
  EXPECT_GT(plot.strength(0), 0.9);
}

TEST_F(Chart, PointingAtACurveFadesTheOthers) {
  show(test::syntheticRun());
  const CurvePlot& plotted = view->measured();
  const auto pointAt = [&](QPointF place) {
    QMouseEvent event(QEvent::MouseMove, place, plot().mapToGlobal(place), Qt::NoButton,
                      Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&plot(), &event);
    settle();
  };
  const CurvePoint& point = plotted.curves()[0].points.back();
  const QPointF on(plotted.pixelOf(point.x),
                   plotted.rect().axis(QCPAxis::atLeft)->coordToPixel(point.y.value));
  pointAt(on + QPointF(-1, 2));
  EXPECT_GT(plotted.strength(0), 0.9);
  EXPECT_LT(plotted.strength(1), 0.3);
  EXPECT_LT(plotted.strength(2), 0.3);
  pointAt(on + QPointF(24, 0));  // its name
  EXPECT_EQ(plotted.pointed(), plotted.curves()[0].name);
  pointAt(on - QPointF(0, 14));
  EXPECT_GT(plotted.strength(1), 0.9);
  pointAt(on);
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&plot(), &leave);
  EXPECT_GT(plotted.strength(1), 0.9);
}

TEST(SeriesColors, OfTenCurvesAreAllDifferent) {
  for (const Theme* theme : {&darkTheme(), &lightTheme()}) {
    std::set<QRgb> colors;
    for (int i = 0; i < 10; ++i) colors.insert(theme->series(i).color.rgb());
    EXPECT_EQ(colors.size(), 10u);
  }
}

TEST_F(Chart, TheLegendHidesAndIsolatesByMouseAndKeyboard) {
  show(test::syntheticRun());
  ASSERT_EQ(view->legend().entries().size(), 3u);
  QTest::mouseClick(view->legend().entries()[1], Qt::LeftButton);
  ASSERT_EQ(view->measured().curves().size(), 2u);
  EXPECT_EQ(view->measured().curves()[1].name, "dynamic");
  EXPECT_EQ(view->measured().content().crossings.size(), 1u);
  QTest::keyClick(view->legend().entries()[1], Qt::Key_Space);
  EXPECT_EQ(view->measured().curves().size(), 3u);
  QTest::keyClick(view->legend().entries()[2], Qt::Key_Return);
  ASSERT_EQ(view->measured().curves().size(), 1u);
  EXPECT_EQ(view->measured().curves()[0].name, "dynamic");
  QTest::mouseDClick(view->legend().entries()[2], Qt::LeftButton);
  EXPECT_EQ(view->measured().curves().size(), 3u);
  QTest::mouseClick(view->legend().entries()[0], Qt::LeftButton, Qt::AltModifier);
  EXPECT_EQ(view->measured().curves().size(), 1u);
}

TEST_F(Chart, AnAxisThatCountsHasWholeNumbersAsTicks) {
  show(test::syntheticRun());
  for (const auto& [low, high] : {std::pair{1.5, 4.5}, {0.5, 8.5}, {2.2, 2.9}, {11.0, 14.9}}) {
    QVector<double> ticks;
    view->measured()
        .rect()
        .axis(QCPAxis::atBottom)
        ->ticker()
        ->generate({low, high}, {}, 'g', 6, ticks, nullptr, nullptr);
    for (const double tick : ticks) EXPECT_EQ(tick, std::round(tick)) << low;
  }
}

TEST_F(Chart, LabelsOfValuesDoNotTouchHoweverLowItIs) {
  show(test::syntheticRun());
  for (const int height : {240, 300, 360, 480, 900}) {
    view->resize(700, height);
    test::handleEvents();
    QCPAxis* axis = view->measured().rect().axis(QCPAxis::atLeft);
    QVector<double> ticks;
    QVector<QString> labels;
    axis->ticker()->generate(axis->range(), {}, 'g', 6, ticks, nullptr, &labels);
    ASSERT_FALSE(ticks.isEmpty()) << height;
    for (qsizetype i = 1; i < ticks.size(); ++i)
      EXPECT_GE(axis->coordToPixel(ticks[i - 1]) - axis->coordToPixel(ticks[i]), 13)
          << height << ": " << labels[i - 1].toStdString() << ", " << labels[i].toStdString();
  }
}

TEST_F(Chart, OverlaysAreDrawnNamedAndRead) {
  show(test::syntheticRun());
  const fusebench::Run other = test::syntheticRun();
  view->setOverlays({{"yesterday", &other}});
  EXPECT_EQ(view->measured().curves().size(), 6u);
  ASSERT_EQ(view->legend().entries().size(), 4u);
  view->setCursor(10);
  EXPECT_TRUE(view->readout().text().contains("yesterday"));
  QTest::mouseClick(view->legend().entries()[3], Qt::LeftButton);
  EXPECT_EQ(view->measured().curves().size(), 3u);
  view->setOverlays({});
  EXPECT_EQ(view->legend().entries().size(), 3u);
}

TEST_F(Chart, AFindingIsShownWhereItIsToBeSeen) {
  show(test::syntheticRun());
  view->setMetric(Metric::payback);
  QTest::mouseClick(view->legend().entries()[1], Qt::LeftButton);
  QSignalSpy picks(view.get(), &ChartView::picked);
  view->goTo({Metric::speedUp, 30.0, 1});
  EXPECT_EQ(view->metric(), Metric::speedUp);
  EXPECT_EQ(view->measured().curves().size(), 2u);  // static is shown again
  ASSERT_EQ(picks.count(), 1);
  EXPECT_EQ(picks.last().first().toDouble(), 30.0);
}

/// A run of ten variants.
fusebench::Run tenCurves() {
  Experiment experiment = test::syntheticExperiment();
  while (experiment.variants.size() < 10) {
    Variant more = experiment.variants[2];
    more.name = "variant " + std::to_string(experiment.variants.size());
    experiment.variants.push_back(more);
  }
  fusebench::Run run = test::syntheticHeader(experiment);
  for (Cell& cell : run.cells) cell = test::syntheticCell(cell.key);
  return run;
}

TEST_F(Chart, ALowChartsCardOfTenCurvesIsWhollyInSight) {
  show(tenCurves());
  for (const int height : {300, 240}) {
    view->resize(800, height);
    settle();
    view->setCursor(15);
    settle();
    const QRect card = view->readout().geometry();
    EXPECT_GE(card.top(), 0) << height;
    EXPECT_LE(card.bottom(), plot().height()) << height;
    EXPECT_GT(card.height(), 80) << height;
  }
}

TEST_F(Chart, AMetricThatTheRunHasNothingOfSaysSo) {
  fusebench::Run shown = test::syntheticRun();
  for (Cell& cell : shown.cells) cell.relativeError.reset();
  show(shown);
  EXPECT_FALSE(view->emptyCard().isVisibleTo(view.get()));
  QSignalSpy steps(view.get(), &ChartView::stepRequested);
  for (const Metric metric : {Metric::error, Metric::bandwidth}) {
    view->setMetric(metric);
    ASSERT_TRUE(view->emptyCard().isVisibleTo(view.get()));
    EXPECT_FALSE(view->measured().rect().visible()) << "axes alone would be a riddle";
  }
  EXPECT_EQ(view->emptyCard().findChild<QLabel*>("cardTitle")->text(),
            "No bytes were counted in this run.");
  view->emptyCard().findChild<QPushButton*>()->click();
  ASSERT_EQ(steps.size(), 1);
  EXPECT_EQ(steps[0][0].value<NextStep>(), NextStep::setUp);
  view->setMetric(Metric::latency);
  EXPECT_FALSE(view->emptyCard().isVisibleTo(view.get()));
  EXPECT_TRUE(view->measured().rect().visible());
  for (auto* entry : view->legend().entries()) QTest::mouseClick(entry, Qt::LeftButton);
  EXPECT_FALSE(view->emptyCard().isVisibleTo(view.get())) << "they were hidden by hand";
}

TEST_F(Chart, ALowChartsEmptyCardScrollsAndKeepsItsButtonInSight) {
  show(test::syntheticRun());
  view->setMetric(Metric::bandwidth);
  const auto card = [this]() -> const EmptyCard& { return view->emptyCard(); };
  for (const QSize size : {QSize(800, 480), QSize(418, 260), QSize(418, 220)}) {
    view->resize(size);
    settle();
    EXPECT_TRUE(plot().rect().contains(card().geometry())) << size.height();
    EXPECT_TRUE(card().rect().contains(card().button().geometry())) << size.height();
    const auto& words = *card().findChild<QScrollArea*>();
    const bool whole = words.widget()->height() <= words.viewport()->height();
    EXPECT_EQ(words.focusPolicy() == Qt::NoFocus, whole) << size.height();
    if (size.height() == 220) {
      EXPECT_FALSE(whole) << "make the test's chart lower";
    }
    EXPECT_GE(words.viewport()->height(), words.fontMetrics().height()) << size.height();
  }
}

TEST_F(Chart, ARunThatEndedWithoutASampleSaysWhatHappenedAndWhatHelps) {
  const auto words = [this] {
    QStringList all;
    for (const auto* label : view->emptyCard().findChildren<QLabel*>()) all << label->text();
    return (all.join(u'|') + u'|' + view->emptyCard().findChild<QPushButton*>()->text())
        .toStdString();
  };
  fusebench::Run stopped = test::syntheticHeader(test::syntheticRun().experiment);
  show(stopped);
  EXPECT_FALSE(view->emptyCard().isVisibleTo(view.get())) << "it is still being measured";
  stopped.interrupted = true;
  for (Cell& cell : stopped.cells) cell.stop = Stop::interrupted;
  show(stopped);
  ASSERT_TRUE(view->emptyCard().isVisibleTo(view.get()));
  EXPECT_EQ(words(),
            "Nothing was measured.|The run was stopped before its first sample was taken.|Run it "
            "again");
  stopped.interrupted = false;
  for (Cell& cell : stopped.cells) {
    cell.stop = Stop::unavailable;
    cell.error = "no such device";
  }
  show(stopped);
  EXPECT_EQ(words(),
            "None of these variants can be measured here.|eager, static, dynamic: no such "
            "device|Open Setup");
  for (Variant& variant : stopped.experiment.variants) variant.executor = "torch";
  show(stopped);
  EXPECT_THAT(words(), testing::HasSubstr("Open Setup")) << "no Python brings a device";
  for (Cell& cell : stopped.cells) cell.error = "no PyTorch; name another: FUSEBENCH_PYTHON";
  show(stopped);
  EXPECT_THAT(words(), testing::HasSubstr("Choose Python…"));
}

TEST_F(Chart, TheLegendOfALowChartScrollsAndLeavesTheCurvesTheirRoom) {
  show(tenCurves());
  view->resize(420, 250);
  settle();
  EXPECT_GE(view->measured().rect().rect().height(), 70);
  const auto* last = view->legend().entries().back();
  EXPECT_GT(last->mapTo(view.get(), QPoint(0, last->height())).y(), plot().y()) << "it scrolls";
  view->resize(900, 700);
  settle();
  EXPECT_LE(last->mapTo(view.get(), QPoint(0, last->height())).y(), plot().y());
}

TEST_F(Chart, PaybacksOfManyInWordsDoNotLieOverOneAnotherInALowChart) {
  fusebench::Run shown = tenCurves();
  for (Cell& cell : shown.cells)
    if (cell.key.variant > 0 && cell.key.variant < 6)
      for (CompileTimes& times : cell.firstCompiles) times.compiler = 1'000'000;
  show(shown);
  view->resize(674, 330);
  view->setMetric(Metric::payback);
  settle();
  std::vector<QRectF> words;
  for (int i = 0; i < plot().itemCount(); ++i)
    if (auto* text = qobject_cast<QCPItemText*>(plot().item(i)); text && text->visible())
      if (text->text().contains(": "))
        words.push_back({text->topLeft->pixelPosition(), text->bottomRight->pixelPosition()});
  ASSERT_GE(words.size(), 8u);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(words[i].adjusted(0, 3, 0, -3).intersects(words[k].adjusted(0, 3, 0, -3)))
          << i << " " << k;
}

TEST_F(Chart, PaybacksInWordsStandAboveTheirLinesAndClearOfTheNumbers) {
  fusebench::Run shown = test::syntheticRun();
  for (Cell& cell : shown.cells)  // at both ends of the axis compiling costs no more than eager's
    if (cell.key.variant > 0 && (cell.key.at[0] > 15 || cell.key.at[0] == 10))
      for (CompileTimes& times : cell.firstCompiles) times.compiler = 1'000'000;
  show(shown);
  view->setMetric(Metric::payback);
  settle();
  const QRect area = view->measured().rect().rect();
  std::vector<QRectF> words;
  std::vector<QLineF> lines;
  for (int i = 0; i < plot().itemCount(); ++i) {
    if (auto* text = qobject_cast<QCPItemText*>(plot().item(i)); text && text->visible())
      if (text->text().contains(": "))
        words.push_back({text->topLeft->pixelPosition(), text->bottomRight->pixelPosition()});
    if (auto* line = qobject_cast<QCPItemLine*>(plot().item(i)); line && line->visible())
      if (line->start->typeX() == QCPItemPosition::ptAbsolute)
        lines.push_back({line->start->pixelPosition(), line->end->pixelPosition()});
  }
  EXPECT_EQ(words.size(), view->measured().content().words.size());
  ASSERT_GE(words.size(), 4u);  // static and dynamic: never, and from the first call twice
  ASSERT_EQ(lines.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const QLineF& line : lines)
      EXPECT_FALSE(words[i]
                       .adjusted(0, -1, 0, 1)
                       .intersects(QRectF(line.p1(), line.p2()).adjusted(0, -1, 0, 1)))
          << i;
    EXPECT_LT(words[i].bottom(), lines[i].y1());
    EXPECT_TRUE(QRectF(area).adjusted(0, -1, 60, 1).contains(words[i])) << i;
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(words[i].intersects(words[k])) << i << k;
    for (const Curve& curve : view->measured().curves())
      for (const CurvePoint& point : curve.points) {
        const double y = view->measured().rect().axis(QCPAxis::atLeft)->coordToPixel(point.y.value);
        EXPECT_TRUE(y < words[i].top() || y > lines[i].y1()) << i;
      }
  }
}

TEST_F(Chart, MarksAreHollowAndSmallUntilAPointIsCertain) {
  fusebench::Run part = test::syntheticRun();
  part.cells[0].samples.resize(8);
  part.cells[0].stop = Stop::running;
  show(part);
  const auto& marks = view->measured().marks(0).marks();
  ASSERT_EQ(marks.size(), 7u);
  EXPECT_FALSE(marks[0].filled);
  EXPECT_TRUE(marks[1].filled);
  EXPECT_LT(marks[0].size, marks[1].size);
}

TEST_F(Chart, AVariantThatCrossesAtEveryOtherPlaceHasNoMarkers) {
  show(test::syntheticRun());
  const auto markers = [&](int crossings) {
    ChartContent content = view->measured().content();
    content.crossings.clear();
    for (int i = 0; i < crossings; ++i) {
      Crossing crossing;
      crossing.variant = "static";
      crossing.status = CrossingStatus::found;
      crossing.at = crossing.low = crossing.high = 2.5 + i;
      content.crossings.push_back(crossing);
    }
    Crossing one;
    one.variant = "dynamic";
    one.status = CrossingStatus::found;
    one.at = one.low = one.high = 7;
    content.crossings.push_back(one);
    QCustomPlot other;
    for (const char* layer : {kBandLayer, kCurveLayer, kLabelLayer, kHoverLayer})
      other.addLayer(layer);
    CurvePlot curves(other, *other.axisRect());
    curves.setContent(std::move(content));
    int found = 0;
    for (int i = 0; i < other.itemCount(); ++i)
      found += qobject_cast<QCPItemRect*>(other.item(i)) != nullptr;
    return found;
  };
  EXPECT_EQ(markers(8), 9);
  EXPECT_EQ(markers(9), 1);
}

TEST_F(Chart, ADriftingMachineHasABadgeThatLeadsThere) {
  fusebench::Run part = test::syntheticRun();
  for (std::size_t i = 16; i < part.cells[7].samples.size(); ++i)
    part.cells[7].samples[i].nanoseconds *= 1.5;  // static at 10
  show(part);
  ASSERT_TRUE(view->legend().badge().isVisible());
  EXPECT_TRUE(view->measured().marks(1).marks()[2].drifted);
  view->legend().badge().click();
  EXPECT_EQ(view->pin(), 10.0);
}

TEST_F(Chart, AMillionPointsAreThinnedOnEveryZoom) {
  fusebench::Run run_ = test::syntheticRun();
  show(run_);
  QCustomPlot other;
  other.resize(900, 500);
  for (const char* layer : {kBandLayer, kCurveLayer, kLabelLayer, kHoverLayer})
    other.addLayer(layer);
  CurvePlot curves(other, *other.axisRect());
  ChartContent content;
  Curve curve;
  curve.name = "big";
  for (int i = 1; i <= 1'000'000; ++i) {
    const double y = 100 + static_cast<double>(i * 7919LL % 1000);
    curve.points.push_back({static_cast<double>(i), {y, y - 1, y + 1, Estimate::Kind::interval}});
  }
  content.curves.push_back(std::move(curve));
  CurvePlot::Axes axes;
  axes.values = {1, 1'000'000};
  curves.setAxes(axes);
  curves.setContent(std::move(content));
  const auto draw = [&] {
    other.replot(QCustomPlot::rpImmediateRefresh);
    curves.arrange();
    return curves.drawnPoints(0);
  };
  draw();
  EXPECT_LE(draw(), 2 * curves.rect().width() + 2);
  curves.show({1000, 1100, false}, curves.shownY());
  const int zoomed = draw();
  EXPECT_GE(zoomed, 101);
  EXPECT_LE(zoomed, 103);
}

TEST_F(Chart, InANarrowWindowTheMetricsAreAListAndControlsFit) {
  show(test::syntheticRun());
  EXPECT_TRUE(view->bar().findChild<QTabBar*>()->isVisible());
  view->resize(420, 300);
  settle();
  EXPECT_FALSE(view->bar().findChild<QTabBar*>()->isVisible());
  ASSERT_TRUE(view->bar().findChild<QComboBox*>()->isVisible());
  for (const QToolButton* button : view->bar().findChildren<QToolButton*>())
    if (button->isVisible()) {
      EXPECT_LE(button->geometry().right(), view->bar().width());
      EXPECT_GE(button->width(), button->minimumSizeHint().width());
    }
  for (const LegendEntry* entry : view->legend().entries())
    EXPECT_GE(entry->width(), entry->sizeHint().width());
  EXPECT_GT(view->measured().rect().width(), 250);
}

TEST_F(Chart, EveryControlCanBeReachedAndHasAName) {
  show(test::syntheticRun());
  for (const QAbstractButton* button : view->findChildren<QAbstractButton*>()) {
    if (!button->isVisible()) continue;
    EXPECT_FALSE(button->accessibleName().isEmpty() && button->text().isEmpty());
    EXPECT_TRUE(button->focusPolicy() & Qt::TabFocus) << button->text().toStdString();
  }
}

TEST(ChartBars, InANarrowChartTheListsAreReadAndTheButtonsAreInAMenu) {
  ChartBar bar;
  bar.setTime(ShownTime::wall, true);
  bar.resize(380, 34);
  bar.show();
  test::handleEvents();
  ASSERT_TRUE(bar.more().isVisible());
  EXPECT_FALSE(bar.logAxis().isVisible());
  EXPECT_GE(bar.times().width(), bar.times().minimumSizeHint().width());
  QSignalSpy chosen(&bar, &ChartBar::logValueChosen);
  for (QAction* action : bar.more().menu()->actions())
    if (action->text() == "Log y") action->trigger();
  EXPECT_EQ(chosen.count(), 1);
  bar.resize(1100, 34);
  test::handleEvents();
  EXPECT_FALSE(bar.more().isVisible());
  EXPECT_TRUE(bar.logAxis().isVisible());
}

TEST(ChartBars, OnlyTheButtonsWithoutRoomAreInTheMenu) {
  ChartBar bar;
  bar.resize(1100, 34);
  bar.show();
  test::handleEvents();
  ASSERT_FALSE(bar.more().isVisible());
  const auto inMenu = [&bar] {
    emit bar.more().menu()->aboutToShow();
    QStringList names;
    for (const QAction* action : bar.more().menu()->actions())
      if (action->isVisible()) names << action->text();
    return names;
  };
  bool some = false;
  for (int width = 1100; width > 300; --width) {
    bar.resize(width, 34);
    int hidden = 0;
    for (QToolButton* button : {&bar.models(), &bar.logAxis(), &bar.logValue(), &bar.fit()}) {
      hidden += button->isVisible() ? 0 : 1;
      EXPECT_NE(button->isVisible(), inMenu().contains(button->text())) << width;
    }
    some = some || (hidden > 0 && hidden < 4);
    EXPECT_EQ(bar.more().isVisible(), hidden > 0) << width;
    EXPECT_TRUE(hidden == 0 || !bar.fit().isVisible()) << "the first that gives way, at " << width;
    EXPECT_TRUE(hidden == 4 || bar.logValue().isVisible()) << "the last one, at " << width;
  }
  EXPECT_TRUE(some) << "one after another";
}

}  // namespace
}  // namespace fusebench
