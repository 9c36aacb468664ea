// SPDX-License-Identifier: GPL-3.0-or-later
// The exact results of an op row, to 200 bits by MPFR.
#pragma once

#include <deque>
#include <span>
#include <string>

#include <mpfr.h>

#include "engine/ops/ops.h"

namespace fusebench::test {

/// A number of so many bits: MPFR's, which rounds to nearest, and whose exponents have no end that
/// ops of ours could reach.
class ManyBits {
 public:
  static constexpr int kBits = 200;
  explicit ManyBits(int bits = kBits) { mpfr_init2(value_, bits); }
  ~ManyBits() { mpfr_clear(value_); }
  ManyBits(const ManyBits&) = delete;
  ManyBits& operator=(const ManyBits&) = delete;

  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

 private:
  mpfr_t value_;
};

/// Evaluates a pointwise row's formula primitive by primitive in so many bits. Formulas are
/// identities, and what they do against rounding errors does nothing where there are none, so that
/// this is the function they stand for: constants that stand for others (pi, a decimal) are these.
class ExactRow {
 public:
  /// Throws std::logic_error for a constant that is neither short nor stated here.
  ExactRow(const OpRow& row, std::span<const double> parameters, int bits = ManyBits::kBits);

  /// Truth values are 1 and 0. Valid until the next call.
  const ManyBits& operator()(std::span<const double> operands);
  bool isTruth() const { return graph_[result_].isTruth(); }

 private:
  void evaluate(const ExprNode& node, ManyBits& to, std::span<const double> operands);

  ExprGraph graph_;
  ExprId result_ = -1;
  std::span<const double> parameters_;
  std::deque<ManyBits> values_;  ///< one a node
};

/// |got - exact| in units in the last place that the float dtype has at `exact`. 0 where both are
/// NaN or infinite alike, infinity where only one is; past the greatest number an infinity counts
/// as the one that would follow it.
double ulpError(DType dtype, const ManyBits& exact, double got);

/// The element of the dtype nearest to a number.
double nearestElement(DType dtype, const ManyBits& number);

/// Whether an element of that dtype keeps the row's bound, of operands of the same dtype.
bool keepsBound(const OpRow& row, DType dtype, const ManyBits& exact, double got);

}  // namespace fusebench::test
