// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/parser.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

namespace fusebench {
namespace {

/// The ops of a program as "add mul_2 sum": names, with the numbers that are operands.
std::string opsOf(const Program& program) {
  std::string text;
  for (const Op& op : program.ops) text += (text.empty() ? "" : " ") + std::string(op.row->name);
  return text;
}

std::string opsOf(const std::string& text) {
  return opsOf(parseProgram(text));
}

TEST(ParserTest, ReadsStatementsAndAReturn) {
  const Program program = parseProgram(
      "x = torch.exp(x * 0.5)  # a comment\n"
      "\n"
      "y = x + w\n"
      "return y.sum()\n");
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"x", "w"}));
  EXPECT_EQ(opsOf(program), "mul exp add sum");
  ASSERT_EQ(program.statements.size(), 2u);
  EXPECT_EQ(program.statements[0].target, "x");
  EXPECT_EQ(program.statements[0].text, "x = torch.exp(x * 0.5)");
  EXPECT_EQ(program.statements[0].opCount, 2);
  EXPECT_EQ(program.statements[1].place.line, 3);
  EXPECT_EQ(program.returnText, "y.sum()");
  EXPECT_EQ(program.ops[0].operands[1].number, 0.5);
  EXPECT_EQ(program.ops[2].operands[0].value, program.statements[0].value);
  EXPECT_EQ(program.ops[2].operands[1].value, 1);
  EXPECT_EQ(program.ops[3].statement, -1);
  EXPECT_EQ(program.outputs, (std::vector<ValueId>{program.result(3)}));
}

TEST(ParserTest, FollowsPythonsPrecedence) {
  EXPECT_EQ(toText(parseProgram("return -x ** 2 + a * b ** c ** d - (a - (b - c))")),
            "def program(x, a, b, c, d):\n"
            "    return -torch.square(x) + a * b ** c ** d - (a - (b - c))\n");
  EXPECT_EQ(opsOf("return (a + b) * c < d - 1"), "add mul sub lt");
  EXPECT_EQ(opsOf("return a // b % c / d"), "floor_divide remainder div");
  EXPECT_EQ(opsOf("return a ** -b"), "neg pow");
  EXPECT_EQ(opsOf("return ~(a > 0) & (b < 1) | (c == 2) ^ (d != 3)"),
            "gt logical_not lt logical_and eq ne logical_xor logical_or");
}

TEST(ParserTest, SpecialExponentsBecomeTheirOwnOps) {
  EXPECT_EQ(opsOf("return x ** 2"), "square");
  EXPECT_EQ(opsOf("return torch.pow(x, 3.0)"), "cube");
  EXPECT_EQ(opsOf("return x.pow(0.5)"), "sqrt");
  EXPECT_EQ(opsOf("return x ** -1"), "reciprocal");
  EXPECT_EQ(opsOf("return x ** -0.5"), "rsqrt");
  EXPECT_EQ(opsOf("return x ** 2.5"), "pow");
  EXPECT_EQ(opsOf("return 2 ** x"), "pow");
}

TEST(ParserTest, KeywordsChooseSiblings) {
  EXPECT_EQ(opsOf("return F.gelu(x)"), "gelu");
  EXPECT_EQ(opsOf("return F.gelu(x, approximate='none')"), "gelu");
  EXPECT_EQ(opsOf("return F.gelu(x, approximate=\"tanh\")"), "gelu_tanh");
  EXPECT_EQ(opsOf("return torch.div(x, y, rounding_mode='floor')"), "floor_divide");
  EXPECT_EQ(opsOf("return x.div(y, rounding_mode='trunc')"), "trunc_divide");
  EXPECT_EQ(opsOf("return x.div(y, rounding_mode=None)"), "div");
  const Program scaled = parseProgram("return torch.add(x, y, alpha=2)");
  EXPECT_EQ(opsOf(scaled), "add_scaled");
  EXPECT_EQ(scaled.ops[0].parameters, std::vector<double>{2});
}

TEST(ParserTest, MaxIsPointwiseOrAReduction) {
  EXPECT_EQ(opsOf("return torch.max(x, y)"), "maximum");
  EXPECT_EQ(opsOf("return x.max()"), "amax");
  EXPECT_EQ(opsOf("return torch.min(x)"), "amin");
}

TEST(ParserTest, ReductionsTakeDimsInEveryForm) {
  const auto op = [](const std::string& call) { return parseProgram("return " + call).ops.at(0); };
  EXPECT_EQ(op("x.sum()").dims, std::nullopt);
  EXPECT_EQ(op("x.sum(dim=None)").dims, std::nullopt);
  EXPECT_EQ(op("x.sum(())").dims, std::nullopt);
  EXPECT_EQ(op("x.sum(-1)").dims, (std::vector<int>{-1}));
  EXPECT_EQ(op("x.sum((0, -1), True)").dims, (std::vector<int>{0, -1}));
  EXPECT_TRUE(op("x.sum((0, -1), True)").keepDims);
  EXPECT_EQ(op("torch.mean(x, axis=[1], keepdims=True)").dims, (std::vector<int>{1}));
  EXPECT_EQ(op("x.var(0)").parameters.at(1), 1);
  EXPECT_EQ(op("x.var(0, unbiased=False)").parameters.at(1), 0);
  EXPECT_EQ(op("x.std(0, False)").parameters.at(1), 0);
  EXPECT_EQ(op("x.std(False)").parameters.at(1), 0);
  EXPECT_EQ(op("x.std(dim=0, correction=2, keepdim=True)").parameters.at(1), 2);
}

TEST(ParserTest, ParametersComeByPlaceByKeywordOrByDefault) {
  const auto parameters = [](const std::string& call) {
    return parseProgram("return " + call).ops.at(0).parameters;
  };
  EXPECT_EQ(parameters("F.leaky_relu(x)"), std::vector<double>{0.01});
  EXPECT_EQ(parameters("F.leaky_relu(x, 0.2)"), std::vector<double>{0.2});
  EXPECT_EQ(parameters("F.leaky_relu(x, negative_slope=1 / 4)"), std::vector<double>{0.25});
  EXPECT_EQ(parameters("x.clamp(min=0)").at(0), 0);
  EXPECT_EQ(parameters("x.clamp(min=0)").at(1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parameters("torch.clamp(x, None, 6)").at(1), 6);
  EXPECT_EQ(parameters("F.relu(x, inplace=False)").size(), 0u);
}

TEST(ParserTest, NumbersAreComputedAsPythonDoes) {
  const auto number = [](const std::string& expression) {
    return parseProgram("return x + (" + expression + ")").ops.at(0).operands.at(1).number;
  };
  EXPECT_EQ(number("2 * 3 + 4"), 10);
  EXPECT_EQ(number("7 // 2"), 3);
  EXPECT_EQ(number("-7 // 2"), -4);
  EXPECT_EQ(number("-7 % 3"), 2);
  EXPECT_EQ(number("7 / 2"), 3.5);
  EXPECT_EQ(number("2 ** -1"), 0.5);
  EXPECT_EQ(number("-2 ** 2"), -4);
  EXPECT_EQ(number("math.sqrt(2 / math.pi)"), std::sqrt(2 / std::numbers::pi));
  EXPECT_EQ(number("torch.pi"), std::numbers::pi);
  EXPECT_EQ(number("np.exp(1)"), std::exp(1.0));
  EXPECT_EQ(number("math.log(8, 2)"), std::log(8.0) / std::log(2.0));
  EXPECT_EQ(number("1_000.5e-3"), 1.0005);
  EXPECT_EQ(number("0x10"), 16);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("max(1, 2, 3)"), 3);
  EXPECT_EQ(number("float('-inf')"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("abs(-3)"), 3);
  EXPECT_EQ(number("int(3.9)"), 3);
}

TEST(ParserTest, NumbersMayHaveNames) {
  const Program program = parseProgram("c = math.sqrt(2)\nc *= 2\ny = x * c\nreturn y");
  EXPECT_EQ(program.statements.size(), 1u);
  EXPECT_EQ(program.ops[0].operands[1].number, 2 * std::sqrt(2.0));
}

TEST(ParserTest, AugmentedAssignmentIsAnOp) {
  const Program program = parseProgram("x += 1\nx **= 2\nx //= w\nreturn x");
  EXPECT_EQ(opsOf(program), "add square floor_divide");
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"x", "w"}));
  EXPECT_TRUE(program.isChain());
}

TEST(ParserTest, PastedFunctionsWork) {
  const Program program = parseProgram(R"(
import math
import torch
import torch.nn as nn
from torch.nn import functional as F
from torch import sin as sine, Tensor


class Block(nn.Module):
    """Not needed here."""

    @torch.no_grad()
    def forward(self, x: torch.Tensor, weight: "Tensor" = None, bias: Optional[Tensor] = None,
                *, eps: float = 1e-5, approximate: str = 'tanh') -> Tuple[torch.Tensor, torch.Tensor]:
        r"""Normalizes.

        Over the last dimension."""
        mean = x.mean(-1, keepdim=True)  # over features
        var = x.var(dim=-1, unbiased=False, keepdim=True)
        y: torch.Tensor = (x - mean) \
            / torch.sqrt(var + eps)
        y = (
            y * weight
            + bias   # broadcast
        )
        with torch.no_grad():
            z = F.gelu(y, approximate=approximate)
        act = F.silu; z = act(z) + sine(z)
        return z, y.detach()
)");
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"x", "weight", "bias"}));
  EXPECT_EQ(opsOf(program), "mean var sub add sqrt div mul add gelu_tanh silu sin add");
  EXPECT_EQ(program.outputs.size(), 2u);
  EXPECT_EQ(program.statements[3].text, "y = (y * weight + bias)");
  EXPECT_EQ(program.ops[3].operands[1].number, 1e-5);
}

TEST(ParserTest, IndentedBodiesAndOneLinersWork) {
  EXPECT_EQ(opsOf("    x = x + 1\n    return x\n"), "add");
  EXPECT_EQ(opsOf("def f(x): return x + 1"), "add");
  EXPECT_EQ(opsOf("\xEF\xBB\xBFx = x + 1\r\nreturn x\r\n"), "add");
  EXPECT_EQ(opsOf("def f(x):\n\ty = x * 2\n\treturn y"), "mul");
}

TEST(ParserTest, InputsAreTheHeadersOrTheFreeNames) {
  EXPECT_EQ(parseProgram("def f(b, a, c):\n  return a + b").inputs,
            (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(parseProgram("y = b + a\nreturn y * c").inputs,
            (std::vector<std::string>{"b", "a", "c"}));
}

TEST(ParserTest, ATensorMayBeReturnedAsItIs) {
  const Program program = parseProgram("def f(x):\n  y = x\n  return y");
  EXPECT_EQ(program.outputs, std::vector<ValueId>{0});
  EXPECT_EQ(program.statements[0].opCount, 0);
}

}  // namespace
}  // namespace fusebench
