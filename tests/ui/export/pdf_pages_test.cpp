// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/pdf_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kPageText = 1000, kRoom = 980;  ///< heights of a page and its content

/// Parts of given heights one below the other, as a document lays them out: a whole part that has
/// no room moves to the next page; a listing breaks every 10.
struct Column {
  std::vector<PdfPart> parts;
  std::vector<double> heights;

  void add(const PdfPart& part, double height) {
    parts.push_back(part);
    heights.push_back(height);
  }
  std::vector<PdfPlace> laidOut(const PdfPaging& paging) const {
    std::vector<PdfPlace> places;
    double y = 0;
    const auto nextPage = [&] { y = kPageText * (std::floor(y / kPageText) + 1); };
    const auto advance = [&](double height) {
      if (std::fmod(y, kPageText) + height > kRoom) nextPage();
      y += height;
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (paging.breaks.contains(i) && y > 0) nextPage();
      const auto chosen = paging.heights.find(i);
      const double height = chosen == paging.heights.end() ? heights[i] : chosen->second;
      PdfPlace place;
      if (parts[i].whole) {
        advance(height);
        place = {y - height, y, y, y - height};
      } else {
        const double line = paging.tight.contains(i) ? 9.8 : 10;
        const int lines = static_cast<int>(height / 10);
        for (int k = 0; k < lines; ++k) {
          if (paging.tailBreaks.contains(i) && k == lines - 8) nextPage();
          advance(line);
          if (k == 0) place.top = y - line;
          if (k == std::min(2, lines - 1)) place.headBottom = y;
          if (k == std::max(0, lines - 6)) place.tailTop = y - line;
        }
        place.bottom = y;
      }
      places.push_back(place);
    }
    return places;
  }
  PdfPaging settled() const {
    PdfPaging paging;
    int tries = 0;
    while (improvePaging(parts, laidOut(paging), kPageText, kRoom, paging)) EXPECT_LT(++tries, 40);
    return paging;
  }
};

TEST(PdfPages, AHeadingGoesWithWhatFollowsIt) {
  Column column;
  column.add({}, 900);
  column.add({.withNext = true}, 20);
  column.add({.withNext = true}, 20);
  column.add({}, 200);
  EXPECT_THAT(column.settled().breaks, ElementsAre(1));
}

TEST(PdfPages, AFigureKeepsItsCaptionAndShrinksToStay) {
  Column column;
  const auto add = [&](double most) {
    column.add({.withNext = true}, 30);
    column.add({.withNext = true, .least = 250, .most = most}, 340);
    column.add({.withPrevious = true}, 30);
  };
  for (int i = 0; i < 3; ++i) add(400);
  const PdfPaging shrunk = column.settled();
  EXPECT_THAT(shrunk.breaks, IsEmpty());
  EXPECT_LE(column.laidOut(shrunk).back().bottom, kRoom);
  EXPECT_GE(shrunk.heights.at(7), 250);
  add(400);  // four never fit
  const PdfPaging paging = column.settled();
  const auto places = column.laidOut(paging);
  for (std::size_t i = 0; i < places.size(); i += 3)
    EXPECT_EQ(std::floor(places[i].top / kPageText),
              std::floor((places[i + 2].bottom - 1) / kPageText));
}

TEST(PdfPages, AListingDoesNotEndAloneOnAPage) {
  Column column;
  column.add({.withNext = true}, 30);
  column.add({.whole = false}, 960);  // a line or two too many
  PdfPaging paging = column.settled();
  EXPECT_THAT(paging.tight, ElementsAre(1));
  EXPECT_THAT(paging.tailBreaks, IsEmpty());
  column.heights[1] = 1000;  // small lines are not enough
  paging = column.settled();
  EXPECT_THAT(paging.tailBreaks, ElementsAre(1));
}

TEST(PdfPages, AFootnoteTakesWhatItBelongsToAlong) {
  Column column;
  for (int i = 0; i < 9; ++i) column.add({}, 105);
  column.add({.withPrevious = true}, 40);
  EXPECT_THAT(column.settled().breaks, ElementsAre(8));
}

TEST(PdfPages, FiguresFillAPageThatEndsEarly) {
  Column column;
  column.add({.least = 300, .most = 500}, 400);
  column.add({.least = 300, .most = 500}, 400);
  column.add({}, 600);
  PdfPaging paging = column.settled();
  if (paging.breaks.empty()) paging.breaks.insert(2);
  fillPages(column.parts, column.laidOut(paging), kPageText, kRoom, paging);
  EXPECT_GT(paging.heights.at(0), 450);
  EXPECT_LE(column.laidOut(paging)[1].bottom, kRoom);
}

}  // namespace
}  // namespace fusebench
