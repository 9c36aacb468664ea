// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/explore_controller.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"

namespace fusebench {
namespace {

using ExploreState = ExploreController::State;

/// Explores at the test's pace: every study gives each cell `samples` samples, then refines until
/// it is stopped or the test sets letGo.
struct PacedStudy {
  std::atomic<int> started = 0, stopped = 0;
  std::atomic<bool> letGo = false;
  std::atomic<bool> fail = false;
  std::atomic<int> samples = 6;
  std::mutex mutex;
  std::vector<std::string> programs;

  StudyOutcome run(const Experiment& experiment, const StudyOptions& options,
                   StudyObserver& observer, const std::stop_token& stop) {
    ++started;
    {
      const std::lock_guard lock(mutex);
      programs.push_back(experiment.programText);
    }
    StudyOutcome outcome;
    outcome.run.experiment = experiment;
    outcome.run.explored = options.explore;
    for (const CellKey& key : cells(experiment)) {
      outcome.run.cells.emplace_back();
      outcome.run.cells.back().key = key;
    }
    observer.started(outcome.run);
    if (fail) {
      outcome.failed = true;
      outcome.message = "the worker was killed";
      return outcome;
    }
    observer.progressed({"exploring", 0, 1, 0});
    for (std::size_t i = 0; i < outcome.run.cells.size(); ++i) {
      for (int s = 0; s < samples; ++s) outcome.run.cells[i].samples.push_back({s, 100.0 + s});
      observer.cellChanged(static_cast<int>(i), outcome.run.cells[i]);
    }
    observer.progressed({"refining", 0.5, 1, 1});
    while (!letGo && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop.stop_requested()) ++stopped;
    outcome.run.interrupted = stop.stop_requested();
    for (Cell& cell : outcome.run.cells)
      cell.stop = outcome.run.interrupted ? Stop::interrupted : Stop::converged;
    return outcome;
  }
};

class Exploring : public testing::Test {
 protected:
  Exploring() {
    Experiment experiment = DocumentModel::blank();
    document.load(experiment, {});
    document.setText("start", {}, program(1));
    document.load(document.experiment(), {});
  }
  static std::string program(int number) {
    return "def program(x):\n    x = x + " + std::to_string(number) +
           "\n    x = torch.sin(x)\n    return x.sum()";
  }
  void type(int number) { document.setText("Type", {}, program(number)); }
  void typeNonsense() { document.setText("Type", {}, "def program(x):\n    x = torch.sinn(x)"); }
  bool reaches(ExploreState state) {
    return QTest::qWaitFor([&] { return explore.state() == state; }, 10'000);
  }
  static StudyRunner paced(const std::shared_ptr<PacedStudy>& study) {
    return [study](const Experiment& experiment, const StudyOptions& options,
                   StudyObserver& observer, std::stop_token stop, const fusebench::Run*) {
      return study->run(experiment, options, observer, stop);
    };
  }
  static StudyOptions exploring() {
    StudyOptions options;
    options.explore = true;
    options.connect = [] { return std::unique_ptr<WorkerConnection>(); };  // nobody asks
    return options;
  }

  std::shared_ptr<PacedStudy> study = std::make_shared<PacedStudy>();
  std::shared_ptr<PacedStudy> fullStudy = std::make_shared<PacedStudy>();
  DocumentModel document;
  RunModel run;
  StudyController full{run, paced(fullStudy)};
  ExploreController explore{document, run, full, paced(study)};

  void SetUp() override {
    explore.setOptions(exploring());
    ASSERT_TRUE(document.runnable()) << document.problems().front().text.toStdString();
  }
};

TEST_F(Exploring, StartsByItselfAfterAnEditAndMarksWhatItShows) {
  QSignalSpy first(&explore, &ExploreController::firstCurve);
  EXPECT_EQ(explore.state(), ExploreState::idle);
  type(2);
  EXPECT_EQ(explore.state(), ExploreState::waiting);
  ASSERT_TRUE(reaches(ExploreState::refining));
  ASSERT_TRUE(QTest::qWaitFor([&] { return first.count() > 0; }, 10'000));
  ASSERT_TRUE(run.run());
  EXPECT_TRUE(run.run()->explored);
  EXPECT_FALSE(run.unsaved());
  EXPECT_EQ(run.run()->experiment.programText, program(2));
  EXPECT_TRUE(explore.text().contains("Refining"));
  study->letGo = true;
  ASSERT_TRUE(reaches(ExploreState::finished));
  EXPECT_EQ(study->started, 1);
  EXPECT_EQ(first.count(), 1);
}

TEST_F(Exploring, DoesNotStartWhenAnExperimentIsOpened) {
  document.load(document.experiment(), "other.json");
  test::handleEvents();
  EXPECT_EQ(explore.state(), ExploreState::idle);
  EXPECT_EQ(study->started, 0);
}

TEST_F(Exploring, MeasuresOnceForEditsInQuickSuccession) {
  for (int i = 2; i < 8; ++i) {
    type(i);
    test::handleEvents();
  }
  ASSERT_TRUE(reaches(ExploreState::refining));
  EXPECT_EQ(study->started, 1);
  EXPECT_EQ(run.run()->experiment.programText, program(7));
}

TEST_F(Exploring, StartsAnewAfterEachEditAndShowsNothingOfTheStudyBefore) {
  type(2);
  ASSERT_TRUE(reaches(ExploreState::refining));
  type(3);
  EXPECT_EQ(explore.state(), ExploreState::waiting);
  for (const Cell& cell : run.run()->cells) EXPECT_NE(cell.stop, Stop::running);
  ASSERT_TRUE(reaches(ExploreState::refining));
  EXPECT_EQ(study->started, 2);
  EXPECT_EQ(study->stopped, 1);
  EXPECT_EQ(run.run()->experiment.programText, program(3));
  test::handleEvents();
  EXPECT_EQ(run.run()->experiment.programText, program(3));
}

TEST_F(Exploring, WaitsForAnInvalidChainToBeMended) {
  type(2);
  ASSERT_TRUE(reaches(ExploreState::refining));
  typeNonsense();
  EXPECT_EQ(explore.state(), ExploreState::invalid);
  EXPECT_FALSE(explore.text().isEmpty());
  test::handleEvents();
  EXPECT_EQ(explore.state(), ExploreState::invalid);
  EXPECT_EQ(study->started, 1);
  type(2);
  ASSERT_TRUE(reaches(ExploreState::refining));
  EXPECT_EQ(study->started, 2);
}

TEST_F(Exploring, LeavesChangesOfMereWordsAlone) {
  type(2);
  ASSERT_TRUE(reaches(ExploreState::refining));
  document.edit("Title", {}, [](Experiment& e) { e.title = "Another title"; });
  test::handleEvents();
  EXPECT_EQ(study->started, 1);
  EXPECT_EQ(explore.state(), ExploreState::refining);
}

TEST_F(Exploring, GivesWayToARunThatIsAskedFor) {
  type(2);
  ASSERT_TRUE(reaches(ExploreState::refining));
  explore.runFull(true);
  EXPECT_TRUE(full.busy());
  EXPECT_EQ(explore.state(), ExploreState::idle);
  ASSERT_TRUE(QTest::qWaitFor([&] { return study->stopped == 1; }, 10'000));
  ASSERT_TRUE(QTest::qWaitFor([&] { return run.unsaved(); }, 10'000));
  EXPECT_FALSE(run.run()->explored);
  type(3);  // does not disturb it
  test::handleEvents();
  EXPECT_EQ(explore.state(), ExploreState::held);
  EXPECT_EQ(study->started, 1);
  EXPECT_TRUE(full.busy());
  fullStudy->letGo = true;
  ASSERT_TRUE(QTest::qWaitFor([&] { return !full.busy(); }, 10'000));
  EXPECT_EQ(run.run()->experiment.programText, program(2));
}

TEST_F(Exploring, HoldsBackBeforeResultsThatNoFileHasUnlessTheyAreKept) {
  fullStudy->letGo = true;
  explore.runFull(false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !full.busy() && run.unsaved(); }, 10'000));
  type(2);
  ASSERT_TRUE(reaches(ExploreState::held));
  EXPECT_EQ(study->started, 0);
  EXPECT_FALSE(run.run()->explored);
  EXPECT_TRUE(explore.text().contains("not saved"));
  std::string kept;
  explore.setKeeper([&](const std::shared_ptr<const fusebench::Run>& given) {
    kept = given->experiment.programText;
    return true;
  });
  type(3);
  ASSERT_TRUE(reaches(ExploreState::refining));
  EXPECT_EQ(kept, program(1));
}

TEST_F(Exploring, CanBeSwitchedOffAndOn) {
  type(2);
  ASSERT_TRUE(reaches(ExploreState::refining));
  explore.setEnabled(false);
  EXPECT_EQ(explore.state(), ExploreState::off);
  ASSERT_TRUE(QTest::qWaitFor([&] { return study->stopped == 1; }, 10'000));
  type(3);
  test::handleEvents();
  EXPECT_EQ(explore.state(), ExploreState::off);
  EXPECT_EQ(study->started, 1);
  explore.setEnabled(true);
  type(4);
  ASSERT_TRUE(reaches(ExploreState::refining));
}

TEST_F(Exploring, SaysWhyItFailedAndGoesOnWithTheNextEdit) {
  study->fail = true;
  type(2);
  ASSERT_TRUE(reaches(ExploreState::failed));
  EXPECT_TRUE(explore.text().contains("the worker was killed"));
  study->fail = false;
  type(3);
  ASSERT_TRUE(reaches(ExploreState::refining));
}

}  // namespace
}  // namespace fusebench
