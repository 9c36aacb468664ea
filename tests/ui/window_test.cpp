// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/main_window.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/ui/synthetic.h"
#include "ui/models/comparison.h"
#include "ui/views/banner.h"
#include "ui/views/chart_view.h"
#include "ui/views/insights_view.h"
#include "ui/views/lesson_view.h"
#include "ui/views/results_view.h"
#include "ui/views/status_bar.h"

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
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs);
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

TEST_F(Window, OpensOnTheMainStudyAndSaysWhatRunWillShow) {
  EXPECT_EQ(window->programModel().statementCount(), 30);
  EXPECT_EQ(window->programModel().index(0).data().toString(), "x = x + 0.1");
  EXPECT_TRUE(window->chart().emptyCard().isVisible());
  EXPECT_TRUE(window->actions().run->isEnabled());
  EXPECT_FALSE(window->actions().stop->isEnabled());
  EXPECT_FALSE(window->banner().isVisible());
}

TEST_F(Window, TheButtonOfTheEmptyStateRunsTheStudy) {
  window->chart().emptyCard().findChild<QPushButton*>()->click();
  EXPECT_TRUE(window->controller().busy());
  ASSERT_TRUE(ended());
  EXPECT_FALSE(window->chart().emptyCard().isVisible());
}

TEST_F(Window, CtrlRRunsAndFillsCurvesTableAndFindings) {
  press(Qt::Key_R, Qt::ControlModifier);
  EXPECT_TRUE(window->controller().busy());
  EXPECT_FALSE(window->actions().run->isEnabled());
  ASSERT_TRUE(ended());
  ASSERT_TRUE(QTest::qWaitFor([this] { return window->analysisModel().upToDate(); }, 20'000));
  ASSERT_EQ(window->chart().measured().curves().size(), 3u);
  for (const Curve& curve : window->chart().measured().curves()) EXPECT_EQ(curve.points.size(), 7u);
  EXPECT_EQ(window->results().table().model()->rowCount(), 21);
  bool breakEven = false;
  for (const QLabel* label : window->insights().findChildren<QLabel*>())
    breakEven |= label->text().startsWith("static: ahead from 5.");
  EXPECT_TRUE(breakEven);
  EXPECT_TRUE(window->status().text().startsWith("Finished: 21 cells"));
}

TEST_F(Window, EscapeStopsKeepsThePointsAndOffersToGoOn) {
  study->rounds = 100'000;
  window->run();
  ASSERT_TRUE(measuring());
  press(Qt::Key_Escape);
  ASSERT_TRUE(ended());
  EXPECT_FALSE(window->chart().measured().curves()[0].points.empty());
  ASSERT_TRUE(window->banner().remedy().isVisible());
  EXPECT_EQ(window->banner().remedy().text(), "Go on");
  study->rounds = 3;
  window->banner().remedy().click();
  ASSERT_TRUE(ended());
  EXPECT_TRUE(study->continued);
}

TEST_F(Window, AKilledWorkerIsSaidItsPointsKeptAndANewOneOffered) {
  study->loseWorkerAtRound = 6;
  window->run();
  ASSERT_TRUE(ended());
  EXPECT_EQ(window->controller().state(), State::failed);
  EXPECT_TRUE(window->banner().isVisible());
  EXPECT_TRUE(window->banner().text().contains("killed"));
  EXPECT_EQ(window->chart().measured().curves()[0].points.size(), 7u);
  ASSERT_EQ(window->banner().remedy().text(), "Go on with a new worker");
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
  EXPECT_TRUE(qApp->styleSheet().contains(lightTheme().accent.name()));
  press(Qt::Key_T, Qt::ControlModifier);
  EXPECT_EQ(QApplication::palette().color(QPalette::Window), darkTheme().window);
}

TEST_F(Window, F1TogglesTheLesson) {
  EXPECT_TRUE(window->lesson().isVisible());
  press(Qt::Key_F1);
  EXPECT_FALSE(window->lesson().isVisible());
  EXPECT_FALSE(settings.showLesson());
}

TEST_F(Window, TheLessonOfTheMainStudyIsShown) {
  EXPECT_TRUE(window->lesson().toPlainText().contains("What to look at"));
  EXPECT_TRUE(window->lesson().toPlainText().contains("What to change"));
  EXPECT_TRUE(window->lesson().toPlainText().contains("What to expect"));
}

TEST_F(Window, ABadFileShowsOneBannerAndLosesNothing) {
  finishARun();
  const QString before = window->windowTitle();
  EXPECT_FALSE(window->openFile(write("bad.json", "nonsense")));
  EXPECT_TRUE(window->banner().isVisible());
  EXPECT_TRUE(window->banner().text().contains("bad.json"));
  EXPECT_FALSE(window->banner().text().contains('\n'));
  EXPECT_EQ(window->results().table().model()->rowCount(), 21);
  EXPECT_EQ(window->windowTitle(), before);
  EXPECT_EQ(asked, 0);
}

TEST_F(Window, AMissingFileAndABadRunAreSaidToo) {
  EXPECT_FALSE(window->openFile(folder.filePath("absent.json")));
  EXPECT_TRUE(window->banner().text().contains("absent.json"));
  EXPECT_FALSE(window->openFile(write("bad.jsonl", "{\"fusebench\":\"run\"\n")));
  EXPECT_TRUE(window->banner().text().contains("bad.jsonl"));
  EXPECT_TRUE(window->chart().emptyCard().isVisible());
}

TEST_F(Window, ASavedRunOpensAgainWithItsPoints) {
  finishARun();
  toSave = folder.filePath("mine.jsonl");
  press(Qt::Key_S, Qt::ControlModifier);
  EXPECT_EQ(suggested, "fusion-against-launches.jsonl");
  EXPECT_FALSE(window->runModel().unsaved());
  window->openMainStudy();
  EXPECT_EQ(window->runModel().run(), nullptr);
  toOpen = toSave;
  press(Qt::Key_O, Qt::ControlModifier);
  EXPECT_FALSE(window->banner().isVisible()) << window->banner().text().toStdString();
  ASSERT_TRUE(window->runModel().run());
  EXPECT_EQ(sampleCount(*window->runModel().run()), 21u * 32u);
  EXPECT_EQ(window->chart().measured().curves()[2].points.size(), 7u);
  EXPECT_FALSE(window->runModel().unsaved());
  EXPECT_EQ(asked, 0);
}

TEST_F(Window, ASavedExperimentOpensAgain) {
  toSave = folder.filePath("mine.json");
  window->save();
  ASSERT_TRUE(QFile::exists(toSave));
  EXPECT_TRUE(window->openFile(toSave)) << window->banner().text().toStdString();
  EXPECT_EQ(window->programModel().statementCount(), 30);
}

TEST_F(Window, APlaceThatCannotBeWrittenIsSaidAndTheRunStaysUnsaved) {
  finishARun();
  toSave = folder.filePath("no/such/folder/run.jsonl");
  window->save();
  EXPECT_TRUE(window->banner().isVisible());
  EXPECT_TRUE(window->runModel().unsaved());
}

TEST_F(Window, ClosingAsksOnceAboutUnsavedResultsAndCanBeCancelled) {
  finishARun();
  answer = Dialogs::Unsaved::cancel;
  EXPECT_FALSE(window->close());
  EXPECT_EQ(asked, 1);
  answer = Dialogs::Unsaved::discard;
  EXPECT_TRUE(window->close());
  EXPECT_EQ(asked, 2);
}

TEST_F(Window, RunningAnewAsksBeforeUnsavedResultsGo) {
  finishARun();
  answer = Dialogs::Unsaved::cancel;
  window->run();
  EXPECT_FALSE(window->controller().busy());
  EXPECT_EQ(study->started, 1);
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
  emit window->chart().hovered(10);
  EXPECT_EQ(window->programModel().activeCount(), 10);
  ASSERT_TRUE(window->chart().readout().isVisible());
  for (const char* part : {"10 statements", "eager", "static", "dynamic", "baseline"})
    EXPECT_TRUE(window->chart().readout().text().contains(part)) << part;
  emit window->chart().hovered(std::nan(""));
  EXPECT_EQ(window->programModel().activeCount(), 0);
  EXPECT_FALSE(window->chart().readout().isVisible());
}

TEST_F(Window, AMouseOverTheChartFindsTheNearestPlace) {
  finishARun();
  auto* plot = window->chart().findChild<QCustomPlot*>();
  const QRect area = window->chart().measured().rect().rect();
  QTest::mouseMove(plot, QPoint(static_cast<int>(window->chart().measured().pixelOf(20)) + 3,
                                area.center().y()));
  EXPECT_TRUE(QTest::qWaitFor([this] { return window->chart().cursorValue() == 20.0; }, 5'000));
}

TEST_F(Window, ArrowKeysWalkAlongTheAxis) {
  finishARun();
  window->chart().setFocus();
  QTest::keyClick(&window->chart(), Qt::Key_Right);
  EXPECT_EQ(window->chart().cursorValue(), 1.0);
  QTest::keyClick(&window->chart(), Qt::Key_Right);
  EXPECT_EQ(window->chart().cursorValue(), 5.0);
  QTest::keyClick(&window->chart(), Qt::Key_Left);
  EXPECT_EQ(window->chart().cursorValue(), 1.0);
}

TEST_F(Window, PublishedCurvesStandBesideOnAxesOfTheirOwn) {
  finishARun();
  EXPECT_FALSE(window->chart().publishedShown());
  settings.setShowPublished(true);
  ASSERT_TRUE(window->chart().publishedShown());
  QTest::qWait(50);
  const QRect mine = window->chart().measured().rect().rect();
  EXPECT_GT(mine.width(), 150);
  EXPECT_EQ(window->chart().measured().curves().size(), 3u);
}

TEST_F(Window, EveryControlHasANameAndRoomForItsText) {
  finishARun();
  QTest::qWait(50);
  for (const QAbstractButton* button : window->findChildren<QAbstractButton*>()) {
    if (!button->isVisible() || button->inherits("QTableCornerButton")) continue;
    EXPECT_FALSE(button->accessibleName().isEmpty() && button->text().isEmpty())
        << button->objectName().toStdString();
    EXPECT_GE(button->width(), button->minimumSizeHint().width()) << button->text().toStdString();
  }
  const QTableView& table = window->results().table();
  for (int column = 0; column < table.model()->columnCount(); ++column)
    EXPECT_GE(table.columnWidth(column),
              table.sizeHintForIndex(table.model()->index(0, column)).width());
}

TEST_F(Window, TheResultsFitAcrossTheWindowAtItsUsualSize) {
  finishARun();
  window->resize(1280, 800);
  QTest::qWait(50);
  const QTableView& table = window->results().table();
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

TEST(ChartValues, AreInterpolatedLinearlyAsBreakEvensAre) {
  Curve curve;
  curve.points = {{1, {100, 0, 0, Estimate::Kind::none}, true},
                  {5, {300, 0, 0, Estimate::Kind::none}, true}};
  EXPECT_DOUBLE_EQ(*CurvePlot::valueAt(curve, 2), 150);
  EXPECT_DOUBLE_EQ(*CurvePlot::valueAt(curve, 5), 300);
  EXPECT_FALSE(CurvePlot::valueAt(curve, 6));
}

}  // namespace
}  // namespace fusebench
