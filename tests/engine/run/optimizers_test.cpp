// SPDX-License-Identifier: GPL-3.0-or-later
// Training as people write it: optimizers of torch.optim step parameters that a program holds.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "tests/engine/support/expect_reference.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench {
namespace {

constexpr int kSteps = 100;

/// "SGD(...)", or with a schedule behind it: "SGD(...) | StepLR(opt, ...)".
std::string trainingOf(const std::string& optimizer) {
  const std::size_t bar = optimizer.find(" | ");
  const bool scheduled = bar != std::string::npos;
  return "model = nn.Linear(2, 3)\n"
         "opt = torch.optim." +
         optimizer.substr(0, bar) +
         (scheduled ? "\nsched = torch.optim.lr_scheduler." + optimizer.substr(bar + 3) : "") +
         "\n\n"
         "def train(x, target):\n"
         "    loss = F.mse_loss(model(x), target)\n"
         "    loss.backward()\n"
         "    opt.step()\n" +
         (scheduled ? std::string("    sched.step(") +
                          (optimizer.find("Plateau") == std::string::npos ? "" : "loss") + ")\n"
                    : "") +
         "    opt.zero_grad()\n"
         "    return loss\n";
}

/// No gradient of it is 0: what Adam makes of rounding errors is as large as what it makes of
/// others.
struct Data {
  std::vector<double> x, target, weight, bias;

  Data() {
    for (int i = 0; i < 10; ++i) x.push_back(0.5 * ((i * 7) % 5) - 1);
    for (int i = 0; i < 15; ++i) target.push_back(0.25 * ((i * 5) % 7) - 0.5);
    for (int i = 0; i < 6; ++i) weight.push_back(0.125 * i - 0.3);
    for (int i = 0; i < 3; ++i) bias.push_back(0.1 * i + 0.07);
  }
};

std::vector<float> floatsOf(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

/// A program's inputs: its own two, the model's parameters, and zeros as the optimizer's state.
std::vector<Tensor> inputsOf(EngineFixture& fixture, const Program& program, const Data& data) {
  std::vector<Tensor> inputs{fixture.tensor({5, 2}, floatsOf(data.x)),
                             fixture.tensor({5, 3}, floatsOf(data.target))};
  for (const HeldInput& held : program.held) {
    const std::string& name = program.inputs[static_cast<std::size_t>(held.input)];
    const std::vector<float> zeros(static_cast<std::size_t>(elementCount(held.initial.extents)),
                                   0.0f);
    inputs.push_back(
        fixture.tensor(held.initial.extents, name == "model_weight" ? floatsOf(data.weight)
                                             : name == "model_bias" ? floatsOf(data.bias)
                                                                    : zeros));
  }
  return inputs;
}

std::vector<double> lossesOf(EngineFixture& fixture, std::string_view executor,
                             const std::string& optimizer) {
  const ProgramHints hints{{"x", {{5, 2}, DType::float32}}, {"target", {{5, 3}, DType::float32}}};
  const Program program = parseProgram(trainingOf(optimizer), hints);
  const auto made = makeExecutor(executor, fixture.backend(), program);
  const std::vector<Tensor> inputs = inputsOf(fixture, program, Data());
  std::vector<double> losses;
  for (int i = 0; i < kSteps; ++i)
    losses.push_back(EngineFixture::values(made->call(inputs)[0])[0]);
  return losses;
}

/// Gradient descent written out, in double precision.
std::vector<double> lossesOfDescent(double rate) {
  Data data;
  std::vector<double> losses;
  for (int step = 0; step < kSteps; ++step) {
    double loss = 0;
    std::vector<double> weight(6), bias(3);
    for (std::size_t n = 0; n < 5; ++n)
      for (std::size_t o = 0; o < 3; ++o) {
        const double off = data.x[2 * n] * data.weight[2 * o] +
                           data.x[2 * n + 1] * data.weight[2 * o + 1] + data.bias[o] -
                           data.target[3 * n + o];
        loss += off * off / 15;
        for (std::size_t i = 0; i < 2; ++i) weight[2 * o + i] += 2 * off * data.x[2 * n + i] / 15;
        bias[o] += 2 * off / 15;
      }
    losses.push_back(loss);
    for (std::size_t i = 0; i < 6; ++i) data.weight[i] -= rate * weight[i];
    for (std::size_t i = 0; i < 3; ++i) data.bias[i] -= rate * bias[i];
  }
  return losses;
}

TEST(Optimizers, HundredStepsOfDescentAreThoseWrittenOut) {
  EngineFixture fixture;
  const std::vector<double> expected = lossesOfDescent(0.1);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const std::vector<double> losses =
        lossesOf(fixture, info.name, "SGD(model.parameters(), lr=0.1)");
    for (std::size_t i = 0; i < losses.size(); ++i)
      ASSERT_NEAR(losses[i], expected[i], 1e-5 * (1 + expected[i])) << info.name << ", step " << i;
  }
}

constexpr const char* kOptimizers[] = {
    "SGD(model.parameters(), lr=0.1)",
    "SGD(model.parameters(), lr=0.05, momentum=0.9)",
    "SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01)",
    "Adam(model.parameters(), lr=0.05)",
    "Adam(model.parameters(), lr=0.05, betas=(0.8, 0.99), weight_decay=0.01)",
    "AdamW(model.parameters(), lr=0.05, weight_decay=0.1)",
    "SGD([{'params': [model.weight], 'lr': 0.02, 'momentum': 0.5}, {'params': model.bias, "
    "'weight_decay': 0.1}], lr=0.1)",
    "Adam([{'params': model.weight}, {'params': [model.bias], 'lr': 0.02, 'betas': (0.8, 0.99)}], "
    "lr=0.05)",
    "SGD(model.parameters(), lr=0.2) | StepLR(opt, step_size=7, gamma=0.8)",
    "SGD(model.parameters(), lr=0.2, momentum=0.5) | MultiStepLR(opt, milestones=[3, 40], "
    "gamma=0.5)",
    "Adam(model.parameters(), lr=0.1) | CosineAnnealingLR(opt, T_max=40, eta_min=0.01)",
    "SGD(model.parameters(), lr=0.1) | CosineAnnealingWarmRestarts(opt, T_0=9)",
    "SGD(model.parameters(), lr=0.2) | LinearLR(opt, start_factor=0.25, total_iters=10)",
    "AdamW(model.parameters(), lr=0.1, weight_decay=0.1) | ExponentialLR(opt, gamma=0.97)",
    "SGD(model.parameters(), lr=0.2) | PolynomialLR(opt, total_iters=200, power=2.0)",
    "SGD([{'params': [model.weight]}, {'params': [model.bias], 'lr': 0.02}], lr=0.2) | "
    "LambdaLR(opt, lambda step: 0.98 ** step)",
    "SGD(model.parameters(), lr=0.2) | LambdaLR(opt, lambda step: 0.5)",
    "SGD(model.parameters(), lr=0.1, momentum=0.5) | MultiStepLR(opt, [])",
    "Adam(model.parameters(), lr=0.1) | LambdaLR(opt, lambda step: 0.5)",
    "SGD([{'params': [model.weight], 'dampening': 0, 'foreach': None}, {'params': model.bias, "
    "'fused': None, 'differentiable': False}], lr=0.1)",
    "AdamW([{'params': model.parameters(), 'amsgrad': False, 'foreach': False, 'capturable': "
    "False}], lr=0.05)",
    "Adam(model.parameters(), lr=0.05, amsgrad=True)",
    "AdamW([{'params': model.weight}, {'params': model.bias, 'amsgrad': True}], lr=0.05)",
    "SGD(model.parameters(), lr=0.05, momentum=0.9, dampening=0.5)",
    "RMSprop(model.parameters(), lr=0.01)",
    "RMSprop(model.parameters(), lr=0.001, alpha=0.9, momentum=0.5, centered=True, "
    "weight_decay=0.01)",
    "Adagrad(model.parameters(), lr=0.2, lr_decay=0.01, weight_decay=0.01)",
    "Adagrad(model.parameters(), lr=0.1) | StepLR(opt, 30, 0.5)",
    "NAdam(model.parameters(), lr=0.008)",
    "NAdam(model.parameters(), lr=0.008, weight_decay=0.1, decoupled_weight_decay=True)",
    "RAdam(model.parameters(), lr=0.1, weight_decay=0.01)",
    "Adamax(model.parameters(), lr=0.05, weight_decay=0.01)",
    "Adadelta(model.parameters(), lr=1.0, rho=0.8, weight_decay=0.01)",
    "SGD(model.parameters(), lr=0.2) | ConstantLR(opt, factor=0.5, total_iters=4)",
    "SGD(model.parameters(), lr=0.1) | CosineAnnealingWarmRestarts(opt, T_0=3, T_mult=2, "
    "eta_min=0.01)",
    "SGD(model.parameters(), lr=0.1, momentum=0.9) | OneCycleLR(opt, max_lr=0.2, "
    "total_steps=120)",
    "Adam(model.parameters(), lr=0.1) | OneCycleLR(opt, 0.1, epochs=12, steps_per_epoch=10, "
    "anneal_strategy='linear', three_phase=True)",
    "SGD(model.parameters(), lr=0.1) | OneCycleLR(opt, 0.2, 101, cycle_momentum=False)",
    "SGD(model.parameters(), lr=0.1) | SequentialLR(opt, [torch.optim.lr_scheduler.LinearLR(opt, "
    "0.1, total_iters=5), torch.optim.lr_scheduler.CosineAnnealingLR(opt, 40), "
    "torch.optim.lr_scheduler.ExponentialLR(opt, 0.97)], milestones=[5, 45])",
    "SGD(model.parameters(), lr=0.2) | MultiplicativeLR(opt, lambda epoch: 0.99)",
    "Adam(model.parameters(), lr=0.1) | MultiplicativeLR(opt, lambda epoch: 1 - 0.1 / (epoch + "
    "1))",
    "SGD(model.parameters(), lr=0.2, momentum=0.9) | CyclicLR(opt, 0.01, 0.1, step_size_up=7)",
    "SGD(model.parameters(), lr=0.2) | CyclicLR(opt, 0.02, 0.2, step_size_up=5, "
    "step_size_down=9, mode='triangular2', cycle_momentum=False)",
    "Adam(model.parameters(), lr=0.1) | CyclicLR(opt, 0.02, 0.1, 6, mode='exp_range', "
    "gamma=0.98)",
    "SGD(model.parameters(), lr=0.3) | ReduceLROnPlateau(opt, factor=0.5, patience=2, "
    "threshold=0.2)",
    "SGD(model.parameters(), lr=0.3) | ReduceLROnPlateau(opt, 'max', factor=0.7, patience=1, "
    "threshold=0.01, threshold_mode='abs', cooldown=3, min_lr=0.05)",
    "SGD([model.weight], lr=0.1); opt.add_param_group({'params': model.bias, 'lr': 0.02, "
    "'momentum': 0.9})",
    "Adam([model.weight], lr=0.1); opt.add_param_group({'params': [model.bias]}) | StepLR(opt, "
    "9, 0.7)"};

TEST(Optimizers, HundredStepsHaveTheSameLossesInEveryExecutor) {
  EngineFixture fixture;
  for (const char* optimizer : kOptimizers) {
    const std::vector<double> expected = lossesOf(fixture, "eager", optimizer);
    EXPECT_LT(expected.back(), 0.9 * expected.front()) << optimizer;
    for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
      const std::vector<double> losses = lossesOf(fixture, info.name, optimizer);
      for (std::size_t i = 0; i < losses.size(); ++i)
        ASSERT_NEAR(losses[i], expected[i], 1e-5 * (1 + expected[i]))
            << optimizer << " by " << info.name << ", step " << i;
    }
  }
}

TEST(Optimizers, HundredStepsHavePyTorchsLosses) {
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EngineFixture fixture;
  const Data data;
  const auto numbers = [](const std::vector<double>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
  };
  std::string script =
      "import warnings\nwarnings.filterwarnings('ignore')\n"  // older versions warn of themselves
      "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
      "def check(name, space, expected):\n"
      "    if space is None:\n        return\n"
      "    with torch.no_grad():\n"
      "        space['model'].weight.copy_(torch.tensor(WEIGHT).reshape(3, 2))\n"
      "        space['model'].bias.copy_(torch.tensor(BIAS))\n"
      "    x, target = torch.tensor(X).reshape(5, 2), torch.tensor(TARGET).reshape(5, 3)\n"
      "    for i, want in enumerate(expected):\n"
      "        got = float(space['train'](x, target).detach())\n"
      "        if abs(got - want) > 1e-5 * (1 + want):\n"
      "            print(name, 'step', i, got, want)\n"
      "            break\n";
  script += fmt::format("WEIGHT, BIAS, X, TARGET = {}, {}, {}, {}\n", numbers(data.weight),
                        numbers(data.bias), numbers(data.x), numbers(data.target));
  for (const char* optimizer : kOptimizers)
    script += fmt::format(
        "space = {{'torch': torch, 'nn': nn, 'F': F}}\n"
        "if torch.__version__ < '2' and ('{2}'.startswith('NAdam') or 'Adam(' in \"{1}\" and "
        "'CyclicLR' in \"{1}\"):\n"
        "    space = None  # results changed; no decoupled_weight_decay, no cycles of Adam's "
        "beta1\n"
        "else:\n    exec('''{0}''', space)\n"
        "check(\"{1}\", space, {3})\n",
        trainingOf(optimizer), optimizer, std::string_view(optimizer).substr(0, 5),
        numbers(lossesOf(fixture, "static", optimizer)));
  EXPECT_EQ(test::runPython(python, script), "");
}

TEST(Optimizers, DoubleParametersAreSteppedByDoubleRates) {
  EngineFixture fixture;
  const std::string text =
      "w = nn.Parameter(torch.ones(2, dtype=torch.float64))\n"
      "opt = torch.optim.SGD([w], lr=0.1)\n"
      "sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.7)\n\n"
      "def train(x):\n"
      "    (w * x).sum().backward()\n    opt.step()\n    sched.step()\n    opt.zero_grad()\n"
      "    return w * 1\n";
  const Program program = parseProgram(text, {{"x", {{2}, DType::float64}}});
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    std::vector<Tensor> inputs{fixture.typed(DType::float64, {2}, {1, 3})};
    for (const HeldInput& held : program.held)
      inputs.push_back(fixture.typed(
          held.initial.dtype, held.initial.extents,
          std::vector<double>(static_cast<std::size_t>(elementCount(held.initial.extents)),
                              held.initial.numbers[0])));
    double rate = 0.1, left = 1, right = 1;
    for (int step = 0; step < 5; ++step) {
      const std::vector<double> got = EngineFixture::values(executor->call(inputs)[0]);
      left -= rate;
      right -= 3 * rate;
      rate *= 0.7;
      EXPECT_NEAR(got[0], left, 1e-13) << info.name << ", step " << step;
      EXPECT_NEAR(got[1], right, 1e-13) << info.name << ", step " << step;
    }
  }
}

TEST(Optimizers, AreMadeWhereTheirStateCanBeKept) {
  try {
    parseProgram(
        "model = nn.Linear(2, 3)\n"
        "def train(x):\n"
        "    opt = torch.optim.Adam(model.parameters())\n"
        "    return model(x)\n");
    FAIL() << "it was accepted";
  } catch (const ProgramError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("keeps its state from call to call"));
    EXPECT_EQ(error.place().line, 3);
  }
}

TEST(Optimizers, AGroupAndAScheduleThatAreNotThereAreRefused) {
  const auto errorOf = [](const std::string& optimizer) -> std::string {
    try {
      // A note reports a line that is left out.
      const Program program = parseProgram(trainingOf(optimizer));
      if (!program.notes.empty()) return program.notes.front().text;
    } catch (const ProgramError& error) {
      return error.what();
    }
    return "it was accepted";
  };
  using testing::HasSubstr;
  EXPECT_THAT(errorOf("SGD([{'params': [model.weight], 'rate': 1}], lr=0.1)"),
              HasSubstr("settings of the optimizer: lr, momentum"));
  EXPECT_THAT(errorOf("SGD(model.parameters()) | OneCycleLR(opt, 0.1, 100)"),
              HasSubstr("write cycle_momentum=False"));
  EXPECT_THAT(errorOf("SGD(model.parameters()) | OneCycleLR(opt, 0.1)"),
              HasSubstr("You must define either total_steps OR"));
  EXPECT_THAT(errorOf("SGD(model.parameters()) | ChainedScheduler(opt, 0.1)"),
              HasSubstr("StepLR, MultiStepLR"));
  EXPECT_THAT(errorOf("SGD(model.parameters()) | ReduceLROnPlateau(opt, 'low')"),
              HasSubstr("mode is 'min' or 'max'"));
  EXPECT_THAT(errorOf("SGD(model.parameters()) | StepLR(opt, 3)\nmore = "
                      "torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)"),
              HasSubstr("one scheduler"));
  EXPECT_THAT(errorOf("SGD(model.parameters()) | StepLr(opt, 3)"),
              HasSubstr("did you mean torch.optim.lr_scheduler.StepLR?"));
}

/// A training step with lines of its own before and after the step.
std::string steppedWith(const std::string& before, const std::string& after,
                        const std::string& made = {}) {
  return "model = nn.Linear(2, 3)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)\n" + made +
         "\ndef train(x, target):\n" + before +
         "    opt.zero_grad()\n    loss = F.mse_loss(model(x), target)\n"
         "    loss.backward()\n    opt.step()\n" +
         after + "    return loss\n";
}

TEST(Optimizers, SettingsOfAGroupAreReadAndSet) {
  const auto textOf = [](const std::string& text) { return toText(parseProgram(text)); };
  const std::string set = "    for g in opt.param_groups:\n        g['lr'] = 0.05\n";
  EXPECT_THAT(textOf(steppedWith(set, "")), testing::HasSubstr("alpha=-0.05"));
  EXPECT_THAT(textOf(steppedWith("", "", "for g in opt.param_groups:\n    g['lr'] *= 0.5\n")),
              testing::HasSubstr("alpha=-0.05"));
  EXPECT_THAT(textOf(steppedWith("    x = x * opt.param_groups[0]['lr']\n", "")),
              testing::HasSubstr("x * 0.1"));
  EXPECT_THAT(textOf(steppedWith("",
                                 "    n = len(opt.param_groups[0]['params'])\n"
                                 "    loss = loss * n\n")),
              testing::HasSubstr("loss * 2"));
}

TEST(Optimizers, SettingsThatWouldChangeFromCallToCallAreRefused) {
  const auto errorOf = [](const std::string& text) -> std::string {
    try {
      parseProgram(text);
    } catch (const ProgramError& error) {
      return error.what();
    }
    return "it was accepted";
  };
  for (const char* line : {"g['lr'] *= 0.9", "g['lr'] = 0.05"})
    EXPECT_THAT(errorOf(steppedWith(
                    "", std::string("    for g in opt.param_groups:\n        ") + line + "\n")),
                testing::HasSubstr("'lr' of this optimizer would change from call to call"))
        << line;
  EXPECT_THAT(errorOf(steppedWith("    opt.param_groups[0]['lr'] = 0.2\n", "",
                                  "sched = torch.optim.lr_scheduler.StepLR(opt, 2)\n")),
              testing::HasSubstr("the scheduler of this optimizer sets 'lr'"));
  EXPECT_THAT(errorOf(steppedWith("    x = x * opt.rate\n", "")),
              testing::HasSubstr(".rate of torch.optim.SGD is not supported"));
}

TEST(Optimizers, TheirTextTrainsTheSame) {
  const ProgramHints hints{{"x", {{5, 2}, DType::float32}}, {"target", {{5, 3}, DType::float32}}};
  for (const char* optimizer : kOptimizers) {
    const Program program = parseProgram(trainingOf(optimizer), hints);
    const std::string text = toText(program);
    ProgramHints all = hints;
    for (const HeldInput& held : program.held)
      all[program.inputs[static_cast<std::size_t>(held.input)]] = {held.initial.extents,
                                                                   DType::float32};
    EXPECT_EQ(parseProgram(text, all).ops.size(), program.ops.size()) << text;
  }
}

}  // namespace
}  // namespace fusebench
