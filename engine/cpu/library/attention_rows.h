// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench::cpu {

/// to (rows, padded) = first (rows, depth) @ second (depth, padded), or += if `adds`. Columns of
/// `second` and of `to` are contiguous, and their number is a multiple of kRowLanes. Steps are in
/// elements.
struct SmallProduct {
  const float* first = nullptr;
  const float* second = nullptr;
  float* to = nullptr;
  std::int64_t rows = 0, depth = 0, padded = 0;
  std::int64_t firstRow = 0, firstStep = 1, secondRow = 0, toStep = 0;
  bool adds = false;
};

/// The operations of attention on a row of scores. The length of a row is a multiple of kRowLanes;
/// elements after the last score are -inf.
struct AttentionRows {
  /// scores[i] += added[i * step], for `count` scores.
  void (*add)(float* scores, const float* added, std::int64_t step, std::int64_t count);
  /// Keeps scores whose bool equals `keeps`; others become `other`.
  void (*keep)(float* scores, const std::uint8_t* truth, std::int64_t step, std::int64_t count,
               bool keeps, float other);
  /// The greatest of those that are not NaN, or the first.
  float (*greatest)(const float* scores, std::int64_t padded);
  /// scores[i] *= by, for `count` scores.
  void (*multiply)(float* scores, std::int64_t count, float by);
  /// Writes exp(scale * score - top), for scores for which this is at most exp(0); returns the sum.
  /// Results below exp(-87) are 0; others have an error of at most 2 units in the last place.
  float (*raise)(float* scores, std::int64_t padded, float scale, float top);
  /// For matrices so small that the overhead of a library call exceeds their own cost.
  void (*product)(const SmallProduct& product);
  const char* name;  ///< "AVX-512"
};
inline constexpr std::int64_t kRowLanes = 16;

/// For this processor.
const AttentionRows& attentionRows();

}  // namespace fusebench::cpu
