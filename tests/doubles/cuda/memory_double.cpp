// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's functions for memory: allocation, pools, copies.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/driver_call.h"

using namespace fusebench::cuda;
using namespace fusebench::test;

EXPORTED Result cuMemAlloc_v2(DevicePointer* address, std::size_t bytes) {
  Call call;
  if (call.result) return call.result;
  if (call.machine.forbiddenByCapture()) return kCaptureUnsupported;
  return call.machine.allocate(address, bytes, false);
}

EXPORTED Result cuMemFree_v2(DevicePointer address) {
  Call call;
  const auto found = call.machine.allocations.find(address);
  if (found == call.machine.allocations.end() || found->second.given) return kInvalidValue;
  if (call.machine.forbiddenByCapture()) return kCaptureUnsupported;
  call.machine.drainDevice(*found->second.device);  // waits for all work, as cuMemFree does
  const Result freed = call.machine.release(address);
  return call.result ? call.result : freed;
}

EXPORTED Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  Call call;
  if (call.result) return call.result;
  *total = kDeviceBytes;
  *free = call.machine.freeBytes(*Machine::current());
  return 0;
}

EXPORTED Result cuMemHostAlloc(void** data, std::size_t bytes, unsigned) {
  Call call;
  if (call.result) return call.result;
  if (call.machine.forbiddenByCapture()) return kCaptureUnsupported;
  DevicePointer address = 0;
  const Result result = call.machine.allocate(&address, bytes, true);
  *data = reinterpret_cast<void*>(address);
  return result;
}

EXPORTED Result cuMemFreeHost(void* data) {
  Call call;
  return call.machine.release(reinterpret_cast<std::uintptr_t>(data));
}

EXPORTED Result cuMemPoolCreate(MemoryPoolHandle* pool, const MemoryPoolProperties* properties) {
  Call call;
  if (call.result) return call.result;
  if (!validDevice(properties->location)) return kInvalidValue;
  DeviceState* device = &call.machine.devices[static_cast<std::size_t>(properties->location)];
  *pool = reinterpret_cast<MemoryPoolHandle>(
      call.machine.pools.add(std::make_unique<DeviceState*>(device)));
  return 0;
}

EXPORTED Result cuMemPoolDestroy(MemoryPoolHandle pool) {
  Call call;
  return call.machine.pools.erase(pool) ? 0 : kInvalidHandle;
}

EXPORTED Result cuMemPoolGetAttribute(MemoryPoolHandle pool, int attribute, void* value) {
  Call call;
  DeviceState** device = call.machine.pools.find(pool);
  if (!device || attribute != kPoolReservedCurrent) return kInvalidValue;
  const std::uint64_t used = kDeviceBytes - call.machine.freeBytes(**device);
  std::memcpy(value, &used, sizeof used);
  return 0;
}

EXPORTED Result cuMemAllocFromPoolAsync(DevicePointer* address, std::size_t bytes,
                                        MemoryPoolHandle pool, Stream stream) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (call.result) return call.result;
  DeviceState** device = call.machine.pools.find(pool);
  if (!device || *device != Machine::current()) return kInvalidHandle;
  if (queue->capture) return kCaptureUnsupported;
  // Memory that was freed earlier in this stream can be reused at once.
  if (std::none_of(queue->queue.begin(), queue->queue.end(),
                   [](const Operation& operation) { return operation.isKernel; }))
    call.machine.drain(*queue);
  return call.machine.allocate(address, bytes, false);
}

EXPORTED Result cuMemFreeAsync(DevicePointer address, Stream stream) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (!queue) return call.result;
  if (queue->capture) return kCaptureUnsupported;
  if (call.result) {  // the context is lost; its memory goes with it
    call.machine.release(address);
    return call.result;
  }
  const auto found = call.machine.allocations.find(address);
  if (found == call.machine.allocations.end() || found->second.given) return kInvalidValue;
  found->second.given = true;
  return call.machine.enqueue(*queue, {false, {}, [address] { Machine::get().release(address); }});
}

namespace {

/// Host memory that is not pinned is read at once, as a driver stages it; pinned memory when the
/// copy runs. What is copied to the host arrives only then, too: who reads earlier sees it.
Result copy(DevicePointer to, DevicePointer from, std::size_t bytes, Stream stream,
            std::uint32_t function) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (call.result) return call.result;
  if (bytes == 0) return 0;
  const LoggedCall logged(function);
  const bool fromHost = function == kLoggedHostToDevice, toHost = function == kLoggedDeviceToHost;
  if ((!toHost && !call.machine.inDeviceMemory(to, bytes)) ||
      (!fromHost && !call.machine.inDeviceMemory(from, bytes)))
    return logged(kInvalidValue);
  const CopyWork told{false, fromHost ? 1 : toHost ? 2 : 8, bytes};
  const std::int64_t cost = call.machine.control.costs.copy;
  auto* target = reinterpret_cast<void*>(to);
  const auto* source = reinterpret_cast<const void*>(from);
  if (fromHost && !call.machine.isPinned(source)) {
    if (queue->capture) return kCaptureUnsupported;
    const auto* begin = static_cast<const unsigned char*>(source);
    return logged(
        call.machine.enqueue(*queue,
                             {false,
                              {},
                              [target, staged = std::vector<unsigned char>(begin, begin + bytes)] {
                                std::memcpy(target, staged.data(), staged.size());
                              },
                              told},
                             cost));
  }
  return logged(call.machine.enqueue(
      *queue, {false, {}, [=] { std::memcpy(target, source, bytes); }, told}, cost));
}

}  // namespace

EXPORTED Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void* from, std::size_t bytes,
                                     Stream stream) {
  return copy(to, reinterpret_cast<DevicePointer>(from), bytes, stream, kLoggedHostToDevice);
}
EXPORTED Result cuMemcpyDtoHAsync_v2(void* to, DevicePointer from, std::size_t bytes,
                                     Stream stream) {
  return copy(reinterpret_cast<DevicePointer>(to), from, bytes, stream, kLoggedDeviceToHost);
}
EXPORTED Result cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, std::size_t bytes,
                                     Stream stream) {
  return copy(to, from, bytes, stream, kLoggedWithinDevice);
}

EXPORTED Result cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t bytes,
                                Stream stream) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (call.result) return call.result;
  const LoggedCall logged(kLoggedFill);
  if (!call.machine.inDeviceMemory(to, bytes)) return logged(kInvalidValue);
  return logged(
      call.machine.enqueue(*queue,
                           {false,
                            {},
                            [=] { std::memset(reinterpret_cast<void*>(to), value, bytes); },
                            CopyWork{true, 0, bytes}},
                           call.machine.control.costs.fill));
}
