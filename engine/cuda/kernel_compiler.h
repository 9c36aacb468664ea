// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/cubin_cache.h"
#include "engine/cuda/cuda_executable.h"
#include "engine/cuda/nvrtc.h"

namespace fusebench::cuda {

/// Kernel -> CUDA C++ -> machine code of one device -> loaded, with a cache on disk between.
class KernelCompiler {
 public:
  /// Throws std::runtime_error if the compiler makes no code for this device.
  KernelCompiler(std::shared_ptr<const Device> device, std::shared_ptr<const Nvrtc> nvrtc,
                 std::filesystem::path cacheFolder);

  /// Adds what it cost to `times` (not the count of kernels). Throws std::runtime_error.
  std::shared_ptr<CudaExecutable> compile(const Kernel& kernel, bool useDiskCache,
                                          CompileTimes& times);
  /// Several at once, on as many threads as the machine has cores; the phases in `times` then are
  /// what the clock shows, shared out in proportion to what the threads spent.
  std::vector<std::shared_ptr<CudaExecutable>> compileAll(std::span<const Kernel* const> kernels,
                                                          bool useDiskCache, CompileTimes& times);

  const Nvrtc& nvrtc() const { return *nvrtc_; }
  const CodeTarget& target() const { return target_; }
  RetiredModules& retired() { return *retired_; }

 private:
  struct Translated {
    Source source;
    CompiledCode code;
    CompileTimes times;
  };
  Translated translate(const Kernel& kernel, bool useDiskCache);
  std::shared_ptr<CudaExecutable> load(const Kernel& kernel, Translated translated,
                                       CompileTimes& times);
  std::string loadTrouble(const CudaError& error) const;

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Nvrtc> nvrtc_;
  CodeTarget target_;
  CubinCache cache_;
  std::shared_ptr<RetiredModules> retired_;
};

}  // namespace fusebench::cuda
