// SPDX-License-Identifier: GPL-3.0-or-later
// Functions with a backward of their own: gradients are those that it computes, not the derivative
// of forward. Also gradients that begin with given values.
#include <gmock/gmock.h>

#include "engine/language/program_gradients.h"
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

using ::testing::HasSubstr;

std::string functionOf(const std::string& forward, const std::string& backward) {
  return "class Own(torch.autograd.Function):\n"
         "    @staticmethod\n    def forward(ctx, x):\n        ctx.save_for_backward(x)\n        "
         "return " +
         forward +
         "\n    @staticmethod\n    def backward(ctx, g):\n        x, = ctx.saved_tensors\n       "
         " " +
         backward + "\n";
}

/// Results and gradients of two programs of x are the same for every executor.
void expectSameGradients(EngineFixture& fixture, const std::string& own, const std::string& written,
                         std::span<const Tensor> inputs) {
  expectAsReference(fixture, own, inputs, hintsOf(own.substr(own.find("def f(")), inputs));
  std::vector<ReferenceTensor> plain;
  for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
  const auto got =
      evaluateReference(parseProgram(own, hintsOf(own.substr(own.find("def f(")), inputs)), plain);
  const auto want = evaluateReference(parseProgram(written, hintsOf(written, inputs)), plain);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t o = 0; o < got.size(); ++o)
    for (std::size_t i = 0; i < want[o].value.values.size(); ++i)
      EXPECT_NEAR(got[o].value.values[i], want[o].value.values[i],
                  1e-9 * (1 + std::abs(want[o].value.values[i])))
          << own << "result " << o << ", element " << i;
}

constexpr const char* kTaken =
    "def f(x):\n    x.requires_grad_()\n    y = Own.apply(x)\n    (y * "
    "torch.cos(y)).sum().backward()\n"
    "    return y, x.grad\n";

std::string writtenOut(const std::string& value, const std::string& gradient) {
  return "def f(x):\n    y = " + value +
         "\n    g = torch.cos(y) - y * torch.sin(y)\n    return y, " + gradient + "\n";
}

TEST(OwnGradients, AreThoseThatBackwardComputes) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6}, 1, 2)};
  const auto expect = [&](const std::string& forward, const std::string& backward,
                          const std::string& gradient) {
    expectSameGradients(fixture, functionOf(forward, backward) + kTaken,
                        writtenOut(forward, gradient), inputs);
  };
  expect("x.round()", "return g", "g");
  expect("x * x", "return 3 * x * g", "3 * x * g");
  expect("x.sign()", "return g * (x.abs() <= 1).float()", "g * (x.abs() <= 1).float()");
  expect("x.view_as(x) * 1", "return -0.5 * g", "-0.5 * g");
  expect("x.clamp(min=0)", "r = g.clone()\n        r[x < 0] = 0\n        return r",
         "torch.where(x < 0, 0, g)");
  expect("x * 2", "return torch.where(x > 0, g, torch.zeros_like(g))", "torch.where(x > 0, g, 0)");
  // Not of one element alone: the transpose of backward is made.
  expect("x * 2", "return g.flip(0)", "g.flip(0)");
  expect("x * 2", "return g - g.mean(-1, keepdim=True)", "g - g.mean(-1, keepdim=True)");
  expect("x * 2", "return g @ torch.ones(6, 6)", "g @ torch.ones(6, 6)");
}

TEST(OwnGradients, OfSeveralInputsGoToEach) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({5, 6}, 1), fixture.random({4, 6}, 2),
                                   fixture.random({4}, 3)};
  const std::string own =
      "class Own(torch.autograd.Function):\n"
      "    @staticmethod\n    def forward(ctx, x, w, b, scale):\n"
      "        ctx.save_for_backward(x, w)\n        ctx.scale = scale\n"
      "        return x @ w.t() + b\n"
      "    @staticmethod\n    def backward(ctx, g):\n        x, w = ctx.saved_tensors\n"
      "        return g @ w * ctx.scale, g.t() @ x, g.sum(0), None\n"
      "def f(x, w, b):\n    for t in (x, w, b):\n        t.requires_grad_()\n"
      "    y = Own.apply(x, w, b, 3.0)\n    (y * y).sum().backward()\n"
      "    return y, x.grad, w.grad, b.grad\n";
  expectSameGradients(fixture, own,
                      "def f(x, w, b):\n    y = x @ w.t() + b\n    g = 2 * y\n"
                      "    return y, g @ w * 3.0, g.t() @ x, g.sum(0)\n",
                      inputs);
}

TEST(OwnGradients, ThatAreNotLinearAreRefusedWhereOneIsTaken) {
  EngineFixture fixture;
  const std::string own = functionOf("x.sign()", "return F.hardtanh(g)");
  const std::vector<Tensor> inputs{fixture.random({4, 6}, 1)};
  expectAsReference(fixture, own + "def f(x):\n    return Own.apply(x) * 2\n", inputs);
  try {
    parseProgram(own + kTaken);
    FAIL() << "it was accepted";
  } catch (const ProgramError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no gradient can flow through the custom backward of Own"));
  }
}

TEST(GivenGradients, AreWhatADerivativeBeginsWith) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({3, 5}, 1), fixture.random({3, 5}, 2)};
  const auto expect = [&](const std::string& lines, const std::string& written) {
    expectSameGradients(fixture, "def f(x, v):\n    x.requires_grad_()\n    y = x * x\n" + lines,
                        "def f(x, v):\n" + written, inputs);
  };
  expect("    return torch.autograd.grad(y, x, grad_outputs=v)[0]\n", "    return 2 * x * v\n");
  expect("    return torch.autograd.grad([y, x * 3], [x], grad_outputs=[v, y.detach()])[0]\n",
         "    return 2 * x * v + 3 * x * x\n");
  expect("    return torch.autograd.grad(y, x, grad_outputs=x * v)[0]\n",
         "    return 2 * x * x * v\n");
  expect("    y.backward(v)\n    return x.grad\n", "    return 2 * x * v\n");
  expect("    y.backward(gradient=torch.ones_like(y), retain_graph=True)\n    return x.grad\n",
         "    return 2 * x\n");
  const ProgramHints hints{{"x", {{3, 5}, DType::float32}}};
  EXPECT_THROW(parseProgram("def f(x):\n    x.requires_grad_()\n    y = x * x\n"
                            "    y.backward(torch.ones(3))\n    return x.grad\n",
                            hints),
               ProgramError);
}

TEST(OwnGradients, AreThoseOfAVariantThatTakesThem) {
  const std::string text =
      functionOf("x.round()", "return 3 * g") + "def f(x):\n    return (Own.apply(x) * x).sum()\n";
  const Program forward = parseProgram(text, {{"x", {{3, 5}, DType::float32}}});
  const std::vector<ValueId> by{0};
  EXPECT_THROW(withGradients(forward, by), ProgramError);
  const Program program = withGradients(readForGradients(forward), by);
  ReferenceTensor x;
  x.type = {{3, 5}, DType::float32};
  for (int i = 0; i < 15; ++i) x.values.push_back(0.3 * i - 2);
  const std::vector<ReferenceTensor> inputs{x};
  const auto got = evaluateReference(program, inputs);
  ASSERT_EQ(got.size(), 2u);
  for (std::size_t i = 0; i < x.values.size(); ++i)
    EXPECT_NEAR(got[1].value.values[i], std::nearbyint(x.values[i]) + 3 * x.values[i], 1e-9);
}

TEST(OwnGradients, CostNothingWhereTheProgramTakesNone) {
  const Program program = parseProgram(functionOf("x * x", "return 3 * x * g") +
                                       "def f(x):\n    with torch.no_grad():\n"
                                       "        return Own.apply(x) + 1\n");
  const auto launched =
      std::ranges::count_if(program.ops, [](const Op& op) { return op.row->kind != OpKind::view; });
  EXPECT_EQ(launched, 2);
}

}  // namespace
}  // namespace fusebench
