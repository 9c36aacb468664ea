// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/compiled.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/ticks.h"

namespace fusebench {

CompiledExecutor::CompiledExecutor(Backend& backend, SharedProgram program, Specialise specialise,
                                   ExecutorOptions options, Making making)
    : shared_(std::move(program)),
      program_(*shared_),
      backend_(backend),
      specialise_(specialise),
      making_(making),
      inTicks_(making == Making::chained && backend.isSynchronous()),
      options_(options) {}

CompiledExecutor::Moment CompiledExecutor::now() const {
  return inTicks_ ? static_cast<Moment>(ticks()) : steadyNanoseconds();
}

std::int64_t CompiledExecutor::nanoseconds(Moment span) const {
  if (!inTicks_) return span;
  return static_cast<std::int64_t>(static_cast<double>(span) / ticksPerNanosecond());
}

/// Gives each step, one per group, what it launches and the sizes that its launches take. Returns
/// when making began.
CompiledExecutor::Moment CompiledExecutor::make(const ProgramTrace& traced,
                                                std::span<const FusionGroup> groups,
                                                std::vector<Step>& steps, CompileTimes& times) {
  std::vector<Kernel> kernels;
  kernels.reserve(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    LoweredKernel lowered = lower(program_, traced, groups[g], Numbers::bakedIn, options_.contract);
    lowered.kernel.fastMath = options_.fastMath;
    kernels.push_back(std::move(lowered.kernel));
    steps[g].sizes = std::move(lowered.integers);
  }
  const auto begin = now();
  std::vector<const Kernel*> wanted;
  for (const Kernel& kernel : kernels) wanted.push_back(&kernel);
  const auto executables = backend_.compileAll(wanted, times);
  for (std::size_t g = 0; g < groups.size(); ++g) steps[g].executable = executables[g];
  return begin;
}

/// The same for chains, one after the other. Adds the time that this took since `begin`, but for
/// putting the chains together, to that of fusion.
void CompiledExecutor::makeChains(const ProgramTrace& traced, std::span<const FusionGroup> groups,
                                  std::vector<Step>& steps, Moment begin, CompileTimes& times) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g > 0) begin = now();
    LoweredChain lowered = lowerChain(program_, traced, groups[g]);
    times.fusion += nanoseconds(now() - begin);
    steps[g].sizes = std::move(lowered.integers);
    steps[g].executable = backend_.chain(std::move(lowered.chain), times);
  }
}

std::unique_ptr<CompiledExecutor::Variant> CompiledExecutor::compile(std::span<const Tensor> inputs,
                                                                     Moment begin,
                                                                     CompileTimes& times) {
  ProgramTrace traced = trace(program_, inputs, specialise_);
  const auto fusionBegin = now();
  times.trace += nanoseconds(fusionBegin - begin);
  const std::vector<FusionGroup> groups = fuse(program_, traced);
  auto variant = std::make_unique<Variant>(groups.size());
  if (making_ == Making::chained)
    makeChains(traced, groups, variant->steps, fusionBegin, times);
  else
    times.fusion += nanoseconds(make(traced, groups, variant->steps, times) - fusionBegin);
  variant->symbols.resize(static_cast<std::size_t>(traced.guards.symbolCount()));

  // Per value of the program.
  ShortList<Place, 128> places(traced.valueCount());
  for (std::size_t i = 0; i < inputs.size(); ++i) places[i] = i;
  const auto findPlaces = [&places](std::span<const ValueId> values, auto& found) {
    found.reserve(values.size());
    for (const ValueId value : values) found.push_back(places[static_cast<std::size_t>(value)]);
  };
  std::size_t results = 0;
  for (const FusionGroup& group : groups) results += group.outputs.size();
  variant->made.reserve(results);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Step& step = variant->steps[g];
    findPlaces(groups[g].inputs, step.inputs);
    step.results.reserve(groups[g].outputs.size());
    for (const ValueId value : groups[g].outputs) {
      places[static_cast<std::size_t>(value)] = inputs.size() + variant->made.size();
      addResult(traced, value, inputs.size() + variant->made.size(), step, *variant);
    }
    step.integers.resize(step.sizes.size());
    step.pointers.resize(step.inputs.size() + step.results.size());
  }
  findPlaces(program_.outputs, variant->outputs);
  setLastUses(*variant, inputs.size());
  variant->guards = std::move(traced.guards);
  return variant;
}

/// Adds a tensor that a step makes; its shape is settled at a call.
void CompiledExecutor::addResult(const ProgramTrace& traced, ValueId value, Place place, Step& step,
                                 Variant& variant) {
  Result& result = step.results.emplace_back();
  result.place = place;
  result.extents = traced.extents(traced.space(value));
  if (const ProgramTrace::ValueLayout* const own = traced.layout(value))
    result.strides = own->strides;
  Tensor& made = variant.made.emplace_back();
  made.dtype = traced.dtype(value);
  made.shape = Shape::filled(static_cast<int>(result.extents.size()), 0);
}

/// Frees each intermediate after the last step that reads it.
void CompiledExecutor::setLastUses(Variant& variant, std::size_t inputs) {
  if (variant.steps.size() < 2) return;
  std::vector<bool> seen(inputs + variant.made.size(), false);
  for (const Place output : variant.outputs) seen[output] = true;
  for (std::size_t s = variant.steps.size(); s-- > 0;)
    for (const Place value : variant.steps[s].inputs) {
      if (!seen[value] && value >= inputs) variant.steps[s].lastUses.push_back(value);
      seen[value] = true;
    }
}

/// Works out what follows from the symbols: the launches' integers, and the shapes of what is made.
void CompiledExecutor::settle(Variant& variant) {
  const std::span<const std::int64_t> symbols = variant.symbols;
  for (Step& step : variant.steps) {
    for (std::size_t i = 0; i < step.sizes.size(); ++i)
      step.integers[i] = step.sizes[i].evaluate(symbols);
    for (Result& result : step.results) {
      Tensor& made = variant.made[result.place - program_.inputs.size()];
      for (std::size_t d = 0; d < result.extents.size(); ++d)
        made.shape[static_cast<int>(d)] = result.extents[d].evaluate(symbols);
      made.strides = contiguousStrides(made.shape);
      if (!result.strides.empty()) {
        for (std::size_t d = 0; d < result.strides.size(); ++d)
          made.strides[static_cast<int>(d)] = result.strides[d].evaluate(symbols);
        made.contiguous = isContiguous(made.shape, made.strides);
      }
      result.bytes = made.bytes();
    }
  }
  variant.settled = variant.symbols;
}

/// Gives outputs their dtypes and shapes, so that a call has only to set blocks.
void CompiledExecutor::prepare(const Variant& variant) {
  const std::size_t inputs = program_.inputs.size();
  outputs_.resize(variant.outputs.size());
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    if (const Place output = variant.outputs[o]; output >= inputs)
      outputs_[o] = variant.made[output - inputs];
  prepared_ = &variant;
}

void CompiledExecutor::run(Variant& variant, std::span<const Tensor> inputs) {
  try {
    runSteps(variant, inputs);
  } catch (...) {  // no memory, or a launch that failed: nothing half done stays
    for (Tensor& made : variant.made) made.block.reset();
    for (Tensor& output : outputs_) output.block.reset();
    prepared_ = nullptr;  // the variant may go, and another come to stand in its place
    throw;
  }
}

void CompiledExecutor::runSteps(Variant& variant, std::span<const Tensor> inputs) {
  Recorder* const recorder = backend_.splitRecorder();
  if (const bool settled = variant.isSettled(); !settled || prepared_ != &variant) {
    mark(recorder, CallPart::dispatch);
    if (!settled) settle(variant);
    prepare(variant);
  }
  Allocator& allocator = backend_.allocator();
  const std::size_t inputCount = inputs.size();
  Tensor* const values = variant.made.data();
  for (Step& step : variant.steps) {
    mark(recorder, CallPart::dispatch);
    void** pointer = step.pointers.data();
    for (const Place place : step.inputs)
      *pointer++ = place < inputCount ? inputs[place].data() : values[place - inputCount].data();
    mark(recorder, CallPart::allocate);
    for (const Result& result : step.results) {
      Tensor& made = values[result.place - inputCount];
      made.block = BlockRef(allocator.allocate(result.bytes));
      *pointer++ = made.data();
    }
    mark(recorder, CallPart::launch);
    backend_.launch(*step.executable, {step.pointers.data(), step.integers.data(), nullptr});
    if (step.lastUses.empty()) continue;
    mark(recorder, CallPart::allocate);
    for (const Place place : step.lastUses) values[place - inputCount].block.reset();
  }
  mark(recorder, CallPart::dispatch);
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const Place place = variant.outputs[o];
    if (place < inputCount)
      outputs_[o] = inputs[place];
    else
      outputs_[o].block = values[place - inputCount].block;
  }
  for (const Place place : variant.outputs)
    if (place >= inputCount) values[place - inputCount].block.reset();
}

std::span<const Tensor> CompiledExecutor::call(std::span<const Tensor> inputs) {
  if (inputs.size() != program_.inputs.size())
    throw ProgramError({}, fmt::format("the program takes {} inputs, not {}",
                                       program_.inputs.size(), inputs.size()));
  ++statistics_.calls;
  for (Tensor& output : outputs_) output.block.reset();
  for (const auto& variant : variants_)
    if (variant->guards.hold(inputs, variant->symbols.data())) {
      run(*variant, inputs);
      return outputs_;
    }
  std::string reason = "first call";
  if (!variants_.empty()) {
    ++statistics_.guardFailures;
    reason = variants_.back()->guards.failure(inputs, program_.inputs);
  }
  // What costs no compile needs no limit.
  if (making_ == Making::compiled &&
      static_cast<int>(variants_.size()) >= std::max(1, options_.recompileLimit)) {
    ++statistics_.eagerCalls;
    if (!fallback_) fallback_ = std::make_unique<EagerExecutor>(backend_, shared_);
    return fallback_->call(inputs);
  }
  CompileTimes times;
  const auto begin = now();
  std::unique_ptr<Variant> variant = compile(inputs, begin, times);
  variant->guards.hold(inputs, variant->symbols.data());
  const auto made = now();
  // Putting a chain together is what making its code is.
  if (making_ == Making::chained)
    times.codegen += std::max<std::int64_t>(0, nanoseconds(made - begin) - times.total());
  run(*variant, inputs);
  backend_.synchronise();
  times.firstLaunch = nanoseconds(now() - made);
  variants_.push_back(std::move(variant));
  statistics_.compiles.push_back({std::move(reason), times});
  return outputs_;
}

std::vector<Chain> CompiledExecutor::chains(std::span<const Tensor> inputs) {
  std::vector<Chain> result;
  if (making_ != Making::chained) return result;
  const ProgramTrace traced = trace(program_, inputs, specialise_);
  for (const FusionGroup& group : fuse(program_, traced)) {
    result.push_back(lowerChain(program_, traced, group).chain);
    result.back().program = shared_;
  }
  return result;
}

std::vector<Kernel> CompiledExecutor::kernels(std::span<const Tensor> inputs) {
  const ProgramTrace traced = trace(program_, inputs, specialise_);
  std::vector<Kernel> result;
  for (const FusionGroup& group : fuse(program_, traced)) {
    result.push_back(lower(program_, traced, group, Numbers::bakedIn, options_.contract).kernel);
    result.back().fastMath = options_.fastMath && making_ == Making::compiled;
  }
  return result;
}

}  // namespace fusebench
