// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/pace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fusebench {
namespace {

TEST(Pace, IsTakenAtMostOnceInItsPeriod) {
  PaceMeter meter;
  EXPECT_TRUE(meter.described().is_null());
  for (const double seconds : {1.0, 1.0 + kPaceSeconds / 2, 1.0 + 1.5 * kPaceSeconds})
    meter.tick(seconds);
  for (const char* list : kPaceLists) {
    ASSERT_EQ(meter.described().at(list).size(), 2u);
    EXPECT_GT(meter.described().at(list)[0].get<double>(), 0);
  }
}

}  // namespace
}  // namespace fusebench
