// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/study_controller.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <map>

#include "tests/ui/synthetic.h"
#include "ui/models/results/comparison.h"
#include "ui/models/runs/findings_model.h"

namespace fusebench {
namespace {

using State = StudyController::State;

class Controller : public testing::Test {
 protected:
  Controller() {
    controller.setExperiment(test::syntheticExperiment());
    QObject::connect(&controller, &StudyController::stateChanged,
                     [this](State state) { states.push_back(state); });
  }
  bool ended() {
    return QTest::qWaitFor([this] { return !controller.busy(); }, 10'000);
  }

  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  RunModel run;
  StudyController controller{run, test::fakeRunner(study)};
  std::vector<State> states;
};

TEST_F(Controller, GoesThroughItsStatesAndMeasuresOnAnotherThread) {
  study->millisecondsPerRound = 20;
  controller.start(true);
  EXPECT_EQ(controller.state(), State::preparing);
  ASSERT_TRUE(ended());
  EXPECT_EQ(states, (std::vector{State::preparing, State::running, State::finished}));
  EXPECT_TRUE(study->onOtherThread);
  EXPECT_TRUE(study->quick);
  ASSERT_TRUE(run.run());
  EXPECT_EQ(sampleCount(*run.run()), 21u * 32u);
  EXPECT_TRUE(run.unsaved());
  EXPECT_FALSE(controller.canGoOn());
}

TEST_F(Controller, GathersReportsInsteadOfPassingOnEachOne) {
  study->rounds = 500;
  QSignalSpy updates(&run, &RunModel::cellsChanged);
  QElapsedTimer elapsed;
  elapsed.start();
  controller.start(false);
  ASSERT_TRUE(ended());
  EXPECT_LE(updates.count(), elapsed.elapsed() / 30 + 2);  // there are 10,500 reports
  EXPECT_EQ(sampleCount(*run.run()), 21u * 32u);
}

TEST_F(Controller, StoppingKeepsWhatWasMeasuredAndCanGoOn) {
  study->rounds = 10'000;
  controller.start(false);
  ASSERT_TRUE(QTest::qWaitFor([this] { return run.run() && sampleCount(*run.run()) > 0; }, 10'000));
  controller.stop();
  EXPECT_EQ(controller.state(), State::stopping);
  ASSERT_TRUE(ended());
  EXPECT_EQ(controller.state(), State::finished);
  EXPECT_TRUE(run.run()->interrupted);
  EXPECT_GT(sampleCount(*run.run()), 0u);
  ASSERT_TRUE(controller.canGoOn());
  study->rounds = 5;
  controller.goOn();
  ASSERT_TRUE(ended());
  EXPECT_TRUE(study->continued);
}

TEST_F(Controller, ALostWorkerIsAFailureThatKeepsThePointsAndCanGoOn) {
  study->loseWorkerAtRound = 5;
  QSignalSpy lost(&controller, &StudyController::workerLost);
  controller.start(false);
  ASSERT_TRUE(ended());
  EXPECT_EQ(controller.state(), State::failed);
  EXPECT_EQ(lost.count(), 1);
  EXPECT_TRUE(controller.message().contains("killed"));
  EXPECT_GT(sampleCount(*run.run()), 0u);
  ASSERT_TRUE(controller.canGoOn());
  controller.goOn();
  ASSERT_TRUE(ended());
  EXPECT_EQ(controller.state(), State::finished);
  EXPECT_TRUE(study->continued);
}

TEST_F(Controller, AnExceptionOfTheStudyIsAFailureWithItsMessage) {
  study->throwInstead = "fusebench-cli: not found";
  controller.start(false);
  ASSERT_TRUE(ended());
  EXPECT_EQ(controller.state(), State::failed);
  EXPECT_EQ(controller.message(), "fusebench-cli: not found");
}

TEST_F(Controller, ASecondStartWhileBusyIsIgnored) {
  study->millisecondsPerRound = 10;
  controller.start(false);
  controller.start(false);
  controller.setExperiment(Experiment{});
  ASSERT_TRUE(ended());
  EXPECT_EQ(study->started, 1);
  EXPECT_EQ(controller.experiment()->title, "Fusion against launches");
}

TEST(ControllerLife, DestroyingItWhileMeasuringStopsTheStudy) {
  auto study = std::make_shared<test::FakeStudy>();
  study->rounds = 1'000'000;
  RunModel run;
  {
    StudyController controller(run, test::fakeRunner(study));
    controller.setExperiment(test::syntheticExperiment());
    controller.start(false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return study->started > 0; }, 10'000));
  }  // would never return otherwise
  QCoreApplication::processEvents();
  EXPECT_EQ(study->started, 1);
}

TEST(Analysis, FindsTheBreakEvensOfTheSyntheticMachine) {
  RunModel run;
  AnalysisModel analysis(run);
  run.show(test::syntheticRun(), true);
  ASSERT_TRUE(QTest::qWaitFor([&] { return analysis.upToDate(); }, 20'000));
  std::map<std::string, Crossing> breakEvens;
  for (const Crossing& crossing : analysis.analysis().crossings)
    if (crossing.kind == Crossing::Kind::breakEven) breakEvens[crossing.variant] = crossing;
  // eager 100 + 60 n meets static 400 + 2 n at 300 / 58 and dynamic 700 + 2 n at 600 / 58.
  ASSERT_EQ(breakEvens["static"].status, CrossingStatus::found);
  EXPECT_NEAR(breakEvens["static"].at, 300.0 / 58, 0.1);
  EXPECT_NEAR(breakEvens["dynamic"].at, 600.0 / 58, 0.2);
  EXPECT_LT(breakEvens["static"].low, 300.0 / 58);
  EXPECT_GT(breakEvens["static"].high, 300.0 / 58);
}

TEST(Analysis, AnAnswerAboutAnEarlierRunIsDropped) {
  RunModel run;
  AnalysisModel analysis(run);
  run.show(test::syntheticRun(), true);
  run.clear();
  ASSERT_TRUE(QTest::qWaitFor([&] { return analysis.upToDate(); }, 20'000));
  EXPECT_TRUE(analysis.analysis().crossings.empty());
}

TEST(Findings, SayBreakEvenOverheadPaybackAndTheNote) {
  const fusebench::Run run = test::syntheticRun();
  Analysis analysis;
  analysis.crossings = findCrossings(run);
  analysis.launches = launchModels(run);
  std::map<ShownFinding::Kind, int> kinds;
  const auto findings = shownFindings(run, analysis);
  for (const ShownFinding& finding : findings) ++kinds[finding.kind];
  EXPECT_EQ(kinds[ShownFinding::Kind::breakEven], 2);
  EXPECT_EQ(kinds[ShownFinding::Kind::payback], 2);
  EXPECT_GE(kinds[ShownFinding::Kind::overhead], 1);
  EXPECT_EQ(kinds[ShownFinding::Kind::note], 1);
  EXPECT_EQ(findings.front().variant, 1);
  EXPECT_TRUE(findings.front().headline.contains("static: ahead from 5."));
  for (const ShownFinding& finding : findings)
    if (finding.kind == ShownFinding::Kind::overhead && finding.variant == 0) {
      EXPECT_TRUE(finding.headline.contains("60") || finding.headline.contains("59"))
          << finding.headline.toStdString();
    }
}

TEST(Findings, SayNothingUndecidedWhileMeasuring) {
  fusebench::Run run = test::syntheticHeader();
  Analysis analysis;
  analysis.crossings.push_back({});
  analysis.crossings[0].variant = "static";
  for (const ShownFinding& finding : shownFindings(run, analysis))
    EXPECT_NE(finding.kind, ShownFinding::Kind::breakEven);
  run = test::syntheticRun();
  EXPECT_EQ(shownFindings(run, analysis).front().kind, ShownFinding::Kind::breakEven);
}

TEST(Findings, WarnOfCellsThatFailed) {
  fusebench::Run run = test::syntheticRun();
  run.cells[2].stop = Stop::failed;
  run.cells[2].error = "out of memory";
  const auto findings = shownFindings(run, {});
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, ShownFinding::Kind::warning);
  EXPECT_EQ(findings[0].text, "out of memory");
}

}  // namespace
}  // namespace fusebench
