// SPDX-License-Identifier: GPL-3.0-or-later
// Batch norms in evaluation, in the weights of the layers that they follow.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/plan/folded_norms.h"
#include "engine/plan/plan_text.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/relative_noise.h"

namespace fusebench {
namespace {

/// A class with these lines in its __init__ and this body of forward.
std::string normModule(const std::vector<std::string>& made, const std::string& body) {
  std::string text = "class Net(nn.Module):\n  def __init__(self):\n    super().__init__()\n";
  for (const std::string& line : made) text += "    " + line + "\n";
  return text + "  def forward(self, x):\n    " + body + "\n";
}

/// The same, called in evaluation.
std::string evaluatedModule(const std::vector<std::string>& made, const std::string& body) {
  return normModule(made, body) + "net = Net().eval()\ndef f(x):\n  return net(x)\n";
}

struct FoldedCase {
  std::string text;
  Shape shape;        ///< that the input has
  std::size_t steps;  ///< in a fused plan
};

/// All kinds of layers that are folded.
std::vector<FoldedCase> foldedCases() {
  const std::string body = "return self.norm(self.layer(x))";
  const auto layer = [&](const std::string& made, int dims, int channels) {
    return evaluatedModule(
        {"self.layer = nn." + made, fmt::format("self.norm = nn.BatchNorm{}d({})", dims, channels)},
        body);
  };
  return {
      {layer("Linear(7, 6)", 1, 6), {5, 7}, 1},
      {layer("Linear(7, 6, bias=False)", 1, 6), {5, 7}, 1},
      {layer("Conv1d(4, 6, 3, padding=1)", 1, 6), {2, 4, 9}, 1},
      {layer("Conv2d(4, 6, 3, padding=1, bias=False)", 2, 6), {2, 4, 7, 6}, 1},
      {layer("Conv2d(4, 6, (3, 2), stride=2, dilation=(1, 2), groups=2)", 2, 6), {2, 4, 7, 6}, 1},
      {layer("Conv2d(6, 6, 3, padding=1, groups=6)", 2, 6), {2, 6, 7, 6}, 1},
      {layer("Conv2d(4, 1, 3)", 2, 1), {2, 4, 7, 6}, 1}};
}

class FoldedNorms : public testing::Test {
 protected:
  /// Random inputs, with running variances of about `variance`.
  std::vector<Tensor> inputsOf(const Program& program, const Shape& shape, double variance = 1) {
    std::vector<Tensor> inputs{fixture_.random(shape, 3)};
    for (const HeldInput& held : program.held) {
      const std::string& name = program.inputs[static_cast<std::size_t>(held.input)];
      Tensor made = fixture_.random(held.initial.extents, 7u + static_cast<unsigned>(held.input));
      if (name.ends_with("running_var")) {
        std::vector<float> values;
        for (const double value : EngineFixture::values(made))
          values.push_back(static_cast<float>(variance * (1 + std::abs(value))));
        made = fixture_.tensor(held.initial.extents, values);
      }
      inputs.push_back(made);
    }
    return inputs;
  }
  static Program parsed(const std::string& text, const Shape& shape) {
    ProgramHints hints;
    hints["x"] = {shape, DType::float32};
    return parseProgram(text, hints);
  }
  static ReferenceResult referenceOf(const Program& program, const std::vector<Tensor>& inputs) {
    std::vector<ReferenceTensor> plain;
    for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
    return evaluateReference(program, plain)[0];
  }

  EngineFixture fixture_;
};

TEST_F(FoldedNorms, GiveWhatTheReferenceGivesAlsoOfTinyVariances) {
  for (const FoldedCase& each : foldedCases()) {
    const Program program = parsed(each.text, each.shape);
    EXPECT_TRUE(withFoldedNorms(program)) << each.text;
    for (const double variance : {1.0, 1e-12, 1e6}) {
      const std::vector<Tensor> inputs = inputsOf(program, each.shape, variance);
      const ReferenceResult expected = referenceOf(program, inputs);
      for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
        SCOPED_TRACE(fmt::format("{}, variance {} of\n{}", info.name, variance, each.text));
        const auto executor = makeExecutor(info.name, fixture_.backend(), program);
        for (int call = 0; call < 2; ++call) {
          const auto results = executor->call(inputs);
          ASSERT_EQ(results[0].shape, expected.value.type.shape);
          const std::vector<double> values = EngineFixture::values(results[0]);
          EXPECT_LE(relativeError(expected, values), 1e-5);
          EXPECT_LE(relativeNoise(expected.value.values, values), 1e-5);
        }
      }
    }
  }
}

TEST_F(FoldedNorms, LeaveWhatIsBroadcastAlongTheWidth) {
  const std::string text = evaluatedModule(
      {"self.layer = nn.Conv2d(3, 3, 3, padding=1)", "self.register_buffer('s', torch.ones(3))"},
      "return self.layer(x) * self.s");
  const Program program = parsed(text, {2, 3, 5, 3});
  EXPECT_FALSE(withFoldedNorms(program));
}

TEST_F(FoldedNorms, LeaveOnlyTheirLayersToFusedPlans) {
  for (const FoldedCase& each : foldedCases()) {
    const Program program = parsed(each.text, each.shape);
    const std::vector<Tensor> inputs = inputsOf(program, each.shape);
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      SCOPED_TRACE(std::string(info.name) + " of\n" + each.text);
      const auto executor = makeExecutor(info.name, fixture_.backend(), program);
      executor->call(inputs);
      const std::uint64_t before = fixture_.backend().launches();
      executor->call(inputs);
      const std::uint64_t launches = fixture_.backend().launches() - before;
      EXPECT_EQ(launches, executor->plan(inputs).steps.size());
      if (info.compilesPrograms())
        EXPECT_EQ(launches, each.steps);
      else
        EXPECT_GT(launches, each.steps) << "they run what the program says";
    }
  }
}

TEST_F(FoldedNorms, AreInAPlansText) {
  const FoldedCase each = foldedCases()[3];
  const Program program = parsed(each.text, each.shape);
  const std::vector<Tensor> inputs = inputsOf(program, each.shape);
  const auto executor = makeExecutor("static", fixture_.backend(), program);
  const Plan plan = executor->plan(inputs);
  EXPECT_TRUE(plan.options.foldsNorms);
  EXPECT_THAT(toText(plan, symbolsOf(plan, executor->formsOfPlan(inputs))),
              testing::HasSubstr("with 4 ops after it in its weight and bias"));
}

TEST_F(FoldedNorms, AreMadeAgainOfOtherWeights) {
  const FoldedCase each = foldedCases()[3];
  const Program program = parsed(each.text, each.shape);
  const std::vector<Tensor> first = inputsOf(program, each.shape);
  std::vector<Tensor> second = first;
  second[1] = fixture_.random(first[1].shape, 99);
  for (const char* name : {"static", "dynamic", "static+replay"}) {
    SCOPED_TRACE(name);
    const auto executor = makeExecutor(name, fixture_.backend(), program);
    const auto result = EngineFixture::values(executor->call(first)[0]);
    for (int call = 0; call < 2; ++call)
      EXPECT_LE(relativeError(referenceOf(program, second),
                              EngineFixture::values(executor->call(second)[0])),
                1e-5);
    EXPECT_EQ(EngineFixture::values(executor->call(first)[0]), result);
  }
}

TEST_F(FoldedNorms, OfABasicBlockLeaveItsTwoConvolutions) {
  for (const char* relu : {"F.relu", "torch.relu"}) {
    const std::string text = evaluatedModule(
        {"self.c1 = nn.Conv2d(8, 8, 3, padding=1, bias=False)", "self.b1 = nn.BatchNorm2d(8)",
         "self.c2 = nn.Conv2d(8, 8, 3, padding=1, bias=False)", "self.b2 = nn.BatchNorm2d(8)"},
        fmt::format("y = {}(self.b1(self.c1(x)))\n    return {}(self.b2(self.c2(y)) + x)", relu,
                    relu));
    const Shape shape{1, 8, 9, 10};
    const Program program = parsed(text, shape);
    const std::vector<Tensor> inputs = inputsOf(program, shape);
    for (const char* name : {"static", "dynamic", "static+replay"}) {
      SCOPED_TRACE(name);
      const auto executor = makeExecutor(name, fixture_.backend(), program);
      EXPECT_LE(relativeError(referenceOf(program, inputs),
                              EngineFixture::values(executor->call(inputs)[0])),
                1e-5);
      const std::uint64_t before = fixture_.backend().launches();
      executor->call(inputs);
      EXPECT_EQ(fixture_.backend().launches() - before, 2u);
    }
  }
}

TEST_F(FoldedNorms, StandBesideActivationsInPlace) {
  const std::string text = evaluatedModule(
      {"self.conv = nn.Conv2d(4, 6, 3)", "self.norm = nn.BatchNorm2d(6)",
       "self.act = nn.ReLU(inplace=True)"},
      "y = self.act(self.norm(self.conv(self.act(x * 2))))\n    y += 1\n    return y");
  const Shape shape{2, 4, 6, 7};
  const Program program = parsed(text, shape);
  ASSERT_TRUE(withFoldedNorms(program));
  const std::vector<Tensor> inputs = inputsOf(program, shape);
  for (const ExecutorInfo& info : executorsOn(fixture_.backend()))
    EXPECT_LE(
        relativeError(referenceOf(program, inputs),
                      EngineFixture::values(
                          makeExecutor(info.name, fixture_.backend(), program)->call(inputs)[0])),
        1e-5)
        << info.name;
}

TEST_F(FoldedNorms, AreLeftWhereSomethingElseReadsWhatLiesBetween) {
  const std::vector<std::string> layers{"self.conv = nn.Conv2d(4, 6, 3)",
                                        "self.norm = nn.BatchNorm2d(6)"};
  const Shape shape{2, 4, 6, 7};
  for (const char* body :
       {"y = self.conv(x)\n    return self.norm(y), y",
        "y = self.conv(x)\n    return self.norm(y) + y",
        "y = self.conv(x)\n    z = self.norm(y)\n    y.mul_(2)\n    return z, y"})
    EXPECT_FALSE(withFoldedNorms(parsed(evaluatedModule(layers, body), shape))) << body;
}

TEST_F(FoldedNorms, AreLeftInTrainingAndWhereGradientsAreAskedFor) {
  const std::vector<std::string> layers{"self.conv = nn.Conv2d(4, 6, 3)",
                                        "self.norm = nn.BatchNorm2d(6)"};
  const Shape shape{2, 4, 6, 7};
  const std::string body = "return self.norm(self.conv(x))";
  EXPECT_FALSE(withFoldedNorms(parsed(normModule(layers, body) + "net = Net()\ndef f(x):\n"
                                                                 "  return net(x)\n",
                                      shape)));
  EXPECT_FALSE(withFoldedNorms(
      parsed(normModule(layers, body) +
                 "net = Net().eval()\ndef f(x):\n  loss = net(x).sum()\n"
                 "  return torch.autograd.grad(loss, [net.conv.weight, net.norm.weight])\n",
             shape)));
}

TEST_F(FoldedNorms, AreLeftWhereTheirStatisticsAreGivenOrWritten) {
  const Shape shape{2, 4, 6, 7};
  ProgramHints hints;
  hints["x"] = {shape, DType::float32};
  hints["mean"] = hints["var"] = {{6}, DType::float32};
  EXPECT_FALSE(withFoldedNorms(
      parseProgram(normModule({"self.conv = nn.Conv2d(4, 6, 3)"}, "return self.conv(x)") +
                       "net = Net().eval()\ndef f(x, mean, var):\n"
                       "  return F.batch_norm(net(x), mean, var)\n",
                   hints)));
  EXPECT_FALSE(withFoldedNorms(
      parsed(evaluatedModule({"self.conv = nn.Conv2d(4, 6, 3)", "self.norm = nn.BatchNorm2d(6)"},
                             "self.norm.running_mean.add_(1)\n    self.norm.running_var.mul_(2)\n"
                             "    self.norm.weight.data.mul_(2)\n    self.norm.bias.data.mul_(2)\n"
                             "    return self.norm(self.conv(x))"),
             shape)));
}

/// A factor along the width of an image is none of its channels, however long it is.
TEST_F(FoldedNorms, AreAlongChannelsAlone) {
  const Shape shape{2, 4, 8, 8};
  for (const char* view : {"", ".view(1, 6, 1)"}) {
    const Program program =
        parsed(evaluatedModule(
                   {"self.conv = nn.Conv2d(4, 6, 3)", "self.scale = nn.Parameter(torch.randn(6))"},
                   fmt::format("return self.conv(x) * self.scale{}", view)),
               shape);
    EXPECT_FALSE(withFoldedNorms(program)) << view;
  }
  EXPECT_TRUE(
      withFoldedNorms(parsed(evaluatedModule({"self.conv = nn.Conv2d(4, 6, 3)",
                                              "self.scale = nn.Parameter(torch.randn(6))"},
                                             "return self.conv(x) * self.scale.view(6, 1, 1)"),
                             shape)));
}

/// Nothing is folded: their weights depend on sizes, or there are several.
TEST_F(FoldedNorms, OfTransposedConvolutionsAndThoseOverThreeDimensionsAreRight) {
  const struct {
    const char* weight;
    const char* arguments;
    int dims;
    Shape shape;
  } cases[] = {{"4, 6, 3", "[1], [0], [1], True, [0], 1", 1, {2, 4, 7}},
               {"4, 3, 3, 3", "[2, 1], [1, 1], [1, 1], True, [1, 0], 2", 2, {2, 4, 7, 6}},
               {"6, 4, 3, 3, 3",
                "[1, 1, 1], [1, 1, 1], [1, 1, 1], False, [0, 0, 0], 1",
                3,
                {2, 4, 3, 5, 6}}};
  for (const auto& each : cases) {
    const std::string text = evaluatedModule(
        {fmt::format("self.w = nn.Parameter(torch.randn({}))", each.weight),
         fmt::format("self.norm = nn.BatchNorm{}d(6)", each.dims)},
        fmt::format("return self.norm(torch.ops.aten.convolution.default(x, self.w, None, {}))",
                    each.arguments));
    const Program program = parsed(text, each.shape);
    for (const double variance : {1.0, 1e-12}) {
      const std::vector<Tensor> inputs = inputsOf(program, each.shape, variance);
      const ReferenceResult expected = referenceOf(program, inputs);
      for (const ExecutorInfo& info : executorsOn(fixture_.backend()))
        EXPECT_LE(relativeError(
                      expected,
                      EngineFixture::values(
                          makeExecutor(info.name, fixture_.backend(), program)->call(inputs)[0])),
                  1e-5)
            << info.name << " of\n"
            << text;
    }
  }
}

}  // namespace
}  // namespace fusebench
