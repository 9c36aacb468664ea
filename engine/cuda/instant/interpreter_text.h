// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cuda {

/// The parts of the interpreter's source that do not depend on the op table.

/// The structs of interpreter_abi.h, and their constants.
std::string interpreterStructs();
/// Reading and storing elements, held values, operands.
std::string interpreterMemory();
/// Processing one group of elements with all instructions: the text before the ops' cases, and the
/// text after them.
std::string interpreterLoopHead();
std::string interpreterLoopEnd();
/// "extern "C" __global__ ... NAME(...) {"; `threads`: the most per block; `blocks`: the number
/// that are to fit on a multiprocessor.
std::string interpreterEntry(const std::string& name, int threads, int blocks);
/// The entries of op lists that only store results.
std::string pointwiseEntries();

/// Cases per kind of reduction, and per finish formula.
struct ReductionCases {
  std::string words;  ///< functions, not cases: states as words
  std::string nothing, add, gathered, none, merge, result, count;
  std::string finish;
};
/// States of reductions, whatever their kind, and what is done with them.
std::string interpreterStates(const ReductionCases& cases);
/// The entries of op lists that reduce.
std::string reducingEntries();

}  // namespace fusebench::cuda
