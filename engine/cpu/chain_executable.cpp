// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/chain_executable.h"

#include <algorithm>
#include <span>

#include "engine/cpu/accumulators.h"
#include "engine/cpu/chain_runner.h"
#include "engine/cpu/schedule.h"

namespace fusebench::cpu {
namespace {

template <typename Function>
Function callable(const void* code) {
  return reinterpret_cast<Function>(const_cast<void*>(code));
}

/// Whether each lane of a block is a result of its own.
bool lanesReduced(const Kernel& kernel) {
  return kernel.reducedMask != 0 && !kernel.reduced(kernel.rank() - 1);
}

}  // namespace

ChainExecutable::ChainExecutable(Chain chain, std::shared_ptr<Stencils> stencils,
                                 ObjectCache* cache, CompileTimes& times)
    : CpuKernel(chain.kernel),
      chain_(std::move(chain)),
      stencils_(std::move(stencils)),
      block_(kChainVectors * stencils_->target().vector.width),
      inputs_(chain_.kernel.inputs.size()),
      formulas_(chain_.kernel.outputs.size()) {
  const Kernel& kernel = chain_.kernel;
  enter_ =
      callable<decltype(enter_)>(stencils_->code({.kind = Stencil::Kind::enter}, cache, times));
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
    if (kernel.outputs[o].reduces) formulas_[o].emplace(kernel.outputs[o]);
  for (const KernelTensor& input : kernel.inputs)
    lies_.push_back(alwaysRepeated(kernel, input) ? Lie::repeated : Lie::dense);
  for (std::size_t t = 0; t < kernel.inputs.size() + kernel.outputs.size(); ++t)
    streams_.push_back(t < kernel.inputs.size() ? lies_[t] == Lie::dense
                                                : !formulas_[t - kernel.inputs.size()]);
  const bool lanes = lanesReduced(kernel);
  program_ = assemble(chain_, lies_, lanes, *stencils_, cache, times);
  reductions_.reserve(program_.reductions.size());
  for (const ChainProgram::Result& result : program_.reductions) {
    Stencil stencil;
    stencil.accumulate = kernel.outputs[result.output].accumulate;
    stencil.lanes = lanes;
    const auto made = [&](Stencil::Kind kind) {
      stencil.kind = kind;
      return stencils_->code(stencil, cache, times);
    };
    reductions_.push_back({callable<void (*)(void*)>(made(Stencil::Kind::reset)),
                           callable<void (*)(void*)>(made(Stencil::Kind::flush)),
                           callable<void (*)(void*, std::uint64_t*)>(made(Stencil::Kind::finish)),
                           result.output, result.accumulator, &*formulas_[result.output]});
  }
  nanosecondsPerElement_ =
      program_.instructions * kNanosecondsPerInstruction / stencils_->target().vector.width;
}

ChainProgram ChainExecutable::explained(ObjectCache* cache, CompileTimes& times) const {
  return assemble(chain_, lies_, lanesReduced(chain_.kernel), *stencils_, cache, times,
                  /*explain=*/true);
}

const ChainPlan& ChainExecutable::findPlan(const std::int64_t* integers) const {
  for (std::size_t i = 0; i < plans_.size(); ++i)
    if (isFor(*plans_[i], integers)) {
      latest_ = i;
      return plans_[i]->plan;
    }
  const std::span<const std::int64_t> now(integers, static_cast<std::size_t>(form().integers));
  auto made =
      std::make_unique<const Planned>(Planned{{now.begin(), now.end()}, makePlan(integers)});
  if (plans_.size() < kPlans) {
    latest_ = plans_.size();
    plans_.push_back(std::move(made));
  } else {
    latest_ = oldest_;
    oldest_ = (oldest_ + 1) % kPlans;
    plans_[latest_] = std::move(made);
  }
  return plans_[latest_]->plan;
}

ChainPlan ChainExecutable::makePlan(const std::int64_t* integers) const {
  ChainPlan plan;
  plan.walk = walkOf(chain_.kernel, integers);
  plan.outerCount = plan.walk.outerCount();
  plan.middleCount = plan.walk.middleCount();
  plan.rowLength = plan.walk.rowLength();
  const auto take = [&](std::size_t size) {
    const std::size_t at = plan.bytes;
    plan.bytes += (size + kChainAlign - 1) / kChainAlign * kChainAlign;
    return at;
  };
  take(program_.slotBytes);
  plan.accumulators = take(program_.accumulatorBytes);
  plan.buffers.resize(plan.walk.tensors.size());
  plan.tiles = !program_.reductions.empty();
  for (std::size_t t = 0; t < plan.walk.tensors.size(); ++t) {
    if (!streams_[t]) continue;
    const TensorWalk& tensor = plan.walk.tensors[t];
    plan.tiles |= !tensor.dense;
    const std::int64_t elements = tensor.dense ? block_ : (kTileBlocks + 1) * block_;
    plan.buffers[t] = take(static_cast<std::size_t>(elements) * tensor.elementBytes);
  }
  plan.direct = plan.outerCount == 1 && plan.middleCount == 1 && !plan.walk.lanes &&
                plan.rowLength > 0 && plan.rowLength % block_ == 0;
  for (std::size_t t = 0; t < plan.walk.tensors.size(); ++t)
    plan.direct &= streams_[t] ? plan.walk.tensors[t].dense : t >= chain_.kernel.inputs.size();
  plan.single = plan.direct && plan.rowLength == block_ && !program_.others.empty();
  if (plan.single && single_.empty()) single_ = program_.with(&ChainProgram::Other::total);
  if (!plan.direct && partial_.empty() && !program_.others.empty())
    partial_ = program_.with(&ChainProgram::Other::masked);
  return plan;
}

bool ChainExecutable::partials() const {
  const Kernel& kernel = chain_.kernel;
  return kernel.reducedMask != 0 && kernel.reducedMask == (1u << kernel.rank()) - 1;
}

std::int64_t ChainExecutable::firstExtent(const std::int64_t* integers) const {
  return extentOf(plan(integers));
}

std::int64_t ChainExecutable::grain(const std::int64_t* integers) const {
  return splitsRow(plan(integers)) ? block_ : 1;
}

double ChainExecutable::estimate(const std::int64_t* integers) const {
  const ChainPlan& loops = plan(integers);
  return static_cast<double>(loops.outerCount) * static_cast<double>(loops.middleCount) *
         static_cast<double>(loops.rowLength) * nanosecondsPerElement_;
}

std::size_t ChainExecutable::partialWords() const {
  return chain_.kernel.outputs.size() * kPartialWords;
}

void ChainExecutable::run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                          std::uint64_t* partials) const {
  runPart(plan(arguments.integers), arguments, begin, end, partials);
}

void ChainExecutable::runWhole(const LaunchArguments& arguments) const {
  const ChainPlan& loops = plan(arguments.integers);
  runPart(loops, arguments, 0, extentOf(loops), nullptr);
}

void ChainExecutable::runPart(const ChainPlan& plan, const LaunchArguments& arguments,
                              std::int64_t begin, std::int64_t end, std::uint64_t* partials) const {
  if (plan.single) return ChainRunner::runSingle(*this, plan, arguments.pointers, partials);
  if (plan.direct)
    return ChainRunner::runDirect(*this, plan, arguments.pointers, begin, end, partials);
  ChainRunner(*this, plan, arguments.pointers).run(begin, end, partials);
}

void ChainExecutable::finish(std::vector<std::uint64_t>& partials, int parts,
                             const LaunchArguments& arguments) const {
  const std::size_t inputs = chain_.kernel.inputs.size();
  const auto elements = static_cast<double>(plan(arguments.integers).rowLength);
  for (std::size_t o = 0; o < chain_.kernel.outputs.size(); ++o) {
    if (!formulas_[o]) continue;
    std::uint64_t* total = &partials[o * kPartialWords];
    for (int part = 1; part < parts; ++part)
      mergePartials(chain_.kernel.outputs[o].accumulate, total,
                    &partials[static_cast<std::size_t>(part) * partialWords() + o * kPartialWords]);
    formulas_[o]->store(total, elements, arguments.pointers[inputs + o]);
  }
}

}  // namespace fusebench::cpu
