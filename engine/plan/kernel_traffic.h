// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/dtype.h"
#include "engine/base/index_space.h"

namespace fusebench {

struct LoopNest;

/// Bytes that one execution reads and writes; -1 if unknown.
struct KernelBytes {
  std::int64_t read = -1, written = -1;
  friend bool operator==(const KernelBytes&, const KernelBytes&) = default;
};

/// A launch that writes by an index. Its tensors are the one that is written to, the index, the
/// written elements and the result.
struct ScatteredTraffic {
  bool is = false;
  bool slices = false;  ///< the index selects slices along the dimension, not single elements
  int dim = 0;          ///< dimension of the tensor that is written to
  int over = 1;         ///< number of consecutive dimensions that the index counts through
  bool reads = false;   ///< the old elements are also read, because the new ones are added to them
};

/// Bytes of its tensors that a kernel accesses in a launch. An element counts once, however often
/// it is read, and so does a tensor that is passed twice. A write by index in place counts one
/// element per index. This is not the memory traffic: caches can serve some of the accesses, and
/// lines can be larger than the elements used.
class KernelTraffic {
 public:
  /// The traffic of an unknown kernel.
  KernelTraffic() = default;
  explicit KernelTraffic(const LoopNest& kernel);
  /// The traffic of a launch whose integers are the extents of each tensor followed by its strides.
  /// The first `inputs` tensors are inputs, the others are outputs.
  static KernelTraffic ofTensors(std::span<const DType> dtypes, std::span<const std::size_t> ranks,
                                 std::size_t inputs, const ScatteredTraffic& scattered = {});
  /// Adds the other inputs of a kernel that runs over the result, after those of the launch. The
  /// integers of this kernel come after the launch's own `integers`.
  void addPass(const LoopNest& pass, std::size_t integers);
  /// The bytes of a launch with these arguments, in the order of Kernel.
  KernelBytes of(const std::int64_t* integers, void* const* pointers) const;
  /// Whether along some dimension the elements of every tensor are contiguous or one element is
  /// repeated. True for a single element, and for an unknown kernel.
  bool walksInOrder(const std::int64_t* integers) const;

 private:
  /// A known number, or a position among the integers of a launch.
  struct Number {
    std::int64_t known = 0;
    int position = -1;  ///< -1: known
    std::int64_t of(const std::int64_t* integers) const {
      return position < 0 ? known : integers[position];
    }
  };
  struct Operand {
    std::int64_t elementBytes = 0;
    bool anywhere = false;  ///< elements are read by an index
    SizeList<Number> extents, strides;
  };
  std::int64_t bytesOf(const Operand& operand, const std::int64_t* integers) const;
  KernelBytes scatteredInPlace(const std::int64_t* integers) const;

  bool known_ = false;
  ScatteredTraffic scattered_;
  std::vector<Operand> operands_;  ///< inputs, then outputs
  std::size_t inputs_ = 0;
};

}  // namespace fusebench
