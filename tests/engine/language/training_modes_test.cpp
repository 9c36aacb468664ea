// SPDX-License-Identifier: GPL-3.0-or-later
// Modules train until .eval(): their modes as a program is read, in the text for PyTorch, and the
// buffers that training changes.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "engine/language/program_source.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kModel = R"(import torch
import torch.nn as nn

class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
        y = self.bn(x)
        return self.drop(y) + (1 if self.training else 0)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Inner(), Inner()])
        self.scale = nn.Linear(3, 3)
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.scale(x)

)";

Program modelWith(const std::string& lines) {
  return parseProgram(kModel + lines + "\n", {{"x", {{4, 3}, DType::float32}}});
}

/// The number of batch norms that train: each counts its batches in an input of its own.
std::ptrdiff_t countingNorms(const Program& program) {
  return std::ranges::count_if(program.inputs, [](const std::string& name) {
    return name.ends_with("num_batches_tracked");
  });
}

TEST(TrainingModes, ModulesTrainUntilTheyAreEvaluated) {
  for (const char* lines : {"", "model = Model()", "model = Model()\nmodel.train()",
                            "model = Model().eval().train(True)",
                            "model = Model()\nmodel.eval()\nmodel.train(mode=True)"}) {
    SCOPED_TRACE(lines);
    EXPECT_EQ(countingNorms(modelWith(lines)), 2);
    EXPECT_TRUE(drawsNumbers(modelWith(lines)));
  }
  for (const char* lines :
       {"model = Model().eval()", "model = Model()\nmodel.eval()",
        "model = Model()\nmodel.train(False)", "model = Model()\nmodel = model.eval()",
        "model = Model()\nfor m in model.modules():\n    m.training = False",
        "model = Model()\nmodel.eval()\nmodel(torch.randn(4, 3))",
        "def main():\n    model = Model()\n    model.eval()\n    model(torch.randn(4, "
        "3))\nmain()"}) {
    SCOPED_TRACE(lines);
    EXPECT_EQ(countingNorms(modelWith(lines)), 0);
    EXPECT_FALSE(drawsNumbers(modelWith(lines)));
  }
}

TEST(TrainingModes, OfModulesWithinOthersAreTheirOwn) {
  EXPECT_EQ(countingNorms(modelWith("model = Model()\nmodel.blocks[1].eval()")), 1);
  EXPECT_EQ(countingNorms(modelWith("model = Model().eval()\nmodel.blocks[0].bn.train()")), 1);
  EXPECT_FALSE(drawsNumbers(modelWith("model = Model().eval()\nmodel.blocks[0].bn.train()")));
}

TEST(TrainingModes, AreToldToPyTorch) {
  EXPECT_THAT(torchText(modelWith("")), Not(HasSubstr("eval")));
  EXPECT_THAT(torchText(modelWith("model = Model().eval()")), HasSubstr("Model().eval()\n"));
  EXPECT_THAT(torchText(modelWith("model = Model()\nmodel.eval()")),
              HasSubstr("_module = Model()\n_module.eval()\n"));
  EXPECT_THAT(torchText(modelWith("model = Model()\nmodel.blocks[1].eval()")),
              HasSubstr("_module = Model()\n_module.blocks[1].eval()\nprogram"));
  EXPECT_THAT(torchText(modelWith("model = Model().eval()\nmodel.blocks[0].bn.train()")),
              HasSubstr("_module = Model().eval()\n_module.blocks[0].bn.train()\nprogram"));
  EXPECT_THAT(torchText(modelWith("model = Model()\ndef main():\n    model.eval()\n"
                                  "    model(torch.randn(4, 3))\nmain()")),
              HasSubstr("_module.eval()\n"));
}

TEST(TrainingModes, OfGlobalModulesAreToldToPyTorch) {
  const auto text = [](const std::string& lines) {
    return torchText(
        parseProgram("import torch.nn as nn\nnet = nn.Sequential(nn.BatchNorm1d(3), "
                     "nn.Dropout(0.5))\n" +
                         lines + "\ndef f(x):\n    return net(x)\n",
                     {{"x", {{4, 3}, DType::float32}}}));
  };
  EXPECT_THAT(text(""), Not(HasSubstr("eval")));
  EXPECT_THAT(text("net.eval()"), HasSubstr("net.eval()\n"));
  EXPECT_THAT(text("net[1].eval()"), HasSubstr("net[1].eval()\n"));
}

TEST(TrainingModes, OfAClassItsOwnTrainDecides) {
  const std::string frozen =
      "class Frozen(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
      "        self.bn = nn.BatchNorm1d(3)\n        self.other = nn.BatchNorm1d(3)\n"
      "    def train(self, mode=True):\n        super().train(mode)\n        self.bn.eval()\n"
      "        return self\n    def forward(self, x):\n        return self.other(self.bn(x))\n";
  const auto read = [&](const char* lines) {
    return parseProgram("import torch.nn as nn\n" + frozen + lines,
                        {{"x", {{4, 3}, DType::float32}}});
  };
  EXPECT_EQ(countingNorms(read("net = Frozen()\nnet.train()\n")), 1);
  EXPECT_EQ(countingNorms(read("net = Frozen()\nnet.eval()\n")), 0);
  EXPECT_EQ(countingNorms(read("net = nn.Sequential(Frozen())\n"
                               "def f(x):\n    return net.train()(x)\n")),
            1);
}

TEST(TrainingModes, ThatWouldChangeFromCallToCallAreRefused) {
  const auto read = [](const std::string& body) {
    return parseProgram("import torch.nn as nn\nnet = nn.BatchNorm1d(3)\ndef f(x):\n" + body,
                        {{"x", {{4, 3}, DType::float32}}});
  };
  EXPECT_EQ(countingNorms(read("    net.train()\n    y = net(x)\n    net.eval()\n    return "
                               "net(y)\n")),
            1);
  try {
    read("    y = net(x)\n    net.eval()\n    return net(y)\n");
    FAIL() << "a mode that changes is taken";
  } catch (const ProgramError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the mode of BatchNorm1d would change from call to call"));
    EXPECT_EQ(error.place().line, 5);
  }
}

TEST(TrainingModes, ThatNothingChoseAreNoted) {
  const auto notes = [](const Program& program) {
    std::vector<std::string> texts;
    for (const ProgramNote& note : program.notes) texts.push_back(note.text);
    return texts;
  };
  EXPECT_THAT(notes(modelWith("")), Contains(HasSubstr("in training mode, as PyTorch's modules are "
                                                       "until .eval(): BatchNorm1d, Dropout;")));
  for (const char* lines : {"model = Model()\nmodel.train()", "model = Model().eval()"})
    EXPECT_THAT(notes(modelWith(lines)), Not(Contains(HasSubstr("in training mode")))) << lines;
}

TEST(TrainingModes, OfAScriptAreSetOnce) {
  const Program program = parseProgram(
      "import torch.nn as nn\nnet = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))\n"
      "net.eval()\ny = net(x)\nreturn y\n",
      {{"x", {{4, 3}, DType::float32}}});
  EXPECT_EQ(countingNorms(program), 0);
  const std::string text = torchText(program);
  EXPECT_LT(text.find("net.eval()"), text.find("def program")) << text;
}

/// Tensors for a program's own inputs and for those of its modules.
std::vector<Tensor> inputsFor(EngineFixture& fixture, const Program& program, const Tensor& x) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const auto held = std::ranges::find(program.held, static_cast<ValueId>(i), &HeldInput::input);
    if (held == program.held.end()) {
      inputs.push_back(x);
      continue;
    }
    const auto count = static_cast<std::size_t>(elementCount(held->initial.extents));
    std::vector<double> values(count,
                               held->initial.numbers.empty() ? 0.25 : held->initial.numbers[0]);
    inputs.push_back(fixture.typed(held->initial.dtype, held->initial.extents, values));
  }
  return inputs;
}

TEST(TrainingModes, RunningStatisticsStayFromCallToCallAsInPyTorch) {
  EngineFixture fixture;
  // The numbers are PyTorch 2.15's, after two calls of this module on x.
  const Program trained = parseProgram(
      "import torch.nn as nn\nnet = nn.BatchNorm1d(2, momentum=0.5)\ndef f(x):\n    return net(x), "
      "net.running_mean, net.running_var, net.num_batches_tracked\n",
      {{"x", {{4, 2}, DType::float32}}});
  const std::vector<double> mean{2.625, -0.75}, variance{4.5, 1.25};
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name));
    const Tensor x = fixture.typed(DType::float32, {4, 2}, {1, -2, 2, 0, 5, -2, 6, 0});
    const std::vector<Tensor> inputs = inputsFor(fixture, trained, x);
    const auto executor = makeExecutor(info.name, fixture.backend(), trained);
    executor->call(inputs);
    const auto made = executor->call(inputs);
    EXPECT_EQ(EngineFixture::values(made[3]), std::vector<double>{2});
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(EngineFixture::values(made[1])[c], mean[c], 1e-6);
      EXPECT_NEAR(EngineFixture::values(made[2])[c], variance[c], 1e-6);
    }
    EXPECT_NEAR(EngineFixture::values(made[0])[0], -1.2126765, 1e-5);
  }
}

TEST(TrainingModes, DropoutDropsElementsOrWholeFeatures) {
  EngineFixture fixture;
  const auto dropped = [&](const std::string& module, const Shape& shape) {
    const Program program = parseProgram(
        "import torch.nn as nn\nnet = nn." + module + "(0.25)\ndef f(x):\n    return net(x)\n",
        {{"x", {shape, DType::float32}}});
    const Tensor x =
        fixture.typed(DType::float32, shape,
                      std::vector<double>(static_cast<std::size_t>(elementCount(shape)), 3));
    const auto executor = makeExecutor("static", fixture.backend(), program);
    return EngineFixture::values(executor->call(std::vector<Tensor>{x})[0]);
  };
  const std::vector<double> elements = dropped("Dropout", {40, 50});
  const auto zeros = std::ranges::count(elements, 0.0);
  EXPECT_NEAR(static_cast<double>(zeros), 500, 100);
  EXPECT_EQ(std::ranges::count(elements, 4.0), 2000 - zeros);
  for (const auto& [module, shape] : {std::pair<const char*, Shape>{"Dropout1d", {20, 20, 6}},
                                      {"Dropout2d", {20, 20, 2, 3}},
                                      {"Dropout3d", {20, 20, 1, 2, 3}}}) {
    SCOPED_TRACE(module);
    const std::vector<double> features = dropped(module, shape);
    std::ptrdiff_t gone = 0;
    for (std::size_t f = 0; f < features.size(); f += 6) {
      EXPECT_TRUE(std::all_of(features.begin() + static_cast<std::ptrdiff_t>(f),
                              features.begin() + static_cast<std::ptrdiff_t>(f) + 6,
                              [&](double each) { return each == features[f]; }));
      EXPECT_TRUE(features[f] == 0 || features[f] == 4) << features[f];
      gone += features[f] == 0 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(gone), 100, 45);
  }
  // Dropped elements become negative.
  const std::vector<double> alpha = dropped("AlphaDropout", {40, 50});
  EXPECT_GT(std::ranges::count_if(alpha, [](double v) { return v < 0; }), 350);
}

}  // namespace
}  // namespace fusebench
