// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/instant/interpreter_abi.h"
#include "engine/plan/kernel.h"

namespace fusebench::cuda {

/// Throws OpListRefused if a launch's parameters have no room for this many tensors and dimensions.
void demandRoom(const Kernel& kernel, bool places);

/// Sets how a launch with these integers (see Kernel) traverses its tensors: the parameters except
/// those that depend on addresses, and no more of them than the launch has. `places`: with a tensor
/// after the outputs whose offsets are the positions of elements.
void setWalk(OpListLaunch& launch, const LoopNest& kernel, bool places,
             const std::int64_t* integers);

/// The requirements of an op list on a plan.
struct OpListDemand {
  int instructions = 0;
  int slots = 0;
  int reductions = 0;
};
/// Blocks and scratch memory; entries are InterpreterEntry.
LaunchPlan planInterpreted(const OpListLaunch& walk, const OpListDemand& demand,
                           int multiprocessors);

/// Stores a plan and its scratch memory in the parameters.
void placeScratch(OpListLaunch& launch, const OpListDemand& demand, const LaunchPlan& plan,
                  void* scratch);

}  // namespace fusebench::cuda
