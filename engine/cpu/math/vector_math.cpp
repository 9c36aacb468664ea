// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/vector_math.h"

#include <array>
#include <stdexcept>

#include <llvm/IR/Constants.h>

#include "engine/cpu/math/families.h"
#include "engine/cpu/math/slow_paths.h"

namespace fusebench::cpu {
namespace {

/// Whether every lane is a known number, so that it cannot be NaN.
bool isKnownNumber(const Vec& v) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(v[i]);
    const auto* lane =
        constant ? llvm::dyn_cast_or_null<llvm::ConstantFP>(constant->getSplatValue()) : nullptr;
    if (!lane || lane->isNaN()) return false;
  }
  return true;
}

/// x86's minps and maxps give the second operand if either is NaN: with a constant first that is
/// all it takes; with a constant second, swapped. Else a NaN in `a` has to be put back.
template <typename Choose>
Vec propagatingNan(Choose choose, const Vec& a, const Vec& b) {
  if (isKnownNumber(a)) return choose(a, b);
  if (isKnownNumber(b)) return choose(b, a);
  return select(isNan(a), a, choose(a, b));
}

Vec unary(Primitive primitive, const Vec& a, const Range& range) {
  switch (primitive) {
    case Primitive::neg:
      return -a;
    case Primitive::abs:
      return abs(a);
    case Primitive::sqrt:
      return sqrt(a);
    case Primitive::exp:
      return expOf(a, range);
    case Primitive::exp2:
      return exp2Of(a);
    case Primitive::expm1:
      return expm1Of(a);
    case Primitive::log:
      return logOf(a);
    case Primitive::log2:
      return log2Of(a);
    case Primitive::log10:
      return log10Of(a);
    case Primitive::log1p:
      return log1pOf(a);
    case Primitive::sin:
      return sinOf(a, range);
    case Primitive::cos:
      return cosOf(a, range);
    case Primitive::tan:
      return tanOf(a);
    case Primitive::asin:
      return asinOf(a);
    case Primitive::acos:
      return acosOf(a);
    case Primitive::atan:
      return atanOf(a);
    case Primitive::sinh:
      return sinhOf(a);
    case Primitive::cosh:
      return coshOf(a);
    case Primitive::tanh:
      return tanhOf(a);
    case Primitive::asinh:
      return asinhOf(a);
    case Primitive::acosh:
      return acoshOf(a);
    case Primitive::atanh:
      return atanhOf(a);
    case Primitive::erf:
      return erfOf(a);
    case Primitive::erfc:
      return erfcOf(a);
    case Primitive::floor:
      return floor(a);
    case Primitive::ceil:
      return ceil(a);
    case Primitive::trunc:
      return trunc(a);
    case Primitive::round:
      return round(a);
    case Primitive::logicalNot:
      return ~a;
    case Primitive::toNumber:
      return a.each([&](std::size_t i) {
        llvm::IRBuilder<>& b = a.builder();
        llvm::Type* numbers = llvm::VectorType::get(
            b.getFloatTy(), llvm::cast<llvm::VectorType>(a.type())->getElementCount());
        // A mask is spread by the choice itself, elsewhere truth values are bits to convert.
        if (!a.context().target.masks) return b.CreateUIToFP(a[i], numbers);
        return b.CreateSelect(a[i], llvm::ConstantFP::get(numbers, 1),
                              llvm::ConstantFP::get(numbers, 0));
      });
    case Primitive::toTruth:
      return ne(a, a.splat(0));
    default:
      throw std::logic_error("not a unary primitive");
  }
}

Vec binary(Primitive primitive, const Vec& a, const Vec& b) {
  switch (primitive) {
    case Primitive::add:
      return a + b;
    case Primitive::sub:
      return a - b;
    case Primitive::mul:
      return a * b;
    case Primitive::div:
      return a / b;
    case Primitive::fmod:
      return fmodOf(a, b);
    case Primitive::pow:
      return powOf(a, b);
    case Primitive::atan2:
      return atan2Of(a, b);
    case Primitive::min:
      return propagatingNan(lesserElse, a, b);
    case Primitive::max:
      return propagatingNan(greaterElse, a, b);
    case Primitive::copysign:
      return copysign(a, b);
    case Primitive::lt:
      return lt(a, b);
    case Primitive::le:
      return le(a, b);
    case Primitive::gt:
      return gt(a, b);
    case Primitive::ge:
      return ge(a, b);
    case Primitive::eq:
      return eq(a, b);
    case Primitive::ne:
      return ne(a, b);
    case Primitive::logicalAnd:
      return a & b;
    case Primitive::logicalOr:
      return a | b;
    default:
      throw std::logic_error("not a binary primitive");
  }
}

/// Only these may take the caller's flags, so that a request to contract reaches them; everything
/// else is written with its own multiply-adds and must stay as written.
bool takesFlags(Primitive primitive) {
  return primitive == Primitive::add || primitive == Primitive::sub || primitive == Primitive::mul;
}

}  // namespace

Pack VectorMath::emit(Primitive primitive, llvm::ArrayRef<Pack> operands,
                      llvm::ArrayRef<Range> ranges) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  if (!takesFlags(primitive)) b_.clearFastMathFlags();
  VecContext context{b_, target_};
  const Vec a(context, operands[0]);
  if (operands.size() == 1) return unary(primitive, a, ranges.empty() ? Range() : ranges[0]).pack();
  const Vec b(context, operands[1]);
  if (operands.size() == 2) return binary(primitive, a, b).pack();
  const Vec c(context, operands[2]);
  if (primitive == Primitive::fma) return fmaOf(a, b, c).pack();
  if (primitive == Primitive::select) return select(a, b, c).pack();
  throw std::logic_error("not a primitive of three operands");
}

llvm::Value* VectorMath::splat(double value) {
  return llvm::ConstantFP::get(
      llvm::FixedVectorType::get(b_.getFloatTy(), static_cast<unsigned>(target_.width)), value);
}

bool mindsRanges(Primitive primitive) {
  return primitive == Primitive::exp || primitive == Primitive::sin || primitive == Primitive::cos;
}

namespace {
constexpr std::array<double, kRangeClasses - 1> kLimits = {kReducedExpLimit, kReducedSineLimit,
                                                           kPlainExpLimit, kTrigonometricLimit};
}

RangeClass rangeClass(const Range& range) {
  for (std::size_t i = 0; i < kLimits.size(); ++i)
    if (range.within(-kLimits[i], kLimits[i])) return static_cast<RangeClass>(i + 1);
  return 0;
}

Range rangeOf(RangeClass known) {
  if (known == 0) return {};
  return {-kLimits[known - 1u], kLimits[known - 1u]};
}

llvm::Type* memoryType(llvm::IRBuilderBase& b, DType dtype) {
  switch (dtype) {
    case DType::boolean:
    case DType::uint8:
    case DType::int8:
      return b.getInt8Ty();
    case DType::int32:
      return b.getInt32Ty();
    case DType::int64:
      return b.getInt64Ty();
    case DType::float16:
      return b.getHalfTy();
    case DType::bfloat16:
      return b.getInt16Ty();
    case DType::float32:
      return b.getFloatTy();
    case DType::float64:
      return b.getDoubleTy();
  }
  return nullptr;
}

}  // namespace fusebench::cpu
