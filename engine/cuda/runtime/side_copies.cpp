// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/side_copies.h"

namespace fusebench::cuda {
namespace {

DevicePointer deviceAddress(const void* pointer) {
  return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(pointer));
}

}  // namespace

SideCopies::SideCopies(std::shared_ptr<const Device> device, Stream launches)
    : device_(std::move(device)), launches_(launches) {
  device_->use();
  device_->driver().streamCreate(&side_, kStreamNonBlocking);
}

SideCopies::~SideCopies() {
  if (!device_->tryUse()) return;
  const Driver& driver = device_->driver();
  // Copies that run use what is about to go.
  driver.streamSynchronize.attempt(side_);
  driver.streamSynchronize.attempt(launches_);
  for (Event event : events_)
    if (event) driver.eventDestroy.attempt(event);
  driver.streamDestroy.attempt(side_);
}

void* SideCopies::hostMemory(std::size_t bytes, bool pinned) {
  const std::size_t room = bytes > 0 ? bytes : 1;
  if (pinned) {
    pinned_.push_back(std::make_unique<PinnedBuffer>(device_, room));
    return pinned_.back()->data();
  }
  pageable_.emplace_back(room);
  return pageable_.back().data();
}

void SideCopies::in(Line line, void* to, const void* from, std::size_t bytes, bool /*pinned*/) {
  device_->use();
  device_->driver().memcpyHtoDAsync(deviceAddress(to), from, bytes, stream(line));
}

void SideCopies::out(Line line, void* to, const void* from, std::size_t bytes, bool /*pinned*/) {
  device_->use();
  device_->driver().memcpyDtoHAsync(to, deviceAddress(from), bytes, stream(line));
}

CopyQueue::Mark SideCopies::mark(Line line) {
  device_->use();
  const Mark made = marks_++;
  Event& event = events_[made % kEvents];
  if (!event) device_->driver().eventCreate(&event, kEventDisableTiming);
  device_->driver().eventRecord(event, stream(line));
  return made;
}

void SideCopies::await(Line line, Mark mark) {
  if (marks_ == 0) return;
  device_->use();
  device_->driver().streamWaitEvent(stream(line), events_[mark % kEvents], 0);
}

bool SideCopies::isReached(Line /*line*/, Mark mark) {
  if (marks_ == 0) return true;
  device_->use();
  // An error is reported by the next call that waits.
  return device_->driver().eventQuery.attempt(events_[mark % kEvents]) != kNotReady;
}

}  // namespace fusebench::cuda
