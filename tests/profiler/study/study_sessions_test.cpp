// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "profiler/study/study.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/profiler/worker/fake_worker.h"

namespace fusebench {
namespace {

using testing::Each;

class StudySessions : public testing::Test {
 protected:
  StudySessions() { experiment.measure.sessions = 8; }

  fusebench::Run study(bool quick = false, const fusebench::Run* earlier = nullptr) {
    StudyOptions options;
    options.connect = world.connector();
    options.seconds = [this] { return world.seconds; };
    options.replySeconds = 0.2;
    options.quick = quick;
    StudyObserver quiet;
    return runStudy(experiment, options, quiet, std::stop_token(), earlier).run;
  }
  static std::vector<std::size_t> sessionCounts(const fusebench::Run& run) {
    std::vector<std::size_t> counts;
    for (const Cell& cell : run.cells) counts.push_back(cell.sessionCount());
    return counts;
  }
  Experiment experiment = smallExperiment({1, 2, 3});
  FakeWorld world;
};

TEST_F(StudySessions, SpreadTheRoundsOverWorkersOneAfterAnother) {
  const fusebench::Run run = study();
  EXPECT_EQ(world.workersStarted, 8);
  EXPECT_EQ(world.workersKilled, 0);
  EXPECT_THAT(sessionCounts(run), Each(8u));
  for (const Cell& cell : run.cells) {
    EXPECT_EQ(cell.stop, Stop::converged);
    EXPECT_EQ(cell.samples.size(), 64u);       // 8 of each: what is quiet needs no more
    EXPECT_EQ(cell.firstCompiles.size(), 1u);  // not once a session
    EXPECT_TRUE(std::is_sorted(
        cell.samples.begin(), cell.samples.end(), [](const Sample& a, const Sample& b) {
          return a.session < b.session || (a.session == b.session && a.round < b.round);
        }));
  }
}

TEST_F(StudySessions, AreOneWhereTheRunIsQuick) {
  EXPECT_THAT(sessionCounts(study(/*quick=*/true)), Each(1u));
  EXPECT_EQ(world.workersStarted, 1);
}

TEST_F(StudySessions, ShareTheTimeWhereItIsShort) {
  world.time = [](const CellKey&, int count) { return count % 2 ? 50.0 : 150.0; };
  world.prepareSeconds = 0.002;
  experiment.measure.budgetSeconds = 0.6;  // about 50 rounds of 6 cells
  const fusebench::Run run = study();
  EXPECT_THAT(sessionCounts(run), Each(8u));
  for (const Cell& cell : run.cells) {
    EXPECT_EQ(cell.stop, Stop::budget);
    std::map<int, int> samples;
    for (const Sample& sample : cell.samples) ++samples[sample.session];
    for (const auto& [session, count] : samples) EXPECT_GE(count, 2);
  }
}

TEST_F(StudySessions, AreNotPreciseWhereProcessesDiffer) {
  world.time = [this](const CellKey&, int) { return 100.0 + world.workersStarted % 4; };
  for (const Cell& cell : study().cells) {
    EXPECT_EQ(cell.stop, Stop::cap);
    const Estimate latency = cell.latency();
    EXPECT_LE(latency.low, 100.5);
    EXPECT_GE(latency.high, 102.5);
  }
}

/// If preparing again takes most of the available time, one process gets all of it.
TEST_F(StudySessions, AreOneWherePreparingIsDear) {
  world.prepareSeconds = 1;
  EXPECT_THAT(sessionCounts(study()), Each(1u));
}

/// Results are checked once, however many sessions there are.
TEST_F(StudySessions, AreNotFewerBecauseResultsTakeLongToCheck) {
  world.misbehave = [this](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::check) world.seconds += 1;
    return std::nullopt;
  };
  EXPECT_THAT(sessionCounts(study()), Each(8u));
}

TEST_F(StudySessions, OfARunThatIsContinuedAreFurtherOnes) {
  world.time = [](const CellKey&, int count) { return count % 2 ? 50.0 : 150.0; };
  world.prepareSeconds = 0.002;
  experiment.measure.budgetSeconds = 0.6;
  const fusebench::Run first = study();
  const fusebench::Run second = study(false, &first);
  EXPECT_THAT(sessionCounts(second), Each(testing::Ge(11u)));
}

TEST_F(StudySessions, AreKeptInTheRunsFile) {
  const fusebench::Run run = study();
  const fusebench::Run read = parseRun(runText(run), "run.jsonl");
  EXPECT_THAT(sessionCounts(read), Each(8u));
  EXPECT_EQ(read.cells[0].sessions(), run.cells[0].sessions());
  const std::string old = runText(study(/*quick=*/true));
  EXPECT_EQ(old.find("\"sessions\":["), std::string::npos);
  EXPECT_THAT(sessionCounts(parseRun(old, "run.jsonl")), Each(1u));
}

}  // namespace
}  // namespace fusebench
