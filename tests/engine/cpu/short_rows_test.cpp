// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/short_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/plan/joined_rows.h"
#include "engine/plan/plan.h"
#include "engine/plan/step_lowering.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench::cpu {
namespace {

/// The only kernel of "def f(x, m): return ..." for inputs of these extents.
Kernel kernelOf(const std::string& result, const Shape& x, const Shape& m, PlanOptions options) {
  const Program program = parseProgram("def f(x, m):\n  return " + result);
  const std::vector<fusebench::Form> forms{contiguousForm(DType::float32, x),
                                           contiguousForm(DType::float32, m)};
  const Plan plan = makePlan(program, forms, options);
  return lowerKernel(plan, plan.steps.front()).kernel;
}

TEST(ShortRows, AreThoseThatAnInputRepeats) {
  const auto isShort = [](const Shape& x, const Shape& m) {
    return hasShortRows(kernelOf("x - m", x, m, {}));
  };
  EXPECT_TRUE(isShort({100, 3}, {3}));
  EXPECT_TRUE(isShort({5, 100, 4}, {5, 1, 4}));
  EXPECT_FALSE(isShort({100, 17}, {17}));     // longer than a vector
  EXPECT_FALSE(isShort({31, 3}, {3}));        // too few
  EXPECT_FALSE(isShort({100, 3}, {100, 1}));  // an element for each row
  EXPECT_FALSE(isShort({100, 3}, {100, 3}));  // one loop
}

TEST(ShortRows, AreJoinedAtLaunchWhereTheDeviceDoesThat) {
  PlanOptions options;
  EXPECT_EQ(kernelOf("x - m", {100, 3}, {3}, options).extents[1], 3);
  options.joinsShortRows = true;
  const Kernel kernel = kernelOf("x - m", {100, 3}, {3}, options);
  EXPECT_EQ(kernel.extents[0], kAtLaunch);
  EXPECT_EQ(kernel.extents[1], kAtLaunch);
  EXPECT_TRUE(joinsRows(kernel, schedule(kernel, hostTarget(), 0)));
  EXPECT_EQ(kernelOf("x - m", {100, 17}, {17}, options).extents[1], 17);
}

struct Case {
  Shape x, m;
  std::string result = "(x - m) * m + 1";
  Shape whole = {};  ///< the result's, if it differs from x's
};

/// The tensor with its elements repeated up to these extents, each in memory.
Tensor repeated(EngineFixture& fixture, const Tensor& of, const Shape& whole) {
  const std::vector<double> values = EngineFixture::values(of);
  const Strides strides = rowMajorStrides(of.shape);
  std::vector<float> made;
  for (std::int64_t i = 0; i < elementCount(whole); ++i) {
    std::int64_t rest = i, place = 0;
    for (int d = whole.rank(), own = of.shape.rank(); d-- > 0; rest /= whole[d])
      if (own-- > 0 && of.shape[own] != 1) place += rest % whole[d] * strides[own];
    made.push_back(static_cast<float>(values[static_cast<std::size_t>(place)]));
  }
  return fixture.tensor(whole, made);
}

TEST(ShortRows, HaveTheElementsThatSingleRowsHave) {
  std::vector<Case> cases;
  for (const std::int64_t rows : {31, 32, 33, 256, 257, 700, 1537})
    for (const std::int64_t length : {2, 3, 5, 7, 16}) cases.push_back({{rows, length}, {length}});
  cases.push_back({{40, 0}, {0}});
  cases.push_back({{0, 3}, {3}});
  cases.push_back({{40, 1}, {1}});
  cases.push_back({{5, 100, 4}, {5, 1, 4}});
  cases.push_back({{2, 3, 300, 3}, {3, 1, 3}});
  cases.push_back({{3, 2, 40, 6}, {1, 2, 1, 6}});
  cases.push_back({{300, 3}, {3}, "torch.where(m > 0, x, m)"});
  cases.push_back({{300, 3}, {3}, "x.double() * m"});
  cases.push_back({{300, 3}, {3}, "(x > m) & (m < 1)"});
  cases.push_back({{600, 3}, {3}, "x[::2] - m", {300, 3}});     // gaps between rows
  cases.push_back({{300, 6}, {3}, "x[:, 1:4] - m", {300, 3}});  // and here
  cases.push_back({{3, 300}, {3}, "x.t() - m", {300, 3}});
  for (const int threads : {1, 2}) {
    CpuOptions options = EngineFixture::withoutDisk(0, 0, threads);
    options.handOver = 1;  // parts however small
    EngineFixture fixture(options);
    for (const Case& each : cases) {
      const std::vector<Tensor> inputs{fixture.random(each.x), fixture.random(each.m)};
      const std::string text = "def f(x, m):\n  return " + each.result;
      // Where nothing is repeated there is one loop.
      const Shape& whole = each.whole.rank() > 0 ? each.whole : each.x;
      const auto expected = EngineFixture::values(
          fixture.run("eager", text, {inputs[0], repeated(fixture, inputs[1], whole)}).front());
      for (const char* executor : {"eager", "instant", "static", "dynamic"}) {
        const Tensor got = fixture.run(executor, text, inputs).front();
        EXPECT_EQ(EngineFixture::values(got), expected)
            << executor << ", " << threads << " threads, " << toString(each.x) << ": " << text;
      }
    }
  }
}

}  // namespace
}  // namespace fusebench::cpu
