// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// A program divided where it chooses by tensors' contents: each part is a program without such
/// choices, and after it comes one of two others. Values are numbered as on the ways through the
/// program, which agree on the values from before a choice.
struct ProgramPart {
  SharedProgram program;         ///< null: nothing is computed
  std::vector<ValueId> given;    ///< what its inputs are
  std::vector<ValueId> made;     ///< what its results are
  const Program* way = nullptr;  ///< a way that goes through it
  int firstOp = 0;               ///< of that way
  /// The choice after it, of `way`; null: there is none, and it has the program's results.
  const Branch* branch = nullptr;
  /// The parts after it: where the condition does not hold, and where it does.
  std::array<std::unique_ptr<ProgramPart>, 2> next;
};
/// The first part. `program` outlives all of them. Throws ProgramError for what writes in place
/// where memory has several names, which no part would know of.
std::unique_ptr<ProgramPart> partsOf(const Program& program);

/// Ops [first, end) of one way through a program as a separate program, with these given values and
/// these results. `last`: the checks at the end belong to it.
Program partOf(const Program& way, int first, int end, bool last, std::span<const ValueId> given,
               std::span<const ValueId> made);

}  // namespace fusebench
