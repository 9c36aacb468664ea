// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/codegen/element_function.h"
#include "engine/cuda/codegen/kernel_facts.h"

namespace fusebench::cuda {

/// Writes what pointwise and reducing loops share: the conversion of a running number to indices,
/// reads, the call of the element function, stores. One element at a time or several.
class LoopWriter {
 public:
  /// Loops over `order` (dimensions, outermost first) inside the dimensions `outer`, whose indices
  /// are known already. `width`: width of the vectors, shared with other loops; 0: the width that
  /// suits its own tensors.
  LoopWriter(KernelFacts& facts, const ElementFunction& element, SourceText& text,
             std::vector<int> outer, std::vector<int> order, int width = 0);

  /// Names of a step's results as accumulators read them: "result0", an array if there are several
  /// elements.
  using Use = std::function<void(const std::vector<std::string>& results)>;

  /// The loops over [0, count), shared by `lanes` threads, of which this is `lane` (all of them
  /// expressions): with vectors if possible, then one by one. `one` and `several` write what is to
  /// be done with results besides storing the pointwise ones; in them the running number is "i",
  /// and that of the first of several is width() * i.
  void write(const std::string& count, const std::string& lane, const std::string& lanes,
             const Use& one, const Use& several);
  /// Without a loop: each thread takes at most one element.
  void writeOnce(const std::string& count, const std::string& lane);

  bool vectors() const { return path_.possible; }
  /// Number of elements at a time.
  int width() const { return path_.possible ? path_.width : 1; }
  void useNoVectors() { path_.possible = false; }
  /// The reads of several elements, one by one, are to be under way at a time.
  void overlapReads() { unroll_ = 4; }
  /// The same for two vectors.
  void overlapVectors() { unrollVectors_ = 2; }
  /// The conditions for reading several elements at a time.
  const std::vector<std::string>& conditions() const { return path_.conditions; }

  /// What a thread keeps in registers while a row is traversed several times: up to `vectors` times
  /// width() elements of each of some inputs.
  struct Kept {
    int vectors = 0;                   ///< 0: nothing is kept
    std::vector<std::string> arrays;   ///< for each input; empty: it is read where it is used
    std::vector<std::string> results;  ///< for each output: where it goes; empty: it is stored
  };
  /// write() for what is kept.
  void writeKept(const Kept& kept, const std::string& count, const std::string& lane,
                 const std::string& lanes, const Use& several);
  /// Reads what is to be kept.
  void writeKeeping(const Kept& kept, const std::string& count, const std::string& lane,
                    const std::string& lanes);
  /// Calls the element function on the very first element and stores nothing.
  void writeFirst(const Use& use);

  /// Defines the indices of `dims` from the expression `running`, which counts groups of
  /// `width` along the last one.
  static void writeIndices(const KernelFacts& facts, SourceText& text, const std::vector<int>& dims,
                           const std::string& running, int width = 1);
  /// "from_x[i0 * from_x_step0]".
  static std::string element(const KernelFacts& facts, std::size_t t, const std::vector<int>& dims);

 private:
  std::vector<int> allDims() const;
  void writeOne(const Use& use);
  void writeSeveral(const Use& use, const Kept* kept = nullptr);
  void openVectors(int vectors, const std::string& lane, const std::string& lanes);
  std::vector<std::string> computeOne();
  void storeResults(const std::vector<std::string>& results, bool several,
                    const Kept* kept = nullptr);

  KernelFacts& facts_;
  const ElementFunction& element_;
  SourceText& text_;
  std::vector<int> outer_, order_;
  VectorPath path_;
  int unroll_ = 1;  ///< for the loop that takes one element at a time
  int unrollVectors_ = 1;
};

/// digit(), for 64-bit indices.
std::string_view wideDigitText();
/// Helpers for reads and indices that every source has, for this many elements at a time.
std::string loopHelpers(const KernelFacts& facts, int width);

}  // namespace fusebench::cuda
