// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/attention_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fusebench::cpu {
namespace {

#if defined(__x86_64__)
namespace avx512 {
#define FUSEBENCH_ROWS_TARGET [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]]
#define FUSEBENCH_ROWS_MAD(a, b, c) Floats(_mm512_fmadd_ps(a, b, c))
#define FUSEBENCH_ROWS_LANES 16
#include "engine/cpu/library/attention_rows.inc"  // NOLINT(bugprone-suspicious-include)
#undef FUSEBENCH_ROWS_TARGET
#undef FUSEBENCH_ROWS_MAD
#undef FUSEBENCH_ROWS_LANES
}  // namespace avx512

namespace avx2 {
#define FUSEBENCH_ROWS_TARGET [[gnu::target("avx2,fma")]]
#define FUSEBENCH_ROWS_MAD(a, b, c) Floats(_mm256_fmadd_ps(a, b, c))
#define FUSEBENCH_ROWS_LANES 8
#include "engine/cpu/library/attention_rows.inc"  // NOLINT(bugprone-suspicious-include)
#undef FUSEBENCH_ROWS_TARGET
#undef FUSEBENCH_ROWS_MAD
#undef FUSEBENCH_ROWS_LANES
}  // namespace avx2
#endif

namespace any {
#define FUSEBENCH_ROWS_TARGET
#define FUSEBENCH_ROWS_MAD(a, b, c) ((a) * (b) + (c))
#define FUSEBENCH_ROWS_LANES 4
#include "engine/cpu/library/attention_rows.inc"  // NOLINT(bugprone-suspicious-include)
#undef FUSEBENCH_ROWS_TARGET
#undef FUSEBENCH_ROWS_MAD
#undef FUSEBENCH_ROWS_LANES
}  // namespace any

constexpr AttentionRows kAny{any::add,   any::keep,    any::greatest,        any::multiply,
                             any::raise, any::product, "vectors of 16 bytes"};

const AttentionRows& choose() {
#if defined(__x86_64__)
  static constexpr AttentionRows kAvx512{avx512::add,      avx512::keep,  avx512::greatest,
                                         avx512::multiply, avx512::raise, avx512::product,
                                         "AVX-512"};
  static constexpr AttentionRows kAvx2{avx2::add,   avx2::keep,    avx2::greatest, avx2::multiply,
                                       avx2::raise, avx2::product, "AVX2"};
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kAvx2;
#endif
  return kAny;
}

}  // namespace

const AttentionRows& attentionRows() {
  static const AttentionRows& chosen = choose();
  return chosen;
}

}  // namespace fusebench::cpu
