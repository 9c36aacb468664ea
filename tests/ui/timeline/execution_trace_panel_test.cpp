// SPDX-License-Identifier: GPL-3.0-or-later
// Execution traces under the timeline, and experiments made of their operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <QItemSelectionModel>

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QTest>

#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "ui/views/timeline/execution_trace_panel.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

constexpr int kOpenedMs = 60'000;  // for what happens within milliseconds

class ExecutionTracePanelTest : public testing::Test {
 protected:
  ExecutionTracePanelTest() : view(model), panel(view.figures().executionTrace()) {
    view.resize(1100, 800);
    view.show();
    view.figures().showExecutionTrace();
    QObject::connect(&model.executionTrace(), &ExecutionTraceModel::made, &view,
                     [this](const Experiment& made, const QString&) { experiment = made; });
    QObject::connect(&model.executionTrace(), &ExecutionTraceModel::refused, &view,
                     [this](const QString& why) { refusal = why; });
  }
  static QString traceFile(const char* name) {
    return QString::fromStdString(test::sourcePath("/tests/profiler/execution_traces/") + name);
  }
  void open(const char* name) {
    model.executionTrace().open(traceFile(name));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !model.executionTrace().busy(); }, kOpenedMs));
    test::handleEvents();
  }
  void measure() {
    panel.measure().trigger();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !model.executionTrace().making(); }, kOpenedMs));
    test::handleEvents();
  }

  TimelineModel model;
  TimelineView view;
  ExecutionTracePanel& panel;
  Experiment experiment;
  QString refusal;
};

TEST_F(ExecutionTracePanelTest, ListsOperatorsAndMeasuresTheSelectedOnes) {
  ASSERT_TRUE(ExecutionTraceModel::isExecutionTrace(traceFile("torch_2_15_mlp.json.gz")));
  EXPECT_FALSE(panel.measure().isEnabled());
  EXPECT_THAT(panel.note().text().toStdString(), testing::HasSubstr("ExecutionTraceObserver"));
  open("torch_2_15_mlp.json.gz");
  ASSERT_EQ(panel.table().model()->rowCount(), 4);
  const auto cell = [&](int row, int column) {
    return panel.table().model()->index(row, column).data().toString().toStdString();
  };
  EXPECT_EQ(cell(0, 0), "aten::linear");
  EXPECT_EQ(cell(0, 1), "(4, 16) (32, 16) (32)");
  // Not selectRow(), which asks the header of a view that may have no width.
  panel.table().selectionModel()->select(
      panel.table().model()->index(1, 0),
      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  measure();
  EXPECT_EQ(experiment.programText,
            "def forward(x):\n    gelu = torch.ops.aten.gelu.default(x)\n    return gelu");
  panel.table().clearSelection();
  measure();
  EXPECT_THAT(experiment.programText, testing::HasSubstr("softmax.int(linear_1, -1)"));
}

TEST_F(ExecutionTracePanelTest, ShowsItsButtonWithoutATraceOfLaunches) {
  view.tablesButton().setChecked(true);
  view.figures().showTables(true);
  view.figures().showExecutionTrace();
  open("torch_2_15_mlp.json.gz");
  ASSERT_TRUE(model.empty());
  EXPECT_TRUE(panel.controls()->isVisibleTo(&view));
}

TEST_F(ExecutionTracePanelTest, HasTheRoomOfTheTracksWhileThereAreNone) {
  ASSERT_TRUE(view.tablesButton().isChecked());
  EXPECT_TRUE(view.canvas().isVisible()) << "nothing is open yet";
  open("torch_2_15_mlp.json.gz");
  EXPECT_FALSE(view.canvas().isVisible());
  EXPECT_TRUE(view.hasOwnTable());
  EXPECT_GT(panel.height(), view.height() * 3 / 4);
  // Another table has nothing to show, and the tracks come back with it.
  view.figures().subject().setCurrentIndex(0);
  EXPECT_TRUE(view.canvas().isVisible());
  EXPECT_FALSE(view.hasOwnTable());
  view.figures().showExecutionTrace();
  EXPECT_FALSE(view.canvas().isVisible());
  model.setTraces(
      {importTrace(test::sourcePath("/tests/profiler/traces/torch_2_15_modules.json.gz"))});
  test::handleEvents();
  EXPECT_TRUE(view.canvas().isVisible());
}

TEST_F(ExecutionTracePanelTest, SaysWhyOperatorsCannotBeMeasured) {
  open("torch_2_15_unsupported.json.gz");
  EXPECT_THAT(panel.note().text().toStdString(), testing::HasSubstr("1 cannot"));
  measure();
  EXPECT_THAT(refusal.toStdString(), testing::HasSubstr("aten::_linalg_svd"));
}

TEST_F(ExecutionTracePanelTest, MeasuresAnOperatorOfTheProfilersTrace) {
  model.executionTrace().measureOperator(
      QStringLiteral("trace"), QStringLiteral("aten::relu"),
      {.shapes = "[[2,8]]", .types = R"(["float"])", .values = R"([""])"});
  ASSERT_TRUE(QTest::qWaitFor([this] { return !model.executionTrace().making(); }, kOpenedMs));
  test::handleEvents();
  EXPECT_EQ(experiment.programText,
            "def forward(x):\n    relu = torch.ops.aten.relu.default(x)\n    return relu");
  model.executionTrace().measureOperator(QStringLiteral("trace"), QStringLiteral("Linear"), {});
  ASSERT_TRUE(QTest::qWaitFor([this] { return !model.executionTrace().making(); }, kOpenedMs));
  test::handleEvents();
  EXPECT_THAT(refusal.toStdString(), testing::HasSubstr("record_shapes=True"));
}

}  // namespace
}  // namespace fusebench
