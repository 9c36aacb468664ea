// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cuda/codegen.h"
#include "engine/cuda/device.h"

namespace fusebench::cuda {

/// Modules that nobody launches from any more. Unloading one while its kernels run is the driver's
/// to wait for, and forbidden while a stream is captured; so they go when the device is idle
/// anyway.
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

/// A compiled kernel, loaded on one device.
class CudaExecutable final : public Executable {
 public:
  /// Finds the source's entries in the module, which it owns from then on, also if this throws
  /// (CudaError).
  CudaExecutable(const Device& device, std::shared_ptr<RetiredModules> retired, Module module,
                 const Kernel& kernel, Source source);
  ~CudaExecutable() override;

  LaunchPlan plan(const std::int64_t* integers, int multiprocessors) const {
    return source_.plan(integers, multiprocessors);
  }
  const LaunchForm& form() const { return form_; }
  Function function(const LaunchStep& step) const { return functions_[step.entry]; }

 private:
  std::shared_ptr<RetiredModules> retired_;
  Module module_;
  LaunchForm form_;
  Source source_;
  std::vector<Function> functions_;
};

/// The list of addresses that a launch hands the driver, one for each parameter of an entry. Points
/// into the launch's arguments and into itself: use it before either changes.
class ParameterList {
 public:
  void set(const LaunchForm& form, const LaunchArguments& arguments, void* scratch, int parts);
  /// Serves entries with and without the scratch parameters, which come last.
  void** data() { return addresses_.data(); }

 private:
  std::vector<void*> addresses_;
  void* scratch_ = nullptr;
  int parts_ = 1;
};

}  // namespace fusebench::cuda
