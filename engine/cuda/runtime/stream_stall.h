// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/runtime/memory_pool.h"
#include "engine/device/backend.h"

namespace fusebench::cuda {

/// Holds a stream back with a kernel of one thread that reads a word of the host's memory until the
/// host sets it. The method is nvbench's (its "blocking kernel"): what follows in the stream then
/// runs without waiting for the host. The kernel is PTX, which the driver compiles, so it needs no
/// NVRTC.
class StreamStall final : public DeviceStall {
 public:
  /// Waits for the stream. Throws CudaError.
  StreamStall(std::shared_ptr<const Device> device, Stream stream);
  ~StreamStall() override;
  StreamStall(const StreamStall&) = delete;
  StreamStall& operator=(const StreamStall&) = delete;

  void hold() override;
  void release() override;
  bool lasted() override;

 private:
  /// Shared by host and device.
  struct Words {
    std::uint32_t released, expired;
  };
  Words& words() const { return *static_cast<Words*>(words_.data()); }
  void launch(std::uint64_t nanoseconds);

  std::shared_ptr<const Device> device_;
  Stream stream_;
  PinnedBuffer words_;
  Module module_ = nullptr;
  Function kernel_ = nullptr;
};

/// The PTX, for devices of compute capability 7.5 and later.
const char* stallPtx();

}  // namespace fusebench::cuda
