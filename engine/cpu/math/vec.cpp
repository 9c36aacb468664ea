// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/vec.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace fusebench::cpu {
namespace {

using llvm::CmpInst;
using llvm::Intrinsic::ID;

llvm::Type* laneType(const Vec& a) {
  return a.type()->getScalarType();
}

llvm::Type* withLanes(const Vec& like, llvm::Type* lane) {
  return llvm::VectorType::get(lane, llvm::cast<llvm::VectorType>(like.type())->getElementCount());
}

Vec compare(CmpInst::Predicate predicate, const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateFCmp(predicate, a[i], b[i]); });
}

Vec unary(ID id, const Vec& a) {
  return a.each([&](std::size_t i) { return a.builder().CreateUnaryIntrinsic(id, a[i]); });
}

Vec cast(llvm::Instruction::CastOps op, const Vec& a, llvm::Type* lane) {
  llvm::Type* to = withLanes(a, lane);
  return a.each([&](std::size_t i) { return a.builder().CreateCast(op, a[i], to); });
}

}  // namespace

Vec Vec::splat(double value) const {
  llvm::Value* constant = llvm::ConstantFP::get(type(), value);
  return each([&](std::size_t) { return constant; });
}

Vec Vec::splatInt(std::int64_t value) const {
  llvm::Value* constant = llvm::ConstantInt::getSigned(type(), value);
  return each([&](std::size_t) { return constant; });
}

Vec operator+(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateFAdd(a[i], b[i]); });
}
Vec operator-(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateFSub(a[i], b[i]); });
}
Vec operator*(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateFMul(a[i], b[i]); });
}
Vec operator/(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateFDiv(a[i], b[i]); });
}
Vec operator-(const Vec& a) {
  return a.each([&](std::size_t i) { return a.builder().CreateFNeg(a[i]); });
}

Vec mad(const Vec& a, const Vec& b, const Vec& c) {
  if (!a.context().target.fma) return a * b + c;
  return a.each([&](std::size_t i) {
    return a.builder().CreateIntrinsic(llvm::Intrinsic::fma, {a.type()}, {a[i], b[i], c[i]});
  });
}

Vec horner(const Vec& x, std::span<const double> coefficients) {
  Vec sum = x.splat(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) sum = mad(sum, x, coefficients[i]);
  return sum;
}

Vec paired(const Vec& x, std::span<const double> coefficients) {
  if (coefficients.size() < 4) return horner(x, coefficients);
  const Vec x2 = x * x;
  const std::size_t pairs = coefficients.size() / 2;
  const bool single = coefficients.size() % 2 != 0;
  const auto pair = [&](std::size_t k) {
    return mad(x, coefficients[2 * k + 1], coefficients[2 * k]);
  };
  Vec sum = single ? x.splat(coefficients.back()) : pair(pairs - 1);
  for (std::size_t k = single ? pairs : pairs - 1; k-- > 0;) sum = mad(sum, x2, pair(k));
  return sum;
}

Vec abs(const Vec& a) {
  return unary(llvm::Intrinsic::fabs, a);
}
Vec sqrt(const Vec& a) {
  return unary(llvm::Intrinsic::sqrt, a);
}
Vec copysign(const Vec& magnitude, const Vec& sign) {
  return magnitude.each(
      [&](std::size_t i) { return magnitude.builder().CreateCopySign(magnitude[i], sign[i]); });
}

Vec round(const Vec& a) {
  if (a.context().target.roundInstruction) return unary(llvm::Intrinsic::roundeven, a);
  // Adding 2^23 (2^52) leaves no bit for a fraction; what is as large has none. NaN stays itself.
  const double big = laneType(a)->isFloatTy() ? 0x1p23 : 0x1p52;
  const Vec magnitude = abs(a);
  return select(lt(magnitude, big), copysign((magnitude + big) - big, a), a);
}

Vec floor(const Vec& a) {
  if (a.context().target.roundInstruction) return unary(llvm::Intrinsic::floor, a);
  const Vec near = round(a);
  return copysign(select(gt(near, a), near - 1.0, near), a);
}

Vec ceil(const Vec& a) {
  if (a.context().target.roundInstruction) return unary(llvm::Intrinsic::ceil, a);
  const Vec near = round(a);
  return copysign(select(lt(near, a), near + 1.0, near), a);
}

Vec trunc(const Vec& a) {
  if (a.context().target.roundInstruction) return unary(llvm::Intrinsic::trunc, a);
  return copysign(floor(abs(a)), a);
}

Vec lt(const Vec& a, const Vec& b) {
  return compare(CmpInst::FCMP_OLT, a, b);
}
Vec le(const Vec& a, const Vec& b) {
  return compare(CmpInst::FCMP_OLE, a, b);
}
Vec gt(const Vec& a, const Vec& b) {
  return compare(CmpInst::FCMP_OGT, a, b);
}
Vec ge(const Vec& a, const Vec& b) {
  return compare(CmpInst::FCMP_OGE, a, b);
}
Vec eq(const Vec& a, const Vec& b) {
  return compare(CmpInst::FCMP_OEQ, a, b);
}
Vec ne(const Vec& a, const Vec& b) {
  return compare(CmpInst::FCMP_UNE, a, b);
}
Vec isNan(const Vec& a) {
  return compare(CmpInst::FCMP_UNO, a, a);
}

Vec select(const Vec& condition, const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateSelect(condition[i], a[i], b[i]); });
}
Vec lesserElse(const Vec& a, const Vec& b) {
  return select(lt(a, b), a, b);
}
Vec greaterElse(const Vec& a, const Vec& b) {
  return select(gt(a, b), a, b);
}

Vec bits(const Vec& a) {
  const unsigned width = laneType(a)->getScalarSizeInBits();
  return cast(llvm::Instruction::BitCast, a, a.builder().getIntNTy(width));
}
Vec fromBits(const Vec& a) {
  const bool isFloat = laneType(a)->getScalarSizeInBits() == 32;
  return cast(llvm::Instruction::BitCast, a,
              isFloat ? a.builder().getFloatTy() : a.builder().getDoubleTy());
}
Vec operator&(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateAnd(a[i], b[i]); });
}
Vec operator|(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateOr(a[i], b[i]); });
}
Vec operator^(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateXor(a[i], b[i]); });
}
Vec operator~(const Vec& a) {
  return a.each([&](std::size_t i) { return a.builder().CreateNot(a[i]); });
}
Vec addInt(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateAdd(a[i], b[i]); });
}
Vec subInt(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) { return a.builder().CreateSub(a[i], b[i]); });
}
Vec shiftLeft(const Vec& a, int count) {
  const Vec by = a.splatInt(count);
  return a.each([&](std::size_t i) { return a.builder().CreateShl(a[i], by[i]); });
}
Vec shiftRight(const Vec& a, int count) {
  const Vec by = a.splatInt(count);
  return a.each([&](std::size_t i) { return a.builder().CreateAShr(a[i], by[i]); });
}
Vec shiftRightLogical(const Vec& a, int count) {
  const Vec by = a.splatInt(count);
  return a.each([&](std::size_t i) { return a.builder().CreateLShr(a[i], by[i]); });
}
Vec toInt32(const Vec& a) {
  return cast(llvm::Instruction::Trunc, a, a.builder().getInt32Ty());
}
Vec eqInt(const Vec& a, std::int64_t b) {
  const Vec to = a.splatInt(b);
  return a.each([&](std::size_t i) { return a.builder().CreateICmpEQ(a[i], to[i]); });
}
Vec lessInt(const Vec& a, std::int64_t b) {
  const Vec to = a.splatInt(b);
  return a.each([&](std::size_t i) { return a.builder().CreateICmpSLT(a[i], to[i]); });
}
Vec neInt(const Vec& a, std::int64_t b) {
  return ~eqInt(a, b);
}
Vec gtInt(const Vec& a, std::int64_t b) {
  const Vec to = a.splatInt(b);
  return a.each([&](std::size_t i) { return a.builder().CreateICmpSGT(a[i], to[i]); });
}
Vec greaterInt(const Vec& a, const Vec& b) {
  return a.each([&](std::size_t i) {
    return a.builder().CreateBinaryIntrinsic(llvm::Intrinsic::smax, a[i], b[i]);
  });
}
Vec lesserInt(const Vec& a, std::int64_t b) {
  const Vec to = a.splatInt(b);
  return a.each([&](std::size_t i) {
    return a.builder().CreateBinaryIntrinsic(llvm::Intrinsic::smin, a[i], to[i]);
  });
}
Vec intToFloat(const Vec& a) {
  return cast(llvm::Instruction::SIToFP, a, a.builder().getFloatTy());
}

Vec widen(const Vec& a) {
  return cast(llvm::Instruction::FPExt, a, a.builder().getDoubleTy());
}
Vec narrow(const Vec& a) {
  return cast(llvm::Instruction::FPTrunc, a, a.builder().getFloatTy());
}

}  // namespace fusebench::cpu
