// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/cuda_executable.h"

namespace fusebench::cuda {

void RetiredModules::add(Module module) noexcept {
  try {
    modules_.push_back(module);
  } catch (...) {  // no room for the note: then it stays loaded
  }
}

void RetiredModules::unload() noexcept {
  if (modules_.empty() || !device_->tryUse()) return;
  for (Module module : modules_) device_->driver().moduleUnload.attempt(module);
  modules_.clear();
}

CompiledKernel::CompiledKernel(const Device& device, std::shared_ptr<RetiredModules> retired,
                               Module module, const Kernel& kernel, Source source,
                               MakeWide makeWide)
    : CudaExecutable(kernel.name, KernelTraffic(kernel)),
      retired_(std::move(retired)),
      module_(module),
      form_(launchForm(kernel)),
      source_(std::move(source)) {
  if (IndexWidth width(kernel); makeWide && source_.narrow && width.dependsOnLaunch())
    wide_ = std::make_unique<Wide>(Wide{kernel, std::move(width), std::move(makeWide), nullptr});
  try {
    for (const Entry& entry : source_.entries) {
      Function function = nullptr;
      device.driver().moduleGetFunction(&function, module_, entry.name.c_str());
      functions_.push_back(function);
    }
  } catch (...) {
    retired_->add(module_);
    throw;
  }
}

const CudaExecutable& CompiledKernel::wideForm() const {
  if (!wide_->made) wide_->made = wide_->make(wide_->kernel);
  return *wide_->made;
}

CompiledKernel::~CompiledKernel() {
  retired_->add(module_);
}

void ParameterList::set(const LaunchForm& form, const LaunchArguments& arguments,
                        const LaunchMemory& memory, int parts) {
  memory_ = memory;
  parts_ = parts;
  addresses_.clear();
  // The driver's interface takes addresses of values that it only reads.
  for (int i = 0; i < form.pointers; ++i)
    addresses_.push_back(const_cast<void**>(arguments.pointers + i));
  for (int i = 0; i < form.integers; ++i)
    addresses_.push_back(const_cast<std::int64_t*>(arguments.integers + i));
  for (int i = 0; i < form.scalars; ++i)
    addresses_.push_back(const_cast<Scalar*>(arguments.scalars + i));
  addresses_.push_back(&memory_.scratch);
  addresses_.push_back(&memory_.arrived);
  addresses_.push_back(&parts_);
}

OpListLaunch& ParameterList::set(const OpListLaunch& launch) {
  list_ = launch;
  addresses_.assign(1, &list_);
  return list_;
}

}  // namespace fusebench::cuda
