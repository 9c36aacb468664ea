// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/runtime/memory_pool.h"

namespace fusebench::cuda {

/// Large copies between host and device through two pinned buffers: while the device copies one,
/// the host fills or empties the other. For memory that is not pinned, the driver does the two one
/// after the other (CUDA C++ Best Practices Guide, "Pinned Memory"). The buffers are created at the
/// first such copy and kept.
class StagedCopies {
 public:
  /// Size in bytes of each buffer; smaller copies are left to the driver, which has its own.
  static constexpr std::size_t kBytes = std::size_t{4} << 20;

  static bool stages(std::size_t bytes) { return bytes >= kBytes; }

  StagedCopies(std::shared_ptr<const Device> device, Stream stream);
  ~StagedCopies();
  StagedCopies(const StagedCopies&) = delete;
  StagedCopies& operator=(const StagedCopies&) = delete;

  /// Complete when the stream is; `from` may be changed, and `to` read, only after that. These
  /// throw CudaError.
  void in(DevicePointer to, const void* from, std::size_t bytes);
  void out(void* to, DevicePointer from, std::size_t bytes);

 private:
  struct Buffer {
    std::unique_ptr<PinnedBuffer> memory;
    Event copied = nullptr;  ///< the device has finished using it
  };
  bool prepare();
  void wait(const Buffer& buffer) const;

  std::shared_ptr<const Device> device_;
  Stream stream_;
  std::array<Buffer, 2> buffers_;
  bool refused_ = false;  ///< no memory can be pinned here
};

}  // namespace fusebench::cuda
