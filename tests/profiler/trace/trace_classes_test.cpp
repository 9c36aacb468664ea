// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_report.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// A host whose operators launch kernels.
class ClassesOfATrace : public testing::Test {
 protected:
  /// `outer` and, within it, `inner` launch a kernel; empty: there is no such operator.
  void launch(const std::string& kernel, const std::string& outer, const std::string& inner,
              Nanoseconds duration = 100) {
    const auto span = [&](SpanKind kind, const std::string& name, Nanoseconds margin,
                          std::uint64_t number = 0) {
      if (!name.empty())
        builder_.addSpan({host_, kind, name, at_ + margin, at_ + 1'000 - margin, number});
    };
    ++number_;
    span(SpanKind::annotation, "step", 0);
    span(SpanKind::op, outer, 10);
    span(SpanKind::op, inner, 20);
    span(SpanKind::runtime, "cudaLaunchKernel", 30, number_);
    builder_.addLaunch({.name = kernel,
                        .start = at_ + 1'000,
                        .end = at_ + 1'000 + duration,
                        .deviceLane = stream_,
                        .correlation = number_});
    at_ += 2'000;
  }

  TraceBuilder builder_{"t"};
  LaneId host_ = builder_.lane({Lane::Kind::host, 1, 1, "p", "t"});
  LaneId stream_ = builder_.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  std::uint64_t number_ = 0;
  Nanoseconds at_ = 0;
};

TEST_F(ClassesOfATrace, AreThoseOfTheInnermostOperatorThatLaunched) {
  launch("new_kernel", "aten::linear", "aten::addmm");
  launch("new_kernel", "aten::mul", "");
  launch("new_kernel", "", "");
  const auto trace = builder_.finish();
  KernelClassifier classes(*trace);
  std::vector<std::string> operators, kinds;
  for (EventId e = 0; e < trace->size(); ++e)
    if (trace->kind(e) == SpanKind::kernel) {
      operators.emplace_back(trace->nameText(classes.operatorOf(e)));
      kinds.emplace_back(nameOf(classes.of(e).kind));
    }
  EXPECT_EQ(operators, (std::vector<std::string>{"aten::addmm", "aten::mul", ""}));
  EXPECT_EQ(kinds, (std::vector<std::string>{"matmul", "unknown", "unknown"}));
}

TEST_F(ClassesOfATrace, HaveTheirSharesOfTheKernelsTime) {
  launch("add", "", "", 300);
  launch("ampere_sgemm_128x64_tn", "", "", 500);
  launch("new_kernel", "", "", 200);
  const auto trace = builder_.finish();
  const auto found = classesOf(*trace);
  EXPECT_EQ(found, (std::vector<ClassTotal>{{KernelClass::matmul, 1, 500, 0.5},
                                            {KernelClass::pointwise, 1, 300, 0.3},
                                            {KernelClass::unknown, 1, 200, 0.2}}));
  EXPECT_DOUBLE_EQ(unknownShareOf(found), 0.2);
  EXPECT_TRUE(classesOf(*trace, 5).empty()) << "no such device";

  const std::vector<TraceReport> reports = {reportOf(trace, "t")};
  const auto object = reportJson(reports, nullptr);
  EXPECT_EQ(object["traces"][0]["classes"][0]["class"], "matmul");
  EXPECT_EQ(object["traces"][0]["unknown_share"], 0.2);
  EXPECT_THAT(classesCsv(reports), HasSubstr("\nt,unknown,1,200,0.2"));
}

TEST_F(ClassesOfATrace, SayThatNothingIsUnknown) {
  launch("add", "", "");
  const auto found = classesOf(*builder_.finish());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1], (ClassTotal{KernelClass::unknown, 0, 0, 0}));
}

TEST_F(ClassesOfATrace, AreNoneWithoutKernels) {
  builder_.addSpan({host_, SpanKind::op, "aten::mm", 0, 10});
  EXPECT_TRUE(classesOf(*builder_.finish()).empty());
}

}  // namespace
}  // namespace fusebench
