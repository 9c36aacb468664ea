// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// A tensor in the reference's own form: row-major doubles (truth: 0 or 1), and of integers the
/// exact ones, of which the doubles are then made.
struct ReferenceTensor {
  ValueType type;
  std::vector<double> values;
  std::vector<std::int64_t> integers{};
};

/// One output of a program, with what a relative error is measured against.
struct ReferenceResult {
  ReferenceTensor value;
  /// Per element: |value|, or the magnitude of the terms that it consists of where that is greater:
  /// that of terms that cancel (see TermsOfRow), or that of all terms of a sum.
  std::vector<double> scale;
};

/// The slow, obvious, double-precision definition of a program's results: everything else is tested
/// against it. Interprets the op rows' own formulas. Numbers written in the program are rounded to
/// float32 first, as PyTorch does; nothing else is rounded. In-place writes of the program go to
/// copies of the inputs, which `inputsAfter` receives. `forms`: the inputs' layouts, which
/// determine whether a write to the result of a reshape shows in its operand; empty: row-major.
std::vector<ReferenceResult> evaluateReference(const Program& program,
                                               std::span<const ReferenceTensor> inputs,
                                               std::vector<ReferenceTensor>* inputsAfter = nullptr,
                                               Forms forms = std::span<const Form>());

/// The same, each op's results rounded to their dtype. How far it is from evaluateReference() is
/// what rounding alone does to the program: it may amplify rounding, or a comparison, a cast to
/// integers or an index may come out differently. `draw`: 0: to the nearest; else each inexact
/// result is rounded up or down at random, and a sum is off by what another order of its terms may
/// change (Monte Carlo arithmetic: Parker, 1997). Equal draws give equal results.
std::vector<ReferenceResult> evaluateRounded(const Program& program,
                                             std::span<const ReferenceTensor> inputs,
                                             Forms forms = std::span<const Form>(), int draw = 0);

/// The same of a program that each rank of a group runs on inputs of its own, of the same types and
/// lying alike: the results of each. Ops between ranks see what all of them have.
std::vector<std::vector<ReferenceResult>> evaluateRanks(
    const Program& program, std::span<const std::vector<ReferenceTensor>> inputs,
    std::vector<std::vector<ReferenceTensor>>* inputsAfter = nullptr,
    Forms forms = std::span<const Form>());

/// One op row's formula at one point, in double. `operands` and `parameters` as in the row.
double evaluateRow(const OpRow& row, std::span<const double> operands,
                   std::span<const double> parameters);

/// One op row's formula in double, made once for many points: sweeps.
class RowFunction {
 public:
  /// truthOperands: which operands are truth values (0 or 1); the rest are numbers.
  RowFunction(const OpRow& row, std::span<const double> parameters,
              const std::vector<bool>& truthOperands = {});
  double operator()(std::span<const double> operands);

 private:
  ExprGraph graph_;
  ExprId result_ = -1;
  std::vector<double> scratch_;
};

/// One primitive (no leaf) in double; truth values are 0 or 1. Unused operands are ignored.
double evaluatePrimitive(Primitive primitive, double a, double b = 0, double c = 0);

/// Any expression at one point, in double; truth values are 0 or 1. `scratch` is working space.
double evaluateExpression(const ExprGraph& graph, ExprId result, std::span<const double> inputs,
                          std::span<const double> scalars, std::vector<double>& scratch);

/// Largest |got - value| / scale over all elements; NaN matches NaN and an infinity its like;
/// infinity where one is NaN or infinite and the other is not. A value too great for the result's
/// dtype counts as infinite. Errors below its smallest normal number are measured against that.
double relativeError(const ReferenceResult& expected, std::span<const double> got);

}  // namespace fusebench
