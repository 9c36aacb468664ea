// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// A tensor in the reference's own form: row-major doubles (bool: 0 or 1). Integer tensors also
/// have the exact integers, from which their doubles are computed.
struct ReferenceTensor {
  ValueType type;
  std::vector<double> values;
  std::vector<std::int64_t> integers{};
};

/// One output of a program, with the magnitude that a relative error is measured against.
struct ReferenceResult {
  ReferenceTensor value;
  /// Per element: |value|, or the magnitude of its terms if that is larger: of terms that cancel
  /// (see TermsOfRow), or of all terms of a sum.
  std::vector<double> scale;
};

/// The slow, simple, double-precision definition of a program's results: everything else is tested
/// against it. Interprets the op rows' own formulas. Numbers written in the program are rounded to
/// float32 first, as PyTorch does; nothing else is rounded. In-place writes of the program go to
/// copies of the inputs, which `inputsAfter` receives. `forms`: the inputs' layouts, which
/// determine whether a write to the result of a reshape is visible in its operand; empty:
/// row-major.
std::vector<ReferenceResult> evaluateReference(const Program& program,
                                               std::span<const ReferenceTensor> inputs,
                                               std::vector<ReferenceTensor>* inputsAfter = nullptr,
                                               Forms forms = std::span<const Form>());

/// The same, with each op's results rounded to their dtype. The distance from evaluateReference()
/// is the effect of rounding alone: the program may amplify rounding, or a comparison, a cast to
/// integers or an index may have another result. `draw`: 0: to the nearest; otherwise each inexact
/// result is rounded up or down at random, and a sum changes by as much as another order of its
/// terms may change it (Monte Carlo arithmetic: Parker, 1997). Equal draws give equal results.
std::vector<ReferenceResult> evaluateRounded(const Program& program,
                                             std::span<const ReferenceTensor> inputs,
                                             Forms forms = std::span<const Form>(), int draw = 0);

/// The same for a program that each rank of a group runs on its own inputs, with the same types and
/// layouts: the results of each. Ops between ranks have access to the values of all of them.
std::vector<std::vector<ReferenceResult>> evaluateRanks(
    const Program& program, std::span<const std::vector<ReferenceTensor>> inputs,
    std::vector<std::vector<ReferenceTensor>>* inputsAfter = nullptr,
    Forms forms = std::span<const Form>());

/// The formula of one op row at one point, in double. `operands` and `parameters` as in the row.
double evaluateRow(const OpRow& row, std::span<const double> operands,
                   std::span<const double> parameters);

/// The formula of one op row in double, made once for many points: sweeps.
class RowFunction {
 public:
  /// truthOperands: which operands are bools (0 or 1); the others are numbers.
  RowFunction(const OpRow& row, std::span<const double> parameters,
              const std::vector<bool>& truthOperands = {});
  double operator()(std::span<const double> operands);

 private:
  ExprGraph graph_;
  ExprId result_ = -1;
  std::vector<double> scratch_;
};

/// One primitive (not a leaf) in double; bools are 0 or 1. Unused operands are ignored.
double evaluatePrimitive(Primitive primitive, double a, double b = 0, double c = 0);

/// Any expression at one point, in double; bools are 0 or 1. `scratch` is working space.
double evaluateExpression(const ExprGraph& graph, ExprId result, std::span<const double> inputs,
                          std::span<const double> scalars, std::vector<double>& scratch);

/// Largest |got - value| / scale over all elements. NaN matches NaN and an infinity the same
/// infinity; the result is infinity where one is NaN or infinite and the other is not. A value
/// beyond the range of the result's dtype counts as infinite. Errors below its smallest normal
/// number are measured against that.
double relativeError(const ReferenceResult& expected, std::span<const double> got);

}  // namespace fusebench
