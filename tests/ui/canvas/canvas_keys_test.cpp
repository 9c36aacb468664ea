// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the canvas does, without a mouse; and what it says of mistakes.
#include "ui/views/canvas/canvas_keys.h"

#include <QLabel>
#include <QTest>
#include <QToolTip>
#include <string>

#include "tests/ui/canvas/canvas_fixture.h"
#include "ui/views/canvas/canvas_actions.h"
#include "ui/views/canvas/canvas_field_editor.h"
#include "ui/views/canvas/canvas_frame_item.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/palette_popup.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

class CanvasKeyboard : public Canvas {
 protected:
  CanvasKeyboard() {
    load("    x = torch.exp(x)\n    x = x + 0.1\n    x = torch.cos(x)\n    return x.sum()");
  }
};
using CanvasMistakes = Canvas;

TEST_F(CanvasKeyboard, ArrowsWalkAndEnterEdits) {
  key(Qt::Key_Home);
  EXPECT_EQ(current(), "x");
  key(Qt::Key_Down);
  key(Qt::Key_Down);
  EXPECT_EQ(current(), "+");
  EXPECT_EQ(selected(), "+");
  key(Qt::Key_Return);
  ASSERT_TRUE(view.editor().isOpen());
  type("7");
  key(Qt::Key_Return);
  EXPECT_THAT(code(), HasSubstr("x = x + 7"));
  key(Qt::Key_Up);
  EXPECT_EQ(current(), "exp");
  key(Qt::Key_Return);
  EXPECT_EQ(said(), "exp has no parameters");
  key(Qt::Key_End);
  EXPECT_EQ(current(), "return");
}

TEST_F(CanvasKeyboard, LeftAndRightGoToTheBranchBeside) {
  load("    a = torch.exp(x)\n    b = torch.sin(x)\n    return (a * b).sum()");
  key(Qt::Key_Home);
  key(Qt::Key_Down);
  const std::string first = current();
  const QRectF exp = view.surface().node(node("exp")).frame();
  const QRectF sin = view.surface().node(node("sin")).frame();
  ASSERT_NEAR(exp.top(), sin.top(), 20);
  key((first == "exp") == (sin.left() > exp.left()) ? Qt::Key_Right : Qt::Key_Left);
  EXPECT_NE(current(), first);
  EXPECT_THAT("exp sin", HasSubstr(current()));
}

TEST_F(CanvasKeyboard, ShiftSelectsMoreAndDeleteTakesThemAway) {
  key(Qt::Key_Home);
  key(Qt::Key_Down);
  key(Qt::Key_Down, Qt::ShiftModifier);
  EXPECT_EQ(selected(), "exp +");
  key(Qt::Key_Delete);
  EXPECT_EQ(code(), "x = torch.cos(x); return x.sum()");
  EXPECT_EQ(undoName(), "Delete 2 ops");
  EXPECT_EQ(current(), "x");  // continues at the input of the deleted ops
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_THAT(code(), HasSubstr("torch.exp(x); x = x + 0.1"));
  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(code(), "x = torch.cos(x); return x.sum()");
}

TEST_F(CanvasKeyboard, CtrlDDuplicates) {
  key(Qt::Key_Home);
  key(Qt::Key_Down);
  key(Qt::Key_Down);
  key(Qt::Key_D, Qt::ControlModifier);
  EXPECT_EQ(code(), "x = torch.exp(x); x = x + 0.1; x = x + 0.1; x = torch.cos(x); return x.sum()");
  EXPECT_EQ(undoName(), "Duplicate add");
  EXPECT_EQ(view.surface().current(), node("+", 1));
}

TEST_F(CanvasKeyboard, AltArrowsMoveAnOpAlongTheChain) {
  key(Qt::Key_Home);
  key(Qt::Key_Down);
  key(Qt::Key_Down, Qt::AltModifier);
  EXPECT_THAT(code(), HasSubstr("x = x + 0.1; x = torch.exp(x); x = torch.cos(x)"));
  EXPECT_EQ(current(), "exp");
  key(Qt::Key_Up, Qt::AltModifier);
  EXPECT_THAT(code(), HasSubstr("x = torch.exp(x); x = x + 0.1"));
  key(Qt::Key_Up, Qt::AltModifier);
  EXPECT_EQ(said(), "This is already the first op");
}

TEST_F(CanvasKeyboard, AChainIsBuiltWithNoMouse) {
  document.load(DocumentModel::blank(), {});
  key(Qt::Key_Slash);
  EXPECT_EQ(view.popup().heading(), "Append an op");
  chooseInPopup("exp");
  view.surface().setFocus();
  EXPECT_EQ(current(), "exp");
  key(Qt::Key_Insert);
  EXPECT_EQ(view.popup().heading(), "Insert between exp and sum");
  chooseInPopup("mul");
  key(Qt::Key_Insert, Qt::ShiftModifier);
  EXPECT_EQ(view.popup().heading(), "Insert between exp and mul");
  chooseInPopup("sin");
  EXPECT_EQ(code(), "x = torch.exp(x); x = torch.sin(x); x = x * 1.0; return x.sum()");
  key(Qt::Key_R);
  EXPECT_EQ(view.popup().heading(), "Replace sin by");
  chooseInPopup("cos");
  EXPECT_THAT(code(), HasSubstr("x = torch.cos(x)"));
  EXPECT_EQ(undoName(), "Replace sin by cos");
  key(Qt::Key_B);
  EXPECT_EQ(view.popup().heading(), "Branch from cos");
  chooseInPopup("relu");
  EXPECT_EQ(document.sketch().program.outputs.size(), 2u);
}

TEST_F(CanvasKeyboard, AnOperandIsConnectedByArrowsOrANumber) {
  load("    a = torch.exp(x)\n    b = a * 2\n    return b.sum()", "x, y");
  view.surface().select({node("*")}, node("*"));
  key(Qt::Key_C);
  EXPECT_THAT(said(), HasSubstr("Arrows choose, Enter connects"));
  key(Qt::Key_Home);
  key(Qt::Key_Return);
  EXPECT_THAT(code(), HasSubstr("b = a * x"));
  key(Qt::Key_C);
  type("0.5");
  key(Qt::Key_Return);
  EXPECT_THAT(code(), HasSubstr("0.5"));
  key(Qt::Key_C);
  key(Qt::Key_Escape);
  EXPECT_EQ(said(), "");
}

TEST_F(CanvasKeyboard, TabWalksTheNodesAndThenLeaves) {
  key(Qt::Key_Tab);
  EXPECT_EQ(current(), "x");
  for (int i = 0; i < 5; ++i) key(Qt::Key_Tab);
  EXPECT_EQ(current(), "return");
  key(Qt::Key_Backtab, Qt::ShiftModifier);
  EXPECT_EQ(current(), "sum");
}

TEST_F(CanvasKeyboard, CtrlASelectsEveryOpAndEscapeNone) {
  key(Qt::Key_A, Qt::ControlModifier);
  EXPECT_EQ(selected(), "exp + cos sum");
  key(Qt::Key_Escape);
  EXPECT_EQ(selected(), "");
}

TEST_F(CanvasKeyboard, WhatIsAtHandIsSaidToThoseWhoDoNotSeeIt) {
  key(Qt::Key_Home);
  key(Qt::Key_Down);
  key(Qt::Key_Down);
  const std::string words = view.surface().accessibleDescription().toStdString();
  EXPECT_THAT(words, HasSubstr("add"));
  EXPECT_THAT(words, HasSubstr("(8, 16) float32"));
  EXPECT_THAT(words, HasSubstr("statement 2"));
}

TEST_F(CanvasMistakes, AShapeThatDoesNotFitStandsOnItsNodeWithARemedy) {
  load("    a = torch.exp(x)\n    b = a + y\n    return b.sum()", "x, y");
  document.edit("Shape", {}, [](Experiment& e) { e.inputSets[0].inputs[1].extents = {"8", "3"}; });
  const CanvasNodeItem& item = view.surface().node(node("+"));
  ASSERT_EQ(item.node().problems.size(), 1);
  EXPECT_THAT(item.node().problems[0].toStdString(), HasSubstr("(8, 3)"));
  EXPECT_THAT(item.node().problems[0].toStdString(), HasSubstr("must be equal or 1"));
  // All of it can be read there, not only its start.
  const QFontMetricsF metrics(textFont(0.86));
  const QRectF needed = metrics.boundingRect(QRectF(0, 0, item.face().problem.width(), 1000),
                                             Qt::TextWordWrap, item.node().problems[0]);
  EXPECT_LE(needed.height(), item.face().problem.height() + 1);
  EXPECT_TRUE(QRectF({}, item.face().size).contains(item.face().problem));
  EXPECT_TRUE(view.badge().text().contains("once the problems are solved"));
  document.undo();
  EXPECT_TRUE(view.surface().node(node("+")).node().problems.isEmpty());
}

TEST_F(CanvasMistakes, AnUnknownOpStandsInTheGraphWithTheNearestNameAndTheRestWorks) {
  load("    x = torch.exp(x)\n    x = torch.tanhh(x)\n    x = x * 2\n    return x.sum()");
  const CanvasGraph& graph = view.surface().graph();
  ASSERT_EQ(graph.ops, 4);
  const CanvasNode& wrong = graph.nodes[static_cast<std::size_t>(graph.nodeOfOp(1))];
  EXPECT_TRUE(wrong.notUnderstood());
  ASSERT_EQ(wrong.problems.size(), 1);
  EXPECT_THAT(wrong.problems[0].toStdString(), HasSubstr("did you mean torch.tanh?"));
  view.surface().select({graph.nodeOfOp(2)}, graph.nodeOfOp(2));
  key(Qt::Key_D, Qt::ControlModifier);
  EXPECT_THAT(code(), HasSubstr("x = torch.tanhh(x); x = x * 2; x = x * 2"));
  // The remedy on the spot: another op in its place.
  const int node = view.surface().graph().nodeOfOp(1);
  view.surface().select({node}, node);
  key(Qt::Key_R);
  chooseInPopup("tanh");
  EXPECT_THAT(code(), HasSubstr("x = torch.tanh(x)"));
  EXPECT_TRUE(document.sketch().valid());
}

TEST_F(CanvasMistakes, ARefusedEditSaysWhyAndTheNextKeyTakesTheWordsAway) {
  load("    x = torch.exp(x)\n    return x.sum()");
  key(Qt::Key_Home);
  key(Qt::Key_Delete);
  EXPECT_THAT(said(), HasSubstr("disappear with the ops that read or compute them"));
  key(Qt::Key_Down);
  EXPECT_EQ(said(), "");
}

TEST_F(Canvas, FramesFoldByMouseAndByKey) {
  load("    for i in range(2):\n        x = torch.exp(x)\n        x = x * 3\n    return x.sum()");
  CanvasSurface& surface = view.surface();
  ASSERT_EQ(surface.frames().size(), 2u);
  EXPECT_FALSE(surface.frames()[0]->area().intersects(surface.frames()[1]->area()));
  for (int i = 1; i <= 2; ++i)
    EXPECT_TRUE(surface.frames()[0]->area().contains(surface.node(i).frame()));
  for (int i = 1; i <= 4; ++i)
    EXPECT_FALSE(surface.frames()[0]->titleFrame().intersects(surface.node(i).frame()));
  click(pixel(surface.frames()[0]->titleFrame().center()));
  ASSERT_EQ(surface.frames().size(), 1u);
  EXPECT_EQ(surface.graph().nodes[1].title, "i = 0 · 2 ops");
  EXPECT_FALSE(surface.node(2).isVisible());
  EXPECT_EQ(surface.current(), 1);
  key(Qt::Key_Down);
  EXPECT_EQ(surface.current(), 3) << "walking goes past what is folded";
  key(Qt::Key_Up);
  EXPECT_EQ(surface.current(), 1);
  key(Qt::Key_F);
  EXPECT_EQ(surface.frames().size(), 2u);
  EXPECT_EQ(surface.graph().nodes[1].title, "exp");
  EXPECT_EQ(surface.current(), 1);
  surface.select({4}, 4);
  key(Qt::Key_F);
  EXPECT_TRUE(surface.graph().nodes[4].hidden);
}

TEST_F(Canvas, OpsOfOneLineShareTheirEdits) {
  load("    for i in range(2):\n        x = torch.exp(x)\n        x = x * 3\n    return x.sum()");
  CanvasSurface& surface = view.surface();
  surface.select({2}, 2);
  EXPECT_TRUE(surface.node(4).state().marked) << "what is edited with it is shown";
  EXPECT_FALSE(surface.node(3).state().marked);
  view.actions().setNumber(2, 1, 4);
  for (const int i : {2, 4})
    EXPECT_EQ(surface.graph().nodes[static_cast<std::size_t>(i)].fields[0].shown(), "4");
}

TEST_F(Canvas, ATensorsLayoutIsShownByKey) {
  load("    y = x.t()\n    return y");
  view.surface().select({1}, 1);
  key(Qt::Key_L);
  const QString tip = QToolTip::text();
  EXPECT_TRUE(tip.contains("column-major, a view of x")) << tip.toStdString();
  EXPECT_TRUE(tip.contains(">16<")) << "the places in memory are numbered";
  QToolTip::hideText();
}

}  // namespace
}  // namespace fusebench
