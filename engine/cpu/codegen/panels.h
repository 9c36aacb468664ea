// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cpu/codegen/kernel_scope.h"

namespace fusebench::cpu {

/// Tensors that lie along another dimension than the vectorised one: a panel of an input is
/// transposed in registers into a buffer in the L1 cache, from which rows are read as if they had
/// always lain so; rows of a result are written to such a buffer, which is transposed on its way
/// out. Each cache line is moved once and used whole; one load a lane would fetch it again and
/// again.
class Panels {
 public:
  explicit Panels(KernelScope& scope)
      : scope_(scope), k_(scope.kernel), s_(scope.schedule), b_(scope.b) {}

  bool holds(std::size_t tensor) const;
  /// The panel from `row` and `column` on (along panelDim and the vectorised dimension) is the
  /// current one: inputs are brought into it.
  void enter(llvm::Value* row, llvm::Value* column, llvm::Value* rows, llvm::Value* columns);
  /// Results are brought out of it.
  void leave(llvm::Value* rows, llvm::Value* columns);
  bool entered() const { return column_ != nullptr; }
  llvm::Value* row() const { return row_; }
  llvm::Value* column() const { return column_; }
  /// Behind its last column.
  llvm::Value* end() const { return end_; }
  /// Where the current block of a tensor stands in its panel.
  llvm::Value* address(std::size_t tensor);

 private:
  void clearTail(std::size_t input, llvm::Value* rows, llvm::Value* columns);
  void fill(std::size_t input, llvm::Value* rows, llvm::Value* columns);
  void drain(std::size_t tensor, llvm::Value* rows, llvm::Value* columns);
  /// An element of the tensor's panel, which is made on first use.
  llvm::Value* place(std::size_t tensor, llvm::Value* row, llvm::Value* column);
  /// Where the panel's first element lies in the tensor.
  llvm::Value* origin(std::size_t tensor);
  /// Lanes that are transposed at a time.
  int lanes() const;
  /// Elements of a panel that go in whole blocks, along the vectorised dimension.
  llvm::Value* wholeColumns(llvm::Value* rows, llvm::Value* columns);

  KernelScope& scope_;
  const Kernel& k_;
  const Schedule& s_;
  llvm::IRBuilder<>& b_;
  llvm::Value* row_ = nullptr;
  llvm::Value* column_ = nullptr;  // null where nothing is in panels
  llvm::Value* end_ = nullptr;
  KernelScope::Values buffers_;  // per tensor, made on first use
};

}  // namespace fusebench::cpu
