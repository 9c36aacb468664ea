// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that no memory has room for, or 64 bits do not hold: a program is refused with its line, or
// it runs and is right.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/device/memory_use.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/large_programs.h"
#include "tests/engine/support/random_programs.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostRunBytes = std::size_t{64} << 20;
constexpr std::int64_t kMostRunPoints = 20'000'000;

struct LargeCase {
  std::vector<Tensor> inputs;
  ProgramHints hints;

  explicit LargeCase(EngineFixture& fixture)
      : inputs{fixture.random({4, 8}), fixture.random({8}, 2),
               fixture.typed(DType::int64, {4}, {3, 0, 2, 1})},
        hints{{"x", {{4, 8}, DType::float32}},
              {"v", {{8}, DType::float32}},
              {"i", {{4}, DType::int64}}} {}
};

/// What a program is planned as, if it may be run here: it takes little memory and ends soon.
bool isSmallEnough(const Plan& plan, std::span<const Tensor> inputs) {
  const std::vector<std::int64_t> symbols = symbolsOf(plan, inputs);
  if (memoryUseOf(plan, symbols).peakBytes > kMostRunBytes) return false;
  std::int64_t points = 0;
  for (const StepCost& cost : costsOf(plan, symbols)) points = cappedAdd(points, cost.points);
  return points <= kMostRunPoints;
}

/// Whether the reference, which makes every value, can tell what is right.
bool hasReference(const Program& program, std::span<const Tensor> inputs) {
  std::vector<ValueType> types;
  for (const Tensor& input : inputs) types.push_back({input.shape, input.dtype});
  return std::ranges::all_of(inferTypes(program, types), [](const ValueType& type) {
    return elementCount(type.shape) <= 1'000'000;
  });
}

/// What came of a program: the refusal, "too much" if it could be run elsewhere, or nothing.
std::string outcomeOf(EngineFixture& fixture, const std::string& text) {
  const LargeCase given(fixture);
  try {
    const Program program = parseProgram(text, given.hints);
    std::vector<std::vector<double>> first;
    bool ran = false;
    for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
      SCOPED_TRACE(std::string(info.name) + " of\n" + text);
      const LargeCase own(fixture);  // what is written in place is this executor's
      const auto executor = makeExecutor(info.name, fixture.backend(), program);
      if (!isSmallEnough(executor->plan(own.inputs), own.inputs)) return "too much";
      const auto results = executor->call(own.inputs);
      std::vector<std::vector<double>> values;
      for (const Tensor& result : results) {
        if (elementCount(result.shape) > 1'000'000) continue;  // a view of little
        values.push_back(EngineFixture::values(result));
      }
      if (!ran && hasReference(program, own.inputs)) {
        std::vector<ReferenceTensor> plain;
        for (const Tensor& input : given.inputs) plain.push_back(EngineFixture::reference(input));
        for (const ReferenceResult& expected : evaluateReference(program, plain)) {
          first.push_back(expected.value.values);
          // The reference computes in double; a float32 beyond its range is infinite.
          if (expected.value.type.dtype == DType::float32)
            for (double& value : first.back()) value = static_cast<float>(value);
        }
      } else if (!ran) {
        first = values;
      }
      ran = true;
      EXPECT_EQ(values.size(), first.size());
      for (std::size_t o = 0; o < std::min(values.size(), first.size()); ++o) {
        EXPECT_EQ(values[o].size(), first[o].size());
        for (std::size_t e = 0; e < std::min(values[o].size(), first[o].size()); ++e)
          if (!(std::isnan(values[o][e]) && std::isnan(first[o][e])) &&
              values[o][e] != first[o][e]) {
            EXPECT_NEAR(values[o][e], first[o][e], 2e-5 * (1 + std::abs(first[o][e])));
          }
      }
    }
    return "";
  } catch (const ProgramError& error) {
    return error.what();
  }
}

TEST(LargeSizes, EverySpellingIsRefusedWithItsShape) {
  EngineFixture fixture;
  for (const char* const expression : {
           "x.repeat(2**28, 2**29)",
           "x.reshape(32, 1, 1).expand(32, 2**40, 2**40) + 1",
           "torch.tile(x, (2**30, 2**31))",
           "x.reshape(4, 8, 1) * torch.ones(2**46)",
           "torch.outer(torch.ones(2**40), torch.ones(2**40))",
           "torch.ones(2**40, 1) @ torch.ones(1, 2**40)",
           "torch.einsum('a,b->ab', torch.ones(2**40), torch.ones(2**40))",
           "torch.cat([v.reshape(8, 1).expand(8, 2**46), v.reshape(8, 1).expand(8, 2**46)], 1)",
           "torch.where(x.reshape(32, 1).expand(32, 2**46) > 0, v[0], v[1])",
           "torch.zeros_like(x.reshape(32, 1).expand(32, 2**46))",
           "torch.zeros(2**30, 2**30, dtype=torch.int8)",
           "torch.zeros(2**19 + 1, 2**38 - 2**19 + 1)",
           "v.reshape(8, 1).expand(8, 2**46).cumsum(1)",
           "x.repeat_interleave(2**50)",
           "torch.nn.functional.pad(x, (2**51, 2**51))",
           "x.repeat(2**63, 1)",
           "x.unsqueeze(0).expand(2**64, 4, 8)",
           "torch.zeros(2**30 * 2**40)",
           "x.unsqueeze(0).expand(2**46, 4, 8).reshape(-1)",
           "x.unsqueeze(0).expand(2**46, 4, 8).contiguous()",
           "torch.zeros(0, 2**40, 2**40)",
           "x.reshape(4, 8, 1, 1).expand(4, 8, 2**40, 2**40)",
           "torch.index_select(v.reshape(8, 1).expand(8, 2**46), 0, i)",
       }) {
    for (const char* const executor : {"eager", "static", "dynamic", "instant"}) {
      const LargeCase given(fixture);
      try {
        const Program program = parseProgram(
            std::string("def f(x, v, i):\n    y = ") + expression + "\n    return y", given.hints);
        makeExecutor(executor, fixture.backend(), program)->plan(given.inputs);
        ADD_FAILURE() << expression << " is planned";
      } catch (const ProgramError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("larger than any memory"), std::string::npos)
            << expression << ": " << what;
        EXPECT_EQ(what.find('\n'), std::string::npos);
        EXPECT_EQ(error.place().line, 2) << expression;
      }
    }
  }
}

TEST(LargeSizes, WhatNoMachineCanGoThroughIsRefused) {
  EngineFixture fixture;
  for (const char* const expression :
       {"v.reshape(8, 1, 1).expand(8, 2**28, 2**28).sum()",
        "v.reshape(8, 1).expand(8, 2**48) @ v.reshape(8, 1).expand(8, 2**48).t()",
        "torch.einsum('ab,cb->ac', v.reshape(8, 1).expand(8, 2**48), v.reshape(8, 1).expand(8, "
        "2**48))",
        "v.reshape(8, 1).expand(8, 2**52).amax(1)"})
    EXPECT_NE(outcomeOf(fixture, std::string("def f(x, v, i):\n    return ") + expression)
                  .find("any machine can"),
              std::string::npos)
        << expression << ": "
        << outcomeOf(fixture, std::string("def f(x, v, i):\n    return ") + expression);
}

TEST(LargeSizes, WhatIsWrittenBesideAnEmptyBlockIsRefused) {
  EngineFixture fixture;
  const std::string text =
      "def f(x):\n"
      "    y = x.reshape(32, 1, 1).expand(32, 2**40, 2**40) + 1\n"
      "    y[0, 0, 12345] = 3.0\n"
      "    return y[0, 0, 0:4]\n";
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(info.name, fixture.backend(), parseProgram(text));
    EXPECT_THROW(executor->call(std::vector{fixture.random({4, 8})}), ProgramError) << info.name;
  }
}

TEST(LargeSizes, LittleOfAHugeViewIsRead) {
  EngineFixture fixture;
  const Tensor x = fixture.random({4, 8});
  const std::string text =
      "y = x.unsqueeze(0).expand(2**50, 4, 8)\nreturn y[2**49, 1] + 1, y[3:5, 2, 1:3] * 2\n";
  const std::vector<double> all = EngineFixture::values(x);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto results = fixture.run(std::string(info.name), text, {x});
    const std::vector<double> row = EngineFixture::values(results[0]);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(row[i], all[8 + i] + 1, 1e-5) << info.name;
    EXPECT_NEAR(EngineFixture::values(results[1])[3], all[18] * 2, 1e-5) << info.name;
  }
}

TEST(LargeSizes, AReductionOfAHugeViewIsPlannedByEveryExecutor) {
  EngineFixture fixture;
  const LargeCase given(fixture);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor =
        fixture.executor(std::string(info.name),
                         "def f(x, v, i):\n    return v.reshape(8, 1).expand(8, 2**47).sum()");
    const Plan plan = executor->plan(given.inputs);
    std::int64_t points = 0;
    for (const StepCost& cost : costsOf(plan, symbolsOf(plan, given.inputs))) points += cost.points;
    EXPECT_EQ(points, std::int64_t{1} << 50) << info.name;
  }
}

TEST(LargeSizes, ALargeInputIsRefused) {
  const Program program = parseProgram("return x + 1");
  const std::vector<Form> forms{contiguousForm(DType::float32, {1 << 20, 1 << 20, 1 << 10})};
  try {
    makePlan(program, forms, {});
    FAIL() << "it is planned";
  } catch (const ProgramError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("x: a tensor of shape (1048576, 1048576, 1024) is "
                        "larger than any memory"),
              std::string::npos)
        << error.what();
  }
}

TEST(LargeSizes, ValuesPastTheRangeOfFloat32AreInfinite) {
  EngineFixture fixture;
  EXPECT_EQ(outcomeOf(fixture,
                      "def f(x, v, i):\n"
                      "    y = v.reshape(8, 1).expand(8, 2**16 - 2).cumsum(1)\n"
                      "    y = torch.exp(y.to(torch.float32))\n"
                      "    y[:, 1:3] = 2.0\n"
                      "    return y"),
            "");
}

/// FUSEBENCH_FUZZ sets another number of programs.
TEST(LargeSizes, RandomProgramsAreRefusedOrRight) {
  EngineFixture fixture;
  const int programs = test::textsToTry(500);
  int refused = 0, tooMuch = 0, ran = 0;
  for (int seed = 1; seed <= programs; ++seed) {
    const std::string text = test::largeProgramText(static_cast<std::uint32_t>(seed));
    SCOPED_TRACE("program " + std::to_string(seed) + ":\n" + text);
    const std::string outcome = outcomeOf(fixture, text);
    EXPECT_EQ(outcome.find('\n'), std::string::npos) << outcome;
    ++(outcome.empty() ? ran : outcome == "too much" ? tooMuch : refused);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(refused, programs / 4);
  EXPECT_GT(ran, programs / 20);
  RecordProperty("refused", refused);
  RecordProperty("ran", ran);
}

}  // namespace
}  // namespace fusebench
