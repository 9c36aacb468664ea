// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "engine/ops/expr.h"

namespace fusebench::cuda {

/// How tightly the outermost operator of a piece of C++ binds.
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

/// The piece, in parentheses if it binds less tightly than `least`.
std::string within(const CPiece& piece, Binding least);

/// A primitive (not a leaf) on float32 and bools as C++.
CPiece primitiveText(Primitive primitive, std::span<const CPiece> operands);

/// The few primitives that `finish` formulas use, on doubles. Throws std::logic_error for others.
CPiece doublePrimitiveText(Primitive primitive, std::span<const CPiece> operands);

}  // namespace fusebench::cuda
