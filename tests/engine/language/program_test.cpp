// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program.h"

#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/random_programs.h"

namespace fusebench {
namespace {

TEST(FirstStatementsTest, TheStudysThirtyStatementsAreThirtyFourOps) {
  const Program pool = parseProgram(studyProgram());
  ASSERT_TRUE(pool.isChain());
  const Program program = firstStatements(pool, 30);
  EXPECT_EQ(program.statements.size(), 30u);
  EXPECT_EQ(program.ops.size(), 34u);
  EXPECT_EQ(program.ops.back().row->name, "sum");
  EXPECT_EQ(program.ops.back().statement, -1);
  EXPECT_EQ(program.statements[27].text, "x = torch.exp(x * 0.5)");
  EXPECT_EQ(program.statements[27].opCount, 2);
}

TEST(FirstStatementsTest, AChainReadsOnFromStatementToStatement) {
  const Program program =
      firstStatements(parseProgram("x = x + w\nx = torch.exp(x * 2)\nreturn x.sum(), x"), 5);
  EXPECT_EQ(toText(program),
            "def program(x, w):\n"
            "    x = x + w\n"
            "    x = torch.exp(x * 2)\n"
            "    x = x + w\n"
            "    x = torch.exp(x * 2)\n"
            "    x = x + w\n"
            "    return torch.sum(x), x\n");
  for (std::size_t i = 0; i < program.ops.size(); ++i)
    for (const Operand& operand : program.ops[i].operands)
      EXPECT_LT(operand.value, program.result(static_cast<int>(i)))
          << "reads a value before it is made";
}

TEST(FirstStatementsTest, EveryLengthOfAChainIsThePrefixOfALongerOne) {
  const Program pool = parseProgram(studyProgram());
  const Program longest = firstStatements(pool, 60);
  for (int n = 1; n < 60; ++n) {
    const Program program = firstStatements(pool, n);
    const Statement& last = program.statements.back();
    ASSERT_EQ(program.ops.size(), static_cast<std::size_t>(last.firstOp + last.opCount) + 1);
    EXPECT_EQ(program.ops.back().operands[0].value, last.value);
    for (int i = 0; i < last.firstOp + last.opCount; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_EQ(program.ops[at].row, longest.ops[at].row);
      EXPECT_EQ(program.ops[at].statement, longest.ops[at].statement);
      EXPECT_EQ(program.ops[at].operands[0].value, longest.ops[at].operands[0].value);
    }
  }
}

TEST(FirstStatementsTest, ABranchingProgramReturnsWhatIsNotYetUsed) {
  const Program program =
      parseProgram("a = x + 1\nb = x * 2\nc = a - b\nd = torch.exp(b)\nreturn c / d");
  EXPECT_FALSE(program.isChain());
  EXPECT_EQ(firstStatements(program, 1).returnText, "a");
  EXPECT_EQ(firstStatements(program, 2).returnText, "a, b");
  EXPECT_EQ(firstStatements(program, 3).returnText, "c");
  EXPECT_EQ(firstStatements(program, 4).returnText, "c / d");
  EXPECT_EQ(firstStatements(program, 4).ops.size(), 5u);
}

TEST(FirstStatementsTest, ABranchingProgramDoesNotReturnValuesThatLostTheirName) {
  const Program program = parseProgram("a = x + 1\na = y * 2\nb = a + x\nreturn b");
  EXPECT_EQ(firstStatements(program, 2).returnText, "a");
  EXPECT_EQ(firstStatements(program, 2).outputs, (std::vector<ValueId>{3}));
}

TEST(FirstStatementsTest, WhatDoesNotFitIsRefused) {
  const Program branching = parseProgram("a = x + 1\nb = a * x\nreturn a + b");
  EXPECT_THROW(firstStatements(branching, 0), ProgramError);
  EXPECT_THROW(firstStatements(branching, 3), ProgramError);
  EXPECT_THROW(firstStatements(parseProgram("return x + 1"), 1), ProgramError);
}

TEST(ProgramTest, ChainsRebindTheOneNameThatTheyRead) {
  const auto isChain = [](const char* text) { return parseProgram(text).isChain(); };
  EXPECT_TRUE(isChain("x = x + 1\nreturn x"));
  EXPECT_TRUE(isChain("x = x + w\nreturn torch.sum(x * w)"));
  EXPECT_FALSE(isChain("y = x + 1\nreturn y")) << "makes another name";
  EXPECT_FALSE(isChain("x = x + 1\ny = x * 2\nreturn y"));
  EXPECT_FALSE(isChain("x = w + 1\nreturn x")) << "does not go on from x";
  EXPECT_FALSE(isChain("y = x\nx = x + 1\nx = x + y\nreturn x")) << "reads what x was";
  EXPECT_FALSE(isChain("def f(x, w):\n  x = x + 1\n  return w * 2")) << "returns something else";
  EXPECT_FALSE(isChain("return x + 1")) << "has no statements";
}

TEST(ToTextTest, PrintsAFunctionThatIsReadBackTheSame) {
  const Program program = parseProgram(
      "def f(x, w):\n"
      "  k = -(2 - x) ** 2.5 + F.leaky_relu(w, 0.2).sum(0, keepdim=True)\n"
      "  return torch.clamp(k, max=6) * float('inf'), torch.where(x < 0, 1, k), torch.maximum(x, "
      "torch.tensor(0.5))");
  EXPECT_EQ(toText(program),
            "def program(x, w):\n"
            "    k = -(2 - x) ** 2.5 + torch.sum(torch.nn.functional.leaky_relu(w, "
            "negative_slope=0.2), dim=0, keepdim=True)\n"
            "    return torch.clamp(k, max=6) * float('inf'), torch.where(x < 0, 1, k), "
            "torch.maximum(x, torch.tensor(0.5))\n");
}

TEST(ToTextTest, ValuesKeepANameWhenTheirsIsTaken) {
  EXPECT_EQ(toText(parseProgram("def f(x):\n  y = x\n  x = x + 1\n  y2 = y * x\n  return y2 + y")),
            "def program(x):\n"
            "    y = x\n"
            "    x = y + 1\n"
            "    y2 = y * x\n"
            "    return y2 + y\n");
}

TEST(ToTextTest, ProgramsMadeWithoutTextPrintToo) {
  // x = x + x; then a result that two statements use, and the input after its name was given away.
  Program program;
  program.inputs = {"x"};
  const auto op = [&](const char* name, std::vector<Operand> operands, int statement) {
    Op made;
    made.row = findOp(name);
    made.operands = std::move(operands);
    made.statement = statement;
    program.ops.push_back(std::move(made));
  };
  op("exp", {{0}}, 0);
  op("add", {{1}, {1}}, 0);
  op("mul", {{0}, {2}}, 1);
  program.statements = {{"x", "", 0, 2, 2, {}}, {"y", "", 2, 1, 3, {}}};
  program.outputs = {3, 1};
  const std::string text = toText(program);
  EXPECT_EQ(text,
            "def program(x):\n"
            "    t1 = x\n"
            "    t2 = torch.exp(t1)\n"
            "    x = t2 + t2\n"
            "    y = t1 * x\n"
            "    return y, t2\n");
  EXPECT_EQ(toText(parseProgram(text)), text);
}

bool sameOps(const Program& a, const Program& b) {
  if (a.inputs != b.inputs || a.ops.size() != b.ops.size() || a.outputs != b.outputs ||
      a.statements.size() != b.statements.size())
    return false;
  for (std::size_t i = 0; i < a.statements.size(); ++i)
    if (a.statements[i].target != b.statements[i].target ||
        a.statements[i].value != b.statements[i].value)
      return false;
  for (std::size_t i = 0; i < a.ops.size(); ++i) {
    const Op &p = a.ops[i], &q = b.ops[i];
    if (p.row != q.row || p.parameters != q.parameters || p.dims != q.dims ||
        p.keepDims != q.keepDims || p.statement != q.statement ||
        p.operands.size() != q.operands.size())
      return false;
    for (std::size_t k = 0; k < p.operands.size(); ++k)
      if (p.operands[k].value != q.operands[k].value ||
          p.operands[k].number != q.operands[k].number ||
          p.operands[k].integer != q.operands[k].integer)
        return false;
  }
  return true;
}

TEST(ToTextTest, RandomProgramsAreReadBackTheSame) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    const std::string text = test::randomProgramText(seed);
    const Program program = parseProgram(text);
    const std::string printed = toText(program);
    ASSERT_TRUE(sameOps(program, parseProgram(printed))) << text << printed;
  }
}

std::string typeError(const char* text, std::vector<ValueType> inputs) {
  try {
    inferTypes(parseProgram(text), inputs);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "fits";
}

TEST(InferTypesTest, ShapesBroadcastAndReduce) {
  const Program program = parseProgram(
      "def f(x, w):\n  y = x + w\n  m = y.mean(-1, keepdim=True)\n  return y > m, y.sum(0), "
      "y.argmax()");
  const auto types = inferTypes(program, std::vector<ValueType>{{{8, 16}}, {{16}}});
  const auto output = [&](std::size_t i) {
    return types[static_cast<std::size_t>(program.outputs[i])];
  };
  EXPECT_EQ(types[3].shape, (Shape{8, 1}));
  EXPECT_EQ(output(0).shape, (Shape{8, 16}));
  EXPECT_EQ(output(0).dtype, DType::boolean);
  EXPECT_EQ(output(1).shape, (Shape{16}));
  EXPECT_EQ(output(2).shape, Shape{});
  EXPECT_EQ(output(2).dtype, DType::int64);
}

TEST(InferTypesTest, WhatDoesNotFitNamesTheStatementAndTheShapes) {
  EXPECT_EQ(typeError("z = x + y\nreturn z", {{{8, 16}}, {{4}}}),
            "add: shapes (8, 16) and (4,) do not fit; dimensions, counted from the last, must be "
            "equal or 1 (in z = x + y)");
  EXPECT_EQ(typeError("return x.sum(2)", {{{8, 16}}}),
            "sum: there is no dimension 2 in 2; it goes from -2 to 1 (in return x.sum(2))");
  EXPECT_EQ(typeError("return x.sum((0, -2))", {{{8, 16}}}),
            "sum: dimension -2 is named twice (in return x.sum((0, -2)))");
  EXPECT_EQ(typeError("return x.amax(0)", {{{0, 16}}}),
            "amax over dimension 0 of shape (0, 16): there is no element to choose from (in return "
            "x.amax(0))");
  EXPECT_EQ(typeError("return x.amax(1)", {{{0, 16}}}), "fits");
  EXPECT_NE(typeError("return x + 1", {}).find("has 1 inputs, but 0 were given"),
            std::string::npos);
}

TEST(InferTypesTest, TruthValuesMixWithNumbersAsInPyTorch) {
  const std::vector<ValueType> x{{{4}}};
  EXPECT_EQ(typeError("return x * (x > 0)", x), "fits");
  EXPECT_EQ(typeError("return (x > 0) * 0.5", x), "fits");
  EXPECT_EQ(typeError("return torch.exp(x > 0)", x), "fits");
  EXPECT_EQ(typeError("return (x > 0).float().sum()", x), "fits");
  const auto dtypeOf = [&x](const char* text) {
    return info(inferTypes(parseProgram(text), x).back().dtype).name;
  };
  EXPECT_EQ(dtypeOf("return (x > 0) * 2"), "int64");
  EXPECT_EQ(dtypeOf("return (x > 0) + (x < 1)"), "bool");
  EXPECT_EQ(dtypeOf("return (x > 0).sum()"), "int64");
  EXPECT_EQ(dtypeOf("return torch.where(x > 0, 1, 0)"), "int64");
  EXPECT_NE(typeError("return -(x > 0)", x).find(".float()"), std::string::npos);
  EXPECT_NE(typeError("return torch.where(x, x, x)", x).find("needs truth values"),
            std::string::npos);
  EXPECT_EQ(typeError("return torch.where(x > 0, 1.0, 0.0)", x), "fits");
}

TEST(InferTypesTest, ReducedMasksCountFromEitherEnd) {
  const auto mask = [](const char* text, int rank) {
    return reducedMask(parseProgram(text).ops.at(0), rank);
  };
  EXPECT_EQ(mask("return x.sum()", 3), 0b111u);
  EXPECT_EQ(mask("return x.sum()", kMaxRank), 0xFFu);
  EXPECT_EQ(mask("return x.sum()", 0), 0u);
  EXPECT_EQ(mask("return x.sum(-1)", 3), 0b100u);
  EXPECT_EQ(mask("return x.sum((0, 2))", 3), 0b101u);
  EXPECT_EQ(mask("return x.sum(0)", 0), 0u);
}

}  // namespace
}  // namespace fusebench
