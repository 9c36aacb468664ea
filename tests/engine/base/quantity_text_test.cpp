// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/quantity_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fusebench {
namespace {

TEST(QuantityText, PutsWhatRoundsToAThousandIntoTheNextUnit) {
  EXPECT_EQ(timeText(999.4), "999 ns");
  EXPECT_EQ(timeText(999.7), "1.00 us");
  EXPECT_EQ(timeText(999.7, Letters::page), "1.00\u202fµs");
  EXPECT_EQ(timeText(999.7e3), "1.00 ms");
  EXPECT_EQ(timeText(999.7e6), "1.00 s");
  EXPECT_EQ(timeText(-999.7), "-1.00 us");
  EXPECT_EQ(timeText(0.9996), "1.00 ns");
  EXPECT_EQ(timeText(0.5), "500 ps");
  EXPECT_EQ(timeText(0), "0 ns");
  EXPECT_EQ(timeText(NAN), "?");
}

TEST(QuantityText, HasThreeSignificantDigitsAlways) {
  EXPECT_EQ(digits(3.5), "3.50");
  EXPECT_EQ(digits(9.996), "10.0");
  EXPECT_EQ(digits(99.96), "100");
  EXPECT_EQ(digits(0.021345), "0.0213");
  EXPECT_EQ(digits(12345), "12345");
  EXPECT_EQ(digits(-0.0), "0");
  EXPECT_EQ(ratioText(2), "2.00x");
  EXPECT_EQ(ratioText(2, Letters::page), "2.00×");
}

TEST(QuantityText, GivesBothEndsTheUnitOfTheValueBetweenThem) {
  EXPECT_EQ(timeEndsText(1010, 990, 1030), "0.99-1.03 us");
  EXPECT_EQ(timeEndsText(1010, 990, 1030, Letters::page), "0.99 – 1.03\u202fµs");
  EXPECT_EQ(timeEndsText(61e3, 60.1e3, 61.7e3), "60.1-61.7 us");
}

TEST(QuantityText, ShowsAsManyDigitsAsTellTheEndsApart) {
  EXPECT_EQ(endsText(4.13, 4.126, 4.129), "4.126-4.129");
  EXPECT_EQ(endsText(4.13, 4.1261, 4.1262), "4.1261-4.1262");
  EXPECT_EQ(endsText(4.13, 4.12610001, 4.12610002), "") << "five digits at most";
  EXPECT_EQ(timeEndsText(61, 61, 61), "") << "nothing moves";
  EXPECT_EQ(endsText(0, -0.02, 0.02), "-0.0200-0.0200");
}

TEST(QuantityText, CountsSmallSizesExactlyAndLargeOnesInBinaryUnits) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(9999), "9999 B");
  EXPECT_EQ(bytesText(10'000), "9.77 KiB");
  EXPECT_EQ(bytesText(64 * 1024), "64.0 KiB");
  EXPECT_EQ(bytesText(0x1p20 - 10), "1.00 MiB") << "not 1024 KiB";
  EXPECT_EQ(bytesText(3 * 0x1p30), "3.00 GiB");
  EXPECT_EQ(bytesText(0x1p52), "4096 TiB");
  EXPECT_EQ(bytesText(NAN), "?");
}

TEST(QuantityText, IsWrittenInPlainLettersForATerminal) {
  EXPECT_EQ(inPlainLetters(timeText(3521, Letters::page)), timeText(3521));
  EXPECT_EQ(inPlainLetters(ratioText(2.5, Letters::page)), ratioText(2.5));
  EXPECT_EQ(inPlainLetters("12\u202f300 calls"), "12300 calls");
}

}  // namespace
}  // namespace fusebench
