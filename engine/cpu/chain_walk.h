// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/kernel.h"

namespace fusebench::cpu {

/// One tensor as a chain's loops step through it, in elements.
struct TensorWalk {
  std::size_t elementBytes = 4;
  std::vector<std::int64_t> outer, middle, row;  ///< strides along the loops of each group
  bool dense = false;                            ///< the row lies element after element
};

/// How a chain's loops go for certain extents. Three groups of loops, from the outside: the outer
/// ones, over results; the middle ones, which are reduced with a result per lane; and the row,
/// whose elements go through the chain in blocks. If the row is reduced there are no middle ones.
struct ChainWalk {
  std::vector<std::int64_t> outer, middle, row;  ///< extents
  bool reducesRow = false;
  bool lanes = false;               ///< reductions keep a result per element of the row
  std::vector<TensorWalk> tensors;  ///< inputs, then outputs

  std::int64_t outerCount() const;
  std::int64_t middleCount() const;
  std::int64_t rowLength() const;
};

/// Whether a tensor's row is one element for every launch: what the kernel knows says so.
bool alwaysRepeated(const Kernel& kernel, const KernelTensor& tensor);

/// `integers`: the run-time integers of the launch, as Kernel says.
ChainWalk walkOf(const Kernel& kernel, const std::int64_t* integers);

/// Counts through some loops, the last one fastest, and keeps an offset for it.
class Odometer {
 public:
  Odometer(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides)
      : extents_(extents), strides_(strides), at_(extents.size(), 0) {}
  /// To the element of this number.
  void goTo(std::int64_t number);
  /// Steps that can be taken along the last loop before another one moves.
  std::int64_t run() const { return extents_.empty() ? 1 : extents_.back() - at_.back(); }
  std::int64_t lastStride() const { return strides_.empty() ? 0 : strides_.back(); }
  /// `steps` further, at most run() of them.
  void advance(std::int64_t steps);
  std::int64_t offset() const { return offset_; }

 private:
  const std::vector<std::int64_t>& extents_;
  const std::vector<std::int64_t>& strides_;
  std::vector<std::int64_t> at_;
  std::int64_t offset_ = 0;
};

}  // namespace fusebench::cpu
