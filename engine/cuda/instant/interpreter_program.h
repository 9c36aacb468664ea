// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cuda/instant/interpreter_abi.h"
#include "engine/plan/op_list.h"

namespace fusebench::cuda {

/// An op list as the interpreter's list of instructions. Tensors are numbered as a launch has them:
/// inputs, outputs, and behind these, if positions count, the places of elements.
struct InterpreterProgram {
  std::vector<OpListInstruction> code;
  std::vector<int> ops;  ///< per instruction: the list's op that it is there for; -1: none
  std::vector<OpListReduction> reductions;
  int slots = 0;        ///< for values that wait, the registers' among them
  bool places = false;  ///< there are positions that count
};

/// Which value is worked on when, and which wait where.
InterpreterProgram assembleInterpreted(const OpList& list);

}  // namespace fusebench::cuda
