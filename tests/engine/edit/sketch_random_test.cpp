// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that nobody thought of, on programs that nobody thought of.
#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "engine/edit/sketch.h"
#include "engine/language/parser.h"
#include "tests/engine/edit/sketch_graph.h"
#include "tests/engine/edit/sketch_texts.h"

namespace fusebench::test {
namespace {

/// Every op is where opsNow says, or added; none is both.
void expectOpsAccountedFor(const Sketch& before, const SketchEdit& edit, const Sketch& after,
                           bool rowsKept) {
  ASSERT_EQ(edit.opsNow.size(), before.program.ops.size());
  std::vector<int> seen(after.program.ops.size(), 0);
  for (std::size_t i = 0; i < edit.opsNow.size(); ++i) {
    if (edit.opsNow[i] < 0) continue;
    const auto now = static_cast<std::size_t>(edit.opsNow[i]);
    ASSERT_LT(now, seen.size());
    ++seen[now];
    if (rowsKept) {
      EXPECT_EQ(after.program.ops[now].row, before.program.ops[i].row);
    }
  }
  for (int added : edit.added) ++seen[static_cast<std::size_t>(added)];
  for (int count : seen) EXPECT_EQ(count, 1);
}

Op applied(const char* row, ValueId value) {
  Op op;
  op.row = findOp(row);
  op.operands = {{value, 0, false}};
  return op;
}

/// One random edit of the text, and the same of the graph.
class RandomEdit {
 public:
  RandomEdit(const Sketch& sketch, std::mt19937& random)
      : sketch_(sketch), random_(random), graph(sketch.program) {}

  SketchEdit make() {
    switch (below(random_, 7)) {
      case 0:
        return insert();
      case 1:
        return remove();
      case 2:
        return connectTwo();
      case 3:
        return branch();
      case 4:
        return number();
      case 5:
        return replace();
      default:
        return append();
    }
  }

  std::string what;
  bool rowsKept = true;

 private:
  int ops() const { return static_cast<int>(sketch_.program.ops.size()); }
  const Op& op(int index) const { return sketch_.program.ops[static_cast<std::size_t>(index)]; }

  Port anyPort() {
    if (ops() == 0 || below(random_, 8) == 0)
      return {-1, below(random_, static_cast<int>(sketch_.program.outputs.size()))};
    const int at = below(random_, ops());
    return {at, below(random_, static_cast<int>(op(at).operands.size()))};
  }
  Operand& operandAt(Port port) {
    return graph.ops[static_cast<std::size_t>(port.op)]
        .operands[static_cast<std::size_t>(port.operand)];
  }
  ValueId valueAt(Port port) {
    return port.op < 0 ? graph.outputs[static_cast<std::size_t>(port.operand)]
                       : operandAt(port).value;
  }
  void set(Port port, ValueId value) {
    if (port.op < 0)
      graph.outputs[static_cast<std::size_t>(port.operand)] = value;
    else
      operandAt(port) = {value, 0, false};
  }
  std::string shown(Port port) {
    return "port " + std::to_string(port.op) + "." + std::to_string(port.operand);
  }

  SketchEdit insert() {
    const Port port = anyPort();
    what = "insert neg into " + shown(port);
    SketchEdit edit = insertOnEdge(sketch_, *findOp("neg"), port);
    const int made = graph.add(applied("neg", valueAt(port)));
    set(port, graph.result(made));
    return edit;
  }

  SketchEdit remove() {
    const int gone = below(random_, std::max(1, ops()));
    what = "remove " + std::to_string(gone);
    SketchEdit edit = removeOps(sketch_, std::vector<int>{gone});
    ValueId standIn = -1;
    for (std::size_t i = 0; i < op(gone).operands.size() && standIn < 0; ++i)
      if (!((op(gone).row->truthOperands >> i) & 1u)) standIn = op(gone).operands[i].value;
    if (standIn < 0) standIn = op(gone).operands[0].value;
    for (Op& each : graph.ops)
      for (Operand& operand : each.operands)
        if (operand.value == graph.result(gone)) operand.value = standIn;
    for (ValueId& output : graph.outputs)
      if (output == graph.result(gone)) output = standIn;
    EXPECT_EQ(edit.opsNow[static_cast<std::size_t>(gone)], -1);
    return edit;
  }

  SketchEdit connectTwo() {
    const Port port = anyPort();
    const ValueId value = below(random_, sketch_.program.valueCount());
    what = "connect " + std::to_string(value) + " to " + shown(port);
    SketchEdit edit = connect(sketch_, value, port);
    set(port, value);
    return edit;
  }

  SketchEdit branch() {
    const ValueId value = below(random_, sketch_.program.valueCount());
    what = "branch from " + std::to_string(value);
    SketchEdit edit = branchFrom(sketch_, *findOp("tanh"), value);
    graph.outputs.push_back(graph.result(graph.add(applied("tanh", value))));
    return edit;
  }

  SketchEdit number() {
    const Port port = anyPort();
    const double value = (below(random_, 64) - 32) / 8.0 + 0.0625;
    what = "number " + std::to_string(value) + " into " + shown(port);
    SketchEdit edit = setNumber(sketch_, port, value);
    operandAt(port) = {-1, value, false};
    return edit;
  }

  SketchEdit replace() {
    const int at = below(random_, std::max(1, ops()));
    what = "replace " + std::to_string(at);
    rowsKept = false;
    if (ops() == 0 || op(at).row->arity != 1) throw EditRefused("not this one");
    SketchEdit edit = replaceOp(sketch_, at, *findOp("cos"));
    Op& changed = graph.ops[static_cast<std::size_t>(at)];
    changed = applied("cos", changed.operands[0].value);
    return edit;
  }

  SketchEdit append() {
    what = "append abs";
    SketchEdit edit = appendOp(sketch_, *findOp("abs"));
    const int last = sketch_.program.outputs[0] - static_cast<int>(sketch_.program.inputs.size());
    const bool inside = last >= 0 && op(last).statement < 0 && op(last).row->kind == OpKind::reduce;
    const Port port = inside ? Port{last, 0} : Port{-1, 0};
    set(port, graph.result(graph.add(applied("abs", valueAt(port)))));
    return edit;
  }

  const Sketch& sketch_;
  std::mt19937& random_;

 public:
  ProgramGraph graph;
};

TEST(SketchRandomTest, APrintedProgramIsReadAsParseProgramReadsIt) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const Program program = parseProgram(randomProgramText(seed));
    const std::string text = toText(program);
    const Sketch read = sketch(text);
    ASSERT_TRUE(read.valid()) << read.problems[0].message << "\n" << text;
    EXPECT_EQ(toText(read.program), toText(parseProgram(text)));
    EXPECT_EQ(ProgramGraph(read.program).text(), ProgramGraph(program).text()) << text;
  }
}

TEST(SketchRandomTest, EditsOfTheTextAreEditsOfTheGraph) {
  int made = 0, refused = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    Sketch now = sketch(startingText(seed));
    ASSERT_TRUE(now.valid());
    for (int step = 0; step < 14; ++step) {
      RandomEdit edit(now, random);
      try {
        const SketchEdit result = edit.make();
        Sketch after = sketch(result.text);
        const std::string shown = edit.what + " of\n" + now.text + "gives\n" + result.text;
        ASSERT_TRUE(after.valid()) << after.problems[0].message << "\n" << shown;
        ASSERT_EQ(ProgramGraph(after.program).text(), edit.graph.text()) << shown;
        expectOpsAccountedFor(now, result, after, edit.rowsKept);
        now = std::move(after);
        ++made;
      } catch (const EditRefused& error) {
        EXPECT_NE(std::string(error.what()), "") << edit.what;
        ++refused;
      }
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(made, 3 * refused) << "of " << made + refused;
}

TEST(SketchRandomTest, InsertingAndRemovingGivesTheOldGraphBack) {
  int tried = 0;
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    const Sketch start = sketch(startingText(seed));
    const Program& program = start.program;
    for (std::size_t op = 0; op < program.ops.size(); ++op)
      for (std::size_t o = 0; o < program.ops[op].operands.size(); ++o) {
        if (program.ops[op].operands[o].isNumber()) continue;
        const Port port{static_cast<int>(op), static_cast<int>(o)};
        try {
          const SketchEdit there = insertOnEdge(start, *findOp("sigmoid"), port);
          const SketchEdit back = removeOps(sketch(there.text), there.added);
          EXPECT_EQ(ProgramGraph(sketch(back.text).program).text(), ProgramGraph(program).text())
              << start.text << "\n"
              << there.text << "\n"
              << back.text;
          ++tried;
        } catch (const EditRefused&) {  // truth values on the edge, for one
        }
      }
  }
  EXPECT_GT(tried, 100);
}

TEST(SketchRandomTest, AChainStaysAChainWhateverIsAppendedInsertedAndRemoved) {
  std::mt19937 random(7);
  Sketch now = sketch(kChain);
  ASSERT_TRUE(now.program.isChain());
  for (int step = 0; step < 100; ++step) {
    const int at = below(random, static_cast<int>(now.program.ops.size()));
    const SketchEdit edit = step % 3 == 2   ? removeOps(now, std::vector<int>{at})
                            : step % 3 == 1 ? insertOnEdge(now, *findOp("relu"), {at, 0})
                                            : appendOp(now, *findOp("mul"));
    now = sketch(edit.text);
    ASSERT_TRUE(now.valid()) << edit.text;
    ASSERT_TRUE(now.program.isChain()) << edit.text;
  }
}

TEST(SketchRandomTest, WhateverIsTypedIsReadAndMayBeCleaned) {
  const int texts = textsToTry(1500);
  std::mt19937 random(11);
  int cleaned = 0;
  for (int i = 0; i < texts; ++i) {
    const std::string text = mistypedText(random);
    const Sketch read = sketch(text);
    EXPECT_EQ(read.text, text);
    bool accepted = true;
    try {
      const Program program = parseProgram(text);
      ASSERT_EQ(ProgramGraph(read.program).text(), ProgramGraph(program).text()) << text;
    } catch (const ProgramError& error) {
      accepted = false;
    }
    ASSERT_EQ(read.valid(), accepted) << text;
    for (const SketchProblem& problem : read.problems) {
      ASSERT_GE(problem.place.line, 1) << text;
      ASSERT_EQ(problem.message.find('\n'), std::string::npos) << text;
      ASSERT_LT(problem.statement, static_cast<int>(read.program.statements.size()));
      ASSERT_LT(problem.op, static_cast<int>(read.program.ops.size()));
    }
    if (read.valid()) continue;
    try {
      const Sketch rest = sketch(removeProblemLines(read).text);
      ASSERT_TRUE(rest.valid()) << text << "\nleaves\n" << rest.text;
      ++cleaned;
    } catch (const EditRefused&) {
    }
  }
  EXPECT_GT(cleaned, texts / 4);
}

}  // namespace
}  // namespace fusebench::test
