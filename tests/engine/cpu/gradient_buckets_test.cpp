// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/gradient_buckets.h"

#include <gtest/gtest.h>

#include "tests/engine/support/thread_ranks.h"

namespace fusebench::cpu {
namespace {

RankCall piece(bool first, bool last, bool overlaps) {
  return {.kind = Collective::reduceStart, .first = first, .last = last, .overlaps = overlaps};
}

TEST(GradientBuckets, StayOpenWhileSomethingElseIsAwaited) {
  for (const bool overlaps : {false, true})
    asRanks(2, [&](const std::shared_ptr<RankGroup>& group) {
      GradientBuckets buckets(group);
      const float one[] = {2.0f + static_cast<float>(group->rank())}, other[] = {8.0f};
      float a[] = {0.0f}, b[] = {0.0f};
      buckets.add(piece(true, false, overlaps), one, a, 1, DType::float32);
      buckets.wait();
      buckets.add(piece(false, true, overlaps), other, b, 1, DType::float32);
      buckets.wait();
      EXPECT_EQ(a[0], 2.5f);
      EXPECT_EQ(b[0], 8.0f);
    });
}

TEST(GradientBuckets, ForgetWhatACallThatFailedLeftOpen) {
  for (const bool overlaps : {false, true})
    asRanks(2, [&](const std::shared_ptr<RankGroup>& group) {
      GradientBuckets buckets(group);
      const float lost[] = {5.0f, 6.0f}, kept[] = {3.0f};
      float a[] = {0.0f, 0.0f}, b[] = {0.0f};
      buckets.add(piece(true, false, overlaps), lost, a, 2, DType::float32);
      buckets.add(piece(true, true, overlaps), kept, b, 1, DType::float32);
      buckets.add(piece(true, true, overlaps), kept, b, 1, DType::float32);  // without a wait
      buckets.wait();
      EXPECT_EQ(a[0], 0.0f);
      EXPECT_EQ(b[0], 3.0f);
    });
}

}  // namespace
}  // namespace fusebench::cpu
