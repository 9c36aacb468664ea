// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/run/reference.h"
#include "profiler/run/run.h"

namespace fusebench {

/// Accumulates the distance of results from exact ones, over all of their elements.
class AccuracySums {
 public:
  /// Elements that are not finite in the exact result are left out; others that are not finite in
  /// the other one make the error infinite.
  void add(std::span<const double> exact, std::span<const double> got);
  /// Rows of a matrix in which the largest element is at the same position.
  void addRows(std::span<const double> exact, std::span<const double> got, std::size_t columns);

  /// Root of the mean square of the difference, over that of the exact results; 0 of none.
  double relative() const;
  bool hasRows() const { return rows_ > 0; }
  double sameRows() const { return static_cast<double>(same_) / static_cast<double>(rows_); }

 private:
  double signal_ = 0, noise_ = 0;
  std::size_t rows_ = 0, same_ = 0;
};

/// Signal to quantization noise: a relative error in decibels.
double decibelsOf(double relative);

/// Whether a program's first result is that of a layer: a row of numbers for each of its inputs,
/// one per class, and not that of an activation or a loss.
bool endsInLogits(const Program& program, const Shape& result);

}  // namespace fusebench
