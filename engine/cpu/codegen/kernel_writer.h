// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "engine/cpu/codegen/kernel_results.h"

namespace fusebench::cpu {

/// Writes one kernel's function: its loop nest and the computation inside. A scope holds the
/// position in the code; BlockAccess reads and stores blocks, ShortBlocks handles a shorter last
/// block, and Panels are transposed.
class KernelWriter {
 public:
  KernelWriter(const Kernel& kernel, const Schedule& schedule, const Target& target,
               llvm::Module& module);
  /// With marks if not null.
  void write(OpMarks* marks = nullptr);

  // A phase of another kernel, for which the surrounding code sets up the scope: the function, the
  // addresses of its tensors at this row, and where to write.
  KernelScope& scope() { return scope_; }
  /// Writes the reduced loops for one row. `carried`: the values of Primitive::carried, as scalars.
  /// Returns the result of each output that reduces, as a scalar; null for others.
  KernelScope::Values writeRow(const KernelScope::Values& carried);
  /// The same for the part of the row that the function is called for; the states are written to
  /// `words`.
  void writePartOfRow(llvm::Value* words);
  /// Makes the loops prefetch an input: the elements that are `elements` ahead of those that they
  /// read.
  void fetchAhead(std::size_t input, llvm::Value* elements) {
    ahead_.emplace_back(input, elements);
  }
  /// Stores the outputs, which are the same for the whole row.
  void storeRow(const KernelScope::Values& carried);
  /// The scalars that storeRow() would store.
  KernelScope::Values rowValues(const KernelScope::Values& carried);

 private:
  void gather(const KernelScope::Values& carried);
  void makeAccumulators();
  bool goesAlongRow() const;
  bool canLook(const KernelOutput& output) const;
  void setCarried(const KernelScope::Values& carried);
  void cutIntoSegments();
  void writeUniformValues();
  void level(int position);
  void reducedNest(int position);
  void loop(int position);
  /// One iteration of the loop at this position, and what is inside it.
  void enter(int position, llvm::Value* index, llvm::Value* end);
  void panelLoops(int position, llvm::Value* begin, llvm::Value* end);
  void panelRows(int position, llvm::Value* stop, llvm::Value* end);
  void body();

  void vectorLoop(llvm::Value* begin, llvm::Value* end, bool flushes,
                  const std::function<void(llvm::Value*)>& enter);
  void segmentLoops(llvm::Value* begin, llvm::Value* end, bool flushes,
                    const std::function<void(llvm::Value*)>& enter);
  /// Divides the range from begin to end into stretches of at most `length`: run(from, to).
  void inRuns(llvm::Value* begin, llvm::Value* end, std::int64_t length,
              const std::function<void(llvm::Value*, llvm::Value*)>& run);
  void flush();
  void lookAt(llvm::Value* begin, llvm::Value* end, const std::function<void(llvm::Value*)>& enter);
  void addAgain(llvm::Value* begin, llvm::Value* end,
                const std::function<void(llvm::Value*)>& enter);
  template <class Step>
  void forLooking(const Step& step);
  void fetch(std::size_t input, llvm::Value* elements);
  void evaluate(std::vector<Pack>& values);
  Pack emitNode(ExprId id, const std::vector<Pack>& values, VectorMath& math);
  Pack everywhere(const Pack& few);
  bool standsStill(ExprId id);
  void accumulate(const std::vector<Pack>& values);
  llvm::Value* reducedIndex();
  /// Attributes all code written after this call to this node's op.
  void markNode(std::size_t node) { scope_.mark(node < k_.nodeOps.size() ? k_.nodeOps[node] : -1); }

  llvm::Module& module_;
  KernelScope scope_;
  Panels panels_;
  ShortBlocks shorts_;
  BlockAccess blocks_;
  const Kernel& k_;
  const Schedule& s_;
  llvm::IRBuilder<>& b_;
  std::vector<Pack> uniform_;  // per expression node: its value if it is the same for every element
  std::vector<bool> needed_;   // per expression node
  std::vector<Range> ranges_;  // per expression node
  std::vector<Rounding> roundings_;  // per expression node
  std::vector<bool> still_;  // per expression node, as far as it is known; see standsStill()
  Accumulators accumulators_;
  std::vector<std::pair<std::size_t, llvm::Value*>> ahead_;  ///< see fetchAhead()
  bool inRow_ = false;        ///< a phase is being written: values that are the same for its row
  VectorMath few_;            ///< for values that are the same for a whole row: few lanes
  std::vector<bool> looked_;  // per expression node: whether look() needs it
  /// How a run is traversed: for all reductions, or only for those that look at it.
  enum class Pass { whole, look, again } pass_ = Pass::whole;
  std::vector<Segment> segments_;
  const Segment* segment_ = nullptr;  // being written
};

/// Begins a kernel's function and sets the scope to its start.
void beginEntry(KernelScope& scope, llvm::Module& module, OpMarks* marks);

}  // namespace fusebench::cpu
