// SPDX-License-Identifier: GPL-3.0-or-later
// Captured models on the canvas: folded by modules, searched, and colored by recorded times.
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <set>
#include <string>

#include "engine/language/parser.h"
#include "tests/ui/canvas/canvas_fixture.h"
#include "tests/ui/events.h"
#include "ui/models/canvas/canvas_modules.h"
#include "ui/models/canvas/recorded_times.h"
#include "ui/views/canvas/canvas_frame_item.h"
#include "ui/views/canvas/canvas_overview.h"
#include "ui/views/canvas/canvas_path_bar.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

/// A captured model of `layers` layers, each with an attention of four ops and an MLP of three, and
/// `before` ops before and an op after all of them.
Experiment capturedModel(int layers, int before = 1) {
  Experiment experiment = DocumentModel::blank();
  CapturedModel model;
  model.sources = {"", "model.py:7: x = self.attn(x)"};
  model.modules = {"", "stem"};
  std::string inputs = "x", lines;
  const auto add = [&](const std::string& line, int module) {
    lines += "    " + line + "\n";
    const auto number = static_cast<int>(std::ranges::count(lines, '\n')) + 1;
    model.nodes.push_back({0, number, module, module > 1 ? 1 : 0});
  };
  auto& tensors = experiment.inputSets.front().inputs;
  add("h = torch.ops.aten.relu.default(x)", 1);
  for (int i = 1; i < before; ++i) add("h = torch.ops.aten.ceil.default(h)", 0);
  for (int i = 0; i < layers; ++i) {
    const std::string n = std::to_string(i), w = "w" + n;
    const auto attn = static_cast<int>(model.modules.size());
    model.modules.push_back("layers." + n + ".attn");
    model.modules.push_back("layers." + n + ".mlp");
    inputs += ", " + w;
    InputSpec weight = tensors.front();
    weight.name = w;
    weight.held = true;
    tensors.push_back(weight);
    for (const char* op : {"exp", "sin", "cos"})
      add(std::string("h = torch.ops.aten.") + op + ".default(h)", attn);
    add("h = torch.ops.aten.mul.Tensor(h, " + w + ")", attn);
    for (const char* op : {"tanh", "neg", "sigmoid"})
      add(std::string("h = torch.ops.aten.") + op + ".default(h)", attn + 1);
  }
  add("h = torch.ops.aten.abs.default(h)", 0);
  experiment.programText = "def forward(" + inputs + "):\n" + lines + "    return h\n";
  experiment.capture = model;
  return experiment;
}

class CapturedCanvas : public Canvas {
 protected:
  void open(int layers, int before = 1) {
    document.load(capturedModel(layers, before), {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !document.reading() && !view.planning(); }));
  }
  const CanvasGraph& graph() { return view.surface().graph(); }
  int boxes() {
    return static_cast<int>(std::ranges::count(graph().nodes, false, &CanvasNode::hidden));
  }
  std::vector<std::string> path() {
    std::vector<std::string> texts;
    for (const QToolButton* crumb : view.pathBar().crumbs())
      texts.push_back(crumb->text().toStdString());
    return texts;
  }
  /// The box that stands for this module; -1: none does.
  int boxOf(const QString& module) {
    for (std::size_t i = 0; i < graph().nodes.size(); ++i) {
      const CanvasNode& each = graph().nodes[i];
      if (each.folded >= 0 && !each.hidden &&
          graph().frames[static_cast<std::size_t>(each.folded)].module == module)
        return static_cast<int>(i);
    }
    return -1;
  }
};

TEST_F(CapturedCanvas, ALargeModelOpensAsTenToFortyBoxes) {
  for (const int layers : {6, 9, 30, 200}) {
    open(layers);
    EXPECT_GT(graph().ops, 7 * layers);
    EXPECT_LE(boxes(), kMostBoxes) << layers;
    if (layers < 30) {
      EXPECT_GE(boxes(), kLeastBoxes) << layers;
    }
  }
}

TEST_F(CapturedCanvas, ALargeModelOpensFoldedIfTheCanvasIsResizedWhileItIsRead) {
  document.load(capturedModel(200), {});
  ASSERT_TRUE(document.reading());
  emit view.surface().roomChanged();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !document.reading() && !view.planning(); }));
  EXPECT_GT(graph().ops, 1400);
  EXPECT_LE(boxes(), kMostBoxes);
}

TEST_F(CapturedCanvas, NamesOfFramesTouchNoNodeAndNoOtherName) {
  const auto check = [this](const char* when) {
    std::vector<QRectF> names;
    for (const CanvasFrameItem* frame : view.surface().frames())
      names.push_back(frame->titleFrame());
    EXPECT_FALSE(names.empty()) << when;
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t n = 0; n < graph().nodes.size(); ++n)
        EXPECT_TRUE(graph().nodes[n].hidden ||
                    !view.surface().node(static_cast<int>(n)).frame().intersects(names[i]))
            << when << ": " << graph().nodes[n].title.toStdString();
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(names[i].intersects(names[j])) << when;
    }
  };
  open(9);
  check("as it opens");
  const int layer = boxOf("layers.3");
  view.surface().select({layer}, layer);
  key(Qt::Key_F);
  check("with a layer open");
  const int attention = boxOf("layers.3.attn");
  view.surface().select({attention}, attention);
  key(Qt::Key_F);
  check("with its attention open");
}

TEST_F(CapturedCanvas, ManyOperationsOfTheModelItselfAreOneBox) {
  open(9, 60);
  EXPECT_LE(boxes(), kMostBoxes);
  const auto gathered = std::ranges::find(graph().frames, "operations", &CanvasFrame::title);
  ASSERT_NE(gathered, graph().frames.end());
  EXPECT_EQ(gathered->last - gathered->first + 1, 59);
  EXPECT_TRUE(gathered->folded);
  EXPECT_TRUE(gathered->module.isEmpty()) << "it is no module to measure";
}

TEST_F(CapturedCanvas, WeightsAreWithinTheModulesThatReadThem) {
  open(9);
  const int box = boxOf("layers.3");
  ASSERT_GE(box, 0);
  EXPECT_TRUE(graph().nodes[4].weight);
  EXPECT_TRUE(graph().nodes[4].hidden);
  EXPECT_FALSE(graph().nodes[0].hidden) << "x is an argument of the model";
  view.surface().select({box}, box);
  key(Qt::Key_F);
  EXPECT_TRUE(graph().nodes[4].hidden) << "the attention is folded";
  const int attention = boxOf("layers.3.attn");
  view.surface().select({attention}, attention);
  key(Qt::Key_F);
  EXPECT_FALSE(graph().nodes[4].hidden);
}

TEST_F(CapturedCanvas, ThePathShowsWhereOneIsAndFolds) {
  open(9);
  EXPECT_TRUE(view.pathBar().isVisible());
  EXPECT_THAT(path(), ElementsAre("Model"));
  view.showModule("layers.2.attn");
  EXPECT_THAT(path(), ElementsAre("Model", "layers", "2", "attn"));
  const int open = boxes();
  view.pathBar().crumbs()[2]->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return boxes() < open; }));
  EXPECT_GE(boxOf("layers.2"), 0);
  EXPECT_THAT(path(), ElementsAre("Model", "layers", "2"));
  view.pathBar().crumbs()[0]->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return path().size() == 1; }));
}

TEST_F(CapturedCanvas, ASearchFindsOpsModulesAndSourceLinesAndUnfolds) {
  open(9);
  key(Qt::Key_F, Qt::ControlModifier);
  QLineEdit& search = view.pathBar().search();
  EXPECT_TRUE(search.hasFocus());
  QTest::keyClicks(&search, "layers.4 sin");
  EXPECT_EQ(view.pathBar().found().text(), "1");
  QTest::keyClick(&search, Qt::Key_Return);
  EXPECT_EQ(view.pathBar().found().text(), "1 of 1");
  EXPECT_EQ(current(), "sin");
  EXPECT_THAT(path(), ElementsAre("Model", "layers", "4", "attn"));
  search.setText("model.py:7 tanh");
  EXPECT_EQ(view.pathBar().found().text(), "9");
  QTest::keyClick(&search, Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(view.pathBar().found().text(), "9 of 9");
  EXPECT_THAT(path(), ElementsAre("Model", "layers", "8", "mlp"));
  search.setText("nothing of that");
  EXPECT_EQ(view.pathBar().found().text(), "none");
  QTest::keyClick(&search, Qt::Key_Escape);
  EXPECT_TRUE(view.surface().hasFocus());
}

TEST_F(CapturedCanvas, AnOverviewShowsTheWholeOfALargeProgramAndGoesWhereItIsClicked) {
  CanvasOverview& overview = view.overview();
  open(3);
  EXPECT_FALSE(overview.isVisible()) << "a small program is in sight";
  open(200, 1'400);  // operations of the model itself
  view.surface().show(canvasGraph(document.sketch(), {}, {}, {}, {}), {}, -1);
  test::handleEvents();
  ASSERT_TRUE(overview.isVisible());
  EXPECT_EQ(overview.height(), view.surface().viewport()->height());
  EXPECT_GE(overview.x(), view.surface().viewport()->geometry().right());
  EXPECT_NEAR(overview.seen().top(), 0, 1);
  EXPECT_LT(overview.seen().height(), overview.height() / 20);
  QTest::mouseClick(&overview, Qt::LeftButton, {}, {5, overview.height() / 2});
  EXPECT_NEAR(overview.seen().center().y(), overview.height() / 2.0, 3);
  const QImage shot = overview.grab().toImage();
  std::set<QRgb> colors;
  for (int y = 0; y < shot.height(); ++y) colors.insert(shot.pixel(shot.width() / 2, y));
  EXPECT_GT(colors.size(), 3u) << "boxes have the colors of their categories";
}

TEST_F(CapturedCanvas, AModulesMenuOffersToMeasureIt) {
  open(9);
  QSignalSpy wanted(&view, &CanvasView::partWanted);
  const auto menu = view.menuAt(boxOf("layers.3"));
  QAction* const first = menu->actions().front();
  EXPECT_TRUE(first->text().startsWith("Measure this part: layers.3"))
      << first->text().toStdString();
  first->trigger();
  ASSERT_EQ(wanted.size(), 1);
  EXPECT_EQ(wanted[0][0].toString(), "layers.3");
  EXPECT_FALSE(view.menuAt(0)->actions().front()->text().contains("Measure"));
}

TEST_F(CapturedCanvas, RecordedTimesColorTheBoxes) {
  open(9);
  EXPECT_FALSE(view.legend().isVisible());
  std::vector<double> times(graph().program.statements.size() + 1, 1.0);
  const double others = static_cast<double>(times.size()) - 7;
  for (std::size_t i = 8; i < 15; ++i) times[i] = 10;  // layers.1
  view.timesOf = [&](int) { return times; };
  view.refreshTimes();
  const CanvasNode& hot = graph().nodes[static_cast<std::size_t>(boxOf("layers.1"))];
  const CanvasNode& cool = graph().nodes[static_cast<std::size_t>(boxOf("layers.2"))];
  EXPECT_DOUBLE_EQ(hot.heat, 1);
  EXPECT_NEAR(hot.share, 70 / (70 + others), 1e-9);
  EXPECT_NEAR(cool.heat, 0.1, 1e-9);
  EXPECT_TRUE(view.legend().isVisible());
  EXPECT_TRUE(view.legend().text().contains(shareText(hot.share)));
  view.resize(260, 400);
  test::handleEvents();
  EXPECT_GE(view.legend().x(), 0) << "cut on the left";
  EXPECT_LE(view.legend().geometry().right(), view.legend().parentWidget()->width());
  EXPECT_TRUE(graph().description(boxOf("layers.1")).contains("of a recorded call"));
  times.pop_back();  // those of another program
  view.refreshTimes();
  EXPECT_FALSE(view.legend().isVisible());
}

TEST(CanvasPath, OfANarrowCanvasKeepsItsEnds) {
  CanvasPathBar bar;
  bar.setTheme(darkTheme());
  bar.setPath({"encoder", "layer", "2", "attention", "self"});
  const auto shown = [&] {
    QStringList texts;
    for (const QToolButton* crumb : bar.crumbs())
      if (crumb->isVisible()) texts << crumb->text();
    return texts;
  };
  bar.resize(340, 32);
  bar.show();
  ASSERT_TRUE(QTest::qWaitFor([&] { return shown().size() < 6; }));
  EXPECT_EQ(shown().front(), "Model");
  EXPECT_EQ(shown().back(), "self");
  for (const QToolButton* crumb : bar.crumbs()) {
    if (crumb->isVisible()) {
      EXPECT_GE(crumb->width(), crumb->sizeHint().width());
    }
  }
  bar.resize(900, 32);
  ASSERT_TRUE(QTest::qWaitFor([&] { return shown().size() == 6; }));
}

TEST(RecordedTimes, AreOfTheShownProgramAndVariantAtTheLargestPoint) {
  fusebench::Run run;
  run.experiment = capturedModel(1);
  run.experiment.program = parseProgram(run.experiment.programText);
  const auto record = [&](int variant, std::int64_t size, double time) {
    Cell& cell = run.cells.emplace_back();
    cell.key.variant = variant;
    cell.key.at = {size};
    LaunchAnatomy launch;
    launch.statements = {0};
    launch.nanoseconds[0] = time;
    cell.anatomy.emplace().launches = {launch};
  };
  record(0, 1, 10);
  record(0, 4, 40);
  record(1, 4, 7);
  Experiment shown = run.experiment;
  EXPECT_EQ(recordedTimes(&run, shown, 0).at(0), 40);
  std::swap(shown.variants.at(0), shown.variants.at(1));
  EXPECT_EQ(recordedTimes(&run, shown, 0).at(0), 7) << "variants are known by name";
  EXPECT_TRUE(recordedTimes(nullptr, shown, 0).empty());
  EXPECT_TRUE(recordedTimes(&run, shown, 99).empty());
  shown.programText += " ";
  EXPECT_TRUE(recordedTimes(&run, shown, 0).empty());
}

TEST_F(CapturedCanvas, AnEditKeepsTheModulesOfTheOtherLines) {
  open(9);
  std::string text = document.experiment().programText;
  text.insert(text.find("    h = torch.ops.aten.exp"), "    h = torch.ops.aten.ceil.default(h)\n");
  document.setText(QStringLiteral("Type"), {}, text);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !document.reading(); }));
  view.pathBar().search().setText("layers.8.mlp");
  EXPECT_EQ(view.pathBar().found().text(), "3");
  document.undo();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !document.reading(); }));
  view.pathBar().search().setText("layers.8.attn");
  EXPECT_EQ(view.pathBar().found().text(), "4");
}

TEST_F(Canvas, AChainHasNoPathAndNoSearch) {
  load("    x = torch.exp(x)\n    x = x * 3\n    return x.sum()");
  EXPECT_FALSE(view.pathBar().isVisible());
}

}  // namespace
}  // namespace fusebench
