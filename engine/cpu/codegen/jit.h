// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/cpu/codegen/codegen.h"
#include "engine/device/backend.h"
#include "engine/device/object_cache.h"

namespace llvm::orc {
class LLJIT;
class JITDylib;
}  // namespace llvm::orc

namespace fusebench::cpu {

/// Code in memory that can be called; unloaded when the last owner releases it.
class LoadedCode {
 public:
  /// Code that is part of this program.
  explicit LoadedCode(KernelFunction entry) : library_(nullptr), function_(entry) {}
  LoadedCode(std::shared_ptr<llvm::orc::LLJIT> jit, llvm::orc::JITDylib* library,
             KernelFunction entry)
      : jit_(std::move(jit)), library_(library), function_(entry) {}
  ~LoadedCode();
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;
  KernelFunction function() const { return function_; }

 private:
  std::shared_ptr<llvm::orc::LLJIT> jit_;
  llvm::orc::JITDylib* library_;
  KernelFunction function_;
};

/// Kernel -> object code -> callable function, with the cost of each step. LLVM is initialized when
/// it is first needed, which takes a millisecond or two.
class Jit {
 public:
  /// `allowed`: if false, nothing can be compiled.
  explicit Jit(const Target& target, bool allowed = true);
  ~Jit();

  /// Why nothing can be compiled, in one line; empty if compiling is possible.
  std::string missing();

  /// Uses the disk cache if `cache` is not null. Throws std::runtime_error if LLVM fails.
  std::unique_ptr<LoadedCode> compile(const Kernel& kernel, const Schedule& schedule,
                                      const std::string& canonical, ObjectCache* cache,
                                      CompileTimes& times);

  /// The same for code other than a kernel's: `text` identifies it, `make` writes it.
  std::unique_ptr<LoadedCode> compile(
      const std::string& text, const std::function<GeneratedModule(const llvm::DataLayout&)>& make,
      ObjectCache* cache, CompileTimes& times);
  /// A module as LLVM IR and as assembly, for people.
  std::string irText(llvm::Module& module) const;
  std::string assemblyText(llvm::Module& module) const;
  llvm::DataLayout dataLayout() const;

  /// The generated LLVM IR and the assembly, for people and for tests.
  std::string irText(const Kernel& kernel, const Schedule& schedule) const;
  std::string assemblyText(const Kernel& kernel, const Schedule& schedule) const;

  const Target& target() const { return target_; }

 private:
  std::string cacheKey(const std::string& canonical, int interleave) const;
  std::unique_ptr<LoadedCode> compileAs(
      const std::string& key, const std::function<GeneratedModule(const llvm::DataLayout&)>& make,
      ObjectCache* cache, CompileTimes& times);
  std::unique_ptr<LoadedCode> load(const std::string& object);
  void start();
  llvm::TargetMachine& machine() const;

  Target target_;
  bool allowed_;
  mutable std::unique_ptr<llvm::TargetMachine> machine_;
  std::shared_ptr<llvm::orc::LLJIT> jit_;
  std::uint64_t loaded_ = 0;
};

}  // namespace fusebench::cpu
