// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/chains.h"

#include <algorithm>

#include "engine/plan/plan.h"
#include "engine/plan/row_fusion.h"
#include "engine/plan/step_lowering.h"

namespace fusebench {
namespace {

/// Kernels that ship count elements in 32 bits; see cuda/README.md.
constexpr double kMostElements = double{1 << 30};

bool takesManyInstructions(const Kernel& kernel) {
  return std::ranges::any_of(kernel.body.nodes(), [](const ExprNode& node) {
    return info(node.primitive).routine || node.primitive == Primitive::div ||
           node.primitive == Primitive::sqrt;
  });
}

/// A step of one op, as in eager.
Step stepAlone(const Program& program, FusionGroup group) {
  const Op& op = program.ops[static_cast<std::size_t>(group.ops.front())];
  Step step;
  step.group = std::move(group);
  step.group.alone = true;
  step.group.inputs = {};
  for (const Operand& operand : op.operands)
    if (reads(op, operand)) step.group.inputs.push_back(operand.value);
  step.group.outputs = {program.result(step.group.ops.front())};
  return step;
}

void addAlone(Chain& chain, const Plan& plan, const Step& alone,
              const std::function<bool(const Kernel&)>& ships) {
  const int index = alone.group.ops.front();
  const Program& program = *plan.program;
  const Op& op = program.ops[static_cast<std::size_t>(index)];
  const Kernel kernel = lowerKernel(plan, alone).kernel;
  chain.ships = chain.ships && ships(kernel);
  Chain::Alone& made = chain.alone.emplace_back();
  for (const ValueId value : alone.group.inputs) made.tensors.push_back(value);
  made.tensors.push_back(program.result(index));
  made.reduces = op.row->kind == OpKind::reduce;
  if (made.reduces)
    ++chain.counts.reductions;
  else
    ++(takesManyInstructions(kernel) ? chain.counts.dear : chain.counts.cheap);
}

/// Number of values that the group's reductions read and that the group computes without storing
/// them.
int keptFor(const Program& program, const FusionGroup& group) {
  std::vector<ValueId> kept;
  const auto holds = [](const auto& list, ValueId value) {
    return std::ranges::find(list, value) != list.end();
  };
  for (const int index : group.ops) {
    const Op& op = program.ops[static_cast<std::size_t>(index)];
    if (op.row->kind != OpKind::reduce) continue;
    for (const Operand& operand : op.operands)
      if (reads(op, operand) && !holds(group.inputs, operand.value) &&
          !holds(group.outputs, operand.value) && !holds(kept, operand.value))
        kept.push_back(operand.value);
  }
  return static_cast<int>(kept.size());
}

using Counts = ShortList<double, 8>;

/// Elements of each index space.
Counts spaceCounts(const PlanValues& values, std::span<const std::int64_t> symbols) {
  Counts counts;
  for (const SizeList<SymbolicSize>& extents : values.spaces) {
    double count = 1;
    for (const SymbolicSize& extent : extents)
      count *= static_cast<double>(extent.evaluate(symbols));
    counts.push_back(count);
  }
  return counts;
}

ListWork workOf(const Chain& chain, const PlanValues& values, const Counts& elements,
                std::span<const std::int64_t> symbols) {
  ListWork work = chain.counts;
  const auto countOf = [&](int space) { return elements[static_cast<std::size_t>(space)]; };
  work.elements = countOf(chain.space);
  work.results = 1;
  const SizeList<SymbolicSize>& extents = values.extents(chain.space);
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (((chain.reducedMask >> d) & 1u) == 0)
      work.results *= static_cast<double>(extents[d].evaluate(symbols));
  for (const Chain::Alone& op : chain.alone) {
    double bytes = 0;
    for (const ValueId value : op.tensors)
      bytes += countOf(values.space(value)) * static_cast<double>(info(values.dtype(value)).size);
    work.ops.push_back({bytes, op.reduces});
  }
  return work;
}

Route routeFor(const Chain& chain, const ListWork& work, const RouteCosts& costs) {
  return chain.ships && work.elements < kMostElements ? costs.least() : Route::together;
}

}  // namespace

std::vector<Chain> chainsOf(const Plan& plan, const std::function<bool(const Kernel&)>& ships) {
  const Program& program = *plan.program;
  std::vector<Chain> chains;
  std::vector<FusionGroup> single = separate(program, plan.values);
  for (const FusionGroup& group :
       fuse(program, plan.values, /*forPieces=*/true, plan.options.narrowPieces)) {
    if (group.alone || group.kind != StepKind::kernel) continue;
    Chain& chain = chains.emplace_back();
    chain.ops = group.ops;
    chain.space = group.space;
    chain.reducedMask = group.reducedMask;
    chain.counts.loads = static_cast<int>(group.inputs.size());
    chain.counts.kept = keptFor(program, group);
    for (const ValueId value : group.outputs) {
      const Op& maker = program.ops[static_cast<std::size_t>(value - program.result(0))];
      chain.counts.stores += maker.row->kind == OpKind::reduce ? 0 : 1;
    }
    for (const int op : group.ops) {
      const auto own = std::ranges::find_if(
          single, [&](const FusionGroup& each) { return each.ops.front() == op; });
      addAlone(chain, plan, stepAlone(program, *own), ships);
    }
  }
  return chains;
}

void chooseRoutes(std::vector<Chain>& chains, const PlanValues& values,
                  std::span<const std::int64_t> symbols, const ListCosts& costs) {
  const Counts elements = spaceCounts(values, symbols);
  for (Chain& chain : chains) {
    const ListWork work = workOf(chain, values, elements, symbols);
    chain.costs = routeCosts(work, costs);
    chain.route = routeFor(chain, work, chain.costs);
  }
}

bool routesStay(std::span<const Chain> chains, const PlanValues& values,
                std::span<const std::int64_t> symbols, const ListCosts& costs) {
  const Counts elements = spaceCounts(values, symbols);
  return std::ranges::all_of(chains, [&](const Chain& chain) {
    const ListWork work = workOf(chain, values, elements, symbols);
    return routeFor(chain, work, routeCosts(work, costs)) == chain.route;
  });
}

std::vector<char> opsApart(const Program& program, std::span<const Chain> chains) {
  std::vector<char> apart;
  for (const Chain& chain : chains)
    for (std::size_t i = 0; i < chain.ops.size(); ++i) {
      if (!chain.runsApart(i)) continue;
      apart.resize(program.ops.size());
      apart[static_cast<std::size_t>(chain.ops[i])] = 1;
    }
  return apart;
}

}  // namespace fusebench
