// SPDX-License-Identifier: GPL-3.0-or-later
// Views: the same elements seen otherwise, with no copy but where strides cannot say it.
#include "engine/device/memory_use.h"
#include "tests/engine/support/random_graphs.h"
#include "tests/engine/support/random_views.h"

namespace fusebench {
namespace {

/// Every executor's results of `text`, against the reference's.
void expectAsReference(EngineFixture& fixture, const std::string& text,
                       std::span<const Tensor> inputs) {
  std::vector<ReferenceTensor> plain;
  for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
  const Program program = parseProgram(text);
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
        for (std::size_t i = 0; i < values.size(); ++i)
          ASSERT_NEAR(values[i], expected[o].value.values[i],
                      2e-5 * (1 + std::abs(expected[o].value.values[i])));
      }
    }
  }
}

TEST(Views, OfInputsAreNoLaunches) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 4, 5})};
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(
        info.name, fixture.backend(),
        parseProgram("def f(x): return x.transpose(0, 2).select(1, 2), x.view(24, 5).t()"));
    const std::uint64_t before = fixture.backend().launches();
    const auto results = executor->call(inputs);
    EXPECT_EQ(fixture.backend().launches(), before) << info.name;
    for (const Tensor& result : results)
      EXPECT_EQ(result.block.get(), inputs[0].block.get()) << info.name;
    EXPECT_EQ(results[0].shape, (Shape{5, 6}));
    EXPECT_EQ(results[0].strides, (Strides{1, 20}));
    EXPECT_EQ(results[0].offset, 10);
    EXPECT_EQ(results[1].strides, (Strides{1, 5}));
  }
}

TEST(Views, AreReadByFusedKernelsWhereTheyLie) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 8}), fixture.random({3, 6}, 2)};
  const Program program = parseProgram(
      "def f(x, y):\n  a = x.t().narrow(0, 2, 6).unflatten(0, (2, 3)).select(0, 1)\n"
      "  return torch.exp(a * y) + y");
  for (const char* name : {"static", "dynamic", "instant"}) {
    const auto executor = makeExecutor(name, fixture.backend(), program);
    EXPECT_EQ(executor->plan(inputs).steps.size(), 1u) << name;
  }
  expectAsReference(fixture, toText(program), inputs);
}

TEST(Views, OfWhatIsComputedShareItsMemory) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 8})};
  const auto executor = makeExecutor(
      "static", fixture.backend(),
      parseProgram("def f(x):\n  y = torch.exp(x)\n  return y.t(), y.select(0, 3), y.flatten()"));
  const auto results = executor->call(inputs);
  EXPECT_EQ(results[0].block.get(), results[1].block.get());
  EXPECT_EQ(results[0].block.get(), results[2].block.get());
  EXPECT_EQ(results[1].offset, 24);
  const Plan plan = executor->plan(inputs);
  EXPECT_EQ(memoryUseOf(plan, {}).allocations, 1u);
}

TEST(Views, AReshapeCopiesOnlyWhereStridesCannotSayIt) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 8})};
  const auto steps = [&](const char* body) {
    const auto executor = makeExecutor("static", fixture.backend(),
                                       parseProgram("def f(x): return " + std::string(body)));
    return executor->plan(inputs).steps.size();
  };
  EXPECT_EQ(steps("x.reshape(4, 12)"), 0u);
  EXPECT_EQ(steps("x.t().reshape(4, 12)"), 1u);
  EXPECT_EQ(steps("x.t().reshape(8, 3, 2)"), 0u);
  EXPECT_EQ(steps("x.contiguous()"), 0u);
  EXPECT_EQ(steps("x.t().contiguous()"), 1u);
  EXPECT_EQ(steps("x.narrow(1, 0, 4).flatten()"), 1u);
  EXPECT_EQ(steps("x.narrow(0, 2, 4).flatten()"), 0u);
}

TEST(Views, ThatCannotBeAreErrorsThatSayWhatCan) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 8})};
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(info.name, fixture.backend(),
                                       parseProgram("def f(x): return x.t().view(48) + 1"));
    try {
      executor->call(inputs);
      ADD_FAILURE() << info.name;
    } catch (const ProgramError& error) {
      EXPECT_STREQ(error.what(),
                   "view: a tensor of shape (8, 6) with strides (1, 8) cannot be seen in that "
                   "shape without a copy; write .reshape(...)");
    }
  }
}

TEST(Views, DynamicPlansServeOtherSizes) {
  EngineFixture fixture;
  const std::string text =
      "def f(x):\n  y = torch.sin(x.t().narrow(0, 1, 3)).reshape(-1)\n"
      "  return y.view(3, -1).sum(1) + 1, x.unsqueeze(1).expand(-1, 2, -1) * 2";
  const auto executor = makeExecutor("dynamic", fixture.backend(), parseProgram(text));
  for (const Shape& shape : {Shape{6, 8}, Shape{5, 9}, Shape{31, 4}, Shape{7, 7}}) {
    const std::vector<Tensor> inputs{fixture.random(shape)};
    const auto expected =
        evaluateReference(parseProgram(text), {{EngineFixture::reference(inputs[0])}});
    const auto results = executor->call(inputs);
    for (std::size_t o = 0; o < results.size(); ++o)
      EXPECT_LT(relativeError(expected[o], EngineFixture::values(results[o])), 2e-5);
  }
  EXPECT_EQ(executor->statistics().compiles.size(), 1u);
}

TEST(Views, ASizeThatAPlanReliesOnIsAGuard) {
  EngineFixture fixture;
  // 8 places of 8 are all: a plan for that does not serve 9.
  const std::string text = "def f(x): return x.narrow(1, 0, 8) + x.select(1, 0).unsqueeze(1)";
  const auto executor = makeExecutor("dynamic", fixture.backend(), parseProgram(text));
  for (const std::int64_t columns : {8, 9, 12, 8}) {
    const std::vector<Tensor> inputs{fixture.random({5, columns})};
    const auto expected =
        evaluateReference(parseProgram(text), {{EngineFixture::reference(inputs[0])}});
    EXPECT_LT(relativeError(expected[0], EngineFixture::values(executor->call(inputs)[0])), 2e-5);
  }
  const std::vector<Tensor> small{fixture.random({5, 7})};
  EXPECT_THROW(executor->call(small), ProgramError);
}

/// Chains of views and ops over one input.
std::string randomText(unsigned seed) {
  test::RandomViews views(seed);
  Shape shape{4, 6, 5};
  std::string text, last = "x";
  std::vector<std::string> results;
  const int lines = 2 + views.pick(7);
  for (int i = 0; i < lines; ++i) {
    const std::string name = fmt::format("v{}", i);
    std::string value;
    switch (views.pick(6)) {
      case 0:
        value = fmt::format("torch.sin({})", last);
        break;
      case 1:
        value = fmt::format("{} * 1.5 + {}", last, last);
        break;
      case 2:
        if (shape.rank() > 0) {
          value = fmt::format("{} - {}.mean(dim=-1, keepdim=True)", last, last);
          break;
        }
        [[fallthrough]];
      default:
        value = views.call(last, shape);
    }
    text += fmt::format("{} = {}\n", name, value);
    if (views.pick(4) == 0) results.push_back(name);
    last = name;
    if (elementCount(shape) > 4000) break;
  }
  text += "return " + last;
  for (const std::string& name : results)
    if (name != last) text += ", " + name;
  return text;
}

TEST(Views, TheirTextMeansTheSame) {
  for (const char* text :
       {"x.view(2, -1)", "x.permute(2, 0, 1)", "x.transpose(0, -1)", "x.narrow(1, 2, 3)",
        "x.select(-1, 0)", "x.movedim((0, 1), (2, 0))", "x.unflatten(0, (2, 2))", "x.squeeze()",
        "x.squeeze(0)", "x.expand(2, -1, -1, -1)", "x.flatten(0, 1)", "x.unsqueeze(1)"}) {
    const Program program = parseProgram("def f(x): return " + std::string(text));
    const Program again = parseProgram(toText(program));
    ASSERT_EQ(again.ops.size(), 1u) << text;
    EXPECT_EQ(again.ops[0].row, program.ops[0].row) << text;
    EXPECT_EQ(again.ops[0].dims, program.ops[0].dims) << text;
    EXPECT_EQ(again.ops[0].sizeNumbers, program.ops[0].sizeNumbers) << text;
  }
}

TEST(Views, RandomChainsMatchTheReferenceInEveryExecutor) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6, 5})};
  Tensor turned = EngineFixture::transposed(fixture.random({4, 5, 6}, 3));
  const std::vector<Tensor> strided{turned};
  for (unsigned seed = 1; seed <= 150; ++seed) {
    const std::string text = randomText(seed);
    expectAsReference(fixture, text, inputs);
    if (text.find(".view(") == std::string::npos) expectAsReference(fixture, text, strided);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace fusebench
