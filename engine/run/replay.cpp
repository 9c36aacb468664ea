// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/replay.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/ticks.h"
#include "engine/language/program.h"
#include "engine/language/program_errors.h"
#include "engine/plan/prepared.h"
#include "engine/run/value_checks.h"

namespace fusebench {
namespace {

std::size_t mixed(std::size_t hash, std::int64_t value) {
  // Multiplier of the 64-bit FNV hash; a collision costs a comparison only.
  return (hash ^ static_cast<std::size_t>(value)) * 0x100000001b3u;
}

std::size_t hashOf(std::span<const Tensor> inputs) {
  std::size_t hash = inputs.size();
  for (const Tensor& input : inputs) {
    hash = mixed(hash, static_cast<std::int64_t>(input.dtype));
    for (std::int64_t extent : input.shape) hash = mixed(hash, extent);
    if (!input.contiguous)
      for (std::int64_t stride : input.strides) hash = mixed(hash, stride);
  }
  return hash;
}

bool sameForm(const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && a.contiguous == b.contiguous && a.shape == b.shape &&
         (a.contiguous || a.strides == b.strides);
}

bool samePlace(const Tensor& a, const Tensor& b) {
  return a.block.get() == b.block.get() && a.offset == b.offset;
}

/// Inputs that belong to the program itself are known to be the same in every call.
std::vector<bool> stayingInputs(const Program& program, std::vector<bool> given) {
  if (given.size() == program.inputs.size()) return given;
  given = heldValues(program);
  given.resize(program.inputs.size());
  return given;
}

}  // namespace

ReplayExecutor::ReplayExecutor(Backend& backend, SharedProgram program,
                               std::unique_ptr<Executor> inner, int recordings,
                               std::vector<bool> stays)
    : backend_(backend),
      shared_(std::move(program)),
      program_(*shared_),
      written_(writtenInputs(program_)),
      stays_(stayingInputs(program_, std::move(stays))),
      inner_(std::move(inner)),
      limit_(static_cast<std::size_t>(std::max(1, recordings))) {
  if (!backend.traits().canCapture)
    throw std::invalid_argument(
        saying("the {} backend cannot record and replay launches", backend.name()));
}

std::span<const Tensor> ReplayExecutor::call(std::span<const Tensor> inputs) {
  if (inputs.size() != program_.inputs.size())
    throw ProgramError(
        {}, saying("the program takes {} inputs, not {}", program_.inputs.size(), inputs.size()));
  ++statistics_.calls;
  const std::size_t hash = hashOf(inputs);
  Recording* recording = find(inputs, hash);
  Recorder* const recorder = backend_.splitRecorder();
  if (recording) {
    mark(recorder, CallPart::copy);
    copyInputs(*recording, inputs);
  } else {
    noticeChanged(inputs);
    recording = &record(inputs, hash);
    if (program_.writesInto) copyInputs(*recording, inputs);  // recording has written to them
  }
  statistics_.eagerCalls += recording->eager;
  mark(recorder, CallPart::launch);
  backend_.replay(*recording->capture);
  if (program_.writesInto) copyWritten(*recording, inputs);
  mark(recorder, CallPart::dispatch);
  outputs_.resize(recording->outputs.size());
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    outputs_[o] = recording->outputs[o];
    // Where the recording returns its copy of an input, the call returns the input.
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!recording->shared[i] && outputs_[o].block.get() == recording->buffers[i].block.get()) {
        outputs_[o].block = inputs[i].block;
        outputs_[o].offset += inputs[i].offset;
        break;
      }
  }
  std::size_t next = program_.outputs.size();
  for (const SizeCheck& check : program_.checks)
    if (check.ofValue()) checkValue(backend_, program_, check, outputs_[next++], inputs);
  outputs_.resize(program_.outputs.size());
  return outputs_;
}

/// A recording contains launches on device memory only: it has no copies from and to host memory,
/// which the host takes part in.
void ReplayExecutor::checkCopies(std::span<const Tensor> inputs) const {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].memory != Memory::device)
      throw std::invalid_argument(
          saying("input {} is in host memory, and a graph's inputs must be on the device; run it "
                 "as eager, static or dynamic",
                 program_.inputs[i]));
  const auto copies = [](const Op& op) { return op.row->kind == OpKind::copy; };
  if (std::ranges::none_of(program_.ops, copies)) return;
  const Plan plan = inner_->plan(inputs);
  for (const Step& step : plan.steps) {
    if (step.kind != Step::Kind::copy) continue;
    const Op& op = plan.program->ops[static_cast<std::size_t>(step.group.ops.front())];
    failProgram(op.place, std::string(op.row->name) +
                              " is a copy, and a recording contains launches only; run it as "
                              "eager, static or dynamic");
  }
}

ReplayExecutor::Recording* ReplayExecutor::find(std::span<const Tensor> inputs, std::size_t hash) {
  for (auto entry = recordings_.begin(); entry != recordings_.end(); ++entry) {
    if (entry->hash != hash || !std::equal(inputs.begin(), inputs.end(), entry->buffers.begin(),
                                           entry->buffers.end(), sameForm))
      continue;
    bool inPlace = true;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      inPlace &= !entry->shared[i] || samePlace(inputs[i], entry->buffers[i]);
    if (!inPlace) continue;
    if (entry != recordings_.begin()) recordings_.splice(recordings_.begin(), recordings_, entry);
    return &*entry;
  }
  return nullptr;
}

/// An input that was expected to stay the same and did not is copied in later calls.
void ReplayExecutor::noticeChanged(std::span<const Tensor> inputs) {
  for (const Recording& recording : recordings_)
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (recording.shared[i] && sameForm(inputs[i], recording.buffers[i]) &&
          !samePlace(inputs[i], recording.buffers[i]))
        stays_[i] = false;
}

ReplayExecutor::Recording& ReplayExecutor::record(std::span<const Tensor> inputs,
                                                  std::size_t hash) {
  const std::int64_t begin = steadyNanoseconds();
  std::string why = reason(inputs);
  if (!recordings_.empty()) ++statistics_.guardFailures;
  checkCopies(inputs);
  Recording made;
  made.hash = hash;
  makeBuffers(made, inputs);
  copyInputs(made, inputs);
  // Once for real, so that everything is compiled and loaded when recording begins.
  const std::uint64_t eagerBefore = inner_->statistics().eagerCalls;
  inner_->call(made.buffers);
  backend_.synchronize();
  made.eager = inner_->statistics().eagerCalls != eagerBefore;
  outputs_.clear();  // they may be of the recording that goes
  while (recordings_.size() >= limit_) recordings_.pop_back();

  backend_.beginCapture();
  try {
    const auto outputs = inner_->call(made.buffers);
    made.outputs.assign(outputs.begin(), outputs.end());
  } catch (...) {
    made.outputs.clear();
    backend_.abandonCapture();
    throw;
  }
  made.capture = backend_.endCapture();

  CompileTimes times = newInnerTimes();
  const std::int64_t all = steadyNanoseconds() - begin;
  times.capture = std::max<std::int64_t>(0, all - times.total());
  statistics_.compiles.push_back({std::move(why), times});
  recordings_.push_front(std::move(made));
  return recordings_.front();
}

void ReplayExecutor::makeBuffers(Recording& recording, std::span<const Tensor> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& input = inputs[i];
    recording.shared.push_back(stays_[i] && !written_[i]);
    if (recording.shared.back()) {
      recording.buffers.push_back(input);
      recording.bytes.push_back(0);
      continue;
    }
    // The recording's launches have these strides compiled in or as arguments, so the buffer keeps
    // them and holds all between the first element and the last.
    Tensor buffer = input;
    buffer.offset = 0;
    const std::size_t bytes = spanBytes(input);
    buffer.block = BlockRef(backend_.allocator().allocate(bytes));
    recording.buffers.push_back(std::move(buffer));
    recording.bytes.push_back(bytes);
  }
}

void ReplayExecutor::copyInputs(const Recording& recording, std::span<const Tensor> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (recording.bytes[i] > 0)
      backend_.copyWithin(recording.buffers[i].data(), inputs[i].data(), recording.bytes[i]);
}

/// Data written to the recording's own buffers belong to the caller's tensors.
void ReplayExecutor::copyWritten(const Recording& recording, std::span<const Tensor> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (written_[i] && recording.bytes[i] > 0)
      backend_.copyWithin(inputs[i].data(), recording.buffers[i].data(), recording.bytes[i]);
}

/// The inner executor's compile times since the last call of this function.
CompileTimes ReplayExecutor::newInnerTimes() {
  CompileTimes sum;
  const auto& compiles = inner_->statistics().compiles;
  for (; innerCompilesSeen_ < compiles.size(); ++innerCompilesSeen_)
    sum += compiles[innerCompilesSeen_].times;
  return sum;
}

std::string ReplayExecutor::reason(std::span<const Tensor> inputs) const {
  if (statistics_.compiles.empty()) return "first call";
  if (recordings_.empty()) return "no recording is left";
  const std::vector<Tensor>& last = recordings_.front().buffers;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (recordings_.front().shared[i] && sameForm(inputs[i], last[i]) &&
        !samePlace(inputs[i], last[i]))
      return fmt::format("input {}: not the tensor of all earlier calls", program_.inputs[i]);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!sameForm(inputs[i], last[i]))
      return inputs[i].shape == last[i].shape
                 ? fmt::format("input {}: this dtype or layout is not recorded", program_.inputs[i])
                 : fmt::format("input {}: {} is not recorded", program_.inputs[i],
                               toString(inputs[i].shape));
  return "not recorded any more";
}

}  // namespace fusebench
