// SPDX-License-Identifier: GPL-3.0-or-later
// Rows in one launch, products and windows by our own kernels, and what a library's epilogue does,
// on a real device.
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/engine/support/contractions.h"
#include "tests/engine/support/row_checks.h"
#include "tests/gpu/gpu.h"

namespace fusebench {
namespace {

// A row to a warp, to a block, and to several blocks or in two passes: each a test of its own,
// since a card's shards share them.
class GpuRowLaunchesOf : public testing::TestWithParam<std::pair<std::int64_t, std::int64_t>> {};

TEST_P(GpuRowLaunchesOf, ComputeWhatTheReferenceSays) {
  EngineFixture fixture;
  test::expectRowCases(fixture, Shape{GetParam().first, GetParam().second},
                       {"static", "dynamic", "instant"});
}

INSTANTIATE_TEST_SUITE_P(Lengths, GpuRowLaunchesOf,
                         testing::Values(std::pair{9, 3}, std::pair{70, 64}, std::pair{1000, 257},
                                         std::pair{33, 4096}, std::pair{3, 70'001},
                                         std::pair{1, 300'000}));

TEST(GpuRowLaunches, GoOnWithSumsOfAllRows) {
  EngineFixture fixture;
  const char* text = "def f(x, w, b):\n  return x.sum() / 3 + w.sum(), (x - x.mean()) * 2\n";
  for (const std::int64_t length : {64, 70'000, 1 << 21}) {
    const Tensor x = fixture.random({length}, 2, 0.5f), w = fixture.random({length}, 3);
    test::expectRows(fixture, "static", text, {x, w, w});
  }
}

/// Our own kernels, as where there is no library.
TEST(GpuContractions, OfOurOwnAreTheReferences) {
  CudaOptions options = testOptions();
  options.cublasLt = "/nowhere/libcublasLt.so.13";
  EngineFixture fixture(makeCudaBackend(options));
  ASSERT_NE(fixture.backend().libraryTraits().missing, "");
  for (const std::int64_t size : {1, 31, 64, 200})
    expectContractsEverywhere(
        fixture, "def f(x, y, b):\n  return torch.relu(x @ y + b)",
        {fixture.random({size, 300}, 1, 0.1F), fixture.random({300, size + 5}, 2, 0.1F),
         fixture.random({size + 5}, 3)});
  expectContractsEverywhere(fixture, gradientsOf("linear(x, w, b)", "x, w, b"),
                            {fixture.random({65, 96}, 1, 0.1F), fixture.random({40, 96}, 2, 0.1F),
                             fixture.random({40}, 3)});
  expectContractsEverywhere(fixture,
                            "def f(q, k, v):\n  return F.scaled_dot_product_attention(q, k, v)",
                            {fixture.random({2, 3, 40, 16}, 1), fixture.random({2, 3, 40, 16}, 2),
                             fixture.random({2, 3, 40, 16}, 3)});
}

/// By the library and by our own kernels.
TEST(GpuContractions, OfWindowsAreTheReferences) {
  for (const char* library : {"", "/nowhere/libcudnn.so.9"}) {
    SCOPED_TRACE(library);
    CudaOptions options = testOptions();
    options.cudnn = library;
    EngineFixture fixture(makeCudaBackend(options));
    const std::vector<Tensor> inputs{fixture.random({4, 8, 32, 32}, 1, 0.1F),
                                     fixture.random({16, 8, 3, 3}, 2, 0.1F),
                                     fixture.random({16}, 3)};
    expectContractsEverywhere(fixture, gradientsOf("conv2d(x, w, b, 1, 1)", "x, w, b"), inputs);
    expectContractsEverywhere(
        fixture, "def f(x, w):\n  return F.max_pool2d(torch.relu(F.conv2d(x, w)), 2)",
        {fixture.random({2, 16, 30, 30}, 1, 0.1F), fixture.random({32, 16, 3, 3}, 2, 0.1F)});
    expectContractsEverywhere(
        fixture,
        "def f(x, w, b):\n  x = x.contiguous(memory_format=torch.channels_last)\n"
        "  return torch.relu(F.conv2d(x, w, b, 2, 1, 2))",
        inputs);
    expectContractsEverywhere(
        fixture, "def f(x, w, b):\n  return F.conv1d(x, w, b, padding=2, groups=2)",
        {fixture.random({3, 8, 100}, 1, 0.1F), fixture.random({16, 4, 5}, 2, 0.1F), inputs[2]});
  }
}

/// NaN stays NaN, as in PyTorch, whether the library computes relu or a kernel does.
TEST(GpuTails, ReluKeepsWhatIsNoNumber) {
  EngineFixture fixture;
  const Shape shape{16, 16};
  std::vector<float> values(256, -1.0F);
  values[0] = std::numeric_limits<float>::quiet_NaN();
  values[17] = std::numeric_limits<float>::infinity();
  std::vector<float> one(256, 0.0F);
  for (int i = 0; i < 16; ++i) one[static_cast<std::size_t>(i * 17)] = 1;
  const std::vector<Tensor> inputs{fixture.tensor(shape, values), fixture.tensor(shape, one)};
  const char* text = "def f(x, y):\n  return torch.relu(x @ y)";
  const auto apart = EngineFixture::values(fixture.run("eager", text, inputs)[0]);
  const auto joined = EngineFixture::values(fixture.run("static", text, inputs)[0]);
  EXPECT_TRUE(std::isnan(apart[0]));
  for (std::size_t i = 0; i < apart.size(); ++i)
    EXPECT_TRUE(joined[i] == apart[i] || (std::isnan(joined[i]) && std::isnan(apart[i])))
        << i << ": " << joined[i] << ", eager " << apart[i];
}

}  // namespace
}  // namespace fusebench
