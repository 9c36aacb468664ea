// SPDX-License-Identifier: GPL-3.0-or-later
// The views that paint themselves, as a screen reader hears them.
#include <cxxabi.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/ui/chart/map_run.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/export/run_export.h"
#include "ui/views/access/access_part.h"
#include "ui/views/access/access_rows.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_canvas.h"
#include "ui/views/export/export_dialog.h"
#include "ui/views/scatter/scatter_view.h"
#include "ui/views/storages/storage_canvas.h"
#include "ui/views/timeline/flame_graph.h"
#include "ui/views/timeline/histogram_view.h"
#include "ui/views/timeline/operators_panel.h"
#include "ui/views/timeline/overview_strip.h"
#include "ui/views/timeline/share_bar.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

/// "CodeGutter": without its namespaces.
std::string classOf(const QObject& object) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> whole(
      abi::__cxa_demangle(typeid(object).name(), nullptr, nullptr, &status), &std::free);
  const std::string name = status == 0 ? whole.get() : typeid(object).name();
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

/// The classes of the window's sources that paint themselves.
std::set<std::string> paintedClasses() {
  static const QRegularExpression kClass(QStringLiteral(R"(^class (\w+)[^;]*$)"));
  std::set<std::string> found;
  QDirIterator files(QString::fromStdString(test::sourcePath("/ui")), {"*.h", "*.cpp"}, QDir::Files,
                     QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    std::string within;
    while (!file.atEnd()) {
      const QString line = QString::fromUtf8(file.readLine()).trimmed();
      if (const auto match = kClass.match(line); match.hasMatch())
        within = match.captured(1).toStdString();
      if (line.startsWith(QLatin1String("void paintEvent(")) && !line.contains(u':'))
        found.insert(within);
    }
  }
  return found;
}

std::string wordsFor(const QWidget& widget) {
  return classOf(widget) + " in " +
         (widget.parentWidget() ? classOf(*widget.parentWidget()) : std::string("nothing"));
}

QAccessibleInterface& accessOf(QWidget& widget) {
  return *QAccessible::queryAccessibleInterface(&widget);
}

/// The parts that a view draws: the children that are not widgets.
std::vector<QAccessibleInterface*> partsOf(QWidget& widget) {
  test::handleEvents();
  QAccessibleInterface& access = accessOf(widget);
  std::vector<QAccessibleInterface*> parts;
  for (int i = 0; i < access.childCount(); ++i)
    if (QAccessibleInterface* child = access.child(i); child && !child->object())
      parts.push_back(child);
  return parts;
}

std::string nameOf(const QAccessibleInterface& part) {
  return part.text(QAccessible::Name).toStdString();
}

QAccessibleInterface* named(const std::vector<QAccessibleInterface*>& parts,
                            const std::string& name) {
  for (QAccessibleInterface* part : parts)
    if (nameOf(*part).find(name) != std::string::npos) return part;
  ADD_FAILURE() << "no part is named " << name;
  return nullptr;
}

/// Every part has a name and a role, leads back to the view, and is where it says.
void expectWhole(QWidget& widget) {
  QAccessibleInterface& access = accessOf(widget);
  const auto parts = partsOf(widget);
  EXPECT_FALSE(parts.empty()) << classOf(widget);
  EXPECT_LE(parts.size(), kMostAccessParts + 60) << classOf(widget);
  for (QAccessibleInterface* part : parts) {
    EXPECT_FALSE(nameOf(*part).empty()) << classOf(widget);
    EXPECT_NE(part->role(), QAccessible::Client) << nameOf(*part);
    EXPECT_NE(part->role(), QAccessible::NoRole) << nameOf(*part);
    EXPECT_EQ(part->parent(), &access) << nameOf(*part);
    EXPECT_EQ(access.child(access.indexOfChild(part)), part) << nameOf(*part);
  }
}

/// The part that has the keyboard, as a screen reader asks for it.
std::string atKeyboard(QWidget& widget) {
  test::handleEvents();
  const QAccessibleInterface* part = accessOf(widget).focusChild();
  return part ? nameOf(*part) : std::string();
}

class Accessibility : public testing::Test {
 protected:
  Accessibility() {
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), Dialogs{},
                                          folder.filePath("data"));
    window->resize(1280, 800);
    window->openMainStudy();
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
  }
  ~Accessibility() override { study->rounds = 0; }
  void measure() {
    window->run();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 20'000));
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->analysisModel().upToDate(); }, 20'000));
    test::handleEvents();
  }
  void openTrace() {
    window->timeline().setTraces(
        {importTrace(test::sourcePath("/tests/profiler/traces/torch_2_11_h100_eager.json.gz"))});
    window->workbench().showView("timeline", true);
    test::handleEvents();
  }
  template <typename View>
  View& view(const char* key) {
    window->workbench().showView(QString::fromLatin1(key), true);
    test::handleEvents();
    return window->workbench().view<View>();
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  std::unique_ptr<MainWindow> window;
};

TEST_F(Accessibility, EveryWidgetThatPaintsItselfHasANameAndARole) {
  measure();
  openTrace();
  const auto run = std::make_shared<const fusebench::Run>(test::syntheticRun());
  ExportDialog exporting(std::make_unique<RunExport>(run, findCrossings(*run)), Dialogs{},
                         folder.path());
  const std::set<std::string> painted = paintedClasses();
  ASSERT_GT(painted.size(), 15u);
  std::set<std::string> met;
  const auto lookAt = [&](QWidget& top) {
    for (QWidget* widget : top.findChildren<QWidget*>()) {
      const bool plot = widget->inherits("QCustomPlot");
      if (!plot && !painted.contains(classOf(*widget))) continue;
      met.insert(classOf(*widget));
      const QAccessibleInterface& access = accessOf(*widget);
      EXPECT_NE(access.role(), QAccessible::Client) << wordsFor(*widget);
      EXPECT_NE(access.role(), QAccessible::NoRole) << wordsFor(*widget);
      const auto* label = qobject_cast<const QLabel*>(widget);
      if (!widget->isVisible() || (label && label->text().isEmpty())) continue;
      EXPECT_FALSE(access.text(QAccessible::Name).isEmpty()) << wordsFor(*widget);
    }
  };
  for (const ViewRow& row : viewRows()) {
    SCOPED_TRACE(row.key);
    window->workbench().showView(QString::fromLatin1(row.key), true);
    test::handleEvents();
    lookAt(*window);
  }
  // The ring around what has the keyboard shows once the keyboard has moved on.
  window->setAttribute(Qt::WA_KeyboardFocusChange);
  window->workbench().view<CanvasView>().surface().setFocus(Qt::TabFocusReason);
  view<ChartView>("chart").setFocus(Qt::TabFocusReason);
  lookAt(*window);
  exporting.show();
  lookAt(exporting);
  for (const std::string& each : painted) EXPECT_TRUE(met.contains(each)) << each;
}

TEST_F(Accessibility, WhatIsReachedByTabHasANameAndARole) {
  measure();
  openTrace();
  for (const ViewRow& row : viewRows()) {
    SCOPED_TRACE(row.key);
    window->workbench().showView(QString::fromLatin1(row.key));
    test::handleEvents();
    for (QWidget* widget : window->findChildren<QWidget*>()) {
      if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
        continue;
      const QAccessibleInterface& access = accessOf(*widget);
      EXPECT_FALSE(access.text(QAccessible::Name).isEmpty()) << wordsFor(*widget);
      EXPECT_NE(access.role(), QAccessible::Client) << wordsFor(*widget);
    }
  }
}

TEST_F(Accessibility, ViewsOfFiguresAreReachedByTab) {
  measure();
  openTrace();
  int counted = 0;
  for (QWidget* widget : window->findChildren<QWidget*>()) {
    const QAccessible::Role role = accessOf(*widget).role();
    if (!widget->inherits("QCustomPlot") &&
        (role == QAccessible::Chart || role == QAccessible::Canvas || role == QAccessible::Tree)) {
      ++counted;
      EXPECT_TRUE(widget->focusPolicy() & Qt::TabFocus) << wordsFor(*widget);
    }
  }
  EXPECT_GE(counted, 9);
}

TEST_F(Accessibility, CellsOfTablesThatAreDrawnAreSaid) {
  measure();
  openTrace();
  int bars = 0;
  for (const ViewRow& row : viewRows()) {
    SCOPED_TRACE(row.key);
    window->workbench().showView(QString::fromLatin1(row.key));
    QComboBox& subject = window->workbench().view<TimelineView>().figures().subject();
    for (int s = 0; s < (row.key == std::string("timeline") ? subject.count() : 1); ++s) {
      subject.setCurrentIndex(s);
      test::handleEvents();
      for (auto* view : window->findChildren<QAbstractItemView*>()) {
        if (!view->isVisible() || !view->model()) continue;
        const int rows = std::min(view->model()->rowCount(), 5);
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < view->model()->columnCount(); ++c) {
            const QModelIndex index = view->model()->index(r, c);
            // A bar of shares has no text of its own.
            if (index.data(ShareBar::kRole).typeId() != QMetaType::QVariantList) continue;
            ++bars;
            EXPECT_FALSE(index.data(Qt::AccessibleTextRole).toString().isEmpty())
                << wordsFor(*view) << ", row " << r << ", column " << c;
          }
      }
    }
  }
  EXPECT_GT(bars, 0);
}

TEST_F(Accessibility, AChartSaysItsCurvesAndBreakEvensWithTheirValues) {
  measure();
  ChartView& chart = view<ChartView>("chart");
  expectWhole(chart);
  QAccessibleInterface* eager = named(partsOf(chart), "Curve eager");
  ASSERT_NE(eager, nullptr);
  // Without a cursor, the value is the one at the end of the axis.
  EXPECT_THAT(eager->text(QAccessible::Value).toStdString(), testing::HasSubstr("at 30"));
  chart.setFocus();
  chart.setCursor(1);
  test::handleEvents();
  eager = named(partsOf(chart), "Curve eager");
  EXPECT_THAT(eager->text(QAccessible::Value).toStdString(), testing::HasSubstr("at 1"));
  EXPECT_THAT(eager->text(QAccessible::Description).toStdString(), testing::HasSubstr("at 30"));
  EXPECT_FALSE(eager->rect().isEmpty());
  const QStringList sentences = chart.measured().markerSentences();
  ASSERT_FALSE(sentences.isEmpty());
  EXPECT_NE(named(partsOf(chart), sentences.front().toStdString()), nullptr);
  EXPECT_THAT(atKeyboard(chart), testing::HasSubstr("eager"));
}

TEST_F(Accessibility, ANodeOfTheCanvasNamesItsNeighbors) {
  CanvasSurface& surface = view<CanvasView>("canvas").surface();
  expectWhole(surface);
  const auto parts = partsOf(surface);
  ASSERT_GT(parts.size(), 3u);
  const CanvasGraph& graph = surface.graph();
  const CanvasEdge& edge = graph.edges.front();
  QAccessibleInterface* from = parts[static_cast<std::size_t>(edge.from)];
  QAccessibleInterface* to = parts[static_cast<std::size_t>(edge.to)];
  EXPECT_THAT(to->text(QAccessible::Description).toStdString(),
              testing::HasSubstr("Reads " + nameOf(*from)));
  EXPECT_THAT(from->text(QAccessible::Description).toStdString(), testing::HasSubstr("Read by "));
  const auto readers = from->relations(QAccessible::Controlled);
  EXPECT_TRUE(std::any_of(readers.begin(), readers.end(),
                          [to](const auto& each) { return each.first == to; }));
  // Chosen by the screen reader, it is where the keyboard is.
  ASSERT_NE(to->actionInterface(), nullptr);
  to->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  surface.setFocus();
  EXPECT_EQ(surface.current(), edge.to);
  EXPECT_EQ(atKeyboard(surface), nameOf(*to));
}

TEST_F(Accessibility, ATimelineSaysTracksAndTheEventsInSight) {
  openTrace();
  TimelineView& timeline = view<TimelineView>("timeline");
  TimelineCanvas& canvas = timeline.canvas();
  expectWhole(canvas);
  const auto parts = partsOf(canvas);
  EXPECT_EQ(parts.front()->role(), QAccessible::Grouping);
  TimelineModel& model = window->timeline();
  canvas.setFocus();
  ASSERT_TRUE(model.next(false));
  const TimelineModel::Place place = *model.current();
  const QString name = factsOf(*model.shown()[place.trace].trace, place.event).front();
  EXPECT_EQ(atKeyboard(canvas), name.toStdString());
  const QAccessibleInterface* event = accessOf(canvas).focusChild();
  EXPECT_TRUE(event->state().focused);
  EXPECT_FALSE(event->text(QAccessible::Value).isEmpty());
  EXPECT_FALSE(event->rect().isEmpty());
  // The strip above is a slider over all of it, and moves by keys.
  OverviewStrip& strip = timeline.overview();
  model.zoom(double(model.length()) / 2, 0.1);
  QAccessibleInterface& slider = accessOf(strip);
  EXPECT_EQ(slider.role(), QAccessible::Slider);
  ASSERT_NE(slider.valueInterface(), nullptr);
  const double before = slider.valueInterface()->currentValue().toDouble();
  QTest::keyClick(&strip, Qt::Key_Right);
  EXPECT_GT(slider.valueInterface()->currentValue().toDouble(), before);
  slider.valueInterface()->setCurrentValue(25.0);
  EXPECT_NEAR(slider.valueInterface()->currentValue().toDouble(), 25, 1);
  QTest::keyClick(&strip, Qt::Key_Return);
  EXPECT_GE(model.to() - model.from(), double(model.length()));
}

TEST_F(Accessibility, AHugeTraceIsSaidInBoundedParts) {
  TraceBuilder builder("many");
  for (int t = 0; t < 40; ++t) {
    const LaneId stream =
        builder.lane({Lane::Kind::device, 0, t, "GPU 0", "stream " + std::to_string(t)});
    for (int e = 0; e < 2'000; ++e)
      builder.addSpan({stream, SpanKind::kernel, "kernel", e * 100, e * 100 + 60});
  }
  window->timeline().setTraces({builder.finish()});
  TimelineCanvas& canvas = view<TimelineView>("timeline").canvas();
  expectWhole(canvas);
  EXPECT_NE(named(partsOf(canvas), "more"), nullptr);
}

TEST_F(Accessibility, FiguresOfATraceAreSaidAndWalked) {
  openTrace();
  TimelineView& timeline = view<TimelineView>("timeline");
  QComboBox& subject = timeline.figures().subject();
  subject.setCurrentIndex(subject.findText(QStringLiteral("Time by operator")));
  OperatorsPanel& panel = timeline.figures().operators();
  panel.form().setCurrentIndex(1);
  test::handleEvents();
  FlameGraph& flame = panel.flame();
  expectWhole(flame);
  flame.setFocus();
  QTest::keyClick(&flame, Qt::Key_Down);
  EXPECT_EQ(atKeyboard(flame), flame.wordsOf(flame.marked()).split(u'\n').front().toStdString());
  int walked = 0;
  for (auto* histogram : timeline.findChildren<HistogramView*>()) {
    if (histogram->edges().empty()) continue;
    ++walked;
    expectWhole(*histogram);
    histogram->setFocus();
    histogram->setCurrent(0);
    QTest::keyClick(histogram, Qt::Key_Right);
    EXPECT_EQ(histogram->current(), histogram->edges().size() > 1 ? 1 : 0);
    EXPECT_FALSE(histogram->wordsOf(histogram->current()).isEmpty());
  }
  EXPECT_GT(walked, 0);
}

TEST_F(Accessibility, MarksOfAScatterAreWalkedByArrows) {
  measure();
  ScatterView& scatter = view<ScatterView>("scatter");
  scatter.upwards().setCurrentIndex(scatter.upwards().findData(static_cast<int>(Metric::launches)));
  if (scatter.figure().spots.empty())
    scatter.upwards().setCurrentIndex(
        scatter.upwards().findData(static_cast<int>(Metric::latency)));
  ASSERT_GT(scatter.figure().spots.size(), 1u);
  expectWhole(scatter);
  scatter.setFocus();
  scatter.setCurrent(0);
  const std::string first = scatter.wordsOf(0).split(u'\n').front().toStdString();
  EXPECT_EQ(atKeyboard(scatter), first);
  QTest::keyClick(&scatter, Qt::Key_Right);
  EXPECT_EQ(scatter.current(), 1);
  EXPECT_EQ(scatter.accessibleDescription(), scatter.wordsOf(1));
}

TEST_F(Accessibility, PlacesOfAMapAreSaidWithTheirSpeedups) {
  window->runModel().show(test::mapRun({1, 10}, {100, 1'000}, [](double, double) { return 2.0; }),
                          true);
  test::handleEvents();
  window->workbench().showView("map", true);
  auto* map = window->findChild<MapCanvas*>();
  ASSERT_TRUE(QTest::qWaitFor([map] { return !map->map().empty(); }, 10'000));
  expectWhole(*map);
  map->setFocus();
  map->setCursorPlace(MapIndex{1, 0});
  const auto parts = partsOf(*map);
  EXPECT_EQ(parts.size(), 4u);
  EXPECT_EQ(atKeyboard(*map), placeTitle(map->map(), 1, 0).toStdString());
}

}  // namespace
}  // namespace fusebench
