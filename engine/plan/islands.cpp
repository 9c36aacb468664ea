// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/islands.h"

#include "engine/plan/library_call.h"
#include "engine/plan/step_lowering.h"

namespace fusebench {

std::vector<Form> contiguousForms(std::span<const ValueType> types) {
  std::vector<Form> forms;
  for (const ValueType& type : types) forms.push_back(contiguousForm(type.dtype, type.shape));
  return forms;
}

std::vector<Island> islandsOf(const Plan& plan) {
  std::vector<Island> result;
  for (const Step& step : plan.steps) {
    const auto& ops = step.group.ops;
    result.push_back({{ops.begin(), ops.end()},
                      kernelName(*plan.program, ops),
                      step.group.reduces,
                      step.kind == Step::Kind::library});
  }
  return result;
}

std::vector<Island> islands(const Program& program, std::span<const ValueType> inputs,
                            const PlanOptions& options) {
  return islandsOf(makePlan(program, contiguousForms(inputs), options));
}

std::vector<std::string> readableKernels(const Program& program, std::span<const ValueType> inputs,
                                         const PlanOptions& options) {
  const Plan plan = makePlan(program, contiguousForms(inputs), options);
  std::vector<std::string> texts;
  for (const Step& step : plan.steps)
    texts.push_back(step.kind == Step::Kind::library
                        ? readableText(lowerCall(plan, step).call)
                        : readableText(lowerKernel(plan, step).kernel));
  return texts;
}

}  // namespace fusebench
