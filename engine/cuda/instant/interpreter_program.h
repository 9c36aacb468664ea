// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cuda/instant/interpreter_abi.h"
#include "engine/plan/op_list.h"

namespace fusebench::cuda {

/// An op list as the interpreter's list of instructions. Tensors are numbered as in a launch:
/// inputs, outputs, and after these, if positions count, the positions of elements.
struct InterpreterProgram {
  std::vector<OpListInstruction> code;
  std::vector<int> ops;  ///< for each instruction: the op of the list that it belongs to; -1: none
  std::vector<OpListReduction> reductions;
  int slots = 0;        ///< for values that are held, including those in registers
  bool places = false;  ///< there are positions that count
};

/// Which value is processed when, and where other values are held in the meantime.
InterpreterProgram assembleInterpreted(const OpList& list);

}  // namespace fusebench::cuda
