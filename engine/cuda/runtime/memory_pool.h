// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cuda/driver/device.h"
#include "engine/device/caching_pool.h"
#include "engine/device/device_error.h"

namespace fusebench::cuda {

/// Device memory for the work of one stream. Freed blocks are kept and can be reused immediately,
/// without a call to the driver. Memory comes from one of the driver's own pools if the device has
/// them (which can merge free memory), otherwise from cuMemAlloc.
class MemoryPool final : public CachingPool {
 public:
  /// `stream`: where the memory is used. `driverPool`: use the driver's pools if there are any.
  MemoryPool(std::shared_ptr<const Device> device, Stream stream, bool driverPool = true);
  ~MemoryPool() override;

  bool usesDriverPool() const { return pool_ != nullptr; }
  /// Bytes that the driver has reserved for this pool, in use or not.
  std::size_t reservedBytes() const;
  /// While the stream is being captured, nothing may wait for it, so no memory can be freed.
  void setCapturing(bool capturing) { capturing_ = capturing; }

 private:
  void* take(std::size_t bytes, Pages pages) override;
  void giveBack(void* data, std::size_t bytes, Pages pages) noexcept override;
  bool mayTrim() override;
  [[noreturn]] void exhausted(std::size_t bytes) override;

  std::shared_ptr<const Device> device_;
  Stream stream_;
  bool capturing_ = false;
  MemoryPoolHandle pool_ = nullptr;
  Stream side_ = nullptr;  ///< where the driver's pool allocates: never captured, always idle
};

/// Host memory that the device can copy from and to without the driver's help, so that copies can
/// overlap with the host's work.
class PinnedBuffer {
 public:
  PinnedBuffer(std::shared_ptr<const Device> device, std::size_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<const Device> device_;
  void* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace fusebench::cuda
