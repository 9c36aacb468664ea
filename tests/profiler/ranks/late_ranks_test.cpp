// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/ranks/late_ranks.h"

#include <gmock/gmock.h>

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kMost = 10;

RankSeen waits(double seconds, std::int64_t asked = 5, double busy = -1) {
  return {.answered = false, .kept = seconds, .asked = asked, .busy = busy};
}
RankSeen answered(double secondsAgo) {
  return {.answered = true, .kept = secondsAgo};
}
RankSeen works() {
  return waits(0, 4);
}

std::vector<std::size_t> late(const std::vector<RankSeen>& ranks) {
  return lateRanks(ranks, kMost);
}

TEST(LateRanks, AreNoneWhileNobodyHasBeenKeptForTooLong) {
  EXPECT_THAT(late({works(), works()}), IsEmpty());
  EXPECT_THAT(late({waits(9.5), works()}), IsEmpty());
  EXPECT_THAT(late({answered(9.5), works(), answered(2)}), IsEmpty());
}

TEST(LateRanks, AreThoseAtWorkThatTheOthersWaitFor) {
  EXPECT_THAT(late({waits(10.5), works()}), ElementsAre(1));
  EXPECT_THAT(late({works(), answered(11)}), ElementsAre(0));
  EXPECT_THAT(late({waits(10.5), works(), answered(3)}), ElementsAre(1));
}

TEST(LateRanks, MayBeSeveral) {
  EXPECT_THAT(late({waits(10.5), works(), works(), waits(0.4)}), ElementsAre(1, 2, 3));
}

TEST(LateRanks, AreNotThoseThatHaveJustCome) {
  EXPECT_THAT(late({waits(10.5), waits(2)}), IsEmpty());
}

TEST(LateRanks, AreThoseThatWaitForOnesThatAreDone) {
  EXPECT_THAT(late({answered(10.5), waits(10.2), answered(10.4)}), ElementsAre(1));
}

TEST(LateRanks, AreThoseThatAreStillInAnEarlierExchange) {
  EXPECT_THAT(late({waits(10.5, 7), waits(11, 6), waits(10.2, 7)}), ElementsAre(1));
}

TEST(LateRanks, AreThoseThatSleepInAnExchangeWhileTheOthersAskForTheirMessages) {
  EXPECT_THAT(late({waits(10.5, 7, 0.6), waits(10.5, 7, 0.001)}), ElementsAre(1));
  EXPECT_THAT(late({waits(10.5, 7, 0), waits(10.5, 7, 0.9), waits(10.5, 7, 0.9)}), ElementsAre(0));
}

TEST(LateRanks, AreAllWhereNothingTellsThemApart) {
  EXPECT_THAT(late({waits(10.5), waits(10.2)}), ElementsAre(0, 1));
  EXPECT_THAT(late({waits(10.5, 7, 0.001), waits(10.2, 7, 0.002)}), ElementsAre(0, 1));
  EXPECT_THAT(late({waits(10.5, 7, 0.05), waits(10.2, 7, 0.001)}), ElementsAre(0, 1))
      << "the first one may sleep, too";
}

}  // namespace
}  // namespace fusebench
