// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench::cuda {

/// A kernel's indices are 32-bit if its number of elements and the extent in memory of each of its
/// tensors are at most this; half of what int holds, so that an index plus a grid's stride does not
/// overflow.
inline constexpr std::int64_t kNarrowElements = std::int64_t{1} << 30;

/// Whether 32-bit indices suffice for a kernel: for its known extents and strides, or for one
/// launch. Eager asks at each launch: no strings, no allocation.
class IndexWidth {
 public:
  explicit IndexWidth(const Kernel& kernel);

  /// With these run-time integers (see Kernel); null: with what is known, and the rest assumed to
  /// be small.
  bool narrow(const std::int64_t* integers) const;
  /// Whether that differs between launches.
  bool dependsOnLaunch() const { return integers_ > 0; }

 private:
  struct Number {
    std::int64_t known = 0;
    int position = -1;  ///< index among the launch's integers; -1: known
  };
  std::int64_t valueOf(const Number& number, const std::int64_t* integers,
                       std::int64_t least) const {
    if (number.position < 0) return number.known;
    return integers ? integers[number.position] : least;
  }

  int rank_ = 0, integers_ = 0;
  std::vector<Number> extents_;
  std::vector<Number> strides_;  ///< for each tensor with strides other than 0 and 1
};

}  // namespace fusebench::cuda
