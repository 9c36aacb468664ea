// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that hold for every backend, run on the backend of a fixture.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench::test {

/// x.OP(ARGUMENTS) has the reference's shape, and its values within this relative error.
inline void expectReduces(EngineFixture& fixture, const std::string& executor,
                          const std::string& op, const Tensor& input, const std::string& arguments,
                          double tolerance) {
  const std::string text = "return x." + op + "(" + arguments + ")";
  const auto expected = evaluateReference(parseProgram(text), {{EngineFixture::reference(input)}});
  const auto got = fixture.run(executor, text, {input});
  ASSERT_EQ(got[0].shape, expected[0].value.type.shape) << text;
  EXPECT_LT(relativeError(expected[0], EngineFixture::values(got[0])), tolerance)
      << text << " of " << toString(input.shape) << " on " << executor;
}

/// The same over a tensor's dims, dense, transposed and with gaps.
inline void expectReducesEveryLayout(EngineFixture& fixture, const std::string& executor,
                                     const std::string& op, const Tensor& dense, double tolerance) {
  const OpRow& row = *findOp(op);
  const bool keeps = std::ranges::find(row.parameters, "keepdim", &Parameter::name) !=
                     std::ranges::end(row.parameters);
  for (const Tensor& input :
       {dense, EngineFixture::transposed(dense), EngineFixture::everySecond(dense)})
    for (const char* arguments : {"", "dim=0", "dim=1", keeps ? "dim=2, keepdim=True" : "dim=2"})
      expectReduces(fixture, executor, op, input, arguments, tolerance);
}

/// Two devices, called in turns, give each its own results.
inline void expectApart(EngineFixture& first, EngineFixture& second) {
  const auto valuesOf = [](EngineFixture& fixture, const Tensor& tensor) {
    std::vector<float> values(3);
    fixture.backend().synchronize();
    fixture.backend().copyOut(values.data(), tensor, values.size() * sizeof(float));
    return values;
  };
  const Tensor a = first.tensor({3}, {1, 2, 3}), b = second.tensor({3}, {10, 20, 30});
  for (const auto& name : executorsOn(first.backend())) {
    const auto here = first.executor(std::string(name.name), "return x + 1");
    const auto there = second.executor(std::string(name.name), "return x + 1");
    for (int round = 0; round < 3; ++round) {
      const Tensor one = here->call(std::vector{a})[0];
      const Tensor other = there->call(std::vector{b})[0];
      EXPECT_EQ(valuesOf(first, one), (std::vector<float>{2, 3, 4})) << name.name;
      EXPECT_EQ(valuesOf(second, other), (std::vector<float>{11, 21, 31})) << name.name;
    }
  }
}

}  // namespace fusebench::test
