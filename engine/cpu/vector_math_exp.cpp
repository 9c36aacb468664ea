// SPDX-License-Identifier: GPL-3.0-or-later
#include <llvm/IR/Module.h>

#include "engine/cpu/families.h"
#include "engine/cpu/loops.h"
#include "engine/cpu/polynomials.h"

// e^x = 2^n e^r with n = round(x / ln 2), and r = x - n ln 2 by Cody and Waite's two-part
// subtraction (Software Manual for the Elementary Functions, 1980); e^r by a polynomial.

namespace fusebench::cpu {
namespace {

/// (1 + e) 2^n, rounded once for denormal results, infinite where it is too large; |n| <= 250. The
/// low bits of `biased` are n + 2 * 127: they are split into the exponents of two factors, because
/// 2^n itself need not be a float. Addition to the exponent of 1 + e would be cheaper but make
/// numbers of NaN.
constexpr int kTwoBiases = 254;
Vec scaled(const Vec& e, const Vec& biased) {
  const Vec half = shiftRight(biased, 1);
  const Vec first = powerOfTwo(half);
  return mad(e, first, first) * powerOfTwo(subInt(biased, half));
}

/// Clamps that let NaN through: as the second operand of x86's minps and maxps.
Vec atMost(double limit, const Vec& x) {
  return lesserElse(x.splat(limit), x);
}
Vec atLeast(double limit, const Vec& x) {
  return greaterElse(x.splat(limit), x);
}

}  // namespace

ExpParts expParts(const Vec& x, int bias) {
  const double shifter = kShifter + bias;
  const Vec shifted = mad(x, kLog2E, shifter);
  const Vec n = shifted - shifter;
  const Vec r = mad(n, -kLn2Low, mad(n, -kLn2High, x));
  return {mad(r * r, paired(r, poly::kExpTail), r), bits(shifted)};
}

Vec powerOfTwo(const Vec& biased) {
  return fromBits(shiftLeft(biased, 23));
}

namespace {

/// The whole range: results that are denormal, 0 or infinite, and NaN.
Vec expOfAny(const Vec& x) {
  const ExpParts parts = expParts(atLeast(-104, atMost(89, x)), kTwoBiases);
  return scaled(parts.minusOne, parts.biased);
}

constexpr const char* kExpOfAny = "fusebench.expOfAny";

/// Puts void expOfAny(const float* x, float* y, int64 lanes) into the module, for vectors like
/// `like`.
void defineExpOfAny(const Vec& like) {
  llvm::Module& module = *like.builder().GetInsertBlock()->getModule();
  if (module.getFunction(kExpOfAny)) return;
  llvm::LLVMContext& c = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(c);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(c),
                                       {pointer, pointer, llvm::Type::getInt64Ty(c)}, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, kExpOfAny, module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "", function));
  VecContext context{b, like.context().target};
  const std::uint64_t lanes = llvm::cast<llvm::FixedVectorType>(like.type())->getNumElements();
  emitLoop(b, b.getInt64(0), function->getArg(2), b.getInt64(lanes), [&](llvm::Value* i) {
    const auto at = [&](unsigned argument) {
      return b.CreateGEP(b.getFloatTy(), function->getArg(argument), i);
    };
    const Vec x(context, {b.CreateLoad(like.type(), at(0))});
    b.CreateStore(expOfAny(x)[0], at(1));
  });
  b.CreateRetVoid();
}

/// Up to here e^x is a normal number whose exponent n may simply be added to that of e^r.
constexpr double kPlainExpLimit = 87;

}  // namespace

Vec expOf(const Vec& x) {
  // Bit for bit what expOfAny gives, without its clamps and second factor.
  const ExpParts parts = expParts(x, 0);
  const Vec near = fromBits(addInt(bits(parts.minusOne + 1.0), shiftLeft(parts.biased, 23)));
  defineExpOfAny(x);
  return mendOnHost(anyBeyondOrNan(x, kPlainExpLimit), kExpOfAny, {{x}}, near);
}

Vec halfExpOf(const Vec& x) {
  const ExpParts parts = expParts(atMost(91, x), kTwoBiases - 1);
  return scaled(parts.minusOne, parts.biased);
}

Vec expOfModerateNegative(const Vec& x) {
  const ExpParts parts = expParts(x, 127);
  const Vec power = powerOfTwo(parts.biased);
  return mad(parts.minusOne, power, power);
}

Vec exp2Of(const Vec& x) {
  const Vec within = atLeast(-151, atMost(129, x));
  const double shifter = kShifter + kTwoBiases;
  const Vec shifted = within + shifter;
  const Vec r = within - (shifted - shifter);
  return scaled(r * paired(r, poly::kExp2), bits(shifted));
}

Vec expm1Of(const Vec& x) {
  // Half the result, because 2^n is no float for the largest ones.
  const ExpParts parts = expParts(atLeast(-18, atMost(88.8, x)), 127 - 1);
  const Vec half = powerOfTwo(parts.biased);
  const Vec result = mad(parts.minusOne, half, half - 0.5) * 2.0;
  return select(lt(abs(x), 0x1p-25), x,
                result);  // -0, and no bit of a denormal lost to the halving
}

Vec doubleExp(const Vec& x) {
  constexpr double kHigh = 0x1.62e42fefp-1, kLow = 0x1.473de6af278edp-34;  // ln 2
  const Vec shifted = x * kLog2E + kDoubleShifter;
  const Vec n = shifted - kDoubleShifter;
  const Vec r = mad(n, -kLow, mad(n, -kHigh, x));
  const Vec p = mad(r * r, paired(r, poly::kDoubleExpTail), r) + 1.0;
  // The low 12 bits of a NaN that was a float are 0: it stays one.
  return fromBits(addInt(bits(p), shiftLeft(bits(shifted), 52)));
}

}  // namespace fusebench::cpu
