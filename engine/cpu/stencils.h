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
  const void* code(const Stencil& stencil, ObjectCache* cache, CompileTimes& times);
  std::size_t accumulatorBytes(Accumulate kind, bool lanes);
  RowFormulas& formulas() { return formulas_; }
  const Target& target() const { return jit_.target(); }

 private:
  const void* make(const Stencil& stencil, ObjectCache* cache, CompileTimes& times);

  Jit& jit_;
  RowFormulas formulas_;
  std::unordered_map<std::string, std::unique_ptr<LoadedCode>> made_;  ///< by text
  /// Those looked up of late, found without a text: a table that forgets.
  struct Known {
    std::uint64_t key = 0;  ///< of the stencil, and never 0
    const void* code = nullptr;
  };
  std::vector<Known> known_;
  std::unordered_map<int, std::size_t> accumulatorBytes_;
};

}  // namespace fusebench::cpu
