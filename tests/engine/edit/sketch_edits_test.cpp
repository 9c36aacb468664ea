// SPDX-License-Identifier: GPL-3.0-or-later
// Each edit of the graph, as what it makes of a text.
#include <gtest/gtest.h>

#include "engine/edit/sketch.h"
#include "engine/language/parser.h"
#include "engine/run/reference.h"
#include "tests/engine/edit/sketch_graph.h"

namespace fusebench {
namespace {

const OpRow& row(const char* name) {
  return *findOp(name);
}

template <class Edit>
std::string refusalOfEdit(Edit edit) {
  try {
    const SketchEdit made = edit();
    return "made:\n" + made.text;
  } catch (const EditRefused& error) {
    return error.what();
  }
}

#define EXPECT_REFUSED(edit, part)                                             \
  EXPECT_NE(refusalOfEdit([&] { return edit; }).find(part), std::string::npos) \
      << refusalOfEdit([&] { return edit; })

using Map = std::vector<int>;

const char* const kChain =
    "# a chain\n"
    "x = x + 0.1   # first\n"
    "x = torch.sin(x)\n"
    "\n"
    "x = torch.exp(x * 0.5)\n"
    "return x.sum()  # all\n";

TEST(AppendOpTest, AddsAStatementBeforeTheFinalReductionAndLeavesTheRestAsWritten) {
  const SketchEdit edit = appendOp(sketch(kChain), row("relu"));
  EXPECT_EQ(edit.text,
            "# a chain\nx = x + 0.1   # first\nx = torch.sin(x)\n\nx = torch.exp(x * 0.5)\n"
            "x = torch.relu(x)\nreturn x.sum()  # all\n");
  EXPECT_EQ(edit.opsNow, (Map{0, 1, 2, 3, 5}));
  EXPECT_EQ(edit.added, Map{4});
}

TEST(AppendOpTest, WithoutAReductionTheNewValueIsReturned) {
  EXPECT_EQ(appendOp(sketch("y = torch.sin(x)\nreturn y"), row("neg")).text,
            "y = torch.sin(x)\ny = -y\nreturn y");
  EXPECT_EQ(appendOp(sketch("return x"), row("mul")).text, "x = x * 1.0\nreturn x");
  EXPECT_EQ(appendOp(sketch("def f(x, w):\n  y = x * w\n  return y, y"), row("exp")).text,
            "def f(x, w):\n  y = x * w\n  z = torch.exp(y)\n  return z, y")
      << "the old value is still needed";
}

class AnyRow : public ::testing::TestWithParam<const OpRow*> {};

TEST_P(AnyRow, CanBeAppendedAndComputes) {
  const SketchEdit edit = appendOp(sketch("y = x * 2\nreturn y\n"), *GetParam());
  const Sketch now = sketch(edit.text);
  ASSERT_TRUE(now.valid()) << edit.text;
  ASSERT_FALSE(edit.added.empty());
  EXPECT_EQ(now.program.ops[static_cast<std::size_t>(edit.added.back())].row, GetParam())
      << edit.text;
  if (isCalled(*GetParam())) return;  // nothing is known of the value: inputs need not fit
  const std::vector<ValueType> inputs(now.program.inputs.size(), {{2, 3}, DType::float32});
  EXPECT_NO_THROW(inferTypes(now.program, inputs)) << edit.text;
}
std::vector<const OpRow*> allRows() {
  std::vector<const OpRow*> rows;
  for (const OpRow& each : opRows())
    if (each.takes != AcceptedTypes::whole && each.takes != AcceptedTypes::integers &&
        canStart(each))
      rows.push_back(&each);
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Rows, AnyRow, ::testing::ValuesIn(allRows()),
                         [](const auto& each) { return std::string(each.param->name); });

TEST(InsertOnEdgeTest, BeforeAStatementAsAStatementInsideOfOneAsACall) {
  const Sketch start = sketch(kChain);
  EXPECT_EQ(insertOnEdge(start, row("cos"), {1, 0}).text,
            "# a chain\nx = x + 0.1   # first\nx = torch.cos(x)\nx = torch.sin(x)\n\n"
            "x = torch.exp(x * 0.5)\nreturn x.sum()  # all\n");
  EXPECT_EQ(insertOnEdge(start, row("cos"), {3, 0}).text,
            "# a chain\nx = x + 0.1   # first\nx = torch.sin(x)\n\n"
            "x = torch.exp(torch.cos(x * 0.5))\nreturn x.sum()  # all\n");
}

TEST(InsertOnEdgeTest, OnlyThatReaderGetsTheNewValue) {
  EXPECT_EQ(
      insertOnEdge(sketch("a = torch.sin(x)\nb = a * a\nreturn b - a\n"), row("exp"), {1, 1}).text,
      "a = torch.sin(x)\ny = torch.exp(a)\nb = a * y\nreturn b - a\n");
  EXPECT_REFUSED(insertOnEdge(sketch(kChain), row("cos"), {0, 1}), "is a number");
}

TEST(BranchFromTest, StandsWhereItsValueStillHasItsNameAndIsReturnedToo) {
  EXPECT_EQ(branchFrom(sketch(kChain), row("relu"), 2).text,
            "# a chain\nx = x + 0.1   # first\nx = torch.sin(x)\ny = torch.relu(x)\n\n"
            "x = torch.exp(x * 0.5)\nreturn x.sum(), y  # all\n");
}

TEST(RemoveOpsTest, ReadersReadTheFirstOperand) {
  const Sketch start = sketch(kChain);
  const SketchEdit sin = removeOps(start, Map{1});
  EXPECT_EQ(sin.text,
            "# a chain\nx = x + 0.1   # first\n\nx = torch.exp(x * 0.5)\nreturn x.sum()  # all\n");
  EXPECT_EQ(sin.opsNow, (Map{0, -1, 1, 2, 3}));
  EXPECT_NE(removeOps(start, Map{2}).text.find("x = torch.exp(x)\n"), std::string::npos);
  EXPECT_NE(removeOps(start, Map{4}).text.find("return x  # all\n"), std::string::npos);
  EXPECT_EQ(removeOps(start, Map{0, 1, 2, 3, 4}).text, "# a chain\n\nreturn x  # all\n");
  EXPECT_EQ(removeOps(sketch("y = 2 - x\nz = torch.exp(y)\nreturn z"), Map{0}).text,
            "z = torch.exp(x)\nreturn z");
}

TEST(RemoveOpsTest, ABlockThatLosesItsLastLineStaysABlock) {
  const SketchEdit edit = removeOps(
      sketch("def f(x):\n  with torch.no_grad():\n    y = x + 1\n  return y * 2\n"), Map{0});
  EXPECT_TRUE(sketch(edit.text).valid()) << edit.text;
  EXPECT_EQ(edit.text, "def f(x):\n  with torch.no_grad():\n      pass\n  return x * 2\n");
}

TEST(DuplicateOpsTest, CopiesFollowInTheChain) {
  EXPECT_EQ(duplicateOps(sketch(kChain), Map{0, 1}).text,
            "# a chain\nx = x + 0.1   # first\nx = torch.sin(x)\nx = x + 0.1\nx = torch.sin(x)\n\n"
            "x = torch.exp(x * 0.5)\nreturn x.sum()  # all\n");
  EXPECT_NE(duplicateOps(sketch(kChain), Map{2, 3})
                .text.find("x = torch.exp(x * 0.5)\nx = torch.exp(x * 0.5)\n"),
            std::string::npos);
}

TEST(DuplicateOpsTest, ADuplicatedReluChangesNoValue) {
  const Program before = parseProgram("x = torch.relu(x)\nreturn x - 0.5");
  const SketchEdit edit = duplicateOps(sketch("x = torch.relu(x)\nreturn x - 0.5"), Map{0});
  const std::vector<ReferenceTensor> inputs{{{{4}, DType::float32}, {-1, 0, 0.25, 3}}};
  EXPECT_EQ(sketch(edit.text).program.ops.size(), 3u);
  EXPECT_EQ(evaluateReference(sketch(edit.text).program, inputs)[0].value.values,
            evaluateReference(before, inputs)[0].value.values);
}

TEST(MoveOpsTest, AStatementMovesWithItsComment) {
  const SketchEdit edit = moveOps(sketch(kChain), Map{0}, {4, 0});
  EXPECT_EQ(edit.text,
            "# a chain\nx = torch.sin(x)\n\nx = torch.exp(x * 0.5)\nx = x + 0.1   # first\n"
            "return x.sum()  # all\n");
  EXPECT_EQ(edit.opsNow, (Map{3, 0, 1, 2, 4}));
  EXPECT_EQ(moveOps(sketch(kChain), Map{1}, {1, 0}).text, kChain) << "dropped where it was";
}

TEST(ConnectTest, StatementsMoveBeforeTheirReaders) {
  const Sketch start = sketch("a = torch.sin(x)\nb = torch.cos(x)  # c\nreturn a + b\n");
  EXPECT_EQ(connect(start, 2, {0, 0}).text,
            "b = torch.cos(x)  # c\na = torch.sin(b)\nreturn a + b\n");
}

TEST(ConnectTest, AValueThatWouldLoseItsNameTooSoonGetsAnother) {
  EXPECT_EQ(connect(sketch("x = x + 1\nx = torch.sin(x)\nx = torch.cos(x)\nx = x * 2\nreturn x"), 1,
                    {3, 1})
                .text,
            "y = x + 1\nx = torch.sin(y)\nx = torch.cos(x)\nx = x * y\nreturn x");
  EXPECT_EQ(connect(sketch("x = x + 1\nx = torch.sin(x)\nx = x * 2\nreturn x"), 0, {2, 1}).text,
            "y = x + 1\ny = torch.sin(y)\nx = y * x\nreturn x")
      << "an input keeps its name";
}

TEST(ConnectTest, ACycleIsRefusedInWords) {
  const Sketch start = sketch(kChain);
  EXPECT_REFUSED(connect(start, 4, {0, 0}), "cycle: exp needs the result of \"+\"; disconnect");
  EXPECT_REFUSED(connect(start, 2, {1, 0}), "cannot read its own result");
}

TEST(SetNumberTest, OnlyTheNumberChangesInTheText) {
  const Sketch start = sketch("x = F.leaky_relu(x, 0.1)\nx = -0.5 * x + 2  # k\nreturn x");
  EXPECT_EQ(setNumber(start, {1, 0}, 0.75).text,
            "x = F.leaky_relu(x, 0.1)\nx = 0.75 * x + 2  # k\nreturn x");
  EXPECT_EQ(setNumber(start, {2, 1}, 3).text,
            "x = F.leaky_relu(x, 0.1)\nx = -0.5 * x + 3  # k\nreturn x");
  EXPECT_EQ(setParameter(start, 0, 0, 0.25).text,
            "x = F.leaky_relu(x, 0.25)\nx = -0.5 * x + 2  # k\nreturn x");
}

TEST(SetNumberTest, WhatMustBeATensorIsRefused) {
  const Sketch start = sketch("y = torch.where(x > 0, x, 0.5)\nreturn y");
  EXPECT_REFUSED(setNumber(start, {0, 0}, 1), "needs at least one tensor");
  EXPECT_REFUSED(setNumber(start, {1, 0}, 1), "truth values");
  EXPECT_REFUSED(setNumber(start, {-1, 0}, 1), "returns tensors");
}

TEST(SetParameterTest, OutOfItsRangeIsRefused) {
  const Sketch start = sketch("return F.softshrink(x, 0.5)");
  EXPECT_REFUSED(setParameter(start, 0, 0, -1), "goes from 0 to infinity");
  EXPECT_REFUSED(setParameter(start, 0, 3, 1), "no such parameter");
}

TEST(SetDimsTest, DimensionsAndKeepdimAreWritten) {
  const Sketch start = sketch("return x.sum()");
  EXPECT_EQ(setDims(start, 0, Map{0, -1}, true).text,
            "return torch.sum(x, dim=(0, -1), keepdim=True)");
  EXPECT_EQ(setDims(sketch("return x.sum(dim=1)"), 0, std::nullopt, false).text,
            "return torch.sum(x)");
  EXPECT_REFUSED(setDims(start, 0, Map{9}, true), "at most 8");
  EXPECT_REFUSED(setDims(sketch("return x.prod()"), 0, Map{0, 1}, true), "one dimension or all");
  EXPECT_REFUSED(setDims(sketch("return x.exp()"), 0, Map{0}, true), "is not a reduction");
}

TEST(ReplaceOpTest, KeepsOperandsParametersAndStyle) {
  EXPECT_EQ(replaceOp(sketch("y = x.sin()  # s\nreturn y"), 0, row("cos")).text,
            "y = x.cos()  # s\nreturn y");
  EXPECT_EQ(replaceOp(sketch("y = torch.maximum(x, w)\nreturn y"), 0, row("add")).text,
            "y = torch.add(x, w)\nreturn y");
  EXPECT_EQ(replaceOp(sketch("return x.sum(dim=1, keepdim=True)"), 0, row("mean")).text,
            "return x.mean(dim=1, keepdim=True)");
  EXPECT_EQ(replaceOp(sketch("y = torch.foo(x)\nreturn y"), 0, row("tanh")).text,
            "y = torch.tanh(x)\nreturn y")
      << "a line that was not understood is start";
}

TEST(RenameValueTest, RenamesOneValueThroughout) {
  EXPECT_EQ(renameValue(sketch(kChain), 2, "wave").text,
            "# a chain\nx = x + 0.1   # first\nwave = torch.sin(x)\n\n"
            "x = torch.exp(wave * 0.5)\nreturn x.sum()  # all\n");
  EXPECT_EQ(renameValue(sketch("def f(x, w=2):\n  return x * w + x"), 0, "h").text,
            "def f(h, w=2):\n  return h * w + h");
  EXPECT_REFUSED(renameValue(sketch(kChain), 2, "x"), "is taken");
  EXPECT_REFUSED(renameValue(sketch(kChain), 2, "for"), "is not a name");
  EXPECT_REFUSED(renameValue(sketch(kChain), 2, "2x"), "is not a name");
  EXPECT_REFUSED(renameValue(sketch(kChain), 3, "q"), "no statement names");
}

TEST(CopyAndPasteTest, WhatIsCopiedCanBePastedElsewhere) {
  const Sketch start = sketch(kChain);
  const std::string copied = copyText(start, Map{1, 2, 3});
  EXPECT_EQ(copied,
            "def program(x):\n    x = torch.sin(x)\n    x = torch.exp(x * 0.5)\n    return x\n");
  EXPECT_EQ(pasteText(sketch("y = torch.cos(q)\nreturn y\n"), copied, {-1, 0}).text,
            "y = torch.cos(q)\nx = torch.sin(y)\nx = torch.exp(x * 0.5)\nreturn x\n");
}

TEST(CopyAndPasteTest, AChainThatIsPastedIntoAChainLeavesItOne) {
  const Sketch start =
      sketch("def f(x):\n    x = torch.sin(x)\n    x = x * 2\n    return x.sum()\n");
  const Sketch after = sketch(pasteText(start, copyText(start, Map{0, 1}), {1, 0}).text);
  EXPECT_EQ(after.text,
            "def f(x):\n    x = torch.sin(x)\n    x = torch.sin(x)\n    x = x * 2\n    x = x * 2\n"
            "    return x.sum()\n");
  EXPECT_TRUE(after.program.isChain());
  // Another reader of the joined value keeps it.
  const Sketch branched =
      sketch("def f(x):\n    a = torch.sin(x)\n    b = a * 2\n    return b + a\n");
  const Sketch both =
      sketch(pasteText(branched, "def g(a):\n    a = torch.cos(a)\n    return a\n", {1, 0}).text);
  ASSERT_TRUE(both.valid()) << both.text;
  EXPECT_EQ(both.program.ops.back().operands[1].value, 1) << both.text;
}

TEST(CopyAndPasteTest, OtherInputsBecomeInputs) {
  EXPECT_EQ(pasteText(sketch("def f(x, k=2):\n    y = x * k\n    return y\n"),
                      "def g(a, w):\n  # shift\n  a = a + w  # by w\n  return a\n", {-1, 0})
                .text,
            "def f(x, w, k=2):\n    y = x * k\n    a = y + w  # by w\n    return a\n");
  EXPECT_REFUSED(pasteText(sketch(kChain), "hello world", {0, 0}), "copied");
}

TEST(RemoveProblemLinesTest, ReadersReadWhatTheLineReadFirst) {
  EXPECT_EQ(
      removeProblemLines(sketch("def f(x, w):\n    y = torch.foo(x, w)  # what\n    while y > 0:\n"
                                "        y = y + 1\n    z = y * 2\n    return z[0]\n    z = 3\n"))
          .text,
      "def f(x, w):\n    z = x * 2\n    return z[0]\n");
  EXPECT_EQ(removeProblemLines(sketch("y = torch.sin(x)\n")).text, "y = torch.sin(x)\nreturn y\n");
  EXPECT_EQ(
      removeProblemLines(sketch("def f(x):\n  with foo():\n    y = x * 2\n  return y\n")).text,
      "def f(x):\n  y = x * 2\n  return y\n");
}

TEST(SketchEditsTest, SeveralStatementsOnALineAndMissingLineBreaksAreHandled) {
  const Sketch start = sketch("a = torch.sin(x); b = a * 2\nreturn b");
  EXPECT_EQ(insertOnEdge(start, row("exp"), {1, 0}).text,
            "a = torch.sin(x)\na = torch.exp(a)\nb = a * 2\nreturn b");
  EXPECT_EQ(appendOp(sketch("def f(x): return x * 2"), row("exp")).text,
            "def f(x):\n    x = x * 2\n    x = torch.exp(x)\n    return x");
}

TEST(SketchEditsTest, LinesThatAreNotUnderstoodDoNotHinderEditsElsewhere) {
  const SketchEdit edit =
      appendOp(sketch("def f(x, w):\n    y = torch.foo(x, w)  # ?\n    return y\n"), row("relu"));
  EXPECT_EQ(edit.text,
            "def f(x, w):\n    y = torch.foo(x, w)  # ?\n    y = torch.relu(y)\n    return y\n");
  EXPECT_EQ(edit.opsNow, Map{0});
}

}  // namespace
}  // namespace fusebench
