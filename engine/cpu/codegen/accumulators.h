// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "engine/cpu/math/vector_math.h"
#include "engine/ops/accumulators.h"
#include "engine/plan/kernel.h"

namespace fusebench::cpu {

/// The state of a reduction, by its family. fold, extreme: {value}; deviations: {count, mean, sum
/// of squared deviations}; place: {value, index}; numbers: {sum, count}. The values are doubles,
/// except that the index is an int64 and reductions of integers use int64; scalars, or vectors if
/// lanes are kept separate.
using AccumulatorState = llvm::SmallVector<llvm::Value*, 3>;

/// 8-byte words that a state occupies in a buffer of partial results.
inline constexpr int kPartialWords = static_cast<int>(kMostAccumulatorWords);

/// Writes the code of one reduction inside a loop nest.
class Accumulator {
 public:
  struct Setting {
    llvm::IRBuilder<>& b;
    int width;          ///< lanes
    int interleave;     ///< vectors a step
    bool lanesReduced;  ///< lanes belong to one result; otherwise each lane is its own
    /// Returns the address of the next vector of the state, which then outlives the function; if
    /// empty, the state is kept on the stack, that is, in registers. In memory, where each vector
    /// costs a load and a store per step, sums and extremes of lanesReduced keep one vector: those
    /// of a step are merged first.
    std::function<llvm::Value*(llvm::Type*)> place = {};
    TypeClass type = TypeClass::float32;  ///< type of the accumulated values
    /// At each step, all lanes that receive a value have received the same number of values before.
    bool even = false;
    /// Each run of elements, which ends with a flush, can be traversed twice; see looks().
    bool twice = false;
    /// There is only one run.
    bool once = false;
  };
  static std::unique_ptr<Accumulator> make(Accumulate kind, const Setting& setting);
  virtual ~Accumulator() = default;

  /// Before the reduced loops.
  virtual void reset() = 0;
  /// One step: `values` has a vector per interleave. `mask`, if given, selects the lanes that
  /// count. `index`: int64 position in the reduced space of the step's first element; lanesReduced:
  /// each further lane is `laneStep` positions on.
  virtual void add(const Pack& values, const Pack* mask, llvm::Value* index,
                   llvm::Value* laneStep) = 0;
  /// Whether it needs each run of elements twice: begin(), look() at each step, looked(), then
  /// add() at each step, added(). If added() returns true, its sums are out of range: then again(),
  /// add() at each step once more, added(). Only with Setting::twice.
  virtual bool looks() const { return false; }
  virtual void begin(llvm::Value* /*elements*/) {}
  virtual void look(const Pack& /*values*/, const Pack* /*mask*/) {}
  virtual void looked() {}
  virtual llvm::Value* added() { return nullptr; }
  virtual void again() {}
  /// After at most kFlushSteps steps: moves short float sums into doubles, so that rounding errors
  /// grow with the logarithm of the length instead of the length.
  virtual void flush() {}
  /// After the reduced loops: one state of scalars if lanesReduced, otherwise one of vectors per
  /// interleave.
  virtual llvm::SmallVector<AccumulatorState, 8> states() = 0;
};

/// 32 steps of 32 or 64 lanes: at most 32 + 6 roundings before a sum moves into a double, which is
/// within 4 log2(n) for every n of that size.
inline constexpr int kFlushSteps = 32;

/// Host side: merges the partial state `other` into `into` (kPartialWords words each, see
/// states()).
void mergePartials(Accumulate kind, TypeClass type, std::uint64_t* into,
                   const std::uint64_t* other);

}  // namespace fusebench::cpu
