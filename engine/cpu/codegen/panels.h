// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cpu/codegen/kernel_scope.h"

namespace fusebench::cpu {

/// Handles tensors that are contiguous along a dimension other than the vectorized one. A panel of
/// an input is transposed in registers into a buffer in the L1 cache, and its rows are then read as
/// if they had always been contiguous. Rows of a result are written to such a buffer, which is
/// transposed when it is stored. Each cache line is moved once and used completely; one load per
/// lane would fetch it again and again.
class Panels {
 public:
  explicit Panels(KernelScope& scope)
      : scope_(scope), k_(scope.kernel), s_(scope.schedule), b_(scope.b) {}

  bool holds(std::size_t tensor) const;
  /// Makes the panel that begins at `row` and `column` (along panelDim and the vectorized
  /// dimension) the current one, and loads inputs into it.
  void enter(llvm::Value* row, llvm::Value* column, llvm::Value* rows, llvm::Value* columns);
  /// Stores the panel's results.
  void leave(llvm::Value* rows, llvm::Value* columns);
  bool entered() const { return column_ != nullptr; }
  llvm::Value* row() const { return row_; }
  llvm::Value* column() const { return column_; }
  /// The end of its columns.
  llvm::Value* end() const { return end_; }
  /// The address in its panel of a tensor's current block.
  llvm::Value* address(std::size_t tensor);

 private:
  void clearTail(std::size_t input, llvm::Value* rows, llvm::Value* columns);
  void fill(std::size_t input, llvm::Value* rows, llvm::Value* columns);
  void drain(std::size_t tensor, llvm::Value* rows, llvm::Value* columns);
  /// An element of the tensor's panel, which is created on first use.
  llvm::Value* place(std::size_t tensor, llvm::Value* row, llvm::Value* column);
  /// The address in the tensor of the panel's first element.
  llvm::Value* origin(std::size_t tensor);
  /// Number of lanes that are transposed together.
  int lanes() const;
  /// Elements of a panel along the vectorized dimension that form full blocks.
  llvm::Value* wholeColumns(llvm::Value* rows, llvm::Value* columns);

  KernelScope& scope_;
  const Kernel& k_;
  const Schedule& s_;
  llvm::IRBuilder<>& b_;
  llvm::Value* row_ = nullptr;
  llvm::Value* column_ = nullptr;  // null if nothing is in panels
  llvm::Value* end_ = nullptr;
  KernelScope::Values buffers_;  // for each tensor, created on first use
};

}  // namespace fusebench::cpu
