// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/kernel_results.h"

#include <stdexcept>
#include <string>

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

/// The result in double (a position: int64) from what was accumulated; `ofAll`: over all rows, not
/// over one.
Value* finished(KernelScope& scope, const KernelOutput& output, const AccumulatorState& state,
                bool ofAll = false) {
  const Kernel& kernel = scope.kernel;
  llvm::IRBuilder<>& b = scope.b;
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

  Value* elements = scope.int64(1);
  for (int dim = 0; dim < kernel.rank(); ++dim)
    if (kernel.reduced(dim) != ofAll)
      elements = b.CreateMul(elements, scope.extents[static_cast<std::size_t>(dim)]);
  Value* number = b.CreateSIToFP(elements, b.getDoubleTy());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    number = b.CreateVectorSplat(vector->getNumElements(), number);
  if (row.count >= 0) number = state[static_cast<std::size_t>(row.count)];
  KernelScope::Values values;
  for (const ExprNode& node : graph.nodes()) {
    if (node.primitive == Primitive::input) {
      values.push_back(node.index == 0 ? accumulated : number);
    } else if (node.primitive == Primitive::constant) {
      values.push_back(llvm::ConstantFP::get(type, node.value));
    } else {
      llvm::SmallVector<Value*, 3> operands;
      for (int o = 0; o < info(node.primitive).arity; ++o)
        operands.push_back(values[static_cast<std::size_t>(node.operands[o])]);
      values.push_back(emitDouble(b, node.primitive, operands));
    }
  }
  return values[static_cast<std::size_t>(root)];
}

/// A finished result as the value that an element of this dtype has.
Value* converted(KernelScope& scope, Value* result, DType dtype) {
  llvm::IRBuilder<>& b = scope.b;
  const auto like = [&](llvm::Type* element) -> llvm::Type* {
    if (!result->getType()->isVectorTy()) return element;
    return llvm::FixedVectorType::get(element, static_cast<unsigned>(scope.width()));
  };
  llvm::Type* const type = like(scope.memoryType(dtype));
  if (!result->getType()->isFPOrFPVectorTy())  // an int64
    return b.CreateTrunc(result, type);
  switch (dtype) {
    case DType::boolean:
      return b.CreateFCmpUNE(result, llvm::Constant::getNullValue(result->getType()));
    case DType::uint8:
    case DType::int8:
    case DType::int32:
    case DType::int64:
      return b.CreateFPToSI(result, type);
    case DType::float16:
    case DType::bfloat16:  // as float32, of which storing makes the narrower one
    case DType::float32:
      return b.CreateFPTrunc(result, like(b.getFloatTy()));
    case DType::float64:
      break;
  }
  return result;
}

}  // namespace

void storeResults(KernelScope& scope, BlockAccess& blocks, const Accumulators& accumulators) {
  for (std::size_t o = 0; o < accumulators.size(); ++o) {
    if (!accumulators[o]) continue;
    const KernelOutput& output = scope.kernel.outputs[o];
    const std::size_t tensor = scope.outputTensor(o);
    Pack results;
    for (const AccumulatorState& state : accumulators[o]->states())
      results.push_back(converted(scope, finished(scope, output, state), output.tensor.dtype));
    if (scope.schedule.vectorReduced)
      scope.b.CreateStore(scope.toMemory(results[0], output.tensor.dtype), scope.element(tensor));
    else
      blocks.store(tensor, results);
  }
}

namespace {

Value* rowResult(KernelScope& scope, const KernelOutput& output, const AccumulatorState& state,
                 bool ofAll = false) {
  Value* result = converted(scope, finished(scope, output, state, ofAll), output.tensor.dtype);
  if (output.tensor.dtype == DType::boolean && !result->getType()->isIntegerTy(1))
    result = scope.b.CreateIsNotNull(result);
  return result;
}

}  // namespace

KernelScope::Values rowResults(KernelScope& scope, const Accumulators& accumulators) {
  KernelScope::Values results;
  for (std::size_t o = 0; o < accumulators.size(); ++o)
    results.push_back(accumulators[o] ? rowResult(scope, scope.kernel.outputs[o],
                                                  accumulators[o]->states().front())
                                      : nullptr);
  return results;
}

KernelScope::Values rowResults(KernelScope& scope, Value* words) {
  llvm::IRBuilder<>& b = scope.b;
  KernelScope::Values results;
  for (std::size_t o = 0; o < scope.kernel.outputs.size(); ++o) {
    const KernelOutput& output = scope.kernel.outputs[o];
    Value*& result = results.emplace_back(nullptr);
    if (!output.reduces) continue;
    AccumulatorState state;
    for (int word = 0; word < kPartialWords; ++word) {
      const bool place = info(output.accumulate).family == AccumulatorFamily::place && word == 1;
      llvm::Type* type = place || isInteger(output.accumulated) ? b.getInt64Ty() : b.getDoubleTy();
      state.push_back(b.CreateLoad(
          type, b.CreateConstGEP1_64(b.getInt64Ty(), words,
                                     o * kPartialWords + static_cast<std::size_t>(word))));
    }
    result = rowResult(scope, output, state);
  }
  return results;
}

KernelScope::Values totalResults(KernelScope& scope, Value* words) {
  llvm::IRBuilder<>& b = scope.b;
  KernelScope::Values results;
  for (std::size_t t = 0; t < scope.kernel.totals.size(); ++t) {
    Value* sum = b.CreateLoad(b.getDoubleTy(),
                              b.CreateConstGEP1_64(b.getInt64Ty(), words, t * kPartialWords));
    results.push_back(rowResult(scope, scope.kernel.totals[t], {sum}, true));
  }
  return results;
}

void storePartials(KernelScope& scope, const Accumulators& accumulators, Value* words) {
  llvm::IRBuilder<>& b = scope.b;
  for (std::size_t o = 0; o < accumulators.size(); ++o) {
    if (!accumulators[o]) continue;
    const AccumulatorState state = accumulators[o]->states().front();
    for (std::size_t word = 0; word < state.size(); ++word)
      b.CreateStore(state[word],
                    b.CreateConstGEP1_64(b.getInt64Ty(), words, o * kPartialWords + word));
  }
}

}  // namespace fusebench::cpu
