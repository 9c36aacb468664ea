// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/machine_differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const json kEnvironment = {{"cpu", {{"model", "A"}, {"cores", 2}}},
                           {"backend", "A, LLVM 19, 1 thread"},
                           {"torch", {{"torch", "2.1"}}}};

TEST(MachineDifferences, TellAnotherProcessorFromAnotherVersion) {
  json other = kEnvironment;
  other["cpu"]["model"] = "B";
  other["torch"]["torch"] = "2.2";
  const auto differences = environmentDifferences(kEnvironment, "cpu", other, "cpu");
  EXPECT_EQ(differencesText(differences, true), "processor: B instead of A");
  EXPECT_EQ(differencesText(differences, false), "PyTorch: 2.2 instead of 2.1");
}

TEST(MachineDifferences, FindNoneInOneMachineNorInWhatIsNotKnown) {
  EXPECT_TRUE(environmentDifferences(kEnvironment, "cpu", kEnvironment, "cpu").empty());
  EXPECT_TRUE(environmentDifferences(kEnvironment, "cpu", json(), "cpu").empty());
  EXPECT_TRUE(environmentDifferences(json(), "cpu", kEnvironment, "cpu").empty());
}

TEST(MachineDifferences, NameTheModelOfAGpuWithoutItsVersions) {
  const json before = {{"backend", "H100, driver 1"}}, now = {{"backend", "H200, driver 2"}},
             newer = {{"backend", "H100, driver 2"}};
  EXPECT_EQ(differencesText(environmentDifferences(before, "cuda:0", now, "cuda:0"), true),
            "GPU model: H200 instead of H100");
  EXPECT_EQ(differencesText(environmentDifferences(before, "cuda:0", newer, "cuda:0"), true), "");
  EXPECT_THAT(differencesText(environmentDifferences(before, "cuda:0", now, "cpu"), true),
              HasSubstr("device: cpu instead of cuda:0"));
}

}  // namespace
}  // namespace fusebench
