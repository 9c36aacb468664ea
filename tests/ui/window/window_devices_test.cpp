// SPDX-License-Identifier: GPL-3.0-or-later
// Where the whole window measures: on the device that is chosen, and never on another unasked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QCheckBox>
#include <QProcess>
#include <QProcessEnvironment>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "profiler/targets/target_program.h"
#include "tests/app/loopback_servers.h"
#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/models/results/comparison.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/base/banner.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/course/course_view.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/setup/inspector_device.h"
#include "ui/views/setup/inspector_sites.h"
#include "ui/views/window/files_controller.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/status_bar.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

DeviceList cpuAndGpu() {
  DeviceList devices(2);
  devices[0].name = "cpu";
  devices[0].model = "EPYC";
  devices[1].name = "cuda:0";
  devices[1].model = "H100";
  return devices;
}

/// A window on the main study that notes where it measures.
class WindowOnDevices : public testing::Test {
 protected:
  WindowOnDevices() {
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    settings.setExplore(false);
    const auto noting = [this](const Experiment& experiment, const StudyOptions& options,
                               StudyObserver& observer, std::stop_token stop,
                               const fusebench::Run* from) {
      const std::lock_guard lock(mutex);
      measured.push_back(options);
      return test::fakeRunner(study)(experiment, options, observer, std::move(stop), from);
    };
    window = std::make_unique<MainWindow>(settings, noting, dialogs, folder.filePath("data"));
    StudyOptions options;
    options.workerCommand = {"no-such-program", "worker"};
    window->setOptions(options);
    window->openMainStudy();
    window->show();
  }
  ~WindowOnDevices() override { study->rounds = 0; }
  void devices(const DeviceList& list) {
    window->devices().setProbes({[list](std::stop_token) { return list; },
                                 [](const std::string&, std::stop_token) {
                                   return RecordingState{"on", "launches are recorded", ""};
                                 }});
    window->devices().examine();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->devices().known(); }, 10'000));
  }
  void run() {
    window->run();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000));
  }
  /// A run of the main study, in a file.
  QString file(const char* device, const char* model) {
    fusebench::Run run = test::syntheticHeader(window->document().experiment());
    run.startedAt = "2025-02-02T00:00:00Z";
    run.device = device;
    run.environment = {{"cpu", {{"model", "EPYC"}}}, {"backend", std::string(model) + ", 132"}};
    for (Cell& cell : run.cells) cell = test::syntheticCell(cell.key);
    const QString path = folder.filePath("run.jsonl");
    saveRun(run, path.toStdString());
    return path;
  }
  std::string shownOn() { return window->runModel().run()->device; }
  std::string banner() { return window->banner().text().toStdString(); }
  std::string machine() { return window->status().machine().toStdString(); }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  std::mutex mutex;
  std::vector<StudyOptions> measured;
  std::unique_ptr<MainWindow> window;
};

TEST_F(WindowOnDevices, RunsWhereItIsToldTo) {
  devices(cpuAndGpu());
  run();
  window->devices().choose("cuda:0");
  EXPECT_EQ(settings.device(), "cuda:0");
  EXPECT_EQ(shownOn(), "cpu");  // until it is measured again
  EXPECT_THAT(machine(), HasSubstr("Run measures on cuda:0 · H100"));
  EXPECT_FALSE(window->actions().goOn->isEnabled());
  run();
  EXPECT_EQ(shownOn(), "cuda:0");
  ASSERT_EQ(measured.size(), 2u);
  EXPECT_EQ(measured[0].device, "cpu");
  EXPECT_EQ(measured[1].device, "cuda:0");
  EXPECT_THAT(measured[1].workerCommand,
              ElementsAre("no-such-program", "worker", "--device", "cuda:0"));
  EXPECT_THAT(measured[1].guests.at(0).command, Contains("cuda:0"));
  // Taken back: what was measured there is there again.
  window->devices().choose("cpu");
  EXPECT_EQ(shownOn(), "cpu");
  EXPECT_EQ(measured.size(), 2u);
}

TEST_F(WindowOnDevices, ShowsTheListOfDevicesBelowAnyNumberOfInputs) {
  devices(cpuAndGpu());
  window->resize(1200, 500);
  window->show();
  emit window->files().lessonGiven("capstone");
  emit window->workbench().view<CourseView>().showWanted();
  test::handleEvents();
  QWidget* const list = window->workbench().view<Inspector>().device().choice().control();
  ASSERT_TRUE(list->visibleRegion().isEmpty());
  window->actions().device->trigger();
  test::handleEvents();
  EXPECT_FALSE(list->visibleRegion().isEmpty());
  EXPECT_EQ(window->focusWidget(), list);
}

TEST_F(WindowOnDevices, ComesBackToTheDeviceOfTheLastTime) {
  settings.setDevice("cuda:0");
  EXPECT_EQ(window->devices().chosen(), "cuda:0");
  devices(cpuAndGpu());
  EXPECT_EQ(machine(), "cuda:0 · H100");
  window->devices().setProbes({});
  devices({cpuAndGpu()[0]});
  EXPECT_EQ(window->devices().chosen(), "cpu");
  EXPECT_THAT(banner(), HasSubstr("cuda:0 is not available. Run measures on cpu."));
}

TEST_F(WindowOnDevices, FollowsTheRunThatIsOpened) {
  devices(cpuAndGpu());
  ASSERT_TRUE(window->openFile(file("cuda", "H100")));
  EXPECT_EQ(window->devices().chosen(), "cuda:0");
  EXPECT_EQ(machine(), "cuda · H100");
  EXPECT_FALSE(window->banner().isVisible());
  run();
  EXPECT_EQ(measured.at(0).device, "cuda:0");
}

TEST_F(WindowOnDevices, SaysThatTheDeviceOfARunIsNotHereBeforeItMeasuresElsewhere) {
  devices({cpuAndGpu()[0]});
  ASSERT_TRUE(window->openFile(file("cuda:0", "H100")));
  EXPECT_EQ(banner(),
            "This run was measured on cuda:0, which is not available; Run measures on cpu.");
  EXPECT_TRUE(window->workbench().view<GeneratedCodeView>().note().text().startsWith(
      "This is the code for cpu. The run was measured on cuda:0"));
  EXPECT_THAT(machine(), HasSubstr("Measured on cuda:0 · H100; Run measures on cpu"));
  window->goOn();  // complete, so this is a run of its own
  ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000));
  EXPECT_EQ(measured.at(0).device, "cpu");
  EXPECT_FALSE(study->continued);
}

TEST_F(WindowOnDevices, TellsAnotherGpuOfTheSameNameApart) {
  devices(cpuAndGpu());
  ASSERT_TRUE(window->openFile(file("cuda:0", "V100")));
  EXPECT_THAT(banner(),
              HasSubstr("This run was measured on cuda:0 (V100), which is not available"));
  EXPECT_EQ(window->devices().chosen(), "cpu");
}

TEST_F(WindowOnDevices, WaitsWithARunUntilItKnowsWhatIsHere) {
  ASSERT_TRUE(window->openFile(file("cuda:0", "H100")));
  window->run();
  EXPECT_THAT(measured, IsEmpty());
  EXPECT_THAT(banner(), HasSubstr("Press Run again"));
  devices(cpuAndGpu());
  EXPECT_EQ(window->devices().chosen(), "cuda:0");
  run();
  EXPECT_EQ(measured.at(0).device, "cuda:0");
}

TEST_F(WindowOnDevices, DoesNotExploreOverTheResultsOfAnotherDevice) {
  devices({cpuAndGpu()[0]});
  ASSERT_TRUE(window->openFile(file("cuda:0", "H100")));
  settings.setExplore(true);
  window->document().edit("Fewer", {}, [](Experiment& e) { e.axes[0].values.pop_back(); });
  EXPECT_TRUE(QTest::qWaitFor(
      [this] { return window->explore().state() == ExploreController::State::held; }, 10'000));
  EXPECT_EQ(window->status().text(),
            "Explore waits: these results are from cuda:0; Run measures on cpu.");
  EXPECT_THAT(measured, IsEmpty());
  EXPECT_EQ(shownOn(), "cuda:0");
  run();  // the message has been shown already
  EXPECT_EQ(shownOn(), "cpu");
}

TEST_F(WindowOnDevices, DoesNotAddToARunOfAnotherDevice) {
  devices(cpuAndGpu());
  study->rounds = 1000;
  window->run();
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return window->runModel().run() && sampleCount(*window->runModel().run()) > 0; },
      10'000));
  window->controller().stop();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000));
  study->rounds = 2;
  ASSERT_TRUE(window->controller().canGoOn());
  window->devices().choose("cuda:0");
  window->goOn();
  EXPECT_FALSE(window->controller().busy());
  EXPECT_THAT(banner(), HasSubstr("measured on cpu, so cuda:0 cannot add to them"));
  window->devices().choose("cpu");
  window->goOn();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000));
  EXPECT_TRUE(study->continued);
}

TEST_F(WindowOnDevices, RecordsLaunchesOnTheDeviceOfTheRunOrNotAtAll) {
  devices({cpuAndGpu()[0]});
  ASSERT_TRUE(window->openFile(file("cuda:0", "H100")));
  emit window->workbench().view<AnatomyView>().timelineRequested();
  EXPECT_FALSE(window->launches().busy());
  EXPECT_EQ(banner(),
            "The launches of this run cannot be recorded: it was measured on cuda:0, which is not "
            "available.");
  devices(cpuAndGpu());
  window->devices().choose("cpu");  // the run's own device it is all the same
  emit window->workbench().view<AnatomyView>().timelineRequested();
  EXPECT_EQ(window->launches().options().device, "cuda:0");
  window->launches().cancel();
}

/// Several machines and devices, each with the section of Setup that names them.
class WindowInTurn : public WindowOnDevices {
 protected:
  InspectorSites& section() { return window->workbench().view<Inspector>().device().sites(); }
  void tick(const QString& words) {
    for (QCheckBox* tick : section().ticks())
      if (tick->text() == words) return tick->click();
    FAIL() << words.toStdString();
  }
  bool ends() {
    return QTest::qWaitFor([this] { return !window->devices().sites().busy(); }, 20'000);
  }
  std::vector<std::string> compared() {
    std::vector<std::string> names;
    for (const NamedRun& run : window->workbench().view<CompareView>().runs())
      names.push_back(run.name.toStdString());
    return names;
  }
  void addTargets() {
    TargetsModel& targets = window->devices().targets();
    targets.setReach([this](const std::string& name, bool, const auto&, std::stop_token stop) {
      while (hold && !stop.stop_requested()) QThread::msleep(1);
      if (name == "ssh:nobody") throw TargetFailed("ssh:nobody cannot be reached: no such host");
      ReachedTarget target;
      target.name = name;
      target.spec = parseTarget(name);
      target.ready = true;
      ListedDevice cpu;
      cpu.name = "cpu";
      target.devices = {cpu};
      return target;
    });
    for (const char* name : {"ssh:nobody", "ssh:anna@node7", "ssh:zoe@node8"}) targets.add(name);
  }
  std::atomic<bool> hold = false;
};

TEST_F(WindowInTurn, MeasuresOnEachDeviceAndComparesTheRuns) {
  devices(cpuAndGpu());
  EXPECT_FALSE(section().button().isEnabled());
  tick("cpu · EPYC");
  EXPECT_FALSE(section().button().isEnabled()) << "one alone is what Run measures";
  tick("cuda:0 · H100");
  EXPECT_EQ(section().button().text(), "Run on all 2");
  section().button().click();
  EXPECT_TRUE(window->devices().sites().busy());
  ASSERT_TRUE(ends());
  ASSERT_EQ(measured.size(), 2u);
  EXPECT_EQ(measured[0].device, "cpu");
  EXPECT_EQ(measured[1].device, "cuda:0");
  EXPECT_THAT(compared(), ElementsAre("cpu", "cuda:0"));
  EXPECT_TRUE(window->workbench().shows("compare"));
  EXPECT_EQ(window->workbench().view<ChartView>().overlayCount(), 1);
  // Then it is as it was before, and each run is in the library.
  EXPECT_EQ(window->devices().chosen(), "cpu");
  EXPECT_EQ(shownOn(), "cpu");
  EXPECT_EQ(window->library().rowCount(), 2);
}

TEST_F(WindowInTurn, AMachineThatCannotBeReachedCostsItselfOnly) {
  devices({cpuAndGpu()[0]});
  addTargets();
  tick("cpu · EPYC");
  tick("cpu of ssh:nobody");
  tick("cpu of ssh:anna@node7");
  section().button().click();
  ASSERT_TRUE(ends());
  ASSERT_EQ(measured.size(), 2u);
  EXPECT_TRUE(measured[0].target.is_null());
  EXPECT_EQ(measured[1].target["name"], "ssh:anna@node7");
  EXPECT_THAT(measured[1].workerCommand, Contains("ssh:anna@node7"));
  EXPECT_THAT(compared(), ElementsAre("cpu", "cpu of ssh:anna@node7"));
  EXPECT_EQ(banner(),
            "Not measured everywhere. cpu of ssh:nobody: ssh:nobody cannot be reached: no such "
            "host");
  EXPECT_EQ(window->devices().targets().chosen(), "here");
}

TEST_F(WindowInTurn, GoesBackToTheMachineThatWasChosenAndShowsWhatWasCompared) {
  devices({cpuAndGpu()[0]});
  addTargets();
  TargetsModel& targets = window->devices().targets();
  targets.choose("ssh:anna@node7");
  ASSERT_TRUE(QTest::qWaitFor([&] { return targets.chosen() == "ssh:anna@node7"; }, 10'000));
  tick("cpu · EPYC");
  tick("cpu of ssh:zoe@node8");
  section().button().click();
  ASSERT_TRUE(ends());
  EXPECT_EQ(targets.chosen(), "ssh:anna@node7");
  EXPECT_EQ(window->devices().chosen(), "cpu");
  EXPECT_EQ(measured.size(), 2u);
  test::handleEvents();  // nothing is measured or shown instead
  EXPECT_EQ(measured.size(), 2u);
  EXPECT_THAT(compared(), ElementsAre("cpu", "cpu of ssh:zoe@node8"));
  ASSERT_TRUE(window->runModel().run());
  EXPECT_EQ(targetOf(*window->runModel().run()), std::nullopt);
}

TEST_F(WindowInTurn, SaysWhatFailedThoughTheRestWasMeasuredElsewhere) {
  devices({cpuAndGpu()[0]});
  addTargets();
  tick("cpu of ssh:nobody");
  tick("cpu of ssh:anna@node7");
  section().button().click();
  ASSERT_TRUE(ends());
  test::handleEvents();
  EXPECT_EQ(measured.size(), 1u);
  EXPECT_THAT(banner(), HasSubstr("Not measured everywhere. cpu of ssh:nobody"));
  EXPECT_EQ(window->devices().targets().chosen(), "here");
}

TEST_F(WindowInTurn, IsStoppedByTheWindowsStopWhileAMachineIsWaitedFor) {
  devices({cpuAndGpu()[0]});
  addTargets();
  hold = true;
  tick("cpu of ssh:nobody");
  tick("cpu of ssh:anna@node7");
  EXPECT_FALSE(window->actions().stop->isEnabled());
  section().button().click();
  EXPECT_TRUE(window->actions().stop->isEnabled());
  window->actions().stop->trigger();
  ASSERT_TRUE(ends());
  EXPECT_FALSE(window->actions().stop->isEnabled());
  EXPECT_THAT(measured, IsEmpty());
}

TEST_F(WindowInTurn, StopsWhereItIsAndKeepsWhatItHas) {
  devices(cpuAndGpu());
  tick("cpu · EPYC");
  tick("cuda:0 · H100");
  study->rounds = 100'000;
  section().button().click();
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return window->runModel().run() && sampleCount(*window->runModel().run()) > 0; },
      10'000));
  EXPECT_EQ(section().button().text(), "Stop");
  EXPECT_EQ(section().words(), "1 of 2: cpu");
  window->run();  // one at a time
  window->actions().stop->trigger();
  ASSERT_TRUE(ends());
  EXPECT_EQ(measured.size(), 1u);
  EXPECT_GT(sampleCount(*window->runModel().run()), 0u);
  EXPECT_EQ(section().button().text(), "Run on all 2");
}

TEST_F(WindowInTurn, NobodyWaitsForAMachineAfterItWasStopped) {
  devices({cpuAndGpu()[0]});
  addTargets();
  hold = true;
  tick("cpu of ssh:nobody");
  tick("cpu of ssh:anna@node7");
  section().button().click();
  test::handleEvents();
  window->run();
  EXPECT_THAT(banner(), HasSubstr("measured in turn"));
  EXPECT_FALSE(window->controller().busy());
  section().button().click();
  ASSERT_TRUE(ends());
  EXPECT_THAT(measured, IsEmpty());
  run();
  EXPECT_EQ(measured.size(), 1u);
}

/// With a real server on the loopback, real workers and a run of a second.
TEST(WindowInTurnOverSsh, ComparesThisMachineWithAnother) {
  const test::LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  settings.setExplore(false);
  settings.setQuick(true);
  MainWindow window(settings, runStudy, Dialogs{}, folder.filePath("data"));
  StudyOptions options;
  options.workerCommand = {fusebench::test::cliPath(), "worker"};
  window.setOptions(options);
  Experiment experiment = DocumentModel::blank();
  experiment.programText = "def program(x):\n    x = x + 0.1\n    return x.sum()";
  experiment.program = sketch(experiment.programText).program;
  experiment.variants.resize(1);
  experiment.axes[0].values = {1};
  experiment.measure.budgetSeconds = 1;
  window.document().load(experiment, {});
  window.show();
  TargetsModel& targets = window.devices().targets();
  const QString name = QString::fromStdString(server.target());
  ASSERT_EQ(targets.add(name), "");
  targets.install(name);
  ASSERT_TRUE(QTest::qWaitFor([&] { return targets.chosen() == name; }, 60'000))
      << targets.find(name)->words.toStdString();
  targets.choose("here");
  window.devices().examineOnce();
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.devices().known(); }, 60'000));
  SitesModel& sites = window.devices().sites();
  sites.tick({"here", "cpu", {}}, true);
  sites.tick({name, "cpu", {}}, true);
  window.workbench().view<Inspector>().device().sites().button().click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !sites.busy(); }, 120'000));
  const auto& runs = window.workbench().view<CompareView>().runs();
  ASSERT_EQ(runs.size(), 2u) << window.banner().text().toStdString();
  EXPECT_EQ(targetOf(*runs[0].run), std::nullopt);
  EXPECT_EQ(targetOf(*runs[1].run), name);
  for (const NamedRun& run : runs) EXPECT_GT(sampleCount(*run.run), 0u);
}

TEST(DeviceArgument, ThatIsNotHereEndsTheProgramWithOneLine) {
  const auto error = [](const char* device) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("FUSEBENCH_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    process.setProcessEnvironment(environment);
    process.start(QString::fromStdString(fusebench::test::buildPath("/bin/fusebench")),
                  {"--device", device});
    EXPECT_TRUE(process.waitForFinished(60'000));
    EXPECT_EQ(process.exitCode(), 2);
    std::string line = process.readAllStandardError().toStdString();
    return line.substr(line.find("fusebench: "));  // Qt may have said something before
  };
  EXPECT_EQ(
      error("gpu"),
      "fusebench: --device gpu: no such device; there are cpu, sim:h100, sim:h200, sim:one-core, "
      "sim:round-numbers, "
      "sim:slow-launch\n");
  EXPECT_THAT(error("cuda:0"),
              testing::AllOf(HasSubstr("--device cuda:0: no GPU: /nowhere/libcuda"),
                             testing::EndsWith("; there are cpu, sim:h100, sim:h200, sim:one-core, "
                                               "sim:round-numbers, sim:slow-launch\n")));
}

}  // namespace
}  // namespace fusebench
