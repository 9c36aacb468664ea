// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/instant/interpreter_abi.h"
#include "engine/plan/kernel.h"

namespace fusebench::cuda {

/// Throws OpListRefused if a launch's parameters cannot hold so many tensors and dimensions.
void demandRoom(const Kernel& kernel, bool places);

/// Sets how a launch with these integers (see Kernel) walks its tensors: the parameters but for
/// what addresses decide, and no more of them than the launch has. `places`: with a tensor behind
/// the outputs whose offsets are the places of elements, as positions count.
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

/// Puts a plan and its scratch memory into the parameters.
void placeScratch(OpListLaunch& launch, const OpListDemand& demand, const LaunchPlan& plan,
                  void* scratch);

}  // namespace fusebench::cuda
