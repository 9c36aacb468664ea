// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "engine/cpu/math/ranges.h"
#include "engine/cpu/math/roundings.h"
#include "engine/ops/expr.h"

namespace fusebench::cpu {

/// The properties of the target machine that the code generator needs.
struct VectorTarget {
  int width = 8;    ///< float lanes of one vector
  bool fma = true;  ///< fused multiply-add in hardware
  /// Rounding to integral values in hardware (x86: SSE4.1 or later). Without it LLVM would call
  /// libm.
  bool roundInstruction = true;
  bool masks = false;  ///< comparisons set one bit per lane, usable as a mask (AVX-512)
};

/// The interleaved vectors of one value: an op is emitted for all of them at once, so that the
/// instructions of independent vectors are next to each other and rare slow paths are tested for
/// together.
using Pack = llvm::SmallVector<llvm::Value*, 8>;

/// The type of an element in memory; a bfloat16 is an int16, a bool a byte.
llvm::Type* memoryType(llvm::IRBuilderBase& b, DType dtype);

/// Writes primitives as LLVM IR on vectors: numbers are <width x float>, bools <width x i1>.
/// Accurate to the bounds of the op rows over the whole float32 range; independent of fast-math
/// flags.
class VectorMath {
 public:
  VectorMath(llvm::IRBuilder<>& builder, VectorTarget target) : b_(builder), target_(target) {}

  unsigned width() const { return static_cast<unsigned>(target_.width); }

  /// The primitive (not a leaf) applied to its operands, which all have the same number of vectors.
  /// The builder may end up in a different basic block. `ranges`, if given, has the known range of
  /// each operand, which lets it omit code without changing any bit.
  Pack emit(Primitive primitive, llvm::ArrayRef<Pack> operands, llvm::ArrayRef<Range> ranges = {});

  /// The same for a node of any class, whose last operand is of class `from`. Lanes have the type
  /// that the class computes in, i1 for bools.
  Pack emit(const ExprNode& node, TypeClass from, llvm::ArrayRef<Pack> operands,
            llvm::ArrayRef<Range> ranges = {});

  /// A constant in every lane.
  llvm::Value* splat(double value);
  llvm::Value* splat(const ExprNode& constant);

  /// A 16-bit float as stored in memory (half, or int16 for a bfloat16) as float32; a vector or a
  /// scalar.
  llvm::Value* widened(llvm::Value* stored, DType dtype);
  /// rounded(): a float32 rounded to a 16-bit float. kept(): such a value as it is stored in
  /// memory.
  llvm::Value* rounded(llvm::Value* value, DType dtype, Rounding rounding = Rounding::whole);
  llvm::Value* kept(llvm::Value* value, DType dtype);

 private:
  llvm::IRBuilder<>& b_;
  VectorTarget target_;
};

/// Whether the code of a primitive depends on the known ranges of its operands.
bool mindsRanges(Primitive primitive);
/// The known range of a value, coarsely, so that few pieces of code serve many values: one of a few
/// intervals within which such code is simpler. 0: nothing is known.
using RangeClass = std::uint8_t;
inline constexpr RangeClass kRangeClasses = 5;
/// The narrowest interval that contains the range.
RangeClass rangeClass(const Range& range);
Range rangeOf(RangeClass known);

}  // namespace fusebench::cpu
