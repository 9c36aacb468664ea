// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/memory_pool.h"

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

// Pointers to device memory travel as void*, as all of the engine has them; the host never reads
// through them.
void* asPointer(DevicePointer address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}
DevicePointer asAddress(void* pointer) {
  return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(pointer));
}

std::string mebibytes(std::size_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

MemoryPool::MemoryPool(std::shared_ptr<const Device> device, Stream stream, bool driverPool)
    : device_(std::move(device)), stream_(stream) {
  if (!driverPool || !device_->info().memoryPools) return;
  device_->use();
  const Driver& driver = device_->driver();
  MemoryPoolProperties properties{};
  properties.allocationType = kPinnedAllocation;
  properties.locationType = kDeviceLocation;
  properties.location = device_->info().index;
  driver.memPoolCreate(&pool_, &properties);
  try {
    driver.streamCreate(&side_, kStreamNonBlocking);
  } catch (...) {
    driver.memPoolDestroy.attempt(pool_);
    throw;
  }
}

MemoryPool::~MemoryPool() {
  const Driver& driver = device_->driver();
  if (device_->tryUse()) driver.streamSynchronize.attempt(stream_);
  trim();
  if (pool_) {
    driver.streamSynchronize.attempt(side_);
    driver.streamDestroy.attempt(side_);
    driver.memPoolDestroy.attempt(pool_);
  }
}

std::size_t MemoryPool::reservedBytes() const {
  if (!pool_) return statistics().heldBytes;
  device_->use();
  std::uint64_t bytes = 0;
  device_->driver().memPoolGetAttribute(pool_, kPoolReservedCurrent, &bytes);
  return bytes;
}

void* MemoryPool::take(std::size_t bytes, Pages /*pages*/) {
  device_->use();
  const Driver& driver = device_->driver();
  DevicePointer address = 0;
  const Result result = pool_ ? driver.memAllocFromPoolAsync.attempt(&address, bytes, pool_, side_)
                              : driver.memAlloc.attempt(&address, bytes);
  if (result == kOutOfMemory) return nullptr;
  if (result != kSuccess)
    throw CudaError(pool_ ? driver.memAllocFromPoolAsync.name : driver.memAlloc.name, result,
                    saying("allocating {}", mebibytes(bytes)));
  // The block is for another stream than the one that it was allocated in.
  if (pool_) driver.streamSynchronize(side_);
  return asPointer(address);
}

void MemoryPool::giveBack(void* data, std::size_t /*bytes*/, Pages /*pages*/) noexcept {
  // In a context that an error has spoilt this fails, and its memory is gone with it.
  if (!device_->tryUse()) return;
  const Driver& driver = device_->driver();
  if (pool_) {
    driver.memFreeAsync.attempt(asAddress(data), side_);
  } else {
    driver.memFree.attempt(asAddress(data));
  }
}

bool MemoryPool::mayTrim() {
  if (capturing_) return false;
  device_->use();
  device_->driver().streamSynchronize(stream_);  // queued work may use what is pooled
  return true;
}

void MemoryPool::exhausted(std::size_t bytes) {
  const Driver& driver = device_->driver();
  const CudaError error(pool_ ? driver.memAllocFromPoolAsync.name : driver.memAlloc.name,
                        kOutOfMemory,
                        saying("{} requested on {}", mebibytes(bytes), device_->info().name));
  std::string text = error.what();
  Device::Memory memory;
  if (driver.memGetInfo.attempt(&memory.free, &memory.total) == kSuccess)
    text += saying(", {} of {} free", mebibytes(memory.free), mebibytes(memory.total));
  throw DeviceOutOfMemory(saying("{}, {} in use here", text, mebibytes(statistics().blockBytes)));
}

PinnedBuffer::PinnedBuffer(std::shared_ptr<const Device> device, std::size_t bytes)
    : device_(std::move(device)), bytes_(bytes) {
  device_->use();
  device_->driver().memHostAlloc(&data_, bytes, 0);
}

PinnedBuffer::~PinnedBuffer() {
  if (device_->tryUse()) device_->driver().memFreeHost.attempt(data_);
}

}  // namespace fusebench::cuda
