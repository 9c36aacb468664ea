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

/// What one execution reads and writes. -1: not known.
struct KernelBytes {
  std::int64_t read = -1, written = -1;
  friend bool operator==(const KernelBytes&, const KernelBytes&) = default;
};

/// What a launch writes by an index: its tensors are what is written to, the index, what is written
/// and the result.
struct ScatteredTraffic {
  bool is = false;
  bool slices = false;  ///< the index names slices along the dimension, not single elements
  int dim = 0;          ///< of the tensor that is written to
  int over = 1;         ///< how many dimensions from that one on the index goes over
  bool reads = false;   ///< what is there is read, too: it is added to
};

/// How many bytes of its tensors a kernel touches in a launch: each element once, however often it
/// is read, and a tensor that is given twice once. What is written by an index where it is, is as
/// many elements as the index names, of several for one place each. Not what memory moves: caches
/// may hold some of it, and lines more.
class KernelTraffic {
 public:
  /// Of a kernel that is not known.
  KernelTraffic() = default;
  explicit KernelTraffic(const LoopNest& kernel);
  /// Of a launch whose integers are of each tensor its extents, followed by its strides: inputs,
  /// which are the first so many, and outputs.
  static KernelTraffic ofTensors(std::span<const DType> dtypes, std::span<const std::size_t> ranks,
                                 std::size_t inputs, const ScatteredTraffic& scattered = {});
  /// Adds the other inputs of a kernel over the result, after those of the launch. The kernel's
  /// integers come after `integers` of the launch's own.
  void addPass(const LoopNest& pass, std::size_t integers);
  /// Of a launch with these arguments, as Kernel has them.
  KernelBytes of(const std::int64_t* integers, void* const* pointers) const;
  /// Whether there is a dimension along which the elements of every tensor lie side by side, or one
  /// element is read again and again. True of a single element, and of what is not known.
  bool walksInOrder(const std::int64_t* integers) const;

 private:
  /// A number that is known, or a place among a launch's integers.
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
