// SPDX-License-Identifier: GPL-3.0-or-later
// The controllers on models alone: no window is made.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <optional>
#include <vector>

#include "profiler/files/files.h"
#include "tests/support/built_paths.h"
#include "tests/ui/patience.h"
#include "tests/ui/synthetic.h"
#include "ui/models/results/comparison.h"
#include "ui/models/setup/documents.h"
#include "ui/views/window/files_controller.h"
#include "ui/views/window/launches_controller.h"

namespace fusebench {
namespace {

class Controllers : public testing::Test {
 protected:
  Controllers() {
    dialogs.openFile = [this](QWidget*, const QString&) { return toOpen; };
    dialogs.saveFile = [this](QWidget*, const QString&, const QString&) { return toSave; };
    dialogs.unsaved = [this](QWidget*, const QString&) {
      ++asked;
      return answer;
    };
    models.explore.setEnabled(false);
    QObject::connect(&models.messages, &Messages::said,
                     [this](Tone tone, const QString& text, const QString& button) {
                       said << text;
                       tones.push_back(tone);
                       buttons << button;
                     });
    QObject::connect(&files, &FilesController::viewWanted,
                     [this](const QString& key) { wanted << key; });
    QObject::connect(&runs, &RunsController::viewWanted,
                     [this](const QString& key) { wanted << key; });
  }
  void edit() {
    models.document.edit("Rename", {}, [](Experiment& experiment) { experiment.title = "Mine"; });
  }
  QString path(const char* name) const { return folder.filePath(name); }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  WindowModels models{settings, test::fakeRunner(study), folder.filePath("data")};
  Dialogs dialogs;
  DocumentKeeper keeper{
      models,
      {[this](QWidget* over, const QString& at) { return dialogs.openFile(over, at); },
       [this](QWidget* over, const QString& name, const QString& filter) {
         return dialogs.saveFile(over, name, filter);
       },
       [this](QWidget* over, const QString& question) { return dialogs.unsaved(over, question); },
       {},
       [this](QWidget* over, const QString& question) {
         return !dialogs.measure || dialogs.measure(over, question);
       }},
      nullptr};
  DevicesController devices{models};
  RunsController runs{models, keeper, devices};
  FilesController files{models, keeper, runs};
  QString toOpen, toSave;
  Dialogs::Unsaved answer = Dialogs::Unsaved::cancel;
  int asked = 0;
  QStringList said, buttons, wanted;
  std::vector<Tone> tones;
};

TEST_F(Controllers, EditsThatNobodySavedStayUntilThePersonLetsThemGo) {
  ASSERT_TRUE(files.openMainStudy());
  edit();
  files.newChain();
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(models.document.experiment().title, "Mine");
  EXPECT_TRUE(wanted.isEmpty());
  answer = Dialogs::Unsaved::discard;
  files.newChain();
  EXPECT_EQ(models.document.experiment().title, DocumentModel::blank().title);
  EXPECT_EQ(wanted, QStringList{"canvas"});
}

TEST_F(Controllers, APartOfAModelOpensAndTheModelComesBack) {
  Experiment model = DocumentModel::blank();
  model.title = "Model";
  model.programText =
      "def f(x):\n"
      "    h = torch.ops.aten.relu.default(x)\n"
      "    h = torch.ops.aten.exp.default(h)\n"
      "    h = torch.ops.aten.tanh.default(h)\n"
      "    return torch.ops.aten.abs.default(h)\n";
  CapturedModel capture;
  capture.modules = {"", "stem", "layers.0"};
  capture.sources = {""};
  capture.nodes = {{0, 2, 1, 0}, {0, 3, 2, 0}, {0, 4, 2, 0}, {0, 5, 0, 0}};
  model.capture = capture;
  saveExperiment(model, path("model.json").toStdString());
  ASSERT_TRUE(files.open(path("model.json"))) << said.join('\n').toStdString();
  QSignalSpy opened(&files, &FilesController::opened);
  const auto openPart = [&](const QString& module) {
    files.openPart(module);
    return opened.wait(60'000);
  };
  ASSERT_TRUE(openPart("layers.9"));
  EXPECT_EQ(tones.back(), Tone::error);
  EXPECT_TRUE(said.back().contains("layers.9")) << said.back().toStdString();
  EXPECT_EQ(models.document.path(), path("model.json"));

  edit();
  ASSERT_TRUE(openPart("layers.0"));
  EXPECT_EQ(asked, 1) << "the edit is not saved; " << said.back().toStdString();
  EXPECT_EQ(models.document.experiment().title, "Mine");
  answer = Dialogs::Unsaved::discard;
  ASSERT_TRUE(openPart("layers.0"));
  const std::string part = models.document.experiment().programText;
  EXPECT_NE(part.find("tanh"), std::string::npos) << part;
  EXPECT_EQ(part.find("relu"), std::string::npos) << part;
  EXPECT_TRUE(models.document.path().isEmpty());
  EXPECT_TRUE(models.document.modified()) << "no file has it";
  EXPECT_EQ(buttons.back(), "Back to the model");
  EXPECT_EQ(models.messages.take(), Remedy::openWhole);
  asked = 0;
  files.openWhole();
  EXPECT_EQ(asked, 0) << "the part was not changed";
  EXPECT_EQ(models.document.experiment().title, "Mine");
  EXPECT_EQ(models.document.path(), path("model.json"));
  EXPECT_TRUE(models.document.modified());
}

TEST_F(Controllers, OperatorsOfATraceBecomeAnExperimentOnceEditsMayGo) {
  QSignalSpy executions(&files, &FilesController::executionTraceGiven),
      traces(&files, &FilesController::traceGiven);
  EXPECT_TRUE(files.open(QString::fromStdString(
      test::sourcePath("/tests/profiler/execution_traces/torch_2_15_mlp.json.gz"))));
  EXPECT_EQ(executions.size(), 1);
  EXPECT_EQ(traces.size(), 0);
  ASSERT_TRUE(files.openMainStudy());
  edit();
  Experiment made = DocumentModel::blank();
  made.title = "operators 3 to 9";
  files.openMade(made, "operators 3 to 9");
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(models.document.experiment().title, "Mine");
  answer = Dialogs::Unsaved::discard;
  files.openMade(made, "operators 3 to 9");
  EXPECT_EQ(models.document.experiment().title, "operators 3 to 9");
  EXPECT_TRUE(models.document.path().isEmpty());
  EXPECT_TRUE(models.document.modified()) << "no file has it";
  EXPECT_EQ(wanted, QStringList{"canvas"});
}

TEST_F(Controllers, APackedCompileLogIsNoTrace) {
  QSignalSpy logs(&files, &FilesController::compileLogGiven),
      traces(&files, &FilesController::traceGiven);
  EXPECT_TRUE(files.open(QString::fromStdString(
      test::sourcePath("/tests/profiler/compile_logs/torch_2_15_trace.log.gz"))));
  EXPECT_EQ(logs.size(), 1);
  EXPECT_EQ(traces.size(), 0);
}

TEST_F(Controllers, AFileThatMakesAModelIsNotExecutedWhenItIsOpened) {
  QSignalSpy given(&files, &FilesController::modelGiven);
  for (const char* name : {"model.py", "model.PT2"}) EXPECT_TRUE(files.open(path(name)));
  ASSERT_EQ(given.size(), 2);
  EXPECT_EQ(given[0][0].toString(), path("model.py"));
  EXPECT_FALSE(files.opening());
  EXPECT_TRUE(said.isEmpty());
}

TEST_F(Controllers, AFileThatCannotBeWrittenOffersAnother) {
  ASSERT_TRUE(files.openMainStudy());
  toSave = path("missing/one.json");
  EXPECT_FALSE(keeper.save());
  ASSERT_EQ(said.size(), 1);
  EXPECT_EQ(tones[0], Tone::error);
  EXPECT_EQ(buttons[0], "Save elsewhere");
  EXPECT_EQ(models.messages.take(), Remedy::saveElsewhere);
  EXPECT_EQ(models.messages.take(), Remedy::none) << "a remedy is taken once";
  toSave = path("one.json");
  EXPECT_TRUE(keeper.save());
  EXPECT_FALSE(models.document.modified());
  EXPECT_EQ(settings.recentFiles(), QStringList{toSave});
}

/// However it came: by the command line, dropped, from the list of the latest ones.
TEST_F(Controllers, WhatLiesBesideAFileIsLookedForBesideIt) {
  ASSERT_TRUE(files.openMainStudy());
  EXPECT_TRUE(settings.folder().isEmpty()) << "the program's own files lie where nobody saves";
  QDir(folder.path()).mkdir("mine");
  const QString mine = path("mine/trace.json");
  QFile file(mine);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(R"({"traceEvents": []})");
  file.close();
  EXPECT_TRUE(files.open(mine));
  EXPECT_EQ(settings.folder(), path("mine"));
  files.open(path("nowhere/trace.json"));
  EXPECT_EQ(settings.folder(), path("mine"));
}

TEST_F(Controllers, ALargeFileIsOpenedOutsideTheWindowsThread) {
  ASSERT_TRUE(files.openMainStudy());
  Experiment large = test::syntheticExperiment();
  large.title = "Large";
  large.note = std::string(300'000, 'n');
  saveExperiment(large, path("large.json").toStdString());
  QSignalSpy opened(&files, &FilesController::opened);
  EXPECT_TRUE(files.open(path("large.json")));
  EXPECT_TRUE(files.opening());
  EXPECT_NE(models.document.experiment().title, "Large");
  ASSERT_TRUE(opened.wait(60'000));
  EXPECT_EQ(models.document.experiment().title, "Large");
  EXPECT_EQ(models.document.path(), path("large.json"));
  // The newest one that is asked for is shown.
  EXPECT_TRUE(files.open(path("large.json")));
  EXPECT_TRUE(files.opening());
  ASSERT_TRUE(files.openMainStudy());
  EXPECT_FALSE(files.opening());
  EXPECT_NE(models.document.experiment().title, "Large");
}

TEST_F(Controllers, AFileWithAHostileProgramIsOpenedOutsideTheWindowsThread) {
  test::usualPatience();
  ASSERT_TRUE(files.openMainStudy());
  std::string text = "def program(x):\n";
  for (int i = 0; i < 40; ++i)
    text += "    a = [[j * k for j in range(300)] for k in range(300)]\n";
  Experiment hostile = test::syntheticExperiment();
  hostile.title = "Hostile";
  hostile.programText = text + "    return x";
  saveExperiment(hostile, path("hostile.json").toStdString());
  QSignalSpy opened(&files, &FilesController::opened);
  EXPECT_TRUE(files.open(path("hostile.json")));
  EXPECT_TRUE(files.opening());
  ASSERT_TRUE(opened.wait(120'000));
  EXPECT_EQ(models.document.experiment().title, "Hostile");
  EXPECT_TRUE(models.document.reading());
}

class LargeRuns : public Controllers {
 protected:
  LargeRuns() {
    fusebench::Run run = test::syntheticRun();
    for (const char* name : {"one.jsonl", "two.jsonl"}) {
      run.experiment.title = name;
      run.experiment.note = std::string(300'000, 'n');
      saveRun(run, path(name).toStdString());
    }
    run.experiment.title = "Small";
    run.experiment.note.clear();
    saveRun(run, path("small.jsonl").toStdString());
    QObject::connect(&runs, &RunsController::compared, [this](const std::vector<NamedRun>& shown) {
      compared.clear();
      for (const NamedRun& one : shown) compared << one.name;
    });
    QObject::connect(
        &runs, &RunsController::overlaysChanged,
        [this](const std::vector<Overlay>& shown) { overlays = static_cast<int>(shown.size()); });
  }
  std::string shown() const {
    return models.run.run() ? models.run.run()->experiment.title : std::string();
  }

  QStringList compared;
  int overlays = 0;
};

TEST_F(LargeRuns, AreOpenedOutsideTheWindowsThread) {
  ASSERT_TRUE(files.openMainStudy());
  QSignalSpy read(&runs, &RunsController::runsRead);
  runs.open(path("one.jsonl"));
  EXPECT_TRUE(files.opening());
  EXPECT_EQ(said.back(), "Opening one.jsonl…");
  EXPECT_EQ(shown(), "");
  ASSERT_TRUE(read.wait(60'000));
  EXPECT_FALSE(files.opening());
  EXPECT_EQ(shown(), "one.jsonl");
  EXPECT_EQ(models.document.experiment().title, "one.jsonl");
  EXPECT_EQ(models.messages.offered(), Remedy::none);
  runs.show(path("two.jsonl"));
  EXPECT_EQ(shown(), "one.jsonl");
  ASSERT_TRUE(read.wait(60'000));
  EXPECT_EQ(shown(), "two.jsonl");
  EXPECT_EQ(models.document.experiment().title, "one.jsonl");
}

TEST_F(LargeRuns, GiveWayToWhatIsOpenedNextAndToCancel) {
  ASSERT_TRUE(files.openMainStudy());
  runs.open(path("one.jsonl"));
  EXPECT_EQ(buttons.back(), "Cancel");
  EXPECT_EQ(models.messages.offered(), Remedy::stopOpening);
  files.stopOpening();
  EXPECT_FALSE(files.opening());
  EXPECT_EQ(models.messages.offered(), Remedy::none);
  runs.open(path("one.jsonl"));
  runs.open(path("small.jsonl"));
  EXPECT_FALSE(files.opening());
  EXPECT_EQ(shown(), "Small");
  files.open(path("one.jsonl"));
  runs.open(path("small.jsonl"));
  EXPECT_FALSE(files.opening());
  runs.open(path("one.jsonl"));
  files.openMainStudy();
  EXPECT_FALSE(files.opening());
  runs.open(path("one.jsonl"));
  files.newChain();
  EXPECT_FALSE(files.opening());
  EXPECT_EQ(models.messages.offered(), Remedy::none);
}

TEST_F(LargeRuns, LeaveOtherMessagesWhenTheyAreRead) {
  ASSERT_TRUE(files.openMainStudy());
  QSignalSpy read(&runs, &RunsController::runsRead);
  QSignalSpy dismissed(&models.messages, &Messages::dismissed);
  runs.show(path("one.jsonl"));
  models.messages.say(Tone::info, "Restored", "Discard", Remedy::discardRestored);
  ASSERT_TRUE(read.wait(60'000));
  EXPECT_EQ(shown(), "one.jsonl");
  EXPECT_EQ(models.messages.offered(), Remedy::discardRestored);
  EXPECT_EQ(dismissed.count(), 0);
}

TEST_F(LargeRuns, EveryRequestForRunsIsAnswered) {
  QStringList answered;
  const auto note = [&](const std::vector<NamedRun>& given) { answered << given.front().name; };
  runs.withRuns({path("one.jsonl")}, note);
  runs.withRuns({path("two.jsonl")}, note);
  runs.compare({path("small.jsonl"), path("one.jsonl")});
  EXPECT_TRUE(answered.empty());
  ASSERT_TRUE(QTest::qWaitFor([&] { return answered.size() == 2 && !compared.empty(); }, 60'000));
  answered.sort();
  EXPECT_EQ(answered, (QStringList{"one", "two"}));
  EXPECT_EQ(compared, (QStringList{"small", "one"}));
}

/// The time that reading may take here is not also that of what is done with the runs.
TEST_F(LargeRuns, GiveWhatFollowsItsOwnTime) {
  test::usualPatience();
  double allowed = 0;
  QObject::connect(&runs, &RunsController::compared, [&] { allowed = WorkLimit::seconds(); });
  runs.compare({path("small.jsonl"), path("small.jsonl")});
  EXPECT_EQ(allowed, WorkLimit::kUsualSeconds);
}

TEST_F(LargeRuns, OverlaysThatWereGivenUpStayGivenUpWhenTheExperimentChanges) {
  QObject::connect(&models.library, &RunLibrary::overlaysChanged, &runs,
                   &RunsController::showOverlays);
  models.library.setOverlays({path("one.jsonl"), path("two.jsonl")});
  ASSERT_TRUE(QTest::qWaitFor([this] { return overlays == 2; }, 60'000));
  models.library.setOverlays({path("one.jsonl")});
  EXPECT_EQ(overlays, 2) << "the other is still being read";
  const Experiment next = test::syntheticExperiment();
  runs.keepOverlaysOf(&next);
  EXPECT_EQ(models.library.overlays(), QStringList{path("one.jsonl")});
  ASSERT_TRUE(QTest::qWaitFor([this] { return overlays == 1; }, 60'000));
}

TEST_F(LargeRuns, AreLaidOverTheChartAndComparedOutsideTheWindowsThread) {
  ASSERT_TRUE(files.openMainStudy());
  runs.showOverlays({path("one.jsonl"), path("two.jsonl")});
  EXPECT_EQ(overlays, 0);
  ASSERT_TRUE(QTest::qWaitFor([this] { return overlays == 2; }, 60'000));
  EXPECT_EQ(runs.overlays().size(), 2u);
  runs.showOverlays({path("one.jsonl")});
  runs.showOverlays({});
  EXPECT_EQ(overlays, 0);
  runs.compare({path("one.jsonl"), path("two.jsonl")});
  EXPECT_EQ(compared, QStringList());
  ASSERT_TRUE(QTest::qWaitFor([this] { return !compared.isEmpty(); }, 60'000));
  EXPECT_EQ(compared, QStringList({"one", "two"}));
  EXPECT_EQ(wanted.back(), "compare");
  // The file that cannot be read is named; nothing is compared.
  compared.clear();
  const qsizetype before = said.size();
  runs.compare({path("one.jsonl"), path("none.jsonl")});
  ASSERT_TRUE(QTest::qWaitFor([&] { return said.size() > before; }, 60'000));
  EXPECT_TRUE(said.back().contains("none.jsonl")) << said.back().toStdString();
  EXPECT_EQ(compared, QStringList());
}

TEST_F(Controllers, ASmallRunWithAHostileProgramIsReadOutsideTheWindowsThread) {
  test::usualPatience();
  ASSERT_TRUE(files.openMainStudy());
  fusebench::Run hostile = test::syntheticRun();
  hostile.experiment.programText = "def program(x):\n";
  for (int i = 0; i < 12; ++i)
    hostile.experiment.programText += "    a = [[j * k for j in range(300)] for k in range(300)]\n";
  hostile.experiment.programText += "    return x";
  saveRun(hostile, path("hostile.jsonl").toStdString());
  QSignalSpy read(&runs, &RunsController::runsRead);
  runs.open(path("hostile.jsonl"));
  EXPECT_TRUE(runs.opening());
  ASSERT_TRUE(read.wait(120'000));
  EXPECT_FALSE(runs.opening());
  EXPECT_EQ(tones.back(), Tone::error);
}

TEST_F(Controllers, WhatIsTypedIsTakenOverBeforeItIsSavedAndRun) {
  ASSERT_TRUE(files.openMainStudy());
  int committed = 0;
  QObject::connect(&keeper, &DocumentKeeper::commitWanted, [&] { ++committed; });
  toSave = path("one.json");
  EXPECT_TRUE(keeper.save());
  EXPECT_EQ(committed, 1);
  runs.run();
  EXPECT_EQ(committed, 2);
  EXPECT_TRUE(QTest::qWaitFor([this] { return !models.study.busy(); }, 10'000));
}

TEST_F(Controllers, SavingElsewhereTakesTheWeightsAlong) {
  ASSERT_TRUE(files.openMainStudy());
  ASSERT_TRUE(QDir(folder.path()).mkpath("old") && QDir(folder.path()).mkpath("new"));
  writeFile(path("old/model.safetensors").toStdString(), "weights");
  models.document.edit("Weights", {}, [&](Experiment& experiment) {
    experiment.weights = "model.safetensors";
    experiment.folder = path("old").toStdString();
  });
  toSave = path("new/mine.json");
  EXPECT_TRUE(keeper.saveAs());
  EXPECT_EQ(readFile(path("new/model.safetensors").toStdString()), "weights");
  EXPECT_EQ(models.document.experiment().folder, path("new").toStdString());
  EXPECT_EQ(models.document.experiment().weights, "model.safetensors");
  EXPECT_FALSE(models.document.modified());
}

TEST_F(Controllers, AFinishedRunIsKeptAndCanBeOpenedAgain) {
  ASSERT_TRUE(files.openMainStudy());
  runs.run();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !models.study.busy(); }, 10'000));
  ASSERT_TRUE(QTest::qWaitFor([this] { return !models.library.busy(); }, 10'000));
  ASSERT_EQ(models.library.rowCount(), 1);
  const QString file = models.library.index(0).data(RunLibrary::PathRole).toString();
  models.run.clear();
  runs.open(file);
  EXPECT_TRUE(models.run.run());
  EXPECT_EQ(wanted, QStringList{"chart"});
}

TEST_F(Controllers, ARunThatIsStoppedBeforeItsFirstSampleGivesBackWhatWasShown) {
  ASSERT_TRUE(files.openMainStudy());
  const auto stopEarly = [this] {
    study->neverMeasures = true;
    const int before = study->started;
    runs.run();
    EXPECT_TRUE(QTest::qWaitFor([&] { return study->started > before; }, 10'000));
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return models.run.run() && sampleCount(*models.run.run()) == 0; }, 10'000));
    models.study.stop();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !models.study.busy(); }, 10'000));
    study->neverMeasures = false;
  };
  stopEarly();
  EXPECT_EQ(said.back(), "The run was stopped before its first sample was taken.");
  EXPECT_EQ(buttons.back(), "Resume");
  runs.run();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !models.study.busy(); }, 10'000));
  const std::shared_ptr<const fusebench::Run> whole = models.run.measured();
  ASSERT_GT(sampleCount(*whole), 0u);
  stopEarly();
  EXPECT_EQ(sampleCount(*models.run.run()), sampleCount(*whole));
  EXPECT_FALSE(models.run.run()->interrupted);
  EXPECT_EQ(said.back(),
            "The run was stopped before its first sample was taken. The earlier results are shown "
            "again.");
}

/// A parameter that is dragged is an edit every few milliseconds.
TEST_F(Controllers, WhatWasMeasuredStaysInSightThroughEditsThatFollowEachOther) {
  QStringList over;
  QObject::connect(&runs, &RunsController::overlaysChanged,
                   [&over](const std::vector<Overlay>& shown) {
                     over.clear();
                     for (const Overlay& one : shown) over << one.name;
                   });
  models.document.load(test::syntheticExperiment(), {});
  models.explore.setEnabled(true);
  models.explore.exploreNow();
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return models.explore.state() == ExploreController::State::finished; }, 10'000));
  EXPECT_TRUE(over.isEmpty());
  study->neverMeasures = true;
  for (int edit = 1; edit <= 3; ++edit) {
    const int before = study->started;
    models.document.edit("Fewer", {}, [](Experiment& e) { e.axes[0].values.pop_back(); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return study->started > before; }, 10'000));
    ASSERT_TRUE(QTest::qWaitFor([this] { return models.explore.active(); }, 10'000));
    QTest::qWait(60);  // what it reports is gathered
    EXPECT_EQ(over, QStringList{"before"}) << "edit " << edit;
  }
  models.explore.stop();
  study->neverMeasures = false;
  models.document.edit("Fewer", {}, [](Experiment& e) { e.axes[0].values.pop_back(); });
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return models.explore.state() == ExploreController::State::finished; }, 10'000));
  EXPECT_TRUE(over.isEmpty());
}

TEST_F(Controllers, ARunOfAnotherDeviceTakesNoPointsFromHere) {
  fusebench::Run run = test::syntheticRun(3);
  run.device = "cuda:0";
  run.interrupted = true;
  models.document.load(run.experiment, {});
  models.study.setRun(run);
  EXPECT_FALSE(devices.mayAddHere());
  ASSERT_EQ(said.size(), 1);
  EXPECT_TRUE(said[0].contains("measured on cuda:0, so cpu cannot add")) << said[0].toStdString();
  EXPECT_EQ(tones[0], Tone::warning);
}

/// What exploring measured tells how long a run of so many cells takes.
TEST_F(Controllers, ARunThatTakesMuchLongerThanAskedForIsAskedAboutFirst) {
  QStringList questions;
  bool measure = false;
  dialogs.measure = [&](QWidget*, const QString& question) {
    questions << question;
    return measure;
  };
  fusebench::Run explored = test::syntheticRun(8);
  explored.explored = true;
  models.document.load(explored.experiment, {});
  models.run.show(explored, false);
  runs.run();
  EXPECT_TRUE(questions.isEmpty()) << "it fits into its time";
  ASSERT_TRUE(QTest::qWaitFor([this] { return !models.study.busy(); }, 10'000));
  for (Cell& cell : explored.cells)
    for (auto& sample : cell.samples) sample.nanoseconds = 50e6;
  models.run.show(explored, false);
  const int before = study->started;
  runs.run();
  ASSERT_EQ(questions.size(), 1);
  EXPECT_TRUE(questions[0].startsWith("6 samples of each of the 21 data points take about "))
      << questions[0].toStdString();
  EXPECT_FALSE(models.study.busy());
  EXPECT_EQ(study->started, before);
  measure = true;
  runs.run();
  EXPECT_TRUE(QTest::qWaitFor([&] { return study->started == before + 1; }, 10'000));
}

TEST_F(Controllers, AMessageIsWithdrawnOnlyWithTheRemedyThatItOffers) {
  int gone = 0;
  QObject::connect(&models.messages, &Messages::dismissed, [&] { ++gone; });
  models.messages.say(Tone::info, "Stopped.", "Resume", Remedy::goOn);
  models.messages.withdraw(Remedy::undo);
  EXPECT_EQ(gone, 0);
  models.messages.withdraw(Remedy::goOn);
  models.messages.withdraw(Remedy::goOn);
  EXPECT_EQ(gone, 1);
}

TEST_F(Controllers, APinStaysWhereTheNextRunHasSuchAPlace) {
  fusebench::Run run = test::syntheticRun(3);
  models.study.setRun(run);
  models.place.pin(10);
  models.place.restore();
  EXPECT_EQ(models.place.pinned(), 10);
  models.place.toggle(10);
  EXPECT_EQ(models.place.pinned(), std::nullopt);
  models.place.pin(10);
  run.experiment.axes[0].name = "elements";
  models.study.setRun(run);
  models.place.restore();
  EXPECT_EQ(models.place.pinned(), std::nullopt) << "ten of something else";
}

TEST_F(Controllers, AMissingPythonIsToldWithTheFirstCurveThatIsExplored) {
  study->noTorch = "no Python has PyTorch; name another: FUSEBENCH_PYTHON";
  study->rounds = 100'000;
  models.document.load(test::syntheticExperiment(), {});
  models.explore.setEnabled(true);
  models.document.edit("Compared with PyTorch", {}, [](Experiment& experiment) {
    experiment.variants.push_back(experiment.variants.back());
    experiment.variants.back().name = experiment.variants.back().executor = "torch";
  });
  ASSERT_TRUE(QTest::qWaitFor([this] { return models.messages.offered() == Remedy::choosePython; },
                              10'000));
  EXPECT_TRUE(models.explore.active()) << "long before all is refined";
  EXPECT_EQ(said.back(),
            "torch could not be measured: no Python has PyTorch; name another: FUSEBENCH_PYTHON");
  EXPECT_EQ(buttons.back(), "Choose Python…");
  models.explore.stop();
}

TEST_F(Controllers, NamesWithCommasAreToldApartWhereSeveralCouldNotBeMeasured) {
  study->noTorch = "no Python has PyTorch";
  study->rounds = 2;
  models.document.load(test::syntheticExperiment(), {});
  models.document.edit("Compared with PyTorch", {}, [](Experiment& experiment) {
    for (const char* name : {"torch", "torch, tape"}) {
      experiment.variants.push_back(experiment.variants.back());
      experiment.variants.back().name = name;
      experiment.variants.back().executor = "torch";
    }
  });
  runs.run();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !said.empty(); }, 10'000));
  EXPECT_TRUE(said.back().startsWith("torch; torch, tape could not be measured"))
      << said.back().toStdString();
}

/// No Python brings a GPU.
TEST_F(Controllers, APythonIsOfferedOnlyWhereOneHelps) {
  study->noTorch = "CUDA graphs (mode reduce-overhead) need a CUDA device; this is cpu";
  study->rounds = 2;
  models.document.load(test::syntheticExperiment(), {});
  models.document.edit("Compared with PyTorch", {}, [](Experiment& experiment) {
    experiment.variants.push_back(experiment.variants.back());
    experiment.variants.back().name = experiment.variants.back().executor = "torch-replay";
  });
  runs.run();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !said.empty(); }, 10'000));
  EXPECT_TRUE(said.back().startsWith("torch-replay could not be measured: CUDA graphs"))
      << said.back().toStdString();
  EXPECT_EQ(buttons.back(), "");
  EXPECT_NE(models.messages.offered(), Remedy::choosePython);
}

}  // namespace
}  // namespace fusebench
