// SPDX-License-Identifier: GPL-3.0-or-later
// Training in float16 as people write it: torch.amp.GradScaler keeps small gradients from becoming
// 0, and skips the steps whose gradients are not finite.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "engine/language/program_errors.h"
#include "engine/language/program_gradients.h"
#include "tests/engine/support/expect_reference.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench {
namespace {

constexpr int kScaledSteps = 12;

/// A norm beyond it is clipped.
constexpr double kMostNorm = 0.125;

/// The scale grows until a gradient is beyond float16, and shrinks then.
std::string scaledTrainingOf(const std::string& optimizer, const std::string& scaler, bool apart) {
  return "model = nn.Linear(2, 3)\nopt = torch.optim." + optimizer +
         "\nscaler = torch.amp.GradScaler(" + scaler +
         ")\n\n"
         "def train(x, target):\n"
         "    with torch.autocast(\"cpu\", dtype=torch.float16):\n"
         "        y = model(x)\n"
         "    loss = F.mse_loss(y.float(), target)\n"
         "    scaler.scale(loss).backward()\n" +
         (apart ? "    scaler.unscale_(opt)\n" : "") +
         "    scaler.step(opt)\n"
         "    scaler.update()\n"
         "    opt.zero_grad()\n"
         "    return loss\n";
}

const ProgramHints kScaledHints{{"x", {{5, 2}, DType::float32}},
                                {"target", {{5, 3}, DType::float32}}};

/// As the documentation writes it: divided first, then clipped.
std::string clippedTrainingOf(const std::string& optimizer, const std::string& scaler) {
  return "model = nn.Linear(2, 3)\nopt = torch.optim." + optimizer +
         "\nscaler = torch.amp.GradScaler(" + scaler +
         ")\n\n"
         "def train(x, target):\n"
         "    opt.zero_grad()\n"
         "    with torch.autocast(device_type=\"cpu\", dtype=torch.float16):\n"
         "        y = model(x)\n"
         "        loss = F.mse_loss(y.float(), target)\n"
         "    scaler.scale(loss).backward()\n"
         "    scaler.unscale_(opt)\n"
         "    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.125)\n"
         "    scaler.step(opt)\n"
         "    scaler.update()\n"
         "    return loss, norm\n";
}

struct ScaledTraining {
  std::vector<double> losses, norms;
  std::map<std::string, std::vector<double>> held;  ///< by name: what it is in the end
  std::vector<double> scales;                       ///< after each step
};

class LossScaling : public testing::Test {
 protected:
  LossScaling() {
    for (int i = 0; i < 10; ++i) x_.push_back(0.5 * ((i * 7) % 5) - 1);
    for (int i = 0; i < 15; ++i) target_.push_back(0.25 * ((i * 5) % 7) - 0.5);
    for (int i = 0; i < 6; ++i) weight_.push_back(0.125 * i - 0.3);
    for (int i = 0; i < 3; ++i) bias_.push_back(0.1 * i + 0.07);
  }

  Tensor tensor(const Shape& shape, const std::vector<double>& values) {
    return fixture_.tensor(shape, std::vector<float>(values.begin(), values.end()));
  }

  ScaledTraining train(std::string_view executor, const std::string& text) {
    const Program program = parseProgram(text, kScaledHints);
    std::vector<Tensor> inputs{tensor({5, 2}, x_), tensor({5, 3}, target_)};
    for (const HeldInput& held : program.held) {
      const std::string& name = program.inputs[static_cast<std::size_t>(held.input)];
      const Shape& extents = held.initial.extents;
      inputs.push_back(
          tensor(extents, name == "model_weight" ? weight_
                          : name == "model_bias"
                              ? bias_
                              : std::vector<double>(static_cast<std::size_t>(elementCount(extents)),
                                                    held.initial.numbers.front())));
    }
    ScaledTraining trained;
    const auto made = makeExecutor(executor, fixture_.backend(), program);
    const auto scale = std::ranges::find(program.inputs, "scaler_scale_factor_0");
    for (int step = 0; step < kScaledSteps; ++step) {
      const auto results = made->call(inputs);
      trained.losses.push_back(EngineFixture::values(results[0])[0]);
      if (results.size() > 1) trained.norms.push_back(EngineFixture::values(results[1])[0]);
      if (scale != program.inputs.end())
        trained.scales.push_back(EngineFixture::values(
            inputs[static_cast<std::size_t>(scale - program.inputs.begin())])[0]);
    }
    for (const HeldInput& held : program.held)
      trained.held[program.inputs[static_cast<std::size_t>(held.input)]] =
          EngineFixture::values(inputs[static_cast<std::size_t>(held.input)]);
    return trained;
  }

  EngineFixture fixture_;
  std::vector<double> x_, target_, weight_, bias_;
};

constexpr const char* kScaledOptimizers[] = {"SGD(model.parameters(), lr=0.1)",
                                             "SGD(model.parameters(), lr=0.05, momentum=0.9)",
                                             "Adam(model.parameters(), lr=0.05)"};
constexpr const char* kScalerArguments = "\"cpu\", init_scale=1048576.0, growth_interval=3";

TEST_F(LossScaling, SkipsStepsWhoseGradientsAreNotFinite) {
  const std::string text = scaledTrainingOf(kScaledOptimizers[0], kScalerArguments, false);
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    SCOPED_TRACE(info.name);
    const ScaledTraining trained = train(info.name, text);
    EXPECT_GE(trained.held.at("scaler_skipped_steps_0")[0], 2);
    EXPECT_EQ(trained.scales.front(), 524288);  // the first is beyond float16: backed off
    EXPECT_EQ(trained.losses[0], trained.losses[1]);
    EXPECT_LT(trained.losses.back(), 0.95 * trained.losses.front());
    for (const auto& [name, values] : trained.held)
      for (const double value : values) EXPECT_TRUE(std::isfinite(value)) << name;
  }
}

TEST_F(LossScaling, IsTheSameInEveryExecutor) {
  for (const char* optimizer : kScaledOptimizers)
    for (const bool apart : {false, true}) {
      const std::string text = scaledTrainingOf(optimizer, kScalerArguments, apart);
      const ScaledTraining expected = train("eager", text);
      for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
        SCOPED_TRACE(std::string(optimizer) + " by " + std::string(info.name));
        const ScaledTraining trained = train(info.name, text);
        EXPECT_EQ(trained.scales, expected.scales);
        for (std::size_t i = 0; i < expected.losses.size(); ++i)
          EXPECT_NEAR(trained.losses[i], expected.losses[i], 0x1p-11 * (1 + expected.losses[i]));
      }
    }
}

TEST_F(LossScaling, ThatIsOffIsNoPartOfTheProgram) {
  const std::string off = scaledTrainingOf(kScaledOptimizers[0], "\"cpu\", enabled=False", false);
  std::string without = off;
  without.replace(without.find("scaler.scale(loss)"), 18, "loss");
  without.replace(without.find("scaler.step(opt)"), 16, "opt.step()");
  without.replace(without.find("    scaler.update()\n"), 20, "");
  EXPECT_EQ(parseProgram(off, kScaledHints).ops.size(),
            parseProgram(without, kScaledHints).ops.size());
}

TEST_F(LossScaling, ChecksAllElementsOfAParameterInOneKernelWithItsDivision) {
  const Program program =
      parseProgram(scaledTrainingOf(kScaledOptimizers[0], kScalerArguments, false), kScaledHints);
  const auto fused = makeExecutor("static", fixture_.backend(), program);
  const auto eager = makeExecutor("eager", fixture_.backend(), program);
  std::vector<Tensor> inputs{tensor({5, 2}, x_), tensor({5, 3}, target_)};
  for (const HeldInput& held : program.held)
    inputs.push_back(tensor(
        held.initial.extents,
        std::vector<double>(static_cast<std::size_t>(elementCount(held.initial.extents)), 1)));
  EXPECT_LT(3 * fused->plan(inputs).steps.size(), eager->plan(inputs).steps.size());
}

// 1e-8 is less than half of the smallest number of float16.
TEST_F(LossScaling, OfAVariantKeepsGradientsThatFloat16MakesZero) {
  const Program program =
      parseProgram("def f(x, w):\n    return (x.half().float() * w * 1e-8).sum()");
  const std::vector<ValueId> by{0};
  const std::vector<Tensor> inputs{tensor({5, 2}, x_), tensor({5, 2}, std::vector<double>(10, 1))};
  for (const ExecutorInfo& info : executorsOn(fixture_.backend()))
    for (const double scale : {1.0, 1024.0}) {
      const Program scaled = withGradients(program, by, scale);
      const auto executor = makeExecutor(info.name, fixture_.backend(), scaled);
      const auto results = executor->call(inputs);
      ASSERT_EQ(results.size(), 2u);
      for (const double value : EngineFixture::values(results[1]))
        EXPECT_NEAR(value, scale == 1 ? 0 : 1e-8, 1e-10) << info.name;
    }
}

TEST_F(LossScaling, RefusesWhatPyTorchRefuses) {
  const auto refused = [](const std::string& body) -> std::string {
    try {
      parseProgram(
          "model = nn.Linear(2, 3)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
          "scaler = torch.amp.GradScaler(\"cpu\")\n\ndef train(x):\n"
          "    loss = model(x).sum()\n" +
          body + "    return loss\n");
    } catch (const ProgramError& error) {
      return error.what();
    }
    return "it was accepted";
  };
  const std::string back = "    scaler.scale(loss).backward()\n";
  EXPECT_THAT(refused(back + "    scaler.unscale_(opt)\n    scaler.unscale_(opt)\n"),
              testing::HasSubstr("unscale_() has already been called"));
  EXPECT_THAT(refused(back + "    scaler.step(opt)\n    scaler.step(opt)\n"),
              testing::HasSubstr("step() has already been called"));
  EXPECT_THAT(refused("    scaler.step(opt)\n"), testing::HasSubstr("No inf checks"));
  EXPECT_THAT(refused(back + "    scaler.update()\n"), testing::HasSubstr("No inf checks"));
  EXPECT_THAT(refused("    other = torch.amp.GradScaler(\"cpu\")\n"),
              testing::HasSubstr("create a scaler next to the model"));
}

// PyTorch 2.15's in twelve steps. Float16 rounds by 2^-11, and a loss is a sum of squares.
TEST_F(LossScaling, HasPyTorchsLossesAndScales) {
  struct RecordedScaling {
    const char* optimizer;
    std::vector<double> losses, scales;
  };
  const std::vector<RecordedScaling> all{
      {"SGD(model.parameters(), lr=0.1, momentum=0.9)",
       {0.280621111, 0.280621111, 0.275595933, 0.266833425, 0.256114453, 0.256114453, 0.245122537,
        0.235157266, 0.227157995, 0.227157995, 0.221507639, 0.217977613},
       {524288, 524288, 524288, 1048576, 524288, 524288, 524288, 1048576, 524288, 524288, 524288,
        1048576}},
      {"Adam(model.parameters(), lr=0.05)",
       {0.280621111, 0.280621111, 0.25478974, 0.238284588, 0.227785394, 0.227785394, 0.221077055,
        0.216888413, 0.214134142, 0.214134142, 0.212329388, 0.211120874},
       {524288, 524288, 524288, 1048576, 524288, 524288, 524288, 1048576, 524288, 524288, 524288,
        1048576}}};
  for (const RecordedScaling& recorded : all) {
    const ScaledTraining trained =
        train("static", scaledTrainingOf(recorded.optimizer, kScalerArguments, false));
    EXPECT_EQ(trained.scales, recorded.scales) << recorded.optimizer;
    for (std::size_t i = 0; i < recorded.losses.size(); ++i)
      EXPECT_NEAR(trained.losses[i], recorded.losses[i], 0x1p-11 * recorded.losses[i])
          << recorded.optimizer << ", step " << i;
  }
}

std::string scaledListOf(const std::vector<double>& values) {
  std::ostringstream text;
  text.precision(17);
  for (const double value : values) text << value << ", ";
  return "[" + text.str() + "]";
}

struct RecordedClipping {
  const char* optimizer;
  std::vector<double> losses, norms;
};

/// PyTorch 2.15's in twelve steps.
const std::vector<RecordedClipping>& recordedClipping() {
  static const std::vector<RecordedClipping> all{
      {kScaledOptimizers[0],
       {0.280621111, 0.280621111, 0.277796268, 0.275046557, 0.272408307, 0.272408307, 0.269822866,
        0.267262965, 0.264837563, 0.264837563, 0.262410611, 0.260099441},
       {NAN, 0.226703167, 0.221263796, 0.215710416, NAN, 0.210294396, 0.204871282, 0.199618608, NAN,
        0.194309652, 0.18915467, 0.183958501}},
      {kScaledOptimizers[1],
       {0.280621111, 0.280621111, 0.279146194, 0.276566833, 0.272919029, 0.272919029, 0.268434942,
        0.263448328, 0.258074969, 0.258074969, 0.252441138, 0.246863514},
       {NAN, 0.226703167, 0.223867401, 0.218704566, NAN, 0.211400524, 0.20200862, 0.191090301, NAN,
        0.178851634, 0.165482357, 0.151418701}},
      {kScaledOptimizers[2],
       {0.280621111, 0.280621111, 0.25478974, 0.238064274, 0.227040917, 0.227040917, 0.220083028,
        0.215788454, 0.213239267, 0.213239267, 0.211719796, 0.210439682},
       {NAN, 0.226703167, 0.170316309, 0.12804164, NAN, 0.099419497, 0.0842344239, 0.0776486844,
        NAN, 0.0760382786, 0.0762369111, 0.073799707}},
  };
  return all;
}

/// Every fourth step overflows.
const std::vector<double> kClippingScales{524288, 524288,  524288, 1048576, 524288, 524288,
                                          524288, 1048576, 524288, 524288,  524288, 1048576};

void expectRecorded(const ScaledTraining& trained, const RecordedClipping& recorded) {
  EXPECT_EQ(trained.scales, kClippingScales);
  ASSERT_EQ(trained.losses.size(), recorded.losses.size());
  ASSERT_EQ(trained.norms.size(), recorded.norms.size());
  for (std::size_t i = 0; i < recorded.losses.size(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i));
    EXPECT_NEAR(trained.losses[i], recorded.losses[i], 0x1p-10 * recorded.losses[i]);
    EXPECT_EQ(std::isfinite(trained.norms[i]), std::isfinite(recorded.norms[i]));
    if (std::isfinite(recorded.norms[i])) {
      EXPECT_NEAR(trained.norms[i], recorded.norms[i], 0x1p-9 * recorded.norms[i]);
    }
  }
}

// An overflow makes the norm infinite, the clipped gradients NaN, and the step one that is skipped.
TEST_F(LossScaling, ThatClipsHasPyTorchsLossesNormsAndScales) {
  for (const RecordedClipping& recorded : recordedClipping()) {
    const std::string text = clippedTrainingOf(recorded.optimizer, kScalerArguments);
    EXPECT_TRUE(std::ranges::any_of(recorded.norms, [](double n) { return n > kMostNorm; }))
        << "one is clipped";
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      SCOPED_TRACE(std::string(recorded.optimizer) + " by " + std::string(info.name));
      expectRecorded(train(info.name, text), recorded);
    }
  }
}

/// Nothing where PyTorch has no torch.amp.GradScaler; 2.3 and later do.
std::optional<ScaledTraining> clippedInTorch(const std::string& python, const std::string& setUp,
                                             const std::string& text) {
  std::ostringstream script;
  script << "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
            "if not hasattr(torch.amp, 'GradScaler'): raise SystemExit('too old')\n"
         << text << setUp << "for _ in range(" << kScaledSteps << "):\n"
         << "    loss, norm = train(x, target)\n"
         << "    print('%.9g %.9g %.9g' % (loss.item(), norm.item(), scaler.get_scale()))\n";
  const std::string printed = test::runPython(python, script.str());
  if (printed.starts_with("too old")) return std::nullopt;
  std::istringstream lines(printed);
  ScaledTraining trained;
  for (std::string loss, norm, scale; lines >> loss >> norm >> scale;) {
    trained.losses.push_back(std::strtod(loss.c_str(), nullptr));
    trained.norms.push_back(std::strtod(norm.c_str(), nullptr));
    trained.scales.push_back(std::strtod(scale.c_str(), nullptr));
  }
  return trained;
}

TEST_F(LossScaling, ThatClipsWasRecordedAsPyTorchComputesItHere) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::ostringstream setUp;
  setUp << "x = torch.tensor(" << scaledListOf(x_) << ").reshape(5, 2)\n"
        << "target = torch.tensor(" << scaledListOf(target_) << ").reshape(5, 3)\n"
        << "with torch.no_grad():\n"
        << "    model.weight.copy_(torch.tensor(" << scaledListOf(weight_) << ").reshape(3, 2))\n"
        << "    model.bias.copy_(torch.tensor(" << scaledListOf(bias_) << "))\n";
  for (const RecordedClipping& recorded : recordedClipping()) {
    SCOPED_TRACE(recorded.optimizer);
    const auto trained = clippedInTorch(python, setUp.str(),
                                        clippedTrainingOf(recorded.optimizer, kScalerArguments));
    if (!trained)
      GTEST_SKIP() << python << " needs a torch of 2.3 or later, which has torch.amp.GradScaler";
    expectRecorded(*trained, recorded);
  }
}

}  // namespace
}  // namespace fusebench
