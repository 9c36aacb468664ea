// SPDX-License-Identifier: GPL-3.0-or-later
// Studies with a guest: another worker in addition to our own, in the same rounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

#include "profiler/experiment/variant_executors.h"
#include "profiler/protocol/process.h"
#include "profiler/study/study.h"
#include "profiler/study/torch_worker.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/profiler/worker/fake_worker.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

class GuestListener final : public StudyObserver {
 public:
  void workerLost(const std::string& what) override { lost.push_back(what); }
  std::vector<std::string> lost;
};

/// eager and fused are ours, the third is the guest's.
class GuestStudies : public testing::Test {
 protected:
  GuestStudies() {
    addTorch();
    theirs.greeting = {
        {"wants", {"program", "inputs"}}, {"compares", true}, {"environment", {{"torch", "9.9"}}}};
  }

  void addTorch() {
    Variant torch = experiment.variants[0];
    torch.name = "theirs";
    torch.executor = "torch";
    torch.threads = 3;
    torch.options.recompileLimit = 5;
    experiment.variants.push_back(torch);
  }

  StudyOutcome study() {
    StudyOptions options;
    options.connect = ours.connector();
    options.connectTrace = ours.connector();
    options.trace = trace;
    options.explore = explore;
    options.quick = quick;
    options.quickGraceSeconds = 0;
    options.seconds = [this] { return ours.seconds; };
    options.replySeconds = 0.2;
    GuestWorker guest = torchWorker("python3", "cpu");
    guest.connect = connectGuest ? connectGuest : theirs.connector();
    guest.aliveSeconds = alive;
    guest.greetSeconds = 0.2;
    options.guests = {guest};
    return runStudy(experiment, options, listener, stop.get_token());
  }
  static const Cell& cell(const StudyOutcome& outcome, int variant, std::int64_t at) {
    return *outcome.run.find({variant, {at}});
  }
  /// The first request of this kind that the guest got.
  const nlohmann::json& asked(Verb verb) {
    const auto found = std::find_if(theirs.asked.begin(), theirs.asked.end(),
                                    [&](const Request& one) { return one.verb == verb; });
    if (found == theirs.asked.end()) throw std::runtime_error("never asked");
    return found->body;
  }
  /// Ours are measured whatever becomes of the guest.
  static void expectOursMeasured(const StudyOutcome& outcome) {
    for (const Cell& one : outcome.run.cells)
      if (one.key.variant < 2) {
        EXPECT_EQ(one.stop, Stop::converged);
      }
  }

  Experiment experiment = smallExperiment({1, 2});
  FakeWorld ours, theirs;
  std::function<std::unique_ptr<WorkerConnection>()> connectGuest;
  GuestListener listener;
  bool trace = false, explore = false, quick = false;
  double alive = 0.2;
  std::stop_source stop;
};

TEST_F(GuestStudies, DoNotKeepOursOutOfAQuickRunHoweverLongTheyTake) {
  experiment = smallExperiment({1, 2, 3, 4, 5});
  addTorch();
  quick = true;
  theirs.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb == Verb::prepare) ours.seconds += 1;
    return std::nullopt;
  };
  const StudyOutcome outcome = study();
  std::size_t guests = 0, own = 0;
  for (const Cell& one : outcome.run.cells)
    (one.key.variant == 2 ? guests : own) += !one.samples.empty();
  EXPECT_EQ(guests, 1u) << "the first point";
  EXPECT_EQ(own, 10u);
}

TEST_F(GuestStudies, MeasureEveryVariantInTheSameRounds) {
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed) << outcome.message;
  for (const Cell& one : outcome.run.cells) EXPECT_EQ(one.stop, Stop::converged);
  const auto roundsOf = [](const Cell& one) {
    std::vector<int> rounds;
    for (const Sample& sample : one.samples) rounds.push_back(sample.round);
    return rounds;
  };
  EXPECT_EQ(roundsOf(cell(outcome, 0, 1)), roundsOf(cell(outcome, 2, 1)));
  EXPECT_EQ(outcome.run.environment["torch"]["torch"], "9.9");
  EXPECT_EQ(outcome.run.environment["fake"], true);
  // Neither is asked about the other's cells.
  for (const Request& request : theirs.asked)
    if (request.verb == Verb::sample) {
      EXPECT_EQ(request.body["variant"], 2);
    }
  for (const Request& request : ours.asked)
    if (request.verb == Verb::sample) {
      EXPECT_NE(request.body["variant"], 2);
    }
}

TEST(GuestWorkers, ServeCellsOfTheirExecutorsAndAsManyRanks) {
  GuestWorker torch = torchWorker("python3", "cpu");
  EXPECT_TRUE(torch.serves("torch", 1));
  EXPECT_FALSE(torch.serves("torch", 2));
  EXPECT_FALSE(torch.serves("static", 1));
  torch.ranks = 2;
  EXPECT_TRUE(torch.serves("torch", 2));
  EXPECT_FALSE(torch.serves("torch", 1));
  GuestWorker ours;
  ours.ranks = 2;
  EXPECT_TRUE(ours.serves("static", 2));
  EXPECT_FALSE(ours.serves("torch", 2));
  EXPECT_FALSE(ours.serves("static", 3));
}

TEST_F(GuestStudies, HandTheGuestWhatItWantsWithACell) {
  study();
  const nlohmann::json& body = asked(Verb::prepare);
  EXPECT_EQ(body["program"],
            "import torch\n\n\ndef program(x):\n    x = x + 1\n    return x.sum()\n");
  EXPECT_EQ(body["executor"], "torch");
  EXPECT_EQ(body["threads"], 3);
  EXPECT_EQ(body["recompile_limit"], 5);
  EXPECT_EQ(body["inputs"], "the inputs");
  EXPECT_EQ(asked(Verb::check)["values"], "the reference");
  // Ours are not bothered with it.
  for (const Request& request : ours.asked)
    if (request.verb == Verb::prepare) {
      EXPECT_FALSE(request.body.contains("program"));
    }
  // The files that they shared are deleted.
  for (const Request& request : ours.asked)
    if (request.verb == Verb::values) {
      EXPECT_FALSE(std::filesystem::exists(request.body["folder"].get<std::string>()));
    }
}

TEST_F(GuestStudies, KeepToABudgetAsTheGuestsExecutorDoes) {
  Variant& theirs_ = experiment.variants[2];
  theirs_.gradients = "all";
  theirs_.checkpoint = "budget 1 MB";
  study();
  EXPECT_FALSE(asked(Verb::prepare).contains("memory_budget")) << "by segments";
  theirs.asked.clear();
  theirs_.executor = "torch-static";
  study();
  EXPECT_EQ(asked(Verb::prepare)["memory_budget"], 1'000'000);
  EXPECT_THAT(asked(Verb::prepare)["program"].get<std::string>(),
              testing::Not(HasSubstr("checkpoint")));
}

TEST_F(GuestStudies, CompareOurResultsWithTheGuests) {
  const StudyOutcome outcome = study();
  EXPECT_EQ(cell(outcome, 0, 2).torchDifference, 2e-7);
  EXPECT_EQ(cell(outcome, 1, 2).torchDifference, 2e-7);
  EXPECT_FALSE(cell(outcome, 2, 2).torchDifference);
  EXPECT_EQ(asked(Verb::compare)["values"], "the results");
  EXPECT_EQ(mostDifferentFromTorch(outcome.run), &outcome.run.cells[0]);
}

TEST_F(GuestStudies, StartNoGuestThatNoVariantNeeds) {
  experiment.variants.pop_back();
  EXPECT_FALSE(study().failed);
  EXPECT_EQ(theirs.workersStarted, 0);
}

TEST_F(GuestStudies, GoOnWithoutAGuestThatSaysItIsOfNoUse) {
  theirs.greeting = {{"unavailable", "there is no PyTorch here; get it there"}};
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed) << outcome.message;
  expectOursMeasured(outcome);
  EXPECT_EQ(cell(outcome, 2, 1).stop, Stop::unavailable);
  EXPECT_EQ(cell(outcome, 2, 2).error, "there is no PyTorch here; get it there");
  EXPECT_FALSE(cell(outcome, 0, 1).torchDifference);
}

TEST_F(GuestStudies, GoOnWithoutAGuestThatCannotBeStarted) {
  connectGuest = []() -> std::unique_ptr<WorkerConnection> {
    throw std::runtime_error("/nowhere/python3: cannot be started: No such file or directory");
  };
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed) << outcome.message;
  expectOursMeasured(outcome);
  EXPECT_EQ(cell(outcome, 2, 1).stop, Stop::unavailable);
  EXPECT_THAT(*cell(outcome, 2, 1).error, HasSubstr("/nowhere/python3: cannot be started"));
  EXPECT_THAT(*cell(outcome, 2, 1).error, HasSubstr("FUSEBENCH_PYTHON"));
}

TEST_F(GuestStudies, LoseOnlyTheGuestThatDiesHangsOrTalksNonsense) {
  for (const char* trouble : {"die", "hang", "rubbish"})
    for (const Verb when : {Verb::hello, Verb::prepare, Verb::sample}) {
      if (when == Verb::hello && trouble == std::string("hang")) continue;  // see below
      theirs.misbehave = [&](const Request& request) -> std::optional<std::string> {
        if (request.verb == when) return trouble;
        return std::nullopt;
      };
      listener.lost.clear();
      const StudyOutcome outcome = study();
      const std::string what = std::string(trouble) + " on " + std::string(name(when));
      EXPECT_TRUE(outcome.failed) << what;
      expectOursMeasured(outcome);
      EXPECT_EQ(cell(outcome, 2, 1).stop, Stop::failed) << what;
      EXPECT_TRUE(cell(outcome, 2, 2).error) << what;
      EXPECT_GE(listener.lost.size(), 2U) << what;
    }
}

/// An interpreter on a file system that is gone, say.
TEST_F(GuestStudies, GoOnWithoutAGuestThatSaysNothing) {
  connectGuest = [] { return startWorker({"/bin/sh", "-c", "sleep 1000"}); };
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed) << outcome.message;
  expectOursMeasured(outcome);
  EXPECT_EQ(cell(outcome, 2, 1).stop, Stop::unavailable);
  EXPECT_THAT(*cell(outcome, 2, 1).error, HasSubstr("python3 did not answer for 0.2 s"));
  EXPECT_THAT(*cell(outcome, 2, 1).error, HasSubstr("FUSEBENCH_PYTHON"));
  EXPECT_TRUE(listener.lost.empty()) << "one line says it";
}

TEST_F(GuestStudies, StopAtOnceWhileAGuestSaysNothing) {
  alive = 1'000;
  const test::TemporaryFolder folder;
  const std::string asked = folder.path("asked");
  connectGuest = [&] {
    return startWorker({"/bin/sh", "-c", "read line; : > '" + asked + "'; sleep 1000"});
  };
  std::jthread stopping([&] {
    while (!std::filesystem::exists(asked)) std::this_thread::yield();
    stop.request_stop();
  });
  study();  // without the stop it would wait for the 1,000 s
}

TEST_F(GuestStudies, WaitLongerForAGuestThatShowsASignOfLife) {
  theirs.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::hello) return std::nullopt;
    return R"({"id": )" + std::to_string(request.id) + R"(, "working": true})";
  };
  alive = 0.05;
  const StudyOutcome outcome = study();  // and nothing ever follows
  EXPECT_EQ(cell(outcome, 2, 1).stop, Stop::unavailable);
  EXPECT_THAT(*cell(outcome, 2, 1).error, HasSubstr("did not answer for 0.2 s"));
}

TEST_F(GuestStudies, LoseNoCellOfOursToAComparisonThatFails) {
  for (const char* trouble : {"die", "hang", "rubbish"}) {
    theirs.misbehave = [&](const Request& request) -> std::optional<std::string> {
      if (request.verb == Verb::compare) return trouble;
      return std::nullopt;
    };
    listener.lost.clear();
    const StudyOutcome outcome = study();
    EXPECT_FALSE(outcome.failed) << trouble;
    for (const Cell& one : outcome.run.cells) EXPECT_EQ(one.stop, Stop::converged) << trouble;
    EXPECT_EQ(listener.lost.size(), 1U) << trouble;  // it is not asked again
    EXPECT_EQ(mostDifferentFromTorch(outcome.run), nullptr);
  }
}

TEST_F(GuestStudies, WaitAsLongAsAWorkerTellsThatItIsAtIt) {
  theirs.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::prepare) return std::nullopt;
    return R"({"id": )" + std::to_string(request.id) + R"(, "working": true})";
  };
  const StudyOutcome outcome = study();  // and nothing ever follows
  EXPECT_EQ(cell(outcome, 2, 1).stop, Stop::failed);
  EXPECT_THAT(listener.lost.front(), HasSubstr("did not answer"));
}

TEST_F(GuestStudies, TraceOnlyWhatIsOurs) {
  trace = true;
  const StudyOutcome outcome = study();
  EXPECT_EQ(outcome.run.traceProblem, "");
  for (const Cell& one : outcome.run.cells) EXPECT_EQ(one.anatomy.has_value(), one.key.variant < 2);
}

TEST_F(GuestStudies, ShowOurOwnCurvesFirstWhenExploring) {
  explore = true;
  std::vector<int> order;
  ours.time = theirs.time = [&](const CellKey& key, int count) {
    if (count == 0) order.push_back(key.variant);
    return 100.0;
  };
  const StudyOutcome outcome = study();
  EXPECT_FALSE(outcome.failed) << outcome.message;
  EXPECT_THAT(order, testing::ElementsAre(0, 1, 0, 1, 2, 2));
}

TEST(Executors, OfPyTorchStandBesideOurs) {
  const auto all = variantExecutors();
  EXPECT_EQ(all.size(), executorTable().size() + torchExecutors().size());
  EXPECT_TRUE(runsInTorch("torch-dynamic"));
  EXPECT_FALSE(runsInTorch("dynamic"));
  for (const ExecutorInfo& executor : all) EXPECT_FALSE(executor.doc.empty()) << executor.name;
}

}  // namespace
}  // namespace fusebench
