// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/cpu/codegen/jit.h"
#include "engine/cpu/codegen/row_formulas.h"
#include "engine/cpu/codegen/stencil.h"
#include "engine/cpu/shipped/shipped_code.h"

namespace fusebench::cpu {

/// The code for one way to accumulate, for each operation on its state; see Stencil::Kind.
struct AccumulatorCode {
  const void* accumulate = nullptr;
  const void *masked = nullptr, *total = nullptr;  ///< null if there is one state per lane
  const void *reset = nullptr, *flush = nullptr, *finish = nullptr;
  std::size_t bytes = 0;  ///< size of the state
};

/// The stencils used so far. Each one is part of this program, or is created when it is first
/// requested, or is found on disk, and then serves every program.
class Stencils {
 public:
  /// `shipped`: may be null.
  Stencils(Jit& jit, const ShippedCode* shipped);

  /// The stencil's code, which lives as long as this object. Adds the cost of creating it to
  /// `times`. Throws std::runtime_error.
  const void* code(const Stencil& stencil, ObjectCache* cache, CompileTimes& times) {
    const std::uint64_t key = stencil.key();
    const void* const known = latelyUsed(key, times);
    return known ? known : find(stencil, key, cache, times);
  }
  /// The same by Stencil::key(), if it was looked up recently; otherwise null.
  const void* latelyUsed(std::uint64_t key, CompileTimes& times) {
    const Known& known = placeOf(key);
    if (known.key != key) [[unlikely]]
      return nullptr;
    countKnown(1, times);
    return known.code;
  }
  /// The code of everything that a way to accumulate needs, found at once; `lanes`: see Stencil.
  const AccumulatorCode& accumulator(Accumulate kind, bool lanes, ObjectCache* cache,
                                     CompileTimes& times) {
    const MadeAccumulator& known = accumulators_[numberOf(kind, lanes)];
    if (known.pieces == 0) [[unlikely]]
      return makeAccumulator(kind, lanes, cache, times);
    countKnown(known.pieces, times);
    return known.code;
  }
  /// The code that runs a program, and the code that moves to the next block.
  const void* enter(ObjectCache* cache, CompileTimes& times) {
    return single(enter_, Stencil::Kind::enter, cache, times);
  }
  const void* next(ObjectCache* cache, CompileTimes& times) {
    return single(next_, Stencil::Kind::next, cache, times);
  }
  RowFormulas& formulas() { return formulas_; }
  const Target& target() const { return jit_.target(); }

 private:
  static constexpr int kKnownBits = 12;  ///< log2 of the size of the table of recent lookups

  /// Recent lookups, found without building a text: a table whose entries are overwritten.
  struct Known {
    std::uint64_t key = ~std::uint64_t{0};  ///< no stencil's
    const void* code = nullptr;
  };
  Known& placeOf(std::uint64_t key) {
    return known_[key * 0x9e3779b97f4a7c15u >> (64 - kKnownBits)];
  }
  struct MadeAccumulator {
    AccumulatorCode code;
    int pieces = 0;  ///< 0: not made yet
  };
  static std::size_t numberOf(Accumulate kind, bool lanes) {
    return 2 * static_cast<std::size_t>(kind) + (lanes ? 1 : 0);
  }

  static void countKnown(int stencils, CompileTimes& times) {
    times.kernels += stencils;
    times.fromMemory += stencils;
  }
  const AccumulatorCode& makeAccumulator(Accumulate kind, bool lanes, ObjectCache* cache,
                                         CompileTimes& times);
  const void* single(const void*& known, Stencil::Kind kind, ObjectCache* cache,
                     CompileTimes& times) {
    if (!known) [[unlikely]]
      return known = code({.kind = kind}, cache, times);
    countKnown(1, times);
    return known;
  }
  const void* find(const Stencil& stencil, std::uint64_t key, ObjectCache* cache,
                   CompileTimes& times);
  const void* make(const Stencil& stencil, ObjectCache* cache, CompileTimes& times);

  Jit& jit_;
  const ShippedCode* shipped_;
  RowFormulas formulas_;
  std::unordered_map<std::string, std::unique_ptr<LoadedCode>> made_;  ///< by text
  std::vector<Known> known_;
  std::array<MadeAccumulator, 2 * kAccumulates> accumulators_;  ///< by kind, and whether by lanes
  const void *enter_ = nullptr, *next_ = nullptr;
};

}  // namespace fusebench::cpu
