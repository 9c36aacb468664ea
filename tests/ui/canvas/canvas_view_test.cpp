// SPDX-License-Identifier: GPL-3.0-or-later
// Building a program on the canvas: ops out of the palette, values on the nodes, text.
#include "ui/views/canvas/canvas_view.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTest>
#include <string>

#include "engine/edit/layers.h"
#include "engine/language/parser.h"
#include "tests/ui/canvas/canvas_fixture.h"
#include "tests/ui/events.h"
#include "ui/models/canvas/palette_model.h"
#include "ui/views/canvas/canvas_field_editor.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/palette_popup.h"

namespace fusebench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

using CanvasPalette = Canvas;
using CanvasValues = Canvas;
using CanvasText = Canvas;

TEST_F(CanvasPalette, EnterAppends) {
  PaletteModel model;
  PaletteView palette(model);
  QObject::connect(&palette, &PaletteView::opChosen, &view, &CanvasView::appendOp);
  palette.show();
  palette.start();
  QTest::keyClicks(&palette.search(), "exp");
  QTest::keyClick(&palette.search(), Qt::Key_Return);
  QTest::keyClicks(&palette.search(), "tanh");  // the search is selected, so this replaces it
  QTest::keyClick(&palette.search(), Qt::Key_Return);
  EXPECT_EQ(code(), "x = torch.exp(x); x = torch.tanh(x); return x.sum()");
  EXPECT_EQ(undoName(), "Append tanh");
  EXPECT_EQ(selected(), "tanh");
  EXPECT_EQ(model.recent(), (QStringList{"tanh", "exp"}));
}

TEST_F(CanvasPalette, AChainThatIsDrawnWithItsRepeatsIsBuiltOn) {
  load("    x = torch.exp(x)\n    x = torch.sin(x)\n    return x.sum()");
  document.edit("Sweep", {}, [](Experiment& e) { e.axes[0].values = {1, 6}; });
  view.setShownStatements(6);
  click(body("sin"));
  type("/");
  chooseInPopup("tanh");
  EXPECT_EQ(said(), "");
  EXPECT_EQ(code(), "x = torch.exp(x); x = torch.sin(x); x = torch.tanh(x); return x.sum()");
}

TEST_F(CanvasPalette, AnOpDroppedOnAnEdgeIsPutThere) {
  load("    x = torch.exp(x)\n    x = torch.sin(x)\n    return x.sum()");
  QMimeData data;
  data.setData(PaletteModel::kMimeType, "relu");
  ASSERT_TRUE(carry(data, middle("exp", "sin")));
  EXPECT_EQ(view.surface().target(), edge("exp", "sin"));  // visible before the drop
  ASSERT_TRUE(drop(data, middle("exp", "sin")));
  EXPECT_EQ(view.surface().target(), -1);
  EXPECT_THAT(code(), HasSubstr("x = torch.exp(x); x = torch.relu(x); x = torch.sin(x)"));
  EXPECT_EQ(undoName(), "Insert relu");
  EXPECT_EQ(selected(), "relu");
}

TEST_F(CanvasPalette, AnOpDroppedOnANodeGoesBeforeOrAfterIt) {
  load("    x = torch.exp(x)\n    x = torch.sin(x)\n    return x.sum()");
  const CanvasNodeItem& sin = view.surface().node(node("sin"));
  ASSERT_TRUE(dropOp("relu", pixel(sin.frame().bottomLeft() + QPointF(20, -4))));
  EXPECT_THAT(code(), HasSubstr("torch.sin(x); x = torch.relu(x)"));
  const CanvasNodeItem& exp = view.surface().node(node("exp"));
  ASSERT_TRUE(dropOp("abs", pixel(exp.frame().topLeft() + QPointF(20, 4))));
  EXPECT_THAT(code(), HasSubstr("torch.abs(x); x = torch.exp(x)"));
}

TEST_F(CanvasPalette, WhatIsDroppedOnAPortIsConnectedThere) {
  load("    y = torch.exp(x)\n    z = torch.sin(x)\n    return y + z");
  ASSERT_TRUE(dropOp("relu", in("+", 1)));
  EXPECT_EQ(code(), "y = torch.exp(x); z = torch.sin(x); z = torch.relu(z); return y + z");
  ASSERT_TRUE(dropOp("input", in("+", 0)));
  EXPECT_THAT(code(), EndsWith("z = torch.relu(z); return u + z"));
  EXPECT_EQ(document.sketch().program.inputs, (std::vector<std::string>{"x", "u"}));
  EXPECT_TRUE(document.runnable());
  ASSERT_TRUE(dropOp("input", ground()));
  EXPECT_EQ(document.sketch().program.inputs.size(), 3u);
  EXPECT_THAT(code(), EndsWith("z = torch.relu(z); return u + z")) << "elsewhere it is only added";
}

TEST_F(CanvasPalette, ATransformerBlockIsBuiltByDoubleClicks) {
  load("    return x.sum()");
  for (const char* const each :
       {"layer_norm", "attention", "residual", "layer_norm", "mlp", "residual"})
    view.appendOp(findOpOrLayer(each));
  EXPECT_EQ(said(), "");
  EXPECT_TRUE(document.runnable());
  const std::vector<InputSpec>& inputs = document.experiment().inputSets.front().inputs;
  ASSERT_EQ(inputs.size(), 13u);
  EXPECT_EQ(inputs[9].name, "up_weight");
  EXPECT_EQ(inputs[9].extents, (std::vector<std::string>{"64", "16"}));
  EXPECT_EQ(inputs[7].fill, "ones");
  EXPECT_TRUE(inputs[9].held);
  for (int steps = 0; steps < 6; ++steps) document.undo();
  EXPECT_EQ(document.experiment().inputSets.front().inputs.size(), 1u);
}

TEST_F(CanvasPalette, WeightsFollowWhatAnAxisSweeps) {
  Experiment swept = DocumentModel::blank();
  swept.axes = {{"width", "width", {16, 32}}};
  swept.inputSets.front().inputs.front().extents = {"8", "width"};
  document.load(swept, {});
  view.appendOp(findOpOrLayer("linear_bias"));
  const std::vector<InputSpec>& inputs = document.experiment().inputSets.front().inputs;
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[1].extents, (std::vector<std::string>{"width", "width"}));
  EXPECT_TRUE(document.runnable());
}

TEST_F(CanvasPalette, AnOpDroppedOnTheGroundIsAppended) {
  load("    x = torch.exp(x)\n    return x.sum()");
  ASSERT_TRUE(dropOp("cos", ground()));
  EXPECT_EQ(code(), "x = torch.exp(x); x = torch.cos(x); return x.sum()");
  EXPECT_EQ(undoName(), "Append cos");
}

TEST_F(CanvasPalette, WhatIsNeitherAnOpNorTextIsNotTaken) {
  QMimeData picture;
  picture.setData("image/png", "not one");
  EXPECT_FALSE(carry(picture, ground()));
  QMimeData file;  // the window opens it
  file.setUrls({QUrl::fromLocalFile("/tmp/a.json")});
  EXPECT_FALSE(carry(file, ground()));
  EXPECT_FALSE(document.canUndo());
}

TEST_F(CanvasPalette, AnEmptyChainInvites) {
  EXPECT_TRUE(view.invitation().isVisible());
  EXPECT_TRUE(view.invitation().text().contains("paste PyTorch"));
  view.appendOp(findOp("exp"));
  EXPECT_FALSE(view.invitation().isVisible());
  document.undo();
  EXPECT_TRUE(view.invitation().isVisible());
  const QSize before = view.size();
  view.resize(260, 180);
  test::handleEvents();
  EXPECT_FALSE(view.invitation().isVisible()) << "it would lie on the chain";
  view.resize(before);
  test::handleEvents();
  EXPECT_TRUE(view.invitation().isVisible());
  load("    return torch.softmax(x, -1)");
  EXPECT_FALSE(view.invitation().isVisible()) << "what is returned is a program, too";
  load("    return x.clone()");
  EXPECT_FALSE(view.invitation().isVisible()) << "it returns no sum";
}

TEST_F(CanvasValues, AClickedParameterIsTypedAndTaken) {
  load("    x = torch.nn.functional.leaky_relu(x, negative_slope=0.2)\n    return x.sum()");
  const CanvasNodeItem& item = view.surface().node(node("leaky_relu"));
  click(pixel(item.fieldFrame(0).center()));
  ASSERT_TRUE(view.editor().isOpen());
  EXPECT_EQ(view.editor().text(), "0.2");
  type("0.35");
  key(Qt::Key_Return);
  EXPECT_FALSE(view.editor().isOpen());
  EXPECT_THAT(code(), HasSubstr("negative_slope=0.35"));
  EXPECT_EQ(undoName(), "negative_slope of leaky_relu");
  EXPECT_TRUE(view.surface().hasFocus());
  document.undo();
  EXPECT_THAT(code(), HasSubstr("negative_slope=0.2"));
}

TEST_F(CanvasValues, ANumberAmongTheOperandsIsTyped) {
  load("    x = x + 0.1\n    return x.sum()");
  click(pixel(view.surface().node(node("+")).fieldFrame(0).center()));
  type("-2");
  key(Qt::Key_Return);
  EXPECT_EQ(code(), "x = x + -2.0; return x.sum()");
}

TEST_F(CanvasValues, AWrongValueIsRefusedInWords) {
  load("    x = x + 0.1\n    return x.sum(dim=1)");
  click(pixel(view.surface().node(node("+")).fieldFrame(0).center()));
  type("many");
  EXPECT_THAT(said(), HasSubstr("“many” is not a number"));  // while it is typed
  key(Qt::Key_Return);
  EXPECT_TRUE(view.editor().isOpen());
  EXPECT_THAT(said(), HasSubstr("takes a number"));
  EXPECT_FALSE(document.canUndo());
  key(Qt::Key_Escape);
  EXPECT_FALSE(view.editor().isOpen());
  EXPECT_THAT(said(), IsEmpty());

  click(pixel(view.surface().node(node("sum")).fieldFrame(0).center()));
  type("5");
  key(Qt::Key_Return);
  EXPECT_THAT(said(), HasSubstr("There is no dimension 5; there are 0 to 1"));
  EXPECT_FALSE(document.canUndo());
}

TEST_F(CanvasValues, AWindowThatClosesWhileAValueIsTypedComesToNoHarm) {
  {
    CanvasView other(document);
    document.setText(QStringLiteral("Start"), {}, "def program(x):\n    x = x + 1\n    return x");
    other.show();
    other.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&other));
    other.editor().open(1, 0);
    other.editor().setText("7");
  }
  EXPECT_THAT(code(), HasSubstr("x + 1"));
}

TEST_F(CanvasValues, AFlagIsSwitchedByAClick) {
  load("    x = torch.exp(x)\n    return x.sum(dim=1)");
  click(pixel(view.surface().node(node("sum")).fieldFrame(1).center()));
  EXPECT_THAT(code(), HasSubstr("keepdim=True"));
  EXPECT_FALSE(view.editor().isOpen());
}

TEST_F(CanvasValues, TabGoesToTheNextValueAndTakesThisOne) {
  load("    x = torch.clamp(x, min=0.1, max=2.5)\n    return x.sum()");
  click(pixel(view.surface().node(node("clamp")).fieldFrame(0).center()));
  type("0.2");
  key(Qt::Key_Tab);
  ASSERT_TRUE(view.editor().isOpen());
  EXPECT_EQ(view.editor().field(), 1);
  type("3");
  key(Qt::Key_Return);
  EXPECT_THAT(code(), HasSubstr("0.2"));
  EXPECT_THAT(code(), HasSubstr("3"));
  EXPECT_EQ(code().find("2.5"), std::string::npos);
}

TEST_F(CanvasValues, AnInputIsRenamedByADoubleClick) {
  load("    x = torch.exp(x)\n    return x.sum()");
  press(body("x"));
  QTest::mouseDClick(view.surface().viewport(), Qt::LeftButton, {}, body("x"));
  ASSERT_TRUE(view.editor().isOpen());
  type("2x");
  key(Qt::Key_Return);
  EXPECT_THAT(said(), HasSubstr("does not start with a digit"));
  view.editor().setText("image");
  key(Qt::Key_Return);
  EXPECT_THAT(document.sketch().text, HasSubstr("program(image)"));
  EXPECT_EQ(undoName(), "Rename x to image");
}

TEST_F(CanvasText, CopiedOpsArePyTorchThatAnybodyCanRead) {
  load("    x = torch.exp(x * 0.5)\n    x = torch.sin(x)\n    return x.sum()");
  click(body("exp"));
  click(body("sin"), Qt::ControlModifier);
  key(Qt::Key_C, Qt::ControlModifier);
  const std::string copied = QApplication::clipboard()->text().toStdString();
  EXPECT_THAT(copied, HasSubstr("torch.exp("));
  EXPECT_THAT(copied, HasSubstr("torch.sin("));
  EXPECT_NO_THROW(parseProgram(copied)) << copied;
  QPlainTextEdit elsewhere;
  elsewhere.paste();
  EXPECT_EQ(elsewhere.toPlainText().toStdString(), copied);
}

TEST_F(CanvasText, WhatWasCopiedIsPastedAfterWhatIsSelected) {
  load("    x = torch.exp(x)\n    x = torch.sin(x)\n    x = torch.cos(x)\n    return x.sum()");
  click(body("exp"));
  click(body("sin"), Qt::ShiftModifier);
  key(Qt::Key_C, Qt::ControlModifier);
  click(body("cos"));
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_EQ(code(),
            "x = torch.exp(x); x = torch.sin(x); x = torch.cos(x); x = torch.exp(x); "
            "x = torch.sin(x); return x.sum()");
  EXPECT_EQ(undoName(), "Paste");
  EXPECT_EQ(selected(), "exp sin");  // the new ones
}

TEST_F(CanvasText, CutTakesAwayWhatItCopies) {
  load("    x = torch.exp(x)\n    x = torch.sin(x)\n    return x.sum()");
  click(body("exp"));
  key(Qt::Key_X, Qt::ControlModifier);
  EXPECT_EQ(code(), "x = torch.sin(x); return x.sum()");
  EXPECT_TRUE(QApplication::clipboard()->text().contains("torch.exp"));
}

TEST_F(CanvasText, AFunctionThatCannotJoinTheChainIsTheNewProgram) {
  QApplication::clipboard()->setText(
      "def softmax(x):\n    m = x.max(dim=-1, keepdim=True).values\n    e = torch.exp(x - m)\n"
      "    return e / e.sum(dim=-1, keepdim=True)\n");
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_EQ(said(), "");
  EXPECT_THAT(document.sketch().text, testing::StartsWith("def softmax(x)"));
  EXPECT_TRUE(document.sketch().valid());
  EXPECT_EQ(undoName(), "Paste a program");
  document.undo();
  // Text that is not a program either changes nothing.
  const std::string before = code();
  QApplication::clipboard()->setText("def f(x):\n    return torch.nonsense(x\n");
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_EQ(code(), before);
  EXPECT_NE(said(), "");
}

TEST_F(CanvasText, AFunctionFromARepositoryIsPastedOrDropped) {
  QApplication::clipboard()->setText(
      "def gelu_like(t):\n    # as in the paper\n    u = torch.tanh(t * 0.79)\n"
      "    return t * u\n");
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_THAT(code(), HasSubstr("torch.tanh("));
  EXPECT_TRUE(document.sketch().valid());
  EXPECT_EQ(document.sketch().program.ops.size(), 4u);  // *, tanh, *, sum
  QMimeData text;
  text.setText("x = torch.exp(x)");
  ASSERT_TRUE(drop(text, ground()));
  EXPECT_THAT(code(), HasSubstr("torch.exp("));
  QApplication::clipboard()->clear();
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_THAT(said(), HasSubstr("The clipboard has no text"));
}

}  // namespace
}  // namespace fusebench
