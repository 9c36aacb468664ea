// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/codegen/panels.h"
#include "engine/cpu/codegen/segments.h"

namespace fusebench::cpu {

/// The last block of the vectorized loop, where it is not full.
///
/// Every block runs the same code, the last, shorter one too: then inputs are read from, and
/// results written to, a stack buffer of one block. Half the code to compile. Copies to and from
/// the buffer are masked where the processor has masks.
class ShortBlocks {
 public:
  ShortBlocks(KernelScope& scope, const Panels& panels)
      : scope_(scope), panels_(panels), k_(scope.kernel), s_(scope.schedule), b_(scope.b) {}

  /// The tensors that are read or written in place, one full block at a time, as long as that stays
  /// in bounds: inputs, or results.
  std::vector<std::size_t> inPlace(const std::vector<Segment>& segments, bool inputs) const;
  /// If the block is short, copies `count` elements of each tensor, starting at `at`: of an input
  /// to its buffer, of a result from its buffer.
  void copyAll(const std::vector<std::size_t>& tensors, llvm::Value* isShort, llvm::Value* at,
               llvm::Value* count);
  /// The address at which a tensor's current block is read or written in place.
  llvm::Value* address(std::size_t tensor);
  /// A block's worth of memory for a tensor that has no room for a full block.
  llvm::Value* buffer(std::size_t tensor);
  /// Which lanes of a short block exist.
  Pack mask();

 private:
  void copy(std::size_t tensor, llvm::Value* at, llvm::Value* count);
  void copyMasked(std::size_t tensor, llvm::Value* at, llvm::Value* count);
  /// Which lanes of a block have a number less than this.
  Pack lanesBelow(llvm::Value* limit);

  KernelScope& scope_;
  const Panels& panels_;
  const Kernel& k_;
  const Schedule& s_;
  llvm::IRBuilder<>& b_;
  KernelScope::Values buffers_;  // for each tensor, created on first use
};

}  // namespace fusebench::cpu
