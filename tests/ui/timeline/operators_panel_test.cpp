// SPDX-License-Identifier: GPL-3.0-or-later
// Operators under the timeline: a table and a flame graph, linked with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QFontMetrics>
#include <QTest>
#include <algorithm>
#include <memory>

#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "ui/models/base/format.h"
#include "ui/models/base/utf8.h"
#include "ui/views/timeline/operators_panel.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

constexpr int kCalls = 1, kCallers = 2;  // entries of the list of forms

class OperatorsPanelTest : public testing::Test {
 protected:
  OperatorsPanelTest() : view(model), panel(view.figures().operators()) {
    view.resize(1100, 800);
    view.setTheme(darkTheme());
    view.show();
    model.setTraces(
        {importTrace(test::sourcePath("/tests/profiler/traces/torch_2_11_h100_eager.json.gz"))});
    QComboBox& subject = view.figures().subject();
    subject.setCurrentIndex(subject.findText(QStringLiteral("Time by operator")));
    test::handleEvents();
  }
  QString cell(int row, int column) {
    return panel.table().model()->index(row, column).data().toString();
  }
  int rowOf(const QString& name) {
    for (int row = 0; row < panel.table().model()->rowCount(); ++row)
      if (cell(row, 0) == name) return row;
    return -1;
  }
  /// The experiment that is made of an operator.
  Experiment measured(const char* name) {
    constexpr int kMadeMs = 60'000;  // for what happens within milliseconds
    model.setTraces({importTrace(
        test::sourcePath("/tests/profiler/execution_traces/torch_2_15_shapes.json.gz"))});
    test::handleEvents();
    const int row = rowOf(QString::fromUtf8(name));
    EXPECT_GE(row, 0);
    Experiment experiment;
    QObject::connect(&model.executionTrace(), &ExecutionTraceModel::made, &view,
                     [&experiment](const Experiment& made, const QString&) { experiment = made; });
    panel.table().setCurrentIndex(panel.table().model()->index(row, 0));
    panel.measure().trigger();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !model.executionTrace().making(); }, kMadeMs));
    test::handleEvents();
    return experiment;
  }
  TimelineModel model;
  TimelineView view;
  OperatorsPanel& panel;
};

TEST_F(OperatorsPanelTest, TheTableHasWhatTheEngineCounts) {
  EXPECT_TRUE(panel.isVisible());
  EXPECT_FALSE(view.table().isVisible());
  const auto& made = panel.figures().made();
  ASSERT_TRUE(made);
  ASSERT_FALSE(made->groups.empty());
  EXPECT_EQ(panel.table().model()->rowCount(), int(made->groups.size()));
  EXPECT_EQ(cell(0, 0).toStdString(), made->groups[0].op);
  Nanoseconds all = 0;
  for (const OperatorGroup& one : made->groups) all += one.deviceSelf;
  EXPECT_EQ(all, 38'656);  // all that the device did
}

TEST_F(OperatorsPanelTest, AClickOnARowShowsItsLongestCallOnTheTimeline) {
  const auto& group = panel.figures().made()->groups[0];
  const QModelIndex first = panel.table().model()->index(0, 0);
  QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {},
                    panel.table().visualRect(first).center());
  ASSERT_TRUE(model.current());
  EXPECT_EQ(model.current()->event, group.longest);
}

TEST_F(OperatorsPanelTest, TheFlameGraphLeadsToTheTimelineAndBack) {
  panel.form().setCurrentIndex(kCalls);
  test::handleEvents();
  FlameGraph& flame = panel.flame();
  ASSERT_TRUE(flame.isVisible());
  const OperatorTree& tree = *flame.tree();
  const auto bars = flame.bars();
  ASSERT_GT(bars.size(), 2u);
  // A bar is as wide as its share of the whole.
  for (const FlameGraph::Bar& bar : bars)
    EXPECT_NEAR(bar.place.width() / flame.width(),
                double(tree.timeOf(bar.node)) / double(tree.timeOf(0)), 1e-6);
  const FlameGraph::Bar& last = bars.back();
  QTest::mouseClick(&flame, Qt::LeftButton, {}, last.place.center().toPoint());
  EXPECT_EQ(flame.top(), last.node);
  ASSERT_TRUE(model.current());
  EXPECT_EQ(model.current()->event, tree.nodes[last.node].longest);
  QTest::keyClick(&flame, Qt::Key_Escape);
  EXPECT_EQ(flame.top(), 0u);
  // And the other way round: the current event is marked.
  const auto other = std::ranges::find_if(bars, [&](const FlameGraph::Bar& bar) {
    return bar.node != last.node && tree.nodes[bar.node].kind == OperatorNode::Kind::kernel;
  });
  ASSERT_NE(other, bars.end());
  model.setCurrent(TimelineModel::Place{0, tree.nodes[other->node].longest});
  EXPECT_EQ(flame.marked(), other->node);
}

TEST_F(OperatorsPanelTest, TheRowOfTheCurrentEventIsMarked) {
  const auto& made = *panel.figures().made();
  const std::uint32_t last = std::uint32_t(made.groups.size()) - 1;
  model.setCurrent(TimelineModel::Place{0, made.groups[last].longest});
  EXPECT_EQ(panel.table().currentIndex().row(), int(last));
  // A kernel belongs to the operator that launched it.
  const Trace& trace = *made.trace;
  std::size_t kernels = 0;
  for (EventId e = 0; e < trace.size(); ++e) {
    if (trace.kind(e) != SpanKind::kernel) continue;
    ++kernels;
    model.setCurrent(TimelineModel::Place{0, e});
    ASSERT_NE(made.groupOf(e), kNoGroup);
    EXPECT_EQ(panel.table().currentIndex().row(), int(made.groupOf(e)));
  }
  EXPECT_EQ(kernels, 25u);
}

TEST_F(OperatorsPanelTest, ACallerGraphMarksWhatTookTheTime) {
  panel.form().setCurrentIndex(kCallers);
  test::handleEvents();
  const auto& made = *panel.figures().made();
  const OperatorTree& callers = made.callers;
  const std::uint32_t top = callers.nodes[0].children.at(1);
  model.setCurrent(TimelineModel::Place{0, callers.nodes[top].longest});
  EXPECT_EQ(panel.flame().marked(), top);
}

TEST_F(OperatorsPanelTest, NamesTakeTheWidthThatFiguresLeave) {
  KernelTable& table = panel.table();
  int whole = 0;
  for (int column = 0; column < table.model()->columnCount(); ++column)
    whole += table.columnWidth(column);
  EXPECT_EQ(whole, table.viewport()->width());
  EXPECT_EQ(table.shownName(0).toStdString(), panel.figures().made()->groups[0].op);
}

TEST_F(OperatorsPanelTest, ABarDropsNamespacesBeforeItCutsItsName) {
  panel.form().setCurrentIndex(kCalls);
  test::handleEvents();
  FlameGraph& flame = panel.flame();
  const OperatorTree& tree = *flame.tree();
  const auto node = std::ranges::find_if(flame.bars(), [&](const FlameGraph::Bar& bar) {
    return text(nodeName(*panel.figures().made()->trace, tree.nodes[bar.node])) ==
           QLatin1String("aten::add");
  });
  ASSERT_NE(node, flame.bars().end());
  const QString time = formatTime(double(tree.timeOf(node->node)));
  EXPECT_EQ(flame.labelOf(node->node, 1000), QStringLiteral("aten::add  ·  ") + time);
  const int name = QFontMetrics(textFont(0.9)).horizontalAdvance(QStringLiteral("aten::add"));
  EXPECT_EQ(flame.labelOf(node->node, name), QStringLiteral("aten::add"));
  EXPECT_EQ(flame.labelOf(node->node, name - 1), QStringLiteral("add"));
}

TEST_F(OperatorsPanelTest, ABarKeepsAPhraseThatIsNoName) {
  TraceBuilder builder("no operators");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addLaunch({.name = "sin", .start = 0, .end = 1'000, .deviceLane = stream});
  model.setTraces({builder.finish()});
  test::handleEvents();
  panel.form().setCurrentIndex(kCallers);
  test::handleEvents();
  FlameGraph& flame = panel.flame();
  const auto& nodes = flame.tree()->nodes;
  std::size_t phrases = 0;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    if (!flame.labelOf(node, 1000).startsWith(QStringLiteral("no operator recorded"))) continue;
    ++phrases;
    EXPECT_EQ(flame.labelOf(node, 50).left(2), QStringLiteral("no")) << "not only \"recorded\"";
  }
  EXPECT_GT(phrases, 0u);
}

TEST_F(OperatorsPanelTest, TheBarUnderTheMouseIsLit) {
  panel.form().setCurrentIndex(kCalls);
  test::handleEvents();
  FlameGraph& flame = panel.flame();
  QTest::mouseMove(&flame, flame.bars()[1].place.center().toPoint());
  test::handleEvents();
  EXPECT_EQ(flame.hovered(), flame.bars()[1].node);
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(&flame, &leave);
  EXPECT_EQ(flame.hovered(), FlameGraph::kNoNode);
}

TEST_F(OperatorsPanelTest, GraphsHaveHalfOfTheHeight) {
  const int whole = view.canvas().height() + view.figures().height();
  EXPECT_NEAR(view.figures().height(), whole / 2, 2);
  // Its own lists are in the line of the list above the table.
  EXPECT_EQ(panel.form().mapTo(&view, QPoint()).y(),
            view.figures().subject().mapTo(&view, QPoint()).y());
}

TEST_F(OperatorsPanelTest, ArrowKeysWalkInTheTree) {
  panel.form().setCurrentIndex(kCalls);
  test::handleEvents();
  FlameGraph& flame = panel.flame();
  const OperatorTree& tree = *flame.tree();
  QTest::keyClick(&flame, Qt::Key_Down);
  const std::uint32_t first = tree.nodes[0].children.front();
  EXPECT_EQ(flame.marked(), first);
  EXPECT_FALSE(flame.accessibleDescription().isEmpty());
  if (tree.nodes[0].children.size() > 1) {
    QTest::keyClick(&flame, Qt::Key_Right);
    EXPECT_EQ(flame.marked(), tree.nodes[0].children[1]);
    QTest::keyClick(&flame, Qt::Key_Left);
  }
  QTest::keyClick(&flame, Qt::Key_Return);
  EXPECT_EQ(flame.top(), first);
}

TEST_F(OperatorsPanelTest, CallersBeginWithWhatTookTheTime) {
  panel.form().setCurrentIndex(kCallers);
  test::handleEvents();
  const OperatorTree& tree = *panel.flame().tree();
  for (const std::uint32_t top : tree.nodes[0].children)
    EXPECT_EQ(tree.nodes[top].kind, OperatorNode::Kind::kernel);
}

TEST_F(OperatorsPanelTest, ASelectionClipsIt) {
  const std::size_t before = panel.figures().made()->groups.size();
  model.select(TimeRange{0, 1});
  EXPECT_LT(panel.figures().made()->groups.size(), before);
  model.select(std::nullopt);
  EXPECT_EQ(panel.figures().made()->groups.size(), before);
}

TEST_F(OperatorsPanelTest, NothingIsComputedWhileItIsNotShown) {
  view.figures().subject().setCurrentIndex(0);
  EXPECT_FALSE(panel.figures().made());
  EXPECT_TRUE(view.table().isVisible());
}

TEST_F(OperatorsPanelTest, MeasuresTheLongestCallOfAnOperator) {
  EXPECT_THAT(measured("aten::conv2d").programText,
              testing::HasSubstr("aten.conv2d.default(input, weight, None, [1, 1], [1, 1])"));
}

TEST_F(OperatorsPanelTest, MeasuresWithTheStridesOfTheTrace) {
  // The weight of a linear layer is transposed.
  EXPECT_THAT(toJson(measured("aten::addmm")), testing::HasSubstr("\"layout\": \"transposed\""));
}

}  // namespace
}  // namespace fusebench
