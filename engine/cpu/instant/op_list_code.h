// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cpu/instant/stencils.h"
#include "engine/plan/op_list.h"

namespace fusebench::cpu {

/// An op list as a list of instructions: which value is in the registers when, and which are held
/// in slots.
struct OpListCode {
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  /// How an input is stored in memory in the order of the list's loops; see OpListWalk.
  struct Input {
    bool streams = true;  ///< element after element, or is gathered into a buffer that does so;
                          ///< else it is one element for the whole row: a slot is filled with it
    std::size_t slot = kNowhere;  ///< offset of its slot, if it has one
  };
  /// The action of an accumulating instruction at the end of a row.
  enum class Ending : std::uint8_t {
    none,    ///< nothing: the blocks are full, and there are several
    masked,  ///< it leaves out the lanes that a last block has no elements for
    total,   ///< it is the only block: its total is stored instead of the state; see
             ///< Stencil::Kind::total
  };
  static constexpr std::size_t kEndings = 3;
  /// A result of a reduction.
  struct Reduction {
    std::size_t output = 0;
    std::size_t accumulator = 0;            ///< offset of its state
    std::size_t at = 0;                     ///< of the instruction that accumulates, in bytes
    const AccumulatorCode* code = nullptr;  ///< of the stencils that its code consists of
  };
  /// The meaning of an instruction, for people to read.
  struct Piece {
    Stencil stencil;
    int op = -1;         ///< op of the list; -1: none
    std::size_t at = 0;  ///< offset of the instruction, in bytes
  };

  std::vector<std::byte> whole;  ///< the instructions, without an ending
  /// Turns them into those with an ending.
  void endWith(Ending ending, std::vector<std::byte>& all) const;

  ShortList<Input, 4> inputs;
  ShortList<Reduction, 2> reductions;
  std::size_t slotBytes = 0;
  std::size_t accumulatorBytes = 0;
  double instructions = 0;               ///< per element, estimated
  TypeClass lanes = TypeClass::float32;  ///< the list's
  std::vector<Piece> pieces;             ///< of each instruction, if requested
};

/// Whether the list's reductions keep one result per lane of a block.
bool keepsLanes(const LoopNest& kernel);

/// `explain`: with the pieces. Throws std::runtime_error if a stencil cannot be created.
OpListCode assemble(const OpList& list, Stencils& stencils, ObjectCache* cache, CompileTimes& times,
                    bool explain = false);

}  // namespace fusebench::cpu
