// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "engine/cuda/codegen/element_function.h"
#include "engine/cuda/codegen/kernel_facts.h"
#include "engine/cuda/codegen/loop_writer.h"
#include "engine/plan/kernel_phases.h"

namespace fusebench::cuda {

/// Writes the entry of a kernel with phases.
///
/// Threads share rows as where one is reduced (role rows): blockDim.x threads per row, blockDim.y
/// rows per block. They go along their row once per phase; the value that a phase accumulates is
/// handed to all threads of the row. Elements that several phases read are kept in registers where
/// the row is short enough for its threads, and so are values that several phases compute if they
/// are expensive. Otherwise elements are read again, from caches, and values computed again.
class PhaseWriter {
 public:
  PhaseWriter(KernelFacts& facts, const SourceOptions& options, SourceText& text);

  /// The primitives on float32 and bools that the phases use.
  std::vector<bool> primitives() const;
  /// How many elements at a time some phase may read.
  int width() const;
  /// How many elements of its row a thread can keep; 0: none.
  int keptElements() const { return kept_.vectors * width_; }

  /// Each phase's element function.
  void writeFunctions() const;
  /// Structs and functions that the entry uses.
  void writeHelpers() const;
  void writeEntry(const std::string& name);

  // For a kernel that goesOnce(): its only loop, and the work of one thread after the loop, when
  // the values that the loop carries are available.
  KernelFacts& loopFacts() { return phases_.front().facts; }
  const ElementFunction& loopElement() const { return *phases_.front().element; }
  const std::vector<int>& loopCarried() const { return phases_.front().said->carried; }
  void writeOfRow();

 private:
  struct Phase {
    const KernelPhase* said;
    KernelFacts facts;  ///< with the whole kernel's names for what the entry knows
    std::unique_ptr<ElementFunction> element;
  };
  void add(std::deque<Phase>& to, const KernelPhase& said, const SourceOptions& options,
           const std::string& name, const std::string& comment);
  void nameAsWhole(Phase& phase) const;
  LoopWriter loopOf(Phase& phase) const;
  void chooseKept();
  void keepResults(const SourceOptions& options);
  int mostRegisters() const;
  LoopWriter::Kept keptOf(const Phase& phase) const;
  /// `copies`: number of copies of these functions in the text of each phase, unless they are
  /// routines.
  void writeFunctions(const std::deque<Phase>& phases, std::int64_t copies) const;
  void writeKeeping();
  void writePhase(Phase& phase);
  void writeLast();

  KernelFacts& facts_;
  SourceText& text_;
  KernelPhases split_;
  std::vector<int> rows_,
      reduced_;            ///< dimensions: those that number the rows, and those that they run over
  int width_ = kVector;    ///< of all phases' vectors
  LoopWriter::Kept kept_;  ///< of the kernel's inputs
  std::string keptWhen_;   ///< if there is room for a row
  int registers_ = 0;      ///< that an element of all of these takes
  // Where results are kept, too: the phases as they are then. Else there are none of these.
  KernelPhases keptSplit_;
  std::deque<Phase> keptPhases_;
  std::vector<std::string> buffers_;
  std::deque<Phase> phases_;  ///< the last one stores the values that are the same for a row
};

}  // namespace fusebench::cuda
