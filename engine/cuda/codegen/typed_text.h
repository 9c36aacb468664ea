// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/cuda/codegen/accumulator_text.h"
#include "engine/cuda/codegen/expression_writer.h"
#include "engine/plan/kernel.h"

namespace fusebench::cuda {

/// The C++ type of a class ("long long"), and of an element in memory; a bool is stored in a byte,
/// a 16-bit float in an unsigned short.
const char* classText(TypeClass type);
const char* storageText(DType dtype);
/// An element in memory converted to the type that is computed with, and back.
std::string loadedText(DType dtype, const std::string& element);
std::string storableText(DType dtype, const std::string& value);

/// A constant of any class.
CPiece constantText(const ExprNode& node);
/// A node of any class except leaves; `from`: the class of its last operand.
CPiece nodeText(const ExprNode& node, TypeClass from, std::span<const CPiece> operands);

/// The functions that these call, as far as the kernel uses them.
std::string typedHelpers(const Kernel& kernel);
/// The functions that loads and stores of these dtypes call.
std::string typedHelpers(std::span<const DType> stored);

/// How to accumulate elements of a class; for float32 as in accumulatorText().
class TypedAccumulator {
 public:
  TypedAccumulator(Accumulate kind, TypeClass type);
  const std::string& state() const { return state_; }
  const std::string& gathering() const { return gathering_; }
  const std::string& nothing() const { return nothing_; }
  const std::string& none() const { return none_; }
  const std::string& definition() const { return definition_; }
  const AccumulatorText& text() const { return *text_; }
  /// Lines that add the value of that name to `gathering`, which with `width` > 1 is an array of
  /// that length, at position `place`, then an expression of k; "": if positions do not count.
  std::vector<std::string> adds(const std::string& gathering, const std::string& value,
                                const std::string& place, int width) const;

 private:
  std::string worded(std::string_view text) const;
  /// There is an add() of four values.
  bool addsFour() const { return text_->addsFour && type_ == TypeClass::float32; }

  const AccumulatorText* text_;
  TypeClass type_;
  std::string state_, gathering_, nothing_, none_, definition_;
};

/// The names of all functions and types in these texts.
std::span<const std::string_view> typedNames();

}  // namespace fusebench::cuda
