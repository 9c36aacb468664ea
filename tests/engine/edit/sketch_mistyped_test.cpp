// SPDX-License-Identifier: GPL-3.0-or-later
// Every edit of the canvas, on texts that are wrong: it is made or refused.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/edit/sketch.h"
#include "engine/edit/sketch_model.h"
#include "engine/ops/ops.h"
#include "tests/engine/edit/sketch_graph.h"
#include "tests/engine/edit/sketch_texts.h"

namespace fusebench::test {
namespace {

/// Ops, values and ports as a person may hit them, now and then some that are not there.
class AnyEdit {
 public:
  AnyEdit(const Sketch& sketch, std::mt19937& random) : sketch_(sketch), random_(random) {}

  SketchEdit make() {
    switch (kind = below(random_, 14)) {
      case 0:
        return appendOp(sketch_, row());
      case 1:
        return insertOnEdge(sketch_, row(), port());
      case 2:
        return branchFrom(sketch_, row(), value());
      case 3:
        return removeOps(sketch_, ops());
      case 4:
        return duplicateOps(sketch_, ops());
      case 5:
        return moveOps(sketch_, ops(), port());
      case 6:
        return connect(sketch_, value(), port());
      case 7:
        return setNumber(sketch_, port(), below(random_, 64) / 8.0);
      case 8:
        return setParameter(sketch_, opWithParameters(), below(random_, 4), below(random_, 4));
      case 9:
        return setDims(sketch_, op(), std::vector<int>{below(random_, 4) - 1}, random_() % 2 == 0);
      case 10:
        return replaceOp(sketch_, op(), row());
      case 11:
        return pasteText(
            sketch_,
            mistyped(startingText(static_cast<std::uint32_t>(below(random_, 500))), random_, 2),
            port());
      case 12:
        return renameValue(sketch_, value(), random_() % 2 ? "fresh" : "x");
      default:
        return removeProblemLines(sketch_);
    }
  }

  std::vector<int> ops() {
    std::vector<int> some;
    for (int n = below(random_, 3); n >= 0; --n) some.push_back(op());
    return some;
  }

  int kind = -1;

 private:
  const OpRow& row() {
    const std::span<const OpRow> rows = opRows();
    return rows[static_cast<std::size_t>(below(random_, static_cast<int>(rows.size())))];
  }
  int op() {
    const int count = static_cast<int>(sketch_.program.ops.size());
    return below(random_, 20) == 0 ? below(random_, 3) - 2 + count * below(random_, 2)
                                   : below(random_, std::max(count, 1));
  }
  int opWithParameters() {
    const auto count = static_cast<int>(sketch_.program.ops.size());
    for (int i = 0, at = below(random_, std::max(count, 1)); i < count; ++i, ++at) {
      const Op& here = sketch_.program.ops[static_cast<std::size_t>(at % count)];
      if (here.row && here.row->parameters.size() > 0) return at % count;
    }
    return op();
  }
  Port port() {
    return {below(random_, 4) == 0 ? -1 : op(), below(random_, 4) - (random_() % 9 == 0)};
  }
  ValueId value() {
    const int count = sketch_.program.valueCount();
    return below(random_, 20) == 0 ? -1 + count * below(random_, 2)
                                   : below(random_, std::max(count, 1));
  }

  const Sketch& sketch_;
  std::mt19937& random_;
};

std::string anyText(std::mt19937& random) {
  const int which = below(random, 6);
  if (which > 1) return mistypedText(random);
  return mistyped(which == 0 ? kCompound : kTraining, random, 4);
}

TEST(SketchMistypedTest, EveryOpOfAnyTextStandsInALine) {
  const int texts = textsToTry(400);
  std::mt19937 random(23);
  for (int i = 0; i < texts; ++i) {
    const std::string text = anyText(random);
    const SketchModel model(sketch(text));
    for (std::size_t op = 0; op < model.opCount; ++op)
      ASSERT_GE(model.lineOf(static_cast<int>(op)), 0) << "op " << op << " of\n" << text;
  }
}

TEST(SketchMistypedTest, WhatFollowsAHeaderThatIsWrongIsTheProgram) {
  const Sketch read =
      sketch("def program(x:\n    y = torch.sin(x)\n    z = torch.ones(4)\n    return z\n");
  ASSERT_FALSE(read.valid());
  ASSERT_EQ(read.program.ops.size(), 2u);
  for (const Op& op : read.program.ops) EXPECT_GE(op.statement, 0);
  const SketchEdit edit = duplicateOps(read, std::vector<int>{1});
  const Sketch after = sketch(edit.text);
  EXPECT_EQ(after.problems.size(), read.problems.size()) << edit.text;
  EXPECT_EQ(after.program.ops.size(), 3u) << edit.text;
}

TEST(SketchMistypedTest, AnOpThatIsMadeOrWrittenInPlaceIsCopied) {
  const Sketch read = sketch(
      "def f(x):\n    y = x.clone()\n    y[:, 0] = 1\n    y.add_(x)\n"
      "    z = y.view(x.shape[0], -1)\n    return z\n");
  ASSERT_TRUE(read.valid());
  std::vector<int> all;
  for (std::size_t op = 0; op < read.program.ops.size(); ++op) all.push_back(static_cast<int>(op));
  const Sketch copy = sketch(copyText(read, all));
  ASSERT_TRUE(copy.valid()) << copy.text;
  EXPECT_EQ(ProgramGraph(copy.program).text(), ProgramGraph(read.program).text()) << copy.text;
  for (std::size_t op = 0; op < read.program.ops.size(); ++op) {
    const Sketch one = sketch(copyText(read, std::vector<int>{static_cast<int>(op)}));
    EXPECT_TRUE(one.valid()) << one.text;
  }
}

TEST(SketchMistypedTest, WhatReadsALineThatIsNotUnderstoodIsReadAll) {
  const Sketch read = sketch("def f(x):\n    y = nonsense(x)\n    return y.contiguous().sum()\n");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems.front().place.line, 2);
  EXPECT_THROW(appendOp(sketch("return nonsense(x)\n"), *findOp("exp")), EditRefused);
}

TEST(SketchMistypedTest, EveryEditIsMadeOrRefusedInALine) {
  const int texts = textsToTry(300);
  std::mt19937 random(29);
  std::vector<int> made(14, 0);
  for (int i = 0; i < texts; ++i) {
    Sketch now = sketch(anyText(random));
    for (int step = 0; step < 6; ++step) {
      AnyEdit edit(now, random);
      try {
        const SketchEdit result = edit.make();
        Sketch after = sketch(result.text);
        // Pasted text may contain lines that are not understood.
        const bool mayGrow = edit.kind == 11;
        ASSERT_TRUE(mayGrow || after.problems.size() <= now.problems.size())
            << "edit " << edit.kind << " of\n"
            << now.text << "\ngives\n"
            << result.text;
        ASSERT_EQ(result.opsNow.size(), now.program.ops.size());
        matchOps(now, after);
        ++made[static_cast<std::size_t>(edit.kind)];
        now = std::move(after);
      } catch (const EditRefused& refused) {
        ASSERT_NE(std::string(refused.what()), "");
        ASSERT_EQ(std::string(refused.what()).find('\n'), std::string::npos) << refused.what();
      }
      try {
        copyText(now, edit.ops());
      } catch (const EditRefused&) {
      }
    }
  }
  EXPECT_GT(*std::min_element(made.begin(), made.end()), 0) << ::testing::PrintToString(made);
}

}  // namespace
}  // namespace fusebench::test
