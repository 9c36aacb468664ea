// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/delivery.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "engine/device/host_memory.h"
#include "engine/device/memory_use.h"

namespace fusebench {
namespace {

using Line = CopyQueue::Line;

bool isAlike(const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides;
}

}  // namespace

DeliveringExecutor::DeliveringExecutor(Backend& backend, std::unique_ptr<Executor> inner,
                                       const Delivery& delivery)
    : backend_(backend),
      inner_(std::move(inner)),
      delivery_(delivery),
      copies_(backend.makeCopyQueue()),
      slots_(static_cast<std::size_t>(std::max(0, delivery.prefetch)) + 1) {
  if (!copies_)
    throw std::invalid_argument(
        fmt::format("the {} backend cannot copy inputs from host memory", backend.name()));
}

DeliveringExecutor::~DeliveringExecutor() {
  copies_.reset();  // before the memory that its copies go to
}

DeliveringExecutor::Source& DeliveringExecutor::sourceOf(std::span<const Tensor> inputs) {
  const auto is = [&](const Source& source) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (source.identity[i] != inputs[i].data() || !isAlike(source.seen[i], inputs[i]))
        return false;
    return source.seen.size() == inputs.size();
  };
  if (before_ && before_->next && is(*before_->next)) return *before_->next;
  for (const auto& source : sources_)
    if (is(*source)) return *source;
  auto made = std::make_unique<Source>();
  for (const Tensor& input : inputs) {
    const std::size_t bytes = spanBytes(input);
    made->identity.push_back(input.data());
    made->bytes.push_back(bytes);
    made->host.push_back(copies_->hostMemory(bytes, delivery_.from == Delivery::From::pinned));
    if (bytes > 0) readTensor(backend_, made->host.back(), input, bytes);
    Tensor form = input;
    form.memory = Memory::device;
    form.block.reset();
    form.offset = 0;
    made->seen.push_back(std::move(form));
  }
  sources_.push_back(std::move(made));
  return *sources_.back();
}

void DeliveringExecutor::fill(Slot& slot, const Source& source, Line line) {
  if (line == Line::beside && slot.usedBefore) copies_->await(line, slot.used);
  const bool fits = slot.tensors.size() == source.seen.size() &&
                    std::equal(slot.tensors.begin(), slot.tensors.end(), source.seen.begin(),
                               [](const Tensor& a, const Tensor& b) { return isAlike(a, b); });
  if (!fits) {
    // Memory is handed on in the order of launches: they wait for what is copied into the old, and
    // the copies for who used the new.
    if (line == Line::beside) copies_->await(Line::launches, copies_->mark(Line::beside));
    slot.tensors = source.seen;
    for (std::size_t i = 0; i < source.seen.size(); ++i)
      slot.tensors[i].block = BlockRef(backend_.allocator().allocate(source.bytes[i]));
    if (line == Line::beside) copies_->await(Line::beside, copies_->mark(Line::launches));
  }
  for (std::size_t i = 0; i < source.seen.size(); ++i)
    if (source.bytes[i] > 0)
      copies_->in(line, slot.tensors[i].data(), source.host[i], source.bytes[i],
                  delivery_.from == Delivery::From::pinned);
  slot.holds = &source;
  slot.turn = ++turns_;
  if (line == Line::beside) slot.arrived = copies_->mark(line);
}

/// Where the source's tensors are or will be: if in none yet, in the slot used longest ago, and one
/// whose tensors still wait to be used only where there is no other.
DeliveringExecutor::Slot& DeliveringExecutor::slotOf(const Source& source, Line line) {
  for (Slot& slot : slots_)
    if (slot.holds == &source) return slot;
  const auto age = [](const Slot& slot) { return std::pair(slot.holds != nullptr, slot.turn); };
  Slot& oldest = *std::ranges::min_element(slots_, {}, age);
  fill(oldest, source, line);
  return oldest;
}

void DeliveringExecutor::fetchResults(std::span<const Tensor> results) {
  resultMemory_.resize(std::max(resultMemory_.size(), results.size()));
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (results[r].memory != Memory::device) continue;  // the program brought it there
    const std::size_t bytes = spanBytes(results[r]);
    auto& [memory, room] = resultMemory_[r];
    const bool pinned = delivery_.from == Delivery::From::pinned;
    if (room < bytes) {
      memory = copies_->hostMemory(bytes, pinned);
      room = bytes;
    }
    if (bytes > 0) copies_->out(Line::launches, memory, results[r].data(), bytes, pinned);
  }
  backend_.synchronise();
}

std::span<const Tensor> DeliveringExecutor::call(std::span<const Tensor> inputs) {
  Recorder* const recorder = backend_.splitRecorder();
  std::span<const Tensor> results;
  if (delivery_.from == Delivery::From::device || inputs.empty()) {
    results = inner_->call(inputs);
  } else {
    mark(recorder, CallPart::copy);
    Source& source = sourceOf(inputs);
    if (before_) before_->next = &source;
    before_ = &source;
    const bool beside = delivery_.prefetch > 0;
    Slot& slot = slotOf(source, beside ? Line::beside : Line::launches);
    if (beside) copies_->await(Line::launches, slot.arrived);
    results = inner_->call(slot.tensors);
    slot.holds = nullptr;  // what it holds has been used: it comes anew the next time
    slot.turn = ++turns_;
    if (beside) {
      slot.used = copies_->mark(Line::launches);
      slot.usedBefore = true;
      mark(recorder, CallPart::copy);
      const Source* next = source.next;
      for (int ahead = 0; ahead < delivery_.prefetch && next; ++ahead, next = next->next)
        slotOf(*next, Line::beside);
    }
  }
  if (delivery_.results) {
    mark(recorder, CallPart::copy);
    fetchResults(results);
  }
  return results;
}

}  // namespace fusebench
