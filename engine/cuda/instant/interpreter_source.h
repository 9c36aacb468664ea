// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/cuda/codegen/codegen.h"
#include "engine/plan/op_list.h"

/// The interpreter that runs op lists without compiling them: one kernel, made from the op table's
/// rows, that goes through a list of instructions for every element.
///
/// A thread works on one element or, where there are many, on four at a time, so that reading and
/// choosing what an instruction does is shared. All threads are at the same instruction. The value
/// that is worked on stays in registers, as do the first kRegisterSlots values that wait; further
/// ones wait in device memory, each thread reading what it has written.
namespace fusebench::cuda {

/// The entries of an interpreter's source.
enum class InterpreterEntry : std::uint32_t { one, four };

/// The source for op lists that only store results, or for those that reduce. Source::lineOps are
/// indices of opRows(): the row whose op the line belongs to. Throws std::logic_error for rows that
/// instructions cannot represent.
Source interpreterSource(bool reduces);

/// The number of a pointwise row in an instruction.
std::uint32_t operationOf(const OpRow& row);
/// The number of an output's finish formula in an OpListReduction; 0 if it has none.
std::int32_t finishOf(const KernelOutput& output);

}  // namespace fusebench::cuda
