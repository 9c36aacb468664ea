// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/instant/op_list_executable.h"

#include <algorithm>
#include <utility>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/schedule.h"
#include "engine/cpu/instant/op_list_runner.h"

namespace fusebench::cpu {
namespace {

template <typename Function>
Function callable(const void* code) {
  return reinterpret_cast<Function>(const_cast<void*>(code));
}

std::size_t aligned(std::size_t size) {
  return (size + kOpListAlign - 1) / kOpListAlign * kOpListAlign;
}

}  // namespace

OpListExecutable::OpListExecutable(OpList&& list, std::shared_ptr<Stencils> stencils,
                                   ObjectCache* cache, CompileTimes& times)
    : CpuExecutable(launchForm(list.kernel), /*splits=*/true),
      label_(list.label),
      stencils_(std::move(stencils)),
      block_(kOpListVectors * stencils_->target().vector.width * 32 /
             bitsOf(computedOf(list.lanes))),
      inputs_(list.kernel.inputs.size()),
      lanes_(keepsLanes(list.kernel)),
      program_(assemble(list, *stencils_, cache, times)),
      kernel_(std::move(list.kernel)) {
  enter_ = callable<decltype(enter_)>(stencils_->enter(cache, times));
  reductions_.reserve(program_.reductions.size());
  for (const OpListCode::Reduction& result : program_.reductions) {
    const KernelOutput& output = kernel_.outputs[result.output];
    const AccumulatorCode& code = *result.code;
    reductions_.push_back({callable<void (*)(void*)>(code.reset),
                           callable<void (*)(void*)>(code.flush),
                           callable<void (*)(void*, std::uint64_t*)>(code.finish), result.output,
                           result.accumulator, FinishFormula(output)});
  }
  nanosecondsPerElement_ = program_.instructions * kNanosecondsPerInstruction * kOpListVectors /
                           static_cast<double>(block_);
}

const OpListPlan& OpListExecutable::findPlan(const std::int64_t* integers) const {
  std::size_t at = 0;
  for (; at < kPlans && plans_[at]; ++at)
    if (isFor(*plans_[at], integers)) {
      latest_ = plans_[at].get();
      return latest_->plan;
    }
  if (at == kPlans) {
    at = oldest_;
    oldest_ = (oldest_ + 1) % kPlans;
  }
  auto made = std::make_unique<Planned>();
  made->integers.assign(integers, integers + form().integers);
  makePlan(integers, made->plan);
  latest_ = made.get();
  plans_[at] = std::move(made);
  return latest_->plan;
}

std::size_t OpListExecutable::bufferBytes(const TensorWalk& tensor) const {
  const std::int64_t elements = tensor.dense ? block_ : (kTileBlocks + 1) * block_;
  return aligned(static_cast<std::size_t>(elements) * tensor.elementBytes);
}

void OpListExecutable::makePlan(const std::int64_t* integers, OpListPlan& plan) const {
  walkOf(kernel_, integers, plan.walk);
  plan.outerCount = plan.walk.outerCount();
  plan.middleCount = plan.walk.middleCount();
  plan.rowLength = plan.walk.rowLength();
  plan.direct = plan.outerCount == 1 && plan.middleCount == 1 && !plan.walk.lanes &&
                plan.rowLength > 0 && plan.rowLength % block_ == 0;
  plan.tiles = !program_.reductions.empty();
  plan.accumulators = aligned(program_.slotBytes);
  plan.bytes = plan.buffers = plan.accumulators + aligned(program_.accumulatorBytes);
  for (std::size_t t = 0; t < plan.walk.tensors.size(); ++t) {
    const TensorWalk& tensor = plan.walk.tensors[t];
    if (streams(t)) {
      plan.tiles |= !tensor.dense;
      plan.direct &= tensor.dense;
      plan.bytes += bufferBytes(tensor);
    } else {
      plan.direct &= t >= inputs_;
    }
  }
  using enum OpListCode::Ending;
  plan.single = plan.direct && plan.rowLength == block_ && hasEndings();
  needed(plan.single ? total : none);
  if (!plan.direct) needed(masked);
  if (plan.single || (plan.direct && program_.reductions.empty()))
    plan.once = instructions(plan.single ? total : none);
}

void OpListExecutable::needed(OpListCode::Ending ending) const {
  if (!hasEndings()) ending = OpListCode::Ending::none;
  std::vector<std::byte>& form = forms_[static_cast<std::size_t>(ending)];
  if (!form.empty()) return;
  const auto made = std::ranges::find_if(
      forms_, [](const std::vector<std::byte>& other) { return !other.empty(); });
  if (made == forms_.end())
    form.swap(program_.whole);
  else
    form = *made;
  program_.endWith(ending, form);
}

bool OpListExecutable::partials() const {
  return kernel_.reducedMask != 0 && kernel_.reducedMask == (1u << kernel_.rank()) - 1;
}

std::int64_t OpListExecutable::firstExtent(const std::int64_t* integers) const {
  return extentOf(plan(integers));
}

std::int64_t OpListExecutable::grain(const std::int64_t* integers) const {
  return splitsRow(plan(integers)) ? block_ : 1;
}

double OpListExecutable::estimate(const std::int64_t* integers) const {
  const OpListPlan& loops = plan(integers);
  return static_cast<double>(loops.outerCount) * static_cast<double>(loops.middleCount) *
         static_cast<double>(loops.rowLength) * nanosecondsPerElement_;
}

std::size_t OpListExecutable::partialWords() const {
  return kernel_.outputs.size() * kPartialWords;
}

void OpListExecutable::run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                           std::uint64_t* partials) const {
  runPart(plan(arguments.integers), arguments, begin, end, partials);
}

void OpListExecutable::runWhole(const LaunchArguments& arguments) const {
  const OpListPlan& loops = plan(arguments.integers);
  if (loops.once) return OpListRunner::runOnce(*this, loops, arguments.pointers, nullptr);
  runPart(loops, arguments, 0, extentOf(loops), nullptr);
}

void OpListExecutable::runPart(const OpListPlan& plan, const LaunchArguments& arguments,
                               std::int64_t begin, std::int64_t end,
                               std::uint64_t* partials) const {
  if (plan.single) return OpListRunner::runOnce(*this, plan, arguments.pointers, partials);
  if (plan.direct)
    return OpListRunner::runDirect(*this, plan, arguments.pointers, begin, end, partials);
  OpListRunner(*this, plan, arguments.pointers).run(begin, end, partials);
}

void OpListExecutable::finish(std::vector<std::uint64_t>& partials, int parts,
                              const LaunchArguments& arguments) const {
  const auto elements = static_cast<double>(plan(arguments.integers).rowLength);
  for (const Reduction& result : reductions_) {
    const std::size_t at = result.output * kPartialWords;
    std::uint64_t* total = &partials[at];
    for (int part = 1; part < parts; ++part)
      mergePartials(kernel_.outputs[result.output].accumulate, TypeClass::float32, total,
                    &partials[static_cast<std::size_t>(part) * partialWords() + at]);
    result.formula.store(total, elements, arguments.pointers[inputs_ + result.output]);
  }
}

}  // namespace fusebench::cpu
