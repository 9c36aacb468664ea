// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/pixel_planes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fusebench::cpu {
namespace {

/// Places of some channels of one image, one by one.
void elementwise(const float* from, float* to, std::int64_t places, std::int64_t channels,
                 std::int64_t firstPlace, std::int64_t firstChannel, std::int64_t endChannel) {
  for (std::int64_t c = firstChannel; c < endChannel; ++c)
    for (std::int64_t p = firstPlace; p < places; ++p) to[c * places + p] = from[p * channels + c];
}

#if defined(__x86_64__)

constexpr std::int64_t kSide = 8;   ///< of a square that is turned within registers
constexpr std::int64_t kLine = 16;  ///< floats

bool turnsSquares() {
  static const bool kHas = __builtin_cpu_supports("avx");
  return kHas;
}

__attribute__((target("avx"))) inline void turnSquare(const float* from, std::int64_t fromStep,
                                                      float* to, std::int64_t toStep) {
  __m256 row[kSide], pair[kSide];
  for (int i = 0; i < kSide; ++i) row[i] = _mm256_loadu_ps(from + i * fromStep);
  for (int i = 0; i < kSide; i += 2) {
    pair[i] = _mm256_unpacklo_ps(row[i], row[i + 1]);
    pair[i + 1] = _mm256_unpackhi_ps(row[i], row[i + 1]);
  }
  for (int i = 0; i < kSide; i += 4)
    for (int j = 0; j < 2; ++j) {
      row[i + 2 * j] = _mm256_shuffle_ps(pair[i + j], pair[i + 2 + j], 0x44);
      row[i + 2 * j + 1] = _mm256_shuffle_ps(pair[i + j], pair[i + 2 + j], 0xee);
    }
  for (int i = 0; i < kSide / 2; ++i) {
    _mm256_storeu_ps(to + i * toStep, _mm256_permute2f128_ps(row[i], row[i + 4], 0x20));
    _mm256_storeu_ps(to + (i + 4) * toStep, _mm256_permute2f128_ps(row[i], row[i + 4], 0x31));
  }
}

/// Those of one image that make whole squares; the rest of its channels and places is left.
__attribute__((target("avx"))) void turnSquares(const float* from, float* to, std::int64_t places,
                                                std::int64_t channels) {
  for (std::int64_t p = 0; p + kLine <= places; p += kLine)
    for (std::int64_t c = 0; c + kSide <= channels; c += kSide)
      for (std::int64_t half = p; half < p + kLine; half += kSide)
        turnSquare(from + half * channels + c, channels, to + c * places + half, places);
}

#endif

}  // namespace

void planesOfPixels(const float* from, float* to, std::int64_t images, std::int64_t places,
                    std::int64_t channels) {
  for (std::int64_t image = 0; image < images; ++image) {
    std::int64_t donePlaces = 0, doneChannels = 0;
#if defined(__x86_64__)
    if (turnsSquares()) {
      turnSquares(from, to, places, channels);
      donePlaces = places / kLine * kLine;
      doneChannels = channels / kSide * kSide;
    }
#endif
    elementwise(from, to, places, channels, donePlaces, 0, doneChannels);
    elementwise(from, to, places, channels, 0, doneChannels, channels);
    from += places * channels;
    to += places * channels;
  }
}

}  // namespace fusebench::cpu
