// SPDX-License-Identifier: GPL-3.0-or-later
// Quantized values as in PyTorch, matmuls of bytes in int32, and quantized layers.
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <gmock/gmock.h>

#include "engine/plan/prepared.h"
#include "engine/plan/quantize.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/relative_noise.h"

namespace fusebench {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

CpuOptions byteOptions(bool library, int threads) {
  CpuOptions options = EngineFixture::withoutDisk(0, 0, threads);
  options.library = library;
  return options;
}

class IntegerProducts : public testing::TestWithParam<std::pair<bool, int>> {
 protected:
  /// Bytes from one end of the dtype to the other.
  Tensor bytes(DType dtype, const Shape& shape, int seed) {
    std::vector<double> values(static_cast<std::size_t>(elementCount(shape)));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<double>((i * 37 + static_cast<std::size_t>(seed) * 101) % 256) -
                  (dtype == DType::int8 ? 128 : 0);
    return fixture_.typed(dtype, shape, values);
  }

  void expectExact(const Program& program, const std::vector<Tensor>& inputs) {
    std::vector<ReferenceTensor> plain;
    for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
    const auto expected = evaluateReference(program, plain);
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      SCOPED_TRACE(std::string(info.name));
      const auto executor = makeExecutor(info.name, fixture_.backend(), program);
      for (int call = 0; call < 2; ++call) {
        const auto results = executor->call(inputs);
        EXPECT_EQ(results[0].dtype, DType::int32);
        EXPECT_EQ(EngineFixture::values(results[0]), expected[0].value.values);
      }
    }
  }

  EngineFixture fixture_{byteOptions(GetParam().first, GetParam().second)};
};

INSTANTIATE_TEST_SUITE_P(Libraries, IntegerProducts,
                         testing::Values(std::pair(true, 1), std::pair(false, 1),
                                         std::pair(false, 2)),
                         [](const auto& which) {
                           return std::string(which.param.first ? "Library" : "OwnLoops") +
                                  (which.param.second > 1 ? "Threads" : "");
                         });

TEST_P(IntegerProducts, AreExactInEveryLayout) {
  const Program program = parseProgram("def f(x, y):\n  return torch._int_mm(x, y)");
  for (const DType first : {DType::uint8, DType::int8})
    for (const DType second : {DType::int8, DType::uint8}) {
      const Tensor x = bytes(first, {9, 70}, 1), y = bytes(second, {70, 8}, 2);
      const Tensor across = EngineFixture::transposed(bytes(first, {70, 9}, 3));
      const Tensor down = EngineFixture::transposed(bytes(second, {8, 70}, 4));
      expectExact(program, {x, y});
      expectExact(program, {across, down});
      expectExact(program, {EngineFixture::everySecond(bytes(first, {9, 140}, 5)), down});
    }
}

/// Pairs of the greatest bytes are past 16 bits: an instruction that adds two of them in there
/// would lose them.
TEST_P(IntegerProducts, DoNotSaturateOnTheWay) {
  const Program program = parseProgram("def f(x, y):\n  return torch._int_mm(x, y)");
  expectExact(program,
              {fixture_.typed(DType::uint8, {4, 999}, std::vector<double>(4 * 999, 255)),
               fixture_.typed(DType::int8, {999, 16}, std::vector<double>(999 * 16, 127))});
  expectExact(program,
              {fixture_.typed(DType::int8, {4, 999}, std::vector<double>(4 * 999, -128)),
               fixture_.typed(DType::int8, {999, 16}, std::vector<double>(999 * 16, -128))});
}

TEST_P(IntegerProducts, OfWindows) {
  for (const DType dtype : {DType::uint8, DType::int8}) {
    Program program = parseProgram("def f(x, w):\n  return F.conv2d(x, w, None, 2, 1)");
    Op& op = program.ops[0];
    op.settings = std::make_shared<const ContractSettings>(contractSettingsOf(op));
    op.equation = "n[gc](yk)(xl),[go]ckl->n[go]yx";
    op.row = &integerProductRow();
    op.parameters.clear();
    expectExact(program, {bytes(dtype, {2, 5, 9, 8}, 1), bytes(DType::int8, {6, 5, 3, 3}, 2)});
  }
}

TEST(IntegerProductTypes, AreBytes) {
  EngineFixture fixture;
  const Tensor x = fixture.random({4, 4});
  try {
    fixture.run("eager", "def f(x, y):\n  return torch._int_mm(x, y)", {x, x});
    FAIL();
  } catch (const ProgramError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("it takes int8 and uint8"));
  }
}

/// What PyTorch 2.15 gives, one by one.
TEST(Levels, AreTheNearestOfTwoTheEvenOneAndEndWhereTheirTypeDoes) {
  EngineFixture fixture;
  const Tensor x =
      fixture.typed(DType::float32, {10},
                    {kNaN, kInfinite, -kInfinite, 0.05, 0.15, 0.25, -0.05, 1e30, -1e30, 12.75});
  const auto levels = [&](const char* dtype, int zero) {
    const std::string text = "def f(x):\n  q = torch.quantize_per_tensor(x, 0.1, " +
                             std::to_string(zero) + ", torch." + dtype + ")\n  return q.int_repr()";
    std::vector<double> found;
    for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
      const auto got = fixture.run(std::string(info.name), text, {x});
      EXPECT_EQ(got[0].dtype, std::string(dtype) == "qint8" ? DType::int8 : DType::uint8);
      const auto values = EngineFixture::values(got[0]);
      if (!found.empty()) {
        EXPECT_EQ(values, found) << info.name;
      }
      found = values;
    }
    return found;
  };
  EXPECT_EQ(levels("qint8", 0), (std::vector<double>{127, 127, -128, 0, 2, 2, 0, 127, -128, 127}));
  EXPECT_EQ(levels("qint8", 10),
            (std::vector<double>{127, 127, -128, 10, 12, 12, 10, 127, -128, 127}));
  EXPECT_EQ(levels("quint8", 10), (std::vector<double>{255, 255, 0, 10, 12, 12, 10, 255, 0, 138}));
}

/// The values that every executor computes; checks that they are the same.
std::vector<double> madeByAll(EngineFixture& fixture, const std::string& text,
                              const std::vector<Tensor>& inputs) {
  std::vector<double> made;
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto values = EngineFixture::values(fixture.run(std::string(info.name), text, inputs)[0]);
    for (std::size_t i = 0; i < made.size(); ++i)
      EXPECT_TRUE(values[i] == made[i] || (std::isnan(values[i]) && std::isnan(made[i])))
          << info.name << ", element " << i;
    made = values;
  }
  return made;
}

/// What PyTorch 2.15 gives of these with torch.quint8.
TEST(Levels, OfQuint8EndAt0And255WhateverTheZeroPointAndTheScale) {
  EngineFixture fixture;
  const Tensor x =
      fixture.typed(DType::float32, {11},
                    {kNaN, kInfinite, -kInfinite, 0.05, 0.15, 0.25, -0.05, 1e30, -1e30, 12.75, 0});
  const auto levels = [&](const std::string& scale, int zero) {
    return madeByAll(fixture,
                     "def f(x):\n  return torch.quantize_per_tensor(x, " + scale + ", " +
                         std::to_string(zero) + ", torch.quint8).int_repr()",
                     {x});
  };
  EXPECT_EQ(levels("0.1", 0), (std::vector<double>{255, 255, 0, 0, 2, 2, 0, 255, 0, 128, 0}));
  EXPECT_EQ(levels("0.1", 128),
            (std::vector<double>{255, 255, 0, 128, 130, 130, 128, 255, 0, 255, 128}));
  EXPECT_EQ(levels("0.1", 255),
            (std::vector<double>{255, 255, 0, 255, 255, 255, 255, 255, 0, 255, 255}));
  EXPECT_EQ(levels("0.0", 3),
            (std::vector<double>{255, 255, 0, 255, 255, 255, 0, 255, 0, 255, 255}));
  EXPECT_EQ(levels("1e38", 3), (std::vector<double>{255, 255, 0, 3, 3, 3, 3, 3, 3, 3, 3}));
}

TEST(Levels, OfQuint8PerChannelHaveAScaleAndAZeroPointEach) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{
      fixture.typed(DType::float32, {3, 3}, {1, 2, 3, -4, 0, 1e9, 0.3, kNaN, -1e9}),
      fixture.typed(DType::float32, {3}, {0.5, 0, 0.25}),
      fixture.typed(DType::int64, {3}, {1, 0, 200})};
  const auto made = [&](int axis, const std::string& what) {
    return madeByAll(fixture,
                     "def f(x, s, z):\n  return torch.quantize_per_channel(x, s, z, " +
                         std::to_string(axis) + ", torch.quint8)." + what,
                     inputs);
  };
  EXPECT_EQ(made(0, "int_repr()"), (std::vector<double>{3, 5, 7, 0, 255, 255, 201, 255, 0}));
  EXPECT_EQ(made(1, "int_repr()"), (std::vector<double>{3, 255, 212, 0, 255, 255, 2, 255, 0}));
  EXPECT_EQ(made(0, "dequantize()"), (std::vector<double>{1, 2, 3, 0, 0, 0, 0.25, 13.75, -50}));
  EXPECT_EQ(made(0, "q_per_channel_zero_points()"), (std::vector<double>{1, 0, 200}));
}

TEST(Levels, HaveAZeroPointThatIsALevel) {
  const auto refused = [](const std::string& zero, const std::string& dtype) -> std::string {
    try {
      parseProgram("def f(x):\n  return torch.quantize_per_tensor(x, 0.1, " + zero + ", torch." +
                   dtype + ").dequantize()");
    } catch (const ProgramError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_THAT(refused("-5", "quint8"),
              testing::HasSubstr("zero_point is below the smallest quantized value"));
  EXPECT_THAT(refused("256", "quint8"), testing::HasSubstr("zero_point is above the largest"));
  EXPECT_THAT(refused("128", "qint8"), testing::HasSubstr("zero_point is above the largest"));
  EXPECT_EQ(refused("-128", "qint8"), "taken");
  EXPECT_EQ(refused("255", "quint8"), "taken");
}

/// (level - zero) scale, summed as whole numbers: what the levels stand for, multiplied.
TEST(Levels, OfQuint8MultiplyAsWhatTheyStandFor) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({9, 40}, 3, 8), fixture.random({7, 40}, 4, 2)};
  const std::string levels =
      "def f(x, w):\n"
      "  q = torch.quantize_per_tensor(x, 0.0625, 100, torch.quint8)\n"
      "  v = torch.quantize_per_tensor(w, 0.015625, 131, torch.quint8)\n";
  const auto wanted = EngineFixture::values(fixture.run(
      "static", levels + "  return q.dequantize().double() @ v.dequantize().double().t()",
      inputs)[0]);
  const auto sums = madeByAll(
      fixture,
      levels +
          "  a = q.int_repr()\n  b = v.int_repr()\n"
          "  s = torch._int_mm(a, b.t()) - v.q_zero_point() * a.int().sum(1, keepdim=True)\n"
          "  s = s - q.q_zero_point() * b.int().sum(1) + 40 * q.q_zero_point() * v.q_zero_point()\n"
          "  return s * (q.q_scale() * v.q_scale())",
      inputs);
  ASSERT_EQ(sums.size(), wanted.size());
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], wanted[i]) << i;
}

TEST(Levels, FakeOnesAreFloatsAndPerChannel) {
  EngineFixture fixture;
  const Tensor x =
      fixture.typed(DType::float32, {2, 4}, {kNaN, 1e30, 0.26, -1e30, 0.3, 0.5, -2, 7});
  const auto flat = EngineFixture::values(fixture.run(
      "static", "def f(x):\n  return torch.fake_quantize_per_tensor_affine(x, 0.5, 1, -128, 127)",
      {x})[0]);
  EXPECT_EQ(flat, (std::vector<double>{-64.5, 63, 0.5, -64.5, 0.5, 0.5, -2, 7}));
  const Tensor scales = fixture.typed(DType::float32, {2}, {0.5, 2});
  const Tensor zeros = fixture.typed(DType::int32, {2}, {1, 0});
  const auto each = EngineFixture::values(
      fixture.run("static",
                  "def f(x, s, z):\n  return torch.fake_quantize_per_channel_affine(x, s, z, 0, "
                  "-128, 127)",
                  {x, scales, zeros})[0]);
  EXPECT_EQ(each, (std::vector<double>{-64.5, 63, 0.5, -64.5, 0, 0, -2, 8}));
  const auto back = EngineFixture::values(fixture.run(
      "static",
      "def f(x, s, z):\n  return torch.quantize_per_channel(x, s, z, 1, torch.qint8).dequantize()",
      {x, fixture.typed(DType::float32, {4}, {1, 1, 0.25, 4}),
       fixture.typed(DType::int32, {4}, {0, 0, 0, 0})})[0]);
  EXPECT_EQ(back, (std::vector<double>{127, 127, 0.25, -512, 0, 0, -2, 8}));
}

constexpr const char* kLayers =
    "class Net(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
    "    self.fc1 = nn.Linear(48, 64)\n    self.fc2 = nn.Linear(64, 24)\n"
    "  def forward(self, x):\n    h = F.relu(self.fc1(x))\n    return self.fc2(h)";
constexpr const char* kImages =
    "class Net(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
    "    self.conv = nn.Conv2d(4, 8, 3, padding=1)\n    self.fc = nn.Linear(8 * 6 * 6, 5)\n"
    "  def forward(self, x):\n    h = F.relu(self.conv(x))\n    return self.fc(h.flatten(1))";

class QuantizedLayers : public testing::Test {
 protected:
  /// Random values for the inputs that the program defines itself; the first input is given.
  std::vector<Tensor> inputsOf(const Program& program, const Tensor& x) {
    std::vector<Tensor> inputs{x};
    for (const HeldInput& held : program.held)
      inputs.push_back(
          fixture_.random(held.initial.extents, 7u + static_cast<unsigned>(held.input), 0.3F));
    return inputs;
  }
  static std::vector<ValueType> typesOf(const std::vector<Tensor>& inputs) {
    std::vector<ValueType> types;
    for (const Tensor& input : inputs) types.push_back({input.shape, input.dtype});
    return types;
  }

  EngineFixture fixture_;
};

TEST_F(QuantizedLayers, LoseWhatTheirLevelsLeaveOut) {
  const struct {
    Quantizing how;
    double most;
  } cases[] = {{Quantizing::dynamicInt8, 0.03},
               {Quantizing::staticInt8, 0.03},
               {Quantizing::weightsInt8, 0.01},
               {Quantizing::float16, 1e-3},
               {Quantizing::bfloat16, 8e-3}};
  for (const char* text : {kLayers, kImages}) {
    const Program program = parseProgram(text);
    const std::vector<Tensor> inputs = inputsOf(
        program, text == kLayers ? fixture_.random({10, 48}, 1) : fixture_.random({3, 4, 6, 6}, 1));
    const auto layers = quantizableLayers(program, typesOf(inputs));
    ASSERT_EQ(layers.size(), 2u);
    const auto exact =
        EngineFixture::values(makeExecutor("eager", fixture_.backend(), program)->call(inputs)[0]);
    for (const auto& [how, most] : cases) {
      SCOPED_TRACE(quantizingNames()[static_cast<std::size_t>(how)].name);
      const std::vector<LayerRange> ranges{{-4, 4}, {0, 8}};
      const Program made = quantized(program, typesOf(inputs), how, ranges);
      double first = -1;
      for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
        SCOPED_TRACE(std::string(info.name));
        const auto executor = makePreparedExecutor(info.name, fixture_.backend(), made);
        const double error = relativeNoise(exact, EngineFixture::values(executor->call(inputs)[0]));
        EXPECT_LT(error, most);
        EXPECT_GT(error, 1e-6) << "nothing was quantized";
        if (first >= 0) {
          EXPECT_NEAR(error, first, most / 10);
        }
        first = error;
      }
    }
  }
}

TEST_F(QuantizedLayers, PackTheirWeightsOnceAndReadTheFloatsNoMore) {
  const Program program = parseProgram(kLayers);
  const std::vector<Tensor> inputs = inputsOf(program, fixture_.random({10, 48}, 1));
  const Program made = quantized(program, typesOf(inputs), Quantizing::dynamicInt8);
  const Prepared divided = prepared(made);
  EXPECT_FALSE(divided.preparation.ops.empty());
  for (const Op& op : divided.program.ops)
    for (const Operand& operand : op.operands)
      EXPECT_TRUE(operand.isNumber() || operand.value < divided.program.valueCount());
  const auto executor = makePreparedExecutor("static", fixture_.backend(), made);
  const auto first = EngineFixture::values(executor->call(inputs)[0]);
  // Both float32 weights; the biases are added as they are.
  EXPECT_EQ(executor->unreadBytes(inputs), (48 * 64 + 64 * 24) * sizeof(float));
  EXPECT_GT(executor->statistics().compiles.front().times.preparation, 0);
  const std::uint64_t before = fixture_.backend().launches();
  EXPECT_EQ(EngineFixture::values(executor->call(inputs)[0]), first);
  const std::uint64_t each = fixture_.backend().launches() - before;
  EXPECT_EQ(each, executor->plan(inputs).steps.size());
  // Other weights are packed again.
  std::vector<Tensor> others = inputs;
  others[1] = fixture_.random({64, 48}, 99);
  EXPECT_NE(EngineFixture::values(executor->call(others)[0]), first);
  EXPECT_EQ(EngineFixture::values(executor->call(inputs)[0]), first);
}

TEST_F(QuantizedLayers, OfNothingAreNothingAndHandNaNOn) {
  const Program program = parseProgram(kLayers);
  std::vector<Tensor> inputs =
      inputsOf(program, fixture_.typed(DType::float32, {2, 48}, std::vector<double>(96, 0)));
  const Program made = quantized(program, typesOf(inputs), Quantizing::dynamicInt8);
  const auto executor = makePreparedExecutor("static", fixture_.backend(), made);
  const auto exact =
      EngineFixture::values(makeExecutor("eager", fixture_.backend(), program)->call(inputs)[0]);
  EXPECT_LT(relativeNoise(exact, EngineFixture::values(executor->call(inputs)[0])), 0.03);
  std::vector<double> poisoned(96, 1);
  poisoned[5] = kNaN;
  inputs[0] = fixture_.typed(DType::float32, {2, 48}, poisoned);
  for (const double value : EngineFixture::values(executor->call(inputs)[0]))
    EXPECT_TRUE(std::isnan(value));
}

TEST_F(QuantizedLayers, StandBesideWhatIsWrittenInPlaceWhichIsNotPrepared) {
  const Program program = parseProgram(
      "class Net(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
      "    self.fc = nn.Linear(8, 6)\n    self.register_buffer('seen', torch.zeros(1))\n"
      "  def forward(self, x):\n    self.seen.add_(1)\n"
      "    h = F.relu(self.fc(x), inplace=True)\n    return h + self.seen * 2");
  std::vector<Tensor> inputs = inputsOf(program, fixture_.random({3, 8}, 1));
  const std::vector<bool> held = heldValues(program);
  for (const HeldInput& each : program.held) {
    const auto input = static_cast<std::size_t>(each.input);
    EXPECT_EQ(held[input], program.inputs[input] != "seen") << program.inputs[input];
  }
  const Program made = quantized(program, typesOf(inputs), Quantizing::dynamicInt8);
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    SCOPED_TRACE(std::string(info.name));
    const auto executor = makePreparedExecutor(info.name, fixture_.backend(), made);
    const auto first = EngineFixture::values(executor->call(inputs)[0]);
    const auto second = EngineFixture::values(executor->call(inputs)[0]);
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(second[i], first[i] + 2, 1e-4);
  }
}

TEST_F(QuantizedLayers, AreThoseWhoseWeightIsHeld) {
  const Program program = parseProgram("def f(x, w):\n  return F.linear(x, w)");
  EXPECT_TRUE(quantizableLayers(program, std::vector<ValueType>{{{2, 4}}, {{3, 4}}}).empty());
}

}  // namespace
}  // namespace fusebench
