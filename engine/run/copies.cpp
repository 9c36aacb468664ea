// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/copies.h"

#include <array>

#include "engine/plan/plan_values.h"

namespace fusebench {
namespace {

using Line = CopyQueue::Line;

/// Marks are good for some hundred further ones.
constexpr std::size_t kMostInFlight = 64;

}  // namespace

Copies::~Copies() {
  if (inFlight_.empty() && buffers_.empty()) return;
  try {
    backend_.synchronize();
  } catch (...) {  // a device that is lost copies nothing any more
  }
}

HostMemory& Copies::host() {
  if (!host_) host_ = std::make_unique<HostMemory>(backend_);
  return *host_;
}

Allocator& Copies::allocatorOf(Memory memory) {
  return memory == Memory::device ? backend_.allocator() : host().pool(memory);
}

/// Frees memory whose copies are done. The host may write into memory that it gets next, so memory
/// that is still being read is not reused.
void Copies::releaseFinished() {
  if (inFlight_.size() >= kMostInFlight) {
    backend_.synchronize();
    inFlight_.clear();
  }
  while (!inFlight_.empty() && host().copies().isReached(Line::launches, inFlight_.front().mark))
    inFlight_.pop_front();
}

/// Copies into the one of two buffers that the call before the last one used, as soon as its
/// launches are through; the launches that follow wait for the copy.
void Copies::beside(const Op& op, const Tensor& from, Tensor& result, std::size_t bytes) {
  CopyQueue& copies = host().copies();
  Buffers& both = buffers_[&op];
  Buffer& last = both.turns[both.next ^ 1];
  if (last.block) {
    last.used = copies.mark(Line::launches);
    last.usedBefore = true;
  }
  Buffer& own = both.turns[both.next];
  both.next ^= 1;
  if (!own.block || own.block.get()->bytes < bytes) {
    own.block = BlockRef(backend_.allocator().allocate(bytes));
    // Memory is handed on in the order of launches.
    copies.await(Line::beside, copies.mark(Line::launches));
  } else if (own.usedBefore) {
    copies.await(Line::beside, own.used);
  }
  result.block = own.block;
  copies.in(Line::beside, result.data(), from.data(), bytes, true);
  const CopyQueue::Mark arrived = copies.mark(Line::beside);
  copies.await(Line::launches, arrived);
  inFlight_.push_back({arrived, from.block});
}

void Copies::run(const Op& op, const Tensor& from, Tensor& result) {
  Recorder* const recorder = backend_.splitRecorder();
  mark(recorder, CallPart::allocate);
  const bool toDevice = result.memory == Memory::device, ofDevice = from.memory == Memory::device;
  if (!toDevice || overlap_) releaseFinished();
  const std::size_t bytes = result.bytes();
  if (bytes > 0 && isBeside(op, from.memory, overlap_)) {
    mark(recorder, CallPart::copy);
    return beside(op, from, result, bytes);
  }
  result.block = BlockRef(allocatorOf(result.memory).allocate(bytes));
  if (bytes == 0) return;
  mark(recorder, CallPart::copy);
  if (toDevice && ofDevice) return backend_.copyWithin(result.data(), from.data(), bytes);
  CopyQueue& copies = host().copies();
  if (!toDevice && !ofDevice) return copies.onHost(result.data(), from.data(), bytes);
  const Tensor& outside = toDevice ? from : result;
  const bool pinned = outside.memory == Memory::pinned;
  if (toDevice)
    copies.in(Line::launches, result.data(), from.data(), bytes, pinned);
  else
    copies.out(Line::launches, result.data(), from.data(), bytes, pinned);
  if (waits(op)) {
    mark(recorder, CallPart::wait);
    backend_.synchronize();
    inFlight_.clear();
  } else {
    inFlight_.push_back({copies.mark(Line::launches), outside.block});
  }
}

void Copies::fetch(const Tensor& from) {
  mark(backend_.splitRecorder(), CallPart::wait);
  std::array<std::byte, 8> element{};
  backend_.copyOut(element.data(), from, info(from.dtype).size);
}

}  // namespace fusebench
