// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/delivery.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/device/memory_use.h"

namespace fusebench {
namespace {

using Line = CopyQueue::Line;

bool isAlike(const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides;
}

/// The places of so many rows in a data set, each once: the same in every run.
std::vector<std::size_t> shuffledPlaces(std::size_t rows) {
  std::vector<std::size_t> places(rows);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::uint64_t state = 1;
  for (std::size_t i = rows; i-- > 1;) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
    std::swap(places[i], places[(state >> 33) % (i + 1)]);
  }
  return places;
}

}  // namespace

DeliveringExecutor::DeliveringExecutor(Backend& backend, std::unique_ptr<Executor> inner,
                                       const Delivery& delivery)
    : backend_(backend),
      inner_(std::move(inner)),
      delivery_(delivery),
      host_(std::make_unique<HostMemory>(backend)),
      copies_(&host_->copies()),
      slots_(static_cast<std::size_t>(std::max(0, delivery.prefetch)) + 1) {}

DeliveringExecutor::~DeliveringExecutor() {
  while (!ahead_.empty()) dropAhead();
  staged_.clear();
  gathering_.clear();  // left by a call that ended in the middle
  host_.reset();       // before the memory that its copies go to
}

/// Copies an input to host memory: in its own layout, or its rows to shuffled places.
void DeliveringExecutor::keep(Source& source, const Tensor& input) {
  const std::size_t bytes = spanBytes(input);
  source.bytes.push_back(bytes);
  source.host.push_back(copies_->hostMemory(bytes, delivery_.from == Delivery::From::pinned));
  auto& rows = source.rows.emplace_back();
  if (bytes == 0) return;
  const bool gathers = delivery_.gathers && input.contiguous && input.shape.rank() > 0;
  if (!gathers) return readTensor(backend_, source.host.back(), input, bytes);
  const auto count = static_cast<std::size_t>(input.shape[0]);
  const std::size_t each = bytes / count;
  std::vector<std::byte> elements(bytes);
  readTensor(backend_, elements.data(), input, bytes);
  auto* const set = static_cast<std::byte*>(source.host.back());
  const std::vector<std::size_t> places = shuffledPlaces(count);
  for (std::size_t row = 0; row < count; ++row) {
    rows.push_back(set + places[row] * each);
    copies_->onHost(set + places[row] * each, elements.data() + row * each, each);
  }
}

/// Puts a batch together in memory that no copy reads any more.
const void* DeliveringExecutor::gathered(const Source& source, std::size_t input) {
  const auto& rows = source.rows[input];
  if (rows.empty()) return source.host[input];
  const auto ready = std::ranges::find(ahead_, &source, &Ahead::source);
  if (ready != ahead_.end() && ready->blocks[input]) {
    copies_->finish(ready->tickets[input]);
    gathering_.push_back(std::move(ready->blocks[input]));
    ready->blocks[input].reset();
    return gathering_.back().get()->data;
  }
  releaseStaged();
  const bool pinned = delivery_.from == Delivery::From::pinned;
  gathering_.emplace_back(
      host_->pool(pinned ? Memory::pinned : Memory::host).allocate(source.bytes[input]));
  void* const batch = gathering_.back().get()->data;
  copies_->gather(batch, rows, source.bytes[input] / rows.size());
  return batch;
}

bool DeliveringExecutor::isGathering(const Source& source) const {
  return std::ranges::find(ahead_, &source, &Ahead::source) != ahead_.end();
}

void DeliveringExecutor::beginGathering(const Source& source) {
  releaseStaged();
  const bool pinned = delivery_.from == Delivery::From::pinned;
  // Among those that are waited for from the start: what one worker began must be waited for even
  // where there is no memory for the next input.
  Ahead& batch = ahead_.emplace_back();
  batch.source = &source;
  batch.blocks.resize(source.rows.size());
  batch.tickets.resize(source.rows.size());
  for (std::size_t i = 0; i < source.rows.size(); ++i) {
    const auto& rows = source.rows[i];
    if (rows.empty()) continue;
    BlockRef block(host_->pool(pinned ? Memory::pinned : Memory::host).allocate(source.bytes[i]));
    batch.tickets[i] =
        copies_->gatherBeside(nextWorker_, block.get()->data, rows, source.bytes[i] / rows.size());
    batch.blocks[i] = std::move(block);
    nextWorker_ = (nextWorker_ + 1) % delivery_.workers;
  }
}

/// Drops a batch that was not requested.
void DeliveringExecutor::dropAhead() {
  Ahead& batch = ahead_.front();
  for (std::size_t i = 0; i < batch.blocks.size(); ++i)
    if (batch.blocks[i]) copies_->finish(batch.tickets[i]);
  ahead_.pop_front();
}

/// The batches after those that are copied ahead: as many as there are workers.
void DeliveringExecutor::gatherAhead(const Source& source) {
  const Source* next = source.next;
  while (std::ssize(ahead_) > 2 * (delivery_.prefetch + delivery_.workers)) dropAhead();
  for (int ahead = 0; ahead < delivery_.prefetch + delivery_.workers && next;
       ++ahead, next = next->next) {
    const bool there =
        std::ranges::any_of(slots_, [&](const Slot& slot) { return slot.holds == next; });
    if (!there && !isGathering(*next)) beginGathering(*next);
  }
}

void DeliveringExecutor::releaseStaged() {
  while (!staged_.empty() && copies_->isReached(staged_.front().line, staged_.front().mark))
    staged_.pop_front();
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
    made->identity.push_back(input.data());
    keep(*made, input);
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
      copies_->in(line, slot.tensors[i].data(), gathered(source, i), source.bytes[i],
                  delivery_.from == Delivery::From::pinned);
  std::erase_if(ahead_, [&](const Ahead& batch) { return batch.source == &source; });
  slot.holds = &source;
  slot.turn = ++turns_;
  if (line == Line::beside) slot.arrived = copies_->mark(line);
  if (gathering_.empty()) return;
  const CopyQueue::Mark mark = line == Line::beside ? slot.arrived : copies_->mark(line);
  for (BlockRef& block : gathering_) staged_.push_back({line, mark, std::move(block)});
  gathering_.clear();
}

/// Where the source's tensors are or will be: if in none yet, in the slot used longest ago, and one
/// whose tensors still wait to be used only where there is no other; never `besides`.
DeliveringExecutor::Slot& DeliveringExecutor::slotOf(const Source& source, Line line,
                                                     const Slot* besides) {
  for (Slot& slot : slots_)
    if (slot.holds == &source && &slot != besides) return slot;
  const auto age = [besides](const Slot& slot) {
    return std::tuple(&slot == besides, slot.holds != nullptr, slot.turn);
  };
  Slot& oldest = *std::ranges::min_element(slots_, {}, age);
  fill(oldest, source, line);
  return oldest;
}

void DeliveringExecutor::fetchResults(std::span<const Tensor> results) {
  resultMemory_.resize(std::max(resultMemory_.size(), results.size()));
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (results[r].memory != Memory::device) continue;  // the program copied it there
    const std::size_t bytes = spanBytes(results[r]);
    auto& [memory, room] = resultMemory_[r];
    const bool pinned = delivery_.from == Delivery::From::pinned;
    if (room < bytes) {
      memory = copies_->hostMemory(bytes, pinned);
      room = bytes;
    }
    if (bytes > 0) copies_->out(Line::launches, memory, results[r].data(), bytes, pinned);
  }
  backend_.synchronize();
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
    if (beside) {
      copies_->await(Line::launches, slot.arrived);
      if (delivery_.workers > 0) gatherAhead(source);
      // Before the launches, so that copies overlap with them even if the call waits.
      const Source* next = source.next;
      for (int ahead = 0; ahead < delivery_.prefetch && next; ++ahead, next = next->next)
        slotOf(*next, Line::beside, &slot);
    }
    results = inner_->call(slot.tensors);
    slot.holds = nullptr;  // its contents have been used: they are copied again the next time
    slot.turn = ++turns_;
    if (beside) {
      slot.used = copies_->mark(Line::launches);
      slot.usedBefore = true;
    }
  }
  if (delivery_.results) {
    mark(recorder, CallPart::copy);
    fetchResults(results);
  }
  return results;
}

}  // namespace fusebench
