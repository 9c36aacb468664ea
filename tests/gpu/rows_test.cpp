// SPDX-License-Identifier: GPL-3.0-or-later
// Every op's numbers on the device, whose math functions are its own: within the row's bound of the
// reference in double precision, and the same bits on every executor.
#include <bit>
#include <cmath>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "tests/engine/support/backend_checks.h"
#include "tests/engine/support/op_values.h"
#include "tests/engine/support/row_programs.h"

namespace fusebench::test {
namespace {

constexpr std::size_t kPoints = 40'000;

bool rowHas(const OpRow& row, int operand) {
  return row.domain.size() > static_cast<std::size_t>(operand);
}

/// Evenly over the domain as far as it matters in float32 networks, and over all magnitudes in it.
std::vector<float> points(const OpRow& row, int operand, std::mt19937& random) {
  const Interval domain = rowHas(row, operand) ? row.domain.begin()[operand] : Interval{};
  const double low = std::max(domain.low, -30.0), high = std::min(domain.high, 30.0);
  std::uniform_real_distribution<double> uniform(low, high), exponent(-20, std::log2(30.0));
  std::vector<float> values(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) {
    double value = uniform(random);
    if (i % 2 == 1) {
      const double magnitude = std::copysign(std::exp2(exponent(random)), value);
      if (magnitude > low && magnitude < high) value = magnitude;
    }
    values[i] = static_cast<float>(value);
  }
  return values;
}

/// All on one backend, so that what executors share is made once.
class OnOneBackend : public ::testing::TestWithParam<const OpRow*> {
 protected:
  static void SetUpTestSuite() { shared_ = std::make_unique<EngineFixture>(); }
  static void TearDownTestSuite() { shared_.reset(); }
  static EngineFixture& fixture() { return *shared_; }

 private:
  static std::unique_ptr<EngineFixture> shared_;
};
std::unique_ptr<EngineFixture> OnOneBackend::shared_;

class GpuRows : public OnOneBackend {};

TEST_P(GpuRows, KeepTheirBoundsOnTheDevice) {
  const OpRow& row = *GetParam();
  EngineFixture& fixture = OnOneBackend::fixture();
  std::mt19937 random(7);
  std::vector<double> parameters;
  for (const Parameter& parameter : row.parameters)
    parameters.push_back(std::isnan(parameter.fallback) ? 0.5 : parameter.fallback);
  const Program program = programOf(row, parameters);
  std::vector<Tensor> inputs;
  std::vector<ReferenceTensor> references;
  for (int operand = 0; operand < row.arity; ++operand) {
    inputs.push_back(operandTensor(fixture, row, operand, {static_cast<std::int64_t>(kPoints)},
                                   points(row, operand, random)));
    references.push_back(EngineFixture::reference(inputs.back()));
  }
  const auto exact = evaluateReference(program, references);
  std::vector<double> eager;
  for (const auto& name : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(name.name, fixture.backend(), program);
    const std::vector<double> got = EngineFixture::values(executor->call(inputs)[0]);
    ASSERT_EQ(got.size(), kPoints);
    if (eager.empty()) eager = got;
    int shown = 0;
    for (std::size_t i = 0; i < kPoints && shown < 3; ++i) {
      const auto value = static_cast<float>(got[i]);
      const double expected = exact[0].value.values[i];
      const bool same =
          std::bit_cast<std::uint64_t>(got[i]) == std::bit_cast<std::uint64_t>(eager[i]) ||
          (std::isnan(got[i]) && std::isnan(eager[i]));
      if (keepsBound(row, expected, value) && same) continue;
      ++shown;
      std::string operands;
      for (const ReferenceTensor& reference : references)
        operands += fmt::format(" {:a}", reference.values[i]);
      ADD_FAILURE() << name.name << ": " << row.name << operands << " is " << value << ", exactly "
                    << expected << ": " << ulpError(expected, value) << " ULP; eager " << eager[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, GpuRows, ::testing::ValuesIn(rowsOf(OpKind::pointwise)),
                         [](const auto& row) { return std::string(row.param->name); });

class GpuReductions : public OnOneBackend {};

TEST_P(GpuReductions, MatchTheReferenceOverEveryDimAndLayoutAndWhenLarge) {
  EngineFixture& fixture = OnOneBackend::fixture();
  constexpr double kTolerance = 1e-5;
  const Tensor small = fixture.random({5, 7, 67}, 4, 0.5f);
  const Tensor large = fixture.random({1 << 20}, 3, 0.5f);
  const std::string op(GetParam()->name);
  for (const auto& executor : executorsOn(fixture.backend())) {
    const std::string name(executor.name);
    expectReducesEveryLayout(fixture, name, op, small, kTolerance);
    if (op != "prod")  // a product of a million is 0
      expectReduces(fixture, name, op, large, "", kTolerance);
  }
}

/// Those that a program can name; a norm of another order is chosen by its order.
std::vector<const OpRow*> namedReductions() {
  std::vector<const OpRow*> rows = rowsOf(OpKind::reduce);
  std::erase_if(rows, [](const OpRow* row) { return row->name.starts_with("norm_"); });
  return rows;
}

TEST(GpuNorms, OfEveryOrderAreTheHosts) {
  EngineFixture fixture;
  const Tensor x = fixture.random({6, 300}, 3);
  for (const char* order : {"1", "0", "3", "float('inf')", "float('-inf')", "2"})
    for (const char* dims : {"", ", dim=0", ", dim=1, keepdim=True"}) {
      const std::string text = fmt::format("def f(x):\n  return torch.norm(x, {}{})", order, dims);
      const auto exact =
          evaluateReference(parseProgram(text), std::vector{EngineFixture::reference(x)});
      for (const auto& name : executorsOn(fixture.backend()))
        EXPECT_LE(relativeError(exact[0], EngineFixture::values(
                                              fixture.run(std::string(name.name), text, {x})[0])),
                  1e-5)
            << name.name << ": " << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Ops, GpuReductions, ::testing::ValuesIn(namedReductions()),
                         [](const auto& row) { return std::string(row.param->name); });

}  // namespace
}  // namespace fusebench::test
