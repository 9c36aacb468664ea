// SPDX-License-Identifier: GPL-3.0-or-later
// Programs with data-dependent control flow: the parts that they are divided into, the results of
// every executor for either branch, and the programs that are refused.
#include <gmock/gmock.h>

#include <cmath>

#include "engine/language/program_branches.h"
#include "engine/plan/parts.h"
#include "engine/plan/plan_text.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench {
namespace {

using ::testing::HasSubstr;

constexpr const char* kScaled = R"(def f(x):
    y = torch.sin(x) * 2
    if y.sum() > 0:
        y = y + 1
        z = torch.exp(y)
    else:
        z = y * y - 3
    return z.sum(), y * 2
)";

constexpr const char* kNested = R"(def f(x, w):
    n = x.shape[0]
    y = x * w
    if not y.max() > 2:
        y = torch.relu(y) / n
    elif y.min() > -2:
        y = torch.softmax(y, -1)
    else:
        y = y - y.mean(-1, keepdim=True)
    for i in range(2):
        if (y * (i + 1)).sum() > 0.5:
            y = y * 0.5
        y = y + i
    return y
)";

/// In place after the choice, a view across it, and an assert on one way alone.
constexpr const char* kWriting = R"(def f(x):
    y = x * 2
    t = y.sum(-1)
    if t.sum() > 0:
        y += 1
        assert (y > -100).all()
    else:
        y.mul_(3)
    z = x.reshape(-1)
    return y, t, z
)";

/// A conditional expression, and conditions of several tensors, of which a call asks one by one.
constexpr const char* kWords = R"(def f(x, w):
    y = torch.sin(x) * w
    if y.sum() > 0 and not y.max().item() > 0.9:
        y = y * 2
    return y + 1 if y.min() < -0.5 or y.mean().item() > 0.1 else torch.exp(y)
)";

ExecutorOptions broken() {
  ExecutorOptions options;
  options.graphBreaks = true;
  return options;
}

/// Both ways of `text` on these inputs and on their negatives, by every executor.
void expectBothWays(EngineFixture& fixture, const std::string& text,
                    const std::vector<std::vector<Tensor>>& entries) {
  const Program program = parseProgram(text);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name) + " of\n" + text);
    const auto executor = makeExecutor(info.name, fixture.backend(), program, broken());
    for (int call = 0; call < 3; ++call)
      for (const std::vector<Tensor>& inputs : entries) {
        std::vector<ReferenceTensor> plain;
        for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
        const auto expected = evaluateReference(program, plain);
        const auto results = executor->call(inputs);
        ASSERT_EQ(results.size(), expected.size());
        for (std::size_t o = 0; o < results.size(); ++o) {
          ASSERT_EQ(results[o].shape, expected[o].value.type.shape);
          const std::vector<double> values = EngineFixture::values(results[o]);
          EXPECT_LT(relativeError(expected[o], values), 2e-5) << "result " << o;
        }
      }
  }
}

TEST(Branches, EveryExecutorGoesTheWayThatTheValuesSay) {
  EngineFixture fixture;
  const std::vector<std::vector<Tensor>> entries = {{fixture.random({8, 16}, 1)},
                                                    {fixture.random({8, 16}, 2)},
                                                    {fixture.random({8, 16}, 3)},
                                                    {fixture.random({8, 16}, 4)}};
  const Program program = parseProgram(kScaled);
  bool ways[2] = {};
  for (const auto& entry : entries) {
    double sum = 0;
    for (const double value : EngineFixture::values(entry[0])) sum += std::sin(value) * 2;
    ways[sum > 0] = true;
  }
  ASSERT_TRUE(ways[0] && ways[1]);
  expectBothWays(fixture, kScaled, entries);
  expectBothWays(fixture, kWriting, entries);
}

TEST(Branches, NestedOnesAndThoseInLoopsHaveAPartForEachWay) {
  EngineFixture fixture;
  std::vector<std::vector<Tensor>> entries;
  for (unsigned seed = 1; seed < 9; ++seed)
    entries.push_back({fixture.random({4, 8}, seed, 0.4F * static_cast<float>(seed)),
                       fixture.random({8}, seed + 20)});
  expectBothWays(fixture, kWords, entries);
  expectBothWays(fixture, kNested, entries);
  EXPECT_EQ(waysOf(parseProgram(kNested)).size(), 12u);
}

TEST(Branches, PartsLaunchWhatThePlanOfTheirWaySays) {
  EngineFixture fixture;
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor =
        makeExecutor(info.name, fixture.backend(), parseProgram(kScaled), broken());
    for (const float sign : {1.0F, -1.0F}) {
      const std::vector<Tensor> inputs{fixture.tensor({2, 2}, {sign, sign, sign, sign})};
      executor->call(inputs);
      const std::uint64_t before = fixture.backend().launches();
      executor->call(inputs);
      EXPECT_EQ(fixture.backend().launches() - before, executor->plan(inputs).steps.size())
          << info.name;
      EXPECT_EQ(executor->statistics().graphs, 2) << info.name;
    }
    const std::vector<Plan> plans =
        executor->plans(std::vector{contiguousForm(DType::float32, {2, 2})});
    ASSERT_EQ(plans.size(), 2u);
    const std::string text =
        toText(plans[0], symbolsOf(plans[0], std::vector{contiguousForm(DType::float32, {2, 2})}));
    EXPECT_THAT(text, HasSubstr("graph break: waits for"));
    EXPECT_THAT(text,
                HasSubstr("\"y.sum() > 0\" holds (line 3); this is the branch where it does"));
    // The condition is not freed before the host, which waits for it, has read it.
    const std::size_t waits = text.find("graph break: waits for ") + 23;
    const std::string condition = text.substr(waits, text.find(',', waits) - waits);
    const std::size_t frees = text.find("  frees " + condition);
    EXPECT_NE(frees, std::string::npos) << text;
    EXPECT_GT(frees, waits) << text;
  }
}

TEST(Branches, APlanHasTheConditionInMemory) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({8, 16})};
  const auto executor = fixture.executor("static", kScaled, broken());
  const Plan plan = executor->plan(inputs);
  const ValueId condition = plan.program->branches.front().condition;
  EXPECT_THAT(std::vector<ValueId>(plan.written.begin(), plan.written.end()),
              ::testing::Contains(condition));
}

TEST(Branches, FusionEndsThere) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2, 2}, {1, 1, 1, 1})};
  const std::string straight =
      "def f(x):\n    y = torch.sin(x) * 2\n    y = torch.where(y > 0, y + 1, y * y)\n    return y "
      "* 2\n";
  const std::string divided =
      "def f(x):\n    y = torch.sin(x) * 2\n    if y.max() > 0:\n        y = y + 1\n    else:\n    "
      "    y = y * y\n    return y * 2\n";
  EXPECT_EQ(fixture.executor("static", straight)->plan(inputs).steps.size(), 1u);
  EXPECT_GE(fixture.executor("static", divided, broken())->plan(inputs).steps.size(), 2u);
}

TEST(Branches, AnExecutorThatFusesRefusesThemUnlessItIsToDivide) {
  EngineFixture fixture;
  fixture.executor("eager", kScaled);
  try {
    fixture.executor("static", kScaled);
    FAIL() << "no error";
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.place().line, 3);
    EXPECT_THAT(error.what(), HasSubstr("torch.where(condition, a, b)"));
    EXPECT_THAT(error.what(), HasSubstr("\"graphBreaks\": true"));
  }
}

std::string errorOf(const std::string& text, const std::vector<ValueType>& inputs = {{{4}}}) {
  try {
    const Program program = parseProgram(text);
    inferTypes(program, inputs);
    partsOf(program);
  } catch (const ProgramError& error) {
    return std::to_string(error.place().line) + ": " + error.what();
  }
  return "no error";
}

TEST(Branches, WhatIsNoSuchProgramSaysWhyInOneLine) {
  EXPECT_EQ(errorOf("def f(x):\n    if x > 0:\n        x = x + 1\n    return x\n"),
            "2: the truth of a tensor of shape (4,) is not one value; reduce it, as in .all() or "
            ".any()");
  EXPECT_THAT(errorOf("def f(x):\n    if x.sum() > 0:\n        y = x + 1\n    return y\n"),
              HasSubstr("in the branch where the 'if' in line 2 does not hold"));
  EXPECT_EQ(errorOf("def f(x):\n    if x.sum() > 0:\n        x = x.sum()\n    return x\n"),
            "2: result 1 of the program is float32 () where this 'if' holds, and float32 (4,) "
            "where it does not; it must be the same in both branches");
  EXPECT_EQ(errorOf("def f(x):\n    if x.sum() > 0:\n        return x, x\n    return x\n"),
            "2: the program returns 2 tensors where this 'if' holds, and 1 where it does not; it "
            "must be the same in both branches");
  EXPECT_THAT(
      errorOf("def f(x):\n    y = x.view(-1)\n    if x.sum() > 0:\n        x += y\n    return x\n"),
      HasSubstr("4: this writes in place to a tensor that has several names"));
  EXPECT_THAT(errorOf("def f(x):\n    x.requires_grad_()\n    y = x * 2\n    if y.sum() > 0:\n     "
                      "   y = y + 1\n    "
                      "y.sum().backward()\n    return x.grad\n"),
              HasSubstr("gradients do not propagate through such a choice"));
  EXPECT_THAT(errorOf("def f(x):\n    for i in range(10):\n        if x.sum() > i:\n            x "
                      "= x + 1\n    return x\n"),
              HasSubstr("in more than 16 branches"));
  EXPECT_THAT(errorOf("def f(x):\n    while x.sum() > 0:\n        x = x - 1\n    return x\n"),
              HasSubstr("found 'while' on a tensor's values"));
}

TEST(Branches, TheirTextIsReadAsTheSameProgram) {
  for (const char* text : {kScaled, kNested, kWriting, kWords}) {
    const std::string once = toText(parseProgram(text));
    EXPECT_THAT(once, HasSubstr("    if "));
    EXPECT_EQ(toText(parseProgram(once)), once);
  }
}

TEST(Branches, PyTorchTakesTheSameWay) {
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EngineFixture fixture;
  std::string script = "import torch\nwrong = 0\n";
  for (const char* text : {kScaled, kNested, kWriting, kWords}) {
    const Program program = parseProgram(text);
    script += toText(program);
    for (unsigned seed = 1; seed < 6; ++seed) {
      std::vector<ReferenceTensor> inputs;
      std::string given;
      for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const Tensor input = fixture.random(i == 0 ? Shape{4, 8} : Shape{8},
                                            seed + 40 * static_cast<unsigned>(i), 2);
        inputs.push_back(EngineFixture::reference(input));
        given += "torch.tensor([";
        for (const double value : inputs.back().values) given += std::to_string(value) + ", ";
        given += "], dtype=torch.float64).reshape" + toString(input.shape) + ", ";
        for (double& value : inputs.back().values) value = std::stod(std::to_string(value));
      }
      script += "got = program(" + given + ")\ngot = got if isinstance(got, tuple) else (got,)\n";
      for (const ReferenceResult& result : evaluateReference(program, inputs)) {
        script += "want = torch.tensor([";
        for (const double value : result.value.values) script += std::to_string(value) + ", ";
        script +=
            "], dtype=torch.float64)\nwrong += (got[0].flatten() - want).abs().max() > 1e-4\n"
            "got = got[1:]\n";
      }
    }
  }
  EXPECT_EQ(test::runPython(python, script + "print('wrong:', int(wrong))\n"), "wrong: 0\n");
}

}  // namespace
}  // namespace fusebench
