// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/op_marks.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>

namespace fusebench::cpu {
namespace {

// Line 0 would mean "unknown" and let an instruction pass for its predecessor's.
constexpr unsigned kNoOp = 1;
constexpr unsigned kFirstOp = 2;

}  // namespace

OpMarks::OpMarks(llvm::Module& module)
    : debug_(module), file_(debug_.createFile(module.getName(), "")) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  // Directives only: locations between the instructions, no sections of their own.
  debug_.createCompileUnit(llvm::dwarf::DW_LANG_C, file_, "fusebench", /*isOptimized=*/true, "", 0,
                           "", llvm::DICompileUnit::DebugDirectivesOnly);
}

void OpMarks::begin(llvm::Function& function) {
  auto* type = debug_.createSubroutineType(debug_.getOrCreateTypeArray({}));
  scope_ =
      debug_.createFunction(file_, function.getName(), function.getName(), file_, kNoOp, type,
                            kNoOp, llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  function.setSubprogram(scope_);
}

void OpMarks::set(llvm::IRBuilder<>& builder, int op) const {
  const unsigned line = op < 0 ? kNoOp : kFirstOp + static_cast<unsigned>(op);
  builder.SetCurrentDebugLocation(llvm::DILocation::get(scope_->getContext(), line, 1, scope_));
}

int OpMarks::opOfLine(unsigned line) {
  return line < kFirstOp ? -1 : static_cast<int>(line - kFirstOp);
}

}  // namespace fusebench::cpu
