// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/transposing_copy.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/plan/step_lowering.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench::cpu {
namespace {

/// The copy that eager makes of `x.<view>.contiguous()` for an x of these extents.
Kernel copyOf(const Tensor& x, const std::string& view) {
  const Program program = parseProgram(fmt::format("def f(x):\n  return x.{}.contiguous()", view));
  ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(x.shape),
                                  SizeList<std::int64_t>(x.strides), 0};
  EXPECT_TRUE(viewOf(program.ops.front(), layout));
  fusebench::Form seen = x;
  seen.shape = Shape({layout.extents.begin(), layout.extents.size()});
  seen.strides = Strides({layout.strides.begin(), layout.strides.size()});
  seen.contiguous = false;
  return lowerAlone(program.ops.back(), std::array<fusebench::Form, 1>{seen}).kernel;
}

TEST(TransposingCopy, IsWhatEagerRunsForChannelsBroughtLast) {
  EngineFixture fixture;
  EXPECT_TRUE(isTransposingCopy(copyOf(fixture.random({2, 3, 40, 50}), "permute(0, 2, 3, 1)")));
  EXPECT_TRUE(isTransposingCopy(copyOf(fixture.random({30, 70}), "t()")));
  EXPECT_FALSE(isTransposingCopy(copyOf(fixture.random({30, 70}), "narrow(1, 3, 20)")));
}

TEST(TransposingCopy, HasTheElementsOfThePermutedTensor) {
  for (const int threads : {1, 2}) {
    CpuOptions options = EngineFixture::withoutDisk(0, 0, threads);
    options.handOver = 1;  // parts however small
    EngineFixture fixture(options);
    for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16, DType::uint8,
                              DType::int64, DType::boolean})
      for (const auto& [shape, view] : std::vector<std::pair<Shape, std::string>>{
               {{2, 3, 40, 50}, "permute(0, 2, 3, 1)"},
               {{2, 40, 50, 3}, "permute(0, 3, 1, 2)"},
               {{5, 64, 9, 7}, "permute(0, 2, 3, 1)"},
               {{300, 70}, "t()"},
               {{4, 17, 33}, "permute(2, 0, 1)"},
               {{2, 3, 4, 5, 6}, "permute(4, 2, 0, 3, 1)"}}) {
        std::vector<double> values(static_cast<std::size_t>(elementCount(shape)));
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = dtype == DType::boolean ? i % 3 == 0 : static_cast<double>(i % 251);
        const std::vector<Tensor> inputs{fixture.typed(dtype, shape, values)};
        const std::string text = fmt::format("def f(x):\n  return x.{}.contiguous()", view);
        const Tensor got = fixture.run("eager", text, inputs).front();
        const Tensor seen =
            fixture.run("eager", fmt::format("def f(x):\n  return x.{}", view), inputs).front();
        EXPECT_TRUE(got.contiguous);
        EXPECT_EQ(EngineFixture::values(got), EngineFixture::values(seen)) << text;
      }
  }
}

TEST(TransposingCopy, ShipsWithTheProgram) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 3, 40, 50})};
  const auto executor =
      makeExecutor("eager", fixture.backend(),
                   parseProgram("def f(x):\n  return x.permute(0, 2, 3, 1).contiguous()"));
  executor->call(inputs);
  ASSERT_EQ(executor->statistics().compiles.size(), 1u);
  const CompileTimes& times = executor->statistics().compiles.front().times;
  EXPECT_EQ(times.compiled(), 0u);
  EXPECT_EQ(times.shipped, 1u);
}

}  // namespace
}  // namespace fusebench::cpu
