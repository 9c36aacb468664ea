// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/axis_tickers.h"

#include <gtest/gtest.h>

#include <string>

#include "ui/export/figures/figure_ticks.h"

namespace fusebench {
namespace {

constexpr double kKibi = 1024, kMebi = 1024 * kKibi;

std::string labels(double low, double high, bool logarithmic, int pixels = 0) {
  QuantityTicker ticker;
  ticker.setQuantity(Quantity::bytes);
  ticker.setLogarithmic(logarithmic);
  ticker.setPixels(pixels);
  QStringList all = figureTicks(ticker, {low, high, logarithmic}).labels;
  return all.join(QStringLiteral(", ")).replace(QChar(0x202F), u' ').toStdString();
}

TEST(QuantityTicks, OfBytesStandAtPowersOfTwo) {
  EXPECT_EQ(labels(8 * kKibi, 32 * kMebi, true), "16 KiB, 64 KiB, 256 KiB, 1 MiB, 4 MiB, 16 MiB");
  EXPECT_EQ(labels(300, 5'000, true), "512 B, 1 KiB, 2 KiB, 4 KiB");
  EXPECT_EQ(labels(kKibi, 1024 * kMebi, true, 60), "1 KiB, 1 MiB, 1 GiB") << "three rows fit";
}

TEST(QuantityTicks, OfBytesAreRoundInTheirUnitWhereTheyAreEvenlySpaced) {
  EXPECT_EQ(labels(0, 4.2 * kMebi, false), "0, 1 MiB, 2 MiB, 3 MiB, 4 MiB");
  // Two doublings or fewer do not make a scale of doublings.
  EXPECT_EQ(labels(kMebi, 3 * kMebi, true), "1 MiB, 1.5 MiB, 2 MiB, 2.5 MiB, 3 MiB");
}

}  // namespace
}  // namespace fusebench
