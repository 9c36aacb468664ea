// SPDX-License-Identifier: GPL-3.0-or-later
// Where PyTorch's values are not what a formula alone would give. The values are PyTorch 2.15's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Every executor's results of "def f(...)", as values in row-major order.
void expectValues(const std::string& text, const std::vector<Tensor>& inputs,
                  EngineFixture& fixture, const std::vector<std::vector<double>>& expected) {
  SCOPED_TRACE(text);
  const Program program = parseProgram(text, hintsOf(text, inputs));
  std::vector<std::vector<double>> before;
  for (const Tensor& input : inputs) before.push_back(EngineFixture::values(input));
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(info.name);
    std::vector<Tensor> own;  // which it may write to
    for (std::size_t i = 0; i < inputs.size(); ++i)
      own.push_back(fixture.typed(inputs[i].dtype, inputs[i].shape, before[i]));
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    const auto results = executor->call(own);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t o = 0; o < expected.size(); ++o) {
      const std::vector<double> values = EngineFixture::values(results[o]);
      ASSERT_EQ(values.size(), expected[o].size());
      for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isnan(expected[o][i]))
          EXPECT_TRUE(std::isnan(values[i])) << o << ", " << i << ": " << values[i];
        else if (std::isinf(expected[o][i]))
          EXPECT_EQ(values[i], expected[o][i]) << o << ", " << i;
        else
          EXPECT_NEAR(values[i], expected[o][i], 1e-5 * (1 + std::abs(expected[o][i])))
              << o << ", " << i;
    }
  }
}

[[maybe_unused]] std::string complaintOf(const std::string& text, const ProgramHints& hints = {}) {
  try {
    parseProgram(text, hints);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "it was read";
}

[[maybe_unused]] ProgramHints hintsFor(const Shape& shape, DType dtype = DType::float32) {
  return {{"x", {shape, dtype}}, {"y", {shape, dtype}}};
}

TEST(PyTorchCorners, AWriteByAnIndexThatNobodyReadsIsNoHarm) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({4}, {1, 2, 3, 4}),
                                   fixture.typed(DType::int64, {2}, {-1, 0})};
  expectValues("def f(x, i):\n  y = x.clone()\n  y[i] = 0\n  return x * 2", inputs, fixture,
               {{2, 4, 6, 8}});
  expectValues("def f(x, i):\n  y = x.clone()\n  y[i] += 3\n  return x * 2", inputs, fixture,
               {{2, 4, 6, 8}});
}

TEST(PyTorchCorners, TheGradientOfAGreatestAlongADimensionIsTheFirstOfEquals) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2, 4}, {1, 3, 3, 2, 0, 0, 0, 0})};
  const std::string begin = "def f(x):\n  x.requires_grad_()\n  y = ";
  const std::string end = "\n  y.sum().backward()\n  return y.detach(), x.grad";
  expectValues(begin + "x.max(1)[0]" + end, inputs, fixture, {{3, 0}, {0, 1, 0, 0, 1, 0, 0, 0}});
  expectValues(begin + "torch.min(x, dim=1, keepdim=True).values" + end, inputs, fixture,
               {{1, 0}, {1, 0, 0, 0, 1, 0, 0, 0}});
  expectValues(begin + "x.amax(1)" + end, inputs, fixture,
               {{3, 0}, {0, 0.5, 0.5, 0, 0.25, 0.25, 0.25, 0.25}});
}

TEST(PyTorchCorners, TheGradientOfCrossEntropiesIsFiniteAtTheirEnds) {
  EngineFixture fixture;
  const std::vector<Tensor> logits{fixture.tensor({4}, {0, 0, 200, -200}),
                                   fixture.tensor({4}, {1, 0.25, 1, 1})};
  const std::string begin = "def f(x, y):\n  x.requires_grad_()\n  ";
  const std::string end = ".backward()\n  return x.grad";
  expectValues(begin + "F.binary_cross_entropy_with_logits(x, y, reduction='sum')" + end, logits,
               fixture, {{-0.5, 0.25, 0, -1}});
  expectValues(begin +
                   "F.binary_cross_entropy_with_logits(x, y, reduction='sum', "
                   "pos_weight=torch.tensor(2.0))" +
                   end,
               logits, fixture, {{-1, 0.125, 0, -2}});
  expectValues(begin + "F.binary_cross_entropy(torch.sigmoid(x), y, reduction='sum')" + end, logits,
               fixture, {{-0.5, 0.25, 0, 0}});
  const std::vector<Tensor> shares{fixture.tensor({4}, {0, 1, 0.5, 0.25}),
                                   fixture.tensor({4}, {1, 0, 1, 0.25})};
  expectValues(begin + "F.binary_cross_entropy(x, y, reduction='sum')" + end, shares, fixture,
               {{-1e12, 1e12, -2, 0}});
  // Gradients that a variant asks for flow back, too.
  const Program taped = parseProgram(
      "def f(x, y):\n  return F.binary_cross_entropy(x, y, reduction='sum')", hintsFor({4}));
  for (const Op& op : taped.ops)
    for (const Operand& operand : op.operands) EXPECT_FALSE(operand.detached);
  // Twice: 1 / (x (1 - x)) - (x - y) (1 - 2 x) / (x (1 - x))^2 at 0.25 with 0.25.
  expectValues(
      "def f(x, y):\n  x.requires_grad_()\n  l = F.binary_cross_entropy(x, y, reduction='sum')\n"
      "  g = torch.autograd.grad(l, x, create_graph=True)[0]\n"
      "  return torch.autograd.grad(g[2:].sum(), x)[0][2:]",
      shares, fixture, {{4, 1 / (0.25 * 0.75)}});
}

TEST(PyTorchCorners, RowsOfZerosHaveAGradientWhereTheyAreNormalized) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2, 2}, {0, 0, 3, 4})};
  expectValues(
      "def f(x):\n  x.requires_grad_()\n  F.normalize(x).sum().backward()\n  return x.grad", inputs,
      fixture, {{1e12, 1e12, 4.0 / 125, -3.0 / 125}});
  expectValues(
      "def f(x):\n  x.requires_grad_()\n  F.cosine_similarity(x, x + 1).sum().backward()\n"
      "  return x.grad[1:]",
      inputs, fixture, {{0.0011884, -0.00070088}});
}

TEST(PyTorchCorners, RowsOfWhichAMaskLeavesNothingAttendToNothing) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2, 2}, {1, 2, 3, 4}),
                                   fixture.typed(DType::boolean, {2, 2}, {0, 0, 1, 0})};
  const std::string begin = "def f(x, m):\n  x.requires_grad_()\n  y = ";
  const std::string end = "\n  y.sum().backward()\n  return y.detach(), x.grad";
  expectValues(begin + "F.scaled_dot_product_attention(x, x, x, attn_mask=m)" + end, inputs,
               fixture, {{0, 0, 1, 2}, {1, 1, 0, 0}});
  expectValues(
      begin + "F.scaled_dot_product_attention(x, x, x, torch.where(m, 0.0, -float('inf')))" + end,
      inputs, fixture, {{0, 0, 1, 2}, {1, 1, 0, 0}});
  // Far below all others, but not infinitely so: as softmax has it.
  expectValues(
      "def f(x, m):\n  return F.scaled_dot_product_attention(x, x, x, torch.where(m, -1e9, -1e9))",
      inputs, fixture, {{2, 3, 2, 3}});
}

TEST(PyTorchCorners, AGradientIsAConstantUnlessItsGraphIsKept) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2}, {1, 2})};
  const std::string begin =
      "def f(x):\n  x.requires_grad_()\n  g = torch.autograd.grad((x ** 3).sum(), x";
  const std::string end = ")[0]\n  return torch.autograd.grad((g * x).sum(), x)[0]";
  expectValues(begin + end, inputs, fixture, {{3, 12}});
  expectValues(begin + ", create_graph=True" + end, inputs, fixture, {{9, 36}});
  EXPECT_THAT(complaintOf(begin + ")[0]\n  return torch.autograd.grad(g.sum(), x)[0]"),
              HasSubstr("the differentiated value does not depend on this tensor"));
  const std::string later =
      "def f(x):\n  x.requires_grad_()\n  (x ** 3).sum().backward()\n"
      "  l = (x.grad * x).sum()\n  return torch.autograd.grad(l, x)[0]";
  expectValues(later, inputs, fixture, {{3, 12}});
}

TEST(PyTorchCorners, BackwardAddsToTheGradientThatThereIs) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2}, {1, 2})};
  expectValues(
      "def f(x):\n  x.requires_grad_()\n  (x * 2).sum().backward()\n  a = x.grad\n"
      "  b = x.grad.clone()\n  (x ** 2).sum().backward()\n  return a, b, x.grad",
      inputs, fixture, {{4, 6}, {2, 2}, {4, 6}});
}

TEST(PyTorchCorners, DecoratorsDoWhatTheySay) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2}, {1, 2})};
  const auto gradient = [](const std::string& decorator) {
    return decorator +
           "def g(v):\n  return v * 2\ndef f(x):\n  x.requires_grad_()\n"
           "  (g(x) * x).sum().backward()\n  return x.grad";
  };
  const auto expectIn = [&](std::string text, const std::vector<std::vector<double>>& expected) {
    const Program program = parseProgram(text, {{"x", {{2}, DType::float32}}});
    for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
      const auto executor = makeExecutor(info.name, fixture.backend(), program);
      const auto results = executor->call(inputs);
      ASSERT_EQ(results.size(), expected.size());
      for (std::size_t o = 0; o < expected.size(); ++o)
        EXPECT_EQ(EngineFixture::values(results[o]), expected[o]) << info.name << " of\n" << text;
    }
  };
  expectIn(gradient(""), {{4, 8}});
  expectIn(gradient("@torch.no_grad()\n"), {{2, 4}});
  expectIn("from torch import no_grad\n" + gradient("@no_grad\n"), {{2, 4}});
  expectIn(gradient("@torch.jit.script\n"), {{4, 8}});
  const std::string twice =
      "def times(k):\n  def around(fn):\n    def made(*a, **kw):\n      return fn(*a, **kw) * k\n"
      "    return made\n  return around\n";
  expectIn(twice + "@times(3)\n@times(2)\ndef g(v):\n  return v + 1\ndef f(x):\n  return g(x)",
           {{12, 18}});
  expectIn(twice +
               "class M(nn.Module):\n  @times(5)\n  def part(self, v):\n    return v + 1\n"
               "  def forward(self, x):\n    return self.part(x)",
           {{10, 15}});
  const Program cast = parseProgram(
      "@torch.autocast('cpu', dtype=torch.bfloat16)\ndef g(v):\n  return torch.mm(v, v)\n"
      "def f(x):\n  return g(x), torch.mm(x, x)",
      {{"x", {{2, 2}, DType::float32}}});
  const std::vector<Tensor> square{fixture.tensor({2, 2}, {1, 2, 3, 4})};
  const auto executor = makeExecutor("eager", fixture.backend(), cast);
  const auto results = executor->call(square);
  EXPECT_EQ(results[0].dtype, DType::bfloat16);
  EXPECT_EQ(results[1].dtype, DType::float32);
  EXPECT_THAT(complaintOf(twice + "@times(3)\ndef f(x):\n  return x"),
              HasSubstr("the program's main function cannot have a decorator"));
  EXPECT_THAT(complaintOf("@torch.vmap\ndef f(x):\n  return x"),
              HasSubstr("makes another function of this one"));
}

TEST(PyTorchCorners, TrueAndFalseLeaveTruthValuesWhatTheyAre) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.typed(DType::boolean, {2}, {0, 1}),
                                   fixture.typed(DType::int32, {2}, {-3, 4})};
  const std::string text =
      "def f(b, i):\n  return b ^ True, b | False, torch.where(b, True, False), b + True, i + "
      "True, "
      "torch.where(b, i, False), b * 2";
  expectValues(text, inputs, fixture, {{1, 0}, {0, 1}, {0, 1}, {1, 1}, {-2, 5}, {0, 4}, {0, 2}});
  const Program program = parseProgram(text, hintsOf(text, inputs));
  const auto executor = makeExecutor("eager", fixture.backend(), program);
  const auto results = executor->call(inputs);
  for (std::size_t o = 0; o < results.size(); ++o)
    EXPECT_EQ(results[o].dtype, o < 4 ? DType::boolean : o < 6 ? DType::int32 : DType::int64) << o;
  EXPECT_THAT(toText(program), HasSubstr("torch.where(b, True, False)"));
  EXPECT_THAT(complaintOf("def f(x):\n  return 1 - x", hintsFor({2}, DType::boolean)),
              HasSubstr("is not defined in PyTorch either"));
}

TEST(PyTorchCorners, FloatsMakeFloatsOfIntegers) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.typed(DType::int64, {3}, {-3, 0, 4})};
  const std::string text =
      "def f(a):\n  return a ** 2.0, a ** 3.0, a.clamp(0.0, 3.0), a ** 2, a.clamp(0, 3), "
      "torch.bitwise_left_shift(torch.tensor(1), a.abs()), torch.maximum(a, torch.tensor(1))";
  expectValues(text, inputs, fixture,
               {{9, 0, 16}, {-27, 0, 64}, {0, 0, 3}, {9, 0, 16}, {0, 0, 3}, {8, 1, 16}, {1, 1, 4}});
  const Program program = parseProgram(text, hintsOf(text, inputs));
  const auto executor = makeExecutor("eager", fixture.backend(), program);
  const auto results = executor->call(inputs);
  for (std::size_t o = 0; o < results.size(); ++o)
    EXPECT_EQ(results[o].dtype, o < 3 ? DType::float32 : DType::int64) << o;
  // PyTorch would make floats of integers for a bound that is printed as a float.
  EXPECT_THAT(toText(program), HasSubstr("torch.clamp(a, min=0, max=3)"));
  EXPECT_THAT(toText(program),
              HasSubstr("torch.bitwise_left_shift(torch.tensor(1), torch.abs(a))"));
  for (const char* power : {"-1", "-2"})
    EXPECT_THAT(
        complaintOf(std::string("def f(x):\n  return x ** ") + power, hintsFor({3}, DType::int64)),
        HasSubstr("integers to negative integer powers"));
  const std::vector<Tensor> whole{fixture.typed(DType::int64, {3}, {7, 8, 9})};
  expectValues("def f(a):\n  a[0] = 2.7\n  a[1:].fill_(-1.5)\n  return a * 1", whole, fixture,
               {{2, -1, -1}});
}

TEST(PyTorchCorners, SixteenBitFloatsMeetANumberThatIsRoundedAsTheyAre) {
  EngineFixture fixture;
  const std::string compared =
      "def f(x):\n  return x == 0.7, x < 0.7, x <= 0.7, x != 0.7, x >= 0.7";
  const std::string computed =
      "def f(x):\n  return x % 0.3, torch.fmod(x, 0.3), 9.1 % x, x.abs() ** 0.7, 0.3 ** x";
  const std::vector<std::vector<double>> truths{
      {1, 0, 0, 0}, {0, 1, 0, 1}, {1, 1, 0, 1}, {0, 1, 1, 1}, {1, 0, 1, 0}};
  const std::vector<double> values{0.7, 0.3, 7.5, -2.25};
  const std::vector<Tensor> halves{fixture.typed(DType::float16, {4}, values)},
      brains{fixture.typed(DType::bfloat16, {4}, values)};
  expectValues(compared, halves, fixture, truths);
  expectValues(compared, brains, fixture, truths);
  expectValues(computed, halves, fixture,
               {{0.10009765625, 0, 0.298828125, 0.150390625},
                {0.10009765625, 0, 0.298828125, -0.149658203125},
                {0.69921875, 0.10009765625, 1.6015625, -2.1484375},
                {0.779296875, 0.430419921875, 4.09765625, 1.7646484375},
                {0.430419921875, 0.69677734375, 0.00011992454528808594, 15.0078125}});
  expectValues(computed, brains, fixture,
               {{0.09765625, 0, 0.28125, 0.15625},
                {0.09765625, 0, 0.28125, -0.14453125},
                {0.03515625, 0.1015625, 1.625, -2.125},
                {0.77734375, 0.431640625, 4.09375, 1.765625},
                {0.431640625, 0.6953125, 0.0001220703125, 14.9375}});
}

/// Why the types of "def f(x): return `line`" are refused for x of three elements of a dtype.
std::string typeComplaint(const std::string& line, DType dtype) {
  const ProgramHints hints{{"x", {{3}, dtype}}};
  try {
    const Program program = parseProgram("def f(x):\n  " + line, hints);
    const std::vector<ValueType> types{hints.at("x")};
    inferTypes(program, types);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "it was accepted";
}

TEST(PyTorchCorners, NumbersAreConvertedToIntegersAsPyTorchDoesIt) {
  EngineFixture fixture;
  const std::vector<double> values{1, 4, 100};
  const std::string made =
      "def f(x):\n  y = x.clone()\n  y[0] = -1\n  return y, torch.full_like(x, -1), "
      "x.new_full((2,), -1), torch.tensor([-1, 2], dtype=x.dtype), x.add(x, alpha=-3), "
      "x.sub(x, alpha=-3), x.addcmul(x, x, value=-1), x.masked_fill(x > 3, -1), "
      "torch.where(x > 3, x, -1)";
  const std::string operators =
      "def f(x):\n  return x + 300, x * -1, -1 - x, 300 // x, x // 300, x % 300, x ^ -1, "
      "x == 257, x < 300, x > -1";
  const std::vector<Tensor> bytes{fixture.typed(DType::uint8, {3}, values)},
      chars{fixture.typed(DType::int8, {3}, values)};
  expectValues(made, bytes, fixture,
               {{255, 4, 100},
                {255, 255, 255},
                {255, 255},
                {255, 2},
                {254, 248, 56},
                {4, 16, 144},
                {0, 244, 84},
                {1, 255, 255},
                {255, 4, 100}});
  expectValues(operators, bytes, fixture,
               {{45, 48, 144},
                {255, 252, 156},
                {254, 251, 155},
                {44, 11, 0},
                {0, 0, 2},
                {1, 4, 12},
                {254, 251, 155},
                {1, 0, 0},
                {1, 1, 0},
                {0, 0, 0}});
  expectValues(made, chars, fixture,
               {{-1, 4, 100},
                {-1, -1, -1},
                {-1, -1},
                {-1, 2},
                {-2, -8, 56},
                {4, 16, -112},
                {0, -12, 84},
                {1, -1, -1},
                {-1, 4, 100}});
  expectValues(operators, chars, fixture,
               {{45, 48, -112},
                {-1, -4, -100},
                {-2, -5, -101},
                {44, 11, 0},
                {0, 0, 2},
                {1, 4, 12},
                {-2, -5, -101},
                {1, 0, 0},
                {1, 1, 0},
                {1, 1, 1}});
  for (const char* refused :
       {"torch.full_like(x, 300)", "torch.full_like(x, -300)", "x.new_full((2,), 256)",
        "torch.full((2,), 300, dtype=x.dtype)", "torch.tensor([300], dtype=x.dtype)",
        "x.add(x, alpha=300)", "x.addcmul(x, x, value=300)", "torch.where(x > 3, x, 300)",
        "x.masked_fill(x > 3, 300)", "x.fill_(300)", "x ** 300"})
    for (const DType dtype : {DType::uint8, DType::int8})
      EXPECT_THAT(typeComplaint(std::string("return ") + refused, dtype),
                  HasSubstr("without overflow"))
          << refused;
  EXPECT_THAT(typeComplaint("return torch.full_like(x, -129)", DType::int8),
              HasSubstr("without overflow"));
  EXPECT_EQ(typeComplaint("return torch.full_like(x, -129)", DType::uint8), "it was accepted");
  EXPECT_THAT(typeComplaint("return torch.full_like(x, 2 ** 31)", DType::int32),
              HasSubstr("without overflow"));
  EXPECT_THAT(typeComplaint("return x // 256", DType::uint8), HasSubstr("ZeroDivisionError"));
}

TEST(PyTorchCorners, BoundsThatAreFloatsMakeFloatsOfIntegers) {
  EngineFixture fixture;
  const double inf = std::numeric_limits<double>::infinity();
  const std::string text =
      "def f(x):\n  return x.clamp(min=1e3), x.clamp(min=float('inf')), "
      "x.clamp(max=-float('inf')), torch.clip(x, 0, 2.5), x.clamp_min(1e3), x.clamp(max=True), "
      "x.clamp(min=-300, max=70)";
  for (const DType dtype : {DType::uint8, DType::int8, DType::int32, DType::int64})
    expectValues(text, {fixture.typed(dtype, {3}, {1, 4, 100})}, fixture,
                 {{1000, 1000, 1000},
                  {inf, inf, inf},
                  {-inf, -inf, -inf},
                  {1, 2.5, 2.5},
                  {1000, 1000, 1000},
                  {1, 1, 1},
                  {1, 4, 70}});
  EXPECT_THAT(typeComplaint("return x.clamp(min=300)", DType::uint8),
              HasSubstr("outside the range of uint8"));
  EXPECT_THAT(typeComplaint("return x.clamp(max=-1)", DType::uint8),
              HasSubstr("outside the range of uint8"));
}

TEST(PyTorchCorners, AFactorOfTruthValuesIsOneOfThem) {
  EngineFixture fixture;
  expectValues(
      "def f(x):\n  return x.add(x, alpha=-1), x.add(x, alpha=2), torch.add(x, x, alpha=0), "
      "torch.full_like(x, -1)",
      {fixture.typed(DType::boolean, {3}, {1, 0, 1})}, fixture,
      {{1, 0, 1}, {1, 0, 1}, {1, 0, 1}, {1, 1, 1}});
}

TEST(PyTorchCorners, InfinityBecomesTheGreatestNumberOfItsDtype) {
  EngineFixture fixture;
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const std::string text =
      "def f(x):\n  return torch.nan_to_num(x), torch.nan_to_num(x, posinf=2.0, nan=0.5)";
  const auto expectGreatest = [&](DType dtype, double greatest) {
    expectValues(text, {fixture.typed(dtype, {4}, {inf, -inf, nan, 1.5})}, fixture,
                 {{greatest, -greatest, 0, 1.5}, {2, -greatest, 0.5, 1.5}});
  };
  expectGreatest(DType::float16, 65504);
  expectGreatest(DType::bfloat16, 3.3895313892515355e38);
  expectGreatest(DType::float32, 3.4028234663852886e38);
  expectGreatest(DType::float64, 1.7976931348623157e308);
}

TEST(PyTorchCorners, ANumberThatIsDividedIsRoundedToSixteenBits) {
  EngineFixture fixture;
  const double nan = std::nan("");
  const std::vector<double> values{1.1, 2.3, -3.7, 100};
  const std::vector<Tensor> halves{fixture.typed(DType::float16, {4}, values),
                                   fixture.typed(DType::int64, {4}, {1, 2, 3, 4})},
      brains{fixture.typed(DType::bfloat16, {4}, values), halves[1]};
  const std::string text =
      "def f(x, i):\n  return 100000 // x, torch.div(100000, x, rounding_mode='floor'), "
      "100000 % x, x // 100000, x // 0.1, torch.ldexp(x, i)";
  expectValues(text, halves, fixture,
               {{nan, nan, nan, nan},
                {nan, nan, nan, nan},
                {nan, nan, nan, nan},
                {0, 0, -1, 0},
                {10, 23, -37, 999},
                {2.19921875, 9.203125, -29.59375, 1600}});
  expectValues(text, brains, fixture,
               {{90624, 43520, -27008, 1000},
                {90624, 43520, -27008, 1000},
                {0.984375, 1.734375, -3.65625, 40},
                {0, 0, -1, 0},
                {11, 22, -38, 1000},
                {2.203125, 9.1875, -29.625, 1600}});
}

TEST(PyTorchCorners, ShrinkingComparesWithALimitOfSixteenBits) {
  EngineFixture fixture;
  for (const DType dtype : {DType::float16, DType::bfloat16})
    expectValues("def f(x):\n  return F.hardshrink(x, 0.3), F.softshrink(x, 0.3)",
                 {fixture.typed(dtype, {3}, {0.3, -0.3, 0.25})}, fixture, {{0, 0, 0}, {0, 0, 0}});
}

TEST(PyTorchCorners, AFloatThatIsMadeATensorIsOfFloat32) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.typed(DType::float64, {3}, {1, 0, 0.05})};
  const std::string text =
      "def f(x):\n  t = torch.tensor(0.1)\n  assert t == 0.1\n"
      "  r = x + t, x * t, torch.maximum(x, t), x + (t + 0.2), x + t.item(), x + 0.1, "
      "x + torch.tensor(0.1, dtype=torch.float64)\n  return r";
  const Program program = parseProgram(text, hintsOf(text, inputs));
  const std::vector<std::vector<double>> expected{
      {1.1000000014901161, 0.10000000149011612, 0.1500000014901161},
      {0.10000000149011612, 0, 0.005000000074505806},
      {1, 0.10000000149011612, 0.10000000149011612},
      {1.300000011920929, 0.30000001192092896, 0.35000001192092894},
      {1.1000000014901161, 0.10000000149011612, 0.1500000014901161},
      {1.1, 0.1, 0.15000000000000002},
      {1.1, 0.1, 0.15000000000000002}};
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    const auto results = executor->call(inputs);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t o = 0; o < expected.size(); ++o)
      for (std::size_t i = 0; i < expected[o].size(); ++i)
        EXPECT_NEAR(EngineFixture::values(results[o])[i], expected[o][i], 1e-15)
            << o << ", " << i << " by " << info.name;
  }
}

TEST(PyTorchCorners, WhatNormalizesOrResamplesSixteenBitsKeepsThem) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({1, 1, 2, 2}, {1.1F, 2.3F, -3.7F, 100}),
                                   fixture.tensor({1, 1, 1, 1}, {0.7F}),
                                   fixture.tensor({1}, {0.3F}), fixture.tensor({1}, {1.7F})};
  expectValues(
      "def f(x, w, mean, var):\n  with torch.autocast('cpu', dtype=torch.bfloat16):\n"
      "    c = F.conv2d(x, w)\n    return F.batch_norm(c, mean, var), "
      "F.interpolate(c, scale_factor=2, mode='bilinear')[0, 0, :2]",
      inputs, fixture,
      {{0.359375, 1.0078125, -2.21875, 53.5},
       {0.76953125, 0.98046875, 1.3984375, 1.609375, -0.0712890625, 4.625, 14, 18.75}});
  const std::vector<Tensor> narrow{
      fixture.typed(DType::bfloat16, {1, 1, 2, 2}, {1.1, 2.3, -3.7, 100}), inputs[2], inputs[3]};
  expectValues(
      "def f(x, mean, var):\n  return F.interpolate(x, scale_factor=2, mode='bilinear')[0, 0, :2], "
      "F.batch_norm(x, mean, var, var, mean)",
      narrow, fixture,
      {{1.1015625, 1.3984375, 2, 2.296875, -0.099609375, 6.59375, 20, 26.75},
       {1.34375, 2.90625, -4.90625, 130}});
  expectValues(
      "def f(x, w):\n  return F.layer_norm(x, (2,), w), F.rms_norm(x * 0 + 1, (2,), w), "
      "F.group_norm(x, 1, w[:1])",
      {fixture.typed(DType::bfloat16, {1, 1, 2}, {1, 3}), fixture.tensor({2}, {0.7F, 0.7F})},
      fixture, {{-0.69921875, 0.69921875}, {0.69921875, 0.69921875}, {-0.69921875, 0.69921875}});
}

TEST(PyTorchCorners, MatmulsOfIntegersAreOfTheirDtype) {
  EngineFixture fixture;
  const std::string text =
      "def f(x, y):\n  m = torch.stack([x, y])\n  return torch.outer(x, y), torch.dot(x, y), x @ "
      "y, "
      "torch.matmul(m, x), torch.mm(m, m.T), torch.bmm(m[None], m.T[None]), torch.mv(m, y), "
      "torch.einsum('ij,kj->ki', m, m), F.linear(m, m), torch.inner(x, y)";
  // PyTorch's results for int64; for bytes it keeps the lowest bits.
  const std::vector<std::vector<double>> products{{2, 3, 5, 8, 12, 20, 200, 300, 500},
                                                  {514},
                                                  {514},
                                                  {10017, 514},
                                                  {10017, 514, 514, 38},
                                                  {10017, 514, 514, 38},
                                                  {514, 38},
                                                  {10017, 514, 514, 38},
                                                  {10017, 514, 514, 38},
                                                  {514}};
  for (const DType dtype : {DType::int64, DType::int32, DType::int8, DType::uint8}) {
    std::vector<std::vector<double>> expected = products;
    for (std::vector<double>& each : expected)
      for (double& value : each) {
        if (dtype == DType::uint8) value = static_cast<std::uint8_t>(static_cast<int>(value));
        if (dtype == DType::int8) value = static_cast<std::int8_t>(static_cast<int>(value));
      }
    expectValues(text,
                 {fixture.typed(dtype, {3}, {1, 4, 100}), fixture.typed(dtype, {3}, {2, 3, 5})},
                 fixture, expected);
  }
  const ProgramHints hints{{"x", {{3}, DType::int64}}, {"y", {{1}, DType::int64}}};
  const Program unequal = parseProgram("def f(x, y):\n  return torch.dot(x, y)", hints);
  const std::vector<ValueType> types{hints.at("x"), hints.at("y")};
  EXPECT_THROW(inferTypes(unequal, types), ProgramError);
}

TEST(PyTorchCorners, CatPromotesAndLeavesOutWhatHasNoElementsAndOneDimension) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2, 3}, {0, 1, 2, 3, 4, 5}),
                                   fixture.typed(DType::int64, {1, 3}, {7, 8, 9}),
                                   fixture.tensor({0}, {})};
  expectValues("def f(x, i, e):\n  return torch.cat([i, x, i > 7]), torch.cat([e, x, i])", inputs,
               fixture, {{7, 8, 9, 0, 1, 2, 3, 4, 5, 0, 1, 1}, {0, 1, 2, 3, 4, 5, 7, 8, 9}});
  EXPECT_THAT(complaintOf("def f(x, y):\n  return torch.cat([x, y[0]])", hintsFor({2, 3})),
              HasSubstr("as many dimensions"));
}

TEST(PyTorchCorners, WhatDoesNotFitTogetherIsRefused) {
  const auto refused = [&](const std::string& line, const ProgramHints& hints) {
    try {
      const Program program = parseProgram("def f(x, y):\n  return " + line, hints);
      const std::vector<ValueType> types{hints.at("x"), hints.at("y")};
      inferTypes(program, types);
    } catch (const ProgramError&) {
      return true;
    }
    return false;
  };
  const ProgramHints wide{{"x", {{2, 4}, DType::float32}}, {"y", {{2, 1}, DType::float32}}};
  EXPECT_TRUE(refused("torch.stack([x, y])", wide));
  EXPECT_TRUE(refused("torch.cat([x, y], 0)", wide));
  EXPECT_FALSE(refused("torch.cat([x, y], 1)", wide));
  EXPECT_TRUE(refused("x.split([1, 2], 1)[0]", wide));
  EXPECT_FALSE(refused("x.split([1, 3], 1)[0]", wide));
  EXPECT_TRUE(refused("F.binary_cross_entropy_with_logits(x, y)", wide));
  EXPECT_TRUE(refused("F.binary_cross_entropy(x, y)", wide));
  EXPECT_TRUE(refused("F.layer_norm(x, (5,)) + y", wide));
  EXPECT_TRUE(refused("F.group_norm(x, 3) + y", wide));
  EXPECT_FALSE(refused("F.group_norm(x, 2) + y", wide));
  const ProgramHints one{{"x", {{1, 4}, DType::float32}}, {"y", {{4}, DType::float32}}};
  EXPECT_TRUE(refused("F.batch_norm(x, None, None, training=True) + y", one));
  EXPECT_THAT(
      complaintOf("def f(x, y):\n  x.requires_grad_()\n  return x", hintsFor({2}, DType::int64)),
      HasSubstr("only floating-point tensors can require gradients"));
}

TEST(PyTorchCorners, TensorsOfSeveralRanksAreStackedInRows) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2}, {1, 2}),
                                   fixture.tensor({2, 2}, {3, 4, 5, 6})};
  expectValues("def f(x, y):\n  return torch.vstack([x, y]), torch.vstack([y, x])", inputs, fixture,
               {{1, 2, 3, 4, 5, 6}, {3, 4, 5, 6, 1, 2}});
}

TEST(PyTorchCorners, ModulesThatAreAddedByNameAreRun) {
  const std::string text =
      "m = nn.Sequential()\nm.add_module('a', nn.Linear(2, 2))\nm.add_module('b', nn.Tanh())\n"
      "def f(x):\n  return m(x)";
  const Program program = parseProgram(text, {{"x", {{2}, DType::float32}}});
  EXPECT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(program.held.size(), 2u);
}

TEST(PyTorchCorners, WhatIsMadeOfAParameterFollowsIt) {
  EngineFixture fixture;
  const std::string begin =
      "class M(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
      "    self.w = nn.Parameter(torch.ones(2))\n  def forward(self, x):\n    return ";
  const std::string end = "\nm = M()\ndef f(x):\n  m(x).sum().backward()\n  return m.w.grad";
  const std::vector<Tensor> inputs{fixture.tensor({2}, {3, 5}), fixture.tensor({2}, {1, 1})};
  for (const auto& [made, expected] : {std::pair{"self.w * 2 * x", std::vector<double>{6, 10}},
                                       {"-self.w * x", {-3, -5}},
                                       {"self.w[None] * x", {3, 5}},
                                       {"self.w.view(1, -1) * x", {3, 5}},
                                       {"self.w.unsqueeze(0) * x", {3, 5}},
                                       {"self.w.sum() * x", {8, 8}},
                                       {"(self.w + self.w) * x", {6, 10}}}) {
    const Program program = parseProgram(begin + made + end, {{"x", {{2}, DType::float32}}});
    EXPECT_EQ(program.held.size(), 1u) << made;
    for (const ExecutorInfo& info : executorsOn(fixture.backend()))
      EXPECT_EQ(EngineFixture::values(
                    makeExecutor(info.name, fixture.backend(), program)->call(inputs)[0]),
                expected)
          << made << " by " << info.name;
  }
}

TEST(PyTorchCorners, AClassOfALayerHasItsParameters) {
  const Program program = parseProgram(
      "class L(nn.Linear):\n  def forward(self, x):\n    return F.linear(x, self.weight * 2)\n"
      "m = L(2, 1)\ndef f(x):\n  m(x).sum().backward()\n  return m.weight.grad",
      {{"x", {{2}, DType::float32}}});
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2}, {3, 5}), fixture.tensor({1, 2}, {1, 1})};
  EXPECT_EQ(
      EngineFixture::values(makeExecutor("eager", fixture.backend(), program)->call(inputs)[0]),
      (std::vector<double>{6, 10}));
}

TEST(PyTorchCorners, RunningStatisticsAreNoParameters) {
  const Program program = parseProgram(
      "m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)).eval()\n"
      "opt = torch.optim.SGD(m.parameters(), lr=0.1)\ndef f(x):\n  loss = m(x).pow(2).mean()\n"
      "  loss.backward()\n  opt.step()\n  return loss, m[1].running_mean, m[1].running_var",
      {{"x", {{3, 2}, DType::float32}}});
  int parameters = 0;
  for (const HeldInput& held : program.held) parameters += held.parameter;
  EXPECT_EQ(parameters, 4);
  EXPECT_EQ(program.held.size(), 6u);
  for (const Op& op : program.ops) {
    if (!op.writesInto()) continue;
    EXPECT_EQ(program.inputs[static_cast<std::size_t>(op.into)].find("running"), std::string::npos);
  }
}

TEST(PyTorchCorners, WhatIsDeletedIsGone) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({1}, {1})};
  expectValues(
      "def f(x):\n  d = {'a': 1, 'b': 2, 'c': 3}\n  del d['b']\n  l = [1, 2, 3, 4]\n"
      "  del l[0], l[-1]\n  return x * sum(d.values()), x * sum(l), x * len(d)",
      inputs, fixture, {{4}, {5}, {2}});
  EXPECT_THAT(complaintOf("def f(x):\n  d = {'a': 1}\n  del d['b']\n  return x"),
              HasSubstr("del takes existing names"));
}

TEST(PyTorchCorners, SumsOfIntegersHaveTheDtypeThatIsAskedFor) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.typed(DType::uint8, {3}, {200, 100, 1})};
  const std::string text =
      "def f(u):\n  return u.sum(dtype=torch.uint8), torch.sum(u, dtype=torch.int32), u.sum(), "
      "u.sum(dtype=torch.float64)";
  expectValues(text, inputs, fixture, {{45}, {301}, {301}, {301}});
  const Program program = parseProgram(text, hintsOf(text, inputs));
  const auto executor = makeExecutor("eager", fixture.backend(), program);
  const auto results = executor->call(inputs);
  const DType expected[] = {DType::uint8, DType::int32, DType::int64, DType::float64};
  for (std::size_t o = 0; o < results.size(); ++o) EXPECT_EQ(results[o].dtype, expected[o]) << o;
}

TEST(PyTorchCorners, WhatIsRepeatedIsACopy) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({1, 2}, {1, 2})};
  for (const auto& [repeated, expected] :
       {std::pair{"x.repeat(2, 1)", std::vector<double>{1, 2, 1, 2}},
        {"x.repeat(1, 1)", {1, 2}},
        {"x.repeat_interleave(2, 0)", {1, 2, 1, 2}},
        {"torch.tile(x, (2, 1))", {1, 2, 1, 2}}}) {
    std::vector<double> written = expected;
    for (double& value : written) value *= 10;
    expectValues(std::string("def f(x):\n  y = ") + repeated +
                     "\n  z = y * 1\n  y *= 10\n  x += 5\n  return y, z, x",
                 inputs, fixture, {written, expected, {6, 7}});
  }
}

TEST(PyTorchCorners, WhatAStatementNamesIsNotWorkedOutAgainAfterAWrite) {
  const std::string text =
      "def g(v):\n  total = v.sum()\n  v.mul_(1 / total)\n  return total\n"
      "def f(x):\n  y = x * 2\n  n = g(y)\n  return n, y";
  const std::string printed = toText(parseProgram(text, {{"x", {{3}, DType::float32}}}));
  std::size_t sums = 0;
  for (std::size_t at = printed.find("torch.sum("); at != std::string::npos;
       at = printed.find("torch.sum(", at + 1))
    ++sums;
  EXPECT_EQ(sums, 1u) << printed;
}

}  // namespace
}  // namespace fusebench
