// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/cpu/jit.h"
#include "engine/cpu/row_formulas.h"
#include "engine/cpu/stencil.h"

namespace fusebench::cpu {

/// The stencils made so far. Each is made when it is first asked for, or found on disk, and then
/// serves every program.
class Stencils {
 public:
  explicit Stencils(Jit& jit);

  /// The stencil's code; lives as long as this does. Adds what making it cost to `times`. Throws
  /// std::runtime_error.
  const void* code(const Stencil& stencil, ObjectCache* cache, CompileTimes& times) {
    const std::uint64_t key = stencil.key();
    const void* const known = latelyUsed(key, times);
    return known ? known : find(stencil, key, cache, times);
  }
  /// The same by Stencil::key(), if it was looked up of late; else null.
  const void* latelyUsed(std::uint64_t key, CompileTimes& times) {
    const Known& known = placeOf(key);
    if (known.key != key) [[unlikely]]
      return nullptr;
    ++times.kernels;
    ++times.fromMemory;
    return known.code;
  }
  std::size_t accumulatorBytes(Accumulate kind, bool lanes);
  RowFormulas& formulas() { return formulas_; }
  const Target& target() const { return jit_.target(); }

 private:
  static constexpr int kKnownBits = 12;  ///< of the table of those looked up of late

  /// Those looked up of late, found without a text: a table that forgets.
  struct Known {
    std::uint64_t key = ~std::uint64_t{0};  ///< no stencil's
    const void* code = nullptr;
  };
  Known& placeOf(std::uint64_t key) {
    return known_[key * 0x9e3779b97f4a7c15u >> (64 - kKnownBits)];
  }
  const void* find(const Stencil& stencil, std::uint64_t key, ObjectCache* cache,
                   CompileTimes& times);
  const void* make(const Stencil& stencil, ObjectCache* cache, CompileTimes& times);

  Jit& jit_;
  RowFormulas formulas_;
  std::unordered_map<std::string, std::unique_ptr<LoadedCode>> made_;  ///< by text
  std::vector<Known> known_;
  std::unordered_map<int, std::size_t> accumulatorBytes_;
};

}  // namespace fusebench::cpu
