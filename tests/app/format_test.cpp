// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/cli_format.h"
#include "app/cli_progress.h"
#include "engine/base/saying.h"
#include "profiler/catalogue/catalogue.h"

namespace fusebench::cli {
namespace {

TEST(Digits, AreSignificantAndWithoutExponent) {
  EXPECT_EQ(digits(3.5219), "3.52");
  EXPECT_EQ(digits(0.021345), "0.0213");
  EXPECT_EQ(digits(118.4), "118");
  EXPECT_EQ(digits(12345), "12345");
  EXPECT_EQ(digits(0), "0");
  EXPECT_EQ(digits(-1.5), "-1.50");
  EXPECT_EQ(digits(NAN), "?");
}

TEST(Times, TakeTheUnitThatSuitsThem) {
  EXPECT_EQ(timeText(151), "151 ns");
  EXPECT_EQ(timeText(3521), "3.52 us");
  EXPECT_EQ(timeText(45.1e6), "45.1 ms");
  EXPECT_EQ(timeText(2.5e9), "2.50 s");
  EXPECT_EQ(leftText(11.2), "12 s");
  EXPECT_EQ(leftText(200), "3 min 20 s");
  EXPECT_EQ(leftText(-1), "0 s");
}

TEST(Tables, AlignTheirColumns) {
  Table table({"n", "time"});
  table.add({"1", "10.5"});
  table.add({"100", "7"});
  EXPECT_EQ(table.text(), "  n  time\n  1  10.5\n100     7\n");
  EXPECT_EQ(table.width(), 9u);
  table.leftFrom(1);
  EXPECT_EQ(table.text(), "  n  time\n  1  10.5\n100  7\n");
}

TEST(Wrapping, BreaksBetweenWords) {
  EXPECT_EQ(wrapped("one two three", "  ", 9), "  one two\n  three\n");
  EXPECT_EQ(wrapped("", "", 9), "\n");
  EXPECT_EQ(wrapped("unbreakable word", "", 5), "unbreakable\nword\n");
}

TEST(Tables, CountAChineseCharacterAsTwoColumns) {
  EXPECT_EQ(columnsOf("启动 3.5 µs"), 11u);
  Table table({"变体", "启动次数"});
  table.add({"eager", "7"});
  EXPECT_EQ(table.text(), " 变体  启动次数\neager         7\n");
}

TEST(Wrapping, BreaksBetweenChineseCharactersButNotAtTheirMarks) {
  EXPECT_EQ(wrapped("图像为 32 × 32。", "", 10), "图像为 32\n× 32。\n");
  EXPECT_EQ(wrapped("队列空了", "  ", 6), "  队列\n  空了\n");
  EXPECT_EQ(wrapped("列空，等", "", 6), "列空，\n等\n");
  EXPECT_EQ(wrapped("列队空，等", "", 6), "列队\n空，等\n");
  EXPECT_EQ(wrapped("列队（空", "", 6), "列队\n（空\n");
}

TEST(Heads, AreSaidAsWordsOverAColumn) {
  EXPECT_EQ(head("launches"), "launches");
  setLanguage("zh_CN");
  EXPECT_EQ(head("launches"), "启动次数");
  EXPECT_EQ(said("launches"), "次启动");
  setLanguage("en");
}

TEST(ProgressBars, ShowHowFarAndHowLong) {
  StudyProgress progress;
  progress.phase = "measuring";
  progress.fraction = 0.25;
  progress.secondsLeft = 12;
  EXPECT_EQ(barText(progress, 80),
            "[##########..............................]  25% measuring, 12 s left");
  EXPECT_LE(barText(progress, 40).size(), 40u);
  progress.phase = "done";
  progress.fraction = 1;
  EXPECT_THAT(barText(progress, 80), testing::EndsWith("100% done"));
  progress.phase = "tracing";
  setLanguage("zh_CN");
  EXPECT_THAT(barText(progress, 80), testing::HasSubstr("记录调用，还需 12 s"));
  setLanguage("en");
}

}  // namespace
}  // namespace fusebench::cli
