// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/index_space.h"

#include <random>

#include <gtest/gtest.h>

namespace fusebench {
namespace {

using Sizes = SizeList<std::int64_t>;

Sizes sizes(std::initializer_list<std::int64_t> values) {
  Sizes list;
  for (const std::int64_t value : values) list.push_back(value);
  return list;
}

TEST(SizeLists, HoldAsManyAsATensorHasDimensions) {
  Sizes list(2, 7);
  EXPECT_EQ(list, sizes({7, 7}));
  list.truncate(1);
  list.push_back(3);
  EXPECT_EQ(list, sizes({7, 3}));
  const Sizes copy = list;
  list = *&list;
  EXPECT_EQ(list, copy);
  list = sizes({1, 2, 3, 4});
  EXPECT_EQ(list, sizes({1, 2, 3, 4}));
  list = copy;
  EXPECT_EQ(list, copy);
  while (list.size() < static_cast<std::size_t>(kMaxRank)) list.push_back(1);
  EXPECT_THROW(list.push_back(1), std::length_error);
  EXPECT_EQ(list.size(), static_cast<std::size_t>(kMaxRank));
}

TEST(Collapsing, DropsOnesAndMergesWhatAllTensorsWalkAsOne) {
  IndexSpace<std::int64_t> layout{sizes({1, 4, 1, 3, 2}), 0, {}};
  layout.strides = {sizes({9, 6, 9, 2, 1}), sizes({0, 12, 0, 4, 2})};
  collapse(layout, false);
  EXPECT_EQ(layout.extents, sizes({24}));
  EXPECT_EQ(layout.strides[0], sizes({1}));
  EXPECT_EQ(layout.strides[1], sizes({2}));

  // A row that is repeated keeps its rows apart, and what is reduced from what is not.
  layout = {sizes({4, 3, 2}), 0, {sizes({6, 2, 1}), sizes({0, 2, 1})}};
  collapse(layout, false);
  EXPECT_EQ(layout.extents, sizes({4, 6}));
  layout = {sizes({4, 3, 2}), 0b110, {sizes({6, 2, 1})}};
  collapse(layout, true);
  EXPECT_EQ(layout.extents, sizes({4, 6}));
  EXPECT_EQ(layout.reducedMask, 0b10u);
}

TEST(Collapsing, LeavesADimensionAndOneToReduce) {
  IndexSpace<std::int64_t> scalar{{}, 0, {Sizes(), Sizes()}};
  collapse(scalar, false);
  EXPECT_EQ(scalar.extents, sizes({1}));
  EXPECT_EQ(scalar.strides[1], sizes({1}));

  IndexSpace<std::int64_t> one{sizes({5, 1}), 0b10, {sizes({1, 1})}};
  collapse(one, true);
  EXPECT_EQ(one.extents, sizes({5, 1}));
  EXPECT_EQ(one.reducedMask, 0b10u);
  EXPECT_EQ(one.strides[0], sizes({1, 0}));
}

TEST(Collapsing, KeepsSymbolsApartThatMayDiffer) {
  const SymbolicSize a = SymbolicSize::symbol(0), b = SymbolicSize::symbol(1);
  SizeList<SymbolicSize> extents;
  extents.push_back(a);
  extents.push_back(b);
  const auto dense = outputStrides(extents, 0);
  IndexSpace<SymbolicSize> layout{extents, 0, {dense, dense}};
  collapse(layout, false);
  ASSERT_EQ(layout.rank(), 1);
  EXPECT_TRUE(layout.extents[0] == a * b);
  layout = {extents, 0, {dense, SizeList<SymbolicSize>(2, SymbolicSize(0))}};
  layout.strides[1][1] = SymbolicSize(1);
  collapse(layout, false);
  EXPECT_EQ(layout.rank(), 2);
}

/// Where each tensor is, in elements, at each place of the index space.
std::vector<std::int64_t> walked(const IndexSpace<std::int64_t>& layout) {
  std::int64_t count = 1;
  for (const std::int64_t extent : layout.extents) count *= extent;
  std::vector<std::int64_t> places;
  for (std::int64_t at = 0; at < count; ++at)
    for (const Sizes& strides : layout.strides) {
      std::int64_t left = at, offset = 0;
      for (std::size_t d = layout.extents.size(); d-- > 0;) {
        offset += left % layout.extents[d] * strides[d];
        left /= layout.extents[d];
      }
      places.push_back(offset);
    }
  return places;
}

std::int64_t reducedCount(const IndexSpace<std::int64_t>& layout) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < layout.extents.size(); ++d)
    if ((layout.reducedMask >> d) & 1u) count *= layout.extents[d];
  return count;
}

TEST(Collapsing, WalksAsBefore) {
  std::mt19937 random(3);
  const auto upTo = [&random](std::uint32_t most) {
    return static_cast<std::uint32_t>(random() % (most + 1));
  };
  int merged = 0;
  for (int i = 0; i < 2000; ++i) {
    IndexSpace<std::int64_t> layout;
    const std::size_t rank = upTo(5);
    for (std::size_t d = 0; d < rank; ++d) layout.extents.push_back(1 + upTo(3));
    layout.reducedMask = upTo(1) == 0 ? 0 : upTo((1u << rank) - 1);
    layout.strides.assign(1 + upTo(2), outputStrides(layout.extents, 0));
    for (Sizes& strides : layout.strides)
      for (std::size_t d = 0; d < rank; ++d)
        if (upTo(5) == 0) strides[d] = upTo(1) == 0 ? 0 : strides[d] + 1;
    const IndexSpace<std::int64_t> before = layout;
    collapse(layout, before.reducedMask != 0);
    ASSERT_EQ(walked(layout), walked(before));
    ASSERT_EQ(reducedCount(layout), reducedCount(before));
    ASSERT_GE(layout.rank(), 1);
    ASSERT_EQ(layout.reducedMask != 0, before.reducedMask != 0);
    for (const Sizes& strides : layout.strides) ASSERT_EQ(strides.size(), layout.extents.size());
    merged += layout.rank() < before.rank() ? 1 : 0;
  }
  EXPECT_GT(merged, 500);
}

}  // namespace
}  // namespace fusebench
