// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/library/call_library.h"
#include "engine/cuda/runtime/cuda_backend.h"
#include "engine/cuda/runtime/stream_stall.h"
#include "engine/device/tensor.h"

namespace fusebench::cuda {

/// The libraries for one device's calls, each opened on first use.
class DeviceLibraries {
 public:
  DeviceLibraries(std::shared_ptr<const Device> device, const CudaOptions& options);

  /// Whether any of them should be used.
  bool areWanted() const { return wanted_; }
  /// The library for matmuls; null: there is none, and missingProducts() has the reason.
  CallLibrary* products() const;
  const std::string& missingProducts() const { return products_.missing; }
  /// The library for convolutions, in the same way.
  CallLibrary* convolutions() const;
  const std::string& missingConvolutions() const { return convolutions_.missing; }
  /// The library that can handle the call; null: none.
  CallLibrary* forCall(const LibraryCall& call) const;

 private:
  struct Sought {
    bool sought = false;
    std::string missing;                   ///< why there is none
    std::unique_ptr<CallLibrary> library;  ///< null: there is none
  };

  std::shared_ptr<const Device> device_;
  bool wanted_;
  std::string cublasLt_, cudnn_;
  mutable Sought products_, convolutions_;
};

/// The time that the device takes for one execution, in nanoseconds: the shortest of several
/// sequences of executions after a warm-up; 0: the call is not supported, or there is not enough
/// memory. `stall` holds the device back while a sequence is enqueued, so that the library's work
/// on the host does not count; without it (null) the host's pace determines the time. The call
/// reads its real operands; its result goes to memory that is not used.
double shortestExecution(const std::shared_ptr<const Device>& device, Stream stream,
                         StreamStall* stall, Allocator& memory, PreparedCall& tried,
                         const LibraryCall& call, const std::int64_t* integers,
                         void* const* pointers);

}  // namespace fusebench::cuda
