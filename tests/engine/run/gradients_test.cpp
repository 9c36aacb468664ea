// SPDX-License-Identifier: GPL-3.0-or-later
// Programs with gradients: as the language reads them, in every executor.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/device/memory_use.h"
#include "engine/language/program_gradients.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/expect_reference.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Gradients : public testing::Test {
 protected:
  /// The results of a program in eager, each as its elements.
  std::vector<std::vector<double>> run(const std::string& text, const std::vector<Tensor>& inputs) {
    std::vector<std::vector<double>> results;
    for (const Tensor& result : fixture_.run("eager", text, inputs))
      results.push_back(EngineFixture::values(result));
    return results;
  }
  /// The results of a program in every executor, each as its elements.
  template <class Matcher>
  void expectOfAll(const std::string& text, const std::vector<Tensor>& inputs,
                   const Matcher& expected) {
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      const auto executor =
          makeExecutor(info.name, fixture_.backend(), parseProgram(text, hintsOf(text, inputs)));
      std::vector<std::vector<double>> results;
      for (const Tensor& result : executor->call(inputs))
        results.push_back(EngineFixture::values(result));
      EXPECT_THAT(results, expected) << info.name << " of\n" << text;
    }
  }
  Tensor vector(const std::vector<float>& values) {
    return fixture_.tensor({static_cast<std::int64_t>(values.size())}, values);
  }
  Plan planOf(const char* executor, const Program& program, std::span<const Tensor> inputs) {
    // The plan is of the program that its executor holds.
    executors_.push_back(makeExecutor(executor, fixture_.backend(), program));
    return executors_.back()->plan(inputs);
  }
  std::size_t peakOf(const Program& program, std::span<const Tensor> inputs) {
    const Plan plan = planOf("eager", program, inputs);
    return memoryUseOf(plan, symbolsOf(plan, inputs)).peakBytes;
  }

  EngineFixture fixture_;
  std::vector<std::unique_ptr<Executor>> executors_;
};

std::string gradientErrorOf(const std::string& text) {
  try {
    parseProgram(text);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Gradients, BackwardGivesGradToWhatRequiresIt) {
  const auto results = run(
      "def f(x, y):\n    x.requires_grad_()\n    loss = (x * x * y).sum()\n    loss.backward()\n"
      "    return loss, x.grad",
      {vector({1, 2, 3}), vector({4, 5, 6})});
  EXPECT_THAT(results, ElementsAre(ElementsAre(78), ElementsAre(8, 20, 36)));
}

TEST_F(Gradients, AddUpFromBackwardToBackward) {
  const auto results =
      run("def f(x):\n    x.requires_grad = True\n    (x * x).sum().backward()\n"
          "    first = x.grad\n    (x * 3).sum().backward()\n    second = x.grad\n"
          "    x.grad = None\n    (x * 5).sum().backward()\n    return first, second, x.grad",
          {vector({1, 2})});
  // `first` is the tensor that the second backward adds to.
  EXPECT_THAT(results, ElementsAre(ElementsAre(5, 7), ElementsAre(5, 7), ElementsAre(5, 5)));
}

TEST_F(Gradients, DoNotFlowThroughDetachAndNoGrad) {
  const auto results =
      run("def f(x):\n    with torch.no_grad():\n        scale = x * 10\n"
          "    loss = (x * x.detach() + x * scale).sum()\n"
          "    return torch.autograd.grad(loss, x)",
          {vector({1, 2})});
  EXPECT_THAT(results, ElementsAre(ElementsAre(11, 22)));
}

TEST_F(Gradients, AConstantIsRoundedWhereItPassesThroughANarrowType) {
  const auto by = [](const std::string& loss) {
    return "def f(x):\n    x.requires_grad_()\n    (" + loss +
           ").sum().backward()\n    return x.grad";
  };
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    SCOPED_TRACE(std::string(info.name));
    const auto gradient = [&](const std::string& loss) {
      return EngineFixture::values(
          fixture_.run(std::string(info.name), by(loss), {vector({1, 2})})[0]);
    };
    // As PyTorch's: 0.1 as float16, and as bfloat16.
    EXPECT_THAT(gradient("x.half() * 0.1"), ElementsAre(0.0999755859375, 0.0999755859375));
    EXPECT_THAT(gradient("x.half().float() * 0.1"), ElementsAre(0.0999755859375, 0.0999755859375));
    EXPECT_THAT(gradient("x.to(torch.bfloat16) * 0.1"), ElementsAre(0.10009765625, 0.10009765625));
    EXPECT_THAT(gradient("x.half() * 1e6"), ElementsAre(std::numeric_limits<double>::infinity(),
                                                        std::numeric_limits<double>::infinity()));
  }
}

TEST_F(Gradients, OfGradientsAreSecondDerivatives) {
  const auto results =
      run("def f(x):\n    g = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)[0]\n"
          "    return torch.autograd.grad(g.sum(), x)[0]",
          {vector({1, 2})});
  EXPECT_THAT(results, ElementsAre(ElementsAre(6, 12)));
}

TEST_F(Gradients, FlowThroughAViewOfATensorAfterAPartOfItWasWritten) {
  const std::vector<Tensor> inputs{fixture_.tensor({2, 3}, {1, 2, 3, 4, 5, 6})};
  expectOfAll(
      "def f(x):\n    x = x.clone().requires_grad_()\n    y = x * 1\n    y[0] = x[1]\n"
      "    v = y[0]\n    v.mul_(3)\n    return torch.autograd.grad(v.sum(), x)[0]",
      inputs, ElementsAre(ElementsAre(0, 0, 0, 3, 3, 3)));
  expectOfAll(
      "def f(x):\n    x = x.clone().requires_grad_()\n    y = x * 2\n    y[0] = 1.0\n"
      "    v = y.view(-1)\n    v.mul_(2)\n    return torch.autograd.grad(v.sum(), x)[0]",
      inputs, ElementsAre(ElementsAre(0, 0, 0, 4, 4, 4)));
}

TEST_F(Gradients, FlowThroughAConcatenationThatIsWrittenInPlace) {
  const std::vector<Tensor> inputs{vector({1, 2, 3})};
  expectOfAll(
      "def f(x):\n    x = x.clone().requires_grad_()\n    v = torch.cat([x, x, x], 0)\n    "
      "v.neg_()\n"
      "    return torch.autograd.grad((v * torch.arange(9)).sum(), x)[0]",
      inputs, ElementsAre(ElementsAre(-9, -12, -15)));
  expectOfAll(
      "def f(x):\n    x = x.clone().requires_grad_()\n    v = torch.cat([x[:1], x], 0)\n    v[1:] "
      "= 0\n"
      "    return torch.autograd.grad(v.sum(), x)[0]",
      inputs, ElementsAre(ElementsAre(1, 0, 0)));
}

TEST_F(Gradients, FlowThroughAWriteToWhatAViewHadToCopy) {
  const std::vector<Tensor> inputs{fixture_.tensor({2, 3}, {1, 2, 3, 4, 5, 6})};
  const std::string begin = "def f(x):\n    x = x.clone().requires_grad_()\n    z = x * 2\n    ";
  const std::string end = "\n    return torch.autograd.grad((y * y).sum(), x)[0]";
  // y = 6 x: 2 y * 6.
  const auto all = ElementsAre(ElementsAre(72, 144, 216, 288, 360, 432));
  for (const char* view : {"flip(0)", "t().reshape(2, 3)", "t().contiguous()", "t().flatten()"})
    expectOfAll(begin + "y = z." + view + "\n    y.mul_(3)" + end, inputs, all);
  // Only elements below 7 of 2 x have a gradient.
  expectOfAll(begin + "y = z.t().reshape(-1)\n    y.clamp_(max=7)" + end, inputs,
              ElementsAre(ElementsAre(8, 16, 24, 0, 0, 0)));
  // A part of the copy is written, and then what was copied, which the copy does not follow.
  expectOfAll(begin + "y = z.flip(0)\n    y[0] *= 3\n    z.zero_()" + end, inputs,
              ElementsAre(ElementsAre(8, 16, 24, 288, 360, 432)));
  expectOfAll(begin + "y = z.flip(1)\n    z.mul_(3)\n    y = y + z" + end, inputs,
              ElementsAre(ElementsAre(224, 256, 288, 608, 640, 672)));
  // A transposed product is stored so that this reshape copies nothing.
  expectOfAll(
      "def f(x):\n    x = x.clone().requires_grad_()\n    z = x.t() * 2\n    "
      "y = z.t().reshape(-1)\n    z.mul_(3)" +
          end,
      inputs, all);
}

TEST_F(Gradients, FlowThroughMatmulsWhoseBatchesBroadcast) {
  const std::string text =
      "def f(x, w):\n    y = x @ w\n    return torch.autograd.grad((y * y).sum(), (x, w))";
  const auto counted = [&](const Shape& shape) {
    std::vector<float> values;
    for (std::int64_t i = 1; i <= elementCount(shape); ++i) values.push_back(static_cast<float>(i));
    return fixture_.tensor(shape, values);
  };
  expectOfAll(
      text, {counted({2, 1, 2}), counted({1, 2, 3})},
      ElementsAre(ElementsAre(156, 372, 340, 808), ElementsAre(132, 180, 228, 188, 256, 324)));
  const auto other =
      ElementsAre(ElementsAre(246, 312, 562, 712), ElementsAre(76, 108, 172, 244, 268, 380));
  expectOfAll(text, {counted({1, 2, 2}), counted({3, 2, 1})}, other);
  expectOfAll(text, {counted({2, 1, 1, 2}), counted({1, 3, 2, 1})}, other);
}

TEST_F(Gradients, OfGradientsFlowThroughPartsThatWereWritten) {
  const std::vector<Tensor> inputs{vector({1, 2, 3})};
  const std::string begin = "def f(x):\n    x = x.clone().requires_grad_()\n    y = ";
  const std::string end =
      "\n    g, = torch.autograd.grad((y * y).sum(), x, create_graph=True)\n"
      "    h, = torch.autograd.grad((g * g).sum(), x)\n    return h";
  // g = 4 x; h = 32 x.
  expectOfAll(begin + "torch.cat([x, x])" + end, inputs, ElementsAre(ElementsAre(32, 64, 96)));
  // g = 2 x + 4 x^3; h = 2 g (2 + 12 x^2).
  expectOfAll(begin + "torch.stack([x, x * x], 1)" + end, inputs,
              ElementsAre(ElementsAre(168, 3600, 25080)));
}

TEST_F(Gradients, OfGradientsAreByTheValueThatTheyAreAskedFor) {
  const std::vector<Tensor> inputs{vector({1, 2, 3})};
  expectOfAll(
      "def f(x):\n    x = x.clone().requires_grad_()\n    y = x[:2] * x[1:]\n"
      "    g, = torch.autograd.grad((y * y).sum(), x, create_graph=True)\n"
      "    h, = torch.autograd.grad((g * g).sum(), x)\n    return g, h",
      inputs, ElementsAre(ElementsAre(8, 40, 24), ElementsAre(768, 2880, 2304)));
}

TEST_F(Gradients, FlowThroughProductsWithMasksAndCounts) {
  const std::vector<Tensor> inputs{vector({-1, 2, 3})};
  const std::string begin = "def f(x):\n    x = x.clone().requires_grad_()\n    y = ";
  const std::string end = "\n    return torch.autograd.grad(y.sum(), x)[0]";
  expectOfAll(begin + "(x > 0) * x" + end, inputs, ElementsAre(ElementsAre(0, 1, 1)));
  expectOfAll(begin + "x * x * (x > 2)" + end, inputs, ElementsAre(ElementsAre(0, 0, 6)));
  expectOfAll(begin + "(x > 0).sum() * x * 0.5" + end, inputs, ElementsAre(ElementsAre(1, 1, 1)));
}

TEST_F(Gradients, ByWhatIsComputedStopThereUnlessMoreIsAsked) {
  const auto results =
      run("def f(x):\n    h = x * x\n    loss = (h * 3).sum()\n"
          "    a, b = torch.autograd.grad(loss, (h, x))\n    return a, b",
          {vector({1, 2})});
  EXPECT_THAT(results, ElementsAre(ElementsAre(3, 3), ElementsAre(6, 12)));
}

TEST_F(Gradients, MistakesAreSaid) {
  EXPECT_THAT(gradientErrorOf("def f(x):\n    (x * 2).sum().backward()\n    return x"),
              HasSubstr("x.requires_grad_()"));
  EXPECT_THAT(gradientErrorOf("def f(x, y):\n    return torch.autograd.grad((x * 2).sum(), y)[0]"),
              HasSubstr("does not depend on this tensor"));
  EXPECT_THAT(
      gradientErrorOf("def f(x):\n    y = x * 2\n    y.backward(torch.ones(3))\n    return y"),
      HasSubstr("requires a gradient"));
  const Program program = parseProgram("def f(x):\n    return torch.autograd.grad(x * 2, x)[0]");
  const std::vector<ValueType> types{{{3}, DType::float32}};
  EXPECT_THROW(inferTypes(program, types), ProgramError);
}

TEST_F(Gradients, AreTheReferencesInEveryExecutor) {
  const std::vector<Tensor> inputs{fixture_.random({6, 9}, 1), fixture_.random({9}, 2)};
  for (const char* body : {
           "loss = (torch.sin(x) * torch.exp(y * 0.3)).sum()",
           "loss = (torch.softmax(x * y, dim=1) * x).mean()",
           "loss = ((x - x.mean(dim=1, keepdim=True)) * torch.sigmoid(y)).var()",
           "loss = F.mse_loss(torch.tanh(x) * y, torch.cos(x))",
           "loss = (x.t().reshape(9, 6).sum(dim=1) * y).sum() + torch.relu(x).amax(dim=0).sum() * "
           "y.sum()",
           "loss = (torch.sin(x[1::2, 2:7]) * y[::2] * x.t()[:5, 4].exp()).sum() + x[-1, 3]",
           "a, b, c = x.chunk(3, dim=1)\n    loss = (a * torch.sigmoid(b) * y.narrow(0, 4, "
           "3)).mean() "
           "+ (c.flip(1) * x[0].unbind()[2]).sum() + x.diagonal(2).prod()",
           "loss = (torch.softmax(torch.sin(x.t()), dim=1) * x.t()).sum() + y.sum()",
           "h = torch.utils.checkpoint.checkpoint(lambda v: torch.sin(v) * torch.exp(v * 0.1), x)\n"
           "    loss = (torch.cos(h) * y).sum()",
       }) {
    const std::string text =
        "def f(x, y):\n    " + std::string(body) +
        "\n    first, second = torch.autograd.grad(loss, (x, y))\n    return loss, first, second";
    expectAsReference(fixture_, text, inputs, hintsOf(text, inputs));
  }
}

TEST_F(Gradients, OfTheStudysChainAreOneStepWhenFused) {
  const std::vector<Tensor> inputs{fixture_.random({8, 16})};
  const std::vector<ValueId> by{0};
  const Program program = withGradients(firstStatements(parseProgram(studyProgram()), 30), by);
  for (const char* executor : {"static", "dynamic", "instant"})
    EXPECT_LE(planOf(executor, program, inputs).steps.size(), 2u) << executor;
  EXPECT_GT(planOf("eager", program, inputs).steps.size(), 60u);
  // The plan for any sizes serves others: what made the gradient holds for these, too.
  const auto dynamic = makeExecutor("dynamic", fixture_.backend(), program);
  const std::vector<Tensor> larger{fixture_.random({12, 16})};
  dynamic->call(inputs);
  dynamic->call(larger);
  EXPECT_EQ(dynamic->statistics().compiles.size(), 1u);
}

/// sin(f), sin(2 f), ..., times a factor.
std::vector<float> waves(int count, double f, float factor = 1) {
  std::vector<float> values;
  for (int i = 1; i <= count; ++i) values.push_back(static_cast<float>(std::sin(f * i)) * factor);
  return values;
}

/// Calls a program that returns its loss and its updated parameters, its last inputs, again and
/// again, and holds some of its losses against recorded ones.
void expectLosses(EngineFixture& fixture, const ExecutorInfo& info, const Program& program,
                  std::vector<Tensor> inputs, const std::map<int, double>& recorded) {
  SCOPED_TRACE(info.name);
  const auto executor = makeExecutor(info.name, fixture.backend(), program);
  for (int step = 0; step <= recorded.rbegin()->first; ++step) {
    const auto results = executor->call(inputs);
    const double loss = EngineFixture::values(results[0])[0];
    if (const auto found = recorded.find(step); found != recorded.end()) {
      EXPECT_NEAR(loss, found->second, 2e-6 * (1 + found->second)) << "step " << step;
    }
    const std::size_t first = inputs.size() + 1 - results.size();
    for (std::size_t i = first; i < inputs.size(); ++i) {
      const std::vector<double> updated = EngineFixture::values(results[i - first + 1]);
      inputs[i] = fixture.tensor(inputs[i].shape, {updated.begin(), updated.end()});
    }
  }
}

// PyTorch 2.15's losses of the same model, in float32.
TEST_F(Gradients, TrainALinearModelToPyTorchsLosses) {
  const Program program = parseProgram(
      "def f(x, t, weight, bias):\n"
      "    y = x.mm(weight.t()) + bias\n"
      "    loss = torch.nn.functional.mse_loss(y, t)\n"
      "    by_weight, by_bias = torch.autograd.grad(loss, (weight, bias))\n"
      "    return loss, weight - 0.1 * by_weight, bias - 0.1 * by_bias");
  const std::map<int, double> recorded{{0, 0x1.b8a42ep+0},
                                       {1, 0x1.841a7ap+0},
                                       {10, 0x1.080a9ep-1},
                                       {50, 0x1.5de2dp-5},
                                       {99, 0x1.bc3262p-6}};
  for (const ExecutorInfo& info : executorsOn(fixture_.backend()))
    expectLosses(fixture_, info, program,
                 {fixture_.tensor({8, 2}, waves(16, 1.0)), fixture_.tensor({8, 3}, waves(24, 0.7)),
                  fixture_.tensor({3, 2}, waves(6, 1.3)), fixture_.tensor({3}, waves(3, 2.1))},
                 recorded);
}

// PyTorch 2.15's losses of the same network, in float32.
TEST_F(Gradients, TrainAConvolutionalNetworkToPyTorchsLosses) {
  const Program program = parseProgram(
      "def f(x, t, w1, b1, w2, w3, b3):\n"
      "    h = F.max_pool2d(F.relu(F.conv2d(x, w1, b1, padding=1)), 2)\n"
      "    h = F.relu(F.conv2d(h, w2, stride=2, padding=1, groups=2))\n"
      "    h = F.avg_pool2d(h, 2).flatten(1)\n"
      "    loss = F.mse_loss(F.linear(h, w3, b3), t)\n"
      "    g1, g2, g3, g4, g5 = torch.autograd.grad(loss, (w1, b1, w2, w3, b3))\n"
      "    return loss, w1 - 0.1 * g1, b1 - 0.1 * g2, w2 - 0.1 * g3, w3 - 0.1 * g4, b3 - 0.1 * g5");
  const std::map<int, double> recorded{{0, 0x1.0d54aap-1},
                                       {1, 0x1.0a75dap-1},
                                       {10, 0x1.f641bap-2},
                                       {50, 0x1.6793c4p-2},
                                       {99, 0x1.af3b3cp-4}};
  for (const ExecutorInfo& info : executorsOn(fixture_.backend()))
    expectLosses(
        fixture_, info, program,
        {fixture_.tensor({4, 3, 8, 8}, waves(768, 1.0)), fixture_.tensor({4, 5}, waves(20, 0.7)),
         fixture_.tensor({8, 3, 3, 3}, waves(216, 1.3, 0.2F)),
         fixture_.tensor({8}, waves(8, 2.1, 0.1F)),
         fixture_.tensor({6, 4, 3, 3}, waves(216, 0.9, 0.2F)),
         fixture_.tensor({5, 6}, waves(30, 1.7, 0.5F)), fixture_.tensor({5}, waves(5, 0.3, 0.1F))},
        recorded);
}

TEST_F(Gradients, CheckpointsKeepLessAndGiveTheSameBits) {
  const std::vector<Tensor> inputs{fixture_.random({4096})};
  const std::vector<ValueId> by{0};
  const Program chain = firstStatements(parseProgram(studyProgram()), 40);
  Program segments = chain;
  setSegments(segments, -1);
  const Program all = withGradients(chain, by), some = withGradients(segments, by);
  EXPECT_LT(peakOf(some, inputs), 0.6 * static_cast<double>(peakOf(all, inputs)));
  const auto kept = makeExecutor("eager", fixture_.backend(), all);
  const auto remade = makeExecutor("eager", fixture_.backend(), some);
  EXPECT_EQ(EngineFixture::values(kept->call(inputs)[1]),
            EngineFixture::values(remade->call(inputs)[1]));
}

TEST_F(Gradients, CheckpointsAreWrittenAsTheirUserWould) {
  Program program = parseProgram(
      "x = torch.sin(x)\nx = torch.exp(x)\nx = torch.cos(x)\nx = x * 2.0\nreturn x.sum()");
  setSegments(program, 2);
  EXPECT_EQ(toText(program),
            "def program(x):\n"
            "    def segment_1(x):\n"
            "        x = torch.sin(x)\n"
            "        x = torch.exp(x)\n"
            "        return x\n"
            "    x = torch.utils.checkpoint.checkpoint(segment_1, x, use_reentrant=False)\n"
            "    x = torch.cos(x)\n"
            "    x = x * 2.0\n"
            "    return torch.sum(x)\n");
}

TEST_F(Gradients, WhatIsSavedForThemIsAStorageClassOfItsOwn) {
  const std::vector<Tensor> inputs{fixture_.random({1024})};
  const std::vector<ValueId> by{0};
  const Program program =
      withGradients(parseProgram("def f(x):\n    a = torch.sin(x + 1)\n    b = torch.exp(a * 2)\n"
                                 "    return (b + 3).sum()"),
                    by);
  const auto saved = [&](const char* executor) {
    const Plan plan = planOf(executor, program, inputs);
    std::size_t bytes = 0;
    for (const Storage& storage : storagesOf(plan, symbolsOf(plan, inputs)))
      if (storage.kind == Storage::Kind::saved) bytes += storage.bytes;
    return bytes;
  };
  EXPECT_EQ(saved("eager"), 2u * 4096);  // x + 1 for sin, exp's result
  EXPECT_EQ(saved("static"), 0u);
}

TEST_F(Gradients, WhatElementWiseOpsMadeIsMadeAnewRatherThanSavedWhenFused) {
  const std::vector<Tensor> inputs{fixture_.random({64, 128}), fixture_.random({64, 128}, 2)};
  const std::vector<ValueId> by{0};
  const Program program = withGradients(
      parseProgram("def f(x, w):\n    return (torch.softmax(torch.sin(x), dim=1) * w).sum()"), by);
  const auto wholeOnes = [&](const char* executor) {
    const Plan plan = planOf(executor, program, inputs);
    int count = 0;
    for (const Storage& storage : storagesOf(plan, symbolsOf(plan, inputs)))
      count += storage.kind == Storage::Kind::saved && storage.bytes == 64u * 128 * 4;
    return count;
  };
  EXPECT_GE(wholeOnes("eager"), 2);
  EXPECT_EQ(wholeOnes("static"), 0);
  EXPECT_EQ(wholeOnes("dynamic"), 0);
}

TEST_F(Gradients, ATapeKeepsWhatDerivativesName) {
  const std::vector<Tensor> inputs{fixture_.random({1024})};
  Program program = parseProgram(
      "def f(x):\n    a = torch.sin(x + 1)\n    b = torch.exp(a * 2)\n    return (b + 3).sum()");
  const std::size_t without = peakOf(program, inputs);
  program.taped = {0};
  const std::size_t with = peakOf(program, inputs);
  // Without: two vectors at a time. With: x + 1 and exp's result are also kept.
  EXPECT_EQ(without, 2u * 4096);
  EXPECT_GE(with, 3u * 4096);
  EXPECT_LT(with, 4u * 4096);
}

TEST_F(Gradients, ATapeHasAPlaceForEachOpThatWritesInPlaceAdds) {
  const std::vector<Tensor> inputs{fixture_.tensor({2, 3}, {1, 2, 3, 4, 5, 6})};
  for (const char* body : {"torch.cat([x, x * 2])", "torch.stack([x, x * 2])",
                           "F.adaptive_avg_pool1d(x, 2)", "(x * 2).flip(0).mul_(3)"})
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      const std::string text = std::string("def f(x):\n    return ") + body;
      Program program = parseProgram(text, hintsOf(text, inputs));
      const auto expected = makeExecutor("eager", fixture_.backend(), program);
      const auto plain = EngineFixture::values(expected->call(inputs).front());
      program.taped = {0};
      const auto executor = makeExecutor(info.name, fixture_.backend(), program);
      EXPECT_EQ(EngineFixture::values(executor->call(inputs).front()), plain)
          << info.name << " of " << body;
    }
}

TEST_F(Gradients, ThroughAWrittenViewFollowTheStridesOfEachCall) {
  const std::string text =
      "def f(x):\n    x = x.clone().requires_grad_()\n    z = x * 2\n    y = z.t().reshape(-1)\n"
      "    y.mul_(3)\n    return torch.autograd.grad((z * z).sum(), x)[0]";
  const Tensor rows = fixture_.tensor({2, 2}, {1, 2, 3, 4});
  const Tensor columns = EngineFixture::transposed(rows);
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    const std::vector<Tensor> first{rows}, second{columns};
    const auto executor =
        makeExecutor(info.name, fixture_.backend(), parseProgram(text, hintsOf(text, first)));
    for (int round = 0; round < 2; ++round) {
      // The reshape copies, and z stays 2 x.
      EXPECT_THAT(EngineFixture::values(executor->call(first).front()), ElementsAre(8, 16, 24, 32))
          << info.name;
      // The reshape is a view, and z becomes 6 x.
      EXPECT_THAT(EngineFixture::values(executor->call(second).front()),
                  ElementsAre(72, 216, 144, 288))
          << info.name;
    }
  }
}

/// PyTorch goes back once for all gradients of a loss, and keeps only what is gone through again.
constexpr std::pair<const char*, const char*> kWaysBack[] = {
    {"def f(x, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    loss = (x * x * y).sum()\n"
     "    loss.backward()\n    return loss, x.grad, y.grad",
     " = torch.autograd.grad(loss, (x, y))\n"},
    {"def f(x, y):\n    first, second = torch.autograd.grad((x * torch.exp(y)).sum(), (x, y))\n"
     "    return first, second",
     "first, second = torch.autograd.grad("},
    {"def f(x, y):\n    h = torch.exp(x)\n    a = torch.autograd.grad((h * y).sum(), x)[0]\n"
     "    b = torch.autograd.grad((h * h).sum(), x)[0]\n    return a, b",
     ", x, retain_graph=True)[0]\n"},
    {"def f(x, y):\n    a = torch.autograd.grad((torch.exp(x) * y).sum(), x)[0]\n"
     "    b = torch.autograd.grad((torch.sin(x) * y).sum(), x)[0]\n    return a, b",
     "    a = torch.autograd.grad(t1, x)[0]\n"},
    {"def f(x, y):\n    g = torch.autograd.grad((x ** 3 * y).sum(), x, create_graph=True)[0]\n"
     "    return torch.autograd.grad(g.sum(), x)[0]",
     ", x, create_graph=True)[0]\n"},
    {"def f(x, y):\n    x.requires_grad_()\n    (torch.sin(x) * y).sum().backward()\n"
     "    with torch.no_grad():\n        x.sub_(0.5 * x.grad)\n    x.grad = None\n"
     "    (torch.sin(x) * y).sum().backward()\n    return x.grad * 1",
     "    t3 = torch.autograd.grad("}};

TEST_F(Gradients, ArePrintedAsOneWayBackForALoss) {
  for (const auto& [text, part] : kWaysBack) {
    const std::string printed = toText(parseProgram(text));
    EXPECT_THAT(printed, HasSubstr(part)) << text;
    EXPECT_EQ(toText(parseProgram(printed)), printed);
  }
  const std::string last = toText(parseProgram(kWaysBack[2].first));
  EXPECT_THAT(last.substr(last.find("b = ")), Not(HasSubstr("retain_graph"))) << last;
}

TEST_F(Gradients, HaveThePrintedTextsValuesInPyTorch) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::ostringstream script;
  script << "import torch\nimport torch.nn.functional\n"
            "def show(program):\n"
            "    x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)\n"
            "    y = torch.tensor([1.0, 0.25, -0.5], requires_grad=True)\n"
            "    given = [x.detach().clone(), y.detach().clone()]\n"
            "    for each in given: each.requires_grad_()\n"
            "    found = program(*given)\n"
            "    for one in found if isinstance(found, tuple) else (found,):\n"
            "        print(*['%.9g' % v for v in one.detach().flatten().tolist()])\n";
  std::vector<double> wanted;
  for (const auto& [text, part] : kWaysBack) {
    script << toText(parseProgram(text)) << "show(program)\n";
    for (const auto& result : run(text, {vector({0.5, -1, 2}), vector({1, 0.25, -0.5})}))
      wanted.insert(wanted.end(), result.begin(), result.end());
  }
  std::istringstream printed(test::runPython(python, script.str()));
  std::vector<double> found;
  for (double value = 0; printed >> value;) found.push_back(value);
  ASSERT_EQ(found.size(), wanted.size()) << printed.str();
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], 1e-5 * (1 + std::fabs(wanted[i]))) << i;
}

}  // namespace
}  // namespace fusebench
