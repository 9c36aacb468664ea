// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "engine/ops/expr.h"

namespace fusebench::cuda {

/// How tightly a piece of C++ holds together.
enum class Binding : std::uint8_t {
  choice,
  either,
  both,
  equality,
  relation,
  sum,
  product,
  unary,
  atom
};

struct CPiece {
  std::string text;
  Binding binding = Binding::atom;
};

/// The piece, in parentheses if it holds together less than `least`.
std::string within(const CPiece& piece, Binding least);

/// A primitive (no leaf) of float32 and truth values as C++.
CPiece primitiveText(Primitive primitive, std::span<const CPiece> operands);

/// The few primitives that `finish` formulas use, on doubles. Throws std::logic_error for others.
CPiece doublePrimitiveText(Primitive primitive, std::span<const CPiece> operands);

}  // namespace fusebench::cuda
