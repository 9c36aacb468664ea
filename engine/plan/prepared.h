// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// Which values of a program depend only on its constant inputs, including these inputs. Values
/// that the program writes to in place are not among them.
std::vector<bool> heldValues(const Program& program);

/// A program in two parts: values computed once from constant inputs, and those that each call
/// computes.
struct Prepared {
  /// Its inputs are those of the program, its results the values that calls read. It has no ops if
  /// there is nothing to prepare.
  Program preparation;
  Program program;
  /// Per input of `program`: the number of the original input or, counting on from these, of the
  /// result of the preparation.
  std::vector<std::size_t> inputs;
};
/// Views of constant inputs are not prepared: they cost nothing, and share memory with their base.
Prepared prepared(const Program& program);

/// Renumbers the values and ops that everything in a program except its ops refers to. `now`: new
/// value per old value; `ends`: per old op, the number of ops up to it in the new program.
void renumber(Program& program, std::span<const ValueId> now, std::span<const int> ends);

}  // namespace fusebench
