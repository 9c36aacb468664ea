// SPDX-License-Identifier: GPL-3.0-or-later
// Where PyTorch's values are not what a formula alone would give. The values are PyTorch 2.15's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Every executor's results of "def f(...)", as values in row-major order.
void expectValues(const std::string& text, const std::vector<Tensor>& inputs,
                  EngineFixture& fixture, const std::vector<std::vector<double>>& expected) {
  SCOPED_TRACE(text);
  const Program program = parseProgram(text, hintsOf(text, inputs));
  std::vector<std::vector<double>> before;
  for (const Tensor& input : inputs) before.push_back(EngineFixture::values(input));
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(info.name);
    std::vector<Tensor> own;  // which it may write to
    for (std::size_t i = 0; i < inputs.size(); ++i)
      own.push_back(fixture.typed(inputs[i].dtype, inputs[i].shape, before[i]));
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    const auto results = executor->call(own);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t o = 0; o < expected.size(); ++o) {
      const std::vector<double> values = EngineFixture::values(results[o]);
      ASSERT_EQ(values.size(), expected[o].size());
      for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isnan(expected[o][i]))
          EXPECT_TRUE(std::isnan(values[i])) << o << ", " << i << ": " << values[i];
        else
          EXPECT_NEAR(values[i], expected[o][i], 1e-5 * (1 + std::abs(expected[o][i])))
              << o << ", " << i;
    }
  }
}

[[maybe_unused]] std::string complaintOf(const std::string& text, const ProgramHints& hints = {}) {
  try {
    parseProgram(text, hints);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "it was read";
}

[[maybe_unused]] ProgramHints hintsFor(const Shape& shape, DType dtype = DType::float32) {
  return {{"x", {shape, dtype}}, {"y", {shape, dtype}}};
}

TEST(PyTorchCorners, AWriteByAnIndexThatNobodyReadsIsNoHarm) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({4}, {1, 2, 3, 4}),
                                   fixture.typed(DType::int64, {2}, {-1, 0})};
  expectValues("def f(x, i):\n  y = x.clone()\n  y[i] = 0\n  return x * 2", inputs, fixture,
               {{2, 4, 6, 8}});
  expectValues("def f(x, i):\n  y = x.clone()\n  y[i] += 3\n  return x * 2", inputs, fixture,
               {{2, 4, 6, 8}});
}

}  // namespace
}  // namespace fusebench
