// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline of operators under the timeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QTest>
#include <algorithm>
#include <memory>

#include "profiler/trace/trace_builder.h"
#include "tests/ui/events.h"
#include "ui/views/timeline/roofline_panel.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

/// A matmul, a pointwise operator and one of unknown shapes, each with a kernel.
std::shared_ptr<const Trace> rooflineTrace(const char* device) {
  TraceBuilder builder("t");
  builder.setDevice(device);
  const LaneId thread = builder.lane({Lane::Kind::host, 1, 1, "python", "thread 1"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  Nanoseconds at = 0;
  const auto call = [&](const char* op, const char* shapes, const char* kernel,
                        Nanoseconds duration) {
    const RecordedArguments arguments{.shapes = shapes, .types = R"(["c10::Half","c10::Half"])"};
    builder.addSpan({thread, SpanKind::op, op, at, at + 1'000, 0, &arguments});
    builder.addLaunch({.name = kernel,
                       .hostBegin = at + 100,
                       .hostEnd = at + 200,
                       .start = at + 300,
                       .end = at + 300 + duration,
                       .hostLane = thread,
                       .deviceLane = stream});
    at += 1'000'000;
  };
  call("aten::mm", "[[4096,4096],[4096,4096]]", "gemm", 200'000);
  call("aten::add", "[[4096,4096],[4096,4096]]", "vectorized_elementwise_kernel", 50'000);
  call("mine::op", "", "mystery", 10'000);
  return builder.finish();
}

class RooflinePanelTest : public testing::Test {
 protected:
  RooflinePanelTest() : view(model), panel(view.figures().roofline()) {
    view.resize(1100, 800);
    view.setTheme(darkTheme());
    view.show();
  }
  void open(const char* device) {
    model.setTraces({rooflineTrace(device)});
    QComboBox& subject = view.figures().subject();
    subject.setCurrentIndex(subject.findText(QStringLiteral("Roofline")));
    test::handleEvents();
  }
  const std::vector<RooflinePoint>& points() const {
    return panel.figures().made()->roofline.points;
  }
  std::uint32_t pointOf(const char* op) const {
    return std::uint32_t(std::ranges::find(points(), op, &RooflinePoint::op) - points().begin());
  }
  TimelineModel model;
  TimelineView view;
  RooflinePanel& panel;
};

TEST_F(RooflinePanelTest, DrawsWhatIsKnownAndSaysWhatIsNot) {
  open("NVIDIA H100 80GB HBM3");
  ASSERT_EQ(points().size(), 3u);
  ASSERT_EQ(panel.chart().marks().size(), 2u);
  EXPECT_EQ(panel.table().model()->rowCount(), 3);
  EXPECT_THAT(panel.chart().roofs(), testing::Contains(QStringLiteral("TF32  495 TFLOP/s")));
  EXPECT_EQ(panel.chart().roofs().back(), QStringLiteral("3.35 TB/s"));
  const std::string note = panel.note().text().toStdString();
  EXPECT_THAT(note, testing::HasSubstr("NVIDIA H100 Tensor Core GPU data sheet"));
  EXPECT_THAT(note, testing::HasSubstr(
                        "not drawn: operators with unknown arithmetic (1), 3.8% of the time"));
  // More FLOPs per byte are further to the right, more FLOP/s higher.
  const auto place = [&](const char* op) {
    return std::ranges::find(panel.chart().marks(), pointOf(op), &RooflineChart::Mark::point)
        ->place;
  };
  EXPECT_GT(place("aten::mm").x(), place("aten::add").x());
  EXPECT_LT(place("aten::mm").y(), place("aten::add").y());
  for (const RooflineChart::Mark& mark : panel.chart().marks())
    EXPECT_TRUE(panel.chart().rect().contains(mark.place.toPoint()));
}

TEST_F(RooflinePanelTest, ARowOfItsTableNamesTheShapesOfItsOperator) {
  open("NVIDIA H100 80GB HBM3");
  EXPECT_EQ(panel.table().model()->index(0, 0).data().toString().toStdString(),
            "aten::mm (4096, 4096) (4096, 4096)");
  EXPECT_EQ(panel.table().model()->index(2, 0).data().toString().toStdString(), "mine::op");
}

TEST_F(RooflinePanelTest, WithoutAKnownPeakThereIsNoRoof) {
  open("Some GPU");
  EXPECT_EQ(panel.chart().marks().size(), 2u);
  EXPECT_TRUE(panel.chart().roofs().isEmpty());
  EXPECT_THAT(panel.note().text().toStdString(),
              testing::HasSubstr("The peak rates of this device are not known: no roof is drawn"));
}

TEST_F(RooflinePanelTest, AClickChoosesItInTheTableAndOnTheTimeline) {
  open("NVIDIA H100 80GB HBM3");
  for (const char* op : {"aten::add", "aten::mm"}) {
    const std::uint32_t point = pointOf(op);
    const auto mark = std::ranges::find(panel.chart().marks(), point, &RooflineChart::Mark::point);
    QTest::mouseClick(&panel.chart(), Qt::LeftButton, {}, mark->place.toPoint());
    EXPECT_EQ(panel.chart().marked(), point);
    EXPECT_EQ(panel.table().currentIndex().row(), int(point));
    ASSERT_TRUE(model.current());
    EXPECT_EQ(model.shown()[0].trace->name(model.current()->event), op);
  }
}

TEST_F(RooflinePanelTest, AKernelOnTheTimelineMarksItsOperator) {
  open("NVIDIA H100 80GB HBM3");
  const Trace& trace = *model.shown()[0].trace;
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.name(e) == "gemm") model.setCurrent(TimelineModel::Place{0, e});
  EXPECT_EQ(panel.chart().marked(), pointOf("aten::mm"));
  EXPECT_EQ(panel.table().currentIndex().row(), int(pointOf("aten::mm")));
}

TEST_F(RooflinePanelTest, KeysWalkAlongTheChart) {
  open("NVIDIA H100 80GB HBM3");
  QTest::keyClick(&panel.chart(), Qt::Key_Right);
  EXPECT_EQ(panel.chart().marked(), pointOf("aten::add"));
  QTest::keyClick(&panel.chart(), Qt::Key_Right);
  EXPECT_EQ(panel.chart().marked(), pointOf("aten::mm"));
  EXPECT_FALSE(panel.chart().accessibleDescription().isEmpty());
  QTest::keyClick(&panel.chart(), Qt::Key_Left);
  QTest::keyClick(&panel.chart(), Qt::Key_Return);
  ASSERT_TRUE(model.current());
  EXPECT_EQ(model.shown()[0].trace->name(model.current()->event), "aten::add");
}

TEST_F(RooflinePanelTest, ASelectionClipsIt) {
  open("NVIDIA H100 80GB HBM3");
  model.select(TimeRange{0, 500'000});
  EXPECT_EQ(panel.figures().made()->roofline.points.size(), 1u);
  EXPECT_EQ(panel.table().model()->rowCount(), 1);
  EXPECT_THAT(panel.note().text().toStdString(), testing::HasSubstr("cover whole calls"));
}

TEST_F(RooflinePanelTest, ItsTableHasRoomForEveryColumnBeforeTheChartGrows) {
  open("NVIDIA H100 80GB HBM3");
  view.resize(896, 800);  // in a window of 1280 pixels, next to the column at its right
  test::handleEvents();
  EXPECT_FALSE(panel.table().horizontalScrollBar()->isVisible());
  EXPECT_GE(panel.chart().width(), 200);
}

TEST_F(RooflinePanelTest, ThePictureIsTallInTheUsualWindow) {
  open("NVIDIA H100 80GB HBM3");
  view.resize(896, 684);  // in a window of 1280 by 800 pixels
  test::handleEvents();
  EXPECT_GE(panel.chart().height(), 270);
  EXPECT_GE(panel.chart().width(), 250) << "its legend has lines of this width";
}

}  // namespace
}  // namespace fusebench
