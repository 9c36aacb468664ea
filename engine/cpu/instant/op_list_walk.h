// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/short_list.h"
#include "engine/plan/kernel.h"

namespace fusebench::cpu {

/// One tensor as an op list's loops step through it, in elements.
struct TensorWalk {
  TensorWalk() {}  // NOLINT(modernize-use-equals-default): the lists' room would be set to 0
  std::size_t elementBytes = 4;
  Strides outer, middle, row;  ///< along the loops of each group
  bool dense = false;          ///< the elements of a row are contiguous
};

/// How an op list's loops run for certain extents. Three groups of loops, from the outside in: the
/// outer ones, over results; the middle ones, which are reduced with one result per lane; and the
/// row, whose elements go through the list in blocks. A walk that reduces the row has no middle
/// loops.
struct OpListWalk {
  Dims outer, middle, row;  ///< extents
  bool reducesRow = false;
  bool lanes = false;                ///< reductions keep one result per element of the row
  ShortList<TensorWalk, 2> tensors;  ///< inputs, then outputs

  std::int64_t outerCount() const;
  std::int64_t middleCount() const;
  std::int64_t rowLength() const;
};

/// Whether a tensor's row is a single element for every launch, according to what is known about
/// the kernel.
bool alwaysRepeated(const LoopNest& kernel, const KernelTensor& tensor);

/// Fills in a new walk. `integers`: the run-time integers of the launch, in the order that Kernel
/// defines.
void walkOf(const LoopNest& kernel, const std::int64_t* integers, OpListWalk& walk);

/// Iterates over some loops, the last one fastest, and keeps an offset for the current position.
class Odometer {
 public:
  Odometer(const Dims& extents, const Strides& strides)
      : extents_(extents), strides_(strides), at_(Dims::filled(extents.rank(), 0)) {}
  /// Moves to the element with this number.
  void goTo(std::int64_t number);
  /// Number of steps along the last loop before another loop advances.
  std::int64_t run() const { return rank() == 0 ? 1 : extents_[rank() - 1] - at_[rank() - 1]; }
  std::int64_t lastStride() const { return rank() == 0 ? 0 : strides_[rank() - 1]; }
  /// Moves `steps` further, at most run() of them.
  void advance(std::int64_t steps);
  std::int64_t offset() const { return offset_; }

 private:
  int rank() const { return extents_.rank(); }

  const Dims& extents_;
  const Strides& strides_;
  Dims at_;
  std::int64_t offset_ = 0;
};

}  // namespace fusebench::cpu
