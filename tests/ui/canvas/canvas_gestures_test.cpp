// SPDX-License-Identifier: GPL-3.0-or-later
// The mouse gestures on the canvas.
#include "ui/views/canvas/canvas_gestures.h"

#include <QApplication>
#include <QWheelEvent>

#include <QSignalSpy>
#include <QTest>
#include <string>

#include "tests/ui/canvas/canvas_fixture.h"
#include "ui/views/canvas/canvas_edge_item.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/palette_popup.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class CanvasMouse : public Canvas {
 protected:
  CanvasMouse() {
    load("    x = torch.exp(x)\n    x = torch.sin(x)\n    x = torch.cos(x)\n    return x.sum()");
  }
};

TEST_F(CanvasMouse, AnOpDraggedToAnotherEdgeIsMoved) {
  press(body("exp"));
  move(middle("cos", "sum"));
  move(middle("cos", "sum") + QPoint(1, 0));
  EXPECT_TRUE(view.surface().node(node("exp")).state().ghost);
  EXPECT_EQ(view.surface().target(), edge("cos", "sum"));
  release(middle("cos", "sum"));
  EXPECT_EQ(code(), "x = torch.sin(x); x = torch.cos(x); x = torch.exp(x); return x.sum()");
  EXPECT_EQ(undoName(), "Move exp");
  EXPECT_EQ(selected(), "exp");
}

/// Nodes are much wider than the edge between them is near.
TEST_F(CanvasMouse, AnOpIsMovedToAGapWhereverItIsHeldOverIt) {
  const QRectF sum = view.surface().places()[static_cast<std::size_t>(node("sum"))];
  const QRectF cos = view.surface().places()[static_cast<std::size_t>(node("cos"))];
  const QPoint gap = pixel(QPointF(cos.left() + 8, (cos.bottom() + sum.top()) / 2));
  ASSERT_EQ(view.surface().nodeAt(view.surface().mapToScene(gap)), -1);
  press(body("exp"));
  move(gap);
  move(gap + QPoint(1, 0));
  EXPECT_EQ(view.surface().target(), edge("cos", "sum"));
  release(gap);
  EXPECT_EQ(code(), "x = torch.sin(x); x = torch.cos(x); x = torch.exp(x); return x.sum()");
  ASSERT_TRUE(dropOp("relu", pixel(view.surface().node(node("sin")).frame().bottomLeft() +
                                   QPointF(8, (sum.top() - cos.bottom()) / 2))));
  EXPECT_EQ(code(),
            "x = torch.sin(x); x = torch.relu(x); x = torch.cos(x); x = torch.exp(x); "
            "return x.sum()");
}

TEST_F(CanvasMouse, SeveralAreMovedTogether) {
  click(body("exp"));
  click(body("sin"), Qt::ControlModifier);
  drag(body("sin"), middle("cos", "sum"));
  EXPECT_EQ(code(), "x = torch.cos(x); x = torch.exp(x); x = torch.sin(x); return x.sum()");
  EXPECT_EQ(undoName(), "Move 2 ops");
}

TEST_F(CanvasMouse, ADragThatGoesNowhereLeavesEverything) {
  const std::string before = code();
  const QPointF place = view.surface().node(node("exp")).pos();
  drag(body("exp"), ground());
  EXPECT_EQ(code(), before);
  EXPECT_EQ(view.surface().node(node("exp")).pos(), place);
  press(body("exp"));
  move(middle("cos", "sum"));
  move(middle("cos", "sum") + QPoint(2, 0));
  key(Qt::Key_Escape);  // given up half-way
  release(middle("cos", "sum"));
  EXPECT_EQ(code(), before);
  EXPECT_EQ(view.surface().node(node("exp")).pos(), place);
  EXPECT_FALSE(document.canUndo());
}

TEST_F(CanvasMouse, APortDraggedToAnOperandConnects) {
  load("    a = torch.exp(x)\n    b = a * 2\n    return b.sum()", "x, y");
  drag(out("y"), in("*", 1));
  EXPECT_THAT(code(), HasSubstr("b = a * y"));
  EXPECT_EQ(undoName(), "Connect to mul");
  EXPECT_EQ(selected(), "*");
  drag(out("x"), body("*"));  // on the node: to the operand that it is most likely meant for
  EXPECT_THAT(code(), HasSubstr("b = a * x"));
}

TEST_F(CanvasMouse, AnOperandDraggedToANodeReadsIt) {
  load("    a = torch.exp(x)\n    b = a * 2\n    return b.sum()", "x, y");
  drag(in("*", 0), body("y"));
  EXPECT_THAT(code(), HasSubstr("b = y * 2"));
}

TEST_F(CanvasMouse, APortDraggedToTheGroundBranches) {
  drag(out("exp"), ground() - QPoint(0, 100));
  EXPECT_EQ(view.popup().heading(), "Branch from exp");
  chooseInPopup("tanh");
  EXPECT_EQ(document.sketch().program.outputs.size(), 2u);
  EXPECT_THAT(code(), HasSubstr("torch.tanh("));
  EXPECT_EQ(undoName(), "Branch to tanh");
}

TEST_F(CanvasMouse, ACycleIsRefusedWithARemedy) {
  load("    a = torch.exp(x)\n    b = a * x\n    return b.sum()");
  const std::string before = code();
  drag(out("*"), in("exp"));
  EXPECT_EQ(code(), before);
  EXPECT_FALSE(document.canUndo());
  EXPECT_THAT(said(), HasSubstr("cycle"));
}

TEST_F(CanvasMouse, ARubberBandSelectsAndCtrlAddsOrTakesAway) {
  const QRectF exp = view.surface().node(node("exp")).frame();
  const QRectF sin = view.surface().node(node("sin")).frame();
  drag(pixel(exp.topLeft() + QPointF(-60, 6)), pixel(sin.center() + QPointF(-20, 0)));
  EXPECT_EQ(selected(), "exp sin");
  click(body("cos"), Qt::ControlModifier);
  EXPECT_EQ(selected(), "exp sin cos");
  click(body("exp"), Qt::ControlModifier);
  EXPECT_EQ(selected(), "sin cos");
  click(body("exp"), Qt::ShiftModifier);
  EXPECT_EQ(selected(), "exp sin cos");
  click(body("sin"));
  EXPECT_EQ(selected(), "sin");
  const QRectF cos = view.surface().node(node("cos")).frame();
  drag(pixel(cos.topLeft() + QPointF(-60, 6)), pixel(cos.center() + QPointF(-20, 0)),
       Qt::ControlModifier);
  EXPECT_EQ(selected(), "sin cos");
  click(ground());
  EXPECT_EQ(selected(), "");
}

TEST_F(CanvasMouse, AShortEdgeAndANodesMiddleCanBeGotHoldOfAtAnyZoom) {
  for (const double zoom : {1.0, 0.6}) {
    view.surface().setZoom(zoom);
    click(middle("exp", "sin"));
    EXPECT_EQ(view.surface().selectedEdge(), edge("exp", "sin")) << zoom;
    drag(pixel(view.surface().node(node("exp")).frame().center()), middle("cos", "sum"));
    EXPECT_EQ(undoName(), "Move exp") << zoom;
    document.undo();
  }
}

TEST_F(CanvasMouse, ASelectedEdgeIsCutByDelete) {
  load("    a = torch.exp(x)\n    b = a * y\n    return b.sum()", "x, y");
  const QPointF on = view.surface().edge(edge("y", "*")).middle();
  click(pixel(on));
  ASSERT_EQ(view.surface().selectedEdge(), edge("y", "*"));
  key(Qt::Key_Delete);
  EXPECT_THAT(code(), HasSubstr("b = a * 1"));
}

TEST_F(CanvasMouse, ADoubleClickOnAnEdgeAsksWhatToInsert) {
  const QPoint at = middle("exp", "sin");
  QTest::mouseDClick(view.surface().viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(view.popup().heading(), "Insert between exp and sin");
  chooseInPopup("relu");
  EXPECT_THAT(code(), HasSubstr("torch.exp(x); x = torch.relu(x); x = torch.sin(x)"));
}

TEST_F(CanvasMouse, TheWheelZoomsAboutTheMouseAndSpacePans) {
  for (int i = 0; i < 30; ++i) view.appendOp(findOp("exp"));
  CanvasSurface& surface = view.surface();
  surface.setZoom(2);
  surface.reveal(15);
  const QPoint at(450, 300);
  const QPointF before = surface.mapToScene(at);
  QWheelEvent wheel(at, surface.viewport()->mapToGlobal(at), {}, {0, -240}, Qt::NoButton,
                    Qt::ControlModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(surface.viewport(), &wheel);
  EXPECT_NEAR(surface.zoom(), 2 / (1.15 * 1.15), 0.01);
  EXPECT_NEAR(surface.mapToScene(at).y(), before.y(), 2);
  const QPointF held = surface.mapToScene(QPoint(400, 400));
  QTest::keyPress(&surface, Qt::Key_Space);
  drag({400, 400}, {400, 340});
  QTest::keyRelease(&surface, Qt::Key_Space);
  EXPECT_NEAR(surface.mapToScene(QPoint(400, 340)).y(), held.y(), 2);
  EXPECT_EQ(selected(), "exp");  // panning selects nothing
}

}  // namespace
}  // namespace fusebench
