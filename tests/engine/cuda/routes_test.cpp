// SPDX-License-Identifier: GPL-3.0-or-later
// Where eager's kernels ship, instant compares them with its op lists at each call. On the double,
// with its four multiprocessors, lists are expensive at a few thousand elements or more.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/sha256.h"
#include "engine/cuda/runtime/prebuilt_state.h"
#include "engine/cuda/shipped/shipped_kernels.h"
#include "engine/plan/plan_text.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/support/random_graphs.h"
#include "tests/temporary_folder.h"

namespace fusebench::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CudaRoutes : public CudaBackendTest {
 protected:
  void SetUp() override {
    if (!cuda::prebuiltState().whole()) GTEST_SKIP() << kEarlierCode;
  }
  CudaRoutes() {
    static const std::set<std::string_view> kRows = {"add", "sub", "mul",  "div", "relu",
                                                     "exp", "sum", "amax", "sin"};
    const cuda::KernelArchive archive(cuda::shippedBytes("sm_90"));
    for (const cuda::ShippedSource& source : cuda::shippedSources()) {
      if (!kRows.contains(source.name)) continue;
      if (const auto code = archive.code(cuda::shippedKeyOf(source.text, source.flags)))
        std::ofstream(folder_ / (sha256(*code) + ".cu")) << source.text;
    }
    setenv("FUSEBENCH_DOUBLE_SOURCES", folder_.path().c_str(), 1);
  }
  ~CudaRoutes() override { unsetenv("FUSEBENCH_DOUBLE_SOURCES"); }

  /// With a double of the NVRTC that made what ships.
  static std::unique_ptr<Backend> backend() {
    return backendWithNvrtc(cuda::shippedFor(90, "").ptx->nvrtc());
  }

  /// How many launches instant needs for these inputs; what it gives are eager's bits.
  static std::uint64_t launchesOf(EngineFixture& fixture, Executor& instant,
                                  const std::string& text, const std::vector<Tensor>& inputs) {
    const auto expected = fixture.run("eager", text, inputs);
    for (int call = 0; call < 2; ++call) {
      const auto got = instant.call(inputs);
      EXPECT_EQ(got.size(), expected.size());
      for (std::size_t o = 0; o < got.size(); ++o) expectSameBits(got[o], expected[o], text);
    }
    const std::uint64_t before = fixture.backend().launches();
    instant.call(inputs);
    return fixture.backend().launches() - before;
  }
  static std::uint64_t launchesOf(EngineFixture& fixture, const std::string& text,
                                  const std::vector<Tensor>& inputs) {
    return launchesOf(fixture, *fixture.executor("instant", text), text, inputs);
  }
  static std::string planText(const Executor& executor, const std::vector<Tensor>& inputs) {
    const std::vector<Form> forms(inputs.begin(), inputs.end());
    const Plan plan = executor.plan(forms);
    return toText(plan, symbolsOf(plan, forms));
  }

  TemporaryFolder folder_;
};

constexpr const char* kChain = "return torch.relu(x * 2.5 + 1)";

TEST_F(CudaRoutes, AListOfFewElementsIsOneLaunchAndOneOfManyEagersKernels) {
  EngineFixture fixture(backend());
  ASSERT_TRUE(fixture.backend().traits().shipsOps);
  const auto instant = fixture.executor("instant", kChain);
  const std::vector<Tensor> few{fixture.random({8, 16})}, many{fixture.random({400, 256})},
      others{fixture.random({16, 8})};
  EXPECT_EQ(launchesOf(fixture, *instant, kChain, few), 1u);
  EXPECT_EQ(launchesOf(fixture, *instant, kChain, many), 3u);
  EXPECT_EQ(launchesOf(fixture, *instant, kChain, few), 1u);
  EXPECT_EQ(launchesOf(fixture, *instant, kChain, others), 1u);
  ASSERT_EQ(instant->statistics().compiles.size(), 2u);
  EXPECT_EQ(instant->statistics().compiles[1].reason,
            "op lists of these sizes are run differently");
  EXPECT_EQ(instant->statistics().compiles[1].times.compiled(), 0) << "all of it ships";
}

TEST_F(CudaRoutes, OneOpIsNoListWhateverItsSize) {
  EngineFixture fixture(backend());
  for (const char* text : {"return x * x", "return x + 1", "return x.sum()", "return x.amax(1)",
                           "x.mul_(2)\nreturn x.sum(0)"})
    for (const Shape& shape : {Shape{3, 5}, Shape{90, 70}}) {
      const auto instant = fixture.executor("instant", text);
      EXPECT_TRUE(instant->opLists(std::vector{fixture.random(shape)}).empty()) << text;
      if (std::string_view(text).find("mul_") == std::string_view::npos) {
        EXPECT_EQ(launchesOf(fixture, *instant, text, {fixture.random(shape)}), 1u) << text;
      }
    }
}

TEST_F(CudaRoutes, RowsAreEagersKernelsAndTheirBits) {
  EngineFixture fixture(backend());
  const std::string text =
      "m = x.amax(-1, keepdim=True)\ne = torch.exp(x - m)\nreturn e / e.sum(-1, keepdim=True)";
  EXPECT_EQ(launchesOf(fixture, text, {fixture.random({64, 256})}), 5u);
  const std::vector<Tensor> squares{fixture.random({90, 70})};
  EXPECT_EQ(launchesOf(fixture, "return ((x - 0.5) * (x - 0.5)).sum(0)", squares), 2u)
      << "the sum is apart, the rest is a list";
}

TEST_F(CudaRoutes, ALongListLeavesItsSumAlone) {
  EngineFixture fixture(backend());
  std::string text;
  for (int i = 0; i < 6; ++i) text += "x = torch.relu(x * 1.25)\n";
  const std::vector<Tensor> inputs{fixture.random({3000})};
  EXPECT_EQ(launchesOf(fixture, text + "return x.sum(), x", inputs), 2u);
  const auto instant = fixture.executor("instant", text + "return x.sum()");
  EXPECT_THAT(planText(*instant, inputs), HasSubstr("reductions by kernels of their own"));
}

TEST_F(CudaRoutes, WhatDoesNotShipStaysInItsList) {
  EngineFixture fixture(backend());
  const std::string text = "return torch.relu(x * 2.5 + y)";
  const std::vector<Tensor> odd{EngineFixture::everySecond(fixture.random({30, 4, 20, 40})),
                                fixture.random({30, 1, 20, 1})};
  EXPECT_EQ(launchesOf(fixture, text, odd), 1u);
  const auto instant = fixture.executor("instant", text);
  EXPECT_THAT(planText(*instant, odd), HasSubstr("not every op has a prebuilt kernel"));
}

TEST_F(CudaRoutes, WhatIsWrittenInPlaceIsWrittenOnceByEitherWay) {
  EngineFixture fixture(backend());
  const std::string text =
      "def f(x, w):\n  x.mul_(0.5)\n  x.add_(w)\n  y = torch.relu(x)\n  x.mul_(y)\n"
      "  return y, x * 2\n";
  for (const std::int64_t rows : {4, 400}) {
    std::vector<Tensor> results[2];
    std::vector<double> left[2];
    for (const bool instant : {false, true}) {
      const std::vector<Tensor> inputs{fixture.random({rows, 200}, 1), fixture.random({200}, 2)};
      results[instant] = fixture.run(instant ? "instant" : "eager", text, inputs);
      left[instant] = EngineFixture::values(inputs[0]);
    }
    EXPECT_EQ(left[0], left[1]) << rows;
    for (std::size_t o = 0; o < 2; ++o) expectSameBits(results[1][o], results[0][o], text);
  }
}

TEST_F(CudaRoutes, PartsOfTensorsAndResultsThatAreViewsAreAsEagerHasThem) {
  EngineFixture fixture(backend());
  const std::string text = "y = torch.relu(x[:, 1:] * 2 + 1)\nreturn y.t(), y[1:] - 3, x * x";
  for (const std::int64_t rows : {4, 300})
    launchesOf(fixture, text, {fixture.random({rows, 129}, 3)});
}

TEST_F(CudaRoutes, ThePlanSaysWhatEachWayIsEstimatedAt) {
  EngineFixture fixture(backend());
  const auto instant = fixture.executor("instant", kChain);
  EXPECT_THAT(planText(*instant, {fixture.random({8, 16})}),
              HasSubstr("  as an op list, estimated at 4.4 µs; with one kernel per op: 7.5 µs\n"));
  const std::string many = planText(*instant, {fixture.random({400, 256})});
  EXPECT_THAT(many, HasSubstr("  one kernel per op, estimated at 7.5 µs; as an op list: "));
  EXPECT_THAT(many, HasSubstr("step 3: kernel relu"));
}

TEST_F(CudaRoutes, WithoutWhatShipsEveryListStaysOne) {
  CudaOptions options = onDouble();
  options.shipped = false;
  EngineFixture fixture(makeCudaBackend(options));
  EXPECT_EQ(launchesOf(fixture, kChain, {fixture.random({400, 256})}), 1u);
  EXPECT_THAT(planText(*fixture.executor("instant", kChain), {fixture.random({400, 256})}),
              Not(HasSubstr("estimated")));
}

}  // namespace
}  // namespace fusebench::test
