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
  /// Per op: the phase that it belongs to, from 0 on; empty if there is one. Of what is of the row:
  /// the phase that it is there before.
  std::vector<int> phaseOf{};
};

/// The steps of a plan, in order. Ops whose result nobody needs are in none where a plan leaves
/// them out.
std::vector<Island> islandsOf(const Plan& plan);

/// The islands of a program whose inputs are contiguous tensors of these types: nothing is compiled
/// or allocated. Throws ProgramError if the inputs do not fit the program.
std::vector<Island> islands(const Program& program, std::span<const ValueType> inputs,
                            const PlanOptions& options);

/// readableText of each of these steps' kernels, in the same order.
std::vector<std::string> readableKernels(const Program& program, std::span<const ValueType> inputs,
                                         const PlanOptions& options);

/// Contiguous forms of these types.
std::vector<Form> contiguousForms(std::span<const ValueType> types);

}  // namespace fusebench
