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

/// A tensor in memory as a plan numbers them: the program's inputs first, then what its steps
/// write, in order.
using Slot = std::size_t;

/// What values go into a step and come out of it.
struct StepUses {
  ShortList<Slot, 4> reads;     ///< in the order of the launch's pointers
  ShortList<Slot, 2> writes;    ///< likewise, after what is read
  ShortList<Slot, 2> lastUses;  ///< written by steps up to this one, and read by none after it
};

/// What happens once, in order: one launch, or one copy.
struct Step : StepUses {
  using Kind = StepKind;
  Kind kind = Kind::kernel;
  FusionGroup group;  ///< its ops, and the values that it reads and writes
};

/// See isKernel(StepKind).
inline bool isKernel(const Step& step) {
  return isKernel(step.kind);
}

/// What a call waits for: one element, and whether it is as the program says.
struct PlanCheck {
  std::size_t check = 0;  ///< in Program::checks
  Slot slot = 0;
  int afterStep = -1;  ///< that makes it; -1: there before the first
};

/// What a program becomes for given forms of its inputs and given options. Everything that runs,
/// shows or estimates the program reads it from here.
struct Plan {
  const Program* program = nullptr;  ///< outlives the plan, or is `settled`
  /// The program with its sizes worked out, if it has any.
  SharedProgram settled;
  PlanOptions options;
  Guards guards;  ///< what of the inputs all this relies on
  PlanValues values;
  /// Of op lists: some ops go along rows, so that the sizes say how they are run (row_fusion.h).
  bool alongRows = false;
  /// Of op lists, where the device says what these cost: set between planForms() and planSteps().
  std::vector<Chain> chains;
  RowSizes rows;  ///< of kernels with phases
  std::vector<Step> steps;
  ShortList<ValueId, 8> written;  ///< by the steps, in order: slots from the inputs' on
  ShortList<Slot, 4> outputs;     ///< the program's
  std::vector<PlanCheck> checks;  ///< of what tensors hold, in order of their steps

  std::size_t inputs() const { return program->inputs.size(); }
  std::size_t slotCount() const { return inputs() + written.size(); }
  ValueId valueAt(Slot slot) const {
    return slot < inputs() ? static_cast<ValueId>(slot) : written[slot - inputs()];
  }
};

/// A program for inputs of given forms.
struct Settled {
  SharedProgram program;  ///< its sizes are numbers, its gradients ops like any other
  bool exact = false;     ///< it holds for these extents alone: such numbers became part of it
  /// What gradients go back through, and where; see differentiate.h.
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
/// Both.
Plan makePlan(const Program& program, Forms inputs, const PlanOptions& options);

/// What the plan's symbols are for inputs of these forms. Throws std::invalid_argument if its
/// guards do not let them through.
std::vector<std::int64_t> symbolsOf(const Plan& plan, Forms inputs);

/// Liveness, once for all: sets the last uses of steps whose reads and writes are known. `inputs`:
/// the first slots, which are nobody's to free; `outputs` are nobody's either. What is written and
/// never read is last used by the step that writes it. Uses: a range of things that have StepUses.
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
