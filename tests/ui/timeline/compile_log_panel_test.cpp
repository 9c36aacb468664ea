// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of torch.compile under the timeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QTest>

#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "ui/models/base/format.h"
#include "ui/views/timeline/compile_log_panel.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

constexpr int kReadMs = 60'000;  // for what happens within milliseconds

class CompileLogPanelTest : public testing::Test {
 protected:
  CompileLogPanelTest() : view(model), panel(view.figures().compileLog()) {
    view.resize(1100, 800);
    view.show();
    view.figures().showCompileLog();
  }
  void open(const QString& path) {
    model.compileLogs().open(path);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !model.compileLogs().busy(); }, kReadMs));
    test::handleEvents();
  }
  static QString logFile() {
    return QString::fromStdString(
        test::sourcePath("/tests/profiler/compile_logs/torch_2_15_trace.log.gz"));
  }
  QString cell(int row, int column) {
    return panel.table().model()->index(row, column).data().toString();
  }
  void show(CompileLogPanel::Part part) { panel.part().setCurrentIndex(int(part)); }

  TimelineModel model;
  TimelineView view;
  CompileLogPanel& panel;
};

TEST_F(CompileLogPanelTest, HasATableForEachPartOfTheLog) {
  ASSERT_TRUE(CompileLogModel::isLog(logFile()));
  EXPECT_THAT(panel.note().text().toStdString(), testing::HasSubstr("TORCH_TRACE"));
  open(logFile());
  ASSERT_EQ(model.compileLogs().logs().size(), 1u);
  const CompileLog& log = model.compileLogs().logs()[0];
  EXPECT_THAT(panel.note().text().toStdString(),
              testing::HasSubstr("7 compilations, 3 graph breaks, 3 recompilations"));
  // Two guards failed in one of the three recompilations.
  ASSERT_EQ(panel.table().model()->rowCount(), 4);
  EXPECT_EQ(cell(1, 0).toStdString(), "tensor 'x' size mismatch at index 0. expected 3, actual 4");
  EXPECT_EQ(cell(3, 0).toStdString(), "scale == 1.5");
  show(CompileLogPanel::Part::breaks);
  ASSERT_EQ(panel.table().model()->rowCount(), 3);
  EXPECT_EQ(cell(0, 0).toStdString(), "Data-dependent branching");
  EXPECT_EQ(cell(0, 1).toStdString(), "src/model.py:10");
  show(CompileLogPanel::Part::frames);
  ASSERT_EQ(panel.table().model()->rowCount(), 7);
  EXPECT_EQ(cell(0, 0).toStdString(), "double at model.py:15");
  EXPECT_EQ(cell(0, 1), formatTime(log.frames[0].total * 1e9));
  show(CompileLogPanel::Part::phases);
  EXPECT_EQ(panel.table().model()->rowCount(), int(log.phases.size()));
}

TEST_F(CompileLogPanelTest, PhasesAreOnTheTimelineUnlessATraceIsOpen) {
  open(logFile());
  ASSERT_EQ(model.shown().size(), 1u);
  EXPECT_EQ(model.shown()[0].trace, model.compileLogs().phases());
  // A log without times takes them away.
  open(QString::fromStdString(
      test::sourcePath("/tests/profiler/compile_logs/torch_2_15_logs.txt.gz")));
  EXPECT_TRUE(model.empty());
  TraceBuilder builder("a trace");
  builder.addSpan({.lane = builder.lane({Lane::Kind::host, 1, 1, "p", "t"}),
                   .kind = SpanKind::op,
                   .name = "op",
                   .start = 0,
                   .end = 10});
  const std::shared_ptr<const Trace> trace = builder.finish();
  model.setTraces({trace});
  open(logFile());
  ASSERT_EQ(model.shown().size(), 1u);
  EXPECT_EQ(model.shown()[0].trace, trace);
}

TEST_F(CompileLogPanelTest, AFileThatIsNoLogIsRefusedInOneLine) {
  open(logFile());
  open(QString::fromStdString(
      test::sourcePath("/tests/profiler/traces/torch_2_11_h100_eager.json.gz")));
  EXPECT_FALSE(model.compileLogs().failure().isEmpty());
  EXPECT_EQ(panel.note().text(), model.compileLogs().failure());
  EXPECT_FALSE(panel.note().text().contains(u'\n'));
  EXPECT_EQ(panel.table().model()->rowCount(), 0);
  open(logFile());
  EXPECT_TRUE(model.compileLogs().failure().isEmpty());
  EXPECT_EQ(panel.table().model()->rowCount(), 4);
}

}  // namespace
}  // namespace fusebench
