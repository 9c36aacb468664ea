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

/// All ways through a program, itself first. They share its inputs, and what they compute before a
/// choice has the same numbers on both ways.
std::vector<const Program*> waysOf(const Program& program);

/// The program with `change` made to every way through it.
Program everyWay(Program program, const std::function<Program(Program)>& change);

/// Sets what is live at each choice of a program, as far as its own way goes.
void setLive(Program& program);

/// Gives the ways of a tree of programs the same inputs, and each choice what is live on either.
void joinWays(Program& program);

/// Throws ProgramError where a program chooses by what tensors hold: `what` says what such a
/// program does not have, and why.
void refuseBranches(const Program& program, const std::string& what);

/// Throws ProgramError if a condition does not have exactly one element, or if the results of two
/// ways have different types. `types`: the types of all values of `program`; `inputs`: those of its
/// inputs.
void checkBranches(const Program& program, std::span<const ValueType> types,
                   std::span<const ValueType> inputs);

}  // namespace fusebench
