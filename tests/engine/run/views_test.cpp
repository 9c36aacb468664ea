// SPDX-License-Identifier: GPL-3.0-or-later
// Views: the same elements seen otherwise, with no copy but where strides cannot say it.
#include "engine/device/memory_use.h"

#include <string>
#include <vector>
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

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
  for (const char* name : {"static", "dynamic"}) {
    const auto executor = makeExecutor(name, fixture.backend(), program);
    EXPECT_EQ(executor->plan(inputs).steps.size(), 1u) << name;
  }
  // Tensors that are not row-major are left to eager's kernels if a launch is only a function call.
  const bool leaves =
      fixture.backend().traits().isSynchronous && fixture.backend().traits().shipsOps;
  const auto instant = makeExecutor("instant", fixture.backend(), program);
  EXPECT_EQ(instant->plan(inputs).steps.size(), leaves ? 3u : 1u);
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
                   "view: a tensor of shape (8, 6) with strides (1, 8) cannot be viewed in that "
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

}  // namespace
}  // namespace fusebench
