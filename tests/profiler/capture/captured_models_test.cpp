// SPDX-License-Identifier: GPL-3.0-or-later
// Models that were captured from PyTorch, in every executor, against what PyTorch computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/files/files.h"
#include "profiler/measure/variant_executor.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;

class CapturedModels : public testing::TestWithParam<const char*> {};

TEST_P(CapturedModels, ComputeWhatPyTorchDoes) {
  const std::string stem = test::sourcePath("/tests/zoo/captured/") + GetParam();
  Experiment experiment = loadExperiment(stem + ".json");
  const json recorded = json::parse(readFile(stem + ".results.json"))["results"];
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  InputStore store(*backend, experiment, std::uint64_t{1} << 32);
  for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
    SCOPED_TRACE(executor);
    experiment.variants[0].executor = executor;
    const auto list = store.get({0, {1}});
    VariantExecutor variant(*backend, experiment.variants[0],
                            std::make_shared<const Program>(programAt(experiment, {0, {1}})));
    const auto made = variant.make(list->entries);
    const std::span<const Tensor> results = made->call(list->entries[0]);
    ASSERT_EQ(results.size(), recorded.size());
    for (std::size_t r = 0; r < results.size(); ++r) {
      const std::vector<double> got = valuesOf(*backend, results[r]);
      const auto expected = recorded[r]["elements"].get<std::vector<double>>();
      ASSERT_EQ(got.size(), expected.size());
      double largest = 0, worst = 0;
      for (std::size_t i = 0; i < got.size(); ++i) {
        largest = std::max(largest, std::abs(expected[i]));
        worst = std::max(worst, std::abs(got[i] - expected[i]));
      }
      EXPECT_LE(worst, 1e-5 * largest);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, CapturedModels,
                         testing::Values("yolo_head", "lstm", "torch_transformer"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace fusebench
