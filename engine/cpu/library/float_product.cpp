// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/float_product.h"

#include <algorithm>

#include "engine/cpu/library/onednn.h"

namespace fusebench::cpu {

void multiplyFloats(OneDnn* library, const FloatMatrix& first, const FloatMatrix& second, float* to,
                    std::int64_t toStep, bool adds) {
  if (library && library->multiply(first, second, to, toStep, adds)) return;
  for (std::int64_t r = 0; r < first.rows; ++r) {
    float* const row = to + r * toStep;
    if (!adds) std::fill_n(row, second.columns, 0.0f);
    for (std::int64_t k = 0; k < first.columns; ++k) {
      const float factor = first.data[r * first.rowStep + k * first.columnStep];
      const float* const other = second.data + k * second.rowStep;
      for (std::int64_t c = 0; c < second.columns; ++c)
        row[c] += factor * other[c * second.columnStep];
    }
  }
}

}  // namespace fusebench::cpu
