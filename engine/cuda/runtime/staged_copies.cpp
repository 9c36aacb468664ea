// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/staged_copies.h"

#include <algorithm>
#include <cstring>

#include "engine/cuda/codegen/launch_sizes.h"
#include "engine/cuda/driver/driver_errors.h"

namespace fusebench::cuda {

StagedCopies::StagedCopies(std::shared_ptr<const Device> device, Stream stream)
    : device_(std::move(device)), stream_(stream) {}

StagedCopies::~StagedCopies() {
  if (!device_->tryUse()) return;
  for (const Buffer& buffer : buffers_)
    if (buffer.copied) device_->driver().eventDestroy.attempt(buffer.copied);
}

/// False where memory cannot be pinned: a limit of the system's, say. Then the driver copies.
bool StagedCopies::prepare() {
  if (refused_) return false;
  try {
    for (Buffer& buffer : buffers_) {
      if (!buffer.copied) device_->driver().eventCreate(&buffer.copied, kEventDisableTiming);
      if (!buffer.memory) buffer.memory = std::make_unique<PinnedBuffer>(device_, kBytes);
    }
  } catch (const CudaError& error) {
    if (error.isSticky()) throw;
    refused_ = true;
  }
  return !refused_;
}

void StagedCopies::wait(const Buffer& buffer) const {
  device_->driver().eventSynchronize(buffer.copied);
}

void StagedCopies::in(DevicePointer to, const void* from, std::size_t bytes) {
  const Driver& driver = device_->driver();
  device_->use();
  if (!stages(bytes) || !prepare()) {
    driver.memcpyHtoDAsync(to, from, bytes, stream_);
    return;
  }
  const auto* const bytesOf = static_cast<const std::byte*>(from);
  for (std::size_t at = 0, turn = 0; at < bytes; at += kBytes, ++turn) {
    const Buffer& buffer = buffers_[turn % 2];
    const std::size_t part = std::min(kBytes, bytes - at);
    wait(buffer);  // which is nothing the first time
    std::memcpy(buffer.memory->data(), bytesOf + at, part);
    driver.memcpyHtoDAsync(to + at, buffer.memory->data(), part, stream_);
    driver.eventRecord(buffer.copied, stream_);
  }
}

void StagedCopies::out(void* to, DevicePointer from, std::size_t bytes) {
  const Driver& driver = device_->driver();
  device_->use();
  if (!stages(bytes) || !prepare()) {
    driver.memcpyDtoHAsync(to, from, bytes, stream_);
    return;
  }
  auto* const bytesOf = static_cast<std::byte*>(to);
  const std::size_t turns = static_cast<std::size_t>(
      divideUp(static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(kBytes)));
  const auto partOf = [&](std::size_t turn) { return std::min(kBytes, bytes - turn * kBytes); };
  // One part ahead of what the host empties.
  for (std::size_t turn = 0; turn <= turns; ++turn) {
    if (turn < turns) {
      const Buffer& next = buffers_[turn % 2];
      driver.memcpyDtoHAsync(next.memory->data(), from + turn * kBytes, partOf(turn), stream_);
      driver.eventRecord(next.copied, stream_);
    }
    if (turn == 0) continue;
    const Buffer& done = buffers_[(turn - 1) % 2];
    wait(done);
    std::memcpy(bytesOf + (turn - 1) * kBytes, done.memory->data(), partOf(turn - 1));
  }
}

}  // namespace fusebench::cuda
