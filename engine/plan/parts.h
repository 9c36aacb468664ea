// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// A program split at its data-dependent branches: each part is a program without such branches,
/// followed by one of two others. Values are numbered as on the paths through the program, which
/// have the same values before a branch.
struct ProgramPart {
  SharedProgram program;         ///< null: nothing is computed
  std::vector<ValueId> given;    ///< the values that are its inputs
  std::vector<ValueId> made;     ///< the values that are its results
  const Program* way = nullptr;  ///< a path that contains it
  int firstOp = 0;               ///< of that way
  /// The branch after it, of `way`; null: there is none, and it has the program's results.
  const Branch* branch = nullptr;
  /// The parts after it: if the condition is false, and if it is true.
  std::array<std::unique_ptr<ProgramPart>, 2> next;
};
/// The first part. `program` outlives all of them. Throws ProgramError for a write in place to
/// memory with several names, which no part would know about.
std::unique_ptr<ProgramPart> partsOf(const Program& program);

/// Ops [first, end) of one path through a program as a separate program, with these given values
/// and these results. `last`: the checks at the end belong to it.
Program partOf(const Program& way, int first, int end, bool last, std::span<const ValueId> given,
               std::span<const ValueId> made);

}  // namespace fusebench
