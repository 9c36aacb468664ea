// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/target.h"

#include <mutex>
#include <stdexcept>

#include <fmt/format.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/TargetParser/Triple.h>

namespace fusebench::cpu {
namespace {

void initializeOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
}

/// Lanes, FMA and register count follow from what the subtarget has.
void fillVectorFacts(Target& target, int width) {
  auto machine = makeTargetMachine(target);
  const llvm::MCSubtargetInfo& has = *machine->getMCSubtargetInfo();
  const llvm::Triple triple(target.triple);
  if (triple.isAArch64()) {
    target.vector = {4, true};
    target.vectorRegisters = 32;
  } else if (triple.isX86()) {
    const bool avx512 = has.checkFeatures("+avx512f,+avx512vl,+avx512dq,+avx512bw");
    const bool avx2 = has.checkFeatures("+avx2");
    target.vector.width = avx512 ? 16 : avx2 ? 8 : 4;
    target.vector.fma = has.checkFeatures("+fma") || avx512;
    target.vector.roundInstruction = has.checkFeatures("+sse4.1");
    target.vectorRegisters = avx512 ? 32 : 16;
  } else {
    target.vector = {4, false};
  }
  if (width > 0) target.vector.width = width;
  target.vector.masks = triple.isX86() && target.vector.width == 16;
}

}  // namespace

std::string Target::unit() const {
  const llvm::Triple parsed(triple);
  const char* name = parsed.isAArch64()      ? "NEON"
                     : vectorRegisters == 32 ? "AVX-512"
                     : vector.width >= 8     ? "AVX2"
                     : parsed.isX86()        ? "SSE"
                                             : "vector";
  return fmt::format("{}{}, {} float lanes", name, vector.fma ? " with FMA" : "", vector.width);
}

Target hostTarget(int width) {
  initializeOnce();
  Target target;
  target.triple = llvm::sys::getProcessTriple();
  target.cpu = llvm::sys::getHostCPUName().str();
  llvm::SubtargetFeatures features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.getKey(), feature.getValue());
  // LLVM avoids 512-bit registers by default for the sake of clock speed on the first such CPUs.
  if (llvm::Triple(target.triple).isX86()) features.AddFeature("prefer-256-bit", false);
  target.features = features.getString();
  fillVectorFacts(target, width);
  return target;
}

Target namedTarget(const std::string& triple, const std::string& cpu, const std::string& features,
                   int width) {
  initializeOnce();
  Target target{triple, cpu, features, {}, 16};
  fillVectorFacts(target, width);
  return target;
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Target& target) {
  std::string error;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(target.triple, error);
  if (!found) throw std::runtime_error("no code generator for " + target.triple + ": " + error);
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(
      target.triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  if (!machine) throw std::runtime_error("no code generator for " + target.cpu);
  return machine;
}

}  // namespace fusebench::cpu
