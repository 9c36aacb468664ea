// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/driver/driver.h"

namespace fusebench::cuda {

/// The driver's description of one GPU.
struct DeviceInfo {
  int index = 0;     ///< in the driver's order, which CUDA_VISIBLE_DEVICES changes
  std::string uuid;  ///< "GPU-01234567-89ab-cdef-0123-456789abcdef", as nvidia-smi prints it
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  int maxThreadsPerBlock = 0;
  std::size_t memoryBytes = 0;
  std::size_t l2Bytes = 0;
  int clockKilohertz = 0;        ///< highest clock of the multiprocessors; 0: not known
  int memoryClockKilohertz = 0;  ///< highest clock of the memory; 0: not known
  int memoryBusBits = 0;         ///< 0: not known
  bool memoryPools = false;      ///< the driver has stream-ordered memory pools

  /// "NVIDIA H100 80GB HBM3, compute capability 9.0, 132 multiprocessors"
  std::string text() const;
};

/// All GPUs that the driver shows. Throws CudaError.
std::vector<DeviceInfo> listDevices(const Driver& driver);

/// The GPU that the user means: "" or "cuda" the first, "cuda:1" or "1" by index, "GPU-0123" by the
/// beginning of its UUID. Throws std::invalid_argument, listing those that exist.
const DeviceInfo& chooseDevice(std::span<const DeviceInfo> devices, std::string_view wanted);

/// The GPU of one of several ranks on this machine, counted from 0: the first rank has the GPU that
/// the user means, the others have the next ones in the driver's order, which wraps around after
/// its last.
const DeviceInfo& deviceOfRank(std::span<const DeviceInfo> devices, std::string_view first,
                               int rank);

/// The primary context of one GPU, held as long as this object lives. Each thread has one current
/// context: call use() before driver calls, so that several GPUs in one process are kept apart.
class Device {
 public:
  Device(std::shared_ptr<const Driver> driver, DeviceInfo info);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void use() const {
    if (current_ != this) [[unlikely]]
      makeCurrent();
  }
  /// The same where exceptions are not allowed; returns whether it worked.
  bool tryUse() const noexcept;

  const Driver& driver() const { return *driver_; }
  const DeviceInfo& info() const { return info_; }
  struct Memory {
    std::size_t free = 0, total = 0;
  };
  Memory memory() const;

 private:
  void makeCurrent() const;

  static thread_local const Device* current_;
  std::shared_ptr<const Driver> driver_;
  DeviceInfo info_;
  DeviceNumber number_ = 0;
  Context context_ = nullptr;
};

}  // namespace fusebench::cuda
