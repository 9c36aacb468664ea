// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>

#include "engine/cuda/runtime/interpreted_op_list.h"
#include "engine/cuda/runtime/kernel_compiler.h"

namespace fusebench::cuda {

/// The interpreter on one device: loaded when an op list first needs it, and then shared by all. It
/// is the shipped one if there is no NVRTC or if the same NVRTC version made it; otherwise NVRTC
/// compiles it, or it is found on disk. Op lists that reduce have a separate one.
class Interpreter {
 public:
  /// `stream`: where op lists will run; `memory`: for their instructions.
  Interpreter(KernelCompiler& compiler, std::shared_ptr<const Device> device, Stream stream,
              Allocator& memory);

  /// Adds the time that it took to `times`. Throws std::runtime_error, CudaError,
  /// DeviceOutOfMemory.
  std::shared_ptr<const InterpretedOpList> assemble(const OpList& list, bool useDiskCache,
                                                    CompileTimes& times);
  /// Op lists in use stay valid.
  void forget() { made_ = {}; }

 private:
  std::shared_ptr<const CompiledKernel> get(bool reduces, bool useDiskCache, CompileTimes& times);

  KernelCompiler& compiler_;
  std::shared_ptr<const Device> device_;
  Stream stream_;
  Allocator& memory_;
  std::array<std::shared_ptr<const CompiledKernel>, 2>
      made_;  ///< the second one is for reducing op lists
};

}  // namespace fusebench::cuda
