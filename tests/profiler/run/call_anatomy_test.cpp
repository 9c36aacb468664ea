// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/call_anatomy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/device/backend.h"
#include "profiler/run/anatomy_json.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

class NamedKernel final : public Executable {
 public:
  explicit NamedKernel(std::string name) : Executable(std::move(name)) {}
};

constexpr double kTicks = 2;  // a nanosecond

/// Marks with known distances, in nanoseconds.
class Script {
 public:
  /// The next stretch belongs to `part` and lasts so long.
  Script& add(CallPart part, std::uint64_t nanoseconds, const Executable* kernel = nullptr) {
    marks.push_back({at, kernel, part});
    at += static_cast<std::uint64_t>(kTicks) * nanoseconds;
    return *this;
  }
  /// A call of two launches, whose kernels take `kernel` and 2 x `kernel`.
  Script& call(std::uint64_t kernel) {
    add(CallPart::guard, 30);
    add(CallPart::dispatch, 20).add(CallPart::allocate, 15).add(CallPart::launch, 12);
    add(CallPart::kernel, kernel, &first).add(CallPart::launch, 11).add(CallPart::allocate, 13);
    add(CallPart::dispatch, 22).add(CallPart::allocate, 17).add(CallPart::launch, 12);
    add(CallPart::kernel, 2 * kernel, &second).add(CallPart::launch, 11);
    return add(CallPart::dispatch, 25).add(CallPart::outside, 1000);
  }
  CallAnatomy anatomy(std::size_t inputs, double stamp = 0,
                      std::vector<std::vector<int>> statements = {}) const {
    return anatomyOf(callsIn(marks, inputs), kTicks, stamp, statements);
  }
  NamedKernel first{"exp"}, second{"sum"};
  std::vector<Mark> marks;
  std::uint64_t at = 1'000'000;
};

TEST(CallAnatomies, AddUpPartsAndTellLaunchesApart) {
  const CallAnatomy anatomy = Script().call(100).anatomy(1, 0, {{0, 1}, {2}});
  EXPECT_DOUBLE_EQ(anatomy.of(CallPart::guard), 30);
  EXPECT_DOUBLE_EQ(anatomy.of(CallPart::dispatch), 20 + 22 + 25);
  EXPECT_DOUBLE_EQ(anatomy.of(CallPart::allocate), 15 + 13 + 17);
  EXPECT_DOUBLE_EQ(anatomy.of(CallPart::launch), 2 * (12 + 11));
  EXPECT_DOUBLE_EQ(anatomy.of(CallPart::kernel), 300);
  EXPECT_DOUBLE_EQ(anatomy.of(CallPart::outside), 0);
  EXPECT_DOUBLE_EQ(anatomy.total(), 30 + 67 + 45 + 46 + 300);
  ASSERT_THAT(anatomy.launches, SizeIs(2));
  EXPECT_EQ(anatomy.launches[0].kernel, "exp");
  EXPECT_EQ(anatomy.launches[1].kernel, "sum");
  EXPECT_THAT(anatomy.launches[0].statements, ElementsAre(0, 1));
  const auto dispatch = static_cast<std::size_t>(CallPart::dispatch),
             allocate = static_cast<std::size_t>(CallPart::allocate);
  EXPECT_DOUBLE_EQ(anatomy.launches[0].nanoseconds[dispatch], 20);
  EXPECT_DOUBLE_EQ(anatomy.launches[0].nanoseconds[allocate], 15 + 13);
  EXPECT_DOUBLE_EQ(anatomy.launches[1].nanoseconds[dispatch], 22);  // the end is nobody's
}

TEST(CallAnatomies, SubtractWhatMarksCost) {
  const CallAnatomy anatomy = Script().call(100).anatomy(1, 2);
  EXPECT_DOUBLE_EQ(anatomy.stampsPerCall, 13);
  EXPECT_DOUBLE_EQ(anatomy.total(), 488 - 13 * 2);
  EXPECT_DOUBLE_EQ(anatomy.of(CallPart::kernel), 300 - 2 * 2);
  EXPECT_DOUBLE_EQ(Script().call(100).anatomy(1, 40).of(CallPart::guard), 0);  // never negative
}

TEST(CallAnatomies, LeaveOutUnusualCallsOfEachInput) {
  Script script;
  for (const std::uint64_t kernel : {100, 100, 100, 100, 100, 100, 9000, 20}) script.call(kernel);
  EXPECT_DOUBLE_EQ(script.anatomy(1).of(CallPart::kernel), 300);
}

TEST(CallAnatomies, AreMeansOverInputs) {
  Script script;
  for (int pass = 0; pass < 4; ++pass) script.call(100).call(300).call(800);
  const CallAnatomy anatomy = script.anatomy(3);
  EXPECT_DOUBLE_EQ(anatomy.of(CallPart::kernel), 3 * 400);
  EXPECT_EQ(anatomy.calls, 12);
  EXPECT_EQ(anatomy.inputs, 3);
}

TEST(CallAnatomies, DoNotNameLaunchesThatDifferFromCallToCall) {
  Script script;
  script.call(100);
  script.add(CallPart::guard, 30).add(CallPart::kernel, 50, &script.first);
  script.add(CallPart::outside, 0);
  EXPECT_TRUE(script.anatomy(2).launches.empty());
}

TEST(CallAnatomies, OfAHostThatOnlyHandsKernelsOverTellLaunchesApartByThat) {
  Script script;
  script.add(CallPart::dispatch, 20).add(CallPart::allocate, 15).add(CallPart::launch, 40);
  script.add(CallPart::allocate, 5).add(CallPart::dispatch, 30).add(CallPart::launch, 50);
  script.add(CallPart::dispatch, 7).add(CallPart::wait, 900).add(CallPart::outside, 0);
  const CallAnatomy anatomy = script.anatomy(1);
  ASSERT_THAT(anatomy.launches, SizeIs(2));
  const auto of = [&](std::size_t launch, CallPart part) {
    return anatomy.launches[launch].nanoseconds[static_cast<std::size_t>(part)];
  };
  EXPECT_DOUBLE_EQ(of(0, CallPart::dispatch), 20);
  EXPECT_DOUBLE_EQ(of(0, CallPart::allocate), 15 + 5);
  EXPECT_DOUBLE_EQ(of(0, CallPart::launch), 40);
  EXPECT_DOUBLE_EQ(of(1, CallPart::dispatch), 30);
  EXPECT_DOUBLE_EQ(of(1, CallPart::launch), 50);
  EXPECT_DOUBLE_EQ(of(1, CallPart::wait), 0);  // it is for all of them
}

TEST(CallAnatomies, LeaveOutACallThatDidNotEnd) {
  Script script;
  script.call(100).add(CallPart::guard, 30).add(CallPart::dispatch, 20);
  EXPECT_THAT(callsIn(script.marks, 1), SizeIs(1));
  EXPECT_EQ(anatomyOf({}, kTicks, 1).calls, 0);
}

TEST(CallAnatomies, SurviveBeingWrittenAndRead) {
  CallAnatomy anatomy = Script().call(100).anatomy(1, 1.5, {{0, 1}, {2}});
  anatomy.untracedNanoseconds = 480;
  anatomy.lost = 7;
  const CallAnatomy read = readAnatomy(nlohmann::json::parse(toJson(anatomy).dump()));
  EXPECT_EQ(read.nanoseconds, anatomy.nanoseconds);
  ASSERT_THAT(read.launches, SizeIs(2));
  EXPECT_EQ(read.launches[1].kernel, "sum");
  EXPECT_EQ(read.launches[1].nanoseconds, anatomy.launches[1].nanoseconds);
  EXPECT_THAT(read.launches[0].statements, ElementsAre(0, 1));
  EXPECT_DOUBLE_EQ(read.stampNanoseconds, 1.5);
  EXPECT_DOUBLE_EQ(read.stampsPerCall, 13);
  EXPECT_DOUBLE_EQ(read.untracedNanoseconds, 480);
  EXPECT_EQ(read.lost, 7u);
}

TEST(CallAnatomies, RefuseRecordsThatAreNone) {
  const nlohmann::json good = toJson(Script().call(100).anatomy(1));
  for (const char* key :
       {"parts", "launches", "stamp_ns", "stamps", "untraced_ns", "calls", "inputs", "lost"}) {
    nlohmann::json bad = good;
    bad.erase(key);
    EXPECT_THROW(readAnatomy(bad), RecordError) << key;
    bad[key] = "x";
    EXPECT_THROW(readAnatomy(bad), RecordError) << key;
  }
  EXPECT_THROW(readAnatomy(nlohmann::json::array()), RecordError);
}

}  // namespace
}  // namespace fusebench
