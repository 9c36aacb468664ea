// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/codegen.h"
#include "engine/cpu/codegen/op_marks.h"
#include "engine/cpu/codegen/segments.h"

namespace fusebench::cpu {

/// Writes one kernel's function. The loop nest is in kernel_writer.cpp, reading and storing of
/// blocks in kernel_blocks.cpp, what a last, shorter one needs in kernel_tails.cpp, transposing in
/// kernel_panels.cpp, reductions' ends in kernel_results.cpp.
///
/// Every block of the vectorised loop runs the same code, the last, shorter one too: then inputs
/// are read from, and results written to, a stack buffer of one block. Half the code to compile,
/// and no masked memory access.
class KernelWriter {
 public:
  KernelWriter(const Kernel& kernel, const Schedule& schedule, const Target& target,
               llvm::Module& module);
  /// With marks where not null.
  void write(OpMarks* marks = nullptr);

 private:
  /// The block of the vectorised loop that is being written.
  struct Block {
    llvm::Value* index = nullptr;  ///< of its first element along the vectorised dimension
    llvm::Value* end = nullptr;    ///< of the vectorised loop, not of the tile
  };
  using Values = std::vector<llvm::Value*>;

  void readArguments();
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
  std::vector<Pack> loadInputs(const std::vector<ExprId>& nodes);
  Pack loadVectors(llvm::Value* pointer, DType dtype);
  Pack counted(std::size_t input);
  Pack loadRepeated(const KernelTensor& input, llvm::Value* pointer);
  Pack loadGathered(const KernelTensor& input, llvm::Value* base, llvm::Value* stride);
  void clearPanelTail(std::size_t input, llvm::Value* rows, llvm::Value* columns);
  void fillPanel(std::size_t input, llvm::Value* rows, llvm::Value* columns);
  void drainPanel(std::size_t tensor, llvm::Value* rows, llvm::Value* columns);
  /// An element of the tensor's panel, which is made on first use.
  llvm::Value* panelPlace(std::size_t tensor, llvm::Value* row, llvm::Value* column);
  /// Where the panel's first element lies in the tensor.
  llvm::Value* panelOrigin(std::size_t tensor);
  /// Lanes that are transposed at a time.
  int panelLanes() const;
  /// Elements of a panel that go in whole blocks, along the vectorised dimension.
  llvm::Value* wholeColumns(llvm::Value* rows, llvm::Value* columns);
  llvm::Value* panelAddress(std::size_t tensor);
  Pack loadTile(ExprId node);
  void storeTile(ExprId node, const Pack& vectors);
  llvm::Value* tileAddress(ExprId node);
  void evaluate(std::vector<Pack>& values);
  Pack emitNode(ExprId id, const std::vector<Pack>& values);
  void accumulate(const std::vector<Pack>& values);
  void storeBlock(std::size_t tensor, const Pack& vectors);
  llvm::Value* reducedIndex();

  bool mayHaveTail() const;
  /// Elements of the block that exist: step() or less.
  llvm::Value* remaining();
  /// Whether they are less.
  llvm::Value* isTail();
  /// The buffers of the last block are filled and emptied around the vectorised loop, which has no
  /// other inside; else around the block.
  bool tailsAroundLoop() const { return s_.order.back() == s_.vectorDim; }
  std::vector<std::size_t> inPlace(bool inputs) const;
  llvm::Value* blockBuffer(std::size_t tensor);
  llvm::Value* blockAddress(std::size_t tensor);
  void copyTail(std::size_t tensor, llvm::Value* at, llvm::Value* count);
  void copyTails(const std::vector<std::size_t>& tensors, llvm::Value* isShort, llvm::Value* at,
                 llvm::Value* count);
  Pack tailMask();

  void storeResults();
  void storePartials();
  llvm::Value* finished(const KernelOutput& output, const AccumulatorState& state);
  llvm::Value* converted(llvm::Value* result, DType dtype);

  llvm::Value* advanced(llvm::Value* offset, llvm::Value* index, llvm::Value* stride);
  llvm::Value* element(std::size_t tensor, llvm::Value* extra = nullptr);
  llvm::Type* memoryType(DType dtype);
  /// `rounded`: it is a number of that dtype already.
  llvm::Value* toMemory(llvm::Value* value, DType dtype, bool rounded = false);
  llvm::Value* fromMemory(llvm::Value* value, DType dtype);
  std::size_t outputTensor(std::size_t output) const { return k_.inputs.size() + output; }
  const KernelTensor& tensor(std::size_t index) const;
  llvm::Value* int64(std::int64_t value) { return b_.getInt64(static_cast<std::uint64_t>(value)); }
  bool isPanel(std::size_t tensor) const {
    const bool input = tensor < k_.inputs.size();
    const std::vector<int>& panels = input ? s_.panelInputs : s_.panelOutputs;
    return std::find(panels.begin(), panels.end(),
                     static_cast<int>(input ? tensor : tensor - k_.inputs.size())) != panels.end();
  }
  int step() const { return target_.vector.width * s_.interleave; }
  std::size_t width() const { return static_cast<std::size_t>(target_.vector.width); }
  std::size_t interleave() const { return static_cast<std::size_t>(s_.interleave); }

  /// What is written from here on stands for this op.
  void mark(int op) {
    if (marks_) marks_->set(b_, op);
  }
  void markNode(std::size_t node) { mark(node < k_.nodeOps.size() ? k_.nodeOps[node] : -1); }

  const Kernel& k_;
  const Schedule& s_;
  const Target& target_;
  llvm::Module& module_;
  llvm::IRBuilder<> b_;
  VectorMath math_;
  llvm::Function* function_ = nullptr;
  OpMarks* marks_ = nullptr;  ///< only for code that is to be read

  Values pointers_;              // base address of each tensor
  Values extents_;               // per dimension
  std::vector<Values> strides_;  // per tensor and dimension
  Values offsets_;               // per tensor: elements, by the loops entered but the vectorised
  Values indices_;               // per dimension: of the loop entered; null if not
  Values buffers_;               // per tensor: stack buffer of one block, made on first use
  std::vector<Pack> uniform_;    // per expression node: value if the same for every element
  std::vector<bool> needed_;     // per expression node
  std::vector<Range> ranges_;    // per expression node
  std::vector<std::unique_ptr<Accumulator>> accumulators_;  // per output; null if pointwise
  std::vector<Segment> segments_;
  const Segment* segment_ = nullptr;    // being written
  llvm::Value* tileStart_ = nullptr;    // index of the tile's first element
  llvm::Value* panelRow_ = nullptr;     // index along panelDim of the panels' first element
  llvm::Value* panelColumn_ = nullptr;  // along vectorDim; null where nothing is in panels
  llvm::Value* panelEnd_ = nullptr;     // along vectorDim: behind the panels' last element
  Values panels_;                       // per tensor: its buffer, made on first use
  Values tiles_;                        // per expression node: its part of the tile, if any
  Block block_;
};

}  // namespace fusebench::cpu
