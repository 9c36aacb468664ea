// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// Most paths through one program: each is stored as a program.
inline constexpr int kMostWays = 16;

/// All paths through a program, the program itself first. They share its inputs, and values
/// computed before a branch have the same numbers on both paths.
std::vector<const Program*> waysOf(const Program& program);

/// The program with `change` applied to every path through it.
Program everyWay(Program program, const std::function<Program(Program)>& change);

/// Sets, for each branch of a program, the values that are live on the program's own path.
void setLive(Program& program);

/// Gives the paths in a tree of programs the same inputs, and each branch the values that are live
/// on either path.
void joinWays(Program& program);

/// Throws ProgramError if a program has data-dependent branches: `what` says what such a program
/// cannot have, and why.
void refuseBranches(const Program& program, const std::string& what);

/// Throws ProgramError if a condition does not have exactly one element, or if the results of two
/// paths have different types. `types`: the types of all values of `program`; `inputs`: those of
/// its inputs.
void checkBranches(const Program& program, std::span<const ValueType> types,
                   std::span<const ValueType> inputs);

}  // namespace fusebench
