// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/ops.h"

namespace fusebench::test {

/// Points of one pointwise op with their exact results, made with MPFR from a statement of the op
/// that knows nothing of its row (tests/engine/values). Reference and backends are tested against
/// the same.
struct OpValues {
  std::vector<double> parameters;  ///< as the row's; each a float32 or an infinity
  int arity = 1;
  std::vector<float> operands;   ///< arity of them a point, point after point
  std::vector<double> expected;  ///< exact results, rounded to double; truth values are 0 or 1

  std::size_t size() const { return expected.size(); }
  std::span<const float> point(std::size_t i) const {
    return std::span<const float>(operands).subspan(i * static_cast<std::size_t>(arity),
                                                    static_cast<std::size_t>(arity));
  }
};

/// Whether the build made all points, 1,000 and more per block; else tests read the 20 per block
/// that are kept in the repository.
bool allOpValuesAreMade();

/// The blocks of a row in the repository, one per set of parameters; throws std::runtime_error
/// without a file.
std::vector<OpValues> keptOpValues(const OpRow& row);

/// The blocks of a row with all points that there are here; throws std::runtime_error without a
/// file.
std::vector<OpValues> loadOpValues(const OpRow& row);

/// Operands with infinities, NaN, zeros, denormals and huge numbers, and what PyTorch makes of
/// them.
struct SpecialValues {
  std::vector<double> parameters;
  int arity = 1;
  std::vector<float> operands;
  std::vector<float> torch;  ///< PyTorch's float32 results

  std::size_t size() const { return torch.size(); }
  std::span<const float> point(std::size_t i) const {
    return std::span<const float>(operands).subspan(i * static_cast<std::size_t>(arity),
                                                    static_cast<std::size_t>(arity));
  }
};
/// Empty if PyTorch 1.13 has no such op.
std::vector<SpecialValues> loadSpecialValues(const OpRow& row);

/// The ops of a kind, in the table's order.
std::vector<const OpRow*> rowsOf(OpKind kind);

/// |got - exact| in units of the last place that a float32 has at `exact`; 0 where both are NaN, or
/// both the same infinity for float32; infinity where only one is.
double ulpError(double exact, float got);

/// Whether a float32 result keeps the row's bound. One that the bound leaves at the edge of
/// overflow may be infinite or not.
bool keepsBound(const OpRow& row, double exact, float got);

}  // namespace fusebench::test
