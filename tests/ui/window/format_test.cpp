// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/base/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace fusebench {
namespace {

std::string plain(QString text) {
  return text.replace(QChar(0x202F), u' ')
      .replace(QString::fromUtf8("µ"), QStringLiteral("u"))
      .replace(QString::fromUtf8("–"), QStringLiteral("-"))
      .replace(QString::fromUtf8("×"), QStringLiteral("x"))
      .toStdString();
}

TEST(Format, TimesCarryTheUnitThatKeepsThemShort) {
  EXPECT_EQ(plain(formatTime(0.5)), "500 ps");
  EXPECT_EQ(plain(formatTime(159)), "159 ns");
  EXPECT_EQ(plain(formatTime(1234)), "1.23 us");
  EXPECT_EQ(plain(formatTime(45.6e6)), "45.6 ms");
  EXPECT_EQ(plain(formatTime(2.5e9)), "2.50 s");
}

TEST(Format, ATimeThatRoundsUpToAThousandTakesTheNextUnit) {
  EXPECT_EQ(plain(formatTime(999.7)), "1.00 us");
  EXPECT_EQ(plain(formatTime(999.4)), "999 ns");
  EXPECT_EQ(plain(formatTime(9.996)), "10.0 ns");
}

TEST(Format, WhatWasNotMeasuredIsADash) {
  EXPECT_EQ(plain(formatTime(std::nan(""))), "-");
  EXPECT_EQ(plain(formatRatio(std::nan(""))), "-");
  EXPECT_EQ(plain(formatInterval({})), "-");
}

TEST(Format, IntervalEndsShareUnitAndDecimals) {
  EXPECT_EQ(plain(formatInterval({1000, 996, 1012, Estimate::Kind::interval})), "1.00 - 1.01 us");
  EXPECT_EQ(plain(formatInterval({1.0001e6, 1.0e6, 1.0002e6, Estimate::Kind::interval})),
            "1.0000 - 1.0002 ms");
}

TEST(Format, ARangeThatIsNoIntervalIsInBrackets) {
  EXPECT_EQ(plain(formatInterval({10, 9, 11, Estimate::Kind::range})), "(9.0 - 11.0 ns)");
  EXPECT_EQ(plain(formatInterval({10, 10, 10, Estimate::Kind::range})), "-") << "of one sample";
}

TEST(Format, CountsAreGroupedAndMeansShowFractionsOnlyWhereThereAreAny) {
  EXPECT_EQ(plain(formatCount(1048576)), "1 048 576");
  EXPECT_EQ(plain(formatCount(-1234)), "-1 234");
  EXPECT_EQ(plain(formatMean(34.0)), "34");
  EXPECT_EQ(plain(formatMean(1.25)), "1.25");
}

TEST(Format, DurationsAreNotFalselyExact) {
  EXPECT_EQ(plain(formatDuration(0.2)), "less than a second");
  EXPECT_EQ(plain(formatDuration(11.2)), "12 s");
  EXPECT_EQ(plain(formatDuration(80)), "1 min 20 s");
  EXPECT_EQ(plain(formatDuration(3700)), "1 h 1 min");
}

TEST(Format, TwoDurationsThatDifferDoNotReadAlike) {
  const auto apart = [](double a, double b) {
    const auto [longer, shorter] = formatDurationsApart(a, b);
    return plain(longer + u'|' + shorter);
  };
  EXPECT_EQ(apart(63, 10), "1 min 3 s|10 s");
  EXPECT_EQ(apart(5.9, 5.4), "5.9 s|5.4 s");
  EXPECT_EQ(apart(5.44, 5.41), "5.44 s|5.41 s");
  EXPECT_EQ(apart(651, 612), "651 s|612 s");
  EXPECT_EQ(apart(0.7, 0.4), "0.7 s|0.4 s");
}

TEST(Format, PlacesOnAnAxisDropNeedlessDigits) {
  EXPECT_EQ(plain(formatPlace(15)), "15");
  EXPECT_EQ(plain(formatPlace(4.984)), "4.98");
  EXPECT_EQ(plain(formatPlace(23456.7)), "23 457");
}

TEST(Format, AnAxisWritesItsPlacesInOneStyle) {
  using wording::PlaceStyle;
  EXPECT_EQ(placeStyle({64, 4096, 65'536}), PlaceStyle::binary);
  EXPECT_EQ(placeStyle({64, 4096, 100'000}), PlaceStyle::decimal);
  EXPECT_EQ(placeStyle({1, 5, 30}), PlaceStyle::decimal);
  EXPECT_EQ(plain(axisValueText(65'536, PlaceStyle::binary)), "64Ki");
  EXPECT_EQ(plain(axisValueText(4706, PlaceStyle::binary)), "4.6Ki");
  EXPECT_EQ(plain(axisValueText(65'536, PlaceStyle::decimal)), "65 536");
  EXPECT_EQ(plain(axisValueText(1.0345, PlaceStyle::decimal)), "1.03");
}

TEST(Format, RatiosBelowOneKeepTheirDigits) {
  EXPECT_EQ(plain(formatRatio(2.3456)), "2.35x");
  EXPECT_EQ(plain(formatRatio(0.2266)), "0.227x");
}

TEST(Format, RatesGoByThousands) {
  EXPECT_EQ(formatRate(0), "0 B/s");
  EXPECT_EQ(formatRate(23.44e9), "23.4 GB/s");
  EXPECT_EQ(formatRate(999.4e6), "999 MB/s");
  EXPECT_EQ(formatRate(3.35e12), "3.35 TB/s");
  EXPECT_EQ(formatRate(-1), QString::fromUtf8("–"));
}

TEST(Format, BytesHaveTheUnitThatLeavesFewDigits) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(9'999), "9999 B");
  EXPECT_EQ(formatBytes(64 * 1024), "64.0 KiB");
  EXPECT_EQ(formatBytes(std::int64_t{3} << 30), "3.00 GiB");
  EXPECT_EQ(formatBytes(std::int64_t{30} << 30), "30.0 GiB");
  EXPECT_EQ(formatBytes(-1), QString::fromUtf8("–"));
}

}  // namespace
}  // namespace fusebench
