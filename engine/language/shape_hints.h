// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program_layout.h"

namespace fusebench {

/// The shape of an input according to an annotation or a comment.
struct ShapeHint {
  std::string name;
  std::vector<std::string> dims;  ///< numbers, or names: "B", "16"
  std::optional<DType> dtype;
};

/// Hints for the parameters of the program's function: `x: Float[Tensor, "batch dim"]`, `x: f32[8,
/// 16]`, `x,  # (B, T, C)`, "x: (B, T, C)" in a docstring or a comment.
std::vector<ShapeHint> shapeHints(std::string_view text, const std::vector<Token>& tokens,
                                  const ProgramLayout& layout);

/// The parameters of the program's function that may be omitted: those that default to None.
std::set<std::string> optionalParameters(std::string_view text, const std::vector<Token>& tokens,
                                         const ProgramLayout& layout);

/// The usual extent of a dimension with such a name: "batch", "T", "height".
std::int64_t usualSize(std::string_view name);

}  // namespace fusebench
