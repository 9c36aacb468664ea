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
  if (inFlight_.empty()) return;
  try {
    backend_.synchronise();
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

/// Lets go of memory whose copies are done. The host may write into what it is given next, so what
/// is still read is not given out.
void Copies::letGo() {
  if (inFlight_.size() >= kMostInFlight) {
    backend_.synchronise();
    inFlight_.clear();
  }
  while (!inFlight_.empty() && host().copies().isReached(Line::launches, inFlight_.front().mark))
    inFlight_.pop_front();
}

void Copies::run(const Op& op, const Tensor& from, Tensor& result) {
  Recorder* const recorder = backend_.splitRecorder();
  mark(recorder, CallPart::allocate);
  const bool toDevice = result.memory == Memory::device, ofDevice = from.memory == Memory::device;
  if (!toDevice) letGo();
  const std::size_t bytes = result.bytes();
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
    backend_.synchronise();
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
