// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/marker_text.h"

#include <gtest/gtest.h>

namespace fusebench {
namespace {

using wording::PlaceStyle;

Crossing dynamicAhead() {
  Crossing crossing;
  crossing.variant = "dynamic";
  crossing.baseline = "eager";
  crossing.status = CrossingStatus::found;
  crossing.at = 1.03;
  crossing.low = 1.02;
  crossing.high = 1.05;
  return crossing;
}

TEST(MarkerText, SaysWhatItMarks) {
  Crossing crossing = dynamicAhead();
  EXPECT_EQ(markerText(crossing, PlaceStyle::decimal, MarkerDetail::interval),
            "dynamic ahead from 1.03 (1.02 – 1.05)");
  EXPECT_EQ(markerText(crossing, PlaceStyle::decimal, MarkerDetail::place),
            "dynamic ahead from 1.03");
  EXPECT_EQ(
      markerSentence(crossing, PlaceStyle::decimal, "statements"),
      "Break-even: dynamic is faster than eager at 1.03 or more statements, 95% interval 1.02 – "
      "1.05.");
  crossing.backwards = true;
  EXPECT_EQ(markerText(crossing, PlaceStyle::decimal, MarkerDetail::place),
            "dynamic behind from 1.03");
}

TEST(MarkerText, OfATieHasNoIntervalThatWasMeasured) {
  Crossing crossing = dynamicAhead();
  crossing.fromTie = true;
  crossing.at = crossing.high = 2;
  crossing.low = 1;
  EXPECT_EQ(markerText(crossing, PlaceStyle::decimal, MarkerDetail::interval),
            "dynamic ahead from 2 at the latest");
  EXPECT_TRUE(markerSentence(crossing, PlaceStyle::decimal, "statements")
                  .contains("before that the difference is within noise"));
  crossing.unsure = {5};
  const QString after = markerSentence(crossing, PlaceStyle::decimal, "statements");
  EXPECT_TRUE(
      after.contains("before that the difference is within noise; at 1 more point there are "
                     "too few samples"))
      << after.toStdString();
  crossing.unsure = {1};
  EXPECT_TRUE(markerSentence(crossing, PlaceStyle::decimal, "statements")
                  .contains("before that there are too few samples to be sure."));
}

TEST(MarkerText, ThatMayStillMoveSaysSo) {
  Crossing crossing = dynamicAhead();
  crossing.preliminary = true;
  EXPECT_TRUE(markerText(crossing, PlaceStyle::decimal, MarkerDetail::place).contains("~1.03"));
  EXPECT_TRUE(markerSentence(crossing, PlaceStyle::decimal, "statements").contains("Preliminary"));
}

}  // namespace
}  // namespace fusebench
