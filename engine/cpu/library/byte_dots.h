// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace fusebench::cpu {

/// A matrix of bytes whose rows are contiguous along the dimension that is summed over.
struct ByteRows {
  const void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t step = 0;  ///< from row to row, in bytes
  std::int64_t depth = 0;
  bool isSigned = false;
};

/// Where sums of products are written: element (row of the first matrix, row of the second).
struct ByteSums {
  std::int32_t* data = nullptr;
  std::int64_t firstStep = 0, secondStep = 0;  ///< in elements
};

/// Whether this processor has the instructions that ByteDots needs (AVX2).
bool hasByteDots();

/// Sums of products of bytes in int32, exact modulo 2^32: pairs of bytes are widened to int16,
/// whose products are added in 32 bits (vpmaddwd), so that nothing saturates. The first matrix is
/// widened once for all rows of the second.
class ByteDots {
 public:
  /// Widens the rows [begin, end) of a matrix.
  void widen(const ByteRows& first, std::int64_t begin, std::int64_t end);
  /// Multiplies them by all rows of the second, which have the same depth. `to` belongs to the
  /// first row that was widened.
  void multiply(const ByteRows& second, const ByteSums& to) const;

 private:
  std::int64_t rows_ = 0, depth_ = 0, padded_ = 0;
  std::vector<std::int16_t> wide_;  ///< rows of `padded_` elements
};

/// to = first times second transposed, in blocks that fit in the caches.
void multiplyBytes(const ByteRows& first, const ByteRows& second, const ByteSums& to);

}  // namespace fusebench::cpu
