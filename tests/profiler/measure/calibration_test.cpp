// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fusebench {
namespace {

using nlohmann::json;
using testing::ElementsAre;

json found(double launch) {
  return {{"calibration",
           {{"launch_ns", {{"value", launch}, {"ci_low", launch - 1}, {"ci_high", launch + 1}}}}}};
}

TEST(Calibrations, OfOneProcessClaimNothingOfOthers) {
  const Estimate cost = calibrationOf(found(3153))->launch;
  EXPECT_EQ(cost.kind, Estimate::Kind::range);
  EXPECT_EQ(cost.low, 3152);
  EXPECT_EQ(cost.high, 3154);
}

TEST(Calibrations, OfSeveralProcessesHaveAnIntervalThatHoldsBetweenThem) {
  json environment = found(3153);
  addSession(environment, found(3795));
  const json& launch = environment["calibration"]["launch_ns"];
  EXPECT_EQ(launch["value"], (3153 + 3795) / 2.0);
  EXPECT_FALSE(launch.contains("ci_low")) << "two processes do not tell how a third one lies";
  EXPECT_EQ(calibrationOf(environment)->launch.kind, Estimate::Kind::range);

  addSession(environment, found(3768));
  EXPECT_THAT(launch["sessions"], ElementsAre(3153, 3795, 3768));
  const Estimate cost = calibrationOf(environment)->launch;
  EXPECT_EQ(cost.kind, Estimate::Kind::interval);
  EXPECT_EQ(cost.value, 3768);
  EXPECT_LE(cost.low, 3153);
  EXPECT_GE(cost.high, 3795);
}

TEST(Calibrations, StandWhereAnotherProcessFoundNoneOrTalksNonsense) {
  const json before = found(3153);
  for (const json& further :
       {json(), json::array(), json::object(), json{{"calibration", 3}},
        json{{"calibration", {{"launch_ns", 3795}}}},
        json{{"calibration", {{"launch_ns", {{"value", "many"}}}, {"copy_ns", {{"value", 5}}}}}}}) {
    json environment = before;
    addSession(environment, further);
    EXPECT_EQ(environment, before) << further;
  }
  json none = json::object();
  addSession(none, found(3795));
  EXPECT_EQ(none, json::object());
}

}  // namespace
}  // namespace fusebench
