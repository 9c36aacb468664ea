// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// Ways through one program: each is a program that is kept.
inline constexpr int kMostWays = 16;

/// All ways through a program, the program itself first. They share its inputs, and values from
/// before a choice have the same numbers on both ways.
std::vector<const Program*> waysOf(const Program& program);

/// The program with `change` made to every way through it.
Program everyWay(Program program, const std::function<Program(Program)>& change);

/// Sets the values that are live at each choice of a program, for its own way.
void setLive(Program& program);

/// Gives the ways of a tree of programs the same inputs, and each choice the values live on either
/// way.
void joinWays(Program& program);

/// Throws ProgramError where a program chooses by tensors' contents: `what` names what such a
/// program cannot have, and why.
void refuseBranches(const Program& program, const std::string& what);

/// Throws ProgramError if a condition does not have exactly one element, or if the results of two
/// ways have different types. `types`: the types of all values of `program`; `inputs`: those of its
/// inputs.
void checkBranches(const Program& program, std::span<const ValueType> types,
                   std::span<const ValueType> inputs);

}  // namespace fusebench
