// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/language/program.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// How many elements the code of a fill may compute, including all intermediate values.
inline constexpr std::int64_t kMostComputed = std::int64_t{1} << 24;

/// A Python function without parameters that returns the result of a fill's code.
std::string functionOfFill(const std::string& code, const std::string& name);
/// The program of a fill's code: lines of Python, the last of which is an expression of one tensor.
/// Throws InputError with the line.
Program programOfFill(const std::string& code);
/// The shape and dtype of the tensor that it computes. Throws InputError.
ValueType typeOfFill(const Program& program);

/// The values that an input's code computes.
class ComputedFill {
 public:
  /// Evaluates it, in double precision. Random numbers in it are the same each time. Throws
  /// InputError.
  explicit ComputedFill(const std::string& code);

  /// An element of a tensor of `shape`, with the same number of dimensions, by its row-major index.
  /// Where the tensor is longer along a dimension than the computed one, the elements repeat.
  double at(const Shape& shape, std::int64_t index) const;
  const Shape& shape() const { return shape_; }

 private:
  Shape shape_;
  std::vector<double> values_;
};

}  // namespace fusebench
