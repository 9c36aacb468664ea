// SPDX-License-Identifier: GPL-3.0-or-later
// Runs every op on the double: the same source that a GPU would get, with the host's math library.
// A device's own math functions are not tested here.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/support/backend_checks.h"
#include "tests/engine/support/op_values.h"
#include "tests/engine/support/random_programs.h"
#include "tests/engine/support/row_programs.h"

namespace fusebench::test {
namespace {

constexpr double kTolerance = 1e-5;

bool close(const OpRow& row, double exact, double got) {
  if (std::isnan(exact)) return std::isnan(got);
  return std::abs(got - exact) <= kTolerance * std::abs(exact) ||
         keepsBound(row, exact, static_cast<float>(got));
}

bool sameBits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

/// One compile a row: eager's kernels serve any size, and take parameters that are numbers.
class CudaRows : public CudaBackendTest, public ::testing::WithParamInterface<const OpRow*> {};

TEST_P(CudaRows, ComputeTheirIndependentPointsAndInstantTheSameBits) {
  const OpRow& row = *GetParam();
  EngineFixture fixture;
  for (const OpValues& block : loadOpValues(row)) {
    std::vector<Tensor> inputs;
    for (int o = 0; o < block.arity; ++o) {
      std::vector<float> column;
      for (std::size_t i = 0; i < block.size(); ++i)
        column.push_back(block.point(i)[static_cast<std::size_t>(o)]);
      inputs.push_back(
          operandTensor(fixture, row, o, {static_cast<std::int64_t>(column.size())}, column));
    }
    const auto executor =
        makeExecutor("eager", fixture.backend(), programOf(row, block.parameters));
    const std::vector<double> got = EngineFixture::values(executor->call(inputs)[0]);
    ASSERT_EQ(got.size(), block.size());
    const auto instant =
        makeExecutor("instant", fixture.backend(), programOf(row, block.parameters));
    const std::vector<double> interpreted = EngineFixture::values(instant->call(inputs)[0]);
    ASSERT_EQ(interpreted.size(), got.size());
    int shown = 0;
    for (std::size_t i = 0; i < got.size() && shown < 3; ++i) {
      if (sameBits(interpreted[i], got[i])) continue;
      ++shown;
      ADD_FAILURE() << row.name << " of point " << i << " is " << interpreted[i] << " on instant, "
                    << got[i] << " on eager";
    }
    for (std::size_t i = 0; i < got.size() && shown < 3; ++i) {
      if (close(row, block.expected[i], got[i])) continue;
      ++shown;
      std::string operands;
      for (float x : block.point(i)) operands += fmt::format(" {}", x);
      ADD_FAILURE() << row.name << operands << " is " << got[i] << ", exactly "
                    << block.expected[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, CudaRows, ::testing::ValuesIn(rowsOf(OpKind::pointwise)),
                         [](const auto& row) { return std::string(row.param->name); });

class CudaReductions : public CudaBackendTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(CudaReductions, MatchTheReferenceOverEveryDimAndLayout) {
  EngineFixture fixture;
  for (const char* executor : {"eager", "instant"})
    expectReducesEveryLayout(fixture, executor, GetParam(), fixture.random({5, 7, 67}, 4, 3),
                             kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Ops, CudaReductions,
                         ::testing::Values("sum", "mean", "amax", "amin", "var", "std", "prod",
                                           "argmax", "argmin", "any", "all", "count_nonzero",
                                           "nansum", "nanmean", "norm"),
                         [](const auto& op) { return std::string(op.param); });

using CudaBackendOps = CudaBackendTest;

TEST_F(CudaBackendOps, LargeReductionsAreOneLaunchThatIsCounted) {
  EngineFixture fixture;
  const Tensor x = fixture.random({1 << 18}, 3);
  const std::string text = "return torch.sin(x).sum(), x.amax(), x.argmax()";
  const auto expected = evaluateReference(parseProgram(text), {{EngineFixture::reference(x)}});
  for (const char* name : {"static", "static+replay", "instant"}) {
    const auto executor = fixture.executor(name, text);
    executor->call(std::vector{x});
    const std::uint64_t before = fixture.backend().launches();
    fixture.backend().synchronize();
    const std::uint64_t runBefore = cudaDouble().counts.kernelsRun;
    const auto got = executor->call(std::vector{x});
    for (std::size_t o = 0; o < 3; ++o)
      EXPECT_LT(relativeError(expected[o], EngineFixture::values(got[o])), kTolerance) << o;
    EXPECT_EQ(fixture.backend().launches() - before, 1u);
    EXPECT_EQ(cudaDouble().counts.kernelsRun - runBefore, 1u);
  }
}

TEST_F(CudaBackendOps, RandomProgramsAgreeBitForBit) {
  EngineFixture fixture;
  const Tensor x = fixture.random({6, 11}, 1), y = fixture.random({6, 11}, 2);
  int compared = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const std::string text = randomProgramText(seed);
    const Program program = parseProgram(text);
    if (std::any_of(program.ops.begin(), program.ops.end(),
                    [](const Op& op) { return op.row->kind == OpKind::reduce; }))
      continue;  // fused reductions add up in another order
    const std::vector<Tensor> inputs(program.inputs.size() == 2 ? std::vector{x, y}
                                                                : std::vector{x});
    const auto eager = makeExecutor("eager", fixture.backend(), program);
    const auto outputs = eager->call(inputs);
    for (const char* name : {"static", "dynamic", "instant", "replay", "static+replay"}) {
      const auto other = makeExecutor(name, fixture.backend(), program);
      const auto got = other->call(inputs);
      ASSERT_EQ(got.size(), outputs.size());
      for (std::size_t o = 0; o < got.size(); ++o, ++compared) {
        const auto a = EngineFixture::values(outputs[o]), b = EngineFixture::values(got[o]);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
          ASSERT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
              << name << " element " << i << ": " << b[i] << ", eager " << a[i] << " in\n"
              << text;
      }
    }
  }
  EXPECT_GT(compared, 0);
}

TEST_F(CudaBackendOps, TensorsOfEveryDtypeMoveAsVectorsOfTheWidest) {
  EngineFixture fixture;
  const std::int64_t count = (1 << 17) + 7;  // more than there are threads, and a rest
  for (std::size_t d = 0; d < kDTypes; ++d) {
    const auto from = static_cast<DType>(d);
    std::vector<double> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<double>(i * 37 % (from == DType::boolean ? 2 : 101));
    const std::vector<Tensor> inputs{fixture.typed(from, {count}, values)};
    for (const char* to : {"int8", "int32", "float16", "float32", "float64"}) {
      const auto executor = fixture.executor(
          "static", fmt::format("return x.to(torch.{}) + 0 * x.to(torch.{})", to, to));
      EXPECT_TRUE(EngineFixture::values(executor->call(inputs)[0]) == values)
          << info(from).name << " to " << to;
    }
  }
}

TEST_F(CudaBackendOps, NothingIsLaunchedWhereThereIsNothingToCompute) {
  EngineFixture fixture;
  for (const char* name : {"static", "instant"})
    fixture.executor(name, "return x + 1")->call(std::vector{fixture.tensor({0, 3}, {})});
  EXPECT_EQ(fixture.backend().launches(), 0u);
  EXPECT_EQ(cudaDouble().counts.launches, 0u);
}

}  // namespace
}  // namespace fusebench::test
