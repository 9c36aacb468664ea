// SPDX-License-Identifier: GPL-3.0-or-later
// Several simulated devices joined by links: predictions, fits to measurements, and extrapolations
// beyond the measurements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "profiler/experiment/rank_options.h"
#include "profiler/files/input_error.h"
#include "profiler/measure/continuation.h"
#include "profiler/measure/prediction.h"
#include "profiler/measure/sim_fit.h"

namespace fusebench {
namespace {

/// All-reduce of so many float32 and nothing else.
Experiment reductions(const std::string& ranks) {
  return parseExperiment(R"json({"fusebench": "experiment", "version": 2, "title": "Links",
    "program": ["import torch.distributed as dist", "def program(x):", "    dist.all_reduce(x)",
                "    return x"],
    "inputs": [{"name": "all", "count": 1,
                "tensors": [{"name": "x", "extents": ["elements"], "held": true}]}],
    "variants": [{"name": "reduce", "executor": "static"}],
    "baseline": "reduce",
    "axes": [{"name": "elements", "values": [2, 1024, 65536, 1048576]},
             {"name": "ranks", "values": [)json" +
                             ranks + R"json(]}]})json",
                         "links.json");
}

/// A step of training, its gradients in several ways.
Experiment training(const std::string& ranks) {
  return parseExperiment(R"json({"fusebench": "experiment", "version": 2, "title": "Training",
    "program": ["class Net(nn.Module):", "    def __init__(self):", "        super().__init__()",
                "        self.first = nn.Linear(256, 256)", "        self.second = nn.Linear(256, 256)",
                "        self.third = nn.Linear(256, 16)",
                "    def forward(self, x, target):",
                "        x = F.relu(self.second(F.relu(self.first(x))))",
                "        return F.mse_loss(self.third(x), target)"],
    "inputs": [{"name": "all", "count": 1, "tensors": [{"name": "x", "extents": [1024, 256]},
                                                       {"name": "target", "extents": [1024, 16]}]}],
    "variants": [
      {"name": "strong", "executor": "static", "gradients": true},
      {"name": "weak", "executor": "static", "gradients": true, "scaling": "weak"},
      {"name": "each", "executor": "static", "gradients": true, "scaling": "weak",
       "buckets": "each"},
      {"name": "overlapped", "executor": "static", "gradients": true, "scaling": "weak",
       "buckets": "each", "overlap": true}],
    "baseline": "strong", "axes": [{"name": "ranks", "values": [)json" +
                             ranks + R"json(]}]})json",
                         "training.json");
}

double timeOf(const fusebench::Run& run, int variant, std::vector<std::int64_t> at) {
  const Cell* const cell = run.find({variant, std::move(at)});
  if (!cell || cell->samples.empty()) return NAN;
  return cell->samples.front().nanoseconds;
}

TEST(SimRanks, TakeAnAllReduceWhatTheLinksSay) {
  sim::Parameters device = findSimDevice("sim:round-numbers").parameters;
  const fusebench::Run run = Prediction(reductions("1, 2, 8, 1024")).on(device, "sim:x");
  // A launch takes 1 µs, the shortest kernel 2: the device is the slower one. Links: 1 µs, and 100
  // bytes in a nanosecond.
  EXPECT_NEAR(timeOf(run, 0, {2, 2}), 2000 + 2 * (1000 + 8 / 100.0), 10);
  EXPECT_NEAR(timeOf(run, 0, {2, 1024}), 2000 + 2 * 10 * (1000 + 8 / 100.0), 50);
  const double bytes = 4.0 * 1048576;
  EXPECT_NEAR(timeOf(run, 0, {1048576, 8}), 2000 + 2 * 7 * (1000 + bytes / 8 / 100), 500);
  // By the tree: the ring's 2046 messages alone take longer.
  EXPECT_NEAR(timeOf(run, 0, {1048576, 1024}), 2000 + 2 * 10 * (1000 + bytes / 100), 5000);
}

TEST(SimRanks, HideBehindComputingWhatOverlaps) {
  sim::Parameters device = findSimDevice("sim:round-numbers").parameters;
  device.linkBandwidth = 5;
  device.linkLatency = 500;
  const fusebench::Run run = Prediction(training("1, 2, 64")).on(device, "sim:x");
  for (const std::int64_t ranks : {2, 64}) {
    EXPECT_LT(timeOf(run, 3, {ranks}), 0.97 * timeOf(run, 2, {ranks})) << ranks;
    EXPECT_GT(timeOf(run, 3, {ranks}), timeOf(run, 3, {1})) << ranks;
    EXPECT_GT(timeOf(run, 1, {ranks}), timeOf(run, 1, {1})) << ranks;
  }
  // A share of the batch each.
  EXPECT_LT(timeOf(run, 0, {2}), timeOf(run, 1, {2}));
}

TEST(SimRanks, GoToAThousandAndGiveTheSameTimesTwice) {
  const SimDevice device = findSimDevice("sim:h100");
  const Experiment experiment = withRanks(training("1, 2"), 1024);
  EXPECT_EQ(experiment.axes[0].values,
            (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}));
  const fusebench::Run once = Prediction(experiment).on(device.parameters, "sim:h100"),
                       twice = Prediction(experiment).on(device.parameters, "sim:h100");
  for (std::size_t c = 0; c < once.cells.size(); ++c) {
    ASSERT_EQ(once.cells[c].samples.size(), 1u) << once.cells[c].error.value_or("");
    EXPECT_EQ(once.cells[c].samples[0].nanoseconds, twice.cells[c].samples[0].nanoseconds);
  }
  for (std::int64_t ranks = 2; ranks < 1024; ranks *= 2)
    EXPECT_LE(timeOf(once, 1, {ranks}), timeOf(once, 1, {2 * ranks})) << ranks;
}

TEST(SimRanks, LinksAreFittedToWhatWasMeasuredAndGoOnAsTheyAre) {
  sim::Parameters truth = findSimDevice("sim:one-core").parameters;
  truth.linkLatency = 900;
  truth.linkBandwidth = 7;
  truth.kernelFloor = 800;
  truth.contractRate = 31;
  std::vector<fusebench::Run> runs{Prediction(training("1, 2")).on(truth, "cpu"),
                                   Prediction(reductions("1, 2")).on(truth, "cpu")};
  const SimFit fit = fitSimDevice(findSimDevice("sim:one-core"), runs, {"training", "links"});
  EXPECT_NEAR(fit.device.parameters.linkLatency, 900, 90);
  EXPECT_NEAR(fit.device.parameters.linkBandwidth, 7, 0.7);
  EXPECT_NEAR(fit.device.parameters.contractRate, 31, 3);
  const Continuation on = continued(runs[0], fit.device, 256);
  EXPECT_EQ(on.agreement.points.size(), 8u);
  EXPECT_LT(on.agreement.median, 0.05);
  EXPECT_THAT(on.agreement.sentence(),
              testing::HasSubstr("at the 8 measured points the median error is"));
  EXPECT_TRUE(on.run.isSimulated());
  const fusebench::Run there = Prediction(training("256")).on(truth, "cpu");
  EXPECT_NEAR(timeOf(on.run, 1, {256}), timeOf(there, 1, {256}), 0.1 * timeOf(there, 1, {256}));
}

TEST(SimRanks, MoreRanksAreOfTheAxisOrOfTheVariants) {
  Experiment experiment = training("1, 2, 4");
  EXPECT_EQ(withRanks(experiment, 2).axes[0].values, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(withRanks(experiment, 20).axes[0].values,
            (std::vector<std::int64_t>{1, 2, 4, 8, 16, 20}));
  EXPECT_THROW(withRanks(experiment, 1025), InputError);
  experiment.axes[0] = {};
  experiment.axes[0].name = "bucket";
  experiment.axes[0].values = {0};
  EXPECT_THROW(withRanks(experiment, 8), InputError);
  experiment.variants[1].ranks = 2;
  const Experiment more = withRanks(experiment, 8);
  EXPECT_EQ(more.variants[0].ranks, 1);
  EXPECT_EQ(more.variants[1].ranks, 8);
}

}  // namespace
}  // namespace fusebench
