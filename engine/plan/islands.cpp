// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/islands.h"

#include <algorithm>

#include "engine/plan/copy_text.h"
#include "engine/plan/kernel_phases.h"
#include "engine/plan/library_call.h"
#include "engine/plan/step_lowering.h"

namespace fusebench {

std::vector<Form> contiguousForms(std::span<const ValueType> types) {
  std::vector<Form> forms;
  for (const ValueType& type : types) forms.push_back(contiguousForm(type.dtype, type.shape));
  return forms;
}

namespace {

/// The memory of inputs if it is not given: those that the program only copies to the device, or
/// pins, are in host memory.
std::vector<Form> asTheProgramHasThem(const Program& program, std::span<const ValueType> inputs) {
  std::vector<Form> forms = contiguousForms(inputs);
  const auto brings = [](const Op& op) {
    if (op.row->kind != OpKind::copy) return false;
    const Move move = moveOf(*op.row);
    return move == Move::toDevice || move == Move::pin;
  };
  for (std::size_t input = 0; input < forms.size(); ++input) {
    bool brought = false, read = false;
    for (const Op& op : program.ops)
      for (const Operand& operand : op.operands)
        if (!operand.isNumber() && static_cast<std::size_t>(operand.value) == input)
          (brings(op) ? brought : read) = true;
    if (brought && !read) forms[input].memory = Memory::host;
  }
  return forms;
}

/// Sets for the ops of an island the phase of the kernel that each belongs to.
void setPhases(Island& island, const Kernel& kernel) {
  island.phases = phaseCount(kernel);
  if (island.phases == 1) return;
  const std::vector<int> phases = nodePhases(kernel);
  for (const int op : island.ops) {
    int phase = 0;
    for (std::size_t node = 0; node < kernel.nodeOps.size(); ++node)
      if (kernel.nodeOps[node] == op) phase = std::max(phase, phases[node]);
    // A reader of a reduction is in a later phase; the reduction is in the phase of its operand.
    for (const KernelOutput& carried : kernel.carried)
      if (carried.op == op) phase = phases[static_cast<std::size_t>(carried.value)];
    island.phaseOf.push_back(std::min(phase, island.phases - 1));
  }
}

}  // namespace

std::vector<Island> islandsOf(const Plan& plan) {
  std::vector<Island> result;
  // Starting at the first gradient, the ops differ from those of the written program.
  const auto& all = plan.program->ops;
  const auto written = std::ranges::find_if(all, [](const Op& op) { return op.derivativeOf >= 0; });
  const auto count = static_cast<int>(written - all.begin());
  for (const Step& step : plan.steps) {
    Island island{{}, kernelName(*plan.program, step.group.ops), step.group.reduces, step.kind, 1,
                  {}};
    for (const int op : step.group.ops)
      if (op < count) island.ops.push_back(op);
    if (step.group.phased) setPhases(island, lowerKernel(plan, step).kernel);
    if (!island.ops.empty()) result.push_back(std::move(island));
  }
  return result;
}

std::vector<Island> islands(const Program& program, std::span<const ValueType> inputs,
                            const PlanOptions& options) {
  return islandsOf(makePlan(program, asTheProgramHasThem(program, inputs), options));
}

std::vector<std::string> readableKernels(const Program& program, std::span<const ValueType> inputs,
                                         const PlanOptions& options) {
  const Plan plan = makePlan(program, asTheProgramHasThem(program, inputs), options);
  std::vector<std::string> texts;
  for (const Step& step : plan.steps)
    texts.push_back(isCall(step.kind)               ? readableText(lowerCall(plan, step).call)
                    : step.kind == Step::Kind::copy ? copyText(plan, step)
                                                    : readableText(lowerKernel(plan, step).kernel));
  return texts;
}

}  // namespace fusebench
