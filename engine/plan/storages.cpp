// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/storages.h"

#include <algorithm>

#include "engine/plan/kernel_nodes.h"
#include "engine/plan/kernel_phases.h"
#include "engine/plan/library_call.h"
#include "engine/plan/step_lowering.h"

namespace fusebench {

std::string_view name(Storage::Kind kind) {
  switch (kind) {
    case Storage::Kind::input:
      return "input";
    case Storage::Kind::temporary:
      return "temporary";
    case Storage::Kind::saved:
      return "saved";
    case Storage::Kind::result:
      return "result";
  }
  return "?";
}

namespace {

/// Whether a step belongs to the backward pass: none of its ops was written in the program.
bool goesBack(const Plan& plan, const Step& step) {
  return std::ranges::all_of(step.group.ops, [&](int op) {
    return plan.program->ops[static_cast<std::size_t>(op)].derivativeOf >= 0;
  });
}

/// Whether the value that a step wrote was written in the program, instead of added for gradients.
bool isWrittenForward(const Plan& plan, Slot slot) {
  const auto op = static_cast<std::size_t>(plan.valueAt(slot)) - plan.inputs();
  return plan.program->ops[op].derivativeOf < 0;
}

}  // namespace

std::vector<Storage> storagesOf(const Plan& plan, std::span<const std::int64_t> symbols) {
  std::vector<Storage> storages(plan.slotCount());
  const int steps = static_cast<int>(plan.steps.size());
  for (Slot slot = 0; slot < storages.size(); ++slot) {
    Storage& storage = storages[slot];
    const bool input = slot < plan.inputs();
    const Form form = formOf(plan.values, plan.valueAt(slot), symbols);
    storage.kind = input ? Storage::Kind::input : Storage::Kind::temporary;
    storage.slot = slot;
    storage.memory = plan.values.memory(plan.valueAt(slot));
    storage.bytes = elementBytes(form);
    storage.firstStep = -1;
    storage.lastStep = input ? steps : -1;
  }
  for (int s = 0; s < steps; ++s) {
    const Step& step = plan.steps[static_cast<std::size_t>(s)];
    for (const Slot slot : step.writes)
      if (Storage& written = storages[slot]; slot >= plan.inputs() && written.firstStep < 0)
        written.firstStep = s;
    for (const Slot slot : step.lastUses) storages[slot].lastStep = s;
    if (!goesBack(plan, step)) continue;
    for (const Slot slot : step.reads)
      if (const int first = storages[slot].firstStep; first >= 0 && isWrittenForward(plan, slot))
        storages[slot].kind = Storage::Kind::saved;
  }
  for (const Slot slot : plan.outputs) {
    Storage& storage = storages[slot];
    if (storage.kind != Storage::Kind::input) storage.kind = Storage::Kind::result;
    storage.lastStep = steps;
  }
  return storages;
}

namespace {

bool isArithmetic(Primitive primitive) {
  return primitive >= Primitive::add && primitive <= Primitive::copysign;
}

/// Number of operations that an arithmetic primitive counts as.
using PrimitiveWeight = std::int64_t (*)(Primitive primitive);

std::int64_t flopsOfPrimitive(Primitive primitive) {
  return primitive == Primitive::fma ? 2 : 1;
}

/// A routine reduces its argument to a range, evaluates a polynomial and composes the result.
std::int64_t operationsOfPrimitive(Primitive primitive) {
  constexpr std::int64_t kRoutine = 8;
  return info(primitive).routine ? kRoutine : flopsOfPrimitive(primitive);
}

/// The weight of `rows` rows; values that are constant within a row are computed once per row.
std::int64_t weightOf(PrimitiveWeight weight, const Program& program, const Kernel& kernel,
                      std::int64_t rows, std::int64_t length) {
  const std::vector<int> needed = numberNeeded(kernel);
  const std::vector<bool> ofRow =
      kernel.hasPhases() ? rowNodes(kernel) : std::vector<bool>(needed.size(), false);
  // Computing and checking the position of an element that is read by an index is not arithmetic of
  // the program.
  const auto indexes = [&](int op) {
    return op >= 0 && program.ops[static_cast<std::size_t>(op)].row->indexing.is;
  };
  const auto leads = [&](std::size_t node) {
    return node < kernel.nodeOps.size() && indexes(kernel.nodeOps[node]);
  };
  const std::vector<int> phases = kernel.totals.empty() ? std::vector<int>() : nodePhases(kernel);
  const auto afterRows = [&](std::size_t node) {  // once, which costs next to nothing
    return !phases.empty() && phases[node] == kAfterRows;
  };
  std::int64_t flops = 0;
  for (std::size_t node = 0; node < needed.size(); ++node) {
    const Primitive primitive = kernel.body.nodes()[node].primitive;
    if (needed[node] >= 0 && isArithmetic(primitive) && !leads(node) && !afterRows(node))
      flops = cappedAdd(flops, cappedMultiply(weight(primitive), ofRow[node] ? 1 : length));
  }
  for (const KernelOutput& output : kernel.outputs)
    flops = cappedAdd(flops, output.reduces && !indexes(output.op) ? length : 0);
  flops =
      cappedAdd(flops, cappedMultiply(static_cast<std::int64_t>(kernel.carried.size()), length));
  flops = cappedAdd(flops, static_cast<std::int64_t>(kernel.totals.size()));
  return cappedMultiply(flops, rows);
}

/// Addresses for the tensors of a launch: each slot has its own, far from the others. `counted` is
/// the number of inputs that count and have no memory.
std::vector<void*> addressesOf(const Plan& plan, const Step& step,
                               std::span<const std::int64_t> symbols, int counted = 0) {
  const auto address = [](Slot slot, std::int64_t offset) {
    return reinterpret_cast<void*>(((slot + 1) << 44) + static_cast<std::uintptr_t>(offset));
  };
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < step.reads.size(); ++i)
    pointers.push_back(
        address(step.reads[i], plan.values.offset(step.group.inputs[i]).evaluate(symbols)));
  pointers.insert(pointers.end(), static_cast<std::size_t>(counted), nullptr);
  for (std::size_t i = 0; i < step.writes.size(); ++i)
    pointers.push_back(
        address(step.writes[i], plan.values.offset(step.group.outputs[i]).evaluate(symbols)));
  return pointers;
}

std::vector<std::int64_t> evaluated(const LaunchSizes& sizes,
                                    std::span<const std::int64_t> symbols) {
  std::vector<std::int64_t> integers;
  for (const SymbolicSize& size : sizes) integers.push_back(size.evaluate(symbols));
  return integers;
}

/// A multiplication and an addition for each point of the loops, plus the cost of the addend.
StepCost costOfCall(const Plan& plan, const Step& step, std::span<const std::int64_t> symbols) {
  const LoweredCall lowered = lowerCall(plan, step);
  const std::vector<std::int64_t> integers = evaluated(lowered.integers, symbols);
  // How many tensors the ranks add depends on the number of ranks, which a plan does not have.
  const KernelBytes bytes =
      trafficOf(lowered.call).of(integers.data(), addressesOf(plan, step, symbols).data());
  if (lowered.call.ofRanks()) return {.bytes = bytes};
  if (lowered.call.scatter.is) {
    const std::int64_t added = scatterSizesOf(lowered.call, integers.data()).added;
    return {.bytes = bytes, .flops = added, .points = added};
  }
  if (lowered.call.order.is) {
    const OrderSizes sizes = orderSizesOf(lowered.call, integers.data());
    return {.bytes = bytes,
            .flops = static_cast<std::int64_t>(sizes.comparisons()),
            .points = cappedMultiply(sizes.rowCount(), sizes.length)};
  }
  if (const AttentionCall& attention = lowered.call.attention; attention.is) {
    const AttentionSizes sizes = attentionSizesOf(lowered.call, integers.data());
    return {.bytes = bytes,
            .flops = flopsOf(attention, sizes),
            .points = cappedMultiply(scoresOf(attention, sizes), sizes.depth + sizes.values)};
  }
  const CallSizes sizes = sizesOf(lowered.call, integers.data());
  const std::int64_t products = lowered.call.operands.size() > 1 ? 2 : 1;
  const std::int64_t kept = sizes.kept(lowered.call.form);
  const std::int64_t passed =
      lowered.call.pass ? weightOf(flopsOfPrimitive, *plan.program, *lowered.call.pass, kept, 1)
                        : 0;
  return {.bytes = bytes,
          .flops = cappedAdd(cappedMultiply(products, sizes.count()),
                             cappedAdd(lowered.call.form.addend >= 0 ? kept : 0, passed)),
          .points = sizes.count()};
}

/// Each element is moved once from one memory to the other.
StepCost costOfCopy(const Plan& plan, const Step& step, std::span<const std::int64_t> symbols) {
  const Form form = formOf(plan.values, step.group.inputs.front(), symbols);
  const auto bytes = static_cast<std::int64_t>(elementBytes(form));
  return {.bytes = {bytes, bytes}, .points = elementCount(form.shape)};
}

StepCost costOf(const Plan& plan, const Step& step, std::span<const std::int64_t> symbols) {
  if (step.kind == Step::Kind::copy) return costOfCopy(plan, step, symbols);
  if (isCall(step.kind)) return costOfCall(plan, step, symbols);
  const LoweredKernel lowered = lowerKernel(plan, step);
  const std::vector<std::int64_t> integers = evaluated(lowered.integers, symbols);
  const std::vector<void*> pointers =
      addressesOf(plan, step, symbols, countedInputs(lowered.kernel));
  std::int64_t rows = 1, length = 1;
  std::size_t next = 0;
  for (int dim = 0; dim < lowered.kernel.rank(); ++dim) {
    const std::int64_t extent = lowered.kernel.extents[dim];
    std::int64_t& points = lowered.kernel.reduced(dim) ? length : rows;
    points = checkedMultiply(points, extent == kAtLaunch ? integers[next++] : extent);
  }
  const int phases = phaseCount(lowered.kernel);
  return {
      .bytes = KernelTraffic(lowered.kernel).of(integers.data(), pointers.data()),
      .flops = weightOf(flopsOfPrimitive, *plan.program, lowered.kernel, rows, length),
      .operations = weightOf(operationsOfPrimitive, *plan.program, lowered.kernel, rows, length),
      .phases = phases,
      .points = cappedMultiply(cappedMultiply(rows, length), phases)};
}

}  // namespace

std::vector<StepCost> costsOf(const Plan& plan, std::span<const std::int64_t> symbols) {
  std::vector<StepCost> costs;
  for (const Step& step : plan.steps) costs.push_back(costOf(plan, step, symbols));
  return costs;
}

}  // namespace fusebench
