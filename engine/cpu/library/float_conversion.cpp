// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/float_conversion.h"

#include "engine/base/elements.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fusebench::cpu {
namespace {

#if defined(__x86_64__)

/// Processors have had instructions for float16 since 2012; bit by bit it takes ten times as long.
bool convertsHalves() {
  static const bool kHas = __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  return kHas;
}

constexpr std::int64_t kTogether = 8;

__attribute__((target("avx,f16c"))) std::int64_t widenHalves(const std::uint16_t* from, float* to,
                                                             std::int64_t count) {
  std::int64_t i = 0;
  for (; i + kTogether <= count; i += kTogether)
    _mm256_storeu_ps(to + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  return i;
}

__attribute__((target("avx,f16c"))) std::int64_t narrowHalves(const float* from, std::uint16_t* to,
                                                              std::int64_t count) {
  std::int64_t i = 0;
  for (; i + kTogether <= count; i += kTogether)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
  return i;
}

#else

bool convertsHalves() {
  return false;
}
std::int64_t widenHalves(const std::uint16_t*, float*, std::int64_t) {
  return 0;
}
std::int64_t narrowHalves(const float*, std::uint16_t*, std::int64_t) {
  return 0;
}

#endif

}  // namespace

void widen(const std::uint16_t* from, std::int64_t step, float* to, std::int64_t count,
           DType dtype) {
  if (dtype == DType::bfloat16) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = fromBfloatBits(from[i * step]);
    return;
  }
  std::int64_t i = step == 1 && convertsHalves() ? widenHalves(from, to, count) : 0;
  for (; i < count; ++i) to[i] = fromHalfBits(from[i * step]);
}

void narrow(const float* from, std::uint16_t* to, std::int64_t step, std::int64_t count,
            DType dtype) {
  if (dtype == DType::bfloat16) {
    for (std::int64_t i = 0; i < count; ++i) to[i * step] = bfloatBits(from[i]);
    return;
  }
  std::int64_t i = step == 1 && convertsHalves() ? narrowHalves(from, to, count) : 0;
  for (; i < count; ++i) to[i * step] = halfBits(from[i]);
}

}  // namespace fusebench::cpu
