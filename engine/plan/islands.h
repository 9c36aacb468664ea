// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/language/program.h"
#include "engine/plan/plan.h"

namespace fusebench {

/// Ops that become one step: one launch per call.
struct Island {
  std::vector<int> ops;  ///< indices into Program::ops, in order
  std::string kernel;    ///< its name, as kernelName gives it
  bool reduces = false;
  StepKind kind = StepKind::kernel;
  int phases = 1;  ///< loops over each row; see kernel_phases.h
  /// Per op: its phase, counted from 0; empty if there is only one. An op that runs once per row
  /// has the phase that follows it.
  std::vector<int> phaseOf{};
};

/// The steps of a plan, in order. An op whose result is not needed is in none of them if the plan
/// omits it.
std::vector<Island> islandsOf(const Plan& plan);

/// The islands of a program for contiguous inputs of these types. Nothing is compiled or allocated.
/// Throws ProgramError if the inputs do not match the program.
std::vector<Island> islands(const Program& program, std::span<const ValueType> inputs,
                            const PlanOptions& options);

/// The readableText of the kernel of each of these steps, in the same order.
std::vector<std::string> readableKernels(const Program& program, std::span<const ValueType> inputs,
                                         const PlanOptions& options);

/// Contiguous forms of these types.
std::vector<Form> contiguousForms(std::span<const ValueType> types);

}  // namespace fusebench
