// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/transpose.h"

#include <algorithm>
#include <stdexcept>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fusebench::cpu {
namespace {

/// Bytes of a line of the caches.
constexpr std::int64_t kLineBytes = 64;
/// Lines of the result that are written one after another before the next lines of each row: what
/// is read for them stays in the first-level cache.
constexpr std::int64_t kLines = 64;

/// As many rows as are known: a pixel's channels are written side by side.
template <int kRows, class Element>
void fewRows(const Element* from, std::int64_t fromStep, Element* to, std::int64_t toStep,
             std::int64_t columns) {
  for (std::int64_t c = 0; c < columns; ++c)
    for (int r = 0; r < kRows; ++r) to[c * toStep + r] = from[r * fromStep + c];
}

template <class Element>
void oneByOne(const Element* from, std::int64_t fromStep, Element* to, std::int64_t toStep,
              std::int64_t rows, std::int64_t columns) {
  if (rows == 2) return fewRows<2>(from, fromStep, to, toStep, columns);
  if (rows == 3) return fewRows<3>(from, fromStep, to, toStep, columns);
  if (rows == 4) return fewRows<4>(from, fromStep, to, toStep, columns);
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r) to[c * toStep + r] = from[r * fromStep + c];
}

/// Transposes a square of kSide by kSide elements within registers. 0: not supported.
template <class Element>
struct Square {
  static constexpr std::int64_t kSide = 0;
  static bool isThere() { return false; }
  static void turn(const Element* /*from*/, std::int64_t /*fromStep*/, Element* /*to*/,
                   std::int64_t /*toStep*/) {}
};

#if defined(__x86_64__)

#define FUSEBENCH_TURNS [[gnu::target("avx")]]
#define FUSEBENCH_TURN [[gnu::target("avx"), gnu::always_inline]] static inline

bool hasAvx() {
  static const bool kHas = __builtin_cpu_supports("avx") != 0;
  return kHas;
}

template <>
struct Square<std::uint8_t> {
  static constexpr std::int64_t kSide = 8;
  static bool isThere() { return hasAvx(); }
  FUSEBENCH_TURN void turn(const std::uint8_t* from, std::int64_t fromStep, std::uint8_t* to,
                           std::int64_t toStep) {
    const __m128i a = twoRows(from, fromStep), b = twoRows(from + 2 * fromStep, fromStep);
    const __m128i c = twoRows(from + 4 * fromStep, fromStep),
                  d = twoRows(from + 6 * fromStep, fromStep);
    const __m128i ab = _mm_unpacklo_epi16(a, b), ba = _mm_unpackhi_epi16(a, b);
    const __m128i cd = _mm_unpacklo_epi16(c, d), dc = _mm_unpackhi_epi16(c, d);
    storeTwo(_mm_unpacklo_epi32(ab, cd), to, toStep);
    storeTwo(_mm_unpackhi_epi32(ab, cd), to + 2 * toStep, toStep);
    storeTwo(_mm_unpacklo_epi32(ba, dc), to + 4 * toStep, toStep);
    storeTwo(_mm_unpackhi_epi32(ba, dc), to + 6 * toStep, toStep);
  }

 private:
  FUSEBENCH_TURN __m128i twoRows(const std::uint8_t* from, std::int64_t fromStep) {
    return _mm_unpacklo_epi8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)),
                             _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + fromStep)));
  }
  FUSEBENCH_TURN void storeTwo(__m128i two, std::uint8_t* to, std::int64_t toStep) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), two);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to + toStep), _mm_srli_si128(two, 8));
  }
};

template <>
struct Square<std::uint16_t> {
  static constexpr std::int64_t kSide = 8;
  static bool isThere() { return hasAvx(); }
  FUSEBENCH_TURN void turn(const std::uint16_t* from, std::int64_t fromStep, std::uint16_t* to,
                           std::int64_t toStep) {
    const Pairs upper = pairsOf(from, fromStep), lower = pairsOf(from + 4 * fromStep, fromStep);
    storeTwo(upper.a, lower.a, to, toStep);
    storeTwo(upper.b, lower.b, to + 2 * toStep, toStep);
    storeTwo(upper.c, lower.c, to + 4 * toStep, toStep);
    storeTwo(upper.d, lower.d, to + 6 * toStep, toStep);
  }

 private:
  /// Columns 0 and 1, 2 and 3, 4 and 5, 6 and 7 from four rows.
  struct Pairs {
    __m128i a, b, c, d;
  };
  FUSEBENCH_TURN __m128i row(const std::uint16_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  FUSEBENCH_TURN Pairs pairsOf(const std::uint16_t* from, std::int64_t fromStep) {
    const __m128i first = row(from), second = row(from + fromStep);
    const __m128i third = row(from + 2 * fromStep), fourth = row(from + 3 * fromStep);
    const __m128i low = _mm_unpacklo_epi16(first, second);
    const __m128i high = _mm_unpackhi_epi16(first, second);
    const __m128i nextLow = _mm_unpacklo_epi16(third, fourth);
    const __m128i nextHigh = _mm_unpackhi_epi16(third, fourth);
    return {_mm_unpacklo_epi32(low, nextLow), _mm_unpackhi_epi32(low, nextLow),
            _mm_unpacklo_epi32(high, nextHigh), _mm_unpackhi_epi32(high, nextHigh)};
  }
  FUSEBENCH_TURN void storeTwo(__m128i upper, __m128i lower, std::uint16_t* to,
                               std::int64_t toStep) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_unpacklo_epi64(upper, lower));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + toStep), _mm_unpackhi_epi64(upper, lower));
  }
};

template <>
struct Square<std::uint32_t> {
  static constexpr std::int64_t kSide = 8;
  static bool isThere() { return hasAvx(); }
  FUSEBENCH_TURN void turn(const std::uint32_t* source, std::int64_t fromStep,
                           std::uint32_t* target, std::int64_t toStep) {
    const auto* const from = reinterpret_cast<const float*>(source);
    auto* const to = reinterpret_cast<float*>(target);
    turnHalf(from, fromStep, to, toStep);
    turnHalf(from + 4, fromStep, to + 4 * toStep, toStep);
  }

 private:
  /// Four columns. Rows i and i + 4 share a register when they are loaded, which takes no shuffle.
  FUSEBENCH_TURN void turnHalf(const float* from, std::int64_t fromStep, float* to,
                               std::int64_t toStep) {
    const __m256 a = twoRows(from, fromStep), b = twoRows(from + fromStep, fromStep);
    const __m256 c = twoRows(from + 2 * fromStep, fromStep),
                 d = twoRows(from + 3 * fromStep, fromStep);
    const __m256 low = _mm256_unpacklo_ps(a, b), high = _mm256_unpackhi_ps(a, b);
    const __m256 nextLow = _mm256_unpacklo_ps(c, d), nextHigh = _mm256_unpackhi_ps(c, d);
    _mm256_storeu_ps(to, _mm256_shuffle_ps(low, nextLow, 0x44));
    _mm256_storeu_ps(to + toStep, _mm256_shuffle_ps(low, nextLow, 0xee));
    _mm256_storeu_ps(to + 2 * toStep, _mm256_shuffle_ps(high, nextHigh, 0x44));
    _mm256_storeu_ps(to + 3 * toStep, _mm256_shuffle_ps(high, nextHigh, 0xee));
  }
  FUSEBENCH_TURN __m256 twoRows(const float* from, std::int64_t fromStep) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)),
                                _mm_loadu_ps(from + 4 * fromStep), 1);
  }
};

template <>
struct Square<std::uint64_t> {
  static constexpr std::int64_t kSide = 4;
  static bool isThere() { return hasAvx(); }
  FUSEBENCH_TURN void turn(const std::uint64_t* source, std::int64_t fromStep,
                           std::uint64_t* target, std::int64_t toStep) {
    const auto* const from = reinterpret_cast<const double*>(source);
    auto* const to = reinterpret_cast<double*>(target);
    turnHalf(from, fromStep, to, toStep);
    turnHalf(from + 2, fromStep, to + 2 * toStep, toStep);
  }

 private:
  FUSEBENCH_TURN void turnHalf(const double* from, std::int64_t fromStep, double* to,
                               std::int64_t toStep) {
    const __m256d a = twoRows(from, fromStep), b = twoRows(from + fromStep, fromStep);
    _mm256_storeu_pd(to, _mm256_unpacklo_pd(a, b));
    _mm256_storeu_pd(to + toStep, _mm256_unpackhi_pd(a, b));
  }
  FUSEBENCH_TURN __m256d twoRows(const double* from, std::int64_t fromStep) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from)),
                                _mm_loadu_pd(from + 2 * fromStep), 1);
  }
};

#else
#define FUSEBENCH_TURNS
#endif

/// Whole squares: those of a line of the result together, of several lines in turn.
template <class Element>
FUSEBENCH_TURNS void turnSquares(const Element* from, std::int64_t fromStep, Element* to,
                                 std::int64_t toStep, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kSide = Square<Element>::kSide;
  constexpr std::int64_t kLine =
      std::max<std::int64_t>(kSide, kLineBytes / static_cast<std::int64_t>(sizeof(Element)));
  for (std::int64_t first = 0; first < columns; first += kLines) {
    const std::int64_t end = std::min(first + kLines, columns);
    for (std::int64_t line = 0; line < rows; line += kLine)
      for (std::int64_t c = first; c < end; c += kSide)
        for (std::int64_t r = line; r < std::min(line + kLine, rows); r += kSide)
          Square<Element>::turn(from + r * fromStep + c, fromStep, to + c * toStep + r, toStep);
  }
}

template <class Element>
void transposeOf(const void* given, std::int64_t fromStep, void* made, std::int64_t toStep,
                 std::int64_t rows, std::int64_t columns) {
  const auto* const from = static_cast<const Element*>(given);
  auto* const to = static_cast<Element*>(made);
  std::int64_t doneRows = 0, doneColumns = 0;
  if constexpr (constexpr std::int64_t kSide = Square<Element>::kSide; kSide > 0) {
    if (Square<Element>::isThere()) {
      doneRows = rows / kSide * kSide;
      doneColumns = columns / kSide * kSide;
      turnSquares(from, fromStep, to, toStep, doneRows, doneColumns);
    }
  }
  oneByOne(from + doneRows * fromStep, fromStep, to + doneRows, toStep, rows - doneRows,
           doneColumns);
  oneByOne(from + doneColumns, fromStep, to + doneColumns * toStep, toStep, rows,
           columns - doneColumns);
}

}  // namespace

void transposeElements(std::size_t size, const void* from, std::int64_t fromStep, void* to,
                       std::int64_t toStep, std::int64_t rows, std::int64_t columns) {
  switch (size) {
    case 1:
      return transposeOf<std::uint8_t>(from, fromStep, to, toStep, rows, columns);
    case 2:
      return transposeOf<std::uint16_t>(from, fromStep, to, toStep, rows, columns);
    case 4:
      return transposeOf<std::uint32_t>(from, fromStep, to, toStep, rows, columns);
    case 8:
      return transposeOf<std::uint64_t>(from, fromStep, to, toStep, rows, columns);
    default:
      throw std::logic_error("elements have 1, 2, 4 or 8 bytes");
  }
}

}  // namespace fusebench::cpu
