// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/main_window.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCursor>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <string>
#include <vector>

#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/results/comparison.h"
#include "ui/views/base/banner.h"
#include "ui/views/base/focus_ring.h"
#include "ui/views/base/tab_order.h"
#include "ui/views/canvas/canvas_bar.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/canvas/palette_view.h"
#include "ui/views/chart/chart_bar.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_view.h"
#include "ui/views/chart/readout_card.h"
#include "ui/views/code/code_editor.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/lesson/lesson_view.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/runs/findings_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/runs/runs_view.h"
#include "ui/views/window/status_bar.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

using State = StudyController::State;

/// A window on the main study whose measuring and whose dialogs are stand-ins.
class Window : public testing::Test {
 protected:
  Window() {
    dialogs.openFile = [this](QWidget*, const QString&) { return toOpen; };
    dialogs.saveFile = [this](QWidget*, const QString& suggestion, const QString&) {
      suggested = suggestion;
      return toSave;
    };
    dialogs.unsaved = [this](QWidget*, const QString&) {
      ++asked;
      return answer;
    };
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->resize(1280, 800);  // its usual size, which the screen of a test has no room for
    window->openMainStudy();
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
  }
  ~Window() override {
    study->rounds = 0;
    answer = Dialogs::Unsaved::discard;
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), key, modifiers);
  }
  bool ended() {
    return QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000);
  }
  bool measuring() {
    return QTest::qWaitFor(
        [this] {
          const fusebench::Run* run = window->runModel().run();
          return run && sampleCount(*run) > 0;
        },
        10'000);
  }
  void finishARun() {
    window->run();
    ASSERT_TRUE(ended());
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->analysisModel().upToDate(); }, 20'000));
  }
  /// The widgets that get the focus in one round of Tab.
  QSet<QWidget*> focusRound() {
    QSet<QWidget*> seen;
    for (QWidget* widget = window->nextInFocusChain(); widget != window.get();
         widget = widget->nextInFocusChain())
      if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus))
        seen.insert(widget);
    return seen;
  }
  void rename(const std::string& title) {
    window->document().edit("Rename", {},
                            [&](Experiment& experiment) { experiment.title = title; });
  }
  QString write(const QString& name, const QByteArray& text) {
    const QString path = folder.filePath(name);
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return path;
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  QString toOpen, toSave, suggested;
  int asked = 0;
  Dialogs::Unsaved answer = Dialogs::Unsaved::discard;
  std::unique_ptr<MainWindow> window;
};

TEST_F(Window, TheChartOpensWithWhatAnExperimentShowsFirst) {
  const auto metric = [this] { return window->workbench().view<ChartView>().metric(); };
  const auto load = [this](Experiment::Shown shown) {
    Experiment experiment = test::syntheticExperiment();
    experiment.shown = shown;
    window->document().load(experiment, {});
  };
  EXPECT_EQ(metric(), Metric::latency);
  load(Experiment::Shown::bandwidth);
  EXPECT_EQ(metric(), Metric::bandwidth);
  rename("Another name");  // an edit of it opens nothing
  window->workbench().view<ChartView>().setMetric(Metric::compile);
  rename("And another");
  EXPECT_EQ(metric(), Metric::compile);
  load(Experiment::Shown::peakBytes);
  EXPECT_EQ(metric(), Metric::memory);
  load(Experiment::Shown::latency);
  EXPECT_EQ(metric(), Metric::latency);
  // The chosen metric stays if the experiment does not ask for one.
  window->workbench().view<ChartView>().setMetric(Metric::launches);
  load(Experiment::Shown::latency);
  EXPECT_EQ(metric(), Metric::launches);
}

TEST_F(Window, TabGoesAsTheEyeDoes) {
  window->resize(1900, 900);  // all buttons of the chart are there
  finishARun();
  test::handleEvents();
  const std::vector<QWidget*> order = tabOrder(*window);
  QSet<QWidget*> expected;
  for (QWidget* widget : focusRound())
    if (!widget->focusProxy() && !widget->size().isEmpty()) expected.insert(widget);
  EXPECT_EQ(QSet<QWidget*>(order.begin(), order.end()), expected) << "it comes by all of them";
  const auto place = [&](const QWidget* widget) {
    const auto at = std::ranges::find(order, widget);
    EXPECT_NE(at, order.end()) << widget->accessibleName().toStdString();
    return at - order.begin();
  };
  Workbench& views = window->workbench();
  ChartView& chart = views.view<ChartView>();
  CanvasView& canvas = views.view<CanvasView>();
  const std::vector<QWidget*> read = {&canvas.bar().fitButton(),
                                      &canvas.surface(),
                                      &chart.bar().models(),
                                      &chart.bar().logAxis(),
                                      &chart.bar().logValue(),
                                      chart.legend().entries()[0],
                                      chart.legend().entries()[2],
                                      &chart,
                                      &views.view<ResultsView>().table()};
  for (std::size_t i = 1; i < read.size(); ++i) EXPECT_LT(place(read[i - 1]), place(read[i])) << i;
  EXPECT_LT(place(order.front()), place(&canvas.bar().fitButton()));
  chart.legend().entries()[2]->setFocus();
  press(Qt::Key_Tab);
  EXPECT_TRUE(chart.hasFocus());
  press(Qt::Key_Backtab);
  EXPECT_TRUE(chart.legend().entries()[2]->hasFocus());
}

TEST_F(Window, OpensOnTheMainStudyAndSaysWhatRunWillShow) {
  EXPECT_EQ(window->document().experiment().program.statements.size(), 20u);
  EXPECT_TRUE(window->workbench().view<CodePane>().editor().toPlainText().contains("x = x + 0.1"));
  EXPECT_TRUE(window->workbench().view<ChartView>().emptyCard().isVisible());
  EXPECT_TRUE(window->actions().run->isEnabled());
  EXPECT_FALSE(window->actions().stop->isEnabled());
  EXPECT_FALSE(window->banner().isVisible());
}

TEST_F(Window, CompareSaysHowToFillItAndLeadsToTheRuns) {
  window->workbench().showView(QStringLiteral("compare"));
  const EmptyCard& card = window->workbench().view<CompareView>().emptyCard();
  ASSERT_TRUE(card.isVisible());
  EXPECT_FALSE(window->workbench().shows(QStringLiteral("runs")));
  card.button().click();
  EXPECT_TRUE(window->workbench().shows(QStringLiteral("runs")));
}

TEST_F(Window, TheButtonOfTheEmptyStateRunsTheStudy) {
  window->workbench().view<ChartView>().emptyCard().findChild<QPushButton*>()->click();
  EXPECT_TRUE(window->controller().busy());
  ASSERT_TRUE(ended());
  EXPECT_FALSE(window->workbench().view<ChartView>().emptyCard().isVisible());
}

TEST_F(Window, CtrlRRunsAndFillsCurvesTableAndFindings) {
  press(Qt::Key_R, Qt::ControlModifier);
  EXPECT_TRUE(window->controller().busy());
  EXPECT_FALSE(window->actions().run->isEnabled());
  ASSERT_TRUE(ended());
  ASSERT_TRUE(QTest::qWaitFor([this] { return window->analysisModel().upToDate(); }, 20'000));
  ASSERT_EQ(window->workbench().view<ChartView>().measured().curves().size(), 3u);
  for (const Curve& curve : window->workbench().view<ChartView>().measured().curves())
    EXPECT_EQ(curve.points.size(), 7u);
  EXPECT_EQ(window->workbench().view<ResultsView>().table().model()->rowCount(), 21);
  bool breakEven = false;
  for (const QLabel* label : window->workbench().view<FindingsView>().findChildren<QLabel*>())
    breakEven |= label->text().startsWith("static: ahead from 5.");
  EXPECT_TRUE(breakEven);
  EXPECT_TRUE(window->status().text().startsWith("Finished: 21 data points"));
}

TEST_F(Window, EscapeStopsKeepsThePointsAndOffersToGoOn) {
  study->rounds = 100'000;
  window->run();
  ASSERT_TRUE(measuring());
  press(Qt::Key_Escape);
  ASSERT_TRUE(ended());
  EXPECT_FALSE(window->workbench().view<ChartView>().measured().curves()[0].points.empty());
  ASSERT_TRUE(window->banner().remedy().isVisible());
  EXPECT_EQ(window->banner().remedy().text(), "Resume");
  study->rounds = 3;
  window->banner().remedy().click();
  ASSERT_TRUE(ended());
  EXPECT_TRUE(study->continued);
}

TEST_F(Window, WhatIsOpenedDuringARunWaitsForItAndIsOfferedAtOnce) {
  toOpen = write("other.json", "");
  Experiment other = test::syntheticExperiment();
  other.title = "Another one";
  saveExperiment(other, toOpen.toStdString());
  study->rounds = 100'000;
  window->run();
  ASSERT_TRUE(measuring());
  EXPECT_TRUE(window->actions().open->isEnabled());
  EXPECT_FALSE(window->actions().quick->isEnabled());
  EXPECT_TRUE(window->actions().quick->toolTip().startsWith("A run is being measured"));
  press(Qt::Key_O, Qt::ControlModifier);
  EXPECT_TRUE(window->controller().busy()) << "nobody has stopped it";
  EXPECT_TRUE(window->banner().text().startsWith("A run is being measured. To open other.json now"))
      << window->banner().text().toStdString();
  ASSERT_EQ(window->banner().remedy().text(), "Stop it and open other.json");
  window->banner().remedy().click();
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return window->document().experiment().title == "Another one"; }, 10'000));
  EXPECT_FALSE(window->controller().busy());
  ASSERT_TRUE(QTest::qWaitFor([this] { return window->library().rowCount() == 1; }, 10'000))
      << "what was measured is kept";
  EXPECT_TRUE(window->actions().quick->toolTip().startsWith("Run with a tenth of the time"));
}

TEST_F(Window, ANewChainDuringARunIsOfferedAndARunsEndTakesTheOfferBack) {
  study->rounds = 20;
  study->millisecondsPerRound = 100;
  window->run();
  ASSERT_TRUE(measuring());
  press(Qt::Key_N, Qt::ControlModifier);
  EXPECT_EQ(window->banner().remedy().text(), "Stop it and begin a new chain");
  ASSERT_TRUE(ended()) << "by itself: nothing else is said then";
  EXPECT_TRUE(QTest::qWaitFor([this] { return !window->banner().isVisible(); }, 5'000))
      << window->banner().text().toStdString();
  EXPECT_EQ(window->document().experiment().title, "Fusion against launches") << "it was not taken";
}

TEST_F(Window, AKilledWorkerIsSaidItsPointsKeptAndANewOneOffered) {
  study->loseWorkerAtRound = 6;
  window->run();
  ASSERT_TRUE(ended());
  EXPECT_EQ(window->controller().state(), State::failed);
  EXPECT_TRUE(window->banner().isVisible());
  EXPECT_TRUE(window->banner().text().contains("killed"));
  EXPECT_EQ(window->workbench().view<ChartView>().measured().curves()[0].points.size(), 7u);
  ASSERT_EQ(window->banner().remedy().text(), "Resume with a new worker");
  window->banner().remedy().click();
  ASSERT_TRUE(ended());
  EXPECT_TRUE(study->continued);
  EXPECT_EQ(window->controller().state(), State::finished);
  EXPECT_FALSE(window->banner().isVisible());
}

TEST_F(Window, AStudyThatCannotStartSaysWhyAndCanBeTriedAgain) {
  study->throwInstead = "fusebench-cli: no such file";
  window->run();
  ASSERT_TRUE(ended());
  EXPECT_TRUE(window->banner().text().startsWith("fusebench-cli: no such file"));
  EXPECT_EQ(window->banner().remedy().text(), "Try again");
  EXPECT_TRUE(window->actions().run->isEnabled());
}

TEST_F(Window, CtrlTSwitchesTheThemeEverywhereAndItIsRemembered) {
  ASSERT_TRUE(settings.dark());
  const QColor dark = window->palette().color(QPalette::Window);
  press(Qt::Key_T, Qt::ControlModifier);
  EXPECT_FALSE(Settings(folder.filePath("settings.ini")).dark());
  EXPECT_EQ(QApplication::palette().color(QPalette::Window), lightTheme().window);
  EXPECT_NE(window->palette().color(QPalette::Window), dark);
  EXPECT_EQ(window->workbench().view<ChartView>().palette().color(QPalette::Base),
            lightTheme().panel);
  press(Qt::Key_T, Qt::ControlModifier);
  EXPECT_EQ(QApplication::palette().color(QPalette::Window), darkTheme().window);
}

TEST_F(Window, AnotherLanguageOffersARestartThatKeepsWhatIsNotSaved) {
  const auto chinese = [&] {
    for (QAction* action : window->findChildren<QAction*>())
      if (action->text() == QStringLiteral("简体中文")) return action;
    return static_cast<QAction*>(nullptr);
  }();
  ASSERT_TRUE(chinese);
  window->document().edit("Rename", {}, [](Experiment& each) { each.title = "Changed"; });
  ASSERT_TRUE(window->document().modified());
  chinese->trigger();
  EXPECT_EQ(settings.language(), "zh_CN");
  ASSERT_EQ(window->banner().remedy().text(), "Restart now");
  answer = Dialogs::Unsaved::cancel;
  window->banner().remedy().click();
  EXPECT_TRUE(window->isVisible()) << "the changes would be lost";
  EXPECT_FALSE(window->restartWanted());

  answer = Dialogs::Unsaved::discard;
  chinese->trigger();
  window->banner().remedy().click();
  EXPECT_FALSE(window->isVisible());
  EXPECT_TRUE(window->restartWanted());
}

TEST_F(Window, F1ShowsTheGuide) {
  window->workbench().showView("setup");
  EXPECT_FALSE(window->workbench().view<LessonView>().isVisible());
  press(Qt::Key_F1);
  EXPECT_TRUE(window->workbench().view<LessonView>().isVisible());
}

TEST_F(Window, TheGuideToTheMainStudyIsShown) {
  window->workbench().showView("lesson");
  EXPECT_TRUE(window->workbench().view<LessonView>().toPlainText().contains("What to look at"));
  EXPECT_TRUE(window->workbench().view<LessonView>().toPlainText().contains("What to change"));
  EXPECT_TRUE(window->workbench().view<LessonView>().toPlainText().contains("What to expect"));
}

TEST_F(Window, AGuideBehindOtherTabsIsSetOnceItIsShown) {
  auto& guide = window->workbench().view<LessonView>();
  window->workbench().showView("setup");
  guide.setLesson("# One page");
  EXPECT_FALSE(guide.toPlainText().contains("One page"));
  window->workbench().showView("lesson");
  EXPECT_TRUE(guide.toPlainText().contains("One page"));
}

TEST_F(Window, ABadFileShowsOneBannerAndLosesNothing) {
  finishARun();
  const QString before = window->windowTitle();
  EXPECT_FALSE(window->openFile(write("bad.json", "nonsense")));
  EXPECT_TRUE(window->banner().isVisible());
  EXPECT_TRUE(window->banner().text().contains("bad.json"));
  EXPECT_FALSE(window->banner().text().contains('\n'));
  EXPECT_EQ(window->workbench().view<ResultsView>().table().model()->rowCount(), 21);
  EXPECT_EQ(window->windowTitle(), before);
  EXPECT_EQ(asked, 0);
}

TEST_F(Window, ABannerMovesNothingAndKeepsAwayFromTheMouse) {
  const QRect before = window->workbench().geometry();
  QCursor::setPos(window->workbench().mapToGlobal(QPoint(20, 20)));
  window->openFile(write("bad.json", "{"));
  ASSERT_TRUE(window->banner().isVisible());
  EXPECT_EQ(window->workbench().geometry(), before);
  const QRect below = window->banner().geometry();
  EXPECT_LE(below.bottom(), window->status().geometry().top());
  EXPECT_GT(below.top(), before.center().y());
  window->banner().dismiss();
  QCursor::setPos(window->banner().parentWidget()->mapToGlobal(below.center()));
  if (QCursor::pos() != window->banner().parentWidget()->mapToGlobal(below.center()))
    GTEST_SKIP() << "this display has no mouse that can be moved";
  window->openFile(write("bad.json", "{"));
  EXPECT_LT(window->banner().geometry().bottom(), before.center().y());
  EXPECT_EQ(window->workbench().geometry(), before);
}

TEST_F(Window, AMissingFileAndABadRunAreSaidToo) {
  EXPECT_FALSE(window->openFile(folder.filePath("absent.json")));
  EXPECT_TRUE(window->banner().text().contains("absent.json"));
  EXPECT_FALSE(window->openFile(write("bad.jsonl", "{\"fusebench\":\"run\"\n")));
  EXPECT_TRUE(window->banner().text().contains("bad.jsonl"));
  EXPECT_TRUE(window->workbench().view<ChartView>().emptyCard().isVisible());
}

TEST_F(Window, AFinishedRunIsKeptInTheLibraryAndOpensAgainFromThere) {
  finishARun();
  ASSERT_TRUE(QTest::qWaitFor([this] { return window->library().rowCount() == 1; }, 10'000));
  EXPECT_FALSE(window->runModel().unsaved());
  const QString kept = window->library().index(0).data(RunLibrary::PathRole).toString();
  window->newChain();
  EXPECT_EQ(window->runModel().run(), nullptr);
  emit window->workbench().view<RunsView>().openRequested(kept);
  ASSERT_TRUE(window->runModel().run());
  EXPECT_EQ(sampleCount(*window->runModel().run()), 21u * 32u);
  EXPECT_EQ(window->document().experiment().program.statements.size(), 20u);
  EXPECT_EQ(asked, 0);
}

TEST_F(Window, ARunCanBeSavedToAFileOfItsOwnAndOpened) {
  finishARun();
  toSave = folder.filePath("mine.jsonl");
  window->saveRunAs();
  EXPECT_EQ(suggested, "fusion-against-launches.jsonl");
  window->newChain();
  toOpen = toSave;
  press(Qt::Key_O, Qt::ControlModifier);
  EXPECT_FALSE(window->banner().isVisible()) << window->banner().text().toStdString();
  ASSERT_TRUE(window->runModel().run());
  EXPECT_EQ(window->workbench().view<ChartView>().measured().curves()[2].points.size(), 7u);
}

TEST_F(Window, ASavedExperimentOpensAgain) {
  toSave = folder.filePath("mine.json");
  rename("Mine");
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(QFile::exists(toSave));
  EXPECT_FALSE(window->document().modified());
  window->newChain();
  EXPECT_TRUE(window->openFile(toSave)) << window->banner().text().toStdString();
  EXPECT_EQ(window->document().experiment().title, "Mine");
  EXPECT_TRUE(window->windowTitle().contains("mine.json"));
}

TEST_F(Window, AnExperimentThatCannotRunIsSavedOpenedAgainAndSaysWhy) {
  window->document().setText("Type", {}, "def program(x):\n    x = torch.sine(x)\n    return x");
  toSave = folder.filePath("wrong.json");
  EXPECT_TRUE(window->save());
  window->newChain();
  ASSERT_TRUE(window->openFile(toSave)) << window->banner().text().toStdString();
  EXPECT_FALSE(window->document().runnable());
  window->run();
  EXPECT_FALSE(window->controller().busy());
  EXPECT_TRUE(window->banner().text().contains("sine")) << window->banner().text().toStdString();
}

TEST_F(Window, APlaceThatCannotBeWrittenIsSaidAndTheExperimentStaysUnsaved) {
  rename("Mine");
  toSave = folder.filePath("no/such/folder/mine.json");
  EXPECT_FALSE(window->save());
  EXPECT_TRUE(window->banner().isVisible());
  EXPECT_EQ(window->banner().remedy().text(), "Save elsewhere");
  EXPECT_TRUE(window->document().modified());
}

TEST_F(Window, ClosingAsksOnceAboutAChangedExperimentAndCanBeCanceled) {
  EXPECT_FALSE(window->document().modified());
  rename("Mine");
  answer = Dialogs::Unsaved::cancel;
  EXPECT_FALSE(window->close());
  EXPECT_EQ(asked, 1);
  answer = Dialogs::Unsaved::discard;
  EXPECT_TRUE(window->close());
  EXPECT_EQ(asked, 2);
}

TEST_F(Window, AnUnchangedExperimentIsNotAskedAbout) {
  finishARun();
  EXPECT_TRUE(window->close());
  EXPECT_EQ(asked, 0);
}

TEST_F(Window, UndoIsInTheMenuWithItsName) {
  EXPECT_FALSE(window->actions().undo->isEnabled());
  rename("Mine");
  EXPECT_EQ(window->actions().undo->text(), "Undo: Rename");
  press(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(window->document().experiment().title, "Fusion against launches");
  EXPECT_EQ(window->actions().redo->text(), "Redo: Rename");
}

TEST_F(Window, ResultsOfBeforeAnEditAreSaidToBe) {
  settings.setExplore(false);
  finishARun();
  auto* notice = window->findChild<QLabel*>("notice");
  EXPECT_FALSE(notice->isVisible());
  window->document().setText("Type", {}, "def program(x):\n    x = x + 1\n    return x.sum()");
  EXPECT_TRUE(notice->isVisible());
  window->document().undo();
  EXPECT_FALSE(notice->isVisible());
}

TEST_F(Window, AnEditIsMeasuredByItselfInExploreMode) {
  settings.setExplore(true);
  window->document().setText("Type", {}, "def program(x):\n    x = x + 1\n    return x.sum()");
  EXPECT_TRUE(QTest::qWaitFor([this] { return study->started > 0; }, 10'000));
}

TEST_F(Window, AWindowThatDiedComesBackWithItsEdits) {
  window->restoreSession();
  rename("Half done");
  const QString session = folder.filePath("data/session.json");
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        QFile file(session);
        return file.open(QIODevice::ReadOnly) && file.readAll().contains("Half done");
      },
      10'000));
  // A killed window says no goodbye: the next one only has the files on disk.
  QTemporaryDir other;
  QDir().mkpath(other.filePath("data"));
  ASSERT_TRUE(QFile::copy(session, other.filePath("data/session.json")));
  MainWindow next(settings, test::fakeRunner(study), dialogs, other.filePath("data"));
  next.restoreSession();
  EXPECT_EQ(next.document().experiment().title, "Half done");
  EXPECT_TRUE(next.document().modified());
  EXPECT_EQ(next.banner().remedy().text(), "Discard them");
  next.banner().remedy().click();
  EXPECT_EQ(next.document().experiment().title, "Fusion against launches");
  EXPECT_EQ(asked, 0);
}

TEST_F(Window, ASecondWindowLeavesTheSessionOfTheFirstAlone) {
  window->restoreSession();
  rename("First");
  MainWindow second(settings, test::fakeRunner(study), dialogs, folder.filePath("data"));
  second.restoreSession();
  EXPECT_EQ(second.document().experiment().title, "Fusion against launches");
}

TEST_F(Window, AFileDroppedOnItIsOpened) {
  toSave = folder.filePath("mine.json");
  rename("Mine");
  ASSERT_TRUE(window->save());
  window->newChain();
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(toSave)});
  QDragEnterEvent enter(QPoint(640, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(640, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &drop);
  EXPECT_TRUE(
      QTest::qWaitFor([this] { return window->document().experiment().title == "Mine"; }, 5'000));
}

TEST_F(Window, RecentFilesAreOffered) {
  toSave = folder.filePath("mine.json");
  rename("Mine");
  ASSERT_TRUE(window->save());
  EXPECT_EQ(settings.recentFiles().value(0), toSave);
}

TEST_F(Window, F6WalksThroughItsParts) {
  window->workbench().view<CanvasView>().setFocus();
  for (int i = 0; i < 5; ++i) press(Qt::Key_F6);
  const QWidget* focused = QApplication::focusWidget();
  ASSERT_TRUE(focused);
  EXPECT_TRUE(focused == &window->workbench().view<CanvasView>() ||
              window->workbench().view<CanvasView>().isAncestorOf(focused))
      << focused->objectName().toStdString();
}

TEST_F(Window, AnOpFromThePaletteGoesIntoChainAndText) {
  emit window->workbench().view<PaletteView>().opChosen(findOp("tanh"));
  EXPECT_EQ(window->document().experiment().program.statements.size(), 21u);
  EXPECT_TRUE(window->workbench().view<CodePane>().editor().toPlainText().contains("torch.tanh"));
}

TEST_F(Window, ASecondAxisIsOneClickAway) {
  emit window->workbench().view<MapView>().secondAxisRequested();
  ASSERT_EQ(window->document().experiment().axes.size(), 2u);
  EXPECT_TRUE(window->document().runnable())
      << window->document().problems().front().text.toStdString();
}

TEST_F(Window, ClosingWhileRunningStopsTheStudyAndThenCloses) {
  study->rounds = 100'000;
  window->run();
  ASSERT_TRUE(measuring());
  window->close();
  EXPECT_TRUE(QTest::qWaitFor([this] { return !window->isVisible(); }, 10'000));
  EXPECT_FALSE(window->controller().busy());
}

TEST_F(Window, HoveringMarksThePlaceInChainChartAndTable) {
  finishARun();
  emit window->workbench().view<ChartView>().hovered(10);
  ASSERT_TRUE(window->workbench().view<ChartView>().readout().isVisible());
  for (const char* part : {"10 statements", "eager", "static", "dynamic", "baseline"})
    EXPECT_TRUE(window->workbench().view<ChartView>().readout().text().contains(part)) << part;
  emit window->workbench().view<ChartView>().hovered(std::nan(""));
  EXPECT_FALSE(window->workbench().view<ChartView>().readout().isVisible());
}

TEST_F(Window, AMouseOverTheChartFindsTheNearestPlace) {
  finishARun();
  auto* plot = window->workbench().view<ChartView>().findChild<QCustomPlot*>();
  const QRect area = window->workbench().view<ChartView>().measured().rect().rect();
  QTest::mouseMove(
      plot,
      QPoint(static_cast<int>(window->workbench().view<ChartView>().measured().pixelOf(20)) + 3,
             area.center().y()));
  EXPECT_TRUE(QTest::qWaitFor(
      [this] { return window->workbench().view<ChartView>().cursorValue() == 20.0; }, 5'000));
}

TEST_F(Window, ArrowKeysWalkAlongTheAxis) {
  finishARun();
  window->workbench().view<ChartView>().setFocus();
  QTest::keyClick(&window->workbench().view<ChartView>(), Qt::Key_Right);
  EXPECT_EQ(window->workbench().view<ChartView>().cursorValue(), 1.0);
  QTest::keyClick(&window->workbench().view<ChartView>(), Qt::Key_Right);
  EXPECT_EQ(window->workbench().view<ChartView>().cursorValue(), 5.0);
  QTest::keyClick(&window->workbench().view<ChartView>(), Qt::Key_Left);
  EXPECT_EQ(window->workbench().view<ChartView>().cursorValue(), 1.0);
}

TEST_F(Window, PublishedCurvesStandBesideOnAxesOfTheirOwn) {
  finishARun();
  EXPECT_FALSE(window->workbench().view<ChartView>().publishedShown());
  settings.setShowPublished(true);
  ASSERT_TRUE(window->workbench().view<ChartView>().publishedShown());
  test::handleEvents();
  const QRect mine = window->workbench().view<ChartView>().measured().rect().rect();
  EXPECT_GT(mine.width(), 150);
  EXPECT_EQ(window->workbench().view<ChartView>().measured().curves().size(), 3u);
}

TEST_F(Window, EveryControlHasANameAndRoomForItsText) {
  finishARun();
  test::handleEvents();
  for (const QAbstractButton* button : window->findChildren<QAbstractButton*>()) {
    if (!button->isVisible() || button->inherits("QTableCornerButton")) continue;
    if (button->parent()->inherits("QTabBar")) continue;  // the style leaves these away
    EXPECT_FALSE(button->accessibleName().isEmpty() && button->text().isEmpty())
        << button->objectName().toStdString();
    EXPECT_GE(button->width(), button->minimumSizeHint().width()) << button->text().toStdString();
  }
  const QTableView& table = window->workbench().view<ResultsView>().table();
  for (int column = 0; column < table.model()->columnCount(); ++column)
    if (!table.isColumnHidden(column)) {  // a device's times, where there are none
      EXPECT_GE(table.columnWidth(column),
                table.sizeHintForIndex(table.model()->index(0, column)).width());
    }
}

TEST_F(Window, TheResultsFitAcrossTheWindowAtItsUsualSize) {
  finishARun();
  window->resize(1280, 800);
  test::handleEvents();
  const QTableView& table = window->workbench().view<ResultsView>().table();
  int width = 0;
  for (int column = 0; column < table.model()->columnCount(); ++column)
    width += table.sizeHintForIndex(table.model()->index(0, column)).width();
  EXPECT_LE(width, table.viewport()->width());
}

TEST(ChartLabels, AreSpreadApartWithinTheirRoom) {
  const auto spread = spreadApart({50, 52, 10, 98}, 15, 0, 100);
  EXPECT_EQ(spread[2], 10);
  EXPECT_GE(spread[1] - spread[0], 15);
  EXPECT_GE(spread[3] - spread[1], 15);
  EXPECT_LE(spread[3], 100);
}

TEST(ChartLabels, StayAsNearToTheirCurvesAsTheirNeighborsLet) {
  EXPECT_EQ(spreadApart({50, 50, 50}, 10, 0, 100), (std::vector<double>{40, 50, 60}));
  EXPECT_EQ(spreadApart({98, 98, 20}, 10, 0, 100), (std::vector<double>{90, 100, 20}));
  EXPECT_EQ(spreadApart({1, 1}, 10, 0, 100), (std::vector<double>{0, 10}));
}

TEST(ChartValues, AreOnTheStraightStrokeThatIsDrawn) {
  Curve curve;
  curve.points = {{1, {100, 0, 0, Estimate::Kind::none}, true},
                  {5, {300, 0, 0, Estimate::Kind::none}, true}};
  EXPECT_DOUBLE_EQ(*valueAt(curve, 2, {}), 150);
  EXPECT_DOUBLE_EQ(*valueAt(curve, 5, {}), 300);
  EXPECT_FALSE(valueAt(curve, 6, {}));
  // A product of matrices, width by width: twice as wide takes eight times as long.
  curve.points = {{256, {1e6, 0, 0, Estimate::Kind::none}, true},
                  {1024, {64e6, 0, 0, Estimate::Kind::none}, true}};
  EXPECT_NEAR(*valueAt(curve, 512, {true, true}), 8e6, 1);
  EXPECT_NEAR(*valueAt(curve, 512, {true, false}), 32.5e6, 1) << "half of the way";
  EXPECT_NEAR(*valueAt(curve, 640, {false, true}), 8e6, 1);
}

TEST_F(Window, ATabRoundComesByEveryControl) {
  finishARun();
  window->workbench().showView("chart");
  const QSet<QWidget*> round = focusRound();
  const auto& chart = window->workbench().view<ChartView>();
  EXPECT_TRUE(round.contains(const_cast<ChartView*>(&chart)));
  QStringList missing;
  for (QWidget* part : {static_cast<QWidget*>(&chart.bar()),
                        static_cast<QWidget*>(&window->workbench().view<CanvasView>())})
    for (QWidget* control : part->findChildren<QWidget*>())
      if (control->isVisible() && control->isEnabled() &&
          (qobject_cast<QToolButton*>(control) || qobject_cast<QTabBar*>(control)) &&
          !round.contains(control))
        missing << control->accessibleName();
  EXPECT_TRUE(missing.isEmpty()) << missing.join(u", ").toStdString();
  for (QTabBar* tabs : window->findChildren<QTabBar*>())
    EXPECT_TRUE(!tabs->isVisible() || round.contains(tabs)) << tabs->accessibleName().toStdString();
  EXPECT_TRUE(round.contains(window->workbench().view<ResultsView>().findChild<QTableView*>()));
}

TEST_F(Window, EveryPartShowsThatItHasTheKeyboard) {
  const auto* ring = window->workbench().findChild<FocusRing*>();
  if (!ring) ring = window->findChild<FocusRing*>();
  ASSERT_TRUE(ring);
  EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
  finishARun();
  for (const char* view : {"canvas", "code", "chart", "results"}) {
    window->workbench().showView(QLatin1String(view), true);
    QApplication::processEvents();
    QWidget* focused = QApplication::focusWidget();
    ASSERT_TRUE(focused) << view;
    EXPECT_TRUE(ring->part() == focused || qobject_cast<QLineEdit*>(focused)) << view;
  }
}

}  // namespace
}  // namespace fusebench
