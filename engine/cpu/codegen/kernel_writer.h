// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "engine/cpu/codegen/kernel_results.h"

namespace fusebench::cpu {

/// Writes one kernel's function: its loop nest and what is computed inside. A scope says where the
/// code stands; blocks are read and stored by BlockAccess, a last, shorter one goes through
/// ShortBlocks, and Panels are transposed.
class KernelWriter {
 public:
  KernelWriter(const Kernel& kernel, const Schedule& schedule, const Target& target,
               llvm::Module& module);
  /// With marks where not null.
  void write(OpMarks* marks = nullptr);

 private:
  void writeUniformValues();
  void level(int position);
  void reducedNest(int position);
  void loop(int position);
  /// One turn of the loop at this position, and what is inside it.
  void enter(int position, llvm::Value* index, llvm::Value* end);
  void panelLoops(int position, llvm::Value* begin, llvm::Value* end);
  void panelRows(int position, llvm::Value* stop, llvm::Value* end);
  void body();

  void vectorLoop(llvm::Value* begin, llvm::Value* end, bool flushes,
                  const std::function<void(llvm::Value*)>& enter);
  void segmentLoops(llvm::Value* begin, llvm::Value* end, bool flushes,
                    const std::function<void(llvm::Value*)>& enter);
  /// Stretches of at most `length` from begin to end: run(from, to).
  void inRuns(llvm::Value* begin, llvm::Value* end, std::int64_t length,
              const std::function<void(llvm::Value*, llvm::Value*)>& run);
  void flush();
  void evaluate(std::vector<Pack>& values);
  Pack emitNode(ExprId id, const std::vector<Pack>& values);
  void accumulate(const std::vector<Pack>& values);
  llvm::Value* reducedIndex();
  /// What is written from here on stands for this node's op.
  void markNode(std::size_t node) { scope_.mark(node < k_.nodeOps.size() ? k_.nodeOps[node] : -1); }

  llvm::Module& module_;
  KernelScope scope_;
  Panels panels_;
  ShortBlocks shorts_;
  BlockAccess blocks_;
  const Kernel& k_;
  const Schedule& s_;
  llvm::IRBuilder<>& b_;
  std::vector<Pack> uniform_;  // per expression node: value if the same for every element
  std::vector<bool> needed_;   // per expression node
  std::vector<Range> ranges_;  // per expression node
  Accumulators accumulators_;
  std::vector<Segment> segments_;
  const Segment* segment_ = nullptr;  // being written
};

}  // namespace fusebench::cpu
