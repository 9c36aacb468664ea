// SPDX-License-Identifier: GPL-3.0-or-later
// Primitives of other classes than float32: integers as the hardware has them, float64 by the
// host's math library where it is more than an instruction.
#include <array>
#include <limits>
#include <stdexcept>
#include <string>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "engine/base/scalar.h"
#include "engine/cpu/math/families.h"
#include "engine/cpu/math/slow_paths.h"
#include "engine/cpu/math/vec.h"
#include "engine/cpu/math/vector_math.h"

namespace fusebench::cpu {
namespace {

using llvm::CmpInst;
using llvm::Value;

llvm::Type* laneOf(llvm::IRBuilder<>& b, TypeClass type) {
  if (type == TypeClass::truth) return b.getInt1Ty();
  if (isInteger(type)) return b.getIntNTy(static_cast<unsigned>(bitsOf(type)));
  return type == TypeClass::float64 ? b.getDoubleTy() : b.getFloatTy();
}

/// A type of as many lanes as `like` has, or one.
llvm::Type* shapedAs(llvm::Type* like, llvm::Type* lane) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(like);
  return vector ? llvm::VectorType::get(lane, vector->getElementCount()) : lane;
}

/// Stack space for some vectors, made in the entry block.
Value* roomFor(llvm::IRBuilder<>& b, llvm::Type* type, std::size_t vectors) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> first(&entry, entry.begin());
  return first.CreateAlloca(type, first.getInt32(static_cast<std::uint32_t>(vectors)));
}

/// Calls a host function on all lanes: void name(const T* operands..., T* results, int64 lanes).
Vec onHost(const char* name, llvm::ArrayRef<Vec> operands) {
  const Vec& like = operands[0];
  llvm::IRBuilder<>& b = like.builder();
  llvm::SmallVector<Value*, 4> arguments;
  for (const Vec& operand : operands) {
    arguments.push_back(roomFor(b, like.type(), like.size()));
    for (std::size_t i = 0; i < like.size(); ++i)
      b.CreateStore(operand[i], b.CreateConstGEP1_64(like.type(), arguments.back(), i));
  }
  arguments.push_back(roomFor(b, like.type(), like.size()));
  Value* const results = arguments.back();
  const auto lanes = llvm::cast<llvm::FixedVectorType>(like.type())->getNumElements();
  arguments.push_back(b.getInt64(lanes * like.size()));
  llvm::SmallVector<llvm::Type*, 4> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  b.CreateCall(
      module.getOrInsertFunction(name, llvm::FunctionType::get(b.getVoidTy(), types, false)),
      arguments);
  return like.each([&](std::size_t i) {
    return b.CreateLoad(like.type(), b.CreateConstGEP1_64(like.type(), results, i));
  });
}

CmpInst::Predicate predicateOf(Primitive primitive, bool isUnsigned) {
  switch (primitive) {
    case Primitive::lt:
      return isUnsigned ? CmpInst::ICMP_ULT : CmpInst::ICMP_SLT;
    case Primitive::le:
      return isUnsigned ? CmpInst::ICMP_ULE : CmpInst::ICMP_SLE;
    case Primitive::gt:
      return isUnsigned ? CmpInst::ICMP_UGT : CmpInst::ICMP_SGT;
    case Primitive::ge:
      return isUnsigned ? CmpInst::ICMP_UGE : CmpInst::ICMP_SGE;
    case Primitive::eq:
      return CmpInst::ICMP_EQ;
    default:
      return CmpInst::ICMP_NE;
  }
}

/// Integers of one class, one vector at a time.
class IntegerOps {
 public:
  IntegerOps(llvm::IRBuilder<>& b, TypeClass type, llvm::Type* vector)
      : b_(b), type_(type), vector_(vector), unsigned_(type == TypeClass::uint8) {}

  Value* emit(Primitive primitive, llvm::ArrayRef<Value*> x) {
    switch (primitive) {
      case Primitive::add:
        return b_.CreateAdd(x[0], x[1]);
      case Primitive::sub:
        return b_.CreateSub(x[0], x[1]);
      case Primitive::mul:
        return b_.CreateMul(x[0], x[1]);
      case Primitive::div:
        return quotient(x[0], x[1]);
      case Primitive::fmod:
        return b_.CreateSub(x[0], b_.CreateMul(quotient(x[0], x[1]), x[1]));
      case Primitive::neg:
        return b_.CreateNeg(x[0]);
      case Primitive::abs:
        if (unsigned_) return x[0];
        return b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x[0], b_.getFalse());
      case Primitive::min:
        return b_.CreateBinaryIntrinsic(unsigned_ ? llvm::Intrinsic::umin : llvm::Intrinsic::smin,
                                        x[0], x[1]);
      case Primitive::max:
        return b_.CreateBinaryIntrinsic(unsigned_ ? llvm::Intrinsic::umax : llvm::Intrinsic::smax,
                                        x[0], x[1]);
      case Primitive::bitAnd:
        return b_.CreateAnd(x[0], x[1]);
      case Primitive::bitOr:
        return b_.CreateOr(x[0], x[1]);
      case Primitive::bitXor:
        return b_.CreateXor(x[0], x[1]);
      case Primitive::bitNot:
        return b_.CreateNot(x[0]);
      case Primitive::shiftLeft: {
        Value* fits = b_.CreateICmpULT(x[1], number(bitsOf(type_)));
        Value* count = b_.CreateSelect(fits, x[1], number(0));
        return b_.CreateSelect(fits, b_.CreateShl(x[0], count), number(0));
      }
      case Primitive::shiftRight: {
        Value* fits = b_.CreateICmpULT(x[1], number(bitsOf(type_)));
        Value* count = b_.CreateSelect(fits, x[1], number(bitsOf(type_) - 1));
        if (!unsigned_) return b_.CreateAShr(x[0], count);
        return b_.CreateSelect(fits, b_.CreateLShr(x[0], count), number(0));
      }
      default:
        throw std::logic_error("no integers for " + std::string(info(primitive).name));
    }
  }
  Value* compare(Primitive primitive, Value* a, Value* b) {
    return b_.CreateICmp(predicateOf(primitive, unsigned_), a, b);
  }

 private:
  llvm::Constant* number(std::int64_t value) {
    return llvm::ConstantInt::getSigned(vector_, value);
  }
  /// Toward zero. Processors trap at a division by 0 and at that of the least number by -1.
  Value* quotient(Value* a, Value* b) {
    Value* zero = b_.CreateICmpEQ(b, number(0));
    if (unsigned_)
      return b_.CreateSelect(zero, number(0),
                             b_.CreateUDiv(a, b_.CreateSelect(zero, number(1), b)));
    Value* minus = b_.CreateICmpEQ(b, number(-1));
    Value* safe = b_.CreateSelect(b_.CreateOr(zero, minus), number(1), b);
    Value* made = b_.CreateSelect(minus, b_.CreateNeg(a), b_.CreateSDiv(a, safe));
    return b_.CreateSelect(zero, number(0), made);
  }

  llvm::IRBuilder<>& b_;
  TypeClass type_;
  llvm::Type* vector_;
  bool unsigned_;
};

/// A number of one class as one of another.
Value* converted(llvm::IRBuilder<>& b, Value* x, TypeClass from, TypeClass to) {
  llvm::Type* const type = shapedAs(x->getType(), laneOf(b, to));
  const bool unsignedFrom = from == TypeClass::uint8 || from == TypeClass::truth;
  if (isInteger(from) || from == TypeClass::truth) {
    if (isFloat(to)) return unsignedFrom ? b.CreateUIToFP(x, type) : b.CreateSIToFP(x, type);
    return unsignedFrom ? b.CreateZExtOrTrunc(x, type) : b.CreateSExtOrTrunc(x, type);
  }
  if (to == TypeClass::float64) return b.CreateFPExt(x, type);
  if (to == TypeClass::float32) return b.CreateFPTrunc(x, type);
  const bool wide = to == TypeClass::int64;
  llvm::Type* const whole = shapedAs(x->getType(), wide ? b.getInt64Ty() : b.getInt32Ty());
  const double limit = integerLimit(to);
  Value* inRange = b.CreateAnd(b.CreateFCmpOGE(x, llvm::ConstantFP::get(x->getType(), -limit)),
                               b.CreateFCmpOLT(x, llvm::ConstantFP::get(x->getType(), limit)));
  Value* safe = b.CreateSelect(inRange, x, llvm::Constant::getNullValue(x->getType()));
  const std::int64_t least =
      wide ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int32_t>::min();
  Value* made = b.CreateSelect(inRange, b.CreateFPToSI(safe, whole),
                               llvm::ConstantInt::getSigned(whole, least));
  return b.CreateTrunc(made, type);
}

/// The host function of a primitive on doubles; null where it is an instruction.
const char* wideHostName(Primitive primitive) {
  for (const WideFunction& function : wideFunctions())
    if (function.primitive == primitive) return function.name;
  return nullptr;
}

}  // namespace

Value* VectorMath::widened(Value* stored, DType dtype) {
  llvm::Type* const floats = shapedAs(stored->getType(), b_.getFloatTy());
  if (dtype == DType::float16) return b_.CreateFPExt(stored, floats);
  llvm::Type* const words = shapedAs(stored->getType(), b_.getInt32Ty());
  return b_.CreateBitCast(b_.CreateShl(b_.CreateZExt(stored, words), 16), floats);
}

Value* VectorMath::kept(Value* value, DType dtype) {
  if (dtype == DType::float16)
    return b_.CreateFPTrunc(value, shapedAs(value->getType(), b_.getHalfTy()));
  llvm::Type* const words = shapedAs(value->getType(), b_.getInt32Ty());
  return b_.CreateTrunc(b_.CreateLShr(b_.CreateBitCast(value, words), 16),
                        shapedAs(value->getType(), b_.getInt16Ty()));
}

/// To the nearest multiple of 2^16, of two the even one; NaN stays NaN.
Value* VectorMath::rounded(Value* value, DType dtype, Rounding rounding) {
  if (rounding == Rounding::none) return value;
  if (dtype == DType::float16) return widened(kept(value, dtype), dtype);
  llvm::Type* const words = shapedAs(value->getType(), b_.getInt32Ty());
  const auto number = [words](std::uint64_t bits) { return llvm::ConstantInt::get(words, bits); };
  Value* bits = b_.CreateBitCast(value, words);
  Value* made = nullptr;
  if (target_.masks) {
    // Half of it is added: where that leaves nothing below, two were as near, and the odd one of
    // them is one too far. One instruction less than adding what is odd.
    Value* near = b_.CreateAdd(bits, number(0x8000));
    Value* tie = b_.CreateICmpEQ(b_.CreateAnd(near, number(0xffff)), number(0));
    made = b_.CreateSelect(tie, b_.CreateAnd(near, number(0xfffeffff)), near);
  } else {
    Value* odd = b_.CreateAnd(b_.CreateLShr(bits, 16), number(1));
    made = b_.CreateAdd(b_.CreateAdd(bits, odd), number(0x7fff));
  }
  made = b_.CreateAnd(made, number(0xffff0000));
  if (rounding == Rounding::whole)
    made = b_.CreateSelect(b_.CreateFCmpUNO(value, value), number(0x7fc00000), made);
  return b_.CreateBitCast(made, value->getType());
}

Pack VectorMath::emit(const ExprNode& node, TypeClass from, llvm::ArrayRef<Pack> operands,
                      llvm::ArrayRef<Range> ranges) {
  const Primitive primitive = node.primitive;
  const auto each = [&](const auto& make) {
    Pack made;
    for (std::size_t i = 0; i < operands[0].size(); ++i) made.push_back(make(i));
    return made;
  };
  const auto usual = [](TypeClass type) {
    return type == TypeClass::float32 || type == TypeClass::truth;
  };
  if (primitive == Primitive::narrow) {
    const auto dtype = static_cast<DType>(node.index);
    return each([&](std::size_t i) { return rounded(operands[0][i], dtype); });
  }
  if (primitive == Primitive::convert || (primitive == Primitive::toNumber && !usual(node.type)))
    return each([&](std::size_t i) { return converted(b_, operands[0][i], from, node.type); });
  if ((usual(node.type) && usual(from)) || primitive == Primitive::select)
    return emit(primitive, operands, ranges);

  VecContext context{b_, target_};
  const bool compares = primitive >= Primitive::lt && primitive <= Primitive::ne;
  if (isInteger(from)) {
    IntegerOps ops(b_, from, operands[0][0]->getType());
    if (primitive == Primitive::pow) {
      const auto wide = [&](const Pack& pack) {
        return Vec(context, each([&](std::size_t i) {
                     return converted(b_, pack[i], from, TypeClass::int64);
                   }));
      };
      const Vec power = onHost(kHostIntegerPower, {wide(operands[0]), wide(operands[1])});
      return each(
          [&](std::size_t i) { return converted(b_, power[i], TypeClass::int64, node.type); });
    }
    return each([&](std::size_t i) -> Value* {
      if (primitive == Primitive::toTruth) return b_.CreateIsNotNull(operands[0][i]);
      if (compares) return ops.compare(primitive, operands[0][i], operands[1][i]);
      llvm::SmallVector<Value*, 3> x;
      for (const Pack& operand : operands) x.push_back(operand[i]);
      return ops.emit(primitive, x);
    });
  }
  const char* host = wideHostName(primitive);
  if (primitive == Primitive::fma && target_.fma) host = nullptr;
  if (primitive == Primitive::sin || primitive == Primitive::cos) {
    llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
    b_.clearFastMathFlags();
    const Vec x(context, operands[0]);
    return (primitive == Primitive::sin ? wideSinOf(x) : wideCosOf(x)).pack();
  }
  if (!host) return emit(primitive, operands, {});
  llvm::SmallVector<Vec, 3> given;
  for (const Pack& operand : operands) given.emplace_back(context, operand);
  return onHost(host, given).pack();
}

Value* VectorMath::splat(const ExprNode& constant) {
  if (constant.type == TypeClass::float32) return splat(constant.value);
  llvm::Type* const type =
      llvm::FixedVectorType::get(laneOf(b_, constant.type), static_cast<unsigned>(target_.width));
  if (isInteger(constant.type)) return llvm::ConstantInt::getSigned(type, constant.whole);
  return llvm::ConstantFP::get(type, constant.value);
}

}  // namespace fusebench::cpu
