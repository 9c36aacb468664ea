// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {

/// Every executor's results of `text`, float32 or float64, are the reference's but for rounding.
/// Twice, for what is prepared is used again.
inline void expectContractsEverywhere(EngineFixture& fixture, const std::string& text,
                                      const std::vector<Tensor>& inputs) {
  std::vector<ReferenceTensor> plain;
  for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
  const Program program = parseProgram(text);
  const auto expected = evaluateReference(program, plain);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name) + " of " + text);
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    for (int call = 0; call < 2; ++call) {
      const auto results = executor->call(inputs);
      for (std::size_t o = 0; o < results.size(); ++o) {
        ASSERT_EQ(results[o].shape, expected[o].value.type.shape);
        EXPECT_LE(relativeError(expected[o], EngineFixture::values(results[o])), 4e-6);
      }
    }
  }
}

/// A program that gives the gradients of a sum of squares of what a function of
/// torch.nn.functional gives, by the inputs that are named: "x, w".
inline std::string gradientsOf(const std::string& call, const std::string& names) {
  return "def f(" + names + "):\n  loss = torch.square(F." + call +
         ").sum()\n  return torch.autograd.grad(loss, [" + names + "])";
}

}  // namespace fusebench
