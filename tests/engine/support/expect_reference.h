// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {

/// The types of the inputs of "def f(x, y): ...", for programs whose text depends on them.
inline ProgramHints hintsOf(const std::string& text, std::span<const Tensor> inputs) {
  ProgramHints hints;
  std::size_t at = text.find('(') + 1;
  for (const Tensor& input : inputs) {
    const std::size_t end = text.find_first_of(",)", at);
    hints[text.substr(at, end - at)] = {input.shape, input.dtype};
    at = text.find_first_not_of(" ", end + 1);
  }
  return hints;
}

/// Every executor's results of `text`, against the reference's.
inline void expectAsReference(EngineFixture& fixture, const std::string& text,
                              std::span<const Tensor> inputs, const ProgramHints& hints = {}) {
  std::vector<ReferenceTensor> plain;
  for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
  const Program program = parseProgram(text, hints);
  const auto expected = evaluateReference(program, plain);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name) + " of\n" + text);
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    for (int call = 0; call < 2; ++call) {
      const auto results = executor->call(inputs);
      ASSERT_EQ(results.size(), expected.size());
      for (std::size_t o = 0; o < results.size(); ++o) {
        ASSERT_EQ(results[o].shape, expected[o].value.type.shape);
        EXPECT_EQ(results[o].contiguous, isContiguous(results[o].shape, results[o].strides));
        const std::vector<double> values = EngineFixture::values(results[o]);
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double wanted = expected[o].value.values[i];
          if (wanted == values[i] || (std::isnan(wanted) && std::isnan(values[i]))) continue;
          ASSERT_NEAR(values[i], wanted, 2e-5 * (1 + std::abs(wanted)));
        }
      }
    }
  }
}

}  // namespace fusebench
