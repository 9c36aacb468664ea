// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// Ops that become one kernel: one launch per call.
struct Island {
  std::vector<int> ops;  ///< indices into Program::ops, in order
  std::string kernel;    ///< its name, as kernelName gives it
  bool reduces = false;
};

/// The kernels that an executor ("eager", "static", "dynamic") makes of a program for contiguous
/// inputs of these types, in launch order; nothing is compiled or allocated. Launches per call are
/// as many as there are islands. Ops whose result nobody needs are in none where the executor
/// leaves them out. Throws ProgramError if the inputs do not fit the program, std::invalid_argument
/// for another executor.
std::vector<Island> islands(const Program& program, std::span<const ValueType> inputs,
                            std::string_view executor);

/// readableText of each of these kernels, in the same order, as the executor's kernels are: eager's
/// for any shape, with numbers given at launch.
std::vector<std::string> readableKernels(const Program& program, std::span<const ValueType> inputs,
                                         std::string_view executor);

}  // namespace fusebench
