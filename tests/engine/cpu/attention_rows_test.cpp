// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/attention_rows.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

namespace fusebench::cpu {
namespace {

constexpr float kUnboundedScore = std::numeric_limits<float>::infinity();

TEST(AttentionRows, RaiseToWithinTwoUnitsInTheLastPlace) {
  std::vector<float> scores;
  for (float x = 0; x > -86.9f; x -= 0.00371f) scores.push_back(x);
  scores.resize(scores.size() / kRowLanes * kRowLanes);
  std::vector<float> raised = scores;
  double sum = 0;
  const float total =
      attentionRows().raise(raised.data(), static_cast<std::int64_t>(raised.size()), 1, 0);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double exact = std::exp(static_cast<double>(scores[i]));
    const auto unit = static_cast<double>(std::nextafter(static_cast<float>(exact), 1e30f)) -
                      static_cast<double>(static_cast<float>(exact));
    ASSERT_LE(std::abs(static_cast<double>(raised[i]) - exact), 2 * unit) << scores[i];
    sum += static_cast<double>(raised[i]);
  }
  EXPECT_NEAR(total, sum, 1e-5 * sum);
}

TEST(AttentionRows, RaiseScaledScoresWhateverTheLength) {
  for (std::int64_t count = kRowLanes; count <= 5 * kRowLanes; count += kRowLanes) {
    std::vector<float> scores(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<float>(i % 7);
    std::vector<float> raised = scores;
    attentionRows().raise(raised.data(), count, 0.25f, 1.5f);
    for (std::size_t i = 0; i < scores.size(); ++i)
      EXPECT_FLOAT_EQ(raised[i], std::exp(0.25f * scores[i] - 1.5f));
  }
}

TEST(AttentionRows, KeepInfinityAndNaN) {
  std::vector<float> row(2 * kRowLanes, -kUnboundedScore);
  row[0] = 0;
  row[1] = -1000;
  row[17] = std::numeric_limits<float>::quiet_NaN();
  attentionRows().raise(row.data(), 2 * kRowLanes, 1, 0);
  EXPECT_EQ(row[0], 1);
  EXPECT_EQ(row[1], 0);
  EXPECT_EQ(row[2], 0);
  EXPECT_TRUE(std::isnan(row[17]));
}

TEST(AttentionRows, FindTheGreatestAtEachPlace) {
  for (std::int64_t count = kRowLanes; count <= 9 * kRowLanes; count += kRowLanes)
    for (std::int64_t place = 0; place < count; ++place) {
      std::vector<float> row(static_cast<std::size_t>(count), -3);
      row[static_cast<std::size_t>(place)] = -2;
      EXPECT_EQ(attentionRows().greatest(row.data(), count), -2) << place << " of " << count;
    }
}

TEST(AttentionRows, MultiplySmallMatricesOfAnyNumberOfRowsAndColumns) {
  constexpr std::int64_t kDepth = 7;
  for (std::int64_t rows = 1; rows <= 9; ++rows)
    for (std::int64_t wide = kRowLanes; wide <= 3 * kRowLanes; wide += kRowLanes) {
      const auto count = static_cast<std::size_t>(rows * wide);
      std::vector<float> first(static_cast<std::size_t>(rows * kDepth)),
          second(static_cast<std::size_t>(kDepth * wide)), to(count, 3);
      for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<float>(i % 5) - 2;
      for (std::size_t i = 0; i < second.size(); ++i) second[i] = static_cast<float>(i % 7) - 3;
      SmallProduct product{.first = first.data(),
                           .second = second.data(),
                           .to = to.data(),
                           .rows = rows,
                           .depth = kDepth,
                           .padded = wide,
                           .firstRow = kDepth,
                           .secondRow = wide,
                           .toStep = wide};
      for (const bool adds : {false, true}) {
        product.adds = adds;
        attentionRows().product(product);
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t c = 0; c < wide; ++c) {
            float sum = 0;
            for (std::int64_t k = 0; k < kDepth; ++k)
              sum += first[static_cast<std::size_t>(r * kDepth + k)] *
                     second[static_cast<std::size_t>(k * wide + c)];
            ASSERT_EQ(to[static_cast<std::size_t>(r * wide + c)], adds ? 2 * sum : sum);
          }
      }
    }
}

TEST(AttentionRows, AddAndKeepByAnyStep) {
  for (const std::int64_t step : {0, 1, 3}) {
    const std::vector<float> added{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    const std::vector<std::uint8_t> truth{1, 0, 0, 1, 1, 0, 2, 0, 0, 1, 1, 1, 0};
    std::vector<float> sums(5, 100), kept(5, 100), left(5, 100);
    attentionRows().add(sums.data(), added.data(), step, 5);
    attentionRows().keep(kept.data(), truth.data(), step, 5, true, -1);
    attentionRows().keep(left.data(), truth.data(), step, 5, false, -1);
    for (std::size_t i = 0; i < 5; ++i) {
      const std::size_t from = i * static_cast<std::size_t>(step);
      EXPECT_EQ(sums[i], 100 + added[from]);
      EXPECT_EQ(kept[i], truth[from] != 0 ? 100 : -1);
      EXPECT_EQ(left[i], truth[from] != 0 ? -1 : 100);
    }
  }
}

}  // namespace
}  // namespace fusebench::cpu
