// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that write in place: by methods, operators, slices and out=.
#include <gmock/gmock.h>

#include <vector>

#include "engine/plan/plan_text.h"
#include "tests/engine/support/expect_written.h"
#include "tests/engine/support/random_views.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

TEST(InPlace, EveryWayOfWritingShowsInWhatIsReturnedAndInTheInputs) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6}), fixture.random({4, 6}, 2)};
  for (const char* body : {"x.add_(y)\n  return x",
                           "x += y\n  return x * 2",
                           "x -= 1\n  x *= y\n  x /= 3\n  return x",
                           "z = x * 2\n  x.mul_(y)\n  return z, x",
                           "z = x\n  z.relu_()\n  return x + 1",
                           "x[:, 0] = y[:, 1]\n  return x.sum(dim=0)",
                           "x[1:3] += 1\n  return x, x.mean()",
                           "x.t().mul_(2)\n  return x",
                           "x[2, 3] = 5\n  return x",
                           "x[..., ::2].zero_()\n  return x",
                           "x.copy_(y)\n  return x",
                           "x.copy_(y[0])\n  return x",
                           "x.fill_(3)\n  y.zero_()\n  return x",
                           "torch.add(x, y, out=x)\n  return x",
                           "z = torch.empty_like(x)\n  torch.exp(x, out=z)\n"
                           "  return z",
                           "torch.maximum(x, y, out=y)\n  return y",
                           "return F.relu(x, inplace=True)",
                           "F.leaky_relu(x, 0.1, inplace=True)\n  return x",
                           "torch.relu_(x)\n  return x",
                           "x.clamp_(-0.5, 0.5)\n  return x",
                           "x.pow_(2)\n  x **= 3\n  return x",
                           "x[x > 0] = 0\n  return x",
                           "x.masked_fill_(y > 0, 2)\n  return x",
                           "z = torch.zeros(4, 6)\n  z[1] = x[2]\n  z[:, 2] += y[:, 0]\n  return z",
                           "z = x.clone()\n  z.sub_(y).div_(2)\n  return z, x",
                           "x.addcmul_(x, y, value=0.5)\n  return x",
                           "x.lerp_(y, 0.3)\n  return x",
                           "m = x.mean(dim=1, keepdim=True)\n  s = x.std(dim=1, keepdim=True)\n"
                           "  return x.sub_(m).div_(s)",
                           "a = x[0]\n  a += 1\n  b = x[0] * 2\n  a *= 3\n  return b, x",
                           "a = x.view(24)\n  a[5:9] = 7\n  x += 1\n  return a.sum(), x",
                           "z = (x * 2).add_(y)\n  return z",
                           "x.detach().add_(1)\n  x.data.mul_(2)\n  return x",
                           "x.add_(x)\n  y.mul_(x)\n  x.add_(y)\n  return x - y",
                           "y.copy_(x)\n  x.add_(1)\n"
                           "  return y * 2, x"})
    expectWritten(fixture, fmt::format("def f(x, y):\n  {}", body), inputs);
}

TEST(InPlace, StridedInputsAreWrittenWhereTheyLie) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{EngineFixture::transposed(fixture.random({6, 4})),
                                   EngineFixture::everySecond(fixture.random({4, 12}, 2))};
  for (const char* body :
       {"x.add_(y)\n  return x", "y.exp_()\n  x[1:, ::2] = y[1:, ::2]\n  return x, y",
        "x.relu_()\n  return x.sum()", "x.copy_(y)\n  y.fill_(1)\n  return x"})
    expectWritten(fixture, fmt::format("def f(x, y):\n  {}", body), inputs);
}

TEST(InPlace, EagerWritesWithoutAllocating) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({64, 64}), fixture.random({64, 64}, 2)};
  const auto executor = fixture.executor("eager", "x += y\nx.relu_()\nx[:, 1:].mul_(2)\nreturn x");
  executor->call(inputs);
  const auto before = fixture.backend().allocator().statistics().allocations;
  const auto got = executor->call(inputs);
  EXPECT_EQ(fixture.backend().allocator().statistics().allocations, before);
  EXPECT_EQ(got[0].block.get(), inputs[0].block.get());
}

TEST(InPlace, AChainOfWritesIsFusedAndStoredOnce) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({64, 64}), fixture.random({64, 64}, 2)};
  const Program program = parseProgram("x += y\nx.relu_()\nx.mul_(2)\nx.exp_()\nreturn x");
  const Plan plan = makePlan(program, inputs, {});
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].writes.size(), 1u);
  EXPECT_EQ(plan.written.size(), 0u) << "nothing is allocated";
  const std::vector<std::int64_t> symbols = symbolsOf(plan, inputs);
  EXPECT_THAT(toText(plan, symbols), HasSubstr("writes into x: float32 (64, 64)"));
}

TEST(InPlace, WhatIsReadOnlyInRegistersIsNeverStored) {
  const Program program = parseProgram("y = x * 2\ny.add_(1)\ny.relu_()\nreturn y.sum()",
                                       {{"x", {{8, 16}, DType::float32}}});
  const std::vector<ValueType> types{{{8, 16}, DType::float32}};
  std::vector<Form> forms{contiguousForm(DType::float32, {8, 16})};
  const Plan plan = makePlan(program, forms, {});
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.written.size(), 1u);
}

TEST(InPlace, AWriteNeverComesBeforeAReadOfWhatItWritesOver) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({8, 8})};
  for (const char* body :
       {"a = x.sum(dim=0)\n  x.mul_(2)\n  return a, x", "a = x[0] + 1\n  x.add_(a)\n  return a, x",
        "a = x.t() + x\n  x.zero_()\n  return a, x", "x += x.mean(dim=1, keepdim=True)\n  return x",
        "x[0] = x[1]\n  x[1] = x[2]\n  return x", "a = x * 1\n  x.copy_(a.t())\n  return x, a",
        "s = x.sum()\n  x /= s\n  t = x.sum()\n  return s, t",
        "a = x + 1\n  b = x * 3\n  x.add_(1)\n  return a, b, x"})
    expectWritten(fixture, fmt::format("def f(x):\n  {}", body), inputs);
}

TEST(InPlace, RefusesWhatPyTorchRefuses) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6}), fixture.random({6}, 2)};
  const std::vector<Tensor> whole{fixture.typed(DType::int64, {4}, {1, 2, 3, 4})};
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const std::string name(info.name);
    const auto complaint = [&](const std::string& body) {
      return complaintOf(fixture, name, "def f(x, y):\n  " + body + "\n  return x", inputs);
    };
    EXPECT_THAT(complaint("y.expand(4, 6).add_(x)"), HasSubstr("more than one element"));
    EXPECT_THAT(complaint("x[1:].add_(x[:-1])"), HasSubstr("some elements of the input tensor"));
    EXPECT_THAT(complaint("x[:, 1:] += x[:, :-1]"), HasSubstr("clone()"));
    EXPECT_THAT(complaint("y.add_(x)"), HasSubstr("doesn't match the broadcast shape (4, 6)"));
    EXPECT_THAT(complaint("x[:, 0] += x[:, 1]"), HasSubstr("it ran"));
    EXPECT_THAT(complaintOf(fixture, name, "def f(x):\n  x.add_(0.5)\n  return x", whole),
                HasSubstr("result type float32 can't be cast to the desired output type int64"));
  }
}

TEST(InPlace, HeldInputsKeepWhatACallWrites) {
  const std::string text =
      "class Counter(nn.Module):\n"
      "    def __init__(self):\n"
      "        super().__init__()\n"
      "        self.register_buffer('count', torch.zeros(1))\n"
      "    def forward(self, x):\n"
      "        self.count += 1\n"
      "        return x * self.count\n";
  EngineFixture fixture;
  const Program program = parseProgram(text);
  ASSERT_EQ(program.held.size(), 1u);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    const std::vector<Tensor> inputs{fixture.tensor({2}, {1, 2}), fixture.tensor({1}, {0})};
    for (int call = 1; call <= 3; ++call)
      EXPECT_EQ(EngineFixture::values(executor->call(inputs)[0]),
                (std::vector<double>{1.0 * call, 2.0 * call}))
          << info.name;
  }
}

TEST(InPlace, OtherDtypesAreConvertedAsTheyAreWritten) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.typed(DType::float16, {3}, {1.5, -2, 0.25}),
                                   fixture.typed(DType::float32, {3}, {0.1, 7.75, -3.5}),
                                   fixture.typed(DType::int64, {3}, {4, -5, 6})};
  for (const char* body : {"x.add_(y)\n  return x", "y.mul_(x)\n  return y",
                           "y.copy_(z)\n  return y", "z.copy_(y)\n  return z",
                           "z.mul_(3)\n  x.add_(z)\n  return x, z", "x.fill_(0.1)\n  return x + y"})
    expectWritten(fixture, fmt::format("def f(x, y, z):\n  {}", body), inputs);
}

/// Views of views of two tensors, some of them written through.
std::string randomWrites(unsigned seed) {
  test::RandomViews views(seed);
  std::string text = "def f(x, y):\n  z = x * 1.5\n";
  std::vector<std::pair<std::string, Shape>> there{
      {"x", {4, 6, 5}}, {"y", {4, 6, 5}}, {"z", {4, 6, 5}}};
  const int lines = 4 + views.pick(8);
  for (int i = 0; i < lines; ++i) {
    const auto [of, shape] =
        there[static_cast<std::size_t>(views.pick(static_cast<int>(there.size())))];
    const std::string name = fmt::format("v{}", i);
    switch (views.pick(7)) {
      case 0:
        text += fmt::format("  {}.add_({})\n", of, 0.5 + i);
        break;
      case 1:
        text += fmt::format("  {} *= 1.25\n", of);
        break;
      case 2:
        text += fmt::format("  {} = torch.sin({})\n", name, of);
        there.emplace_back(name, shape);
        break;
      case 3:
        text += fmt::format("  {}.copy_({}.sin())\n", of, of);
        break;
      case 4:
        if (shape.rank() > 0) {
          text += fmt::format("  {} -= {}.mean(dim=-1, keepdim=True)\n", of, of);
          break;
        }
        [[fallthrough]];
      default: {
        Shape seen = shape;
        const std::string call = views.call(of, seen);
        // Nothing can be written through what is repeated, and a view asks for strides.
        if (call.find("expand") != std::string::npos || elementCount(seen) > 2000) break;
        text += fmt::format("  {} = {}\n", name, call);
        there.emplace_back(name, seen);
      }
    }
  }
  return text + fmt::format("  return x, z, {}\n", there.back().first);
}

TEST(RandomWrites, MatchTheReferenceInEveryExecutorWhateverViewsTheyGoThrough) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6, 5}), fixture.random({4, 6, 5}, 2)};
  const std::vector<Tensor> strided{EngineFixture::transposed(fixture.random({4, 5, 6}, 3)),
                                    fixture.random({4, 6, 5}, 4)};
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const std::string text = randomWrites(seed);
    expectWritten(fixture, text, inputs);
    if (seed % 4 == 0) expectWritten(fixture, text, strided);
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::string numbersText(std::span<const double> values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}, ", value);
  return "[" + text + "]";
}

TEST(RandomWrites, LeaveWhatPyTorchLeaves) {
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6, 5}), fixture.random({4, 6, 5}, 2)};
  std::string script =
      "import torch\n"
      "def near(what, got, want):\n"
      "    got = got.double().reshape(-1)\n"
      "    want = torch.tensor(want, dtype=torch.float64)\n"
      "    if got.shape != want.shape or not torch.allclose(got, want, rtol=1e-4, atol=1e-4):\n"
      "        print(what)\n";
  const auto given = [&](std::size_t i) {
    return fmt::format("torch.tensor({}).reshape(4, 6, 5)",
                       numbersText(EngineFixture::values(inputs[i])));
  };
  script += "X, Y = " + given(0) + ", " + given(1) + "\n";
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::string text = randomWrites(seed);
    const Program program = parseProgram(text, hintsOf(text, inputs));
    std::vector<ReferenceTensor> before, after;
    for (const Tensor& input : inputs) before.push_back(EngineFixture::reference(input));
    const auto results = evaluateReference(program, before, &after);
    for (const std::string& each : {text, toText(program)}) {
      const std::string name = each.starts_with("def f") ? "f" : "program";
      script += each + fmt::format("x, y = X.clone(), Y.clone()\ngot = {}(x, y)\n", name);
      for (std::size_t o = 0; o < results.size(); ++o)
        script += fmt::format("near('seed {} {} result {}', got[{}], {})\n", seed, name, o, o,
                              numbersText(results[o].value.values));
      script +=
          fmt::format("near('seed {} {} x', x, {})\nnear('seed {} {} y', y, {})\n", seed, name,
                      numbersText(after[0].values), seed, name, numbersText(after[1].values));
    }
  }
  EXPECT_EQ(test::runPython(python, script), "");
}

TEST(RandomWrites, SurviveTheWayToTextAndBack) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const std::string text = randomWrites(seed);
    const ProgramHints hints{{"x", {{4, 6, 5}, DType::float32}},
                             {"y", {{4, 6, 5}, DType::float32}}};
    const Program program = parseProgram(text, hints);
    const std::string once = toText(program);
    const Program again = parseProgram(once, hints);
    EXPECT_EQ(toText(again), once) << text;
    EXPECT_EQ(again.ops.size(), program.ops.size()) << once;
  }
}

// ---- gradients ----

std::vector<double> gradientOf(EngineFixture& fixture, const std::string& executor,
                               const std::string& text, const std::vector<Tensor>& inputs) {
  const auto made =
      makeExecutor(executor, fixture.backend(), parseProgram(text, hintsOf(text, inputs)));
  return EngineFixture::values(made->call(inputs)[0]);
}

TEST(InPlace, GradientsGoThroughWhatIsWrittenInPlace) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({3, 4})};
  const auto both = [&](const std::string& inPlace, const std::string& plain) {
    const auto text = [](const std::string& body) {
      return "def f(x):\n  x.requires_grad_()\n  " + body +
             "\n  y.sum().backward()\n  return x.grad";
    };
    for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
      const auto got = gradientOf(fixture, std::string(info.name), text(inPlace), inputs);
      const auto expected = gradientOf(fixture, "eager", text(plain), inputs);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], expected[i], 1e-5) << info.name << " of " << inPlace;
    }
  };
  both("y = x * 2\n  y.add_(1)\n  y.relu_()", "y = (x * 2 + 1).relu()");
  both("y = x * 2\n  y *= x", "y = x * 2 * x");
  both("y = x * 2\n  y.sin_()", "y = (x * 2).sin()");
  both("y = x * 2\n  y.add_(x)\n  y.exp_()", "y = (x * 2 + x).exp()");
  both("y = torch.zeros(3, 4)\n  y.copy_(x * x)", "y = x * x");
  both("y = x * 3\n  y.detach().fill_(1)", "y = x * 3");
}

TEST(InPlace, GradientsGoThroughWhatIsWrittenInPart) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({3, 4})};
  const auto both = [&](const std::string& inPlace, const std::string& plain) {
    const auto text = [](const std::string& body) {
      return "def f(x):\n  x.requires_grad_()\n  " + body +
             "\n  (y * torch.sin(y)).sum().backward()\n  return x.grad";
    };
    const auto expected = gradientOf(fixture, "eager", text(plain), inputs);
    for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
      SCOPED_TRACE(std::string(info.name) + " of " + inPlace);
      const auto got = gradientOf(fixture, std::string(info.name), text(inPlace), inputs);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 2e-5);
    }
  };
  both("y = torch.zeros(3, 4)\n  y[..., :2] = x[..., :2].exp()", "y = x[..., :2].exp()");
  both("y = x * 2\n  y[0] = 1", "y = x[1:] * 2");
  both("y = x * 2\n  y[:, ::2] = x[:, 1::2] * x[:, 1::2]",
       "y = torch.cat([x[:, 1::2] * x[:, 1::2], x[:, 1::2] * 2], dim=1)");
  both("y = x * 2\n  y[1] += x[0]",
       "y = torch.cat([x[:1] * 2, x[1:2] * 2 + x[:1], x[2:] * 2], dim=0)");
  both("y = x * 2\n  y[1:, 1] *= 3",
       "y = torch.cat([x[:1] * 2, torch.cat([x[1:, :1] * 2, "
       "x[1:, 1:2] * 6, x[1:, 2:] * 2], dim=1)], dim=0)");
  // A view of before sees what was written since.
  both("y = x * 2\n  z = y[1:]\n  y[:, 0] = x[:, 1] * 3\n  y = z",
       "y = torch.cat([x[1:, 1:2] * 3, x[1:, 1:] * 2], dim=1)");
  // Part, all, part again.
  both("y = x * 2\n  y[:, :2] = x[:, :2].sin()\n  y.mul_(3)\n  y[0] = 0",
       "y = torch.cat([x[1:, :2].sin() * 3, x[1:, 2:] * 6], dim=1)");
  both("y = x * 1\n  y.T[1:3].copy_(x.T[1:3] ** 2)",
       "y = torch.cat([x[:, :1], x[:, 1:3] ** 2, x[:, 3:]], dim=1)");
  both(
      "y = torch.zeros(3, 4)\n  for k in range(4):\n    y[:, k] = x[:, k] * k + (y[:, k - 1] if k "
      "> 0 else 0)",
      "y = torch.stack([x[:, 0] * 0, x[:, 1], x[:, 1] + x[:, 2] * 2, x[:, 1] + x[:, 2] * 2 + x[:, "
      "3] * 3], dim=1)");
  both("y = x * 2\n  with torch.no_grad():\n    y[0] *= 1", "y = x * 2");
}

TEST(InPlace, AWriteOverWhatAGradientNeedsNamesBothLines) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({3, 4})};
  const auto complaint = [&](const std::string& body) {
    return complaintOf(fixture, "eager",
                       "def f(x):\n  x.requires_grad_()\n" + body + "\n  return x.grad", inputs);
  };
  EXPECT_THAT(complaint("  y = x.exp()\n  y.add_(1)\n  y.sum().backward()"),
              testing::AllOf(HasSubstr("modified by an inplace operation"),
                             HasSubstr("exp in line 3"), HasSubstr("add in line 4")));
  EXPECT_THAT(complaint("  x.add_(1)\n  x.sum().backward()"),
              HasSubstr("a leaf Variable that requires grad"));
  EXPECT_THAT(complaint("  x[0] = 1\n  x.sum().backward()"),
              HasSubstr("a view of a leaf Variable that requires grad"));
  // All of a tensor's memory counts, as PyTorch has it, whichever part of it is written.
  EXPECT_THAT(complaint("  y = x * 2\n  z = y[0] * y[0]\n  y[1] = 0\n  z.sum().backward()"),
              HasSubstr("modified by an inplace operation"));
}

TEST(InPlace, AStepInsideNoGradIsSeenByTheNextGradient) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({3}), fixture.random({3}, 2)};
  const std::string text =
      "def f(w, x):\n"
      "  w.requires_grad_()\n"
      "  for i in range(3):\n"
      "    loss = ((w * x - 1) ** 2).sum()\n"
      "    loss.backward()\n"
      "    with torch.no_grad():\n"
      "      w -= 0.1 * w.grad\n"
      "    w.grad = None\n"
      "  return loss\n";
  std::vector<double> w = EngineFixture::values(inputs[0]), x = EngineFixture::values(inputs[1]);
  double loss = 0;
  for (int i = 0; i < 3; ++i) {
    loss = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double off = w[k] * x[k] - 1;
      loss += off * off;
      w[k] -= 0.1 * 2 * off * x[k];
    }
  }
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const std::vector<Tensor> own = copiesOf(fixture, inputs);
    const auto executor =
        makeExecutor(info.name, fixture.backend(), parseProgram(text, hintsOf(text, inputs)));
    EXPECT_NEAR(EngineFixture::values(executor->call(own)[0])[0], loss, 1e-5) << info.name;
    const std::vector<double> left = EngineFixture::values(own[0]);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(left[k], w[k], 1e-5) << info.name;
  }
}

}  // namespace
}  // namespace fusebench
