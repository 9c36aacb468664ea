// SPDX-License-Identifier: GPL-3.0-or-later
// The window's cursor, and how runs come and go with edits, files and other runs.
#include <gtest/gtest.h>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>

#include "tests/ui/events.h"
#include "tests/ui/local_worker.h"
#include "tests/ui/synthetic.h"
#include "ui/models/results/comparison.h"
#include "ui/models/setup/axis_choice.h"
#include "ui/models/setup/settings_edits.h"
#include "ui/views/base/banner.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_view.h"
#include "ui/views/code/code_editor.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/runs/runs_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

class RunsOfAWindow : public testing::Test {
 protected:
  RunsOfAWindow() {
    dialogs.openFile = [](QWidget*, const QString&) { return QString(); };
    dialogs.saveFile = [this](QWidget*, const QString&, const QString&) { return toSave; };
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    settings.setExplore(false);
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    StudyOptions options;
    options.connect = [] { return std::unique_ptr<WorkerConnection>(); };  // the runner needs none
    window->setOptions(options);
    window->openMainStudy();
    window->resize(1280, 800);  // with room for all of its parts
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
  }
  ~RunsOfAWindow() override { study->rounds = 0; }

  void finishARun() {
    window->run();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000));
    const int before = kept;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return window->library().rowCount() > before && !window->library().busy(); },
        10'000));
    kept = window->library().rowCount();
  }
  QString keptPath(int row) {
    return window->library().index(row).data(RunLibrary::PathRole).toString();
  }
  void chooseElements() {
    window->document().edit("Sweep elements", {},
                            [](Experiment& e) { chooseAxis(e, 0, "elements"); });
  }
  CanvasView& canvas() { return window->workbench().view<CanvasView>(); }
  ChartView& chart() { return window->workbench().view<ChartView>(); }
  int drawn() { return canvas().surface().graph().ops; }
  void pinAt(double x) {
    chart().setPin(x);
    emit chart().picked(x);
  }
  void type(const char* body) {
    window->document().setText("Type", {},
                               std::string("def program(x):\n") + body + "\n    return x.sum()");
  }

  void typeALongProgram() {
    std::string body = "    x = x + 1";
    for (int i = 0; i < 1200; ++i) body += "\n    x = x + 0.125";
    type(body.c_str());
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  QString toSave;
  int kept = 0;
  test::Workers workers;  ///< outlive the window
  std::unique_ptr<MainWindow> window;
};

TEST_F(RunsOfAWindow, ANewChainIsDrawnAsItIsWritten) {
  finishARun();
  pinAt(30);
  ASSERT_EQ(drawn(), 30 + 3 + 1);  // three of the statements hold two ops; and the sum
  window->newChain();
  EXPECT_FALSE(chart().pin());
  canvas().appendOp(findOp("exp"));
  EXPECT_EQ(drawn(), 2);
  EXPECT_EQ(canvas().kernels().launches(), 2);
}

TEST_F(RunsOfAWindow, AnotherNameMeasuresNothingAnewAndIsShown) {
  finishARun();
  const int started = study->started;
  window->document().edit("Rename", {}, [](Experiment& e) { renameVariant(e, 1, "fused"); });
  EXPECT_EQ(window->runModel().run()->experiment.variants[1].name, "fused");
  EXPECT_EQ(window->runModel().run()->cells[1].samples.size(), 32u);
  test::handleEvents();
  EXPECT_NE(window->explore().state(), ExploreController::State::waiting);
  EXPECT_EQ(study->started, started);
}

TEST_F(RunsOfAWindow, WhatWasShownStaysFaintUntilTheNewRunHasSomethingEverywhere) {
  finishARun();
  study->millisecondsPerRound = 200;
  std::size_t most = 0;
  QObject::connect(&window->runModel(), &RunModel::runReset, window.get(), [&] {
    most = std::max(most, chart().overlayCount());  // the window has heard of it before
  });
  window->run();
  ASSERT_TRUE(QTest::qWaitFor([&] { return most > 0; }, 10'000));
  ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 20'000));
  EXPECT_EQ(chart().overlayCount(), 0u);
}

TEST_F(RunsOfAWindow, ColumnsHideAndComeBackWithAViewThatIsAskedFor) {
  Workbench& views = window->workbench();
  views.setHidden(Workbench::Region::right, true);
  EXPECT_FALSE(views.view<RunsView>().isVisibleTo(window.get()));
  views.showView("runs");
  EXPECT_TRUE(views.view<RunsView>().isVisibleTo(window.get()));
  views.setFocusMode(true);
  EXPECT_FALSE(canvas().isVisibleTo(window.get()));
  EXPECT_FALSE(views.view<ResultsView>().isVisibleTo(window.get()));
  EXPECT_TRUE(chart().isVisibleTo(window.get()));
  window->actions().focus->trigger();
  EXPECT_TRUE(canvas().isVisibleTo(window.get()));
  EXPECT_TRUE(views.view<ResultsView>().isVisibleTo(window.get()));
}

TEST_F(RunsOfAWindow, AProgramThatIsNoChainIsOfferedItsSize) {
  window->newChain();
  type("    m = torch.exp(x)\n    x = m * x\n    x = x + m");
  EXPECT_TRUE(window->banner().text().contains("Sweep the size"));
  window->banner().remedy().click();
  EXPECT_EQ(window->document().experiment().axes[0].name, "elements");
  EXPECT_TRUE(window->document().runnable());
}

TEST_F(RunsOfAWindow, APlaceOnAnotherAxisSaysNothingOfStatements) {
  chooseElements();
  finishARun();
  const int written = drawn();
  pinAt(65536);
  EXPECT_EQ(drawn(), written);
  EXPECT_EQ(chart().pin(), 65536.0);
}

TEST_F(RunsOfAWindow, EscapeLetsGoOfThePinOnChartAndCanvas) {
  finishARun();
  const int written = drawn();
  pinAt(30);
  ASSERT_NE(drawn(), written);
  QTest::keyClick(&chart(), Qt::Key_Escape);
  EXPECT_FALSE(chart().pin());
  EXPECT_EQ(drawn(), written);
  pinAt(30);
  canvas().surface().select({}, -1);
  QTest::keyClick(&canvas().surface(), Qt::Key_Escape);
  EXPECT_FALSE(chart().pin());
  EXPECT_EQ(drawn(), written);
}

TEST_F(RunsOfAWindow, APinOutlivesAnotherRunOfTheSameAxisAndNoOther) {
  finishARun();
  emit window->workbench().view<ResultsView>().picked(
      30);  // from the table: the chart has the line, too
  EXPECT_EQ(chart().pin(), 30.0);
  finishARun();
  EXPECT_EQ(chart().pin(), 30.0);
  chooseElements();
  EXPECT_EQ(canvas().kernels().launches(), canvas().surface().graph().ops);
  finishARun();
  EXPECT_FALSE(chart().pin());
}

TEST_F(RunsOfAWindow, AMapOfElementsLacksStatementsAndTheButtonGivesThem) {
  chooseElements();
  const int entries = window->document().experiment().inputSets[0].count;
  emit window->workbench().view<MapView>().secondAxisRequested();
  const Experiment& now = window->document().experiment();
  ASSERT_EQ(now.axes.size(), 2u);
  EXPECT_EQ(now.axes[1].name, "statements");
  EXPECT_EQ(now.inputSets[0].count, entries);
  EXPECT_TRUE(window->document().runnable());
  window->document().undo();
  EXPECT_EQ(window->document().experiment().axes.size(), 1u);
}

TEST_F(RunsOfAWindow, WhatASecondAxisDoesToTheInputsIsSaidAndCanBeUndone) {
  const std::string before = toJson(window->document().experiment());
  emit window->workbench().view<MapView>().secondAxisRequested();
  EXPECT_TRUE(window->banner().text().contains("one tensor"))
      << window->banner().text().toStdString();
  EXPECT_EQ(window->document().undoName(), "Sweep elements, too");
  ASSERT_EQ(window->banner().remedy().text(), "Undo");
  window->banner().remedy().click();
  EXPECT_EQ(toJson(window->document().experiment()), before);
}

TEST_F(RunsOfAWindow, AnOverlayOfAnotherAxisSaysWhyItHasNoCurve) {
  finishARun();
  chooseElements();
  finishARun();
  window->library().toggleOverlay(keptPath(0));
  EXPECT_TRUE(window->banner().isVisible());
  EXPECT_TRUE(window->banner().text().contains("sweeps statements, not elements"))
      << window->banner().text().toStdString();
  bool said = false;
  for (const LegendEntry* entry : chart().legend().findChildren<LegendEntry*>())
    said |= entry->item().name.contains("sweeps statements, not elements");
  EXPECT_TRUE(said);
}

TEST_F(RunsOfAWindow, OverlaysEndWithTheChartTheyWereLaidOver) {
  finishARun();
  window->library().toggleOverlay(keptPath(0));
  ASSERT_EQ(window->library().overlays().size(), 1);
  emit window->workbench().view<RunsView>().openRequested(keptPath(0));
  EXPECT_EQ(window->library().overlays().size(), 1) << "of the same axis";
  window->newChain();
  EXPECT_TRUE(window->library().overlays().isEmpty());
  EXPECT_LT(chart().measured().shownX().high, 5) << "the axis of one statement";
}

TEST_F(RunsOfAWindow, UndoShowsTheFullRunAgainAndRedoTheOther) {
  settings.setExplore(true);
  finishARun();
  const std::string first = window->runModel().run()->experiment.programText;
  type("    x = x + 1");
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return window->explore().state() == ExploreController::State::finished; }, 10'000));
  const int started = study->started;
  window->document().undo();
  ASSERT_TRUE(window->runModel().run());
  EXPECT_EQ(window->runModel().run()->experiment.programText, first);
  EXPECT_EQ(sampleCount(*window->runModel().run()), 21u * 32u);
  test::handleEvents();
  EXPECT_NE(window->explore().state(), ExploreController::State::waiting);
  EXPECT_EQ(study->started, started);
  window->document().redo();
  EXPECT_NE(window->runModel().run()->experiment.programText, first);
}

TEST_F(RunsOfAWindow, AnExplorationThatAnEditInterruptsIsNoStoppedStudy) {
  finishARun();
  settings.setExplore(true);
  study->rounds = 100'000;
  type("    x = x + 1");
  ASSERT_TRUE(QTest::qWaitFor([this] { return window->explore().active(); }, 10'000));
  ASSERT_TRUE(QTest::qWaitFor(
      [this] {
        const fusebench::Run* run = window->runModel().run();
        return run && run->experiment.programText.find("x + 1") != std::string::npos &&
               sampleCount(*run) > 0;
      },
      10'000));
  type("    x = x +");
  type("    x = x + 2");
  EXPECT_FALSE(window->banner().isVisible()) << window->banner().text().toStdString();
}

TEST_F(RunsOfAWindow, ACompleteMeasurementEndsTheOfferToGoOn) {
  finishARun();
  study->rounds = 100'000;
  type("    x = x + 1");
  window->run();
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return window->runModel().run() && sampleCount(*window->runModel().run()) > 0; },
      10'000));
  window->controller().stop();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000));
  ASSERT_TRUE(window->banner().isVisible());
  window->document().undo();  // to what the first run measured
  EXPECT_EQ(sampleCount(*window->runModel().run()), 21u * 32u);
  EXPECT_FALSE(window->banner().isVisible());
}

TEST_F(RunsOfAWindow, AFileGivesItsNameToWhatHasNoTitle) {
  window->newChain();
  type("    x = x + 1");
  toSave = folder.filePath("mychain.json");
  ASSERT_TRUE(window->save());
  EXPECT_EQ(window->document().experiment().title, "mychain");
  EXPECT_FALSE(window->document().modified());
  EXPECT_EQ(loadExperiment(toSave.toStdString()).title, "mychain");
  finishARun();
  EXPECT_EQ(window->library().index(0).data().toString(), "mychain");
}

TEST_F(RunsOfAWindow, ARunOfTheFilesExperimentLeavesTheFile) {
  toSave = folder.filePath("mine.json");
  ASSERT_TRUE(window->saveAs());
  finishARun();
  const QString run = keptPath(0);
  ASSERT_TRUE(window->openFile(run));
  EXPECT_EQ(window->document().path(), toSave);
  type("    x = x + 1");  // and still, after an edit that is discarded
  emit window->workbench().view<RunsView>().openRequested(run);
  EXPECT_EQ(window->document().path(), toSave);
  EXPECT_EQ(window->document().experiment().program.statements.size(), 20u);
  EXPECT_FALSE(window->document().modified());
}

TEST_F(RunsOfAWindow, AQuickRunIsCalledOne) {
  settings.setQuick(true);
  finishARun();
  EXPECT_TRUE(window->library().index(0).data(RunLibrary::DetailRole).toString().endsWith("quick"));
}

TEST_F(RunsOfAWindow, ARunBeginsOnceTheEditsBeforeItHaveBeenMadeAndRead) {
  typeALongProgram();
  ASSERT_TRUE(window->document().reading());
  canvas().appendOp(findOp("exp"));
  const int started = study->started;
  window->run();
  EXPECT_EQ(study->started, started);
  ASSERT_TRUE(QTest::qWaitFor([&] { return study->started > started; }, 60'000));
  EXPECT_TRUE(window->document().isSettled());
  ASSERT_TRUE(QTest::qWaitFor([&] { return window->runModel().run() != nullptr; }, 60'000));
  EXPECT_NE(window->runModel().run()->experiment.programText.find("torch.exp"), std::string::npos);
}

TEST_F(RunsOfAWindow, GeneratedCodeIsWrittenToAFile) {
  toSave = folder.filePath("kernel.s");
  emit window->workbench().view<GeneratedCodeView>().saveWanted("static-kernel-1.s",
                                                                "kernel:\n  retq");
  QFile file(toSave);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll(), "kernel:\n  retq\n");
}

TEST_F(RunsOfAWindow, ProgramAndGeneratedCodeHaveTheSameColorsWhileTheCodeIsShown) {
  StudyOptions options;
  options.connect = [this] { return std::make_unique<test::LocalWorker>(workers); };
  window->setOptions(options);
  const CodeEditor& source = window->workbench().view<CodePane>().editor();
  EXPECT_TRUE(source.statements().empty());
  window->workbench().showView("generated");
  EXPECT_FALSE(source.statements().empty());
  window->workbench().showView("chart");
  EXPECT_TRUE(source.statements().empty());
}

TEST_F(RunsOfAWindow, ARunThatWaitsIsForgottenByStop) {
  typeALongProgram();
  ASSERT_TRUE(window->document().reading());
  const int started = study->started;
  window->run();
  const auto actions = window->findChildren<QAction*>();
  const auto stop = std::ranges::find(actions, QKeySequence(Qt::Key_Escape), &QAction::shortcut);
  ASSERT_NE(stop, actions.end());
  ASSERT_TRUE((*stop)->isEnabled());
  (*stop)->trigger();
  ASSERT_TRUE(QTest::qWaitFor([&] { return window->document().isSettled(); }, 60'000));
  test::handleEvents();
  EXPECT_EQ(study->started, started);
}

}  // namespace
}  // namespace fusebench
