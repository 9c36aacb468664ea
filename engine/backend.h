// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/kernel.h"
#include "engine/tensor.h"

namespace fusebench {

/// Where a compiled kernel came from.
enum class CompileSource : std::uint8_t { compiled, disk, memory };

/// What compiling cost, in nanoseconds, by phase. Phases that did not happen are 0.
struct CompileTimes {
  std::int64_t trace = 0;     ///< program -> typed ops for these inputs
  std::int64_t fusion = 0;    ///< ops -> kernels
  std::int64_t codegen = 0;   ///< kernel -> the compiler's input
  std::int64_t compiler = 0;  ///< the compiler itself
  std::int64_t load = 0;      ///< object code -> callable (from disk: reading it, too)
  std::int64_t firstLaunch = 0;
  int kernels = 0;     ///< how many kernels were asked for
  int fromDisk = 0;    ///< of these, found in the disk cache
  int fromMemory = 0;  ///< of these, already loaded in this process

  std::int64_t total() const { return trace + fusion + codegen + compiler + load + firstLaunch; }
  CompileTimes& operator+=(const CompileTimes& other);
};

/// A kernel ready to launch on one backend.
class Executable {
 public:
  virtual ~Executable() = default;
  const std::string& name() const { return name_; }

 protected:
  explicit Executable(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// The arguments of one launch; see Kernel for their order. Nothing is kept after launch() returns
/// on a synchronous backend; blocks must outlive the execution.
struct LaunchArguments {
  void* const* pointers = nullptr;
  const std::int64_t* integers = nullptr;
  const float* scalars = nullptr;
};

/// What a backend made of a kernel, to be read.
struct GeneratedCode {
  std::string language;  ///< "llvm", "assembly"
  std::string text;
  std::vector<int> lineOps;  ///< per line: the op (of Kernel::ops) that it stands for; -1: none
};

/// Allocate, compile, launch, synchronise. Knows nothing of executors.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  ///< "cpu"
  virtual std::string description()
      const = 0;  ///< one line for people: model, vector unit, threads
  virtual Allocator& allocator() = 0;

  /// Compiles, or finds compiled, the kernel; adds what it cost to `times`. Throws
  /// std::runtime_error.
  virtual std::shared_ptr<const Executable> compile(const Kernel& kernel, CompileTimes& times) = 0;

  /// The code that compile() makes of the kernel, each stage of it, made anew. Throws
  /// std::runtime_error.
  virtual std::vector<GeneratedCode> code(const Kernel& /*kernel*/) { return {}; }

  /// Enqueues one execution. Counted.
  virtual void launch(const Executable& executable, const LaunchArguments& arguments) = 0;
  virtual void synchronise() = 0;
  std::uint64_t launches() const { return launches_; }

  /// Drops every kernel compiled so far (executables in use stay valid), so that the next compile
  /// is a first one or comes from disk.
  virtual void forgetKernels() = 0;
  virtual void useDiskCache(bool use) = 0;

  virtual void setThreads(int threads) = 0;
  virtual int threads() const = 0;

  /// Copies between host memory and a block, synchronously.
  virtual void copyIn(const Tensor& to, const void* from, std::size_t bytes) = 0;
  virtual void copyOut(void* to, const Tensor& from, std::size_t bytes) = 0;

 protected:
  std::uint64_t launches_ = 0;
};

}  // namespace fusebench
