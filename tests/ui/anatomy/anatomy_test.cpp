// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/anatomy/anatomy_model.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QThread>
#include <QToolButton>
#include <atomic>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "profiler/protocol/worker_client.h"
#include "tests/ui/synthetic.h"
#include "ui/models/anatomy/anatomy_rows.h"
#include "ui/models/base/format.h"
#include "ui/models/timeline/launch_recording.h"
#include "ui/views/anatomy/anatomy_bars.h"
#include "ui/views/anatomy/anatomy_kernels.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/timeline/histogram_view.h"

namespace fusebench {
namespace {

class Anatomy : public testing::Test {
 protected:
  Anatomy() {
    applyTheme(*qApp, darkTheme());
    view.setTheme(darkTheme());
    view.resize(700, 420);
    view.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
  }
  AnatomyModel& model() { return view.model(); }
  AnatomyBars& bars() { return view.bars(); }
  QString tip(int y, double share) {
    const int left = bars().width() * 3 / 10;  // somewhere in the bars
    return bars().textAt({left + static_cast<int>(share * bars().width()), y});
  }
  RunModel run;
  AnatomyView view{run};
};

TEST_F(Anatomy, ShowsTheEndOfTheAxisWithABarForEachVariant) {
  run.show(test::syntheticRun(), true);
  ASSERT_EQ(model().bars().size(), 3u);
  EXPECT_EQ(model().places().size(), 7u);
  EXPECT_EQ(model().places()[static_cast<std::size_t>(model().place())], "30 statements");
  const AnatomyBar& eager = model().bars()[0];
  EXPECT_EQ(eager.name, "eager");
  EXPECT_NEAR(eager.total, 100 + 60 * 30, 1e-6);
  EXPECT_EQ(eager.launches.size(), 31u);
  EXPECT_EQ(eager.launches[2].label, QStringLiteral("sin · statement 3"));
  EXPECT_EQ(eager.launches[30].label, "sum");
  EXPECT_EQ(model().bars()[1].launches.size(), 1u);
  EXPECT_EQ(model().parts(), (std::vector{CallPart::guard, CallPart::dispatch, CallPart::allocate,
                                          CallPart::launch, CallPart::kernel}));
  EXPECT_TRUE(model().emptyReason().isEmpty());
  EXPECT_TRUE(model().footnote().contains("eager 100%")) << model().footnote().toStdString();
}

TEST_F(Anatomy, GoesToThePlaceThatIsChosen) {
  run.show(test::syntheticRun(), true);
  model().goTo(11);
  EXPECT_NEAR(model().bars()[0].total, 100 + 60 * 10, 1e-6);
  EXPECT_EQ(view.places().currentText(), "10 statements");
  view.places().setCurrentIndex(0);
  emit view.places().activated(0);
  EXPECT_NEAR(model().bars()[0].total, 160, 1e-6);
  run.update({{20, run.run()->cells[20]}});  // a change elsewhere leaves the place be
  EXPECT_NEAR(model().bars()[0].total, 160, 1e-6);
}

TEST_F(Anatomy, SaysWhyThereIsNothingToShow) {
  EXPECT_TRUE(view.emptyText().isVisible());
  EXPECT_TRUE(view.emptyText().text().startsWith("Press Run"));
  fusebench::Run bare = test::syntheticRun();
  for (Cell& cell : bare.cells) cell.anatomy.reset();
  run.show(bare, true);
  EXPECT_TRUE(view.emptyText().text().contains("has no call breakdown"));
  bare.explored = true;
  run.show(bare, true);
  EXPECT_TRUE(view.emptyText().text().contains("Press Run"));
  bare.traceProblem = "the worker was killed";
  run.show(bare, true);
  EXPECT_TRUE(view.emptyText().text().contains("the worker was killed"));
  EXPECT_TRUE(view.runButton().isVisible());
  QSignalSpy wanted(&view, &AnatomyView::runRequested);
  view.runButton().click();
  EXPECT_EQ(wanted.count(), 1);
  run.show(test::syntheticRun(), true);
  EXPECT_FALSE(view.emptyText().isVisible());
  EXPECT_FALSE(view.runButton().isVisible());
}

TEST_F(Anatomy, ShowsTheNearestLineOfAMapThatWasLookedInto) {
  fusebench::Run map = test::syntheticRun();
  map.experiment.axes.push_back({"elements", "elements", {8, 16, 32}});
  for (Cell& cell : map.cells) cell.key.at.push_back(16);
  run.show(map, true);
  model().setSlice(0);
  EXPECT_FALSE(model().bars().empty());
  EXPECT_TRUE(model().footnote().startsWith("Calls were recorded in detail at 16 elements"))
      << model().footnote().toStdString();
  model().setSlice(1);
  EXPECT_FALSE(model().footnote().startsWith("Calls were looked into"));
}

/// The width of a text is a fraction of a pixel more or less than its rounded width.
TEST_F(Anatomy, NamesAreWholeWhereThereIsRoomWhateverTheirWidth) {
  fusebench::Run named = test::syntheticRun();
  for (const char* name : {"prepared, fused", "per call, fused, no compile", "static+replay",
                           "images transposed", "int8, calibrated", "checkpointed, every 2", "ill",
                           "every other element", "Tj", "both transposed", "channels last", "AVAVA",
                           "torch-dynamic", "row-major", "sqrt", "view, reshape, flatten"}) {
    for (std::size_t v = 0; v < named.experiment.variants.size(); ++v)
      named.experiment.variants[v].name = v == 0 ? name : std::string(v, '.');
    named.experiment.baseline = name;
    run.show(named, true);
    EXPECT_EQ(bars().labelOf(0).toStdString(), name);
  }
  named.experiment.variants[0].name = named.experiment.baseline = std::string(60, 'm');
  run.show(named, true);
  EXPECT_TRUE(bars().labelOf(0).endsWith(u'…')) << bars().labelOf(0).toStdString();
}

/// What a device did for a call of the synthetic eager: 60 us, half of it gaps.
DeviceAnatomy deviceSide() {
  DeviceAnatomy device;
  device.nanoseconds = {2'000, 0, 15'000, 33'000, 10'000};
  device.executions = 2;
  device.calls = 10;
  device.launches = {{"sin", {0}, 9'000}, {"sum", {-1}, 6'000}};
  device.byKernel = {{"sin_k", 10, 90'000, 8'000, 11'000}, {"sum_k", 10, 60'000, 6'000, 6'000}};
  device.delays = distributionOf({2'000, 4'000});
  device.gaps = distributionOf({33'000});
  return device;
}

fusebench::Run runOnDevice() {
  fusebench::Run run = test::syntheticRun();
  for (Cell& cell : run.cells) {
    for (Sample& sample : cell.samples) sample.device.emplace();
    if (cell.anatomy && cell.key.variant == 0) cell.anatomy->device = deviceSide();
    if (cell.anatomy && cell.key.variant == 1) cell.anatomy->deviceProblem = "its time was up";
  }
  run.traceProblem = "another tool records already";
  return run;
}

TEST_F(Anatomy, DrawsWhatADeviceDidBelowTheHostOrSaysWhyThatIsNotKnown) {
  run.show(runOnDevice(), true);
  const AnatomyBar& eager = model().bars()[0];
  ASSERT_TRUE(eager.device);
  EXPECT_DOUBLE_EQ(eager.device->share(DevicePart::kernels), 0.25);
  EXPECT_EQ(model().deviceParts(), (std::vector{DevicePart::delay, DevicePart::kernels,
                                                DevicePart::gaps, DevicePart::idle}));
  EXPECT_EQ(model().longest(), 60'000);  // longer than any bar of the host's
  EXPECT_EQ(model().bars()[1].deviceProblem, "its time was up");
  EXPECT_EQ(model().bars()[2].deviceProblem, "another tool records already");
  ASSERT_TRUE(bars().deviceTop(0) && bars().deviceTop(1) && bars().deviceTop(2));
  EXPECT_LT(*bars().deviceTop(0), *bars().deviceTop(1));

  const int y = *bars().deviceTop(0) + 13;
  EXPECT_TRUE(tip(y, 0.1).contains("gaps: " + formatTime(33'000) + " (55.0%)") ||
              tip(y, 0.1).contains("kernels: " + formatTime(15'000) + " (25.0%)"))
      << tip(y, 0.1).toStdString();
  EXPECT_TRUE(tip(y, 0.1).startsWith("eager on the device"));
  EXPECT_TRUE(bars().textAt({30, y}).contains("idle: " + formatTime(10'000)));
  EXPECT_EQ(tip(*bars().deviceTop(1) + 13, 0.1),
            "static on the device was not recorded: its time was up");
  const QString said = model().footnote();
  EXPECT_TRUE(said.contains("Device activity of static was not recorded: its time was up."));
  EXPECT_TRUE(said.contains("of dynamic was not recorded: another tool records already."));
  EXPECT_TRUE(said.contains("Recording slows the host"));

  run.show(test::syntheticRun(), true);
  EXPECT_FALSE(bars().deviceTop(0));
  EXPECT_FALSE(model().footnote().contains("device"));
}

TEST_F(Anatomy, OpensALaunchOfTheDeviceBelowTheOnesOfTheHost) {
  run.show(runOnDevice(), true);
  const int host = *bars().deviceTop(0), height = bars().sizeHint().height();
  bars().setOpen(0, true);
  EXPECT_GT(*bars().deviceTop(0), host + 31 * 15);
  EXPECT_GT(bars().sizeHint().height(), height + 33 * 15);
  const int sum = *bars().deviceTop(0) + 26 + 19 + 9;
  EXPECT_TRUE(
      bars().textAt({30, sum}).startsWith("sum · return on the device: " + formatTime(6'000)))
      << bars().textAt({30, sum}).toStdString();
  QTest::mouseClick(&bars(), Qt::LeftButton, {}, {60, *bars().deviceTop(0) + 13});
  EXPECT_FALSE(bars().isOpen(0));
}

TEST_F(Anatomy, ShowsADeviceThatComesAfterTheHost) {
  fusebench::Run made = test::syntheticRun();
  run.show(made, true);
  const auto last = static_cast<int>(made.cells.size()) - 3;  // eager at 30 statements
  Cell cell = made.cells[static_cast<std::size_t>(last)];
  cell.anatomy->device = deviceSide();
  run.update({{last, cell}});
  EXPECT_TRUE(model().bars()[0].device);
}

TEST_F(Anatomy, ListsTheKernelsOfTheVariantThatWasClickedLast) {
  run.show(runOnDevice(), true);
  EXPECT_FALSE(view.kernels().isVisible());
  view.kernelsButton().click();
  ASSERT_TRUE(view.kernels().isVisible());
  const QAbstractItemModel& rows = *view.kernels().table().model();
  const auto text = [&](int row, int column) { return rows.index(row, column).data().toString(); };
  ASSERT_EQ(rows.rowCount(), 2);
  EXPECT_EQ(text(0, 0), "sin_k");
  EXPECT_EQ(text(0, 1), formatTime(9'000));
  EXPECT_EQ(text(0, 2), "60.0%");
  EXPECT_EQ(text(0, 3), "1");
  EXPECT_EQ(text(0, 5), formatTime(8'000));
  EXPECT_EQ(text(0, 6), formatTime(11'000));
  EXPECT_TRUE(view.kernels().delays().isVisible());
  EXPECT_TRUE(view.kernels().gaps().accessibleName().contains("1 in all"));
  // Static's device was not recorded, and its host runs a kernel as the synthetic run has it.
  bars().setFocus();
  QTest::keyClick(&bars(), Qt::Key_Down);
  EXPECT_FALSE(view.kernels().delays().isVisible());
  EXPECT_EQ(text(0, 0), "fused");
  run.show(test::syntheticRun(), true);
  QTest::keyClick(&bars(), Qt::Key_Up);
  ASSERT_EQ(rows.rowCount(), 2);
  EXPECT_EQ(text(0, 0), "sin");
  EXPECT_EQ(text(0, 3), "30");
  EXPECT_TRUE(view.kernels().title().text().contains("on the host"));
}

TEST_F(Anatomy, OpensABarByMouseAndKeyboard) {
  run.show(test::syntheticRun(), true);
  const int closed = bars().sizeHint().height();
  QTest::mouseClick(&bars(), Qt::LeftButton, {}, {60, 20});
  EXPECT_TRUE(bars().isOpen(0));
  EXPECT_GT(bars().sizeHint().height(), closed + 31 * 15);
  bars().setFocus();
  QTest::keyClick(&bars(), Qt::Key_Return);
  EXPECT_FALSE(bars().isOpen(0));
  QTest::keyClick(&bars(), Qt::Key_Down);
  EXPECT_EQ(bars().current(), 1);
  QTest::keyClick(&bars(), Qt::Key_Space);
  EXPECT_TRUE(bars().isOpen(1));
  for (int i = 0; i < 5; ++i) QTest::keyClick(&bars(), Qt::Key_Down);
  EXPECT_EQ(bars().current(), 2);
}

TEST_F(Anatomy, TellsWhatIsUnderTheMouse) {
  run.show(test::syntheticRun(), true);
  EXPECT_TRUE(tip(20, 0.5).startsWith("kernel: ")) << tip(20, 0.5).toStdString();
  EXPECT_TRUE(bars().textAt({30, 20}).startsWith("eager: 1.90"))
      << bars().textAt({30, 20}).toStdString();
  EXPECT_TRUE(bars().textAt({30, 4000}).isEmpty());
  // Static's call takes a fourth of the time: no bar is there, so the tip describes the whole row.
  EXPECT_TRUE(tip(64, 0.5).startsWith("static: "));
  bars().setShares(true);
  EXPECT_TRUE(tip(64, 0.5).startsWith("kernel: "));
}

TEST_F(Anatomy, HoldsTheSecondAxisWhereItIsTold) {
  Experiment two = test::syntheticExperiment();
  two.axes.push_back({"elements", "elements", {128, 4096}});
  fusebench::Run made = test::syntheticHeader(two);
  for (const CellKey& key : cells(two)) {
    Cell cell = test::syntheticCell(key);
    if (key.at[1] == 4096)
      cell.anatomy->nanoseconds[static_cast<std::size_t>(CallPart::kernel)] += 10'000;
    made.cells.push_back(cell);
  }
  run.show(made, true);
  EXPECT_LT(model().longest(), 5'000);
  model().setSlice(1);
  EXPECT_GT(model().longest(), 10'000);
}

TEST_F(Anatomy, NamesTheCellsBehindItsBarsForTheTimeline) {
  run.show(test::syntheticRun(), true);
  model().goTo(10);
  ASSERT_EQ(model().cells().size(), 3u);
  EXPECT_EQ(model().cells()[2], (CellKey{2, {10}}));
  QSignalSpy wanted(&view, &AnatomyView::timelineRequested);
  QTest::mouseClick(&view.timelineButton(), Qt::LeftButton);
  EXPECT_EQ(wanted.count(), 1);
  view.setRecording(true);
  EXPECT_TRUE(view.timelineButton().text().contains("Cancel"));
}

class Recordings : public testing::Test {
 protected:
  /// Waits until it is told to stop, or returns a call of each cell.
  CallRecorder recorder() {
    return [this](const Experiment& experiment, std::span<const CellKey> cells, const StudyOptions&,
                  std::stop_token stop) {
      onOtherThread = QThread::currentThread() != qApp->thread();
      while (wait && !stop.stop_requested()) QThread::msleep(1);
      if (stop.stop_requested()) throw StopRequested();
      if (cells.empty()) throw std::runtime_error("nothing to record");
      std::vector<CellCalls> all;
      for (const CellKey& cell : cells) {
        CellCalls& calls = all.emplace_back();
        calls.cell = cell;
        calls.variant = experiment.variants[static_cast<std::size_t>(cell.variant)].name;
        calls.calls.kernels.push_back("exp");
        calls.calls.spans.push_back({0, 50, 0, 1, 0, 0, CallPart::kernel, 0});
      }
      return all;
    };
  }
  std::atomic<bool> wait = false, onOtherThread = false;
  LaunchRecording recording{recorder()};
  QSignalSpy busy{&recording, &LaunchRecording::busyChanged};
  QSignalSpy recorded{&recording, &LaunchRecording::recorded};
  QSignalSpy failed{&recording, &LaunchRecording::failed};
};

TEST_F(Recordings, GiveATraceForEachCell) {
  recording.start(test::syntheticExperiment(), {{0, {30}}, {1, {30}}});
  EXPECT_TRUE(recording.busy());
  ASSERT_TRUE(QTest::qWaitFor([this] { return recorded.count() == 1; }, 5'000));
  EXPECT_TRUE(onOtherThread);
  EXPECT_FALSE(recording.busy());
  const auto traces = recorded[0][0].value<std::vector<std::shared_ptr<const Trace>>>();
  ASSERT_EQ(traces.size(), 2u);
  EXPECT_EQ(traces[1]->title(), "static");
}

TEST_F(Recordings, OfOneCellNameItsPlace) {
  recording.start(test::syntheticExperiment(), {{1, {30}}});
  ASSERT_TRUE(QTest::qWaitFor([this] { return recorded.count() == 1; }, 5'000));
  EXPECT_EQ(recorded[0][0].value<std::vector<std::shared_ptr<const Trace>>>()[0]->title(),
            "static at 30 statements");
}

TEST_F(Recordings, AreCanceledAndSayWhyTheyFailed) {
  wait = true;
  recording.start(test::syntheticExperiment(), {{0, {30}}});
  recording.cancel();
  EXPECT_FALSE(recording.busy());
  wait = false;
  recording.start(test::syntheticExperiment(), {});
  ASSERT_TRUE(QTest::qWaitFor([this] { return failed.count() == 1; }, 5'000));
  EXPECT_EQ(failed[0][0].toString(), "nothing to record");
  EXPECT_EQ(recorded.count(), 0);
}

TEST_F(Anatomy, RowsAreTheBarsAndBelowAnOpenedOneItsLaunches) {
  run.show(test::syntheticRun(), true);
  const auto closed = anatomyRows(model());
  ASSERT_EQ(closed.size(), 3u);
  EXPECT_TRUE(std::ranges::all_of(closed, &AnatomyRow::leads));
  const auto rows = anatomyRows(model(), {0});
  ASSERT_EQ(rows.size(), 3u + 31u);
  EXPECT_EQ(rows[3].label, QStringLiteral("sin · statement 3"));
  EXPECT_FALSE(rows[3].whole());
  EXPECT_EQ(rows[32].bar, 1);
  double sum = 0;
  for (const AnatomyRow::Piece& piece : rows[0].pieces) sum += piece.time;
  EXPECT_NEAR(sum, rows[0].total, 1e-6);
  AnatomyRow half = rows[0];
  half.total = 2 * half.pieces[0].time;
  EXPECT_EQ(pieceShare(half, half.pieces[0]), "50%");
}

}  // namespace
}  // namespace fusebench
