// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/step_lowering.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/plan/joined_rows.h"

namespace fusebench {

LoweredKernel lowerAlone(const Op& op, Forms operands, const Form* into) {
  Program single;
  single.ops.push_back(op);
  // Its sizes are numbers by now, and the program that names them is not available here.
  Op& alone = single.ops.front();
  alone.parameterSizes.clear();
  std::ranges::fill(alone.sizes, -1);
  for (Operand& operand : alone.operands) {
    operand.size = -1;
    if (operand.isNumber()) continue;
    // Distinct inputs even for x * x: the kernel serves any two tensors.
    operand.value = static_cast<ValueId>(single.inputs.size());
    single.inputs.push_back("x" + std::to_string(single.inputs.size()));
  }
  std::vector<Form> forms;
  for (std::size_t i = 0; i < operands.size(); ++i) forms.push_back(operands[i]);
  alone.into = -1;
  if (into) {  // that it may be an operand, too, makes no other kernel
    alone.into = static_cast<ValueId>(single.inputs.size());
    single.inputs.emplace_back("into");
    single.writesInto = true;
    forms.push_back(*into);
  }
  single.outputs.push_back(static_cast<ValueId>(single.inputs.size()));
  Guards guards(forms, Specialize::exact);
  // The caller has moved its operands to the memory where it runs.
  const PlanValues values = planValues(single, forms, guards, false);
  LoweredKernel result = lower(single, values, separate(single, values).front(), Numbers::atLaunch);
  generalize(result);
  result.kernel.statements = {op.statement};
  return result;
}

Form formOf(const PlanValues& values, ValueId value, std::span<const std::int64_t> symbols) {
  Shape shape;
  for (const SymbolicSize& extent : values.extents(values.space(value)))
    shape.push(extent.evaluate(symbols));
  Form form = contiguousForm(values.dtype(value), shape);
  form.memory = values.memory(value);
  const PlanValues::ValueLayout* const layout = values.layout(value);
  if (!layout) return form;
  for (std::size_t d = 0; d < layout->strides.size(); ++d)
    form.strides[static_cast<int>(d)] = layout->strides[d].evaluate(symbols);
  form.contiguous = isContiguous(form.shape, form.strides);
  return form;
}

namespace {

/// A kernel lowered by itself names the op of a program with one op: this sets the real one.
void setOp(Kernel& kernel, int op, const FusionGroup& group) {
  kernel.ops = {op};
  kernel.inputValues.assign(group.inputs.begin(), group.inputs.end());
  for (int& node : kernel.nodeOps) node = node < 0 ? -1 : op;
  for (KernelOutput& output : kernel.outputs) output.op = op;
}

LoweredKernel lowerPerOp(const Plan& plan, const Step& step) {
  const int op = step.group.ops.front();
  std::vector<Form> operands;
  const Op& which = plan.program->ops[static_cast<std::size_t>(op)];
  for (const Operand& operand : which.operands)
    if (!operand.isNumber()) operands.push_back(formOf(plan.values, operand.value, {}));
  const Form into = which.writesInto() ? formOf(plan.values, plan.program->result(op), {}) : Form();
  LoweredKernel lowered = lowerAlone(which, operands, which.writesInto() ? &into : nullptr);
  setOp(lowered.kernel, op, step.group);
  return lowered;
}

}  // namespace

LoweredKernel lowerKernel(const Plan& plan, const Step& step) {
  if (plan.options.grouping == PlanOptions::Grouping::perOp) return lowerPerOp(plan, step);
  if (step.group.alone) {  // next to op lists: the same kernels as eager's, which exist already
    LoweredKernel alone = lower(*plan.program, plan.values, step.group, Numbers::atLaunch);
    generalize(alone);
    // An op that writes in place has read the element there before, as eager's kernels rely on.
    for (KernelTensor& input : alone.kernel.inputs) input.rewritten = false;
    return alone;
  }
  LoweredKernel lowered =
      lower(*plan.program, plan.values, step.group, Numbers::bakedIn, plan.options.contract);
  lowered.kernel.fastMath = plan.options.fastMath;
  if (plan.options.joinsShortRows && hasShortRows(lowered.kernel)) generalize(lowered);
  return lowered;
}

LoweredOpList lowerOpList(const Plan& plan, const Step& step) {
  return lowerOpList(*plan.program, plan.values, step.group);
}

}  // namespace fusebench
