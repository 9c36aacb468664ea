// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to accumulators when their loops are done: finish, convert, store.
#include <stdexcept>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/kernel_writer.h"
#include "engine/cpu/math/loops.h"
#include "engine/cpu/math/slow_paths.h"

namespace fusebench::cpu {

using llvm::Value;

namespace {

/// A call of the host's function for each lane.
Value* callPower(llvm::IRBuilder<>& b, Value* base, Value* exponent) {
  llvm::Type* number = b.getDoubleTy();
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  const auto power = module.getOrInsertFunction(
      kHostPower, llvm::FunctionType::get(number, {number, number}, false));
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(base->getType());
  if (!vector) return b.CreateCall(power, {base, exponent});
  Value* result = llvm::PoisonValue::get(vector);
  for (std::uint64_t lane = 0; lane < vector->getNumElements(); ++lane)
    result = b.CreateInsertElement(result,
                                   b.CreateCall(power, {b.CreateExtractElement(base, lane),
                                                        b.CreateExtractElement(exponent, lane)}),
                                   lane);
  return result;
}

/// The primitives that `finish` formulas use, on doubles: few, since they only scale and root.
Value* emitDouble(llvm::IRBuilder<>& b, Primitive primitive, llvm::ArrayRef<Value*> x) {
  switch (primitive) {
    case Primitive::add:
      return b.CreateFAdd(x[0], x[1]);
    case Primitive::sub:
      return b.CreateFSub(x[0], x[1]);
    case Primitive::mul:
      return b.CreateFMul(x[0], x[1]);
    case Primitive::div:
      return b.CreateFDiv(x[0], x[1]);
    case Primitive::pow:
      return callPower(b, x[0], x[1]);
    case Primitive::neg:
      return b.CreateFNeg(x[0]);
    case Primitive::sqrt:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x[0]);
    case Primitive::lt:
      return b.CreateFCmpOLT(x[0], x[1]);
    case Primitive::le:
      return b.CreateFCmpOLE(x[0], x[1]);
    case Primitive::gt:
      return b.CreateFCmpOGT(x[0], x[1]);
    case Primitive::ge:
      return b.CreateFCmpOGE(x[0], x[1]);
    case Primitive::select:
      return b.CreateSelect(x[0], x[1], x[2]);
    case Primitive::max:
      return b.CreateSelect(b.CreateOr(b.CreateFCmpOGT(x[0], x[1]), b.CreateFCmpUNO(x[0], x[0])),
                            x[0], x[1]);
    default:
      throw std::logic_error("a finish formula uses " + std::string(info(primitive).name));
  }
}

}  // namespace

/// The result in double (a position: int64) from what was accumulated.
Value* KernelWriter::finished(const KernelOutput& output, const AccumulatorState& state) {
  const AccumulatorRow& row = info(output.accumulate);
  Value* accumulated = state[static_cast<std::size_t>(row.result)];
  if (row.positions || !output.finish) return accumulated;
  llvm::Type* type = accumulated->getType();

  ExprGraph graph;
  const Expr total{&graph, graph.input(0)}, count{&graph, graph.input(1)};
  std::vector<Expr> parameters;
  for (double parameter : output.finishParameters)
    parameters.push_back({&graph, graph.constant(parameter)});
  const ExprId root = output.finish(total, count, Args({}, parameters)).id;

  Value* elements = int64(1);
  for (int dim = 0; dim < k_.rank(); ++dim)
    if (k_.reduced(dim)) elements = b_.CreateMul(elements, extents_[static_cast<std::size_t>(dim)]);
  Value* number = b_.CreateSIToFP(elements, b_.getDoubleTy());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    number = b_.CreateVectorSplat(vector->getNumElements(), number);
  if (row.count >= 0) number = state[static_cast<std::size_t>(row.count)];
  Values values;
  for (const ExprNode& node : graph.nodes()) {
    if (node.primitive == Primitive::input) {
      values.push_back(node.index == 0 ? accumulated : number);
    } else if (node.primitive == Primitive::constant) {
      values.push_back(llvm::ConstantFP::get(type, node.value));
    } else {
      llvm::SmallVector<Value*, 3> operands;
      for (int o = 0; o < info(node.primitive).arity; ++o)
        operands.push_back(values[static_cast<std::size_t>(node.operands[o])]);
      values.push_back(emitDouble(b_, node.primitive, operands));
    }
  }
  return values[static_cast<std::size_t>(root)];
}

/// A finished result as the value that an element of this dtype has.
Value* KernelWriter::converted(Value* result, DType dtype) {
  const auto like = [&](llvm::Type* element) -> llvm::Type* {
    if (!result->getType()->isVectorTy()) return element;
    return llvm::FixedVectorType::get(element, static_cast<unsigned>(width()));
  };
  llvm::Type* const type = like(memoryType(dtype));
  if (!result->getType()->isFPOrFPVectorTy())  // an int64
    return b_.CreateTrunc(result, type);
  switch (dtype) {
    case DType::boolean:
      return b_.CreateFCmpUNE(result, llvm::Constant::getNullValue(result->getType()));
    case DType::uint8:
    case DType::int8:
    case DType::int32:
    case DType::int64:
      return b_.CreateFPToSI(result, type);
    case DType::float16:
    case DType::bfloat16:  // as float32, of which storing makes the narrower one
    case DType::float32:
      return b_.CreateFPTrunc(result, like(b_.getFloatTy()));
    case DType::float64:
      break;
  }
  return result;
}

void KernelWriter::storeResults() {
  for (std::size_t o = 0; o < k_.outputs.size(); ++o) {
    if (!accumulators_[o]) continue;
    Pack results;
    for (const AccumulatorState& state : accumulators_[o]->states()) {
      results.push_back(converted(finished(k_.outputs[o], state), k_.outputs[o].tensor.dtype));
    }
    if (s_.vectorReduced)
      b_.CreateStore(toMemory(results[0], k_.outputs[o].tensor.dtype), element(outputTensor(o)));
    else
      storeBlock(outputTensor(o), results);
  }
}

void KernelWriter::storePartials() {
  for (std::size_t o = 0; o < k_.outputs.size(); ++o) {
    if (!accumulators_[o]) continue;
    const AccumulatorState state = accumulators_[o]->states().front();
    for (std::size_t word = 0; word < state.size(); ++word)
      b_.CreateStore(state[word], b_.CreateConstGEP1_64(b_.getInt64Ty(), function_->getArg(5),
                                                        o * kPartialWords + word));
  }
}

}  // namespace fusebench::cpu
