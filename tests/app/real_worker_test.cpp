// SPDX-License-Identifier: GPL-3.0-or-later
// Studies with the real worker process: killed, stopped, kept.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <stop_token>

#include "profiler/protocol/process.h"
#include "profiler/study/study.h"
#include "profiler/study/warm_worker.h"
#include "profiler/worker/code_protocol.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// 30 statements at (8, 16), with numbers that no cache has seen.
Experiment chain(int seed, double budget = 1, int longest = 12) {
  return parseExperiment(fmt::format(R"json({{
  "fusebench": "experiment", "version": 1, "title": "A chain",
  "program": ["x = x + 0.{0}", "x = torch.sin(x)", "x = torch.exp(x * 0.{0})", "return x.sum()"],
  "inputs": [{{"name": "all", "count": 20, "tensors": [{{"name": "x", "extents": [8, 16]}}]}}],
  "variants": [{{"name": "eager", "executor": "eager"}}, {{"name": "static", "executor": "static"}},
               {{"name": "dynamic", "executor": "dynamic"}}],
  "baseline": "eager",
  "axes": [{{"name": "statements", "values": [1, 4, 8, {2}]}}],
  "measure": {{"budgetSeconds": {1}, "precision": 0.0001, "compileRepeats": 1}}
}})json",
                                     seed, budget, longest),
                         "chain");
}

class Watcher : public StudyObserver {
 public:
  void cellChanged(int, const Cell& cell) override {
    if (!cell.samples.empty() && onSample) onSample(cell);
  }
  void workerLost(const std::string& what) override { lost.push_back(what); }
  std::function<void(const Cell&)> onSample;
  std::vector<std::string> lost;
};

std::size_t samplesOf(const Run& run) {
  std::size_t count = 0;
  for (const Cell& cell : run.cells) count += cell.samples.size();
  return count;
}

class RealWorker : public testing::Test {
 protected:
  RealWorker() { setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }
  StudyOptions options() const {
    StudyOptions options;
    options.workerCommand = {fusebench::test::cliPath(), "worker"};
    return options;
  }
  TemporaryFolder folder;
  Watcher watcher;
  std::stop_source stop;
};

TEST_F(RealWorker, KilledAgainAndAgainFailsTheRunThatThenGoesOnWithANewOne) {
  StudyOptions mortal = options();
  mortal.connect = [&] { return startWorker(mortal.workerCommand); };
  int samples = 0;
  // From the 40th sample on every worker is killed, so every cell costs two and is given up.
  watcher.onSample = [&](const Cell&) {
    if (++samples < 40) return;
    for (const pid_t worker : childrenOf(getpid())) kill(worker, SIGKILL);
  };
  const StudyOutcome failed = runStudy(chain(11, 5), mortal, watcher, stop.get_token());
  ASSERT_TRUE(failed.failed);
  EXPECT_THAT(watcher.lost.front(), HasSubstr("signal 9"));
  const std::size_t before = samplesOf(failed.run);
  ASSERT_GE(before, 40u);

  Watcher calm;
  const StudyOutcome went = runStudy(chain(11, 5), options(), calm, stop.get_token(), &failed.run);
  EXPECT_FALSE(went.failed) << went.message;
  EXPECT_TRUE(calm.lost.empty());
  EXPECT_GT(samplesOf(went.run), before);
  for (std::size_t i = 0; i < went.run.cells.size(); ++i) {
    const auto &old = failed.run.cells[i].samples, &now = went.run.cells[i].samples;
    ASSERT_GE(now.size(), old.size());
    for (std::size_t s = 0; s < old.size(); ++s)
      EXPECT_EQ(now[s].nanoseconds, old[s].nanoseconds);  // what was measured is kept
    EXPECT_NE(went.run.cells[i].stop, Stop::failed);
  }
}

TEST_F(RealWorker, ARunThatEndedByItsBudgetGetsAnother) {
  const StudyOutcome first = runStudy(chain(12, 0.5), options(), watcher, stop.get_token());
  for (const Cell& cell : first.run.cells) ASSERT_EQ(cell.stop, Stop::budget);
  const StudyOutcome second =
      runStudy(chain(12, 0.5), options(), watcher, stop.get_token(), &first.run);
  EXPECT_GT(samplesOf(second.run), samplesOf(first.run));
}

TEST_F(RealWorker, StoppedInTheMiddleOfCompilingIsReusedWithItsKernels) {
  const auto others = childrenOf(getpid());  // that ended, and are not reaped yet
  const auto workersNow = [&] {
    auto workers = childrenOf(getpid());
    std::erase_if(workers, [&](pid_t worker) {
      return std::find(others.begin(), others.end(), worker) != others.end();
    });
    return workers;
  };
  WarmWorker warm(options().workerCommand);
  StudyOptions exploring = options();
  exploring.explore = true;
  exploring.connect = [&] { return warm.lend(); };
  int samples = 0;
  watcher.onSample = [&](const Cell&) {
    if (++samples == 5) stop.request_stop();
  };
  const StudyOutcome stopped = runStudy(chain(13), exploring, watcher, stop.get_token());
  EXPECT_TRUE(stopped.run.interrupted);
  const auto workers = workersNow();
  ASSERT_EQ(workers.size(), 1u);

  Watcher second;
  const StudyOutcome next = runStudy(chain(14), exploring, second, {});
  EXPECT_FALSE(next.failed) << next.message;
  EXPECT_TRUE(second.lost.empty());
  EXPECT_EQ(workersNow(), workers);  // the same process
  for (const Cell& cell : next.run.cells) {
    EXPECT_GE(cell.samples.size(), kCoarseSamples);
    EXPECT_LT(cell.relativeError.value_or(1), 1e-4);
    EXPECT_FALSE(cell.firstCompiles.empty());
    // Kept kernels do not pass for compiled ones.
    EXPECT_EQ(cell.firstCompiles.front().fromMemory, 0);
  }
}

TEST_F(RealWorker, ShowsTheCodeOfEachKernelInPiecesThatFit) {
  WorkerClient client(startWorker(options().workerCommand), {});
  const Experiment experiment = chain(15, 1, 60);
  ASSERT_TRUE(client.ask(Verb::load, {{"experiment", toJson(experiment)}}, 60).ok);
  const CodeListing eager = listCode(client, {0, {4}}, 60);
  ASSERT_EQ(eager.kernels.size(), 6u);  // exp(x * 0.15) is two, and the sum
  EXPECT_THAT(eager.languages, testing::ElementsAre("readable", "llvm", "assembly"));
  EXPECT_EQ(eager.inputs, "x (8, 16)");
  // The fourth statement is the first again: the chain cycles.
  EXPECT_THAT(eager.kernels[4].ops, testing::ElementsAre(0));
  EXPECT_THAT(eager.kernels[5].ops, testing::ElementsAre(4));

  const CodeListing fused = listCode(client, {2, {60}}, 60);
  ASSERT_EQ(fused.kernels.size(), 1u);
  const GeneratedCode llvm = fetchCode(client, {2, {60}}, 0, "llvm", 60);
  EXPECT_GT(llvm.text.size(), 128u << 10);  // more than one piece
  EXPECT_EQ(static_cast<std::size_t>(std::count(llvm.text.begin(), llvm.text.end(), '\n')),
            llvm.lineOps.size());
  EXPECT_THAT(llvm.text, HasSubstr("define void @fusebench_kernel"));
  EXPECT_THROW(fetchCode(client, {2, {60}}, 1, "llvm", 60), std::runtime_error);
  EXPECT_THROW(fetchCode(client, {2, {60}}, 0, "cobol", 60), std::runtime_error);
}

TEST(CodeCommand, PrintsTheKernelsInTheLanguageAskedFor) {
  const Ended loops = runCli({"code", "fusion_same_inputs", "--at", "3", "--variant", "eager"});
  EXPECT_EQ(loops.code, 0) << loops.err;
  EXPECT_THAT(loops.out, HasSubstr("4 launches"));
  EXPECT_THAT(loops.out, HasSubstr("# 2: x = torch.sin(x)"));
  EXPECT_THAT(loops.out, HasSubstr("# kernel 4 of 4: sum"));
  const Ended assembly =
      runCli({"code", "fusion_same_inputs", "--language", "assembly", "--at", "2"});
  EXPECT_EQ(assembly.code, 0) << assembly.err;
  EXPECT_THAT(assembly.out, HasSubstr("fusebench_kernel:"));
}

TEST(CodeCommand, RefusesWhatThereIsNot) {
  const auto refused = [](std::vector<std::string> arguments, const char* why) {
    arguments.insert(arguments.begin(), {"code", "fusion_same_inputs"});
    const Ended ended = runCli(arguments);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(why));
    EXPECT_TRUE(ended.out.empty());
  };
  refused({"--variant", "statc"}, "did you mean \"static\"?");
  refused({"--at", "7"}, "the axis statements has no such value");
  refused({"--at", "1,2"}, "give one value for each");
  refused({"--language", "cobol"}, "there is no such language");
  refused({"--language", "cobol"}, "readable");
  refused({"--kernel", "2"}, "give a number from 1");
}

}  // namespace
}  // namespace fusebench
