// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that reduce rows and use the results, checked on the backend of a fixture.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench::test {

/// A program of x of shape (..., n), w and b of shape (n,).
struct RowCase {
  const char* name;
  const char* body;  ///< with {n} for the length of a row
  bool oneLaunch = true;
};

inline const std::vector<RowCase>& rowCases() {
  static const std::vector<RowCase> all = {
      {"softmax", "return torch.softmax(x, -1)"},
      {"log_softmax", "return torch.log_softmax(x, -1)"},
      {"layer_norm", "return F.layer_norm(x, ({n},), w, b)"},
      {"rms_norm", "return F.rms_norm(x, ({n},), w)"},
      {"standardized", "return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 0.1)"},
      {"without_keepdim", "m = x.mean(-1)\n  return x - m.unsqueeze(-1), m * 2"},
      {"entropy", "p = torch.softmax(x, -1)\n  return -(p * torch.log(p + 1e-6)).sum(-1), p * 2"},
      {"position", "return x * x.argmax(-1, keepdim=True)"},
      {"any", "return torch.where((x > 1).any(-1, keepdim=True), x * w, -x)"},
      {"logsumexp", "return torch.logsumexp(x, -1), torch.logsumexp(x, -1, True) - x"},
      {"dear_chain",
       "y = torch.tanh(torch.sin(x) * w)\n  return (y - y.mean(-1, keepdim=True)) / "
       "(1 + y.var(-1, keepdim=True)) + b"},
      {"twice", "y = F.layer_norm(x, ({n},), w, b)\n  return torch.softmax(y, -1) + x"},
  };
  return all;
}

inline std::string rowProgram(const RowCase& row, std::int64_t length) {
  std::string body = row.body;
  for (std::size_t at; (at = body.find("{n}")) != std::string::npos;)
    body.replace(at, 3, std::to_string(length));
  return "def f(x, w, b):\n  " + body + "\n";
}

/// Checks that an executor's results are those of the reference, within this relative error.
inline void expectRows(EngineFixture& fixture, const std::string& executor, const std::string& text,
                       const std::vector<Tensor>& inputs, double tolerance = 1e-5) {
  SCOPED_TRACE(executor + " of " + toString(inputs[0].shape) + "\n" + text);
  std::vector<ReferenceTensor> plain;
  for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
  const Program program = parseProgram(text);
  const auto expected = evaluateReference(program, plain);
  const auto made = makeExecutor(executor, fixture.backend(), program);
  for (int call = 0; call < 2; ++call) {
    const auto got = made->call(inputs);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t o = 0; o < got.size(); ++o) {
      ASSERT_EQ(got[o].shape, expected[o].value.type.shape);
      EXPECT_LE(relativeError(expected[o], EngineFixture::values(got[o])), tolerance) << o;
    }
  }
}

/// Inputs of a row case; x is dense.
inline std::vector<Tensor> rowInputs(EngineFixture& fixture, const Shape& shape) {
  const std::int64_t length = shape[shape.rank() - 1];
  return {fixture.random(shape, 7), fixture.random({length}, 8), fixture.random({length}, 9)};
}

/// All cases at this shape, on all executors that compile.
inline void expectRowCases(EngineFixture& fixture, const Shape& shape,
                           const std::vector<std::string>& executors) {
  const std::int64_t length = shape[shape.rank() - 1];
  for (const RowCase& row : rowCases())
    for (const std::string& executor : executors)
      expectRows(fixture, executor, rowProgram(row, length), rowInputs(fixture, shape));
}

}  // namespace fusebench::test
