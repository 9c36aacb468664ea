// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/sim_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "profiler/files/input_error.h"
#include "profiler/files/resources.h"
#include "profiler/measure/prediction.h"
#include "profiler/run/recordings.h"

namespace fusebench {
namespace {

Experiment smallStudy() {
  return parseExperiment(R"json({"fusebench": "experiment", "version": 1, "title": "Small",
    "program": ["x = x + 1", "x = torch.sin(x)", "x = x * 2", "return x.sum()"],
    "inputs": [{"name": "all", "count": 4, "tensors": [{"name": "x", "extents": [8, 16]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"},
                 {"name": "instant", "executor": "instant"},
                 {"name": "replay", "executor": "replay"}],
    "baseline": "eager", "axes": [{"name": "statements", "values": [1, 2, 3, 6, 12, 24]}]})json",
                         "small.json");
}

TEST(SimPrediction, IsWhatCallsTakeByHand) {
  const SimDevice device = findSimDevice("sim:round-numbers");
  const fusebench::Run run = Prediction(smallStudy()).on(device.parameters, "sim:round-numbers");
  EXPECT_TRUE(run.isSimulated());
  for (const Cell& cell : run.cells) {
    ASSERT_EQ(cell.samples.size(), 1u) << cell.error.value_or("");
    const Variant& variant = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)];
    const double kernels = variant.executor == "eager" || variant.executor == "replay"
                               ? static_cast<double>(cell.key.at[0]) + 1
                               : 1;
    // A kernel takes 2 µs and hardly more, a launch one: the device is always the slower one.
    EXPECT_NEAR(cell.samples[0].nanoseconds, 2000 * kernels, 0.03 * 2000 * kernels + 2)
        << variant.name << " " << cell.key.at[0];
  }
}

TEST(SimPrediction, CostsThatHalveMoveTheCurves) {
  const Prediction prediction(smallStudy());
  SimDevice device = findSimDevice("sim:h100");
  const fusebench::Run before = prediction.on(device.parameters, "sim:h100");
  device.parameters.launch /= 2;
  const fusebench::Run after = prediction.on(device.parameters, "sim:h100");
  for (std::size_t c = 0; c < before.cells.size(); ++c) {
    const bool eager = before.cells[c].key.variant == 0;
    if (eager) {
      EXPECT_LT(after.cells[c].samples[0].nanoseconds,
                0.7 * before.cells[c].samples[0].nanoseconds);
    }
    EXPECT_LE(after.cells[c].samples[0].nanoseconds, before.cells[c].samples[0].nanoseconds);
  }
}

TEST(SimFit, FindsTheCostsThatMadeTheTimes) {
  SimDevice truth = findSimDevice("sim:h100");
  truth.parameters.launch = 5000;
  truth.parameters.wait = 9000;
  truth.parameters.kernelFloor = 1700;
  std::vector<fusebench::Run> runs{Prediction(smallStudy()).on(truth.parameters, "cuda:0")};
  const SimFit fit = fitSimDevice(findSimDevice("sim:h100"), runs, {"made"});
  ASSERT_TRUE(fit.device.accuracy);
  EXPECT_LT(fit.device.accuracy->median, 0.02);
  EXPECT_LT(fit.device.accuracy->ninth, 0.05);
  EXPECT_EQ(fit.device.accuracy->heldOut, 6 * 4);
  EXPECT_NEAR(fit.device.parameters.launch, 5000, 300);
  EXPECT_NEAR(fit.device.parameters.wait + fit.device.parameters.latency,
              9000 + truth.parameters.latency, 600);
}

TEST(SimFit, ARunWithNothingToFitIsRefused) {
  std::vector<fusebench::Run> runs(1);
  runs[0].experiment = smallStudy();
  EXPECT_THROW(fitSimDevice(findSimDevice("sim:h100"), runs, {"empty"}), InputError);
}

/// What the file of the device says of itself is so: the study lies on the recording.
TEST(SimFit, TheShippedDeviceMeetsTheRecordingsAsItSays) {
  const SimDevice device = findSimDevice("sim:h100");
  std::vector<double> errors;
  for (const Recording& recording : shippedRecordings()) {
    if (recording.name != "h100_fusion_study" && recording.name != "h100_every_way") continue;
    const fusebench::Run run = loadRun(recording.path);
    for (const Cell& cell : run.cells) {
      if (!cell.hasDeviceTimes() || !isPredictable(run.experiment, cell.key)) continue;
      const CellScript script(run.experiment, cell.key);
      const double predicted = script.on(device.parameters, 40).call;
      errors.push_back(std::abs(predicted / cell.latency().value - 1));
    }
  }
  if (errors.empty()) GTEST_SKIP() << "the folder resources is not here";
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 0.10);
  EXPECT_LE(errors[errors.size() * 9 / 10], 0.25);
}

}  // namespace
}  // namespace fusebench
