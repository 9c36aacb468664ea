// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/codegen/index_width.h"
#include "engine/cuda/driver/device.h"
#include "engine/cuda/instant/interpreter_abi.h"
#include "engine/device/backend.h"

namespace fusebench::cuda {

/// Modules whose kernels are not launched again. The driver waits before it unloads a module whose
/// kernels are running, and unloading is forbidden while a stream is being captured; so they are
/// unloaded when the device is idle anyway.
class RetiredModules {
 public:
  explicit RetiredModules(std::shared_ptr<const Device> device) : device_(std::move(device)) {}
  ~RetiredModules() { unload(); }
  RetiredModules(const RetiredModules&) = delete;
  RetiredModules& operator=(const RetiredModules&) = delete;

  void add(Module module) noexcept;
  bool empty() const { return modules_.empty(); }
  void unload() noexcept;

 private:
  std::shared_ptr<const Device> device_;
  std::vector<Module> modules_;
};

/// Memory of the backend that a launch uses in addition to its tensors.
struct LaunchMemory {
  void* scratch = nullptr;      ///< as much as its plan requires
  unsigned* arrived = nullptr;  ///< kArrivalCounters of them; see Entry
};

/// The arguments of one launch for the driver: the addresses of an entry's parameters. Points into
/// the launch's arguments and into itself: use it before either changes.
class ParameterList {
 public:
  void** data() { return addresses_.data(); }

  /// For a compiled kernel; serves entries with and without the scratch parameters, which come
  /// last.
  void set(const LaunchForm& form, const LaunchArguments& arguments, const LaunchMemory& memory,
           int parts);
  /// For an interpreted op list: as given, to be changed before data() is used.
  OpListLaunch& set(const OpListLaunch& launch);

 private:
  std::vector<void*> addresses_;
  LaunchMemory memory_;
  int parts_ = 1;
  OpListLaunch list_;
};

class CallExecutable;

/// An executable of the CUDA backend.
class CudaExecutable : public Executable {
 public:
  /// This as a library call; null: it is always our own kernel.
  virtual const CallExecutable* asCall() const { return nullptr; }
  /// Whether it is a call to the ranks of a group: a RankExecutable.
  bool isOfRanks() const { return ofRanks_; }
  /// Grid, blocks and scratch memory of a launch with these run-time integers (see Kernel).
  virtual LaunchPlan plan(const std::int64_t* integers, int multiprocessors) const = 0;
  /// The executable to launch for these integers: this, or another form of the same kernel. Throws
  /// CudaError or std::runtime_error if that cannot be created.
  virtual const CudaExecutable& serving(const std::int64_t* integers) const {
    static_cast<void>(integers);
    return *this;
  }
  virtual Function function(const LaunchStep& step) const = 0;
  /// Sets the parameters of a launch according to this plan.
  virtual void setParameters(ParameterList& list, const LaunchArguments& arguments,
                             const LaunchPlan& plan, const LaunchMemory& memory) const = 0;

 protected:
  using Executable::Executable;
  bool ofRanks_ = false;  ///< read by every launch
};

/// A compiled kernel, loaded on one device. If its indices are 32-bit and its sizes are not known,
/// launches that are too large use another form of it, which is created when it is first needed.
class CompiledKernel final : public CudaExecutable {
 public:
  /// Compiles the form with 64-bit indices.
  using MakeWide = std::function<std::shared_ptr<const CompiledKernel>(const Kernel& kernel)>;

  /// Finds the source's entries in the module, which it then owns, even if this throws (CudaError).
  /// Without `makeWide` it serves all launches itself.
  CompiledKernel(const Device& device, std::shared_ptr<RetiredModules> retired, Module module,
                 const Kernel& kernel, Source source, MakeWide makeWide = {});
  ~CompiledKernel() override;

  LaunchPlan plan(const std::int64_t* integers, int multiprocessors) const override {
    return source_.plan(integers, multiprocessors);
  }
  const CudaExecutable& serving(const std::int64_t* integers) const override {
    return !wide_ || wide_->width.narrow(integers) ? *this : wideForm();
  }
  Function function(const LaunchStep& step) const override { return functions_[step.entry]; }
  void setParameters(ParameterList& list, const LaunchArguments& arguments, const LaunchPlan& plan,
                     const LaunchMemory& memory) const override {
    list.set(form_, arguments, memory, plan.parts);
  }

 private:
  struct Wide {
    Kernel kernel;
    IndexWidth width;
    MakeWide make;
    std::shared_ptr<const CompiledKernel> made;
  };
  const CudaExecutable& wideForm() const;

  std::unique_ptr<Wide> wide_;  ///< null if no launch can need it
  std::shared_ptr<RetiredModules> retired_;
  Module module_;
  LaunchForm form_;
  Source source_;
  std::vector<Function> functions_;
};

}  // namespace fusebench::cuda
