// SPDX-License-Identifier: GPL-3.0-or-later
// Every pointwise row on the CPU backend: its bound at independently computed points, and every
// size and layout against the reference.
#include <cmath>
#include <map>
#include <random>

#include <fmt/format.h>

#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/op_values.h"
#include "tests/engine/support/row_programs.h"

namespace fusebench::test {
namespace {

std::vector<double> fallbacks(const OpRow& row) {
  std::vector<double> values;
  for (const Parameter& parameter : row.parameters)
    values.push_back(std::isnan(parameter.fallback) ? 0.5 : parameter.fallback);
  return values;
}

/// Truth operands are fed as numbers that are 0 or not, as PyTorch allows.
std::vector<float> draw(const Interval& domain, std::size_t count, std::mt19937& random) {
  const double low = std::max(domain.low, -30.0), high = std::min(domain.high, 30.0);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(uniform(random));
  return values;
}

Interval domainOf(const OpRow& row, int operand) {
  if (row.domain.size() <= static_cast<std::size_t>(operand)) return {};
  return row.domain.begin()[operand];
}

class RowsOnCpu : public ::testing::TestWithParam<int> {
 protected:
  EngineFixture fixture_{EngineFixture::withoutDisk(GetParam(), 0, 1)};
};

TEST_P(RowsOnCpu, KeepTheirBoundsAtIndependentPoints) {
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || !hasPieces(row)) continue;
    for (const OpValues& block : loadOpValues(row)) {
      std::vector<Tensor> inputs;
      for (int o = 0; o < block.arity; ++o) {
        std::vector<float> column;
        for (std::size_t i = 0; i < block.size(); ++i)
          column.push_back(block.point(i)[static_cast<std::size_t>(o)]);
        inputs.push_back(
            operandTensor(fixture_, row, o, {static_cast<std::int64_t>(block.size())}, column));
      }
      const auto executor =
          makeExecutor("eager", fixture_.backend(), programOf(row, block.parameters));
      const std::vector<double> got = EngineFixture::values(executor->call(inputs)[0]);
      int shown = 0;
      for (std::size_t i = 0; i < block.size() && shown < 3; ++i) {
        const auto value = static_cast<float>(got[i]);
        if (keepsBound(row, block.expected[i], value)) continue;
        ++shown;
        std::string operands;
        for (float x : block.point(i)) operands += fmt::format(" {} ({:a})", x, x);
        ADD_FAILURE() << row.name << operands << " is " << value << ", exactly "
                      << block.expected[i] << ": " << ulpError(block.expected[i], value) << " ULP";
      }
    }
  }
}

TEST_P(RowsOnCpu, MatchTheReferenceAtEverySizeAndLayout) {
  std::mt19937 random(11);
  struct Case {
    const char* layout;
    Shape shape;
  };
  const std::vector<Case> cases = {{"plain", {0}},          {"plain", {1}},
                                   {"plain", {7}},          {"plain", {33}},
                                   {"plain", {1000}},       {"plain", {3, 5, 17}},
                                   {"transposed", {9, 21}}, {"every second", {4, 38}},
                                   {"broadcast", {6, 19}}};
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || !hasPieces(row)) continue;
    const Program program = programOf(row, fallbacks(row));
    std::map<std::string, std::unique_ptr<Executor>> executors;
    for (const auto& name : executorsOn(fixture_.backend()))
      executors[std::string(name.name)] =
          makeExecutor(name.name, fixture_.backend(), program, {.recompileLimit = 20});
    for (const Case& test : cases) {
      std::vector<Tensor> inputs;
      for (int o = 0; o < row.arity; ++o) {
        Shape shape = test.shape;
        if (test.layout == std::string("broadcast") && o % 2 == 1) shape[0] = 1;
        Tensor tensor = operandTensor(
            fixture_, row, o, shape,
            draw(domainOf(row, o), static_cast<std::size_t>(elementCount(shape)), random));
        if (test.layout == std::string("transposed")) tensor = EngineFixture::transposed(tensor);
        if (test.layout == std::string("every second")) tensor = EngineFixture::everySecond(tensor);
        inputs.push_back(tensor);
      }
      std::vector<ReferenceTensor> references;
      for (const Tensor& input : inputs) references.push_back(EngineFixture::reference(input));
      const auto expected = evaluateReference(program, references);
      for (const auto& [name, executor] : executors) {
        const auto outputs = executor->call(inputs);
        const std::vector<double> got = EngineFixture::values(outputs[0]);
        ASSERT_EQ(outputs[0].shape, expected[0].value.type.shape) << row.name;
        ASSERT_EQ(got.size(), expected[0].value.values.size());
        for (std::size_t i = 0; i < got.size(); ++i)
          ASSERT_TRUE(keepsBound(row, expected[0].value.values[i], static_cast<float>(got[i])))
              << row.name << " " << name << " " << test.layout << " " << toString(test.shape)
              << ": " << got[i] << ", reference " << expected[0].value.values[i];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, RowsOnCpu, ::testing::Values(4, 8, 16),
                         [](const auto& width) { return fmt::format("Lanes{}", width.param); });

TEST(SoftplusOfAnyThreshold, OverflowsToInfinityAsExpDoes) {
  EngineFixture fixture;
  for (const DType dtype : {DType::float32, DType::float64}) {
    const double end = dtype == DType::float32 ? 88.7 : 709.7;
    const Tensor x = fixture.typed(dtype, {3}, {end - 1, end + 0.5, end + 10});
    for (const char* name : {"eager", "static", "instant"}) {
      const auto got =
          EngineFixture::values(fixture.run(name, "return F.softplus(x, 1.0, 2000.0)", {x})[0]);
      EXPECT_NEAR(got[0], end - 1, 1e-4) << name;
      EXPECT_EQ(got[1], INFINITY) << name;
      EXPECT_EQ(got[2], INFINITY) << name;
    }
  }
}

TEST(TruthOperands, ComputeAsZeroAndOneOnEveryExecutor) {
  EngineFixture fixture;
  const Tensor x = fixture.tensor({5}, {-2, -0.0f, 0, 1, 3});
  for (const auto& name : executorsOn(fixture.backend())) {
    const auto run = [&](const std::string& text) {
      return EngineFixture::values(fixture.run(std::string(name.name), text, {x})[0]);
    };
    EXPECT_EQ(run("m = x > 0\nreturn m * x + m"), (std::vector<double>{0, 0, 0, 2, 4}));
    EXPECT_EQ(run("m = x > 0\nreturn torch.where(m, x, -x)"), (std::vector<double>{2, 0, 0, 1, 3}));
    EXPECT_EQ(run("m = x > 0\nn = x < 2\nreturn torch.logical_and(m, n)"),
              (std::vector<double>{0, 0, 0, 1, 0}));
  }
}

}  // namespace
}  // namespace fusebench::test
