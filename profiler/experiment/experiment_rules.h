// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/base/saying.h"
#include "engine/base/shape.h"

namespace fusebench {

/// The values allowed for a whole number of an experiment, both ends included.
struct IntegerRange {
  std::int64_t low;
  std::int64_t high;
};
/// The values allowed for a number of an experiment, both ends included.
struct NumberRange {
  double low;
  double high;
};
/// The number of entries that a list of an experiment may have, and their name.
struct ListRule {
  std::size_t minimum;
  std::size_t maximum;
  std::string_view what;
};

/// The limits of an experiment, defined once: reading, the problems of an edited experiment, and
/// the controls in Setup use them.
namespace rules {
inline constexpr std::array<std::string_view, 4> kFills = {"normal", "uniform", "zeros", "ones"};
inline constexpr std::array<std::string_view, 5> kLayouts = {"contiguous", "transposed", "strided",
                                                             "channels_last", "column_major"};

inline constexpr std::array<std::string_view, 9> kDTypes = {
    "float32", "float64", "float16", "bfloat16", "int64", "int32", "int8", "uint8", "bool"};
inline constexpr std::array<std::string_view, 2> kInputDevices = {"device", "host"};
inline constexpr std::array<std::string_view, 4> kFloatDTypes = {"float32", "float64", "float16",
                                                                 "bfloat16"};
inline constexpr std::array<std::string_view, 2> kCalibrations = {"min-max", "histogram"};
inline constexpr std::array<std::string_view, 2> kCaches = {"hot", "flushed"};
inline constexpr std::array<std::string_view, 2> kResets = {"each sample", "each call"};

inline constexpr IntegerRange kCount = {1, 100'000};
inline constexpr IntegerRange kThreads = {1, 1024};
inline constexpr IntegerRange kRanks = {1, 1024};
inline constexpr IntegerRange kBucketKib = {0, 1 << 22};
inline constexpr IntegerRange kCheckpointAxis = {0, 1'000'000'000};
inline constexpr IntegerRange kRecompileLimit = {1, 10'000};
inline constexpr IntegerRange kLossScale = {1, 1 << 30};
inline constexpr IntegerRange kPrefetch = {0, 16};
inline constexpr IntegerRange kLoaderWorkers = {0, 16};
inline constexpr IntegerRange kSeries = {1, 6};  ///< as many as there are series colors
inline constexpr IntegerRange kAxisValue = {0, std::int64_t{1} << 40};
inline constexpr std::int64_t kMostStatements = 10'000;  ///< in a program, cycling or not
inline constexpr NumberRange kBudgetSeconds = {0.1, 1e6};
inline constexpr IntegerRange kSamples = {5, 100'000};
inline constexpr NumberRange kPrecision = {1e-4, 1};
inline constexpr NumberRange kClaimedRatio = {1e-6, 1e6};
inline constexpr NumberRange kClaimedNanoseconds = {1e-3, 1e15};
inline constexpr NumberRange kClaimedPlace = {0, 1e15};
inline constexpr NumberRange kClaimTolerance = {0, 10};
inline constexpr IntegerRange kSessions = {1, 100};
inline constexpr IntegerRange kCompileRepeats = {0, 1000};

inline constexpr std::size_t kMostPrograms = 32;
inline constexpr std::size_t kMostCells = 100'000;  ///< variants times places
inline constexpr ListRule kInputSets = {1, 100, toBeSaid("input sets")};
inline constexpr ListRule kTensors = {0, 10'000, "tensors"};
inline constexpr ListRule kExtents = {0, kMaxRank, "extents"};
inline constexpr ListRule kVariants = {1, 100, "variants"};
inline constexpr ListRule kClaims = {0, 32, "claims"};
inline constexpr ListRule kAxes = {1, 2, "axes"};
inline constexpr ListRule kAxisValues = {1, 1000, "values"};
/// A draft may contain more or fewer entries than can run, up to this number.
inline constexpr std::size_t kMostInDraft = 100'000;
inline constexpr std::size_t kLongestName = 200;
}  // namespace rules

}  // namespace fusebench
