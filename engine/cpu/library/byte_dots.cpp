// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/byte_dots.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fusebench::cpu {

#if defined(__x86_64__)

namespace {

#define FUSEBENCH_AVX2 [[gnu::target("avx2")]]

/// Bytes that one step multiplies, as int16 in one register.
constexpr std::int64_t kByteLanes = 16;
/// Rows of the first matrix and of the second in one tile: 12 sums, and what they are made from,
/// fill 16 registers.
constexpr std::int64_t kTileRows = 6, kTileColumns = 2;
/// Elements that are widened at a time. They are read once for each block of bytes of the second
/// matrix, which fits in a second-level cache.
constexpr std::int64_t kWideBlock = std::int64_t{1} << 19, kByteBlock = std::int64_t{1} << 17;
/// Depth in one pass: the widened rows of a tile fit in a first-level cache of 32 KiB.
constexpr std::int64_t kDepthBlock = 2048;

template <bool kSigned>
FUSEBENCH_AVX2 [[gnu::always_inline]] inline __m256i widened(const void* from) {
  const __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(from));
  if constexpr (kSigned)
    return _mm256_cvtepi8_epi16(bytes);
  else
    return _mm256_cvtepu8_epi16(bytes);
}

/// Where a pass reads.
struct DotPass {
  const std::int16_t* wide = nullptr;
  std::int64_t padded = 0;  ///< from row to row of the widened matrix
  std::int64_t steps = 0;   ///< whole ones
  std::int64_t tail = 0;    ///< where the bytes of a last step begin, if there is one
  bool hasTail = false;
  bool adds = false;  ///< to sums of the passes before
};

/// Sums of one row of the first matrix with the two of a tile.
struct RowSums {
  __m256i a, b;
};

FUSEBENCH_AVX2 [[gnu::always_inline]] inline void addProducts(RowSums& sums,
                                                              const std::int16_t* wide,
                                                              const RowSums& bytes) {
  const __m256i factor = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(wide));
  sums.a = _mm256_add_epi32(sums.a, _mm256_madd_epi16(factor, bytes.a));
  sums.b = _mm256_add_epi32(sums.b, _mm256_madd_epi16(factor, bytes.b));
}

/// Sums of a tile, by row of the first matrix.
struct TileSums {
  RowSums r0, r1, r2, r3, r4, r5;
};

/// The rows of the second matrix in a tile. A single row is in it twice.
struct ByteTile {
  const std::uint8_t* first = nullptr;
  const std::uint8_t* second = nullptr;
};

template <bool kSigned, int kRows>
FUSEBENCH_AVX2 [[gnu::always_inline]] inline void dotStep(TileSums& sums, const ByteTile& tile,
                                                          std::int64_t at, const std::int16_t* wide,
                                                          std::int64_t padded) {
  const RowSums bytes{widened<kSigned>(tile.first + at), widened<kSigned>(tile.second + at)};
  addProducts(sums.r0, wide, bytes);
  if constexpr (kRows > 1) addProducts(sums.r1, wide + padded, bytes);
  if constexpr (kRows > 2) {
    addProducts(sums.r2, wide + 2 * padded, bytes);
    addProducts(sums.r3, wide + 3 * padded, bytes);
  }
  if constexpr (kRows > 4) {
    addProducts(sums.r4, wide + 4 * padded, bytes);
    addProducts(sums.r5, wide + 5 * padded, bytes);
  }
}

/// Stores the sums of two rows.
FUSEBENCH_AVX2 [[gnu::always_inline]] inline void storeSums(const RowSums& upper,
                                                            const RowSums& lower,
                                                            const DotPass& pass, ByteSums to,
                                                            int rows, std::int64_t columns) {
  const __m256i all =
      _mm256_hadd_epi32(_mm256_hadd_epi32(upper.a, upper.b), _mm256_hadd_epi32(lower.a, lower.b));
  const __m128i made = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  alignas(16) std::array<std::uint32_t, 4> each;
  _mm_store_si128(reinterpret_cast<__m128i*>(each.data()), made);
  for (int r = 0; r < rows; ++r, to.data += to.firstStep)
    for (std::int64_t c = 0; c < columns; ++c) {
      std::int32_t& place = to.data[c * to.secondStep];
      const std::uint32_t before = pass.adds ? static_cast<std::uint32_t>(place) : 0;
      place = static_cast<std::int32_t>(before + each[static_cast<std::size_t>(2 * r + c)]);
    }
}

template <bool kSigned, int kRows>
FUSEBENCH_AVX2 void dotTile(const DotPass& pass, const ByteTile given, const ByteSums& to,
                            std::int64_t columns) {
  const __m256i zero = _mm256_setzero_si256();
  const RowSums none{zero, zero};
  TileSums sums{none, none, none, none, none, none};
  const ByteTile tile = given;
  const std::int16_t* wide = pass.wide;
  const std::int64_t padded = pass.padded, whole = pass.steps * kByteLanes;
  for (std::int64_t at = 0; at < whole; at += kByteLanes, wide += kByteLanes)
    dotStep<kSigned, kRows>(sums, tile, at, wide, padded);
  if (pass.hasTail) dotStep<kSigned, kRows>(sums, tile, pass.tail, wide, padded);
  const auto below = [&](int row) {
    return ByteSums{to.data + row * to.firstStep, to.firstStep, to.secondStep};
  };
  storeSums(sums.r0, sums.r1, pass, to, kRows > 1 ? 2 : 1, columns);
  if constexpr (kRows > 2) storeSums(sums.r2, sums.r3, pass, below(2), 2, columns);
  if constexpr (kRows > 4) storeSums(sums.r4, sums.r5, pass, below(4), 2, columns);
}

/// So many rows of the first matrix, at most those of a tile, with rows of the second.
template <bool kSigned, int kRows>
void dotColumns(const DotPass& pass, const std::uint8_t* bytes, std::int64_t step,
                std::int64_t columns, ByteSums to) {
  for (std::int64_t c = 0; c < columns; c += kTileColumns) {
    const std::int64_t there = std::min(kTileColumns, columns - c);
    dotTile<kSigned, kRows>(pass, {bytes, bytes + (there - 1) * step}, to, there);
    bytes += kTileColumns * step;
    to.data += kTileColumns * to.secondStep;
  }
}

template <bool kSigned>
void dotRows(DotPass pass, std::int64_t rows, const std::uint8_t* bytes, std::int64_t step,
             std::int64_t columns, ByteSums to) {
  const auto next = [&](std::int64_t done) {
    rows -= done;
    pass.wide += done * pass.padded;
    to.data += done * to.firstStep;
  };
  while (rows >= kTileRows) {
    dotColumns<kSigned, kTileRows>(pass, bytes, step, columns, to);
    next(kTileRows);
  }
  if (rows >= 4) {  // fewer than the six of a tile
    dotColumns<kSigned, 4>(pass, bytes, step, columns, to);
    next(4);
  }
  if (rows >= 2) {
    dotColumns<kSigned, 2>(pass, bytes, step, columns, to);
    next(2);
  }
  if (rows == 1) dotColumns<kSigned, 1>(pass, bytes, step, columns, to);
}

}  // namespace

bool hasByteDots() {
  static const bool kHas = __builtin_cpu_supports("avx2") != 0;
  return kHas;
}

void ByteDots::widen(const ByteRows& first, std::int64_t begin, std::int64_t end) {
  rows_ = end - begin;
  depth_ = first.depth;
  padded_ = (depth_ + kByteLanes - 1) / kByteLanes * kByteLanes;
  wide_.resize(static_cast<std::size_t>(rows_ * padded_));
  // The last step reads the last sixteen bytes of a row. Those that the steps before have read are
  // multiplied by zeros.
  const std::int64_t rest = depth_ % kByteLanes;
  for (std::int64_t r = 0; r < rows_; ++r) {
    const std::int64_t at = (begin + r) * first.step;
    std::int16_t* to = wide_.data() + r * padded_;
    const auto widenFrom = [&](const auto* from) {
      std::int16_t* const last = std::copy(from, from + depth_ - rest, to);
      if (rest == 0) return;
      std::int16_t* const real = depth_ < kByteLanes ? last : last + kByteLanes - rest;
      std::fill(last, last + kByteLanes, std::int16_t{0});
      std::copy(from + depth_ - rest, from + depth_, real);
    };
    if (first.isSigned)
      widenFrom(static_cast<const std::int8_t*>(first.data) + at);
    else
      widenFrom(static_cast<const std::uint8_t*>(first.data) + at);
  }
}

void ByteDots::multiply(const ByteRows& second, const ByteSums& to) const {
  ByteRows given = second;
  std::vector<std::uint8_t> filled;
  if (depth_ < kByteLanes) {  // too short to be read sixteen at a time
    filled.assign(static_cast<std::size_t>(given.rows * kByteLanes), 0);
    for (std::int64_t r = 0; r < given.rows; ++r)
      std::memcpy(filled.data() + r * kByteLanes,
                  static_cast<const std::uint8_t*>(given.data) + r * given.step,
                  static_cast<std::size_t>(depth_));
    given.data = filled.data();
    given.step = given.depth = kByteLanes;
  }
  const auto* const bytes = static_cast<const std::uint8_t*>(given.data);
  for (std::int64_t from = 0; from < given.depth; from += kDepthBlock) {
    const std::int64_t depth = std::min(kDepthBlock, given.depth - from);
    // The last step of a short block reads back into the block before.
    const DotPass pass{wide_.data() + from,     padded_, depth / kByteLanes, depth - kByteLanes,
                       depth % kByteLanes != 0, from > 0};
    const std::int64_t block = std::max(kTileColumns, kByteBlock / depth / 2 * 2);
    for (std::int64_t c = 0; c < given.rows; c += block) {
      const std::int64_t columns = std::min(block, given.rows - c);
      const std::uint8_t* const rows = bytes + c * given.step + from;
      const ByteSums sums{to.data + c * to.secondStep, to.firstStep, to.secondStep};
      if (given.isSigned)
        dotRows<true>(pass, rows_, rows, given.step, columns, sums);
      else
        dotRows<false>(pass, rows_, rows, given.step, columns, sums);
    }
  }
}

void multiplyBytes(const ByteRows& first, const ByteRows& second, const ByteSums& to) {
  thread_local ByteDots dots;
  const std::int64_t block = std::max<std::int64_t>(
      kTileRows, kWideBlock / std::max<std::int64_t>(first.depth, 1) / kTileRows * kTileRows);
  for (std::int64_t r = 0; r < first.rows; r += block) {
    dots.widen(first, r, std::min(r + block, first.rows));
    dots.multiply(second, {to.data + r * to.firstStep, to.firstStep, to.secondStep});
  }
}

#else

bool hasByteDots() {
  return false;
}
void ByteDots::widen(const ByteRows& /*first*/, std::int64_t /*begin*/, std::int64_t /*end*/) {
  throw std::logic_error("no products of bytes for this processor");
}
void ByteDots::multiply(const ByteRows& /*second*/, const ByteSums& /*to*/) const {
  throw std::logic_error("no products of bytes for this processor");
}
void multiplyBytes(const ByteRows& /*first*/, const ByteRows& /*second*/, const ByteSums& /*to*/) {
  throw std::logic_error("no products of bytes for this processor");
}

#endif

}  // namespace fusebench::cpu
