// SPDX-License-Identifier: GPL-3.0-or-later
// Calls with arguments that few programs use, by every executor, against PyTorch's recorded
// results.
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

/// calls.txt: the operands, then an expression with its result.
struct RecordedCall {
  std::string expression;
  std::string dtype;
  Shape shape;
  std::vector<double> values;
};

std::vector<double> numbersIn(std::istream& words) {
  std::vector<double> all;
  for (std::string word; words >> word;) all.push_back(std::strtod(word.c_str(), nullptr));
  return all;
}

struct CallsKeptOfTorch {
  std::map<std::string, std::vector<double>> operands;
  std::vector<RecordedCall> calls;
};

CallsKeptOfTorch recordedCalls() {
  std::ifstream file(test::sourcePath("/tests/engine/values/calls.txt"));
  CallsKeptOfTorch all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    if (line.starts_with("= ")) {
      all.calls.emplace_back().expression = line.substr(2);
      continue;
    }
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (all.calls.empty()) {
      all.operands[name] = numbersIn(words);
      continue;
    }
    RecordedCall& call = all.calls.back();
    call.dtype = name;
    std::string extents, colon;
    words >> extents >> colon;
    std::istringstream each(extents == "-" ? "" : extents);
    std::vector<std::int64_t> shape;
    for (std::string extent; std::getline(each, extent, ',');) shape.push_back(std::stoll(extent));
    call.shape = Shape::filled(static_cast<int>(shape.size()), 0);
    for (std::size_t d = 0; d < shape.size(); ++d) call.shape[static_cast<int>(d)] = shape[d];
    call.values = numbersIn(words);
  }
  return all;
}

TEST(CallsInTorch, HaveTheRecordedResultsInEveryExecutor) {
  EngineFixture fixture;
  const CallsKeptOfTorch recorded = recordedCalls();
  ASSERT_EQ(recorded.operands.size(), 4u);
  ASSERT_GT(recorded.calls.size(), 50u);
  const ProgramHints hints{{"x", {{4, 6}, DType::float32}},
                           {"w", {{4, 6}, DType::float32}},
                           {"n", {{4, 6}, DType::int64}},
                           {"i", {{4}, DType::int64}}};
  for (const RecordedCall& call : recorded.calls) {
    SCOPED_TRACE(call.expression);
    Program program;
    try {
      program = parseProgram(
          "import torch\nimport torch.nn.functional as F\ndef f(x, w, n, i):\n  return " +
              call.expression,
          hints);
    } catch (const ProgramError& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
      SCOPED_TRACE(executor);
      std::vector<Tensor> inputs;
      for (const std::string& name : program.inputs) {
        const ValueType& type = hints.at(name);
        inputs.push_back(fixture.typed(type.dtype, type.shape, recorded.operands.at(name)));
      }
      const auto made = makeExecutor(executor, fixture.backend(), program);
      Tensor result;
      try {
        result = made->call(inputs)[0];
      } catch (const ProgramError& error) {
        ADD_FAILURE() << error.what();
        continue;
      }
      EXPECT_EQ(info(result.dtype).name, call.dtype);
      EXPECT_EQ(toString(result.shape), toString(call.shape));
      const std::vector<double> got = EngineFixture::values(result);
      ASSERT_EQ(got.size(), call.values.size());
      const double tolerance = call.dtype == "bfloat16" ? 1e-2 : 2e-6;
      for (std::size_t e = 0; e < got.size(); ++e)
        EXPECT_NEAR(got[e], call.values[e], tolerance * (1 + std::abs(call.values[e]))) << e;
    }
  }
}

TEST(CallsInTorch, StridedPartsAreViewsThatWritesReach) {
  EngineFixture fixture;
  const auto valuesOf = [&](const std::string& line, const char* executor) {
    const Program program = parseProgram("def f(x):\n  y = x.clone()\n  " + line + "\n  return y",
                                         {{"x", {{4, 6}, DType::float32}}});
    const std::vector<Tensor> inputs{fixture.random({4, 6})};
    return EngineFixture::values(
        makeExecutor(executor, fixture.backend(), program)->call(inputs)[0]);
  };
  for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
    SCOPED_TRACE(executor);
    EXPECT_EQ(valuesOf("y.as_strided((2, 3), (6, 1), 7).mul_(0)", executor),
              valuesOf("y[1:3, 1:4] = 0", executor));
    EXPECT_EQ(valuesOf("torch.as_strided(y, (3, 4), (2, 6)).fill_(2)", executor),
              valuesOf("y[:, ::2] = 2", executor));
  }
}

}  // namespace
}  // namespace fusebench
