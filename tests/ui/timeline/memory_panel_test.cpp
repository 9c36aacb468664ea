// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots of PyTorch's memory under the timeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "ui/views/timeline/memory_panel.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

constexpr int kSnapshotMs = 60'000;  // for what happens within milliseconds

TEST(MemoryPanel, ShowsWhatHeldTheMemoryAtThePeakOfTheSelection) {
  TimelineModel model;
  TimelineView view(model);
  view.resize(1100, 800);
  view.show();
  ASSERT_TRUE(view.tablesButton().isChecked());
  view.figures().showMemory();
  MemoryPanel& panel = view.figures().memory();
  EXPECT_THAT(panel.note().text().toStdString(), testing::HasSubstr("_record_memory_history"));
  const QString path =
      QString::fromStdString(test::sourcePath("/tests/profiler/memory_snapshots/two_layers.json"));
  ASSERT_TRUE(MemorySnapshotModel::isSnapshot(path));
  model.open(path);
  model.memory().open(path);
  const auto arrives = [&](int rows) {
    return QTest::qWaitFor([&] { return panel.table().model()->rowCount() == rows; }, kSnapshotMs);
  };
  ASSERT_TRUE(arrives(3)) << panel.note().text().toStdString();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !model.empty(); }, kSnapshotMs));
  EXPECT_EQ(view.statistics().text().toStdString(), "memory over time: no work is recorded");
  // The counters are the content: they come before the blocks, and are taller than elsewhere.
  const auto counters = view.canvas().counterBands();
  ASSERT_EQ(counters.size(), 2u);
  ASSERT_FALSE(view.canvas().bands().empty());
  EXPECT_LT(counters[1].y, view.canvas().bands()[0].y);
  EXPECT_EQ(counters[0].height, TimelineCanvas::kTallCounter);
  const auto cell = [&](int row, int column) {
    return panel.table().model()->index(row, column).data().toString().toStdString();
  };
  EXPECT_EQ(cell(0, 0), "forward (net/model.py:13)");
  EXPECT_EQ(cell(0, 2), "40.0%");
  EXPECT_THAT(panel.note().text().toStdString(), testing::HasSubstr("at most 7.50 MiB allocated"));
  EXPECT_THAT(panel.table().model()->index(1, 0).data(Qt::ToolTipRole).toString().toStdString(),
              testing::HasSubstr("main (net/train.py:31)"));
  model.select(TimeRange{460'000, 470'000});
  ASSERT_TRUE(arrives(2));
  EXPECT_THAT(panel.note().text().toStdString(),
              testing::HasSubstr("In the selected range: GPU 0"));
}

}  // namespace
}  // namespace fusebench
