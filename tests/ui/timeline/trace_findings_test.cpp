// SPDX-License-Identifier: GPL-3.0-or-later
// The findings in a trace, as sentences.
#include "ui/models/window/trace_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <memory>
#include <string>

#include "ui/views/runs/findings_view.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Five kernels of 1 us, each by a call of 4 us; then 60 us of nothing, then a long product.
std::shared_ptr<const Trace> eagerTrace(const char* title = "eager") {
  TraceBuilder builder(title);
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (std::uint64_t i = 1; i <= 6; ++i) {
    const Nanoseconds at = i < 6 ? static_cast<Nanoseconds>(i) * 5'000 : 90'000;
    builder.addSpan({host, SpanKind::runtime, "cudaLaunchKernel", at, at + 4'000, i});
    builder.addLaunch({.name = i < 6 ? "sin" : "gemm",
                       .start = at + 4'000,
                       .end = i < 6 ? at + 5'000 : at + 24'000,
                       .deviceLane = stream,
                       .correlation = i});
  }
  return builder.finish();
}

class TraceFindings : public testing::Test {
 protected:
  std::vector<ShownFinding> of(std::vector<std::shared_ptr<const Trace>> traces) {
    model.setTraces(std::move(traces));
    return traceFindings(model);
  }
  static const ShownFinding* with(const std::vector<ShownFinding>& findings, const char* headline) {
    for (const ShownFinding& finding : findings)
      if (finding.headline.contains(QString::fromUtf8(headline))) return &finding;
    return nullptr;
  }
  TimelineModel model;
};

TEST_F(TraceFindings, SayHowLongADeviceWaitedAndForWhat) {
  const auto found = of({eagerTrace()});
  ASSERT_FALSE(found.empty());
  // 5 us of sines and 20 us of a matmul in the 109 us that begin with the first call.
  EXPECT_EQ(found[0].headline.toStdString(), "GPU 0: idle 77.1% of 109\u202fµs");
  EXPECT_THAT(found[0].text.toStdString(), HasSubstr("late with the next launch for 100.0%"));
}

TEST_F(TraceFindings, ADeviceThatIsCalledAsItsTraceIsNamedOnce) {
  TraceBuilder own("static");
  const LaneId lane = own.lane({Lane::Kind::device, 0, 7, "static", "calling thread"});
  own.addLaunch({.name = "sin", .start = 0, .end = 1'000, .deviceLane = lane});
  own.addLaunch({.name = "sin", .start = 3'000, .end = 4'000, .deviceLane = lane});
  const auto found = of({eagerTrace(), own.finish()});
  EXPECT_TRUE(with(found, "eager, GPU 0: idle"));
  const ShownFinding* second = with(found, "static: idle");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->headline.indexOf("static"), 0);
  EXPECT_FALSE(with(found, "static, static"));
}

TEST_F(TraceFindings, ShowTheLongestGapAndTheRunsThatAreWorthFusing) {
  const auto found = of({eagerTrace()});
  const ShownFinding* gap = with(found, "longest gap: 64.0\u202fµs");
  ASSERT_TRUE(gap) << found.size();
  EXPECT_EQ(*gap->time, (TimeRange{25'000, 89'000}));
  const ShownFinding* launches = with(found, "83.3% of the kernels are shorter than their launch");
  ASSERT_TRUE(launches);
  EXPECT_THAT(launches->text.toStdString(), HasSubstr("5 of the 6"));
  const ShownFinding* fusing = with(found, "fusing or graphs would save about");
  ASSERT_TRUE(fusing);
  EXPECT_THAT(fusing->text.toStdString(), HasSubstr("An estimate"));
  EXPECT_THAT(fusing->text.toStdString(), HasSubstr("Most is in one run of 5 kernels: "));
  EXPECT_TRUE(fusing->time);
  ASSERT_TRUE(with(found, "gemm takes most: 80.0%"));
}

TEST_F(TraceFindings, OfAHostAloneSpeakOfNoDevice) {
  TraceBuilder builder("host");
  const LaneId lane = builder.lane({Lane::Kind::host, 1, 1, "", ""});
  builder.addSpan({.lane = lane, .kind = SpanKind::op, .name = "outer", .start = 0, .end = 4'000});
  builder.addSpan({.lane = lane, .kind = SpanKind::op, .name = "inner", .start = 0, .end = 3'000});
  const auto found = of({builder.finish()});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].headline, "inner takes most");
  EXPECT_FALSE(found[0].shows);
}

TEST_F(TraceFindings, OfTwoTracesCompareThemAndNameEach) {
  const auto found = of({eagerTrace("before"), eagerTrace("after")});
  EXPECT_EQ(found[0].headline.toStdString(), "The busy time of after is 1.00× that of before");
  EXPECT_TRUE(with(found, "before, GPU 0: idle"));
  EXPECT_TRUE(with(found, "after, GPU 0: idle"));
}

TEST_F(TraceFindings, OfManyDevicesNameTheOneThatWaitsMost) {
  TraceBuilder builder("ranks");
  for (int d = 0; d < 5; ++d) {
    const LaneId stream =
        builder.lane({Lane::Kind::device, d, 7, "GPU " + std::to_string(d), "stream 7"});
    for (const Nanoseconds at : {0, 90'000})
      builder.addLaunch(
          {.name = "k", .start = at, .end = at + 10'000 - 1'000 * d, .deviceLane = stream});
  }
  const auto found = of({builder.finish()});
  EXPECT_TRUE(found[0].headline.startsWith("GPU 4: idle")) << found[0].headline.toStdString();
  EXPECT_TRUE(found[1].headline.startsWith("5 devices: idle")) << found[1].headline.toStdString();
}

TEST_F(TraceFindings, LongNamesDoNotWidenTheirPanel) {
  TraceBuilder builder("names");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addLaunch({.name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL_of_a_very_long_kind",
                     .start = 0,
                     .end = 9'000,
                     .deviceLane = stream});
  RunModel run;
  AnalysisModel analysis(run);
  FindingsModel findings(run, analysis);
  FindingsView view(findings);
  view.showInstead(of({builder.finish()}));
  EXPECT_LE(view.widget()->minimumSizeHint().width(), 270);
}

TEST_F(TraceFindings, StandInThePlaceOfARunsAndAreShownByEnter) {
  RunModel run;
  AnalysisModel analysis(run);
  FindingsModel findings(run, analysis);
  FindingsView view(findings);
  view.resize(300, 500);
  view.show();
  QSignalSpy picked(&view, &FindingsView::timePicked);
  view.showInstead(of({eagerTrace()}));
  FindingEntry* gap = nullptr;
  for (FindingEntry* entry : view.widget()->findChildren<FindingEntry*>())
    if (entry->finding().headline.contains("longest gap")) gap = entry;
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->toolTip(), "Show it on the timeline");
  QTest::keyClick(gap, Qt::Key_Return);
  ASSERT_EQ(picked.count(), 1);
  EXPECT_EQ(picked[0][0].value<TimeRange>(), (TimeRange{25'000, 89'000}));
  view.showInstead({});
  EXPECT_EQ(view.widget()->findChildren<FindingEntry*>().size(), 1) << "the run's invitation";
}

TEST_F(TraceFindings, SayWhatCallsOfTorchCompileCost) {
  TraceBuilder builder("compiled");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addSpan({host, SpanKind::op, "TorchDynamo Cache Lookup", 0, 2'000});
  builder.addSpan({host, SpanKind::op, "Torch-Compiled Region: 0/0", 2'000, 10'000});
  builder.addSpan({host, SpanKind::runtime, "cudaGraphLaunch", 5'000, 9'000, 1});
  builder.addLaunch(
      {.name = "sin", .start = 9'000, .end = 12'000, .deviceLane = stream, .correlation = 1});
  const auto findings = of({builder.finish()});
  const ShownFinding* const cost = with(findings, "torch.compile: 10");
  ASSERT_TRUE(cost);
  EXPECT_THAT(cost->text.toStdString(), HasSubstr("cache lookup and guards 20.0%"));
  EXPECT_THAT(cost->text.toStdString(), HasSubstr("Compiling is faster than a CUDA graph"));
  EXPECT_FALSE(with(of({eagerTrace()}), "torch.compile"));
}

TEST_F(TraceFindings, SayHowMuchOfTheTimeWasCompiling) {
  TraceBuilder builder("compiles");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  builder.addSpan({host, SpanKind::op, "_compile.compile_inner (dynamo_timed)", 0, 6'000});
  builder.addSpan({host, SpanKind::op, "aten::add", 8'000, 10'000});
  const auto findings = of({builder.finish()});
  const ShownFinding* const compiled = with(findings, "compiling took 60.0% of the time");
  ASSERT_TRUE(compiled);
  EXPECT_THAT(compiled->text.toStdString(), HasSubstr("TORCH_TRACE=DIR records which functions"));
  EXPECT_EQ(compiled->time, (TimeRange{0, 6'000}));
  EXPECT_FALSE(with(of({eagerTrace()}), "compiling took"));
}

}  // namespace
}  // namespace fusebench
