// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// Which values of a program depend on its held inputs alone, those inputs among them. What the
/// program writes to in place is none of them.
std::vector<bool> heldValues(const Program& program);

/// A program in two: what is worked out of held inputs once, and what each call does with it.
struct Prepared {
  /// Its inputs are the program's; its results what calls read of it. No ops: there is nothing to
  /// prepare.
  Program preparation;
  Program program;
  /// Of each input of `program` which one of the original's it is; from their number on, which of
  /// the preparation's results.
  std::vector<std::size_t> inputs;
};
/// Mere views of held inputs stay where they are: they cost nothing, and keep what they are of.
Prepared prepared(const Program& program);

/// Gives everything of a program but its ops that names values or ops their new numbers. `now`: by
/// old value; `ends`: by old op, how many ops there are after it.
void renumber(Program& program, std::span<const ValueId> now, std::span<const int> ends);

}  // namespace fusebench
