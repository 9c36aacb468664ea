// SPDX-License-Identifier: GPL-3.0-or-later
// A variant's budget of memory: segments that keep to it, by what the allocator counts.
#include "profiler/measure/checkpoint_budget.h"

#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/measure/cell_runner.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kVector = 65536 * 4;

std::string chainExperiment(const std::string& executor, const std::string& checkpoint) {
  return fmt::format(
      R"json({{"fusebench": "experiment", "version": 2, "title": "t", "program": [
"def f(x):", "  x = torch.sin(x)", "  x = torch.exp(x * 0.5)", "  x = torch.cos(x)",
"  x = torch.sigmoid(x)", "  return x.sum()"],
"inputs": [{{"name": "in", "tensors": [{{"name": "x", "extents": [65536]}}]}}],
"variants": [{{"name": "v", "executor": "{}", "inputs": "in", "gradients": true, "checkpoint": "{}"}}],
"baseline": "v", "axes": [{{"name": "statements", "values": [24]}}]}})json",
      executor, checkpoint);
}

struct Measured {
  std::int64_t peak = 0;
  double launches = 0, error = 0;
};

Measured measuredAt(const std::string& text, std::vector<std::int64_t> at) {
  const Experiment experiment = parseExperiment(text, "e.json");
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  InputStore store(*backend, experiment, std::uint64_t{1} << 32);
  std::atomic<bool> stop = false;
  ReferenceMemo references;
  CellRunner runner(*backend, store, references, experiment, {0, std::move(at)}, stop);
  Cell cell;
  runner.prepare({1, 10}, cell);
  return {cell.peakBytes.value(), cell.launches->mean, runner.check().relativeError};
}

Measured measured(const std::string& executor, const std::string& checkpoint) {
  return measuredAt(chainExperiment(executor, checkpoint), {24});
}

TEST(CheckpointBudget, IsKeptByWhatTheAllocatorCounts) {
  const Measured none = measured("eager", "none");
  Measured before = none;
  for (const double share : {0.9, 0.75, 0.65}) {
    const auto kib = static_cast<std::int64_t>(share * static_cast<double>(none.peak)) / 1024;
    const Measured kept = measured("eager", fmt::format("budget {} KiB", kib));
    EXPECT_LE(kept.peak, kib * 1024) << share;
    EXPECT_GE(kept.launches, before.launches) << "less memory is made anew more";
    EXPECT_LT(kept.error, 1e-5);
    before = kept;
  }
  EXPECT_GT(before.launches, none.launches);
}

TEST(CheckpointBudget, ThatIsWideEnoughMakesNothingAnew) {
  for (const char* executor : {"eager", "static"}) {
    const Measured none = measured(executor, "none"), wide = measured(executor, "budget 1 GB");
    EXPECT_EQ(wide.peak, none.peak) << executor;
    EXPECT_EQ(wide.launches, none.launches) << executor;
  }
}

TEST(CheckpointBudget, ThatNoSegmentsKeepNamesTheLeast) {
  try {
    measured("eager", fmt::format("budget {} KiB", kVector / 1024));
    FAIL() << "no error";
  } catch (const Unavailable& error) {
    EXPECT_THAT(error.what(), HasSubstr("no choice of segments meets the budget of"));
    // The budget that the message calls sufficient is sufficient.
    const std::string said = error.what();
    const std::size_t at = said.find("give a budget of ");
    ASSERT_NE(at, std::string::npos) << said;
    const std::string enough = said.substr(at + 17, said.find(" or more") - at - 17);
    EXPECT_LE(measured("eager", "budget " + enough).peak, *checkpointBudgetOf("budget " + enough));
  }
}

TEST(CheckpointBudget, AndSegmentsMayBeSwept) {
  Experiment experiment = parseExperiment(chainExperiment("static", "budget 1 GB"), "e.json");
  experiment.variants.push_back(experiment.variants[0]);
  experiment.variants[1].checkpoint = "sqrt";
  experiment.variants.push_back(experiment.variants[0]);
  experiment.variants[2].checkpoint.clear();
  const auto at = [&](std::size_t variant, std::int64_t value) {
    return placed(experiment, experiment.variants[variant], {value}).checkpoint;
  };
  experiment.axes[0].name = "budget";
  EXPECT_EQ(at(0, 500), "budget 500 KB");
  EXPECT_EQ(at(1, 500), "sqrt");
  EXPECT_EQ(at(2, 500), "");
  experiment.axes[0].name = "segment";
  EXPECT_EQ(at(0, 3), "budget 1 GB");
  EXPECT_EQ(at(1, 3), "every 3");
  EXPECT_EQ(at(1, 0), "none");
  experiment.variants.erase(experiment.variants.begin() + 1);
  EXPECT_FALSE(checkpointAxisOf(experiment, "segment")) << "nothing depends on it";
  EXPECT_TRUE(checkpointAxisOf(experiment, "budget"));
}

TEST(CheckpointBudget, AsAnAxisTakesOfEachPlaceWhatItMay) {
  std::string text = chainExperiment("eager", "budget 1 GB");
  const std::string_view place = R"("axes": [)";
  text.insert(text.find(place) + place.size(), R"({"name": "budget", "values": [2500, 9000]}, )");
  const Measured little = measuredAt(text, {2500, 24}), much = measuredAt(text, {9000, 24});
  EXPECT_LE(little.peak, 2'500'000);
  EXPECT_GT(much.peak, 2'500'000);
  EXPECT_GT(little.launches, much.launches) << "some are made anew";
  text.replace(text.find("[2500"), 5, "[0");
  EXPECT_THAT([&] { parseExperiment(text, "e.json"); },
              testing::ThrowsMessage<InputError>(HasSubstr("checkpoints are swept from 1 to")));
}

TEST(CheckpointBudget, IsANumberWithAUnit) {
  EXPECT_EQ(checkpointBudgetOf("budget 64 MB"), 64'000'000);
  EXPECT_EQ(checkpointBudgetOf("budget 1.5 MiB"), 1'572'864);
  for (const char* wrong : {"budget", "budget MB", "budget 0 MB", "budget -1 MB", "budget 64",
                            "budget 64 mb", "budget nan MB", "budget 1e400 MB", "every 2"})
    EXPECT_FALSE(checkpointBudgetOf(wrong)) << wrong;
}

}  // namespace
}  // namespace fusebench
