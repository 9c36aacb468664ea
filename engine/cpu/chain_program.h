// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/chain.h"
#include "engine/cpu/stencils.h"

namespace fusebench::cpu {

/// How a chain's inputs lie in memory as its loops walk them; see ChainWalk.
enum class Lie : std::uint8_t {
  dense,     ///< element after element, or gathered into a buffer that is
  repeated,  ///< one element for the whole row: a slot is filled with it
};

/// A chain as a list of instructions: which value is in the registers when, and which wait in
/// slots.
struct ChainProgram {
  struct Result {
    std::size_t output = 0;
    std::size_t accumulator = 0;  ///< offset of its state
  };

  /// What an instruction stands for, to be read.
  struct Piece {
    Stencil stencil;
    int step = -1;  ///< of the chain; -1: none
  };

  std::vector<Instruction> whole;  ///< for blocks that are full

  /// An instruction of `whole` that accumulates along the row, and what stands there instead
  /// elsewhere.
  struct Other {
    std::size_t at = 0;
    const void* masked = nullptr;  ///< for a last block that is not full
    const void* total = nullptr;   ///< for a row of one block; see Stencil::Kind::total
  };
  std::vector<Other> others;
  /// `whole` with those instead.
  std::vector<Instruction> with(const void* Other::*code) const;

  std::size_t slotBytes = 0;
  std::vector<std::size_t> inputSlots;  ///< per input: offset of its slot, if it has one
  std::vector<Result> reductions;
  std::size_t accumulatorBytes = 0;
  double instructions = 0;    ///< per element, estimated
  std::vector<Piece> pieces;  ///< of `whole`, if asked for
};

/// `lies`: per input. `lanes`: reductions keep a result per lane. `explain`: with the pieces.
ChainProgram assemble(const Chain& chain, const std::vector<Lie>& lies, bool lanes,
                      Stencils& stencils, ObjectCache* cache, CompileTimes& times,
                      bool explain = false);

}  // namespace fusebench::cpu
