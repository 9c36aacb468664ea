// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/segments.h"
#include "engine/cpu/codegen/stencil.h"
#include "engine/cpu/math/loops.h"
#include "engine/plan/lowering.h"

namespace fusebench::cpu {
namespace {

using llvm::Value;
using Form = Stencil::Form;
using Kind = Stencil::Kind;

constexpr std::uint64_t kAlign = 64;
/// An op of more vector instructions than this is done on half of the vectors at a time: it needs
/// registers for itself, and with all of them at once LLVM's scheduler runs short even of 32.
constexpr double kShortOp = 4;

class StencilWriter {
 public:
  StencilWriter(const Stencil& stencil, const Target& target, llvm::Module& module)
      : s_(stencil),
        target_(target),
        module_(module),
        b_(module.getContext()),
        lanes_(static_cast<unsigned>(target.vector.width * 32 / bitsOf(stencil.computed))),
        math_(b_, lanesOf(target.vector, lanes_)) {}

  void write() {
    switch (s_.kind) {
      case Kind::enter:
        return writeEnter();
      case Kind::reset:
      case Kind::flush:
      case Kind::finish:
        return writeAccumulatorCall();
      default:
        return writePiece();
    }
  }

 private:
  static VectorTarget lanesOf(VectorTarget target, unsigned lanes) {
    target.width = static_cast<int>(lanes);
    return target;
  }
  /// Lanes of one vector.
  unsigned width() const { return lanes_; }
  llvm::Type* vectorOf(llvm::Type* type) { return llvm::FixedVectorType::get(type, width()); }
  llvm::Type* lane() { return memoryType(b_, storageOf(s_.computed)); }
  llvm::Type* numbers() { return vectorOf(lane()); }
  /// How vectors are handed on, whatever they hold.
  llvm::Type* floats() {
    return llvm::FixedVectorType::get(b_.getFloatTy(), static_cast<unsigned>(target_.vector.width));
  }
  unsigned vectorBytes() const { return 4 * static_cast<unsigned>(target_.vector.width); }
  Value* isTrue(Value* number) {
    llvm::Constant* zero = llvm::Constant::getNullValue(number->getType());
    return number->getType()->isFPOrFPVectorTy() ? b_.CreateFCmpUNE(number, zero)
                                                 : b_.CreateICmpNE(number, zero);
  }

  llvm::FunctionType* pieceType() {
    llvm::SmallVector<llvm::Type*, 12> types(kOpListVectors, floats());
    types.push_back(b_.getPtrTy());
    types.push_back(b_.getPtrTy());
    types.push_back(b_.getInt64Ty());
    return llvm::FunctionType::get(b_.getVoidTy(), types, false);
  }

  void begin(llvm::FunctionType* type) {
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kEntryName, module_);
    function_->addFnAttr("target-cpu", target_.cpu);
    function_->addFnAttr("target-features", target_.features);
    const int bits = 32 * target_.vector.width;
    if (bits >= 512) {
      function_->addFnAttr("prefer-vector-width", "512");
      function_->addFnAttr("min-legal-vector-width", "512");
    }
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    b_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function_));
  }

  // ---- pieces ----

  Value* instruction() { return function_->getArg(kOpListVectors); }
  Value* state() { return function_->getArg(kOpListVectors + 1); }
  Value* index() { return function_->getArg(kOpListVectors + 2); }

  Value* field(Value* structure, std::size_t offset, llvm::Type* type) {
    return b_.CreateLoad(type, b_.CreateConstGEP1_64(b_.getInt8Ty(), structure, offset));
  }
  Value* place(std::size_t operand) {
    Value* number = field(instruction(), wordAt(s_.wordOf(operand)), b_.getInt32Ty());
    return b_.CreateSExt(number, b_.getInt64Ty());
  }
  Value* slotAddress(std::size_t operand) {
    Value* slots = field(state(), offsetof(OpListState, slots), b_.getPtrTy());
    return b_.CreateGEP(b_.getInt8Ty(), slots, place(operand));
  }
  Value* tensorAddress(std::size_t operand, llvm::Type* type) {
    Value* pointers = field(state(), offsetof(OpListState, pointers), b_.getPtrTy());
    Value* base =
        b_.CreateLoad(b_.getPtrTy(), b_.CreateGEP(b_.getPtrTy(), pointers, place(operand)));
    return b_.CreateGEP(type, base, index());
  }

  static bool isByte(DType dtype) { return dtype == DType::int8 || dtype == DType::uint8; }
  Value* fromBytes(Value* bytes, DType dtype) {
    return dtype == DType::uint8 ? b_.CreateZExt(bytes, numbers())
                                 : b_.CreateSExt(bytes, numbers());
  }
  Value* toBytes(Value* value) { return b_.CreateTrunc(value, vectorOf(b_.getInt8Ty())); }

  /// Vectors [from, from + count) of an operand in memory, as numbers.
  Pack loadVectors(Form form, std::size_t operand, DType dtype, int from, int count) {
    const bool slot = form == Form::slot;
    const bool truth = !slot && dtype == DType::boolean, narrow = !slot && isRounded(dtype);
    llvm::Type* element = slot ? lane() : memoryType(b_, dtype);
    Value* base = slot ? slotAddress(operand) : tensorAddress(operand, element);
    llvm::Type* type = vectorOf(element);
    const auto align = llvm::Align(slot ? vectorBytes() : info(dtype).size);
    Pack pack;
    for (int v = from; v < from + count; ++v) {
      Value* loaded = b_.CreateAlignedLoad(
          type, b_.CreateConstGEP1_64(type, base, static_cast<std::uint64_t>(v)), align);
      if (truth) loaded = asNumber(isTrue(loaded));
      if (narrow) loaded = math_.widened(loaded, dtype);
      if (!slot && isByte(dtype)) loaded = fromBytes(loaded, dtype);
      pack.push_back(loaded);
    }
    return pack;
  }

  void writePiece() {
    begin(pieceType());
    Pack block;
    for (unsigned v = 0; v < kOpListVectors; ++v)
      block.push_back(b_.CreateBitCast(function_->getArg(v), numbers()));
    switch (s_.kind) {
      case Kind::op:
        block = applyOp(block);
        break;
      case Kind::load:
        block = loadVectors(s_.forms[0], 0, s_.dtype, 0, kOpListVectors);
        break;
      case Kind::keep:
        storeVectors(block, slotAddress(0), DType::float32, llvm::Align(vectorBytes()));
        break;
      case Kind::store:
        storeVectors(block, tensorAddress(0, memoryType(b_, s_.dtype)), s_.dtype,
                     llvm::Align(info(s_.dtype).size));
        break;
      case Kind::round:
        for (Value*& value : block)
          value = isByte(s_.dtype) ? fromBytes(toBytes(value), s_.dtype)
                                   : math_.rounded(value, s_.dtype);
        break;
      case Kind::accumulate:
        accumulate(block);
        break;
      case Kind::total:
        total(block);
        break;
      case Kind::next:
        return writeNext();
      default:
        break;
    }
    jump(block, b_.CreateConstGEP1_64(b_.getInt8Ty(), instruction(), instructionBytes(s_.words())),
         index());
    promoteSlots(*function_);
  }

  void storeVectors(const Pack& block, Value* to, DType dtype, llvm::Align align) {
    for (std::size_t v = 0; v < block.size(); ++v) {
      Value* value = block[v];
      if (dtype == DType::boolean) value = b_.CreateZExt(isTrue(value), vectorOf(b_.getInt8Ty()));
      if (isRounded(dtype)) value = math_.kept(math_.rounded(value, dtype), dtype);
      if (isByte(dtype)) value = toBytes(value);
      b_.CreateAlignedStore(value, b_.CreateConstGEP1_64(value->getType(), to, v), align);
    }
  }

  /// Hands the block over to the code of another instruction, for good.
  void jump(const Pack& block, Value* to, Value* index) {
    llvm::SmallVector<Value*, 12> arguments;
    for (Value* value : block) arguments.push_back(b_.CreateBitCast(value, floats()));
    arguments.push_back(to);
    arguments.push_back(state());
    arguments.push_back(index);
    Value* code = b_.CreateLoad(b_.getPtrTy(), to);
    auto* call = b_.CreateCall(pieceType(), code, arguments);
    call->setTailCallKind(llvm::CallInst::TCK_MustTail);
    b_.CreateRetVoid();
  }

  void writeNext() {
    Value* block = b_.getInt64(std::uint64_t{kOpListVectors} * width());
    Value* next = b_.CreateAdd(index(), block);
    Value* end = field(state(), offsetof(OpListState, end), b_.getInt64Ty());
    auto* again = llvm::BasicBlock::Create(module_.getContext(), "again", function_);
    auto* done = llvm::BasicBlock::Create(module_.getContext(), "done", function_);
    b_.CreateCondBr(b_.CreateICmpSLT(next, end), again, done);
    b_.SetInsertPoint(done);
    b_.CreateRetVoid();
    b_.SetInsertPoint(again);
    const Pack nothing(kOpListVectors, llvm::PoisonValue::get(floats()));
    jump(nothing, field(state(), offsetof(OpListState, first), b_.getPtrTy()), next);
  }

  // ---- ops ----

  Pack applyOp(const Pack& block) {
    ExprGraph graph;
    const Expr root = formula(graph);
    std::vector<Pack> uniform = uniformValues(graph);
    std::array<Range, 3> operandRanges;
    std::transform(s_.known.begin(), s_.known.end(), operandRanges.begin(),
                   [](RangeClass known) { return rangeOf(known); });
    const std::vector<Range> ranges = valueRanges(graph.nodes(), operandRanges);
    double cost = 0;
    for (const ExprNode& node : graph.nodes()) cost += instructionCount(node.primitive);
    const int group = cost <= kShortOp ? kOpListVectors : kOpListVectors / 2;
    Pack result;
    for (int from = 0; from < kOpListVectors; from += group) {
      std::vector<Pack> values(graph.size());
      for (std::size_t i = 0; i < graph.size(); ++i) {
        const ExprNode& node = graph.nodes()[i];
        if (!uniform[i].empty()) {
          values[i] = Pack(static_cast<std::size_t>(group), uniform[i].front());
          continue;
        }
        if (node.primitive == Primitive::input) {
          values[i] = operand(static_cast<std::size_t>(node.index), block, from, group);
          continue;
        }
        std::vector<Pack> operands;
        std::vector<Range> known;
        for (int o = 0; o < info(node.primitive).arity; ++o) {
          const auto operand = static_cast<std::size_t>(node.operands[o]);
          operands.push_back(values[operand]);
          known.push_back(ranges[operand]);
        }
        values[i] = math_.emit(node, lastClass(graph, node), operands, known);
      }
      for (Value* value : values[static_cast<std::size_t>(root.id)])
        result.push_back(asNumber(value));
    }
    return result;
  }

  /// The row's formula; operands that are numbers and parameters are scalars, numbered as the words
  /// of the instruction.
  Expr formula(ExprGraph& graph) {
    std::vector<Expr> operands, parameters;
    const auto scalar = [&](std::size_t word) {
      return graph.scalar(static_cast<int>(word), s_.computed);
    };
    const auto arity = static_cast<std::size_t>(s_.row->arity);
    for (std::size_t o = 0; o < arity; ++o)
      operands.push_back(
          {&graph,
           s_.forms[o] == Form::number
               ? scalar(s_.wordOf(o))
               : graph.input(static_cast<int>(o), s_.truths[o] ? TypeClass::truth : s_.computed)});
    std::size_t structural = 0, word = s_.wordOf(arity);
    const auto next = [&](std::size_t& at) { return std::exchange(at, at + s_.wordsOfNumber()); };
    for (const Parameter& parameter : s_.row->parameters)
      parameters.push_back({&graph, parameter.kind == Parameter::Kind::number ? scalar(next(word))
                                    : isStructural(*s_.row, parameter)
                                        ? graph.constant(s_.structural[structural++])
                                        : graph.constant(0)});
    return applyRow(*s_.row, s_.dtype, operands, parameters);
  }

  /// Per node: one vector, if it is the same for every element.
  std::vector<Pack> uniformValues(const ExprGraph& graph) {
    std::vector<Pack> uniform(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const ExprNode& node = graph.nodes()[i];
      if (node.primitive == Primitive::input) continue;
      if (node.primitive == Primitive::constant) {
        uniform[i] = {math_.splat(node)};
      } else if (node.primitive == Primitive::scalar) {
        Value* scalar = b_.CreateAlignedLoad(
            lane(),
            b_.CreateConstGEP1_64(b_.getInt8Ty(), instruction(),
                                  wordAt(static_cast<std::size_t>(node.index))),
            llvm::Align(kWordBytes));
        uniform[i] = {b_.CreateVectorSplat(width(), scalar)};
      } else {
        std::vector<Pack> operands;
        for (int o = 0; o < info(node.primitive).arity; ++o)
          operands.push_back(uniform[static_cast<std::size_t>(node.operands[o])]);
        bool all = true;
        for (const Pack& operand : operands) all &= !operand.empty();
        if (all) uniform[i] = math_.emit(node, lastClass(graph, node), operands);
      }
    }
    return uniform;
  }

  Pack operand(std::size_t at, const Pack& block, int from, int count) {
    Pack pack = s_.forms[at] == Form::working
                    ? Pack(block.begin() + from, block.begin() + from + count)
                    : loadVectors(s_.forms[at], at, storageOf(s_.computed), from, count);
    if (s_.truths[at])
      for (Value*& value : pack) value = isTrue(value);
    return pack;
  }

  Value* asNumber(Value* value) {
    if (value->getType() == numbers()) return value;
    return isFloat(s_.computed) ? b_.CreateUIToFP(value, numbers())
                                : b_.CreateZExt(value, numbers());
  }

  /// The class of a node's last operand, which determines the node's code.
  static TypeClass lastClass(const ExprGraph& graph, const ExprNode& node) {
    const int arity = info(node.primitive).arity;
    return arity == 0 ? node.type : graph[node.operands[static_cast<std::size_t>(arity - 1)]].type;
  }

  // ---- accumulators ----

  std::unique_ptr<Accumulator> accumulatorAt(Value* base) {
    std::uint64_t offset = 0;
    const Accumulator::Setting setting{
        b_, target_.vector.width, kOpListVectors, !s_.lanes,
        [this, base, offset](llvm::Type* type) mutable {
          Value* at = b_.CreateConstGEP1_64(b_.getInt8Ty(), base, offset);
          const std::uint64_t bytes = type->getPrimitiveSizeInBits().getFixedValue() / 8;
          offset += (bytes + kAlign - 1) / kAlign * kAlign;
          return at;
        }};
    return Accumulator::make(s_.accumulate, setting);
  }

  Value* accumulatorPlace() {
    return b_.CreateGEP(b_.getInt8Ty(),
                        field(state(), offsetof(OpListState, accumulators), b_.getPtrTy()),
                        place(0));
  }

  /// Reset, accumulate and finish in one, with the state in registers.
  void total(const Pack& block) {
    const auto accumulator =
        Accumulator::make(s_.accumulate, {b_, target_.vector.width, kOpListVectors, true});
    accumulator->reset();
    Value* at = field(state(), offsetof(OpListState, reducedIndex), b_.getInt64Ty());
    accumulator->add(block, nullptr, b_.CreateAdd(at, index()), b_.getInt64(1));
    accumulator->flush();
    storeWords(*accumulator, accumulatorPlace());
  }

  void accumulate(const Pack& block) {
    Value* base = accumulatorPlace();
    Value* at = field(state(), offsetof(OpListState, reducedIndex), b_.getInt64Ty());
    if (!s_.lanes) at = b_.CreateAdd(at, index());
    Pack mask;
    if (s_.masked) {
      Value* remaining = field(state(), offsetof(OpListState, remaining), b_.getInt64Ty());
      Value* limit = b_.CreateVectorSplat(width(), b_.CreateTrunc(remaining, b_.getInt32Ty()));
      for (int v = 0; v < kOpListVectors; ++v) {
        llvm::SmallVector<llvm::Constant*, 16> numbers;
        for (unsigned lane = 0; lane < width(); ++lane)
          numbers.push_back(b_.getInt32(static_cast<unsigned>(v) * width() + lane));
        mask.push_back(b_.CreateICmpULT(llvm::ConstantVector::get(numbers), limit));
      }
    }
    accumulatorAt(base)->add(block, s_.masked ? &mask : nullptr, at, b_.getInt64(1));
  }

  void writeAccumulatorCall() {
    const bool finish = s_.kind == Kind::finish;
    llvm::SmallVector<llvm::Type*, 2> types(finish ? 2 : 1, b_.getPtrTy());
    begin(llvm::FunctionType::get(b_.getVoidTy(), types, false));
    const auto accumulator = accumulatorAt(function_->getArg(0));
    if (s_.kind == Kind::reset) accumulator->reset();
    if (s_.kind == Kind::flush) accumulator->flush();
    if (finish) {
      accumulator->flush();
      storeWords(*accumulator, function_->getArg(1));
    }
    b_.CreateRetVoid();
  }

  /// Stores the state word by word. With lanes: all lanes' first words, then all second ones.
  void storeWords(Accumulator& accumulator, Value* to) {
    const std::uint64_t count = s_.lanes ? static_cast<std::uint64_t>(kOpListVectors) * width() : 1;
    const auto states = accumulator.states();
    for (std::size_t v = 0; v < states.size(); ++v)
      for (std::size_t word = 0; word < states[v].size(); ++word)
        b_.CreateAlignedStore(
            states[v][word],
            b_.CreateConstGEP1_64(b_.getInt64Ty(), to, word * count + v * (s_.lanes ? width() : 1)),
            llvm::Align(8));
  }

  void writeEnter() {
    begin(llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy(), b_.getPtrTy(), b_.getInt64Ty()},
                                  false));
    llvm::SmallVector<Value*, 12> arguments(kOpListVectors, llvm::PoisonValue::get(floats()));
    for (unsigned i = 0; i < 3; ++i) arguments.push_back(function_->getArg(i));
    b_.CreateCall(pieceType(), b_.CreateLoad(b_.getPtrTy(), function_->getArg(0)), arguments);
    b_.CreateRetVoid();
  }

  const Stencil& s_;
  const Target& target_;
  llvm::Module& module_;
  llvm::IRBuilder<> b_;
  unsigned lanes_;
  VectorMath math_;
  llvm::Function* function_ = nullptr;
};

}  // namespace

GeneratedModule generate(const Stencil& stencil, const Target& target,
                         const llvm::DataLayout& layout) {
  GeneratedModule generated;
  generated.context = std::make_unique<llvm::LLVMContext>();
  generated.module = std::make_unique<llvm::Module>(stencil.text(), *generated.context);
  generated.module->setDataLayout(layout);
  generated.module->setTargetTriple(target.triple);
  StencilWriter(stencil, target, *generated.module).write();
  return generated;
}

std::size_t accumulatorBytes(Accumulate kind, bool lanes, const Target& target) {
  llvm::LLVMContext context;
  llvm::Module module("size", context);
  llvm::IRBuilder<> b(context);
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
                             llvm::Function::ExternalLinkage, "size", module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
  std::size_t bytes = 0;
  Accumulator::make(kind, {b, target.vector.width, kOpListVectors, !lanes, [&](llvm::Type* type) {
                             const std::size_t each =
                                 type->getPrimitiveSizeInBits().getFixedValue() / 8;
                             bytes += (each + kAlign - 1) / kAlign * kAlign;
                             return function->getArg(0);
                           }});
  return bytes;
}

}  // namespace fusebench::cpu
