// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a text that is being edited.
#include "engine/edit/sketch.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/language/parser.h"

namespace fusebench {
namespace {

std::string shown(const std::vector<SketchProblem>& problems) {
  std::string text;
  for (const SketchProblem& p : problems)
    text += std::to_string(p.place.line) + ":" + std::to_string(p.place.column) + " " + p.message +
            "\n";
  return text;
}

std::vector<int> linesOf(const std::vector<SketchProblem>& problems) {
  std::vector<int> lines;
  for (const SketchProblem& p : problems) lines.push_back(p.place.line);
  return lines;
}

std::vector<ValueId> readBy(const Program& program, int op) {
  std::vector<ValueId> values;
  for (const Operand& operand : program.ops[static_cast<std::size_t>(op)].operands)
    values.push_back(operand.value);
  return values;
}

TEST(SketchTest, AValidTextIsTheProgramThatParseProgramGives) {
  const char* text =
      "import torch\nclass Net(nn.Module):\n  def forward(self, x, w, k=2):\n"
      "    '''doc'''\n    with torch.no_grad():\n      y = x * k  # twice\n"
      "    return torch.add(y,\n        w)\n";
  const Sketch read = sketch(text);
  EXPECT_TRUE(read.valid()) << shown(read.problems);
  EXPECT_EQ(toText(read.program), toText(parseProgram(text)));
  EXPECT_EQ(read.text, text);
}

TEST(SketchTest, ALineThatIsNotUnderstoodBecomesAnOpThatReadsAndNamesItsValues) {
  const Sketch read = sketch("def f(x, w):\n  y = torch.sgimoid(x * w)\n  return y.sum()\n");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems[0].statement, 0);
  EXPECT_EQ(read.problems[0].op, 0);
  EXPECT_NE(read.problems[0].message.find("did you mean torch.sigmoid?"), std::string::npos);
  ASSERT_EQ(read.program.ops.size(), 2u);
  EXPECT_EQ(read.program.ops[0].row, nullptr);
  EXPECT_EQ(readBy(read.program, 0), (std::vector<ValueId>{0, 1}));
  EXPECT_EQ(read.program.statements[0].target, "y");
  EXPECT_EQ(read.program.statements[0].text, "y = torch.sgimoid(x * w)");
  EXPECT_EQ(readBy(read.program, 1), (std::vector<ValueId>{2}));
}

TEST(SketchTest, EveryProblemIsReportedAndTheRestStays) {
  const Sketch read = sketch(
      "x = torch.foo(x)\n"
      "x = torch.sin(x)\n"
      "x = x $ 2\n"
      "x = torch.exp(x\n"
      "x = torch.cos(x)\n"
      "x = F.gelu(x, approximate='tanh)\n"
      "x = x[0]\n"
      "return x.sum()\n");
  EXPECT_EQ(linesOf(read.problems), (std::vector<int>{1, 3, 4, 6})) << shown(read.problems);
  ASSERT_EQ(read.program.statements.size(), 7u);
  EXPECT_EQ(read.program.ops[1].row, findOp("sin"));
  EXPECT_EQ(read.program.ops[4].row, findOp("cos"));
  for (int op = 0; op < 8; ++op) EXPECT_EQ(readBy(read.program, op), std::vector<ValueId>{op});
}

TEST(SketchTest, ABlockIsMarkedLineByLineAndWhatFollowsIsRead) {
  const Sketch read = sketch(
      "def f(x):\n"
      "  y = x + 1\n"
      "  while y > 0:\n"
      "    y = y * 2\n"
      "    for i in range(3):\n"
      "      y = y + x\n"
      "  z = torch.exp(y)\n"
      "  return z\n");
  EXPECT_EQ(linesOf(read.problems), (std::vector<int>{3, 4, 5, 6})) << shown(read.problems);
  EXPECT_NE(read.problems[0].message.find("on a tensor's values"), std::string::npos);
  EXPECT_NE(read.problems[1].message.find("'while' in line 3"), std::string::npos);
  EXPECT_EQ(read.program.ops.back().row, findOp("exp"));
  EXPECT_EQ(readBy(read.program, 5), std::vector<ValueId>{5}) << "reads what the block made of y";
}

TEST(SketchTest, OfAClassOnlyForwardIsRead) {
  const Sketch read = sketch(
      "class A(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.k = 3\n"
      "  def forward(self, x):\n    return torch.relu(x)\n"
      "  def other(self):\n    pass\n");
  EXPECT_TRUE(read.valid()) << shown(read.problems);
  EXPECT_EQ(read.program.inputs, std::vector<std::string>{"x"});
  ASSERT_EQ(read.program.ops.size(), 1u);
  EXPECT_EQ(read.program.ops[0].row, findOp("relu"));
}

TEST(SketchTest, ATextWithoutReturnKeepsItsStatements) {
  const Sketch read = sketch("x = torch.sin(x)\nx = x + 1\n");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems[0].statement, -1);
  EXPECT_EQ(read.program.statements.size(), 2u);
  EXPECT_TRUE(read.program.outputs.empty());
  EXPECT_EQ(sketch("").problems.size(), 1u);
}

TEST(SketchTest, WhatALineNamesIsFoundInEveryForm) {
  const auto target = [](const std::string& line) {
    const Sketch read = sketch("def f(x, y):\n  " + line + "\n  return y * x\n");
    EXPECT_EQ(read.problems.size(), 1u) << line;
    return std::pair{read.program.statements[0].target, readBy(read.program, 0)};
  };
  using Read = std::pair<std::string, std::vector<ValueId>>;
  EXPECT_EQ(target("x = foo(y)"), (Read{"x", {1}}));
  EXPECT_EQ(target("x: Tensor = foo(y)"), (Read{"x", {1}}));
  EXPECT_EQ(target("x += foo(y)"), (Read{"x", {0, 1}}));
  EXPECT_EQ(target("x[0] = foo(y)"), (Read{"x", {0, 1}}));
  EXPECT_EQ(target("x, z = foo(y)"), (Read{"x", {1}}));
  EXPECT_EQ(target("x.add_(foo(y), alpha=2)"), (Read{"x", {0, 1}}));
  EXPECT_EQ(target("foo(x)"), (Read{"", {0}}));
  EXPECT_EQ(target("x = foo(y, x=3)"), (Read{"x", {1}}));
}

TEST(SketchTypesTest, NothingIsToldBehindAMismatchOrALineThatIsNotUnderstood) {
  const Sketch read = sketch(
      "def f(x, w):\n  a = x + w\n  b = torch.exp(a)\n  c = torch.foo(x)\n  d = c * 2\n"
      "  e = x * 2\n  return e\n");
  const std::vector<ValueType> inputs{{{8, 16}, DType::float32}, {{3}, DType::float32}};
  std::vector<SketchProblem> problems;
  const auto types = inferSketchTypes(read, inputs, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].op, 0);
  EXPECT_EQ(problems[0].statement, 0);
  EXPECT_EQ(problems[0].place.line, 2);
  ASSERT_EQ(types.size(), 7u);
  for (std::size_t v : {2u, 3u, 4u, 5u}) EXPECT_FALSE(types[v]) << v;
  ASSERT_TRUE(types[6]);
  EXPECT_EQ(types[6]->shape, (Shape{8, 16}));
}

TEST(MatchOpsTest, OpsAreFoundAgainAfterHandEdits) {
  const auto match = [](const char* a, const char* b) { return matchOps(sketch(a), sketch(b)); };
  using Matches = std::vector<int>;
  const char* text = "x = torch.sin(x)\nx = torch.cos(x)\nx = x * 2\nreturn x.sum()";
  EXPECT_EQ(match(text, text), (Matches{0, 1, 2, 3}));
  EXPECT_EQ(match(text, "x = torch.sin(x)\nx = x + 1\nx = torch.cos(x)\nx = x * 2\nreturn x.sum()"),
            (Matches{0, 2, 3, 4}));
  EXPECT_EQ(match(text, "x = torch.cos(x)\nx = x * 2\nreturn x.sum()"), (Matches{-1, 0, 1, 2}));
  EXPECT_EQ(match(text, "x = torch.sin(x)\nx = torch.cos(x)\nx = x * 3\nreturn x.sum()"),
            (Matches{0, 1, 2, 3}))
      << "another number";
  EXPECT_EQ(match(text, "y = torch.sin(x)\nx = torch.cos(y)\nx = x * 2\nreturn x.sum()"),
            (Matches{0, 1, 2, 3}))
      << "another name";
  EXPECT_EQ(match(text, "x = torch.si(x)\nx = torch.cos(x)\nx = x * 2\nreturn x.sum()"),
            (Matches{0, 1, 2, 3}))
      << "being typed";
  EXPECT_EQ(match(text, "x = torch.cos(torch.tanh(x)) * 2\nreturn x.sum()"),
            (Matches{-1, 1, 2, 3}));
  EXPECT_EQ(match(text, ""), (Matches{-1, -1, -1, -1}));
}

TEST(MatchOpsTest, ALineTypedAboveALongProgramMovesItsOps) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += i % 2 == 0 ? "x = torch.sin(x)\n" : "x = x * 2\n";
  text += "return x.sum()\n";
  const std::vector<int> now = matchOps(sketch(text), sketch("y = torch.co(x)\n" + text));
  for (std::size_t i = 0; i < now.size(); ++i) ASSERT_EQ(now[i], static_cast<int>(i) + 1);
}

}  // namespace
}  // namespace fusebench
