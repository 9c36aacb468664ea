// SPDX-License-Identifier: GPL-3.0-or-later
// State that a program writes, restored before each call.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/language/program_errors.h"
#include "profiler/experiment/experiment.h"
#include "profiler/files/input_error.h"
#include "profiler/measure/cell_runner.h"
#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// A cache of 4 rows, whose position grows with every call.
std::string growingCacheText(const std::string& measure) {
  return R"json({"fusebench": "experiment", "version": 2, "title": "cache", "program": [
    "class Cache(nn.Module):", "    def __init__(self):", "        super().__init__()",
    "        self.register_buffer('kept', torch.zeros(4, 8))",
    "        self.register_buffer('at', torch.zeros(1, dtype=torch.int64))",
    "    def forward(self, x):", "        self.kept.index_copy_(0, self.at, x)",
    "        self.at += 1", "        return self.kept.sum(0) + self.at"],
  "inputs": [{"name": "in", "count": 3, "tensors": [{"name": "x", "extents": [1, 8]}]}],
  "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
  "baseline": "eager")json" +
         (measure.empty() ? std::string() : ", \"measure\": {" + measure + "}") + "}";
}

TEST(Resets, BeforeEachCallKeepStateFromRunningAway) {
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  const Experiment experiment =
      parseExperiment(growingCacheText("\"reset\": \"each call\""), "f.json");
  InputStore inputs{*backend, experiment, kPlenty};
  ReferenceMemo references;
  const std::atomic<bool> stop = false;
  for (int variant = 0; variant < 2; ++variant) {
    Cell cell;
    cell.key = {variant, {1}};
    CellRunner runner(*backend, inputs, references, experiment, cell.key, stop);
    runner.prepare({0, 0}, cell);
    for (int sample = 0; sample < 3; ++sample) {
      const TakenSample taken = runner.sample();
      EXPECT_GT(taken.sample.nanoseconds, 0);
      EXPECT_GT(taken.passes, 4) << "more calls than the cache has rows";
    }
    EXPECT_LT(runner.check().relativeError, 1e-6);
    EXPECT_GT(runner.trace().untracedNanoseconds, 0);
    EXPECT_FALSE(runner.record().spans.empty());
  }
}

TEST(Resets, AreOfferedWhereStateRunsAway) {
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  const Experiment experiment = parseExperiment(growingCacheText(""), "f.json");
  InputStore inputs{*backend, experiment, kPlenty};
  ReferenceMemo references;
  const std::atomic<bool> stop = false;
  Cell cell;
  cell.key = {0, {1}};
  CellRunner runner(*backend, inputs, references, experiment, cell.key, stop);
  runner.prepare({0, 0}, cell);
  try {
    runner.sample();
    FAIL() << "the position runs away";
  } catch (const ProgramError& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr(
            "after 4 calls: index_copy: index 4 is out of bounds for dimension 0 with size 4"));
    EXPECT_THAT(error.what(), HasSubstr("`at`"));
    EXPECT_THAT(error.what(), HasSubstr("calls keep the values of `"));
    EXPECT_THAT(error.what(), HasSubstr("\"reset\": \"each call\""));
  }
}

TEST(Resets, AreReadAndWritten) {
  const Experiment each = parseExperiment(growingCacheText("\"reset\": \"each call\""), "f.json");
  EXPECT_TRUE(each.measure.resetsEachCall());
  EXPECT_THAT(toJson(each), HasSubstr("\"reset\": \"each call\""));
  EXPECT_TRUE(parseExperiment(toJson(each), "f.json").measure.resetsEachCall());
  const Experiment usual =
      parseExperiment(growingCacheText("\"reset\": \"each sample\""), "f.json");
  EXPECT_FALSE(usual.measure.resetsEachCall());
  EXPECT_EQ(toJson(usual).find("reset"), std::string::npos);
  try {
    parseExperiment(growingCacheText("\"reset\": \"each cal\""), "f.json");
    FAIL() << "an unknown time of a reset is taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("each call"));
  }
}

}  // namespace
}  // namespace fusebench
