// SPDX-License-Identifier: GPL-3.0-or-later
// A person at the canvas of a text that is wrong: keys, clicks and drags that nobody thought of.
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <random>
#include <set>

#include "profiler/experiment/experiment.h"
#include "tests/engine/edit/sketch_texts.h"
#include "tests/ui/canvas/canvas_fixture.h"
#include "ui/models/canvas/canvas_frames.h"
#include "ui/models/canvas/canvas_kernels.h"
#include "ui/models/canvas/canvas_walk.h"
#include "ui/models/code/code_lines.h"
#include "ui/models/setup/document_problems.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/palette_popup.h"

namespace fusebench {
namespace {

/// Every third as it should be.
std::string anyText(std::mt19937& random) {
  const int which = test::below(random, 5);
  const std::string text =
      which == 0   ? test::kCompound
      : which == 1 ? test::kTraining
                   : test::startingText(static_cast<std::uint32_t>(test::below(random, 500)));
  return random() % 3 == 0 ? text : test::mistyped(text, random, 4);
}

/// Everything that is asked of a graph.
void askAll(const CanvasGraph& graph) {
  const std::vector<QRectF> places(graph.nodes.size());
  for (int node = 0; node < static_cast<int>(graph.nodes.size()); ++node) {
    EXPECT_FALSE(graph.description(node).isEmpty());
    graph.sharing(node);
    graph.originalValue(node);
    for (const CanvasStep step : {CanvasStep::up, CanvasStep::down, CanvasStep::left,
                                  CanvasStep::right, CanvasStep::next, CanvasStep::previous})
      EXPECT_LT(walk(graph, places, node, step), static_cast<int>(graph.nodes.size()));
    EXPECT_LT(edgeAfter(graph, node), static_cast<int>(graph.edges.size()));
    EXPECT_LT(edgeBefore(graph, node), static_cast<int>(graph.edges.size()));
    edgeOneOn(graph, std::vector<int>{node}, true);
    edgeOneOn(graph, std::vector<int>{node}, false);
    likelyOperand(graph, node);
  }
  for (const CanvasEdge& edge : graph.edges) {
    EXPECT_LT(edge.from, static_cast<int>(graph.nodes.size()));
    EXPECT_LT(edge.to, static_cast<int>(graph.nodes.size()));
    graph.port(edge);
  }
}

TEST(CanvasOfMistypedTexts, IsDrawnWhateverIsTyped) {
  const int texts = test::textsToTry(150);
  std::mt19937 random(31);
  for (int i = 0; i < texts; ++i) {
    const std::string text = anyText(random);
    SCOPED_TRACE(text);
    const Sketch read = sketch(text);
    std::vector<SketchProblem> problems;
    const std::vector<ValueType> inputs(read.program.inputs.size(), {Shape{8, 8}, DType::float32});
    const auto types = inferSketchTypes(read, inputs, problems);
    for (const CanvasExtent& extent : {CanvasExtent{}, CanvasExtent{7, 3}, CanvasExtent{1, 1}}) {
      CanvasGraph graph = canvasGraph(read, types, problems, extent);
      askAll(graph);
      for (const char* executor : {"eager", "static", "dynamic", "instant", "replay"})
        kernelLinks(graph, canvasKernels(graph, read, types, executor, extent.active));
      std::set<QString> keys;
      for (const CanvasFrame& frame : graph.frames) keys.insert(frame.key);
      foldFrames(graph, keys);
      askAll(graph);
    }
    for (int line = 0; line < 40; ++line) linesOfOps(read, opsAtLine(read, line));
    hasUnknownLines(read);
  }
}

class CanvasOfMistypedText : public Canvas {
 protected:
  QPoint anywhere() { return {test::below(random_, 900), test::below(random_, 900)}; }
  /// Where something is, more often than not.
  QPoint somewhere() {
    const CanvasSurface& surface = view.surface();
    const auto& nodes = surface.graph().nodes;
    if (nodes.empty() || random_() % 5 == 0) return anywhere();
    const int at = test::below(random_, static_cast<int>(nodes.size()));
    if (nodes[static_cast<std::size_t>(at)].hidden) return anywhere();
    const auto& node = view.surface().node(at);
    switch (test::below(random_, 3)) {
      case 0:
        return pixel(node.outPort());
      case 1:
        return pixel(node.frame().topLeft() + QPointF(8, 13));
      default:
        return pixel(node.frame().center());
    }
  }

  void one() {
    static constexpr std::pair<int, Qt::KeyboardModifiers::Int> kKeys[] = {
        {Qt::Key_Delete, 0},
        {Qt::Key_Return, 0},
        {Qt::Key_Escape, 0},
        {Qt::Key_Up, 0},
        {Qt::Key_Down, 0},
        {Qt::Key_Left, 0},
        {Qt::Key_Right, 0},
        {Qt::Key_Home, 0},
        {Qt::Key_End, 0},
        {Qt::Key_Tab, 0},
        {Qt::Key_Up, Qt::AltModifier},
        {Qt::Key_Down, Qt::AltModifier},
        {Qt::Key_Up, Qt::ShiftModifier},
        {Qt::Key_Down, Qt::ShiftModifier},
        {Qt::Key_A, Qt::ControlModifier},
        {Qt::Key_C, Qt::ControlModifier},
        {Qt::Key_X, Qt::ControlModifier},
        {Qt::Key_V, Qt::ControlModifier},
        {Qt::Key_D, Qt::ControlModifier},
        {Qt::Key_Space, 0},
        {Qt::Key_F, 0},
        {Qt::Key_L, 0},
        {Qt::Key_G, 0},
        {Qt::Key_C, 0},
        {Qt::Key_2, 0},
        {Qt::Key_Plus, 0},
        {Qt::Key_Minus, 0},
        {Qt::Key_F2, 0},
        {Qt::Key_Insert, 0}};
    switch (test::below(random_, 16)) {
      case 0:
        return drag(somewhere(), somewhere());
      case 1:
        return click(somewhere(), random_() % 2 ? Qt::ControlModifier : Qt::NoModifier);
      case 2: {
        const auto rows = opRows();
        const auto row =
            static_cast<std::size_t>(test::below(random_, static_cast<int>(rows.size())));
        dropOp(std::string(rows[row].name).c_str(), somewhere());
        return;
      }
      case 3:
        return document.undo();
      case 4:
        return document.redo();
      default:
        if (random_() % 2 == 0) click(somewhere());
        const auto [key, modifiers] = kKeys[random_() % std::size(kKeys)];
        QKeyEvent down(QEvent::KeyPress, key, Qt::KeyboardModifiers(modifiers),
                       modifiers == 0 && key < 128 ? QString(QChar(key)) : QString());
        // The palette and editors that open take the keyboard: sometimes they get what follows.
        QWidget* const focus = random_() % 4 == 0 ? QApplication::focusWidget() : nullptr;
        if (!focus) view.popup().hide();
        QApplication::sendEvent(focus ? focus : &view.surface(), &down);
    }
  }

  std::mt19937 random_{37};
};

TEST_F(CanvasOfMistypedText, TakesWhateverIsDoneAndGoesBackToTheStart) {
  const int texts = test::textsToTry(40);
  int edits = 0;
  for (int i = 0; i < texts; ++i) {
    const std::string text = anyText(random_);
    document.setText(QStringLiteral("Start"), {}, text);
    document.load(document.experiment(), {});
    const std::string start = toJson(document.experiment());
    for (int step = 0; step < 25; ++step) one();
    view.popup().hide();
    view.surface().setFocus();
    documentProblems(document.experiment(), document.sketch());
    for (const InputSet& set : document.experiment().inputSets)
      sketchLayouts(document.experiment(), document.sketch(), set);
    QApplication::processEvents();
    for (; document.canUndo(); ++edits) document.undo();
    ASSERT_EQ(toJson(document.experiment()), start) << text;
  }
  EXPECT_GT(edits, texts);
}

}  // namespace
}  // namespace fusebench
