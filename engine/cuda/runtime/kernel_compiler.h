// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/driver/nvrtc.h"
#include "engine/cuda/runtime/cubin_cache.h"
#include "engine/cuda/runtime/cuda_executable.h"
#include "engine/cuda/shipped/shipped_kernels.h"

namespace fusebench::cuda {

/// Kernel -> CUDA C++ -> machine code of one device -> loaded. Code that ships comes before the
/// cache on disk, and that before NVRTC.
class KernelCompiler {
 public:
  /// `nvrtc`: see Nvrtc::open. Where there is none, only load() and what ships work; `shipped`:
  /// whether that is used. Throws std::runtime_error if
  /// the compiler makes no code for this device.
  KernelCompiler(std::shared_ptr<const Device> device, const std::string& nvrtc,
                 std::filesystem::path cacheFolder, bool shipped);

  /// Calls this when the driver refuses code that ships: ships() may be false afterward.
  void setWhenRefused(std::function<void()> call) { whenRefused_ = std::move(call); }

  /// Whether eager's kernels ship for this device and NVRTC.
  bool ships() const { return shipped_.machineCode || shipped_.ptx; }
  /// Whether this one is among them.
  bool ships(const Kernel& kernel) const;

  /// Null where there is none; and why.
  const std::shared_ptr<const Nvrtc>& nvrtc() const { return nvrtc_; }
  const std::string& missing() const { return missing_; }

  /// Adds the time that it took to `times` (not the count of kernels). If the driver refuses
  /// machine code of this NVRTC, later kernels get PTX. Throws std::runtime_error.
  std::shared_ptr<CompiledKernel> compile(const Kernel& kernel, bool useDiskCache,
                                          CompileTimes& times);
  /// The same with a source that is not made from the kernel, which gives it its name and form.
  std::shared_ptr<CompiledKernel> compile(const Kernel& kernel, Source source, bool useDiskCache,
                                          CompileTimes& times);
  /// The same from existing machine code or PTX. Throws CudaError if the driver refuses it.
  std::shared_ptr<CompiledKernel> load(const Kernel& kernel, Source source, std::string_view code,
                                       CompileTimes& times);
  /// Several at once, on as many threads as the machine has cores; the phases in `times` then are
  /// elapsed times, divided in proportion to the threads' times.
  std::vector<std::shared_ptr<CompiledKernel>> compileAll(std::span<const Kernel* const> kernels,
                                                          bool useDiskCache, CompileTimes& times);

  const CodeTarget& target() const { return target_; }
  RetiredModules& retired() { return *retired_; }

 private:
  struct Translated {
    Source source;
    CompiledCode code;
    CompileTimes times;
  };
  Translated translate(const Kernel& kernel, bool useDiskCache, bool wide = false);
  void compileSource(const Kernel& kernel, bool useDiskCache, Translated& made);
  /// Whether the generated code ships; `made` then has it.
  bool findShipped(const Kernel& kernel, Translated& made) const;
  bool findOther(const Kernel& kernel, const CudaError& error, bool useDiskCache,
                 Translated& refused);
  /// Loads the result of translate().
  std::shared_ptr<CompiledKernel> load(const Kernel& kernel, Translated translated,
                                       bool useDiskCache, CompileTimes& times);
  std::shared_ptr<CompiledKernel> loadOnce(const Kernel& kernel, const CompiledCode& code,
                                           Source source, CompiledKernel::MakeWide makeWide,
                                           CompileTimes& times);
  std::string loadTrouble(const CudaError& error) const;

  std::shared_ptr<const Device> device_;
  std::string missing_;
  std::shared_ptr<const Nvrtc> nvrtc_;
  CodeTarget target_;
  ShippedArchives shipped_;
  std::function<void()> whenRefused_;
  CubinCache cache_;
  std::shared_ptr<RetiredModules> retired_;
};

}  // namespace fusebench::cuda
