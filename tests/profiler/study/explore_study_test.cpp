// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "profiler/study/study.h"
#include "profiler/study/study_schedule.h"
#include "profiler/study/warm_worker.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/profiler/worker/fake_worker.h"

namespace fusebench {
namespace {

using testing::Each;
using testing::ElementsAreArray;

/// Records the notifications about cells, in order.
class Listener final : public StudyObserver {
 public:
  void cellChanged(int index, const Cell& cell) override {
    told.push_back({index, cell});
    if (onChange) onChange(cell);
  }
  void progressed(const StudyProgress& progress) override {
    if (phases.empty() || phases.back() != progress.phase) phases.push_back(progress.phase);
  }
  void workerLost(const std::string&) override { ++lost; }

  std::vector<std::pair<int, Cell>> told;
  std::vector<std::string> phases;
  int lost = 0;
  std::function<void(const Cell&)> onChange;
};

class Exploring : public testing::Test {
 protected:
  StudyOutcome explore() {
    StudyOptions options;
    options.explore = true;
    options.connect = connect ? connect : world.connector();
    options.connectAhead = connectAhead;
    options.seconds = [this] { return world.seconds; };
    options.replySeconds = 0.2;
    return runStudy(experiment, options, listener, stop.get_token());
  }
  /// Places of the requests of a kind among all.
  std::vector<std::size_t> placesOf(Verb verb) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < world.asked.size(); ++i)
      if (world.asked[i].verb == verb) places.push_back(i);
    return places;
  }
  CellKey cellAsked(std::size_t place) const {
    const auto& body = world.asked[place].body;
    return {body["variant"].get<int>(), body["at"].get<std::vector<std::int64_t>>()};
  }

  Experiment experiment = smallExperiment({1, 2, 3, 4, 5});
  FakeWorld world;
  Listener listener;
  std::stop_source stop;
  std::function<std::unique_ptr<WorkerConnection>()> connect, connectAhead;
};

TEST_F(Exploring, MeasuresEveryCellOnceCoarseToFineBeforeAnyTwice) {
  const StudyOutcome outcome = explore();
  std::vector<std::pair<int, std::vector<std::int64_t>>> first, expected;
  const auto samples = placesOf(Verb::sample);
  for (std::size_t i = 0; i < outcome.run.cells.size(); ++i) {
    const CellKey key = cellAsked(samples[i]);
    first.push_back({key.variant, key.at});
  }
  const fusebench::Run empty = emptyRun(experiment);
  for (const std::size_t index : fillOrder(experiment, empty.cells))
    expected.push_back({empty.cells[index].key.variant, empty.cells[index].key.at});
  EXPECT_THAT(first, ElementsAreArray(expected));
}

TEST_F(Exploring, MeasuresNothingOfCompilingAndChecksNothingUntilAllIsSampled) {
  const StudyOutcome outcome = explore();
  const std::size_t lastSample = placesOf(Verb::sample).back();
  for (const std::size_t place : placesOf(Verb::prepare)) {
    const int repeats = world.asked[place].body["compile_repeats"].get<int>();
    EXPECT_EQ(repeats, place < lastSample ? 0 : 2);
  }
  EXPECT_GT(placesOf(Verb::check).front(), lastSample);
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_EQ(cell.stop, Stop::converged);
    EXPECT_EQ(cell.samples.size(), 31u);
    EXPECT_EQ(cell.firstCompiles.size(), 1u);
    EXPECT_EQ(cell.relativeError, 1e-7);
  }
  EXPECT_TRUE(outcome.run.explored);
  EXPECT_FALSE(outcome.run.interrupted);
  EXPECT_THAT(listener.phases, ElementsAreArray({"exploring", "refining", "completing", "done"}));
}

TEST_F(Exploring, ShowsACellAsCoarseFromTheFifthSampleUntilItIsDone) {
  explore();
  std::set<Stop> few, some;
  for (const auto& [index, cell] : listener.told) {
    if (cell.samples.size() < 5) few.insert(cell.stop);
    if (cell.samples.size() >= 5 && cell.samples.size() < 31) some.insert(cell.stop);
  }
  EXPECT_EQ(few, std::set{Stop::running});
  EXPECT_EQ(some, std::set{Stop::coarse});
}

TEST_F(Exploring, LeavesCoarseCellsWhenStoppedAndInterruptedOnesBelowFiveSamples) {
  listener.onChange = [this](const Cell& cell) {
    if (cell.samples.size() == 5) stop.request_stop();
  };
  const StudyOutcome outcome = explore();
  EXPECT_TRUE(outcome.run.interrupted);
  std::map<Stop, int> stops;
  for (const Cell& cell : outcome.run.cells) {
    ++stops[cell.stop];
    EXPECT_EQ(cell.stop, cell.samples.size() >= 5 ? Stop::coarse : Stop::interrupted);
    EXPECT_EQ(cell.latency().kind == Estimate::Kind::interval, cell.samples.size() >= 6);
  }
  EXPECT_EQ(stops[Stop::coarse], 1);
}

TEST_F(Exploring, KeepsSampledCellsWhenTheWorkerDiesOverTheirCompileTimes) {
  world.misbehave = [](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::prepare && request.body["compile_repeats"] != 0) return "die";
    return std::nullopt;
  };
  const StudyOutcome outcome = explore();
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_EQ(cell.stop, Stop::converged);
    EXPECT_EQ(cell.samples.size(), 31u);
    EXPECT_TRUE(cell.firstCompiles.empty());
    EXPECT_TRUE(cell.error.has_value());
  }
  EXPECT_EQ(listener.lost, 20);  // two for each cell
}

// How far it comes is a matter of time; what it does is not.
TEST_F(Exploring, HasASecondWorkerCompileFromTheOtherEnd) {
  FakeWorld other;
  connectAhead = other.connector();
  const StudyOutcome outcome = explore();
  for (const Cell& cell : outcome.run.cells) EXPECT_EQ(cell.stop, Stop::converged);
  const fusebench::Run empty = emptyRun(experiment);
  auto order = fillOrder(experiment, empty.cells);
  std::reverse(order.begin(), order.end());
  std::size_t prepared = 0;
  for (const Request& request : other.asked) {
    EXPECT_NE(request.verb, Verb::sample);
    EXPECT_NE(request.verb, Verb::check);
    if (request.verb != Verb::prepare) continue;
    ASSERT_LT(prepared + 1, order.size());  // the first one is the study's
    const CellKey& key = empty.cells[order[prepared++]].key;
    EXPECT_EQ(request.body["variant"], key.variant);
    EXPECT_EQ(request.body["at"], nlohmann::json(key.at));
    EXPECT_EQ(request.body["compile_repeats"], 0);
  }
}

TEST_F(Exploring, DoesNotMindWhatBecomesOfTheSecondWorker) {
  FakeWorld other;
  connectAhead = other.connector();
  for (const char* what : {"die", "nonsense", "hang"}) {
    other.misbehave = [what](const Request&) { return std::optional<std::string>(what); };
    const StudyOutcome outcome = explore();
    for (const Cell& cell : outcome.run.cells) EXPECT_EQ(cell.stop, Stop::converged);
  }
  connectAhead = []() -> std::unique_ptr<WorkerConnection> { throw std::runtime_error("none"); };
  EXPECT_FALSE(explore().failed);
  EXPECT_EQ(listener.lost, 0);
}

TEST_F(Exploring, EndsAtTheBudget) {
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  world.sampleSeconds = 0.1;
  const StudyOutcome outcome = explore();
  for (const Cell& cell : outcome.run.cells) EXPECT_EQ(cell.stop, Stop::budget);
}

TEST_F(Exploring, WithAWarmWorkerNeedsOneForAllExplorations) {
  WarmWorker warm(world.connector());
  warm.warm();
  connect = [&] { return warm.lend(); };
  explore();
  explore();
  EXPECT_EQ(world.workersStarted, 1);
  EXPECT_TRUE(placesOf(Verb::quit).empty());
}

TEST_F(Exploring, StopsWithoutWaitingForAWarmWorkerAndUsesItAgain) {
  WarmWorker warm(world.connector());
  connect = [&] { return warm.lend(); };
  bool busy = true;
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::sample || !busy) return std::nullopt;
    stop.request_stop();
    return "hang";
  };
  const double before = world.seconds;
  const StudyOutcome stopped = explore();
  EXPECT_TRUE(stopped.run.interrupted);
  EXPECT_LT(world.seconds - before, 0.1);  // no second of patience for the stop
  busy = false;
  stop = std::stop_source();
  const StudyOutcome next = explore();
  for (const Cell& cell : next.run.cells) EXPECT_EQ(cell.stop, Stop::converged);
  EXPECT_EQ(world.workersStarted, 1);
  EXPECT_EQ(world.workersKilled, 0);
}

TEST_F(Exploring, ReplacesAWarmWorkerThatDoesNotHeedAStop) {
  WarmWorker warm(world.connector());
  connect = [&] { return warm.lend(); };
  explore();
  world.misbehave = [](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::stop) return "hang";
    return std::nullopt;
  };
  const StudyOutcome next = explore();
  for (const Cell& cell : next.run.cells) EXPECT_EQ(cell.stop, Stop::converged);
  EXPECT_EQ(world.workersStarted, 2);
}

TEST_F(Exploring, HasANewWorkerReadyWhenAWarmOneWasLost) {
  WarmWorker warm(world.connector());
  warm.lend()->kill();
  EXPECT_EQ(world.workersStarted, 2);
  const auto connection = warm.lend();
  EXPECT_EQ(world.workersStarted, 2);
  EXPECT_TRUE(connection->kept());
}

TEST_F(Exploring, GivesWorkersBackToAWarmWorkerThatIsGone) {
  std::unique_ptr<WorkerConnection> connection;
  {
    WarmWorker warm(world.connector());
    connection = warm.lend();
  }
  connection->kill();
  connection.reset();
  EXPECT_EQ(world.workersStarted, 1);
}

}  // namespace
}  // namespace fusebench
