// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/jit_primitive.h"

#include <array>
#include <stdexcept>
#include <vector>

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "engine/cpu/math/slow_paths.h"

namespace fusebench::test {
namespace {

using cpu::Pack;

bool isTruthOperand(Primitive primitive, int operand) {
  return primitive == Primitive::logicalAnd || primitive == Primitive::logicalOr ||
         primitive == Primitive::logicalNot || primitive == Primitive::toNumber ||
         (primitive == Primitive::select && operand == 0);
}

/// void loop(a, b, c, result, blocks)
std::unique_ptr<llvm::Module> loopModule(llvm::LLVMContext& c, std::span<const Primitive> chain,
                                         const cpu::Target& target, int interleave,
                                         std::optional<double> second = {}) {
  auto module = std::make_unique<llvm::Module>("primitive", c);
  llvm::IRBuilder<> b(c);
  cpu::VectorMath math(b, target.vector);
  auto* pointer = llvm::PointerType::getUnqual(c);
  auto* type = llvm::FunctionType::get(b.getVoidTy(),
                                       {pointer, pointer, pointer, pointer, b.getInt64Ty()}, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "loop", *module);
  auto* entry = llvm::BasicBlock::Create(c, "entry", function);
  auto* body = llvm::BasicBlock::Create(c, "body", function);
  auto* exit = llvm::BasicBlock::Create(c, "exit", function);
  b.SetInsertPoint(entry);
  b.CreateBr(body);
  b.SetInsertPoint(body);
  llvm::PHINode* block = b.CreatePHI(b.getInt64Ty(), 2);
  block->addIncoming(b.getInt64(0), entry);
  auto* vector =
      llvm::FixedVectorType::get(b.getFloatTy(), static_cast<unsigned>(target.vector.width));
  const auto count = static_cast<std::size_t>(interleave);
  auto* first = b.CreateMul(block, b.getInt64(count));
  const auto at = [&](llvm::Value* base, std::size_t i) {
    return b.CreateGEP(vector, base, b.CreateAdd(first, b.getInt64(i)));
  };
  std::vector<Pack> operands(static_cast<std::size_t>(info(chain[0]).arity));
  for (std::size_t o = 0; o < operands.size(); ++o) {
    for (std::size_t i = 0; i < count; ++i)
      operands[o].push_back(b.CreateAlignedLoad(
          vector, at(function->getArg(static_cast<unsigned>(o)), i), llvm::Align(4)));
    if (isTruthOperand(chain[0], static_cast<int>(o)))
      operands[o] = math.emit(Primitive::toTruth, {operands[o]});
  }
  if (second) operands.at(1) = Pack(count, math.splat(*second));
  Pack result = math.emit(chain[0], operands);
  for (Primitive next : chain.subspan(1)) result = math.emit(next, {result});
  if (info(chain.back()).truthResult) result = math.emit(Primitive::toNumber, {result});
  for (std::size_t i = 0; i < count; ++i)
    b.CreateAlignedStore(result[i], at(function->getArg(3), i), llvm::Align(4));
  auto* next = b.CreateAdd(block, b.getInt64(1));
  block->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, function->getArg(4)), body, exit);
  b.SetInsertPoint(exit);
  b.CreateRetVoid();
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(*module, &stream)) throw std::logic_error(problems);
  return module;
}

template <typename T>
T orThrow(llvm::Expected<T> expected) {
  if (!expected) throw std::runtime_error(llvm::toString(expected.takeError()));
  return std::move(*expected);
}
void orThrow(llvm::Error error) {
  if (error) throw std::runtime_error(llvm::toString(std::move(error)));
}

}  // namespace

struct JitPrimitive::Jit {
  std::unique_ptr<llvm::orc::LLJIT> engine;
};

JitPrimitive::JitPrimitive(Primitive primitive, const cpu::Target& target, int interleave,
                           std::optional<double> second)
    : JitPrimitive(std::array{primitive}, target, interleave, second) {}

JitPrimitive::JitPrimitive(std::span<const Primitive> chain, const cpu::Target& target,
                           int interleave, std::optional<double> second)
    : jit_(std::make_unique<Jit>()), block_(target.vector.width * interleave) {
  llvm::orc::JITTargetMachineBuilder machine{llvm::Triple(target.triple)};
  machine.setCPU(target.cpu);
  machine.addFeatures(llvm::SubtargetFeatures(target.features).getFeatures());
  jit_->engine = orThrow(llvm::orc::LLJITBuilder()
                             .setJITTargetMachineBuilder(std::move(machine))
                             .setLinkProcessSymbolsByDefault(false)
                             .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                             .create());
  llvm::orc::LLJIT& jit = *jit_->engine;
  llvm::orc::SymbolMap symbols;
  for (const cpu::HostFunction& host : cpu::hostFunctions())
    symbols[jit.mangleAndIntern(host.name)] = {llvm::orc::ExecutorAddr::fromPtr(host.address),
                                               llvm::JITSymbolFlags::Exported};
  orThrow(jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = loopModule(*context, chain, target, interleave, second);
  orThrow(jit.addIRModule({std::move(module), std::move(context)}));
  function_ = orThrow(jit.lookup("loop")).toPtr<Function>();
}

JitPrimitive::~JitPrimitive() = default;

std::string assembly(Primitive primitive, const cpu::Target& target, int interleave,
                     std::optional<double> second) {
  llvm::LLVMContext context;
  auto module = loopModule(context, std::array{primitive}, target, interleave, second);
  auto machine = cpu::makeTargetMachine(target);
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(target.triple);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    throw std::runtime_error("no assembly printer");
  passes.run(*module);
  return text.str().str();
}

cpu::Target hostWithout(const std::string& features, int width) {
  cpu::Target target = cpu::hostTarget(width);
  target.features += "," + features;
  target.vector.fma = target.vector.fma && features.find("-fma") == std::string::npos;
  target.vector.roundInstruction = features.find("-sse4.1") == std::string::npos;
  return target;
}

}  // namespace fusebench::test
