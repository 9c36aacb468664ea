// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/compiled.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/ticks.h"
#include "engine/plan/bounds.h"
#include "engine/run/value_checks.h"

namespace fusebench {
CompiledExecutor::CompiledExecutor(Backend& backend, SharedProgram program, const PlanOptions& plan,
                                   const ExecutorOptions& options)
    : shared_(std::move(program)),
      program_(*shared_),
      backend_(backend),
      options_(planOptionsFor(plan, backend.traits(), options.planChoices())),
      recompileLimit_(std::max(1, options.recompileLimit)),
      search_(options.search),
      inTicks_(runsOpLists() && backend.traits().isSynchronous),
      copies_(backend, options.overlap) {
  if (runsOpLists() && backend.traits().shipsOps) listCosts_ = backend.traits().listCosts;
}

CompiledExecutor::Moment CompiledExecutor::now() const {
  return inTicks_ ? static_cast<Moment>(ticks()) : steadyNanoseconds();
}

std::int64_t CompiledExecutor::nanoseconds(Moment span) const {
  if (!inTicks_) return span;
  return static_cast<std::int64_t>(static_cast<double>(span) / ticksPerNanosecond());
}

/// Gives each step what it launches and the sizes that its launches take. Returns when compiling
/// began, less what was compiled before that.
CompiledExecutor::Moment CompiledExecutor::compileKernels(Specialization& made,
                                                          CompileTimes& times) {
  const std::vector<Step>& steps = made.plan.steps;
  std::vector<Kernel> kernels;
  std::vector<std::size_t> compiled;  // steps that are kernels
  std::int64_t ofCalls = 0;           // nanoseconds: what was compiled for library calls
  kernels.reserve(steps.size());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (!isKernel(steps[s])) {
      const std::int64_t before = times.total();
      if (isCall(steps[s].kind)) setLibrary(made, s, times);
      ofCalls += times.total() - before;
      continue;
    }
    compiled.push_back(s);
    LoweredKernel lowered = lowerKernel(made.plan, steps[s]);
    made.launches[s].countedFrom = std::move(lowered.countedFrom);
    kernels.push_back(std::move(lowered.kernel));
    made.launches[s].sizes = std::move(lowered.integers);
  }
  const auto begin = now();
  std::vector<const Kernel*> wanted;
  for (const Kernel& kernel : kernels) wanted.push_back(&kernel);
  const auto executables = backend_.compileAll(wanted, times);
  for (std::size_t k = 0; k < compiled.size(); ++k)
    made.launches[compiled[k]].executable = executables[k];
  return begin - ofCalls;
}

void CompiledExecutor::setLibrary(Specialization& made, std::size_t step, CompileTimes& times) {
  LoweredCall lowered = lowerCall(made.plan, made.plan.steps[step]);
  lowered.call.search = search_;
  made.launches[step].sizes = std::move(lowered.integers);
  made.launches[step].executable = libraryOf(backend_, lowered.call, times);
}

/// The same for op lists, one after the other. Adds the time that this took since `begin`, but for
/// putting them together, to that of fusion.
void CompiledExecutor::assembleOpLists(Specialization& made, Moment begin, CompileTimes& times) {
  for (std::size_t s = 0; s < made.plan.steps.size(); ++s) {
    if (s > 0) begin = now();
    if (!isKernel(made.plan.steps[s])) {
      if (isCall(made.plan.steps[s].kind)) setLibrary(made, s, times);
      times.fusion += nanoseconds(now() - begin);
      continue;
    }
    // An op in types that have no pieces: a kernel of its own, which any sizes share.
    if (made.plan.steps[s].kind == Step::Kind::kernel) [[unlikely]] {
      LoweredKernel alone = lowerKernel(made.plan, made.plan.steps[s]);
      times.fusion += nanoseconds(now() - begin);
      made.launches[s].sizes = std::move(alone.integers);
      made.launches[s].scalars = std::move(alone.scalars);
      made.launches[s].countedFrom = std::move(alone.countedFrom);
      made.launches[s].executable = backend_.compile(alone.kernel, times);
      continue;
    }
    LoweredOpList lowered = lowerOpList(made.plan, made.plan.steps[s]);
    times.fusion += nanoseconds(now() - begin);
    made.launches[s].sizes = std::move(lowered.integers);
    made.launches[s].executable = backend_.assemble(std::move(lowered.list), times);
  }
}

std::unique_ptr<CompiledExecutor::Specialization> CompiledExecutor::compile(
    std::span<const Tensor> inputs, Moment begin, CompileTimes& times) {
  auto made = std::make_unique<Specialization>();
  Plan& plan = made->plan;
  planForms(plan, program_, inputs, options_);
  const auto stepsBegin = now();
  times.specialize += nanoseconds(stepsBegin - begin);
  chooseRoutes(plan, inputs);
  planSteps(plan);
  preferSingleOpKernels(plan);
  made->launches.resize(plan.steps.size());
  if (runsOpLists())
    assembleOpLists(*made, stepsBegin, times);
  else
    times.fusion += nanoseconds(compileKernels(*made, times) - stepsBegin);
  made->symbols.resize(static_cast<std::size_t>(plan.guards.symbolCount()));

  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    Launch& launch = made->launches[s];
    launch.integers.resize(launch.sizes.size());
    launch.pointers.resize(plan.steps[s].reads.size() + launch.countedFrom.size() +
                           plan.steps[s].writes.size());
    if (plan.values.places.empty()) continue;
    const auto addOffset = [&](ValueId value) {
      launch.offsets.push_back(
          plan.values.offset(value) *
          SymbolicSize(static_cast<std::int64_t>(info(plan.values.dtype(value)).size)));
    };
    for (const ValueId value : plan.steps[s].group.inputs) addOffset(value);
    if (!plan.values.names.empty()) {  // parts are written, too
      launch.offsets.resize(launch.offsets.size() + launch.countedFrom.size(), SymbolicSize(0));
      for (const ValueId value : plan.steps[s].group.outputs) addOffset(value);
    }
    launch.byteOffsets.resize(launch.offsets.size());
  }
  // Those of the program that is planned: its values are numbered otherwise where it has gradients.
  const std::vector<ValueId>& outputs = plan.program->outputs;
  for (std::size_t o = 0; o < outputs.size(); ++o)
    if (plan.values.isView(outputs[o])) made->viewed.push_back({o, {}});
  for (const PlanCheck& check : plan.checks) made->checks.push_back({check, {}, 0});
  for (std::size_t s = 0; s < plan.steps.size(); ++s)
    if (plan.steps[s].kind == Step::Kind::copy)
      made->copies.push_back(
          {s,
           &plan.program->ops[static_cast<std::size_t>(plan.steps[s].group.ops.front())],
           {},
           0});
  made->made.resize(plan.written.size());
  for (std::size_t i = 0; i < made->made.size(); ++i) {
    Tensor& tensor = made->made[i].tensor;
    const ValueId value = plan.written[i];
    tensor.dtype = plan.values.dtype(value);
    tensor.memory = plan.values.memory(value);
    tensor.shape =
        Shape::filled(static_cast<int>(plan.values.extents(plan.values.space(value)).size()), 0);
  }
  return made;
}

/// Works out what follows from the symbols: the launches' integers, and the shapes of what is made.
/// Nothing is launched for sizes that were not looked at here.
void CompiledExecutor::resolve(Specialization& made, std::span<const Tensor> inputs) {
  const std::span<const std::int64_t> symbols = made.symbols;
  checkSizes(made.plan, symbols, inputs);
  ShortList<std::int64_t, 8> rooms;
  for (const Tensor& input : inputs) {
    input.checkInBlock();
    rooms.push_back(static_cast<std::int64_t>(input.block.get()->bytes / info(input.dtype).size) -
                    input.offset);
  }
  checkBounds(made.plan, symbols, rooms);
  for (Launch& launch : made.launches)
    for (std::size_t i = 0; i < launch.sizes.size(); ++i)
      launch.integers[i] = launch.sizes[i].evaluate(symbols);
  for (Launch& launch : made.launches)
    for (std::size_t i = 0; i < launch.offsets.size(); ++i)
      launch.byteOffsets[i] = launch.offsets[i].evaluate(symbols);
  for (std::size_t s = 0; s < made.launches.size(); ++s) {
    Launch& launch = made.launches[s];
    void** pointer = launch.pointers.data() + made.plan.steps[s].reads.size();
    for (const SymbolicSize& from : launch.countedFrom)
      *pointer++ = reinterpret_cast<void*>(from.evaluate(symbols));
  }
  const PlanValues& values = made.plan.values;
  for (std::size_t i = 0; i < made.made.size(); ++i) {
    const ValueId value = made.plan.written[i];
    Tensor& tensor = made.made[i].tensor;
    const SizeList<SymbolicSize>& extents = values.extents(values.space(value));
    for (std::size_t d = 0; d < extents.size(); ++d)
      tensor.shape[static_cast<int>(d)] = extents[d].evaluate(symbols);
    tensor.strides = contiguousStrides(tensor.shape);
    if (const PlanValues::ValueLayout* const own = values.layout(value)) {
      for (std::size_t d = 0; d < own->strides.size(); ++d)
        tensor.strides[static_cast<int>(d)] = own->strides[d].evaluate(symbols);
      tensor.contiguous = isContiguous(tensor.shape, tensor.strides);
    }
    made.made[i].bytes = tensor.bytes();
  }
  for (ViewedOutput& view : made.viewed) {
    const ValueId value = made.plan.program->outputs[view.output];
    static_cast<Form&>(view.tensor) = formOf(values, value, symbols);
    view.tensor.offset = values.offset(value).evaluate(symbols);
  }
  for (Awaited& each : made.checks) {
    const ValueId value = made.plan.program->checks[each.check.check].value;
    each.form = formOf(values, value, symbols);
    each.offset = values.offset(value).evaluate(symbols);
  }
  for (Copied& each : made.copies) {
    const ValueId value = made.plan.steps[each.step].group.inputs.front();
    each.from = formOf(values, value, symbols);
    each.offset = values.offset(value).evaluate(symbols);
  }
  made.resolvedFor = made.symbols;
}

/// Gives outputs their dtypes and shapes, so that a call has only to set blocks.
void CompiledExecutor::prepare(const Specialization& made) {
  const std::size_t inputs = program_.inputs.size();
  const auto& slots = made.plan.outputs;
  outputs_.resize(slots.size());
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    if (slots[o] >= inputs) outputs_[o] = made.made[slots[o] - inputs].tensor;
  prepared_ = &made;
}

void CompiledExecutor::run(Specialization& made, std::span<const Tensor> inputs) {
  try {
    runSteps(made, inputs);
  } catch (...) {  // no memory, or a launch that failed: nothing half done stays
    for (Made& result : made.made) result.tensor.block.reset();
    for (Tensor& output : outputs_) output.block.reset();
    prepared_ = nullptr;  // the specialization may go, and another may get its address
    throw;
  }
}

/// Waits for one of the values that the program checks.
void CompiledExecutor::await(const Specialization& made, std::size_t check,
                             std::span<const Tensor> inputs) {
  const Awaited& each = made.checks[check];
  const Slot slot = each.check.slot;
  const Tensor& holder =
      slot < inputs.size() ? inputs[slot] : made.made[slot - inputs.size()].tensor;
  Tensor seen;
  static_cast<Form&>(seen) = each.form;
  seen.block = holder.block;
  seen.offset = holder.offset + each.offset;
  const Program& program = *made.plan.program;
  checkValue(backend_, program, program.checks[each.check.check], seen, inputs);
}

/// Runs a step that is a copy.
void CompiledExecutor::copy(Specialization& made, std::size_t step,
                            std::span<const Tensor> inputs) {
  const Copied& each = *std::ranges::find(made.copies, step, &Copied::step);
  const auto tensorOf = [&](Slot slot) -> Tensor& {
    return made.made[slot - inputs.size()].tensor;
  };
  const Step& planned = made.plan.steps[step];
  const Slot slot = planned.reads.front();
  const Tensor& holder = slot < inputs.size() ? inputs[slot] : tensorOf(slot);
  Tensor from;
  static_cast<Form&>(from) = each.from;
  from.block = holder.block;
  from.offset = holder.offset + each.offset;
  if (planned.writes.empty()) return copies_.fetch(from);
  copies_.run(*each.op, from, tensorOf(planned.writes.front()));
}

void CompiledExecutor::runSteps(Specialization& made, std::span<const Tensor> inputs) {
  Recorder* const recorder = backend_.splitRecorder();
  if (const bool resolved = made.isResolved(); !resolved || prepared_ != &made) {
    mark(recorder, CallPart::dispatch);
    if (!resolved) resolve(made, inputs);
    prepare(made);
  }
  Allocator& allocator = backend_.allocator();
  const std::size_t inputCount = inputs.size();
  Made* const values = made.made.data();
  Launch* const first = made.launches.data();
  Launch* launch = first;
  std::size_t check = 0;
  const auto awaitAfter = [&](std::ptrdiff_t step) {
    for (; check < made.checks.size() && made.checks[check].check.afterStep == step; ++check)
      await(made, check, inputs);
  };
  if (!made.checks.empty()) awaitAfter(-1);
  for (const Step& step : made.plan.steps) {
    mark(recorder, CallPart::dispatch);
    if (step.kind == Step::Kind::copy) [[unlikely]] {
      copy(made, static_cast<std::size_t>(launch - first), inputs);
    } else {
      void** pointer = launch->pointers.data();
      for (const Slot slot : step.reads)
        *pointer++ =
            slot < inputCount ? inputs[slot].data() : values[slot - inputCount].tensor.data();
      pointer += launch->countedFrom.size();
      mark(recorder, CallPart::allocate);
      for (const Slot slot : step.writes) {
        if (slot < inputCount) {  // in place
          *pointer++ = inputs[slot].data();
          continue;
        }
        Made& result = values[slot - inputCount];
        if (!result.tensor.block) result.tensor.block = BlockRef(allocator.allocate(result.bytes));
        *pointer++ = result.tensor.data();
      }
      for (std::size_t i = 0; i < launch->byteOffsets.size(); ++i)
        if (launch->byteOffsets[i] != 0)
          launch->pointers[i] =
              static_cast<std::byte*>(launch->pointers[i]) + launch->byteOffsets[i];
      mark(recorder, CallPart::launch);
      backend_.launch(*launch->executable,
                      {launch->pointers.data(), launch->integers.data(), launch->scalars.data(),
                       static_cast<std::int32_t>(launch - first)});
    }
    if (check < made.checks.size()) awaitAfter(launch - first);
    ++launch;
    if (step.lastUses.empty()) continue;
    mark(recorder, CallPart::allocate);
    for (const Slot slot : step.lastUses) values[slot - inputCount].tensor.block.reset();
  }
  mark(recorder, CallPart::dispatch);
  const auto& slots = made.plan.outputs;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    if (slots[o] < inputCount)
      outputs_[o] = inputs[slots[o]];
    else
      outputs_[o].block = values[slots[o] - inputCount].tensor.block;
  }
  for (const ViewedOutput& view : made.viewed) {
    Tensor& output = outputs_[view.output];
    Tensor seen = view.tensor;
    // A computed value begins at the start of its memory.
    if (const Slot slot = slots[view.output]; slot < inputCount) seen.offset += inputs[slot].offset;
    seen.block = std::move(output.block);
    output = std::move(seen);
  }
  for (const Slot slot : slots)
    if (slot >= inputCount) values[slot - inputCount].tensor.block.reset();
}

std::span<const Tensor> CompiledExecutor::call(std::span<const Tensor> inputs) {
  if (inputs.size() != program_.inputs.size())
    throw ProgramError(
        {}, saying("the program takes {} inputs, not {}", program_.inputs.size(), inputs.size()));
  ++statistics_.calls;
  for (Tensor& output : outputs_) output.block.reset();
  bool otherSizes = false;
  for (const auto& made : specializations_) {
    if (!made->plan.guards.hold(inputs, made->symbols.data())) continue;
    if (made->appliesTo(listCosts_)) {
      run(*made, inputs);
      return outputs_;
    }
    otherSizes = true;
  }
  std::string reason = "first call";
  if (!specializations_.empty()) {
    ++statistics_.guardFailures;
    reason = otherSizes ? (listCosts_ ? "op lists of these sizes are run differently"
                                      : "ops along rows of these sizes are run differently")
                        : specializations_.back()->plan.guards.failure(inputs, program_.inputs);
  }
  if (atLimit()) {
    ++statistics_.eagerCalls;
    if (!fallback_)
      fallback_ = std::make_unique<EagerExecutor>(backend_, shared_, search_, options_.overlap);
    return fallback_->call(inputs);
  }
  CompileTimes times;
  const auto begin = now();
  std::unique_ptr<Specialization> made = compile(inputs, begin, times);
  made->plan.guards.hold(inputs, made->symbols.data());
  const auto ready = now();
  // Putting an op list together is what making its code is.
  if (runsOpLists())
    times.codegen += std::max<std::int64_t>(0, nanoseconds(ready - begin) - times.total());
  run(*made, inputs);
  backend_.synchronize();
  times.firstLaunch = nanoseconds(now() - ready);
  specializations_.push_back(std::move(made));
  statistics_.compiles.push_back({std::move(reason), times});
  return outputs_;
}

namespace {

/// Whether an op list is one op, which a kernel of its own does at least as well: nothing is saved
/// by pieces. Where chains were weighed, those that these say.
bool isBetterAlone(const Plan& plan, const Step& step) {
  if (step.kind != Step::Kind::opList || step.group.ops.size() != 1) return false;
  return plan.chains.empty() || step.group.alone;
}

/// Gives a step of one op its operands in the order in which eager's kernel takes them.
void readAsWritten(const Program& program, Step& step) {
  const Step before = step;
  step.group.inputs = {};
  step.reads = {};
  const Op& op = program.ops[static_cast<std::size_t>(step.group.ops.front())];
  for (const Operand& operand : op.operands) {
    if (operand.isNumber()) continue;
    const auto& inputs = before.group.inputs;
    const auto at = std::ranges::find(inputs, operand.value) - inputs.begin();
    if (at == std::ssize(inputs)) {  // it has another name by now: it stays as it is
      step = before;
      return;
    }
    step.group.inputs.push_back(operand.value);
    step.reads.push_back(before.reads[static_cast<std::size_t>(at)]);
  }
}

}  // namespace

void CompiledExecutor::chooseRoutes(Plan& plan, Forms inputs) const {
  if (!listCosts_) return;
  plan.chains = chainsOf(plan, [this](const Kernel& kernel) { return backend_.ships(kernel); });
  ShortList<std::int64_t, 16> symbols(static_cast<std::size_t>(plan.guards.symbolCount()));
  plan.guards.hold(inputs, symbols.data());
  fusebench::chooseRoutes(plan.chains, plan.values, symbols, *listCosts_);
}

void CompiledExecutor::preferSingleOpKernels(Plan& plan) const {
  if (!runsOpLists() || !backend_.traits().shipsOps) return;
  for (Step& step : plan.steps) {
    if (!isBetterAlone(plan, step)) continue;
    Step alone = step;
    alone.group.alone = true;
    readAsWritten(*plan.program, alone);
    if (!backend_.ships(lowerKernel(plan, alone).kernel)) continue;
    alone.kind = Step::Kind::kernel;
    step = std::move(alone);
  }
}

Plan CompiledExecutor::planned(Forms inputs) const {
  Plan made;
  planForms(made, program_, inputs, options_);
  chooseRoutes(made, inputs);
  planSteps(made);
  preferSingleOpKernels(made);
  return made;
}

Plan CompiledExecutor::plan(Forms inputs) const {
  if (atLimit() && inputs.size() == program_.inputs.size()) {
    ShortList<std::int64_t, 16> symbols;
    for (const auto& made : specializations_) {
      symbols.resize(made->symbols.size());
      if (made->plan.guards.hold(inputs, symbols.data())) return planned(inputs);
    }
    return makePlan(program_, inputs,
                    planOptionsFor({.grouping = PlanOptions::Grouping::perOp}, backend_.traits(),
                                   {.overlap = options_.overlap}));
  }
  return planned(inputs);
}

}  // namespace fusebench
