// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cpu/codegen/codegen.h"
#include "engine/cpu/codegen/op_marks.h"
#include "engine/cpu/math/vector_math.h"

namespace fusebench::cpu {

/// The current position in a kernel's function while its code is written: the function's arguments
/// as values, the loops entered so far, and the elements that these lead to. Everything that writes
/// a part of the function shares one scope.
struct KernelScope {
  using Values = std::vector<llvm::Value*>;
  /// The block of the vectorized loop that is being written.
  struct Block {
    llvm::Value* index = nullptr;  ///< index of its first element along the vectorized dimension
    llvm::Value* end = nullptr;    ///< end of the vectorized loop, not of the tile
  };

  KernelScope(const Kernel& kernelOf, const Schedule& scheduleOf, const Target& targetOf,
              llvm::Module& module);
  /// The scope of `function`, at the insertion point.
  void readArguments();

  const KernelTensor& tensor(std::size_t index) const;
  std::size_t outputTensor(std::size_t output) const { return kernel.inputs.size() + output; }
  /// The stride of a tensor along the vectorized dimension.
  llvm::Value* vectorStride(std::size_t tensor) const {
    return strides[tensor][static_cast<std::size_t>(schedule.vectorDim)];
  }
  /// Address of a tensor's current element, plus `extra` elements.
  llvm::Value* element(std::size_t tensor, llvm::Value* extra = nullptr);
  /// offset + index * stride, without terms that are 0.
  llvm::Value* advanced(llvm::Value* offset, llvm::Value* index, llvm::Value* stride);

  llvm::Value* int64(std::int64_t value) { return b.getInt64(static_cast<std::uint64_t>(value)); }
  llvm::Type* memoryType(DType dtype) { return cpu::memoryType(b, dtype); }
  llvm::Value* fromMemory(llvm::Value* value, DType dtype);
  /// `rounded`: it already is a number of that dtype.
  llvm::Value* toMemory(llvm::Value* value, DType dtype, bool rounded = false);

  std::size_t width() const { return static_cast<std::size_t>(target.vector.width); }
  std::size_t interleave() const { return static_cast<std::size_t>(schedule.interleave); }
  /// Elements of a full block.
  int step() const { return target.vector.width * schedule.interleave; }
  bool mayHaveTail() const;
  /// Makes a vector store bypass the caches: its address must be aligned to a vector.
  void storePastCaches(llvm::StoreInst& store);
  /// Orders such stores before later ones: other threads see them no later than the later ones.
  void orderStores();
  /// Elements of the block that exist: step() or less.
  llvm::Value* remaining();
  /// Whether there are fewer than step().
  llvm::Value* isTail();
  /// Whether the buffers of the last block are filled and emptied around the vectorized loop, which
  /// is then the innermost; otherwise they are filled and emptied around the block.
  bool tailsAroundLoop() const { return schedule.order.back() == schedule.vectorDim; }

  /// Attributes all code written after this call to this op.
  void mark(int op) {
    if (marks) marks->set(b, op);
  }

  const Kernel& kernel;
  const Schedule& schedule;
  const Target& target;
  llvm::IRBuilder<> b;
  VectorMath math;
  llvm::Function* function = nullptr;
  OpMarks* marks = nullptr;  ///< only for code that people will read

  Values pointers;              ///< base address of each tensor
  Values extents;               ///< per dimension
  std::vector<Values> strides;  ///< per tensor and dimension
  Values offsets;  ///< per tensor: elements, by the loops entered except the vectorized one
  Values indices;  ///< per dimension: index of the loop; null before it is entered
  Block block;
};

}  // namespace fusebench::cpu
