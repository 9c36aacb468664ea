// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench::cpu {

class OneDnn;

/// A float32 matrix. Libraries accept it if one of the steps is 1 and the other is at least as
/// large as the extent along the first.
struct FloatMatrix {
  const float* data = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t rowStep = 0, columnStep = 0;  ///< in elements

  bool isRowMajor() const { return columnStep == 1 && (rowStep >= columns || rows <= 1); }
  bool isColumnMajor() const { return rowStep == 1 && (columnStep >= rows || columns <= 1); }
};

/// to = first @ second, or, if `adds`, to += first @ second. `to` is row-major, with `toStep`
/// elements from row to row. Runs on the calling thread: in the library, or in our own loops if
/// there is none (null).
void multiplyFloats(OneDnn* library, const FloatMatrix& first, const FloatMatrix& second, float* to,
                    std::int64_t toStep, bool adds);

}  // namespace fusebench::cpu
