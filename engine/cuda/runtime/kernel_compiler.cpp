// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/kernel_compiler.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/cuda/codegen/code_text.h"
#include "engine/cuda/runtime/backend_traits.h"

namespace fusebench::cuda {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

}  // namespace

KernelCompiler::KernelCompiler(std::shared_ptr<const Device> device, const std::string& nvrtc,
                               std::filesystem::path cacheFolder, bool shipped)
    : device_(std::move(device)),
      nvrtc_(openNvrtc(nvrtc, device_->driver().version(), missing_)),
      target_(targetOf(device_->info(), nvrtc_.get())),
      shipped_(shipped ? shippedFor(10 * device_->info().major + device_->info().minor,
                                    nvrtc_ ? nvrtc_->versionText() : std::string())
                       : ShippedArchives()),
      cache_(std::move(cacheFolder)),
      retired_(std::make_shared<RetiredModules>(device_)) {}

/// All that needs no device; may run on any thread.
KernelCompiler::Translated KernelCompiler::translate(const Kernel& kernel, bool useDiskCache,
                                                     bool wide) {
  Translated made;
  const auto codegenBegin = Clock::now();
  made.source = generate(kernel, {.wide = wide});
  made.times.codegen = since(codegenBegin);
  if (!findShipped(kernel, made)) compileSource(kernel, useDiskCache, made);
  return made;
}

bool KernelCompiler::ships(const Kernel& kernel) const {
  return isAmong(shipped_, kernel);
}

bool KernelCompiler::findShipped(const Kernel& kernel, Translated& made) const {
  if (!ships()) return false;
  const auto begin = Clock::now();
  const ShippedKey key = shippedKeyOf(made.source.text, flagsOf(kernel));
  for (const bool ptx : {false, true}) {
    const KernelArchive* const archive = ptx ? shipped_.ptx : shipped_.machineCode;
    std::optional<std::string> code = archive ? archive->code(key) : std::nullopt;
    if (!code) continue;
    made.code = {};
    made.code.target.ptx = ptx;
    made.code.bytes = std::move(*code);
    made.times.load += since(begin);
    made.times.shipped = 1;
    return true;
  }
  return false;
}

void KernelCompiler::compileSource(const Kernel& kernel, bool useDiskCache, Translated& made) {
  if (!nvrtc_)
    throw std::runtime_error(
        ships() ? saying("no prebuilt kernel of {} for this layout, and none can be compiled: {}",
                         kernel.name, missing_)
                : saying("kernel {} cannot be compiled: {}", kernel.name, missing_));
  const std::vector<std::string> options = compileOptions(flagsOf(kernel));
  std::string key;
  if (useDiskCache) {
    const auto loadBegin = Clock::now();
    key = CubinCache::key(made.source.text, options, target_, nvrtc_->versionText());
    if (auto found = cache_.find(key)) {
      made.code = std::move(*found);
      made.times.load = since(loadBegin);
      made.times.fromDisk = 1;
      return;
    }
  }
  const auto compileBegin = Clock::now();
  made.code = nvrtc_->compile(made.source.text, kernel.name, target_, options);
  made.times.compiler = since(compileBegin);
  if (useDiskCache) cache_.store(key, made.code);
}

std::shared_ptr<CompiledKernel> KernelCompiler::load(const Kernel& kernel, Translated translated,
                                                     bool useDiskCache, CompileTimes& times) {
  CompiledKernel::MakeWide makeWide = [this, useDiskCache](const Kernel& asked) {
    CompileTimes atLaunch;  // part of what that launch takes
    return load(asked, translate(asked, useDiskCache, /*wide=*/true), useDiskCache, atLaunch);
  };
  for (;;) {
    try {
      auto made = loadOnce(kernel, translated.code, translated.source, makeWide, times);
      times += translated.times;
      return made;
    } catch (const CudaError& error) {
      if (!findOther(kernel, error, useDiskCache, translated)) throw;
    }
  }
}

/// Finds other code where the driver refuses some: shipped machine code is replaced by shipped PTX
/// and then by NVRTC's, and NVRTC's machine code by its PTX. Later kernels use the replacement,
/// too.
bool KernelCompiler::findOther(const Kernel& kernel, const CudaError& error, bool useDiskCache,
                               Translated& refused) {
  if (error.isSticky()) return false;
  const bool wasPtx = refused.code.target.ptx;
  if (refused.times.shipped > 0) {
    (wasPtx ? shipped_.ptx : shipped_.machineCode) = nullptr;
    if (whenRefused_) whenRefused_();
    refused.times.shipped = 0;
    if (findShipped(kernel, refused)) return true;
    if (!nvrtc_) return false;
  } else {
    const bool isOther = error.result() == kInvalidImage || error.result() == kNoBinaryForGpu;
    if (!isOther || wasPtx) return false;
    target_.ptx = true;
  }
  refused.times = {};
  compileSource(kernel, useDiskCache, refused);
  return true;
}

std::shared_ptr<CompiledKernel> KernelCompiler::loadOnce(const Kernel& kernel,
                                                         const CompiledCode& code, Source source,
                                                         CompiledKernel::MakeWide makeWide,
                                                         CompileTimes& times) {
  const auto begin = Clock::now();
  device_->use();
  Module module = nullptr;
  try {
    device_->driver().moduleLoadDataEx(&module, code.bytes.c_str(), 0, nullptr, nullptr);
    auto made = std::make_shared<CompiledKernel>(*device_, retired_, module, kernel,
                                                 std::move(source), std::move(makeWide));
    times.load += since(begin);
    return made;
  } catch (const CudaError& error) {
    throw error.during(saying("loading kernel {}{}", kernel.name, loadTrouble(error)));
  }
}

/// Why a driver may refuse what this NVRTC made.
std::string KernelCompiler::loadTrouble(const CudaError& error) const {
  const int driver = device_->driver().version();
  if (!nvrtc_) return {};
  const bool newer = nvrtc_->major() * 1000 + nvrtc_->minor() * 10 > driver;
  if (!newer || error.isSticky()) return {};
  return saying(
      "; NVRTC is {} and the driver supports CUDA {}: update the driver, or set "
      "FUSEBENCH_CUDA_NVRTC to an older libnvrtc",
      nvrtc_->versionText(), device_->driver().versionText());
}

std::shared_ptr<CompiledKernel> KernelCompiler::compile(const Kernel& kernel, bool useDiskCache,
                                                        CompileTimes& times) {
  return load(kernel, translate(kernel, useDiskCache), useDiskCache, times);
}

std::shared_ptr<CompiledKernel> KernelCompiler::compile(const Kernel& kernel, Source source,
                                                        bool useDiskCache, CompileTimes& times) {
  Translated made;
  made.source = std::move(source);
  if (!findShipped(kernel, made)) compileSource(kernel, useDiskCache, made);
  return load(kernel, std::move(made), useDiskCache, times);
}

std::shared_ptr<CompiledKernel> KernelCompiler::load(const Kernel& kernel, Source source,
                                                     std::string_view code, CompileTimes& times) {
  CompiledCode given;
  given.bytes = code;
  return loadOnce(kernel, given, std::move(source), {}, times);
}

std::vector<std::shared_ptr<CompiledKernel>> KernelCompiler::compileAll(
    std::span<const Kernel* const> kernels, bool useDiskCache, CompileTimes& times) {
  std::vector<std::optional<Translated>> translated(kernels.size());
  std::vector<std::exception_ptr> failures(kernels.size());
  const auto begin = Clock::now();
  {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < kernels.size(); i = next++) {
        try {
          translated[i] = translate(*kernels[i], useDiskCache);
        } catch (...) {
          failures[i] = std::current_exception();
        }
      }
    };
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(cores, kernels.size()); ++i) helpers.emplace_back(work);
    work();
  }
  const double wall = static_cast<double>(since(begin));
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  double spent = 0;
  for (const auto& each : translated) spent += static_cast<double>(each->times.total());
  const double share = spent > wall ? wall / spent : 1;
  std::vector<std::shared_ptr<CompiledKernel>> made;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    for (std::int64_t CompileTimes::*phase :
         {&CompileTimes::codegen, &CompileTimes::compiler, &CompileTimes::load}) {
      std::int64_t& value = translated[i]->times.*phase;
      value = static_cast<std::int64_t>(static_cast<double>(value) * share);
    }
    made.push_back(load(*kernels[i], std::move(*translated[i]), useDiskCache, times));
  }
  return made;
}

}  // namespace fusebench::cuda
