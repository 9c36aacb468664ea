// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compiled.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace fusebench {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

}  // namespace

CompiledExecutor::CompiledExecutor(Backend& backend, SharedProgram program, Specialise specialise,
                                   ExecutorOptions options, Making making)
    : shared_(std::move(program)),
      program_(*shared_),
      backend_(backend),
      specialise_(specialise),
      making_(making),
      options_(options) {}

std::vector<std::shared_ptr<const Executable>> CompiledExecutor::make(std::vector<Lowered>& groups,
                                                                      CompileTimes& times) {
  std::vector<std::shared_ptr<const Executable>> made;
  if (making_ == Making::chained) {
    for (Lowered& group : groups) made.push_back(backend_.chain(std::move(group.chain), times));
    return made;
  }
  std::vector<const Kernel*> kernels;
  for (const Lowered& group : groups) kernels.push_back(&group.kernel);
  return backend_.compileAll(kernels, times);
}

std::unique_ptr<CompiledExecutor::Variant> CompiledExecutor::compile(std::span<const Tensor> inputs,
                                                                     CompileTimes& times) {
  const auto traceBegin = Clock::now();
  ProgramTrace traced = trace(program_, inputs, specialise_);
  times.trace += since(traceBegin);

  const auto fusionBegin = Clock::now();
  const std::vector<FusionGroup> groups = fuse(program_, traced);
  std::vector<Lowered> lowered;
  lowered.reserve(groups.size());
  for (const FusionGroup& group : groups) {
    if (making_ == Making::chained) {
      LoweredChain chain = lowerChain(program_, traced, group);
      lowered.push_back({{}, std::move(chain.chain), std::move(chain.integers)});
    } else {
      LoweredKernel kernel = lower(program_, traced, group, Numbers::bakedIn, options_.contract);
      kernel.kernel.fastMath = options_.fastMath;
      lowered.push_back({std::move(kernel.kernel), {}, std::move(kernel.integers)});
    }
  }
  times.fusion += since(fusionBegin);

  auto variant = std::make_unique<Variant>(Variant{std::move(traced.guards), {}, {}, {}, {}});
  variant->symbols.resize(static_cast<std::size_t>(variant->guards.symbolCount()));
  std::vector<Place> places(traced.values.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) places[i] = i;
  const auto placesOf = [&places](const std::vector<ValueId>& values) {
    std::vector<Place> found;
    found.reserve(values.size());
    for (const ValueId value : values) found.push_back(places[static_cast<std::size_t>(value)]);
    return found;
  };
  const auto executables = make(lowered, times);
  variant->steps.reserve(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Step& step = variant->steps.emplace_back();
    step.executable = executables[g];
    step.inputs = placesOf(groups[g].inputs);
    step.results.reserve(groups[g].outputs.size());
    for (ValueId value : groups[g].outputs) {
      Result& result = step.results.emplace_back();
      result.place = places[static_cast<std::size_t>(value)] = inputs.size() + variant->made.size();
      result.extents = traced.layout(value).extents;
      result.known = true;
      Tensor& made = variant->made.emplace_back();
      made.dtype = traced[value].dtype;
      for (const SymbolicSize& extent : result.extents) {
        result.known &= extent.isConstant();
        made.shape.push(extent.isConstant() ? extent.constant() : 0);
      }
      const TracedLayout& layout = traced.layout(value);
      if (!layout.order.isRowMajor()) result.strides = layout.strides;
      setStrides(result, variant->symbols, made);
      if (result.known)
        result.bytes = static_cast<std::size_t>(elementCount(made.shape)) * info(made.dtype).size;
    }
    step.sizes = std::move(lowered[g].integers);
    step.integers.resize(step.sizes.size());
    step.pointers.resize(step.inputs.size() + step.results.size());
  }
  variant->outputs = placesOf(program_.outputs);
  // Free each intermediate after the last step that reads it.
  std::vector<bool> seen(inputs.size() + variant->made.size(), false);
  for (Place output : variant->outputs) seen[output] = true;
  for (std::size_t s = variant->steps.size(); s-- > 0;)
    for (Place value : variant->steps[s].inputs) {
      if (!seen[value] && value >= inputs.size()) variant->steps[s].lastUses.push_back(value);
      seen[value] = true;
    }
  return variant;
}

/// Gives a result of known shape its strides.
void CompiledExecutor::setStrides(const Result& result, std::span<const std::int64_t> symbols,
                                  Tensor& made) {
  made.strides = contiguousStrides(made.shape);
  if (result.strides.empty()) return;
  for (std::size_t d = 0; d < result.strides.size(); ++d)
    made.strides[static_cast<int>(d)] = result.strides[d].evaluate(symbols);
  made.contiguous = isContiguous(made.shape, made.strides);
}

/// Gives outputs their dtypes and known shapes, so that a call has only to set blocks.
void CompiledExecutor::prepare(const Variant& variant) {
  const std::size_t inputs = program_.inputs.size();
  outputs_.clear();
  for (const Place output : variant.outputs)
    outputs_.push_back(output < inputs ? Tensor() : variant.made[output - inputs]);
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
  if (prepared_ != &variant) prepare(variant);
  Allocator& allocator = backend_.allocator();
  const std::size_t inputCount = inputs.size();
  Tensor* const values = variant.made.data();
  Recorder* const recorder = backend_.splitRecorder();
  for (Step& step : variant.steps) {
    mark(recorder, CallPart::dispatch);
    void** pointer = step.pointers.data();
    for (const Place place : step.inputs)
      *pointer++ = place < inputCount ? inputs[place].data() : values[place - inputCount].data();
    for (std::size_t i = 0; i < step.sizes.size(); ++i)
      step.integers[i] = step.sizes[i].evaluate(variant.symbols);
    mark(recorder, CallPart::allocate);
    for (const Result& result : step.results) {
      Tensor& made = values[result.place - inputCount];
      if (result.known) {
        made.block = BlockRef(allocator.allocate(result.bytes));
      } else {
        for (std::size_t d = 0; d < result.extents.size(); ++d)
          made.shape[static_cast<int>(d)] = result.extents[d].evaluate(variant.symbols);
        setStrides(result, variant.symbols, made);
        allocateTensor(allocator, made);
      }
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
    Tensor& output = outputs_[o];
    if (place < inputCount) {
      output = inputs[place];
      continue;
    }
    const Tensor& value = values[place - inputCount];
    output.block = value.block;
    output.shape = value.shape;
    output.strides = value.strides;
    output.contiguous = value.contiguous;
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
  std::unique_ptr<Variant> variant = compile(inputs, times);
  variant->guards.hold(inputs, variant->symbols.data());
  const auto begin = Clock::now();
  run(*variant, inputs);
  backend_.synchronise();
  times.firstLaunch = since(begin);
  variants_.push_back(std::move(variant));
  statistics_.compiles.push_back({std::move(reason), times});
  return outputs_;
}

std::vector<Chain> CompiledExecutor::chains(std::span<const Tensor> inputs) {
  std::vector<Chain> result;
  if (making_ != Making::chained) return result;
  const ProgramTrace traced = trace(program_, inputs, specialise_);
  for (const FusionGroup& group : fuse(program_, traced))
    result.push_back(lowerChain(program_, traced, group).chain);
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
