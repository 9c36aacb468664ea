// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors made at each call: from numbers, from the places of their elements, and at random.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

#include "engine/plan/plan.h"
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

std::vector<double> madeBy(EngineFixture& fixture, const std::string& expression,
                           const char* executor = "static") {
  const auto made =
      makeExecutor(executor, fixture.backend(), parseProgram("def f(x): return " + expression));
  const std::vector<Tensor> inputs{fixture.random({2, 3})};
  return EngineFixture::values(made->call(inputs)[0]);
}

std::string errorOf(EngineFixture& fixture, const std::string& expression) {
  try {
    madeBy(fixture, expression);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return {};
}

TEST(Making, GivesWhatPyTorchDocuments) {
  EngineFixture fixture;
  using Values = std::vector<double>;
  for (const char* executor : {"eager", "static", "instant"}) {
    SCOPED_TRACE(executor);
    const auto made = [&](const std::string& text) { return madeBy(fixture, text, executor); };
    EXPECT_EQ(made("torch.arange(5)"), (Values{0, 1, 2, 3, 4}));
    EXPECT_EQ(made("torch.arange(5, 0, -2)"), (Values{5, 3, 1}));
    EXPECT_EQ(made("torch.arange(1, 2, 0.25)"), (Values{1, 1.25, 1.5, 1.75}));
    EXPECT_EQ(made("torch.linspace(-1, 1, 5)"), (Values{-1, -0.5, 0, 0.5, 1}));
    EXPECT_EQ(made("torch.linspace(3, 7, 1)"), (Values{3}));
    EXPECT_EQ(made("torch.eye(2, 3)"), (Values{1, 0, 0, 0, 1, 0}));
    EXPECT_EQ(made("torch.full((2, 2), 2.5)"), (Values{2.5, 2.5, 2.5, 2.5}));
    EXPECT_EQ(made("torch.full_like(x, 7)"), (Values{7, 7, 7, 7, 7, 7}));
    EXPECT_EQ(made("x.new_zeros(2)"), (Values{0, 0}));
    EXPECT_EQ(made("torch.zeros(())"), (Values{0}));
    EXPECT_EQ(made("torch.ones(0, 3)"), (Values{}));
    EXPECT_EQ(made("torch.tensor([[1.5, 2], [3, -4]])"), (Values{1.5, 2, 3, -4}));
    EXPECT_EQ(made("torch.tensor([True, False]).float() + torch.zeros(2)"), (Values{1, 0}));
    EXPECT_EQ(made("torch.tril(torch.ones(3, 3), -1)"), (Values{0, 0, 0, 1, 0, 0, 1, 1, 0}));
    EXPECT_EQ(made("torch.triu(torch.ones(2, 2, 2))"), (Values{1, 1, 0, 1, 1, 1, 0, 1}));
    EXPECT_EQ(made("torch.arange(x.shape[0], x.numel() + 1, 2)"), (Values{2, 4, 6}));
  }
}

TEST(Making, TakesPyTorchsDtypes) {
  EngineFixture fixture;
  const auto dtypeOf = [&](const std::string& expression) {
    const auto made =
        makeExecutor("static", fixture.backend(), parseProgram("def f(x): return " + expression));
    return made->call(std::vector<Tensor>{fixture.typed(DType::float64, {2}, {1, 2})})[0].dtype;
  };
  EXPECT_EQ(dtypeOf("torch.arange(5)"), DType::int64);
  EXPECT_EQ(dtypeOf("torch.arange(5.0)"), DType::float32);
  EXPECT_EQ(dtypeOf("torch.full((2,), 3)"), DType::int64);
  EXPECT_EQ(dtypeOf("torch.full((2,), True)"), DType::boolean);
  EXPECT_EQ(dtypeOf("torch.tensor([1, 2])"), DType::int64);
  EXPECT_EQ(dtypeOf("torch.tensor([1, 2.0])"), DType::float32);
  EXPECT_EQ(dtypeOf("torch.zeros_like(x)"), DType::float64);
  EXPECT_EQ(dtypeOf("x.new_full((3,), 2)"), DType::float64);
  EXPECT_EQ(dtypeOf("torch.zeros(2, dtype=torch.bfloat16)"), DType::bfloat16);
  EXPECT_EQ(dtypeOf("torch.randint(5, (2,))"), DType::int64);
}

TEST(Making, IsTheSameInEveryExecutor) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 5}),
                                   EngineFixture::transposed(fixture.random({5, 6}, 2))};
  for (const char* text : {
           "def f(x, y): return torch.arange(5) * x + torch.rand(6, 1)",
           "def f(x, y): return torch.randn_like(y) + torch.rand_like(x), torch.zeros_like(y) + 1",
           "def f(x, y): return x * torch.eye(6, 5) + torch.tril(y, 1) - torch.triu(y)",
           "def f(x, y): return (x - torch.tensor([1.0, 2, 3, 4, 5, 6]).view(-1, 1)) / "
           "torch.linspace(1, 2, 5)",
           "def f(x, y): return torch.dropout(x, 0.4, True) + F.dropout(y, 0.2)",
           "def f(x, y): return torch.arange(30).view(6, 5).t()[1:, ::2] * 2 + 1",
           "def f(x, y): return (torch.arange(12).view(3, 4)[1:, 1:3] + torch.full((3, 1, 2), 2)"
           ".sum(0)).sum(1)",
           "def f(x, y): return torch.randint(-3, 4, (7, 3)), torch.randint(0, 2, x.shape)",
           "def f(x, y): return torch.ones(x.shape[0], 3).sum(0) + torch.arange(x.size(0))[:3]",
           "def f(x, y): return torch.rand(3, 4, dtype=torch.float64), torch.randn(70)",
       })
    expectAsReference(fixture, text, inputs, hintsOf(text, inputs));
}

TEST(Making, JoinsAndTurnsTensorsRound) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6}), fixture.random({4, 6}, 2),
                                   EngineFixture::transposed(fixture.random({6, 4}, 3))};
  for (const char* text : {
           "def f(x, y, z): return torch.stack([x, y, z]), torch.stack((x, z), dim=-1)",
           "def f(x, y, z): return torch.cat([x, y, z], 1), torch.cat((x[:2], y, z[1:3]))",
           "def f(x, y, z): return x.flip(0), torch.flip(z * 2, (0, 1)) + y, y[1:].flip(-1).sum(1)",
           "def f(x, y, z): return torch.roll(x, 2, 1), z.roll((1, -1), (0, 1)), y.roll(5)",
           "def f(x, y, z): return x.repeat(2, 3), z.repeat(2, 1, 1), y.repeat_interleave(2, 0)",
           "def f(x, y, z): return x.max(1)",
           "def f(x, y, z):\n  v, i = z.min(0, keepdim=True)\n  return v, i, x.max(dim=1).values * "
           "2",
       })
    expectAsReference(fixture, text, inputs, hintsOf(text, inputs));
  EXPECT_EQ(madeBy(fixture, "torch.arange(6).flip(0)"), (std::vector<double>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(madeBy(fixture, "torch.cat([torch.arange(2), torch.arange(4)])"),
            (std::vector<double>{0, 1, 0, 1, 2, 3}));
  EXPECT_EQ(madeBy(fixture, "torch.roll(torch.arange(5), 2)"),
            (std::vector<double>{3, 4, 0, 1, 2}));
  const std::string printed = toText(parseProgram("def f(x): return x.flip(0) + 1"));
  EXPECT_EQ(toText(parseProgram(printed)), printed) << printed;
}

TEST(Making, JoinsThousandsOfTensors) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 3}), fixture.random({2, 3}, 2)};
  for (const char* text : {
           "def f(x, y): return torch.cat([x[:2], y] * 625, 0)",
           "def f(x, y): return torch.cat([x[:2], y[:1], x[:0]] * 420, 0)",
           "def f(x, y): return torch.stack([x[0], y[0]] * 625)",
       })
    expectAsReference(fixture, text, inputs, hintsOf(text, inputs));
}

TEST(Making, OfCheapTensorsIsDoneWhereTheyAreRead) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 3, 8, 8})};
  const Program program = parseProgram(
      "def f(x):\n  mean = torch.tensor([0.5, 0.25, 0.75]).view(-1, 1, 1)\n"
      "  return (x - mean) / torch.full((1, 3, 1, 1), 2.0) + torch.arange(8)");
  const auto executor = makeExecutor("static", fixture.backend(), program);
  const Plan plan = executor->plan(inputs);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].reads.size(), 1u);
  EXPECT_EQ(makeExecutor("eager", fixture.backend(), program)->plan(inputs).steps.size(), 6u);
  expectAsReference(fixture, toText(program), inputs);
}

TEST(Making, DrawsWhatItsDistributionSays) {
  EngineFixture fixture;
  const std::vector<double> uniform = madeBy(fixture, "torch.rand(200, 500)");
  const std::vector<double> normal = madeBy(fixture, "torch.randn(200, 500)");
  const auto momentsOf = [](const std::vector<double>& values) {
    double mean = 0, square = 0, fourth = 0;
    for (const double v : values) mean += v / static_cast<double>(values.size());
    for (const double v : values) {
      square += (v - mean) * (v - mean) / static_cast<double>(values.size());
      fourth += std::pow(v - mean, 4) / static_cast<double>(values.size());
    }
    return std::array{mean, square, fourth / (square * square)};
  };
  // Five standard errors of 100,000 draws.
  const auto [uMean, uSquare, uFourth] = momentsOf(uniform);
  EXPECT_NEAR(uMean, 0.5, 5 * 0.000913);
  EXPECT_NEAR(uSquare, 1.0 / 12, 5 * 0.000236);
  const auto [nMean, nSquare, nFourth] = momentsOf(normal);
  EXPECT_NEAR(nMean, 0, 5 * 0.00316);
  EXPECT_NEAR(nSquare, 1, 5 * 0.00447);
  EXPECT_NEAR(nFourth, 3, 5 * 0.0155);
  EXPECT_GE(*std::min_element(uniform.begin(), uniform.end()), 0);
  EXPECT_LT(*std::max_element(uniform.begin(), uniform.end()), 1);
  // Adjacent elements, and the sequences of two ops, are independent of each other.
  const std::vector<double> other =
      madeBy(fixture, "torch.rand(2, 2)[0, 0] + torch.rand(200, 500)");
  double neighbors = 0, sequences = 0;
  for (std::size_t i = 0; i + 1 < uniform.size(); ++i) {
    neighbors += (uniform[i] - 0.5) * (uniform[i + 1] - 0.5) * 12 / 1e5;
    sequences += (uniform[i] - 0.5) * (other[i] - std::floor(other[i]) - 0.5) * 12 / 1e5;
  }
  EXPECT_NEAR(neighbors, 0, 5 * 0.00316);
  EXPECT_NEAR(sequences, 0, 5 * 0.00316);
  const std::vector<double> kept =
      madeBy(fixture, "torch.dropout(torch.ones(200, 500), 0.25, True)");
  double zeros = 0;
  for (const double v : kept) {
    EXPECT_TRUE(v == 0 || std::abs(v - 4.0 / 3) < 1e-6) << v;
    zeros += v == 0;
  }
  EXPECT_NEAR(zeros / 1e5, 0.25, 5 * 0.00137);
}

TEST(Making, OfWhatIsOnlyLookedAtReadsNothing) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({64, 3})};
  const auto executor = makeExecutor(
      "static", fixture.backend(), parseProgram("def f(x): return torch.rand_like(torch.exp(x))"));
  const Plan plan = executor->plan(inputs);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_TRUE(plan.steps[0].reads.empty());
}

TEST(Making, SaysWhatIsWrong) {
  EngineFixture fixture;
  const auto has = [&](const char* expression, const char* what) {
    const std::string error = errorOf(fixture, expression);
    EXPECT_NE(error.find(what), std::string::npos) << expression << ": " << error;
  };
  has("torch.zeros(2, -3)", "there is no extent -3");
  has("torch.arange(0, 5, -1)", "change the sign of the step");
  has("torch.arange(0, 5, 0)", "the step of");
  has("torch.arange(2**62)", "a size of 4611686018427387904 is larger than any memory");
  has("torch.arange(0, 1e30, 0.5)", "larger than any memory");
  has("torch.full((2, 2))", "missing its argument 'fill_value'");
  has("torch.tensor([[1, 2], [3]])", "lists of equal length");
  has("torch.tensor([x, x])", "torch.stack");
  has("torch.rand(3, dtype=torch.int64)", "makes floats");
  has("torch.zeros(1048576, 1048576, 1048576)", "larger than any memory");
  has("torch.ones(3, fill_value=2)", "has no argument 'fill_value'");
  has("torch.randint(3, 3, (2,))", "at least one number");
}

TEST(Making, KeepsItsText) {
  for (const char* text : {
           "torch.zeros((2, 3), dtype=torch.float32)",
           "torch.full((4,), 2.5, dtype=torch.float32)",
           "torch.full_like(x, 3)",
           "torch.arange(1, 9, 2, dtype=torch.int64)",
           "torch.linspace(0.0, 1.0, 5, dtype=torch.float32)",
           "torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float32)",
           "torch.rand_like(x)",
           "torch.randint(0, 5, (2,), dtype=torch.int64)",
           "torch.eye(3, 3, dtype=torch.float32)",
           "x.new_ones((x.shape[0],))",
       }) {
    const std::string printed = toText(parseProgram("def f(x): return " + std::string(text)));
    EXPECT_NE(printed.find(text), std::string::npos) << printed;
    EXPECT_EQ(toText(parseProgram(printed)), printed);
  }
}

TEST(Making, GradientsGoThroughTrianglesAndDropout) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({3, 3})};
  const Program program = parseProgram(
      "def f(x):\n  x.requires_grad_()\n  y = torch.dropout(torch.tril(x) * 2, 0.5, True)\n"
      "  (y * y).sum().backward()\n  return x.grad, y");
  for (const char* name : {"eager", "static"}) {
    const auto executor = makeExecutor(name, fixture.backend(), program);
    const auto results = executor->call(inputs);
    const std::vector<double> x = EngineFixture::values(inputs[0]),
                              gradient = EngineFixture::values(results[0]),
                              y = EngineFixture::values(results[1]);
    // y is 4 x where it is kept, and its square has the gradient 2 y 4.
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double expected = y[i] == 0 ? 0 : 32 * x[i];
      EXPECT_NEAR(gradient[i], expected, 1e-4) << name << " " << i;
    }
  }
}

TEST(Scans, AccumulateAlongADimension) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6, 5}),
                                   EngineFixture::transposed(fixture.random({6, 4}, 3))};
  for (const char* text : {
           "def f(x, y): return x.cumsum(0), x.cumsum(1), x.cumsum(-1), torch.cumsum(y, dim=1)",
           "def f(x, y): return torch.exp(x.cumsum(1) * 0.5).sum(2), (y * 2).cumsum(0) + y",
           "def f(x, y): return torch.cumprod(y, 0), (x > 0).cumsum(2), x[1:, ::2].cumsum(1)",
           "def f(x, y): return torch.arange(6).cumsum(0), x[:, :1].cumsum(1), x[0, 0].cumsum(0)",
           "def f(x, y): return x.double().cumsum(1)",
       })
    expectAsReference(fixture, text, inputs);
}

TEST(ValueChecks, WaitAndFailWithTheirMessage) {
  EngineFixture fixture;
  const Program program = parseProgram(
      "def f(x, std):\n  assert (std != 0).all(), 'std has a zero'\n"
      "  if (x > 100).any():\n    raise ValueError('too large')\n  y = x / std\n  return y + 1");
  const std::string text = toText(program);
  EXPECT_EQ(toText(parseProgram(text)), text) << text;
  const Tensor x = fixture.random({4, 3}), good = fixture.tensor({3}, {1, 2, 3});
  const Tensor bad = fixture.tensor({3}, {1, 0, 3}),
               large = fixture.tensor({4, 3}, std::vector<float>(12, 200));
  const auto errorOfCall = [](Executor& executor, std::vector<Tensor> inputs) -> std::string {
    try {
      executor.call(inputs);
    } catch (const ProgramError& error) {
      return error.what();
    }
    return "none";
  };
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name));
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    for (int call = 0; call < 2; ++call) {
      EXPECT_EQ(errorOfCall(*executor, {x, good}), "none");
      EXPECT_EQ(errorOfCall(*executor, {x, bad}), "std has a zero");
      EXPECT_EQ(errorOfCall(*executor, {large, good}), "too large");
    }
    EXPECT_EQ(executor->call(std::vector<Tensor>{x, good}).size(), 1u);
  }
  const std::vector<ReferenceTensor> wrong{EngineFixture::reference(x),
                                           EngineFixture::reference(bad)};
  EXPECT_THROW(evaluateReference(program, wrong), ProgramError);
  expectAsReference(fixture, text, std::vector<Tensor>{x, good});
}

constexpr const char* kNormalize =
    "class Normalize(nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.register_buffer('std', torch.tensor([1., 2., 4.]))\n"
    "    def forward(self, x):\n"
    "        if (self.std == 0).any():\n"
    "            raise ValueError('std has a zero')\n"
    "        return x / self.std";

/// Launches of a call after the first one.
std::uint64_t laterLaunches(EngineFixture& fixture, Executor& executor,
                            const std::vector<Tensor>& inputs) {
  executor.call(inputs);
  const std::uint64_t before = fixture.backend().launches();
  executor.call(inputs);
  return fixture.backend().launches() - before;
}

TEST(ValueChecks, OfConstantInputsAreMadeOnceByFusedExecutors) {
  EngineFixture fixture;
  const Program program = parseProgram(kNormalize);
  ASSERT_EQ(program.held.size(), 1u);
  const Tensor x = fixture.random({4, 3}), std = fixture.tensor({3}, {1, 2, 4}),
               zero = fixture.tensor({3}, {1, 0, 4});
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name));
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    EXPECT_THROW(executor->call(std::vector<Tensor>{x, zero}), ProgramError);
    // As in PyTorch, each op by itself is launched in each call.
    EXPECT_EQ(laterLaunches(fixture, *executor, {x, std}), info.runsEveryOp() ? 3u : 1u);
    EXPECT_THROW(executor->call(std::vector<Tensor>{x, zero}), ProgramError);
    EXPECT_EQ(
        EngineFixture::values(executor->call(std::vector<Tensor>{x, std})[0]),
        EngineFixture::values(fixture.run("eager", "def f(x, y): return x / y", {x, std})[0]));
  }
}

TEST(ValueChecks, OfNumbersAloneAreMadeOnceByFusedExecutors) {
  EngineFixture fixture;
  const char* const text =
      "def f(x):\n  std = torch.tensor([1., 2., {}])\n  if (std == 0).any():\n"
      "    raise ValueError('std has a zero')\n  return x / std";
  const std::vector<Tensor> inputs{fixture.random({4, 3})};
  const auto good = fixture.executor("static", fmt::format(fmt::runtime(text), "4."));
  EXPECT_EQ(laterLaunches(fixture, *good, inputs), 1u);
  const auto bad = fixture.executor("static", fmt::format(fmt::runtime(text), "0."));
  EXPECT_THROW(bad->call(inputs), ProgramError);
  EXPECT_THROW(bad->call(inputs), ProgramError);
}

TEST(ValueChecks, OfWhatTheProgramWritesAreMadeInEachCall) {
  EngineFixture fixture;
  const Program program = parseProgram(
      "class Counter(nn.Module):\n"
      "    def __init__(self):\n"
      "        super().__init__()\n"
      "        self.register_buffer('left', torch.tensor([3.]))\n"
      "    def forward(self, x):\n"
      "        if (self.left == 0).any():\n"
      "            raise ValueError('too many calls')\n"
      "        self.left -= 1\n"
      "        return x + self.left");
  const Tensor x = fixture.random({4});
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name));
    const Tensor left = fixture.tensor({1}, {3});
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    for (int call = 0; call < 3; ++call) executor->call(std::vector<Tensor>{x, left});
    EXPECT_THROW(executor->call(std::vector<Tensor>{x, left}), ProgramError);
  }
}

TEST(ValueChecks, AskForOneElement) {
  EngineFixture fixture;
  const auto executor = makeExecutor("static", fixture.backend(),
                                     parseProgram("def f(x):\n  assert x > 0\n  return x + 1"));
  try {
    executor->call(std::vector<Tensor>{fixture.random({3})});
    ADD_FAILURE();
  } catch (const ProgramError& error) {
    EXPECT_NE(std::string(error.what()).find("reduce it"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace fusebench
