// SPDX-License-Identifier: GPL-3.0-or-later
// A variant's budget of memory: segments that keep to it, by what the allocator counts.
#include "profiler/measure/checkpoint_budget.h"

#include <atomic>

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

Measured measured(const std::string& executor, const std::string& checkpoint) {
  const Experiment experiment = parseExperiment(chainExperiment(executor, checkpoint), "e.json");
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  InputStore store(*backend, experiment, std::uint64_t{1} << 32);
  std::atomic<bool> stop = false;
  CellRunner runner(*backend, store, experiment, {0, {24}}, stop);
  Cell cell;
  runner.prepare({1, 10}, cell);
  return {cell.peakBytes.value(), cell.launches->mean, runner.check().relativeError};
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
    EXPECT_THAT(error.what(), HasSubstr("the budget of"));
    // What it says to be enough is.
    const std::string said = error.what();
    const std::size_t at = said.find("give a budget of ");
    ASSERT_NE(at, std::string::npos) << said;
    const std::string enough = said.substr(at + 17, said.find(" or more") - at - 17);
    EXPECT_LE(measured("eager", "budget " + enough).peak, *checkpointBudgetOf("budget " + enough));
  }
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
