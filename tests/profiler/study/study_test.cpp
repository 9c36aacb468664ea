// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "profiler/study/study_schedule.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/profiler/worker/fake_worker.h"

namespace fusebench {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

class StudyRecorder final : public StudyObserver {
 public:
  void started(const fusebench::Run&) override { ++starts; }
  void cellChanged(int, const Cell& cell) override {
    ++changes;
    if (onChange) onChange(cell);
  }
  void progressed(const StudyProgress& progress) override {
    EXPECT_GE(progress.fraction, lastFraction);
    EXPECT_LE(progress.fraction, 1);
    EXPECT_GE(progress.secondsLeft, 0);
    lastFraction = progress.fraction;
    lastPhase = progress.phase;
    if (onProgress) onProgress(progress);
  }
  void workerLost(const std::string& what) override { lost.push_back(what); }
  void overBudget(const BudgetNeed& need) override { needs.push_back(need); }

  int starts = 0, changes = 0;
  double lastFraction = 0;
  std::string lastPhase;
  std::vector<std::string> lost;
  std::vector<BudgetNeed> needs;
  std::function<void(const Cell&)> onChange;
  std::function<void(const StudyProgress&)> onProgress;
};

class Studies : public testing::Test {
 protected:
  StudyOutcome study(const fusebench::Run* earlier = nullptr) {
    StudyOptions options;
    options.connect = world.connector();
    options.connectTrace = world.connector();
    options.trace = trace;
    options.seconds = [this] { return world.seconds; };
    options.replySeconds = 0.2;
    options.quick = quick;
    options.quickGraceSeconds = 0;
    options.device = device;
    return runStudy(experiment, options, recorder, stop.get_token(), earlier);
  }
  static std::vector<Stop> stops(const fusebench::Run& run) {
    std::vector<Stop> all;
    for (const Cell& cell : run.cells) all.push_back(cell.stop);
    return all;
  }
  Experiment experiment = smallExperiment({1, 2, 3});
  FakeWorld world;
  StudyRecorder recorder;
  std::stop_source stop;
  bool quick = false;
  bool trace = false;
  std::string device = "cpu";
};

TEST_F(Studies, EndWithATracedPassInAWorkerOfItsOwn) {
  trace = true;
  const StudyOutcome outcome = study();
  EXPECT_EQ(world.workersStarted, 2);
  EXPECT_EQ(outcome.run.traceProblem, "");
  for (const Cell& cell : outcome.run.cells) {
    ASSERT_TRUE(cell.anatomy);
    EXPECT_EQ(cell.anatomy->of(CallPart::kernel), 60);
  }
  EXPECT_EQ(recorder.lastPhase, "done");
  // Nothing is timed once marks are made.
  const auto first = std::find_if(world.asked.begin(), world.asked.end(),
                                  [](const Request& asked) { return asked.verb == Verb::trace; });
  for (auto later = first; later != world.asked.end(); ++later)
    EXPECT_NE(later->verb, Verb::sample);
}

TEST_F(Studies, TraceTheEndsOfTheAxisFirstAsLongAsThereIsTime) {
  trace = true;
  experiment.measure.budgetSeconds = 10;  // including two for the traced pass
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::trace) world.seconds += 0.6;
    return std::nullopt;
  };
  int told = 0;
  recorder.onProgress = [&](const StudyProgress& progress) {
    if (progress.phase != "tracing") return;
    ++told;
    EXPECT_LE(progress.secondsLeft, 2) << "its time, however many cells there are";
  };
  const StudyOutcome outcome = study();
  EXPECT_GT(told, 2);
  EXPECT_EQ(outcome.run.traceProblem, "its time budget was used up after 4 of 6 data points");
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(outcome.run.cells[i].anatomy.has_value(), i < 2 || i >= 4) << i;
}

TEST_F(Studies, StandWhateverBecomesOfTheTracedPass) {
  trace = true;
  for (const char* trouble : {"die", "hang", "nonsense", "unsupported"}) {
    world.misbehave = [&](const Request& request) -> std::optional<std::string> {
      if (request.verb != Verb::trace) return std::nullopt;
      if (std::string_view(trouble) == "unsupported")
        return errorLine(request.id, ErrorKind::unsupported, "no marks here");
      return trouble;
    };
    recorder.lastFraction = 0;
    const StudyOutcome outcome = study();
    EXPECT_FALSE(outcome.failed) << trouble;
    EXPECT_NE(outcome.run.traceProblem, "") << trouble;
    for (const Cell& cell : outcome.run.cells) {
      EXPECT_EQ(cell.stop, Stop::converged) << trouble;
      EXPECT_FALSE(cell.anatomy) << trouble;
    }
  }
}

TEST_F(Studies, StopACellAtTheMinimumWhenItIsSteady) {
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed);
  ASSERT_EQ(outcome.run.cells.size(), 6u);
  EXPECT_THAT(stops(outcome.run), Each(Stop::converged));
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_EQ(cell.samples.size(), 31u);
    EXPECT_EQ(cell.relativeError, 1e-7);
    EXPECT_EQ(cell.launches->maximum, 1);
  }
  EXPECT_EQ(world.workersStarted, 1);
  EXPECT_EQ(recorder.starts, 1);
  EXPECT_EQ(recorder.lastPhase, "done");
  EXPECT_EQ(outcome.run.environment["fake"], true);
  EXPECT_FALSE(outcome.run.startedAt.empty());
}

TEST_F(Studies, StopACellAtTheCapWhenItIsNoisyAndTheOthersSooner) {
  world.time = [](const CellKey& key, int count) {
    return key.variant == 1 && count % 2 ? 150.0 : 100.0;
  };
  const StudyOutcome outcome = study();
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_EQ(cell.stop, cell.key.variant == 1 ? Stop::cap : Stop::converged);
    EXPECT_EQ(cell.samples.size(), cell.key.variant == 1 ? 201u : 31u);
  }
}

TEST_F(Studies, StopAtTheTimeBudgetAndKeepWhatThereIs) {
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  world.sampleSeconds = 0.1;  // 10 s for sampling: 100 samples over 6 cells
  const StudyOutcome outcome = study();
  EXPECT_THAT(stops(outcome.run), Each(Stop::budget));
  std::size_t samples = 0;
  for (const Cell& cell : outcome.run.cells) samples += cell.samples.size();
  EXPECT_NEAR(static_cast<double>(samples), 100, 1);
  EXPECT_FALSE(outcome.failed);
}

TEST_F(Studies, TakeATenthOfTheBudgetWhenQuick) {
  quick = true;
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  world.sampleSeconds = 0.01;
  const StudyOutcome outcome = study();
  EXPECT_LE(world.seconds, 1.5);
  EXPECT_TRUE(outcome.run.quick);
}

TEST_F(Studies, LeaveOutPointsRatherThanExceedTheTimeOfAQuickRun) {
  quick = true;
  experiment =
      smallExperiment({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20});
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  world.prepareSeconds = 0.1;  // 4 s for 40 cells, with a plan of 1.4 s
  world.sampleSeconds = 0.02;
  const StudyOutcome outcome = study();
  EXPECT_LE(world.seconds, planTime(experiment.measure, true).totalSeconds + 0.3);
  std::set<std::int64_t> measured;
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_EQ(cell.stop, Stop::budget);
    if (cell.samples.empty()) continue;
    EXPECT_GE(cell.samples.size(), kQuickSamples);
    EXPECT_EQ(cell.samples.empty(),
              outcome.run.find({1 - cell.key.variant, cell.key.at})->samples.empty())
        << "a point without its baseline at " << cell.key.at[0];
    measured.insert(cell.key.at[0]);
  }
  EXPECT_GE(measured.size(), 3u);
  EXPECT_LT(measured.size(), 10u);
  EXPECT_TRUE(measured.contains(1) && measured.contains(20)) << "coarse to fine: both ends first";
  EXPECT_TRUE(recorder.needs.empty());
}

TEST_F(Studies, MeasureAllOfAQuickRunThatFitsItsTime) {
  quick = true;
  world.prepareSeconds = 0.01;
  const StudyOutcome outcome = study();
  EXPECT_THAT(stops(outcome.run), Each(Stop::converged));
}

TEST_F(Studies, MeasureOnePointOfAQuickRunHoweverLongItTakes) {
  quick = true;
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  world.prepareSeconds = 10;
  const StudyOutcome outcome = study();
  std::size_t measured = 0;
  for (const Cell& cell : outcome.run.cells) measured += !cell.samples.empty();
  EXPECT_EQ(measured, 2u);
  EXPECT_LE(world.seconds, 2 * 10 + 1);
}

TEST_F(Studies, ExpectAQuickRunsPointsBetweenTwoToTakeTimesBetweenTheirs) {
  quick = true;
  experiment = smallExperiment({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1000});
  world.prepareSeconds = 0.005;
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::prepare) world.seconds += 3e-4 * request.body["at"][0].get<double>();
    return std::nullopt;
  };
  const StudyOutcome outcome = study();
  std::size_t measured = 0;
  for (const Cell& cell : outcome.run.cells) measured += !cell.samples.empty();
  EXPECT_EQ(measured, outcome.run.cells.size()) << "the last point takes 0.6 s of 0.9";
}

TEST_F(Studies, ExpectAQuickRunsLargerPointsToTakeLonger) {
  quick = true;
  experiment = smallExperiment({1, 1000});
  world.time = [](const CellKey& key, int) { return 1e6 * static_cast<double>(key.at[0]); };
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.run.cells[0].samples.empty());
  EXPECT_TRUE(outcome.run.cells[2].samples.empty()) << "35 calls take 35 s there";
}

TEST_F(Studies, TakeOneSampleOfWhatAModelGivesWithoutNoise) {
  device = "sim:some";
  world.greeting = {{"environment", {{kModelError, 0.1}, {kModelExact, true}}}};
  const StudyOutcome outcome = study();
  EXPECT_THAT(stops(outcome.run), Each(Stop::converged));
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_THAT(cell.samples, SizeIs(1));
    EXPECT_DOUBLE_EQ(cell.latency().high, 1.1 * cell.latency().value);
  }
  for (const Request& asked : world.asked)
    if (asked.verb == Verb::prepare) {
      EXPECT_LE(asked.body["compile_repeats"], 1);
    }
}

TEST_F(Studies, TakeManySamplesOfAModelWithNoise) {
  device = "sim:some";
  world.greeting = {{"environment", {{kModelError, 0.1}, {kModelExact, false}}}};
  for (const Cell& cell : study().run.cells) EXPECT_THAT(cell.samples, SizeIs(31));
}

TEST_F(Studies, GiveEveryCellSixSamplesHoweverSoonTheTimeIsUpAndSayWhatThatTakes) {
  experiment.measure.budgetSeconds = 1;
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  world.sampleSeconds = 0.15;  // 1 s for sampling: seven samples, and 36 are wanted
  recorder.onProgress = [&](const StudyProgress& progress) {
    if (progress.phase == "measuring" && world.seconds < 2.7) {
      EXPECT_LT(progress.fraction, 0.8) << "half of it at most, after " << world.seconds << " s";
    }
  };
  const StudyOutcome outcome = study();
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_EQ(cell.stop, Stop::budget);
    EXPECT_THAT(cell.samples, SizeIs(kLeastSamples));
  }
  ASSERT_THAT(recorder.needs, SizeIs(1));
  EXPECT_NEAR(recorder.needs[0].seconds, 5.4, 0.5);
  EXPECT_NEAR(recorder.needs[0].budget, 1, 0.01);
  EXPECT_EQ(sentence({63, 10, 105}),
            "6 samples of each of 105 data points take about 63 s, and the budget is 10 s");
  EXPECT_EQ(sentence({6.2, 5.9, 12}),
            "6 samples of each of 12 data points take about 6.2 s, and the budget is 5.9 s");
  EXPECT_EQ(sentence({6.04, 6.0, 12}),
            "6 samples of each of 12 data points take about 6.04 s, and the budget is 6.00 s")
      << "what is more than the other reads so";
}

TEST_F(Studies, SayNothingOfTheirTimeWhereItSuffices) {
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  world.sampleSeconds = 0.1;
  study();
  EXPECT_TRUE(recorder.needs.empty());
}

TEST_F(Studies, SayNothingOfTimeThatPreparingTook) {
  experiment.measure.budgetSeconds = 1;
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  world.prepareSeconds = 0.5;  // leaves 0.2 s of the 1 s for sampling
  world.sampleSeconds = 0.02;  // six samples of six cells take 0.72 s
  const StudyOutcome outcome = study();
  for (const Cell& cell : outcome.run.cells)
    EXPECT_GE(cell.samples.size(), static_cast<std::size_t>(kLeastSamples));
  EXPECT_TRUE(recorder.needs.empty());
}

TEST(LeastSeconds, AreJudgedByWhatWasMeasured) {
  fusebench::Run run;
  run.experiment = smallExperiment({1, 2, 3});
  for (const CellKey& key : cells(run.experiment)) {
    run.cells.emplace_back();
    run.cells.back().key = key;
  }
  EXPECT_FALSE(leastSeconds(run));
  for (Cell& cell : run.cells) {
    cell.inputsUsed = 10;
    if (cell.key.at[0] != 3) cell.samples = {{0, 50e6}};
  }
  // A pass of 0.5 s that is not timed and one that is, for all cells, as the others are.
  const auto count = static_cast<double>(run.cells.size());
  ASSERT_TRUE(leastSeconds(run));
  EXPECT_NEAR(*leastSeconds(run), count * 6 * 1.0, 0.01);
}

TEST_F(Studies, EndSoonAfterTheirBudgetHoweverLongPreparingTook) {
  world.prepareSeconds = 5;  // 30 s for six cells, with a plan of 14
  world.time = [](const CellKey&, int count) { return count % 2 ? 150.0 : 100.0; };
  study();
  EXPECT_LE(world.seconds, 30 + 2.1);
}

TEST_F(Studies, VisitEveryRunningCellOnceARoundInAnotherOrder) {
  const StudyOutcome outcome = study();
  for (const Cell& cell : outcome.run.cells)
    for (std::size_t i = 0; i < cell.samples.size(); ++i)
      EXPECT_EQ(cell.samples[i].round, static_cast<int>(i));
  std::set<std::vector<std::size_t>> orders;
  std::vector<Cell> cells(6);
  for (int round = 0; round < 20; ++round) {
    const auto order = roundOrder(cells, 1, round);
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), 6u);
    EXPECT_EQ(order, roundOrder(cells, 1, round));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 15u);
  cells[2].stop = Stop::converged;
  EXPECT_THAT(roundOrder(cells, 1, 0), SizeIs(5));
}

TEST_F(Studies, LoseOnlyAWorkerWhenOneDies) {
  int samples = 0;
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::sample && ++samples == 50) return "die";
    return std::nullopt;
  };
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed);
  EXPECT_THAT(stops(outcome.run), Each(Stop::converged));
  EXPECT_EQ(world.workersStarted, 2);
  ASSERT_THAT(recorder.lost, SizeIs(1));
  EXPECT_THAT(recorder.lost[0], HasSubstr("killed by signal 9"));
  // Compile time is not measured again by the new worker.
  for (const Cell& cell : outcome.run.cells) EXPECT_THAT(cell.firstCompiles, SizeIs(1));
}

TEST_F(Studies, GiveUpOnTheCellThatKillsItsWorkerTwice) {
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::prepare && request.body["variant"] == 1 && request.body["at"][0] == 2)
      return "die";
    return std::nullopt;
  };
  const StudyOutcome outcome = study();
  EXPECT_TRUE(outcome.failed);
  EXPECT_THAT(outcome.message, HasSubstr("1 of 6 data points"));
  EXPECT_THAT(recorder.lost, SizeIs(2));
  for (const Cell& cell : outcome.run.cells) {
    const bool bad = cell.key == CellKey{1, {2}};
    EXPECT_EQ(cell.stop, bad ? Stop::failed : Stop::converged);
    EXPECT_EQ(cell.error.has_value(), bad);
    EXPECT_EQ(cell.samples.size(), bad ? 0u : 31u);
  }
}

TEST_F(Studies, ChargeAWorkersLastWordsToTheCellTheyAreAbout) {
  // Every sample of one cell spoils the device; the others come right behind it.
  world.misbehave = [](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::sample || request.body["variant"] != 1) return std::nullopt;
    return lastWordsLine(request.id, "the device is spoilt");
  };
  const StudyOutcome outcome = study();
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_EQ(cell.stop, cell.key.variant == 1 ? Stop::failed : Stop::converged);
    if (cell.key.variant == 1) {
      EXPECT_EQ(cell.error, "the device is spoilt");
    }
  }
  EXPECT_EQ(world.workersStarted, 4);  // one more for each of the three cells
  EXPECT_THAT(recorder.lost, SizeIs(3));
}

TEST_F(Studies, GiveUpOnACellWhoseCheckSpoilsTheDeviceEachTime) {
  world.misbehave = [](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::check || request.body["variant"] != 1) return std::nullopt;
    return lastWordsLine(request.id, "the device is spoilt");
  };
  const StudyOutcome outcome = study();
  for (const Cell& cell : outcome.run.cells)
    EXPECT_EQ(cell.stop, cell.key.variant == 1 ? Stop::failed : Stop::converged);
}

TEST_F(Studies, EndAHungWorkerAndGoOn) {
  int samples = 0;
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::sample && ++samples == 3) return "hang";
    return std::nullopt;
  };
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed);
  EXPECT_EQ(world.workersKilled, 1);
  ASSERT_THAT(recorder.lost, SizeIs(1));
  EXPECT_THAT(recorder.lost[0], HasSubstr("did not answer"));
}

class Nonsense : public Studies, public testing::WithParamInterface<const char*> {};
TEST_P(Nonsense, CostsOnlyTheWorkerThatTalksIt) {
  int samples = 0;
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::sample || ++samples != 10) return std::nullopt;
    std::string line = GetParam();
    if (const std::size_t at = line.find("ID"); at != std::string::npos)
      line.replace(at, 2, std::to_string(request.id));
    return line;
  };
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed);
  EXPECT_EQ(world.workersStarted, 2);
  EXPECT_THAT(stops(outcome.run), Each(Stop::converged));
}
INSTANTIATE_TEST_SUITE_P(Lines, Nonsense,
                         testing::Values("hello there", "{\"id\": ID}", "{\"id\": ID, \"ok\": 5}",
                                         "[]", "{\"id\": ID, \"ok\": {}}",
                                         "{\"id\": ID, \"ok\": {\"ns\": -1}}",
                                         "{\"id\": ID, \"ok\": {\"ns\": \"inf\"}}",
                                         "{\"id\": ID, \"ok\": {\"ns\": 0}}",
                                         "{\"id\": ID, \"error\": \"what\"}",
                                         "{\"id\": ID, \"ok\": {\"ns\": 1", "\x01\xff\xfe"));

TEST_F(Studies, PassOverRepliesThatComeLate) {
  int samples = 0;
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::sample || ++samples != 10) return std::nullopt;
    return std::nullopt;
  };
  // A stray reply to an older request precedes every real one.
  auto connect = world.connector();
  StudyOptions options;
  options.seconds = [this] { return world.seconds; };
  class Stray final : public WorkerConnection {
   public:
    explicit Stray(std::unique_ptr<WorkerConnection> inner) : inner_(std::move(inner)) {}
    bool send(const std::string& line) override {
      stray_ = true;
      return inner_->send(line);
    }
    Received receive(double seconds) override {
      if (std::exchange(stray_, false)) return {Event::line, okLine(-5, {{"ns", 7}})};
      return inner_->receive(seconds);
    }
    void kill() override { inner_->kill(); }
    std::string epitaph() override { return inner_->epitaph(); }

   private:
    std::unique_ptr<WorkerConnection> inner_;
    bool stray_ = false;
  };
  options.connect = [&] { return std::make_unique<Stray>(connect()); };
  const StudyOutcome outcome = runStudy(experiment, options, recorder, stop.get_token());
  EXPECT_THAT(recorder.lost, SizeIs(0));
  for (const Cell& cell : outcome.run.cells) EXPECT_EQ(cell.latency().value, 100);
}

TEST_F(Studies, FailWhenNoWorkerCanBeHad) {
  world.misbehave = [](const Request&) -> std::optional<std::string> { return "die"; };
  StudyOutcome outcome = study();
  EXPECT_TRUE(outcome.failed);
  EXPECT_THAT(outcome.message, HasSubstr("could not start a worker process"));
  EXPECT_EQ(world.workersStarted, 2);

  StudyOptions options;
  options.workerCommand = {"/nowhere/fusebench-cli", "worker"};
  outcome = runStudy(experiment, options, recorder, stop.get_token());
  EXPECT_TRUE(outcome.failed);
  EXPECT_THAT(outcome.message, HasSubstr("/nowhere/fusebench-cli: cannot be started"));
}

TEST_F(Studies, RefuseAWorkerOfAnotherProtocol) {
  world.misbehave = [](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::hello) return std::nullopt;
    return okLine(request.id, {{"protocol", 99}});
  };
  EXPECT_THAT(study().message, HasSubstr("another version"));
}

TEST_F(Studies, LeaveOutWhatIsUnavailable) {
  world.misbehave = [](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::prepare || request.body["variant"] != 1) return std::nullopt;
    return errorLine(request.id, ErrorKind::unavailable, "needs too much memory");
  };
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed);
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_EQ(cell.stop, cell.key.variant == 1 ? Stop::unavailable : Stop::converged);
    if (cell.key.variant == 1) {
      EXPECT_EQ(cell.error, "needs too much memory");
    }
  }
}

TEST_F(Studies, KeepWhatWasMeasuredWhenStopped) {
  int seen = 0;
  recorder.onChange = [&](const Cell&) {
    if (++seen == 40) stop.request_stop();
  };
  const StudyOutcome outcome = study();
  EXPECT_TRUE(outcome.run.interrupted);
  EXPECT_FALSE(outcome.failed);
  EXPECT_FALSE(outcome.message.empty());
  EXPECT_THAT(stops(outcome.run), Each(Stop::interrupted));
  std::size_t samples = 0;
  for (const Cell& cell : outcome.run.cells) samples += cell.samples.size();
  EXPECT_GT(samples, 20u);
}

TEST_F(Studies, TellTheWorkerToStopWhenStoppedWhileItWorks) {
  int samples = 0;
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::sample || ++samples != 5) return std::nullopt;
    stop.request_stop();
    return "hang";
  };
  const StudyOutcome outcome = study();
  EXPECT_TRUE(outcome.run.interrupted);
  EXPECT_EQ(world.asked.back().verb, Verb::stop);
  EXPECT_EQ(world.workersKilled, 0);  // it heeded the stop
}

TEST_F(Studies, ContinueARunByAddingRounds) {
  int seen = 0;
  recorder.onChange = [&](const Cell&) {
    if (++seen == 60) stop.request_stop();
  };
  const StudyOutcome first = study();
  stop = std::stop_source();
  recorder = StudyRecorder();
  world.asked.clear();
  const StudyOutcome second = study(&first.run);
  EXPECT_THAT(stops(second.run), Each(Stop::converged));
  EXPECT_FALSE(second.run.interrupted);
  for (std::size_t i = 0; i < second.run.cells.size(); ++i) {
    const Cell &before = first.run.cells[i], &after = second.run.cells[i];
    EXPECT_EQ(after.samples.size(), 31u);
    EXPECT_EQ(after.firstCompiles.size(), before.firstCompiles.size());
    std::set<int> rounds;
    for (const Sample& sample : after.samples) rounds.insert(sample.round);
    EXPECT_EQ(rounds.size(), 31u);  // no round twice
  }
  for (const Request& request : world.asked) {
    if (request.verb == Verb::prepare) {
      EXPECT_EQ(request.body["compile_repeats"], 0);
    }
  }
}

TEST_F(Studies, DoNotContinueARunOfAnotherExperiment) {
  const fusebench::Run other = emptyRun(smallExperiment({1}));
  EXPECT_THROW(study(&other), InputError);
}

TEST(Schedule, EstimatesSamplesFromHowTheIntervalShrinks) {
  const StoppingRule rule;
  Cell cell;
  EXPECT_EQ(samplesToGo(cell, rule), 31);
  for (int i = 0; i < 40; ++i)
    cell.samples.push_back({i, i % 2 ? 102.0 : 98.0});  // half-width 2%: four times as many
  EXPECT_NEAR(samplesToGo(cell, rule), 120, 1);
}

}  // namespace
}  // namespace fusebench
