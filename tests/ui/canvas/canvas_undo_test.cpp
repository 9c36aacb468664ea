// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "ui/models/canvas/canvas_commands.h"
#include "ui/models/canvas/canvas_fields.h"

namespace fusebench {
namespace {

/// Edits of the canvas at random places, of every kind.
class RandomCanvasEdits {
 public:
  RandomCanvasEdits(DocumentModel& document, unsigned seed)
      : document_(document), commands_(document), random_(seed) {}

  int done = 0, refused = 0;

  void one() {
    const std::string before = document_.sketch().text;
    // As long as a person's programs are.
    const CanvasOutcome outcome = edit(program().ops.size() > 40 ? 4 : below(13));
    outcome.done() ? ++done : ++refused;
    if (outcome.done()) return;
    // A refusal gives a message and changes nothing.
    EXPECT_GT(outcome.refusal.size(), 10);
    EXPECT_EQ(document_.sketch().text, before);
  }

 private:
  CanvasOutcome edit(int kind) {
    switch (kind) {
      case 0:
        return commands_.append(row());
      case 1:
        return commands_.insert(row(), port());
      case 2:
        return commands_.branch(row(), value());
      case 3:
        return commands_.replace(op(), row());
      case 4:
        return commands_.remove(ops());
      case 5:
        return commands_.duplicate(ops());
      case 6:
        return commands_.move(ops(), port());
      case 7:
        return commands_.connect(value(), port());
      case 8:
        return commands_.setNumber(port(), below(80) / 8.0);
      case 9:
        return field();
      case 10:
        return copyAndPaste();
      case 11:
        return undoAndRedo();
      default:
        return below(4) ? commands_.paste(QStringLiteral("x = torch.nonsense(x)"), port())
                        : commands_.removeProblemLines();
    }
  }

  const Program& program() const { return document_.sketch().program; }
  int below(int n) { return n < 1 ? 0 : static_cast<int>(random_() % static_cast<unsigned>(n)); }
  const OpRow& row() {
    return opRows()[static_cast<std::size_t>(below(static_cast<int>(opRows().size())))];
  }
  int op() { return below(static_cast<int>(program().ops.size())); }
  ValueId value() { return below(program().valueCount()); }
  Port port() {
    const int at = below(static_cast<int>(program().ops.size()) + 1) - 1;
    return {at, at < 0 ? 0 : below(2)};
  }
  std::vector<int> ops() {
    std::vector<int> chosen;
    for (int i = below(3); i >= 0; --i) chosen.push_back(op());
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return program().ops.empty() ? std::vector<int>{} : chosen;
  }

  CanvasOutcome field() {
    if (program().ops.empty()) return commands_.append(row());
    const int at = op();
    const auto fields = canvasFields(program().ops[static_cast<std::size_t>(at)]);
    if (fields.empty()) return commands_.append(row());
    const auto& of = fields[static_cast<std::size_t>(below(static_cast<int>(fields.size())))];
    const FieldValue read =
        readField(of, of.kind == CanvasField::Kind::flag ? (of.on() ? "False" : "True")
                                                         : QString::number(below(3)));
    if (read.good()) return commands_.setField(at, of, read);
    return {read.error, {}, {}};
  }

  CanvasOutcome copyAndPaste() {
    QString refusal;
    const QString text = commands_.copy(ops(), refusal);
    if (!refusal.isEmpty()) return {refusal, {}, {}};
    return commands_.paste(text, port());
  }

  CanvasOutcome undoAndRedo() {
    for (int i = below(4); i > 0 && document_.canUndo(); --i) document_.undo();
    for (int i = below(4); i > 0 && document_.canRedo(); --i) document_.redo();
    return {};
  }

  DocumentModel& document_;
  CanvasCommands commands_;
  std::mt19937 random_;
};

TEST(CanvasUndo, GoesBackToTheStartAndForthToTheEndAfterAnyEdits) {
  for (const unsigned seed : {11u, 12u}) {
    DocumentModel document;
    document.setText(QStringLiteral("Start"), {},
                     "def program(x, y):  # two\n    x = torch.exp(x * 0.5)\n\n"
                     "    z = x + y  # joined\n    return z.sum()");
    document.load(document.experiment(), {});
    const std::string start = toJson(document.experiment());
    RandomCanvasEdits edits(document, seed);
    for (int i = 0; i < 150; ++i) edits.one();
    EXPECT_GT(edits.done, 50) << edits.refused << " refused";
    while (document.canRedo()) document.redo();
    const std::string end = toJson(document.experiment());
    EXPECT_NE(end, start);
    std::vector<std::string> states;
    while (document.canUndo()) {
      EXPECT_FALSE(document.undoName().isEmpty());
      document.undo();
      states.push_back(document.sketch().text);
    }
    EXPECT_EQ(toJson(document.experiment()), start);
    EXPECT_FALSE(document.modified());
    for (std::size_t i = states.size(); document.canRedo(); --i) {
      ASSERT_GT(i, 0u);
      EXPECT_EQ(document.sketch().text, states[i - 1]);  // each step is the same both ways
      document.redo();
    }
    EXPECT_EQ(toJson(document.experiment()), end);
  }
}

TEST(CanvasUndo, StepsAreNamedAfterWhatWasDone) {
  DocumentModel document;
  document.setText(QStringLiteral("Start"), {},
                   "def program(x, y):\n    a = torch.exp(x)\n    b = a * 2\n    return b.sum()");
  CanvasCommands commands(document);
  const auto name = [&](const CanvasOutcome& outcome) {
    EXPECT_TRUE(outcome.done()) << outcome.refusal.toStdString();
    return document.undoName().toStdString();
  };
  const int first[] = {0}, both[] = {0, 1};
  EXPECT_EQ(name(commands.append(*findOp("tanh"))), "Append tanh");
  EXPECT_EQ(name(commands.insert(*findOp("relu"), {1, 0})), "Insert relu");
  EXPECT_EQ(name(commands.duplicate(first)), "Duplicate exp");
  EXPECT_EQ(name(commands.duplicate(both)), "Duplicate 2 ops");
  EXPECT_EQ(name(commands.remove(first)), "Delete exp");
  EXPECT_EQ(name(commands.branch(*findOp("sin"), 0)), "Branch to sin");
  EXPECT_EQ(name(commands.paste("x = torch.cos(x)", {0, 0})), "Paste");
  document.undo();
  EXPECT_EQ(document.redoName().toStdString(), "Paste");
}

}  // namespace
}  // namespace fusebench
