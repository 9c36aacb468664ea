// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using testing::TestWithParam;

std::uint64_t launchesOfCall(EngineFixture& fixture, Executor& executor,
                             const std::vector<Tensor>& inputs) {
  const std::uint64_t before = fixture.backend().launches();
  executor.call(inputs);
  return fixture.backend().launches() - before;
}

TEST(Executors, StudyAtThirtyStatementsMakes34LaunchesEagerAndOneFused) {
  EngineFixture fixture;
  const Program program = firstStatements(parseProgram(studyProgram()), 30);
  const std::vector<Tensor> inputs{fixture.random({8, 16})};
  const auto launches = [&](const char* name) {
    const auto executor = makeExecutor(name, fixture.backend(), program);
    executor->call(inputs);
    return launchesOfCall(fixture, *executor, inputs);
  };
  EXPECT_EQ(launches("eager"), 34u);
  EXPECT_EQ(launches("static"), 1u);
  EXPECT_EQ(launches("dynamic"), 1u);
  EXPECT_EQ(launches("replay"), 34u);
  EXPECT_EQ(launches("static+replay"), 1u);
}

TEST(Executors, EveryExecutorIsWithinTheReferenceOnTheStudy) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({13, 16})};
  for (int n : {1, 2, 8, 20, 30}) {
    const Program program = firstStatements(parseProgram(studyProgram()), n);
    const auto expected = evaluateReference(program, {{EngineFixture::reference(inputs[0])}});
    for (const auto& name : executorsOn(fixture.backend())) {
      const auto executor = makeExecutor(name.name, fixture.backend(), program);
      EXPECT_LT(relativeError(expected[0], EngineFixture::values(executor->call(inputs)[0])), 1e-5)
          << name.name << " at " << n;
    }
  }
}

/// Programs whose every step is pointwise: the executors must agree to the last bit.
TEST(Executors, AgreeBitForBitOnPointwisePrograms) {
  const std::vector<std::string> programs = {
      "x = torch.exp(x * 0.5)\nx = x + 0.3\nreturn torch.sigmoid(x)",
      "y = x * x + 1.5\nz = torch.sqrt(y) / (x - 2)\nreturn torch.where(z > 0, z, -x)",
      "return torch.tanh(x) * torch.log1p(torch.abs(x)) - torch.erf(x)",
      "a = x.sin()\nb = x.cos()\nreturn a * a + b * b, a - b",
      "return torch.clamp(x, min=-0.5, max=0.25) ** 3",
  };
  EngineFixture fixture;
  for (const auto& text : programs) {
    for (const Shape& shape : {Shape{1}, Shape{7}, Shape{8, 16}, Shape{3, 5, 31}}) {
      const std::vector<Tensor> inputs{fixture.random(shape, 3, 2)};
      const auto eager = fixture.run("eager", text, inputs);
      for (const auto& name : executorsOn(fixture.backend())) {
        if (name.name == "eager") continue;
        const auto got = fixture.run(std::string(name.name), text, inputs);
        ASSERT_EQ(got.size(), eager.size());
        for (std::size_t o = 0; o < eager.size(); ++o) {
          ASSERT_EQ(got[o].shape, eager[o].shape);
          EXPECT_TRUE(EngineFixture::bytes(got[o]) == EngineFixture::bytes(eager[o]))
              << name.name << ": " << text << " at " << toString(shape);
        }
      }
    }
  }
}

TEST(Executors, BroadcastAndStridedInputsMatchTheReference) {
  EngineFixture fixture;
  const std::string text =
      "y = torch.exp(x * 0.3) * torch.abs(w) + b * b\nz = torch.tanh(y) * 2\nreturn z, z.sum(-1), "
      "y.mean(0)";
  const Tensor plain = fixture.random({12, 9, 33});
  const std::vector<std::vector<Tensor>> cases = {
      {plain, fixture.random({33}, 2), fixture.random({9, 1}, 3)},
      {EngineFixture::transposed(plain), fixture.random({9}, 2), fixture.random({1, 33, 1}, 3)},
      {EngineFixture::everySecond(plain), fixture.random({12, 1, 17}, 2), fixture.random({1}, 3)},
      {EngineFixture::transposed(EngineFixture::everySecond(plain)), fixture.random({9}, 2),
       EngineFixture::transposed(fixture.random({9, 17}, 3))},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<ReferenceTensor> references;
    for (const Tensor& input : cases[i]) references.push_back(EngineFixture::reference(input));
    const auto expected = evaluateReference(parseProgram(text), references);
    for (const auto& name : executorsOn(fixture.backend())) {
      const auto got = fixture.run(std::string(name.name), text, cases[i]);
      for (std::size_t o = 0; o < expected.size(); ++o) {
        EXPECT_EQ(got[o].shape, expected[o].value.type.shape);
        EXPECT_LT(relativeError(expected[o], EngineFixture::values(got[o])), 2e-6)
            << name.name << ", case " << i << ", output " << o;
      }
    }
  }
}

TEST(Executors, ANumberThatIsASizeIsThatOfTheCallsInputs) {
  EngineFixture fixture;
  Program program = parseProgram("def f(x): return torch.exp(x) * 2");
  program.ops[1].operands[1].size = program.sizes.extent(program.result(0), -1);
  for (const auto& name : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(name.name, fixture.backend(), program);
    for (const Shape& shape : {Shape{3, 4}, Shape{3, 5}, Shape{7, 5}, Shape{3, 4}}) {
      const std::vector<Tensor> inputs{fixture.random(shape)};
      const auto expected = evaluateReference(program, {{EngineFixture::reference(inputs[0])}});
      const double first = EngineFixture::reference(inputs[0]).values[0];
      EXPECT_NEAR(expected[0].value.values[0], std::exp(first) * static_cast<double>(shape[1]),
                  1e-5);
      EXPECT_LT(relativeError(expected[0], EngineFixture::values(executor->call(inputs)[0])), 1e-5)
          << name.name << " at " << toString(shape);
    }
  }
}

TEST(Executors, FuseReductionsThatShareDimsAndSplitWhereAResultIsNeeded) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 40})};
  const auto launches = [&](const std::string& text) {
    const auto executor = fixture.executor("static", text);
    executor->call(inputs);
    return launchesOfCall(fixture, *executor, inputs);
  };
  EXPECT_EQ(launches("y = x * 2\nreturn y.sum(-1), y.amax(-1), y.mean(-1)"), 1u);
  EXPECT_EQ(launches("y = x * 2\nreturn y.sum(-1), y.sum(0)"), 2u);
  // Softmax is two dependent reductions: a launch can keep a row for both, but not a column.
  EXPECT_EQ(launches("m = x.amax(0, keepdim=True)\ne = torch.exp(x - m)\n"
                     "return e / e.sum(0, keepdim=True)"),
            3u);
  EXPECT_EQ(launches("m = x.amax(-1, keepdim=True)\ne = torch.exp(x - m)\n"
                     "return e / e.sum(-1, keepdim=True)"),
            1u);
}

TEST(Executors, DropOpsThatNothingReturnedNeedsWhenFused) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({16})};
  const std::string text = "a = torch.sin(x)\nb = a.sum()\nreturn x + 1";
  const auto eager = fixture.executor("eager", text);
  const auto fused = fixture.executor("static", text);
  eager->call(inputs);
  fused->call(inputs);
  EXPECT_EQ(launchesOfCall(fixture, *eager, inputs), 3u);
  EXPECT_EQ(launchesOfCall(fixture, *fused, inputs), 1u);
}

TEST(Executors, FreeIntermediatesAsSoonAsNobodyReadsThem) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({1024})};
  const auto executor =
      makeExecutor("eager", fixture.backend(), firstStatements(parseProgram(studyProgram()), 20));
  executor->call(inputs);
  const std::size_t before = fixture.backend().allocator().statistics().currentBytes;
  fixture.backend().allocator().resetPeak();
  executor->call(inputs);
  const auto after = fixture.backend().allocator().statistics();
  EXPECT_LE(after.peakBytes, before + 2 * 4096 + 64);
  EXPECT_EQ(after.currentBytes, before);
}

TEST(StaticExecutor, RecompilesForAnotherShapeAndSaysWhy) {
  EngineFixture fixture;
  const auto executor = fixture.executor("static", "return x + 1");
  executor->call(std::vector{fixture.random({8, 16})});
  executor->call(std::vector{fixture.random({8, 16})});
  executor->call(std::vector{fixture.random({5, 16})});
  executor->call(std::vector{fixture.random({8, 16})});
  const auto& statistics = executor->statistics();
  ASSERT_EQ(statistics.compiles.size(), 2u);
  EXPECT_EQ(statistics.compiles[0].reason, "first call");
  EXPECT_EQ(statistics.compiles[1].reason, "input x: size of dim 0 is 5, compiled for 8");
  EXPECT_EQ(statistics.guardFailures, 1u);
}

TEST(StaticExecutor, FallsBackToEagerPastTheRecompileLimit) {
  EngineFixture fixture;
  const auto executor = fixture.executor("static", "return (x + 1) * 2", {.recompileLimit = 3});
  for (std::int64_t size = 2; size < 12; ++size)
    executor->call(std::vector{fixture.random({size})});
  EXPECT_EQ(executor->statistics().compiles.size(), 3u);
  EXPECT_EQ(executor->statistics().eagerCalls, 7u);
  const std::vector<Tensor> known{fixture.random({3})};
  EXPECT_EQ(launchesOfCall(fixture, *executor, known), 1u);
  const std::vector<Tensor> unknown{fixture.tensor({5}, {1, 2, 3, 4, 5})};
  EXPECT_EQ(launchesOfCall(fixture, *executor, unknown), 2u);
  EXPECT_EQ(EngineFixture::values(executor->call(unknown)[0]),
            (std::vector<double>{4, 6, 8, 10, 12}));
}

TEST(DynamicExecutor, ServesEveryShapeOfARankWithOneCompile) {
  EngineFixture fixture;
  const auto executor = fixture.executor("dynamic", "y = x * 2 + b\nreturn y, y.sum()");
  for (std::int64_t rows : {4, 9, 2, 100}) {
    const std::vector<Tensor> inputs{fixture.random({rows, 16}), fixture.random({16}, 2)};
    const auto got = executor->call(inputs);
    EXPECT_EQ(got[0].shape, (Shape{rows, 16}));
    const auto eager = fixture.run("eager", "y = x * 2 + b\nreturn y, y.sum()", inputs);
    EXPECT_EQ(EngineFixture::values(got[0]), EngineFixture::values(eager[0]));
  }
  EXPECT_EQ(executor->statistics().compiles.size(), 1u);
}

TEST(DynamicExecutor, SpecializesSizesZeroAndOneRankLayoutAndEqualSizes) {
  EngineFixture fixture;
  const auto executor = fixture.executor("dynamic", "return x + y");
  const auto reasonOf = [&](const Tensor& x, const Tensor& y) {
    const std::size_t before = executor->statistics().compiles.size();
    executor->call(std::vector{x, y});
    const auto& compiles = executor->statistics().compiles;
    return compiles.size() == before ? std::string("none") : compiles.back().reason;
  };
  EXPECT_EQ(reasonOf(fixture.random({4, 6}), fixture.random({4, 6})), "first call");
  EXPECT_EQ(reasonOf(fixture.random({7, 3}), fixture.random({7, 3})), "none");
  EXPECT_EQ(reasonOf(fixture.random({1, 6}), fixture.random({1, 6})),
            "input x: size of dim 0 is 1, compiled for 2 or more");
  EXPECT_EQ(reasonOf(fixture.random({6}), fixture.random({6})), "input x: 1 dims, compiled for 2");
  EXPECT_EQ(reasonOf(EngineFixture::transposed(fixture.random({6, 4})), fixture.random({4, 6})),
            "input x: 2 dims, compiled for 1");
  EXPECT_EQ(reasonOf(EngineFixture::transposed(fixture.random({9, 5})), fixture.random({5, 9})),
            "none");
  EXPECT_EQ(reasonOf(fixture.random({5, 5}), fixture.random({5, 5})), "none");
}

TEST(DynamicExecutor, AKernelForUnequalSizesServesEqualOnesToo) {
  EngineFixture fixture;
  const auto executor = fixture.executor("dynamic", "return x.sum(0), x.sum(1)");
  executor->call(std::vector{fixture.random({4, 6})});
  const std::vector<Tensor> square{fixture.random({5, 5}, 9)};
  const auto expected = evaluateReference(parseProgram("return x.sum(0), x.sum(1)"),
                                          {{EngineFixture::reference(square[0])}});
  const auto got = executor->call(square);
  EXPECT_LT(relativeError(expected[0], EngineFixture::values(got[0])), 1e-6);
  EXPECT_LT(relativeError(expected[1], EngineFixture::values(got[1])), 1e-6);
  EXPECT_EQ(executor->statistics().compiles.size(), 1u);
}

/// So many rows of nothing are nothing: memory past the tensors' ends is not theirs.
TEST(Executors, NothingIsReadOrWrittenForManyEmptyRows) {
  EngineFixture fixture;
  constexpr std::int64_t kRows = 1 << 26;
  const std::vector<Tensor> two{fixture.tensor({kRows, 0}, {}), fixture.tensor({kRows, 0}, {})};
  const std::vector<Tensor> one{two[0]}, row{two[0], fixture.tensor({0}, {})};
  for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
    const auto shapeOf = [&](const char* text, const std::vector<Tensor>& inputs) {
      return fixture.run(executor, text, inputs)[0].shape;
    };
    EXPECT_EQ(shapeOf("def program(x):\n    return torch.cos(x)", one), (Shape{kRows, 0}));
    EXPECT_EQ(shapeOf("def program(x, y):\n    return x * y", two), (Shape{kRows, 0}));
    EXPECT_EQ(shapeOf("def program(x, y):\n    return x > y", row), (Shape{kRows, 0}));
    EXPECT_EQ(shapeOf("def program(x):\n    return x.sum(dim=0)", one), (Shape{0}));
    const auto sum = fixture.run(executor, "def program(x):\n    return x.sum()", one);
    EXPECT_EQ(EngineFixture::values(sum[0]), std::vector<double>{0}) << executor;
  }
}

TEST(Executors, EmptyTensorsGiveEmptyResultsAndIdentities) {
  EngineFixture fixture;
  for (const auto& name : executorsOn(fixture.backend())) {
    const std::vector<Tensor> inputs{fixture.tensor({0, 3}, {})};
    const auto got =
        fixture.run(std::string(name.name), "return x + 1, x.sum(), x.prod(0), x.mean()", inputs);
    EXPECT_EQ(got[0].shape, (Shape{0, 3}));
    EXPECT_EQ(EngineFixture::values(got[1]), std::vector<double>{0});
    EXPECT_EQ(EngineFixture::values(got[2]), (std::vector<double>{1, 1, 1}));
    EXPECT_TRUE(std::isnan(EngineFixture::values(got[3])[0])) << name.name;
  }
}

TEST(Executors, ShapesThatDoNotFitAreAProgramError) {
  EngineFixture fixture;
  for (const auto& name : executorsOn(fixture.backend())) {
    const auto executor = fixture.executor(std::string(name.name), "return x + y");
    EXPECT_THROW(executor->call(std::vector{fixture.random({3}), fixture.random({4})}),
                 ProgramError);
    EXPECT_THROW(executor->call(std::vector{fixture.random({3})}), ProgramError);
    // The executor still works afterwards.
    EXPECT_EQ(executor->call(std::vector{fixture.random({3}), fixture.random({3})})[0].shape,
              (Shape{3}));
  }
}

TEST(Executors, AnUnknownNameIsRefused) {
  EngineFixture fixture;
  EXPECT_THROW(fixture.executor("turbo", "return x"), std::invalid_argument);
}

TEST(Executors, FastMathIsRefusedWhereThereIsNone) {
  EngineFixture fixture;
  const bool there = fixture.backend().traits().hasFastMath;
  EXPECT_EQ(there, fixture.backend().name().starts_with("cuda"));
  for (const char* name : {"static", "dynamic"}) {
    const auto make = [&] { fixture.executor(name, "return torch.exp(x)", {.fastMath = true}); };
    if (there)
      EXPECT_NO_THROW(make());
    else
      EXPECT_THROW(make(), std::invalid_argument);
  }
}

TEST(Executors, ReturningAnInputReturnsIt) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2}, {3, 4})};
  for (const auto& name : executorsOn(fixture.backend()))
    EXPECT_EQ(EngineFixture::values(
                  fixture.run(std::string(name.name), "y = x + 1\nreturn x, y, y", inputs)[0]),
              (std::vector<double>{3, 4}));
}

}  // namespace
}  // namespace fusebench
