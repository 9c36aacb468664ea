// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "engine/ops/ops.h"

namespace fusebench {

/// How accumulator states are built and merged. Each backend has one piece of code for each.
enum class AccumulatorFamily : std::uint8_t {
  fold,        ///< adds or multiplies: short runs in float32, which are combined in double
  extreme,     ///< keeps the greater or the lesser value; NaN if there is one
  deviations,  ///< count, mean and sum of squared deviations from the mean
  place,  ///< the greatest element and its position; NaN counts as greatest, and the first of equal
          ///< elements wins
  numbers,  ///< sum and count of the elements that are not NaN
};

/// The properties of one way to accumulate: passes use these and do not name accumulators.
struct AccumulatorRow {
  Accumulate kind;
  std::string_view name;  ///< as printed in the readable form of a kernel
  AccumulatorFamily family;
  Primitive combine;  ///< fold, extreme: combines an element with the value so far
  double identity;    ///< fold, extreme: the value before the first element
  int words = 1;      ///< size of the state in 8-byte words
  int result = 0;     ///< the word that holds the result
  int count = -1;     ///< the word that counts the elements; -1: all elements count
  /// The result is the row-major position of an element among those that are reduced over, an int64
  /// on which nothing else depends: loops run in the order of the dimensions.
  bool positions = false;
  bool emptyAllowed = true;  ///< the result is defined for no elements
  bool cancels = false;      ///< its error is measured against the sum of the elements' magnitudes
  std::string_view doc;      ///< one line
};

inline constexpr std::size_t kMostAccumulatorWords = 3;

/// In the order of the enumerators.
inline constexpr auto kAccumulatorRows = [] {
  using enum AccumulatorFamily;
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  return std::array<AccumulatorRow, kAccumulates>{{
      {.kind = Accumulate::sum,
       .name = "sum",
       .family = fold,
       .combine = Primitive::add,
       .identity = 0,
       .cancels = true,
       .doc = "Sum of the elements"},
      {.kind = Accumulate::prod,
       .name = "prod",
       .family = fold,
       .combine = Primitive::mul,
       .identity = 1,
       .doc = "Product of the elements"},
      {.kind = Accumulate::max,
       .name = "max",
       .family = extreme,
       .combine = Primitive::max,
       .identity = -kEndless,
       .emptyAllowed = false,
       .doc = "Greatest element"},
      {.kind = Accumulate::min,
       .name = "min",
       .family = extreme,
       .combine = Primitive::min,
       .identity = kEndless,
       .emptyAllowed = false,
       .doc = "Smallest element"},
      {.kind = Accumulate::squaredDeviations,
       .name = "squared_deviations",
       .family = deviations,
       .combine = Primitive::add,
       .identity = 0,
       .words = 3,
       .result = 2,
       .doc = "Sum of (x - mean)^2; the words are count, mean and that sum"},
      {.kind = Accumulate::argmax,
       .name = "argmax",
       .family = place,
       .combine = Primitive::max,
       .identity = -kEndless,
       .words = 2,
       .result = 1,
       .positions = true,
       .emptyAllowed = false,
       .doc = "Position of the greatest element, the first of equals; NaN counts as greatest"},
      {.kind = Accumulate::any,
       .name = "any",
       .family = extreme,
       .combine = Primitive::max,
       .identity = 0,
       .doc = "Whether one of the elements, each 0 or 1, is 1"},
      {.kind = Accumulate::all,
       .name = "all",
       .family = extreme,
       .combine = Primitive::min,
       .identity = 1,
       .doc = "Whether all of the elements, each 0 or 1, are 1"},
      {.kind = Accumulate::sumOfNumbers,
       .name = "sum_of_numbers",
       .family = numbers,
       .combine = Primitive::add,
       .identity = 0,
       .words = 2,
       .count = 1,
       .cancels = true,
       .doc = "Sum of the elements that are not NaN, and how many these are"},
  }};
}();

constexpr const AccumulatorRow& info(Accumulate kind) {
  return kAccumulatorRows[static_cast<std::size_t>(kind)];
}

}  // namespace fusebench
