// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/branching_executor.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/language/program_branches.h"
#include "engine/run/value_checks.h"

namespace fusebench {
namespace {

/// With a program that changes its inputs, each call has different values.
constexpr std::size_t kMostKnown = 4096;

std::size_t at(ValueId value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

BranchingExecutor::BranchingExecutor(const ExecutorInfo& how, Backend& backend,
                                     SharedProgram program, const ExecutorOptions& options)
    : how_(how),
      backend_(backend),
      program_(std::move(program)),
      options_(options),
      first_(partsOf(*program_)),
      way_(program_.get()) {
  options_.delivery = {};  // the executor around this one copies
  options_.pages = Pages::kept;
  int values = 0;
  for (const Program* way : waysOf(*program_)) values = std::max(values, way->valueCount());
  values_.resize(at(values));
  add(*first_);
}

void BranchingExecutor::add(const ProgramPart& part) {
  Running running{&part, nullptr, std::vector<bool>(values_.size(), false), -1};
  if (part.branch)
    for (const ValueId value : part.branch->live) running.kept[at(value)] = true;
  running_.emplace(&part, std::move(running));
  for (const auto& next : part.next)
    if (next) add(*next);
}

/// Waits for a condition, like checkValue(). If nothing is computed, the condition is still copied
/// to the host, which takes time, but has no meaning.
bool BranchingExecutor::holds(const ProgramPart& part, std::size_t choice) {
  const double element =
      readElement(backend_, values_[at(part.branch->condition)], part.branch->place);
  return choices_ ? (*choices_)[choice] : element != 0;
}

/// Frees values that no later part reads.
void BranchingExecutor::keepOnly(const Running& running) {
  const std::size_t inputs = program_->inputs.size();
  for (std::size_t value = inputs; value < values_.size(); ++value)
    if (!running.kept[value]) values_[value].block.reset();
}

/// The position where the steps of a part begin among those of its path.
void BranchingExecutor::numberSteps(Running& running, std::span<const Tensor> inputs) {
  running.firstStep = 0;
  for (const Step& step : planOf(*running.part->way, inputs).steps)
    running.firstStep += step.group.ops.front() < running.part->firstOp ? 1 : 0;
}

void BranchingExecutor::run(Running& running, std::span<const Tensor> inputs) {
  const ProgramPart& part = *running.part;
  if (!part.program) return;
  if (!running.executor) running.executor = how_.make(backend_, part.program, options_);
  if (Recorder* const recorder = backend_.recorder()) {
    if (running.firstStep < 0) numberSteps(running, inputs);
    recorder->setFirstStep(running.firstStep);
  }
  given_.clear();
  for (const ValueId value : part.given) given_.push_back(values_[at(value)]);
  const std::uint64_t eagerBefore = running.executor->statistics().eagerCalls;
  const std::span<const Tensor> made = running.executor->call(given_);
  for (std::size_t m = 0; m < made.size(); ++m)
    if (at(part.made[m]) >= inputs.size()) values_[at(part.made[m])] = made[m];
  if (running.executor->statistics().eagerCalls > eagerBefore) ++eagerCalls_;
  running.executor->releaseOutputs();
  given_.clear();
}

std::span<const Tensor> BranchingExecutor::call(std::span<const Tensor> inputs) {
  if (inputs.size() != program_->inputs.size())
    throw ProgramError(
        {}, saying("the program takes {} inputs, not {}", program_->inputs.size(), inputs.size()));
  releaseOutputs();
  ++calls_;
  const std::uint64_t eagerBefore = eagerCalls_;
  // If nothing is computed, conditions are what they were when they were computed once with the
  // same values.
  choices_ = nullptr;
  made_.clear();
  std::vector<std::uint64_t> held;
  bool computesOnce = false;
  if (!backend_.isComputing()) {
    for (const Tensor& input : inputs) held.push_back(backend_.contentsOf(input));
    const auto known = known_.find(held);
    computesOnce = known == known_.end();
    if (computesOnce)
      backend_.setComputing(true);
    else
      choices_ = &known->second;
  }
  std::ranges::copy(inputs, values_.begin());
  const ProgramPart* part = first_.get();
  graphs_ = 0;
  try {
    while (true) {
      Running& running = running_.at(part);
      graphs_ += part->program ? 1 : 0;
      run(running, inputs);
      way_ = part->way;
      if (!part->branch) break;
      const bool chosen = holds(*part, made_.size());
      made_.push_back(chosen);
      keepOnly(running);
      part = part->next[chosen ? 1 : 0].get();
    }
  } catch (...) {
    if (computesOnce) backend_.setComputing(false);
    if (Recorder* const recorder = backend_.recorder()) recorder->setFirstStep(0);
    for (Tensor& value : values_) value.block.reset();
    given_.clear();
    throw;
  }
  if (computesOnce) {
    backend_.setComputing(false);
    if (known_.size() >= kMostKnown) known_.clear();
    known_[held] = made_;
  }
  if (Recorder* const recorder = backend_.recorder()) recorder->setFirstStep(0);
  if (eagerCalls_ > eagerBefore) eagerCalls_ = eagerBefore + 1;
  for (const ValueId output : part->way->outputs) outputs_.push_back(values_[at(output)]);
  for (Tensor& value : values_) value.block.reset();
  return outputs_;
}

void BranchingExecutor::releaseOutputs() {
  outputs_.clear();
}

const ExecutorStatistics& BranchingExecutor::statistics() const {
  statistics_ = {};
  statistics_.calls = calls_;
  statistics_.eagerCalls = eagerCalls_;
  statistics_.graphs = graphs_;
  for (const auto& [part, running] : running_) {
    if (!running.executor) continue;
    const ExecutorStatistics& own = running.executor->statistics();
    statistics_.guardFailures += own.guardFailures;
    statistics_.compiles.insert(statistics_.compiles.end(), own.compiles.begin(),
                                own.compiles.end());
  }
  return statistics_;
}

Plan BranchingExecutor::planOf(const Program& way, Forms inputs) const {
  // Like the parts' executors plan: they know what the backend supports.
  return how_.make(backend_, SharedProgram(program_, &way), options_)->plan(inputs);
}

Plan BranchingExecutor::plan(Forms inputs) const {
  return planOf(*way_, inputs);
}

std::vector<Plan> BranchingExecutor::plans(Forms inputs) const {
  std::vector<Plan> plans;
  for (const Program* way : waysOf(*program_)) plans.push_back(planOf(*way, inputs));
  return plans;
}

}  // namespace fusebench
