// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

namespace fusebench::cpu {

/// Marks instructions with the op that they compute, as debug locations, which LLVM carries through
/// to the assembly. For code that people will read: it costs compile time.
class OpMarks {
 public:
  explicit OpMarks(llvm::Module& module);

  /// Call this before anything is written into the function.
  void begin(llvm::Function& function);
  /// Attributes all instructions written after this call to this op; -1: to no op.
  void set(llvm::IRBuilder<>& builder, int op) const;
  /// Call this after everything is written.
  void finish() { debug_.finalize(); }

  /// The op that a line number in the locations of the assembly, or of an instruction, stands for.
  static int opOfLine(unsigned line);

 private:
  llvm::DIBuilder debug_;
  llvm::DIFile* file_;
  llvm::DISubprogram* scope_ = nullptr;
};

}  // namespace fusebench::cpu
