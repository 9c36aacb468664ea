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

/// How an op list's loops go for certain extents. Three groups of loops, from the outside: the
/// outer ones, over results; the middle ones, which are reduced with a result per lane; and the
/// row, whose elements go through the list in blocks. If the row is reduced there are no middle
/// ones.
struct OpListWalk {
  Dims outer, middle, row;  ///< extents
  bool reducesRow = false;
  bool lanes = false;                ///< reductions keep a result per element of the row
  ShortList<TensorWalk, 2> tensors;  ///< inputs, then outputs

  std::int64_t outerCount() const;
  std::int64_t middleCount() const;
  std::int64_t rowLength() const;
};

/// Whether a tensor's row is one element for every launch: what the kernel knows says so.
bool alwaysRepeated(const LoopNest& kernel, const KernelTensor& tensor);

/// Fills in a new walk. `integers`: the run-time integers of the launch, as Kernel says.
void walkOf(const LoopNest& kernel, const std::int64_t* integers, OpListWalk& walk);

/// Counts through some loops, the last one fastest, and keeps an offset for it.
class Odometer {
 public:
  Odometer(const Dims& extents, const Strides& strides)
      : extents_(extents), strides_(strides), at_(Dims::filled(extents.rank(), 0)) {}
  /// To the element of this number.
  void goTo(std::int64_t number);
  /// Steps that can be taken along the last loop before another one moves.
  std::int64_t run() const { return rank() == 0 ? 1 : extents_[rank() - 1] - at_[rank() - 1]; }
  std::int64_t lastStride() const { return rank() == 0 ? 0 : strides_[rank() - 1]; }
  /// `steps` further, at most run() of them.
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
