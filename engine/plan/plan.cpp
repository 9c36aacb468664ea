// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "engine/language/program_errors.h"
#include "engine/language/program_sizes.h"
#include "engine/plan/attention_layout.h"
#include "engine/plan/automatic_casts.h"
#include "engine/plan/overwritten.h"
#include "engine/plan/row_fusion.h"
#include "engine/plan/sinking.h"
#include "engine/plan/tails.h"
#include "engine/plan/write_checks.h"
#include "engine/plan/written_stacks.h"

namespace fusebench {
namespace {

/// Which ops are one step.
std::vector<FusionGroup> group(Plan& plan) {
  const PlanOptions& options = plan.options;
  if (options.grouping == PlanOptions::Grouping::perOp) return separate(*plan.program, plan.values);
  const bool forPieces = options.code == PlanOptions::StepCode::opList;
  if (forPieces && options.phases && plan.alongRows)
    return fuseExceptRows(*plan.program, plan.values, options.narrowPieces);
  if (const std::vector<char> apart = opsApart(*plan.program, plan.chains); !apart.empty())
    return fuseExcept(*plan.program, plan.values, options.narrowPieces, apart);
  const std::vector<Attention> attentions =
      options.attention ? findAttentions(*plan.program, plan.values) : std::vector<Attention>();
  std::vector<FusionGroup> groups =
      fuse(*plan.program, plan.values, forPieces, options.narrowPieces, attentions);
  if (!attentions.empty()) joinCopies(*plan.program, plan.values, groups);
  if (forPieces) return groups;
  joinTails(*plan.program, plan.values, groups, options.tails);
  sinkKernels(*plan.program, plan.values, groups);
  if (options.phases)
    groups = fuseRows(*plan.program, plan.values, std::move(groups), plan.rows, options.totals);
  writeStacks(*plan.program, plan.values, groups);
  return groups;
}

/// The values that an op run alone is given, or an attention: one that it has twice counts twice.
void readAsWritten(const Program& program, const PlanValues& values, FusionGroup& group) {
  group.inputs = {};
  if (group.kind == StepKind::attention) {
    if (const auto attention = attentionOf(program, values, contextOpOf(program, group)))
      for (const ValueId operand : attention->operands) group.inputs.push_back(operand);
    return;
  }
  for (const Operand& operand : program.ops[static_cast<std::size_t>(group.ops.front())].operands)
    if (reads(program.ops[static_cast<std::size_t>(group.ops.front())], operand))
      group.inputs.push_back(operand.value);
  for (const ValueId value : readByTail(program, group)) group.inputs.push_back(value);
}

/// Gives each step its ops.
void makeSteps(Plan& plan, std::vector<FusionGroup> groups) {
  const bool perOp = plan.options.grouping == PlanOptions::Grouping::perOp;
  const auto kind =
      plan.options.code == PlanOptions::StepCode::opList ? Step::Kind::opList : Step::Kind::kernel;
  // The first write to such a tensor takes the memory for it.
  std::erase_if(groups, [&](const FusionGroup& each) {
    return each.ops.size() == 1 && isOverwritten(*plan.program, plan.values, each.ops.front());
  });
  plan.steps.resize(groups.size());
  for (std::size_t s = 0; s < groups.size(); ++s) {
    Step& step = plan.steps[s];
    step.kind = groups[s].alone || groups[s].kind != StepKind::kernel ? groups[s].kind : kind;
    step.group = std::move(groups[s]);
    if (perOp || !isKernel(step)) readAsWritten(*plan.program, plan.values, step.group);
  }
}

/// Gives each value that is in memory a slot there, and each step the slots it reads and writes.
void placeValues(Plan& plan) {
  ShortList<Slot, 128> slots(plan.values.count());  // per value of the program
  for (Slot input = 0; input < plan.inputs(); ++input) slots[input] = input;
  const auto find = [&](std::span<const ValueId> values, auto& found) {
    found.reserve(values.size());
    for (const ValueId value : values)
      found.push_back(slots[static_cast<std::size_t>(plan.values.root(value))]);
  };
  Slot next = plan.inputs();
  // Whether a value has a slot already, because it is an input or an earlier step wrote it. This
  // occurs only where ops write in place.
  const auto isPlaced = [&](ValueId root) {
    if (plan.values.names.empty()) return false;
    return root < static_cast<ValueId>(plan.inputs()) ||
           std::ranges::find(plan.written, root) != plan.written.end();
  };
  for (Step& step : plan.steps) {
    find(step.group.inputs, step.reads);
    for (const ValueId value : step.group.outputs) {
      const ValueId root = plan.values.root(value);
      if (!isPlaced(root)) {
        slots[static_cast<std::size_t>(root)] = next++;
        plan.written.push_back(root);
      }
      step.writes.push_back(slots[static_cast<std::size_t>(root)]);
    }
  }
  find(plan.program->outputs, plan.outputs);
  const auto stepOf = [&](Slot slot) {
    for (std::size_t s = 0; s < plan.steps.size(); ++s)
      for (const Slot written : plan.steps[s].writes)
        if (written == slot) return static_cast<int>(s);
    return -1;
  };
  for (std::size_t c = 0; c < plan.program->checks.size(); ++c) {
    const SizeCheck& check = plan.program->checks[c];
    if (!check.ofValue()) continue;
    const Slot slot = slots[static_cast<std::size_t>(plan.values.root(check.value))];
    plan.checks.push_back({c, slot, stepOf(slot)});
  }
  std::ranges::stable_sort(plan.checks, {}, &PlanCheck::afterStep);
}

/// The views that copy their operand, in a program that writes in place.
std::set<std::size_t> copyingViews(const Program& program, Forms inputs) {
  std::set<std::size_t> found;
  if (!program.writesInto) return found;
  Guards guards(inputs, Specialize::exact);
  const PlanValues values = planValues(program, inputs, guards, /*ownMemory=*/false);
  for (std::size_t i = 0; i < program.ops.size(); ++i)
    if (program.ops[i].row->kind == OpKind::view && !program.ops[i].writesInto() &&
        !values.isView(program.result(static_cast<int>(i))))
      found.insert(i);
  return found;
}

}  // namespace

Settled settle(const Program& program, Forms inputs, SavePolicy policy) {
  const WorkLimit limit;
  std::vector<ValueType> types;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    types.push_back({inputs[i].shape, inputs[i].dtype});
  const std::vector<ValueType> all = inferTypes(program, types);
  Settled settled;
  // Casts and gradients are made for the numbers that sizes are now.
  settled.exact = !program.sizes.empty() && program.isSettledFirst();
  Program numbered = program.sizes.empty() ? program : withNumbers(program, all);
  if (program.autocasts) numbered = withCasts(numbered, types, policy);
  if (!program.differentiates()) {
    settled.program = shared(std::move(numbered));
    return settled;
  }
  const std::set<std::size_t> copying = copyingViews(numbered, inputs);
  Differentiated made =
      (program.asksGradients ? differentiate : taped)(numbered, types, policy, copying);
  settled.exact |= made.exact || !copying.empty();
  settled.program = shared(std::move(made.program));
  settled.tape = std::move(made.tape);
  settled.waysBack = std::move(made.waysBack);
  return settled;
}

void planForms(Plan& plan, const Program& program, Forms inputs, const PlanOptions& options) {
  const WorkLimit limit;
  plan.program = &program;
  plan.options = options;
  const auto specialize =
      program.writesInto && readsBesideWritten(program) ? Specialize::exact : options.specialize;
  if (program.sizes.empty() && !program.isSettledFirst()) {
    plan.guards = Guards(inputs, specialize);
  } else {
    const Settled settled = settle(
        program, inputs,
        options.grouping == PlanOptions::Grouping::fused ? SavePolicy::fewest : SavePolicy::named);
    plan.guards = Guards(inputs, settled.exact ? Specialize::exact : specialize);
    plan.settled = settled.program;
    plan.program = plan.settled.get();
  }
  try {
    plan.values = planValues(*plan.program, inputs, plan.guards, options.ownMemory);
  } catch (const std::length_error&) {  // too many symbols in one size
    if (!plan.guards.isSymbolic()) throw;
    plan.guards = Guards(inputs, Specialize::exact);
    plan.values = planValues(*plan.program, inputs, plan.guards, options.ownMemory);
  }
  plan.values.overlap = options.overlap;
  if (!options.phases) return;
  if (options.code != PlanOptions::StepCode::opList) {
    plan.rows.limits = options.rowLimits;
    if (!options.rowLimits.ofCall) return;
    plan.rows.symbols.resize(static_cast<std::size_t>(plan.guards.symbolCount()));
    plan.guards.hold(inputs, plan.rows.symbols.data());
    return;
  }
  plan.alongRows = goesAlongRows(*plan.program, plan.values);
  if (!plan.alongRows) return;
  ShortList<std::int64_t, 16> symbols(static_cast<std::size_t>(plan.guards.symbolCount()));
  plan.guards.hold(inputs, symbols.data());
  plan.options.phases = !winsAlongRows(plan.values, symbols);
}

void planSteps(Plan& plan) {
  const WorkLimit limit;
  makeSteps(plan, group(plan));
  placeValues(plan);
  findLastUses(plan.steps, plan.inputs(), plan.slotCount(), plan.outputs);
}

Plan makePlan(const Program& program, Forms inputs, const PlanOptions& options) {
  const WorkLimit limit;
  Plan plan;
  planForms(plan, program, inputs, options);
  planSteps(plan);
  return plan;
}

std::vector<std::int64_t> symbolsOf(const Plan& plan, Forms inputs) {
  std::vector<std::int64_t> symbols(static_cast<std::size_t>(plan.guards.symbolCount()));
  if (!plan.guards.hold(inputs, symbols.data()))
    throw std::invalid_argument("the plan is for other inputs");
  return symbols;
}

}  // namespace fusebench
