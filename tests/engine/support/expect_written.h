// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/engine/support/expect_reference.h"

namespace fusebench {

/// Tensors with the same values and layout, each in its own memory.
inline std::vector<Tensor> copiesOf(EngineFixture& fixture, std::span<const Tensor> tensors) {
  std::vector<Tensor> copies;
  for (const Tensor& tensor : tensors) {
    Tensor copy = tensor;
    copy.offset = 0;
    copy.block = BlockRef(fixture.backend().allocator().allocate(spanBytes(tensor)));
    fixture.backend().copyWithin(copy.data(), tensor.data(), spanBytes(tensor));
    copies.push_back(std::move(copy));
  }
  fixture.backend().synchronize();
  return copies;
}

inline void expectNear(const Tensor& got, const ReferenceTensor& expected,
                       const std::string& what) {
  ASSERT_EQ(got.shape, expected.type.shape) << what;
  ASSERT_EQ(got.dtype, expected.type.dtype) << what;
  const std::vector<double> values = EngineFixture::values(got);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(values[i], expected.values[i], 3e-5 * (1 + std::abs(expected.values[i])))
        << what << ", element " << i;
}

/// Compares with the reference, for two consecutive calls of every executor, the results and the
/// values left in the inputs.
inline void expectWritten(EngineFixture& fixture, const std::string& text,
                          std::span<const Tensor> inputs) {
  const Program program = parseProgram(text, hintsOf(text, inputs));
  std::vector<std::vector<ReferenceResult>> results(2);
  std::vector<std::vector<ReferenceTensor>> left(3);
  for (const Tensor& input : inputs) left[0].push_back(EngineFixture::reference(input));
  const std::vector<Form> forms(inputs.begin(), inputs.end());
  for (std::size_t call = 0; call < 2; ++call)
    results[call] = evaluateReference(program, left[call], &left[call + 1], forms);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name) + " of\n" + text);
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    const std::vector<Tensor> own = copiesOf(fixture, inputs);
    for (std::size_t call = 0; call < 2; ++call) {
      const auto got = executor->call(own);
      ASSERT_EQ(got.size(), results[call].size());
      for (std::size_t o = 0; o < got.size(); ++o)
        expectNear(got[o], results[call][o].value, fmt::format("call {}, result {}", call, o));
      for (std::size_t i = 0; i < own.size(); ++i)
        expectNear(own[i], left[call + 1][i], fmt::format("call {}, input {}", call, i));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

inline std::string complaintOf(EngineFixture& fixture, const std::string& executor,
                               const std::string& text, std::span<const Tensor> inputs) {
  try {
    const auto made =
        makeExecutor(executor, fixture.backend(), parseProgram(text, hintsOf(text, inputs)));
    made->call(copiesOf(fixture, inputs));
    return "it ran";
  } catch (const ProgramError& error) {
    return error.what();
  }
}

}  // namespace fusebench
