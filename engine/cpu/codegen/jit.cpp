// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/jit.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "engine/base/saying.h"
#include "engine/cpu/codegen/build_identity.h"
#include "engine/cpu/codegen/code_spread.h"
#include "engine/cpu/math/slow_paths.h"

namespace fusebench::cpu {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

template <class T>
T orThrow(llvm::Expected<T> value, const char* what) {
  if (!value)
    throw std::runtime_error(fmt::format("{}: {}", what, llvm::toString(value.takeError())));
  return std::move(*value);
}

void orThrow(llvm::Error error, const char* what) {
  if (error)
    throw std::runtime_error(fmt::format("{}: {}", what, llvm::toString(std::move(error))));
}

/// Host functions that generated code may call.
llvm::orc::SymbolMap hostSymbols(llvm::orc::ExecutionSession& session,
                                 const llvm::DataLayout& layout) {
  llvm::orc::MangleAndInterner mangle(session, layout);
  llvm::orc::SymbolMap symbols;
  const auto define = [&](const char* name, void* address) {
    symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                             llvm::JITSymbolFlags::Exported};
  };
  for (const HostFunction& function : hostFunctions()) define(function.name, function.address);
  for (const WideFunction& function : wideFunctions()) define(function.name, function.address);
  define(kHostIntegerPower, integerPowers());
#ifdef __FLT16_MAX__  // what LLVM calls where there is no F16C
  define("__extendhfsf2",
         reinterpret_cast<void*>(+[](_Float16 x) { return static_cast<float>(x); }));
  define("__truncsfhf2",
         reinterpret_cast<void*>(+[](float x) { return static_cast<_Float16>(x); }));
#endif
  define(kHostPower, reinterpret_cast<void*>(static_cast<double (*)(double, double)>(&std::pow)));
  define("memcpy", reinterpret_cast<void*>(&std::memcpy));
  define("memset", reinterpret_cast<void*>(&std::memset));
  return symbols;
}

/// Some systems let no program run what it has written: then one line that says so.
std::string codeIsRefused() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const memory =
      ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  *static_cast<char*>(memory) = 0;
  const bool refused = ::mprotect(memory, page, PROT_READ | PROT_EXEC) != 0;
  const int error = errno;
  ::munmap(memory, page);
  if (!refused) return {};
  return saying(
      "this system does not let a program run code that it generated ({}); its security policy "
      "would have to allow executable memory",
      std::strerror(error));
}

void verify(const llvm::Module& module) {
  std::string problem;
  llvm::raw_string_ostream out(problem);
  if (llvm::verifyModule(module, &out))
    throw std::logic_error("generated code is invalid: " + problem);
}

}  // namespace

LoadedCode::~LoadedCode() {
  if (!jit_) return;
  llvm::consumeError(jit_->getExecutionSession().removeJITDylib(*library_));
}

Jit::Jit(const Target& target, bool allowed) : target_(target), allowed_(allowed) {}

llvm::TargetMachine& Jit::machine() const {
  if (!machine_) machine_ = makeTargetMachine(target_);
  return *machine_;
}

std::string Jit::missing() {
  if (jit_) return {};
  if (!allowed_) return saying("compiling is switched off");
  if (std::string why = codeIsRefused(); !why.empty()) return why;
  try {
    start();
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return {};
}

void Jit::start() {
  if (jit_) return;
  if (!allowed_) throw std::runtime_error(saying("compiling is switched off"));
  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(target_.triple)};
  jit_ = orThrow(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(builder)).create(),
                 "starting the compiler");
  if (auto* linking = llvm::dyn_cast<llvm::orc::ObjectLinkingLayer>(&jit_->getObjLinkingLayer()))
    linking->addPlugin(spreadOverSets());
  orThrow(jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(
              hostSymbols(jit_->getExecutionSession(), jit_->getDataLayout()))),
          "starting the compiler");
}

Jit::~Jit() = default;

std::string Jit::cacheKey(const std::string& canonical, int interleave) const {
  static const std::string build = buildIdentity();
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", LLVM_VERSION_STRING, build, target_.triple,
                     target_.cpu, target_.features, target_.vector.width, interleave, canonical);
}

std::unique_ptr<LoadedCode> Jit::load(const std::string& object) {
  start();
  auto& session = jit_->getExecutionSession();
  auto& library = session.createBareJITDylib(fmt::format("kernel{}", loaded_++));
  library.addToLinkOrder(jit_->getMainJITDylib());
  try {
    orThrow(jit_->addObjectFile(library, llvm::MemoryBuffer::getMemBufferCopy(object, kEntryName)),
            "loading a kernel");
    const auto address = orThrow(jit_->lookup(library, kEntryName), "loading a kernel");
    return std::make_unique<LoadedCode>(jit_, &library, address.toPtr<KernelFunction>());
  } catch (...) {
    llvm::consumeError(session.removeJITDylib(library));
    throw;
  }
}

std::unique_ptr<LoadedCode> Jit::compile(const Kernel& kernel, const Schedule& schedule,
                                         const std::string& canonical, ObjectCache* cache,
                                         CompileTimes& times) {
  return compileAs(
      cache ? cacheKey(canonical, schedule.interleave) : std::string(),
      [&](const llvm::DataLayout& layout) { return generate(kernel, schedule, target_, layout); },
      cache, times);
}

std::unique_ptr<LoadedCode> Jit::compile(
    const std::string& text, const std::function<GeneratedModule(const llvm::DataLayout&)>& make,
    ObjectCache* cache, CompileTimes& times) {
  return compileAs(cache ? cacheKey(text, 0) : std::string(), make, cache, times);
}

std::unique_ptr<LoadedCode> Jit::compileAs(
    const std::string& key, const std::function<GeneratedModule(const llvm::DataLayout&)>& make,
    ObjectCache* cache, CompileTimes& times) {
  if (!allowed_) throw std::runtime_error(saying("compiling is switched off"));
  if (cache) {
    const auto begin = Clock::now();
    if (const auto object = cache->find(key)) {
      try {
        auto code = load(*object);
        times.load += since(begin);
        ++times.fromDisk;
        return code;
      } catch (const std::runtime_error&) {
        // Readable but not linkable: compile it again below.
      }
    }
  }
  const auto begin = Clock::now();
  GeneratedModule generated = make(dataLayout());
#ifndef NDEBUG
  verify(*generated.module);
#endif
  times.codegen += since(begin);

  const auto compileBegin = Clock::now();
  llvm::orc::SimpleCompiler compiler(machine());
  const auto buffer = orThrow(compiler(*generated.module), "compiling a kernel");
  const std::string object = buffer->getBuffer().str();
  times.compiler += since(compileBegin);

  const auto loadBegin = Clock::now();
  auto code = load(object);
  times.load += since(loadBegin);
  if (cache) cache->store(key, object);
  return code;
}

std::string Jit::irText(const Kernel& kernel, const Schedule& schedule) const {
  const auto generated = generate(kernel, schedule, target_, dataLayout());
  return irText(*generated.module);
}

std::string Jit::irText(llvm::Module& module) const {
  verify(module);
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

llvm::DataLayout Jit::dataLayout() const {
  return machine().createDataLayout();
}

std::string Jit::assemblyText(const Kernel& kernel, const Schedule& schedule) const {
  const auto generated = generate(kernel, schedule, target_, dataLayout());
  return assemblyText(*generated.module);
}

std::string Jit::assemblyText(llvm::Module& module) const {
  verify(module);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager passes;
  if (machine().addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    throw std::runtime_error("no assembly for " + target_.triple);
  passes.run(module);
  return text.str().str();
}

}  // namespace fusebench::cpu
