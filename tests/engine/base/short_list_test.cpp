// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/short_list.h"

#include <numeric>
#include <vector>

#include <gmock/gmock.h>

namespace fusebench {
namespace {

using testing::ElementsAre;
using ShortNumbers = ShortList<int, 3>;

ShortNumbers firstNumbers(std::size_t count) {
  ShortNumbers list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

/// Whether its values are stored in the list itself.
bool isInPlace(const ShortNumbers& list) {
  const auto* begin = reinterpret_cast<const std::byte*>(&list);
  const auto* values = reinterpret_cast<const std::byte*>(list.data());
  return values >= begin && values < begin + sizeof(list);
}

TEST(ShortLists, KeepFewValuesInPlaceAndMoreOnTheHeap) {
  EXPECT_TRUE(ShortNumbers().empty());
  EXPECT_TRUE(isInPlace(firstNumbers(3)));
  EXPECT_FALSE(isInPlace(firstNumbers(4)));
  ShortNumbers list;
  for (int i = 0; i < 40; ++i) {
    list.push_back(i);
    ASSERT_EQ(list.size(), static_cast<std::size_t>(i) + 1);
    ASSERT_EQ(list, firstNumbers(list.size()));
  }
  list.emplace_back();
  EXPECT_EQ(list.back(), 0);
  EXPECT_EQ(list.front(), 0);
}

TEST(ShortLists, TakeOneOfTheirOwnValuesAsTheyGrow) {
  ShortNumbers list{7, 8, 9};
  list.push_back(list[0]);
  EXPECT_THAT(list, ElementsAre(7, 8, 9, 7));
  list.push_back(5);
  list.push_back(6);
  const int* const full = list.data();
  list.push_back(list[2]);  // the list frees the memory of this element meanwhile
  EXPECT_NE(list.data(), full);
  EXPECT_THAT(list, ElementsAre(7, 8, 9, 7, 5, 6, 9));
}

TEST(ShortLists, NewValuesAreZero) {
  ShortNumbers list{7, 8, 9};
  list.resize(1);
  EXPECT_THAT(list, ElementsAre(7));
  list.resize(5);
  EXPECT_THAT(list, ElementsAre(7, 0, 0, 0, 0));
}

TEST(ShortLists, AreCopiedAndMovedWhereverTheirValuesAre) {
  for (const std::size_t from : {0u, 2u, 3u, 4u, 9u})
    for (const std::size_t to : {0u, 2u, 3u, 4u, 9u}) {
      const ShortNumbers wanted = firstNumbers(from);
      ShortNumbers copy = firstNumbers(to);
      copy = wanted;
      EXPECT_EQ(copy, wanted);
      copy = *&copy;
      EXPECT_EQ(copy, wanted);

      ShortNumbers source = firstNumbers(from), moved = firstNumbers(to);
      moved = std::move(source);
      EXPECT_EQ(moved, wanted);
      source = firstNumbers(to);  // what was moved from can be used again
      EXPECT_EQ(source, firstNumbers(to));
      source.push_back(5);
      EXPECT_EQ(moved, wanted);
      const ShortNumbers last(std::move(moved));
      EXPECT_EQ(last, wanted);
    }
}

TEST(ShortLists, TakeTheValuesOfARange) {
  const std::vector<int> few{1, 2}, many{1, 2, 3, 4, 5};
  ShortNumbers list{9};
  list.assign(many.begin(), many.end());
  EXPECT_THAT(list, ElementsAre(1, 2, 3, 4, 5));
  list.assign(few.begin(), few.end());
  EXPECT_THAT(list, ElementsAre(1, 2));
  EXPECT_FALSE(list == firstNumbers(2));
}

}  // namespace
}  // namespace fusebench
