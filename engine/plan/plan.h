// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/form.h"
#include "engine/base/short_list.h"
#include "engine/plan/chains.h"
#include "engine/plan/differentiate.h"
#include "engine/plan/fusion.h"
#include "engine/plan/guards.h"
#include "engine/plan/plan_options.h"
#include "engine/plan/plan_values.h"
#include "engine/plan/row_fusion.h"

namespace fusebench {

/// Number of a tensor in memory within a plan: first the inputs of the program, then the results
/// that its steps write, in order.
using Slot = std::size_t;

/// The values that a step reads and writes.
struct StepUses {
  ShortList<Slot, 4> reads;     ///< in the order of the launch's pointers
  ShortList<Slot, 2> writes;    ///< in the same order, after those that are read
  ShortList<Slot, 2> lastUses;  ///< written by a step up to this one, and not read after it
};

/// One launch or one copy. Steps run in order.
struct Step : StepUses {
  using Kind = StepKind;
  Kind kind = Kind::kernel;
  FusionGroup group;  ///< its ops, and the values that it reads and writes
};

/// See isKernel(StepKind).
inline bool isKernel(const Step& step) {
  return isKernel(step.kind);
}

/// A condition that a call waits for: one element must have the value that the program assumes.
struct PlanCheck {
  std::size_t check = 0;  ///< in Program::checks
  Slot slot = 0;
  int afterStep = -1;  ///< the step that computes it; -1: it exists before the first step
};

/// The result of planning a program for given forms of its inputs and given options. Execution,
/// display and estimates all use this description of the program.
struct Plan {
  const Program* program = nullptr;  ///< outlives the plan, or is `settled`
  /// The program with numbers for its sizes, if it has symbolic sizes.
  SharedProgram settled;
  PlanOptions options;
  Guards guards;  ///< the conditions on the inputs that the plan relies on
  PlanValues values;
  /// For op lists: some ops run along rows, so the sizes determine how they run (row_fusion.h).
  bool alongRows = false;
  /// For op lists, if the device gives their costs: set between planForms() and planSteps().
  std::vector<Chain> chains;
  RowSizes rows;  ///< for kernels with phases
  std::vector<Step> steps;
  ShortList<ValueId, 8> written;  ///< values that steps write, in order: slots after the inputs
  ShortList<Slot, 4> outputs;     ///< outputs of the program
  std::vector<PlanCheck> checks;  ///< conditions on tensors' contents, in order of their steps

  std::size_t inputs() const { return program->inputs.size(); }
  std::size_t slotCount() const { return inputs() + written.size(); }
  ValueId valueAt(Slot slot) const {
    return slot < inputs() ? static_cast<ValueId>(slot) : written[slot - inputs()];
  }
};

/// A program for inputs of given forms.
struct Settled {
  SharedProgram program;  ///< its sizes are numbers, and its gradients are ordinary ops
  bool exact = false;  ///< it is valid for these extents only, because they became constants in it
  /// The ops through which gradients pass, and their backward passes; see differentiate.h.
  std::vector<Differentiated::Entry> tape;
  std::vector<Differentiated::WayBack> waysBack;
};
/// Throws ProgramError if the inputs do not fit.
Settled settle(const Program& program, Forms inputs, SavePolicy policy = SavePolicy::named);

/// The first half of a plan: its guards and values. Throws ProgramError if the inputs do not fit
/// the program.
void planForms(Plan& plan, const Program& program, Forms inputs, const PlanOptions& options);
/// The second half: its steps.
void planSteps(Plan& plan);
/// Both halves.
Plan makePlan(const Program& program, Forms inputs, const PlanOptions& options);

/// The values of the plan's symbols for inputs of these forms. Throws std::invalid_argument if the
/// guards do not hold for them.
std::vector<std::int64_t> symbolsOf(const Plan& plan, Forms inputs);

/// Computes liveness: sets the last uses of steps whose reads and writes are known. The first
/// `inputs` slots and the `outputs` are never freed. A value that is written and never read is last
/// used by the step that writes it. Uses is a range of types derived from StepUses.
template <class Uses>
void findLastUses(Uses& steps, std::size_t inputs, std::size_t count,
                  std::span<const Slot> outputs) {
  ShortList<bool, 64> seen(count);
  for (std::size_t slot = 0; slot < count; ++slot) seen[slot] = slot < inputs;
  for (const Slot output : outputs) seen[output] = true;
  for (std::size_t s = steps.size(); s-- > 0;) {
    StepUses& step = steps[s];
    const auto use = [&](Slot slot) {
      if (!seen[slot]) step.lastUses.push_back(slot);
      seen[slot] = true;
    };
    for (const Slot slot : step.reads) use(slot);
    for (const Slot slot : step.writes) use(slot);
  }
}

}  // namespace fusebench
