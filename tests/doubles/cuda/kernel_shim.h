// SPDX-License-Identifier: GPL-3.0-or-later
// Makes CUDA C++ source compile as C++ for the host, put before a source that NVRTC would get.
// Kernels become plain functions; the code that runs them sets the index variables.
#pragma once

#include <math.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __shared__ static  // blocks run one after another

struct FbIndex {
  unsigned x, y, z;
};
static FbIndex threadIdx, blockIdx, blockDim, gridDim;

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(4) uchar4 {
  unsigned char x, y, z, w;
};
struct alignas(4) char4 {
  signed char x, y, z, w;
};
struct alignas(2) uchar2 {
  unsigned char x, y;
};
struct alignas(2) char2 {
  signed char x, y;
};
struct alignas(4) ushort2 {
  unsigned short x, y;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(8) int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(16) longlong2 {
  long long x, y;
};

/// The functions that the library that runs kernels provides.
struct FbRuntime {
  void (*syncThreads)();
  /// Replaces the value by that of the lane `delta` further on, once the whole warp is here.
  void (*shuffleDown)(void* value, unsigned bytes, unsigned delta);
  /// Runs body(argument) once for each thread of a block, side by side.
  void (*runBlock)(void (*body)(void*), void* argument, unsigned threadsX, unsigned threadsY,
                   FbIndex* thread);
  /// The block to run as number `turn` of `count`.
  unsigned (*blockAt)(unsigned turn, unsigned count);
};
static const FbRuntime* fbRuntime;

static inline void __syncthreads() {
  fbRuntime->syncThreads();
}
// One thread runs at a time.
static inline void __threadfence() {}
static inline unsigned atomicAdd(unsigned* to, unsigned value) {
  const unsigned was = *to;
  *to += value;
  return was;
}
template <class T>
static inline T __shfl_down_sync(unsigned, T value, unsigned delta) {
  fbRuntime->shuffleDown(&value, sizeof value, delta);
  return value;
}
template <class T>
static inline T __shfl_sync(unsigned, T value, unsigned lane) {
  // So far on, modulo 2^32, from this one.
  const unsigned mine = (threadIdx.x + threadIdx.y * blockDim.x) % 32;
  fbRuntime->shuffleDown(&value, sizeof value, lane - mine);
  return value;
}

/// Four products of signed bytes, and c.
static inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) c += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
  return c;
}

template <class To, class From>
static inline To fbBits(From from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
static inline float __int_as_float(int x) {
  return fbBits<float>(x);
}
static inline int __float_as_int(float x) {
  return fbBits<int>(x);
}
static inline double __longlong_as_double(long long x) {
  return fbBits<double>(x);
}
static inline long long __double_as_longlong(double x) {
  return fbBits<long long>(x);
}

struct FbLaunch {
  unsigned blocksX, blocksY, threadsX, threadsY;
};

template <class T>
struct FbValue {
  using Type = T;
};
template <class T>
struct FbValue<const T> {
  using Type = T;
};

template <unsigned... I>
struct FbList {};
template <unsigned N, unsigned... I>
struct FbCount : FbCount<N - 1, N - 1, I...> {};
template <unsigned... I>
struct FbCount<0, I...> {
  using Type = FbList<I...>;
};

template <class... P, unsigned... I>
static inline void fbCall(void (*kernel)(P...), void** arguments, FbList<I...>) {
  kernel(*static_cast<typename FbValue<P>::Type*>(arguments[I])...);
}

/// Runs a whole grid: `together`: the threads of a block meet at barriers.
template <class... P>
static inline void fbRun(void (*kernel)(P...), const FbLaunch& launch, void** arguments,
                         bool together) {
  using Indices = typename FbCount<sizeof...(P)>::Type;
  struct Body {
    void (*kernel)(P...);
    void** arguments;
    static void run(void* body) {
      fbCall(static_cast<Body*>(body)->kernel, static_cast<Body*>(body)->arguments, Indices());
    }
  } body{kernel, arguments};
  blockDim = {launch.threadsX, launch.threadsY, 1};
  gridDim = {launch.blocksX, launch.blocksY, 1};
  const unsigned blocks = launch.blocksX * launch.blocksY;
  for (unsigned turn = 0; turn < blocks; ++turn) {
    const unsigned b = fbRuntime ? fbRuntime->blockAt(turn, blocks) : turn;
    blockIdx = {b % launch.blocksX, b / launch.blocksX, 0};
    if (together) {
      fbRuntime->runBlock(&Body::run, &body, launch.threadsX, launch.threadsY, &threadIdx);
      continue;
    }
    for (unsigned ty = 0; ty < launch.threadsY; ++ty)
      for (unsigned tx = 0; tx < launch.threadsX; ++tx) {
        threadIdx = {tx, ty, 0};
        Body::run(&body);
      }
  }
}

template <class... P>
static inline unsigned fbParameters(void (*)(P...), unsigned* bytes) {
  const unsigned all[] = {sizeof(P)..., 0};
  for (unsigned i = 0; i < sizeof...(P); ++i) bytes[i] = all[i];
  return sizeof...(P);
}

/// Put after the source, once for each kernel: the symbols that the library looks up. `threads`:
/// the limit in its launch bounds, or 0.
#define FB_KERNEL(name, together, threads)                                                    \
  extern "C" __attribute__((visibility("default"))) unsigned fb_threads_##name() {            \
    return threads;                                                                           \
  }                                                                                           \
  extern "C" __attribute__((visibility("default"))) void fb_run_##name(                       \
      const FbRuntime* runtime, const FbLaunch* launch, void** arguments) {                   \
    fbRuntime = runtime;                                                                      \
    fbRun(&name, *launch, arguments, together);                                               \
  }                                                                                           \
  extern "C"                                                                                  \
      __attribute__((visibility("default"))) unsigned fb_parameters_##name(unsigned* bytes) { \
    return fbParameters(&name, bytes);                                                        \
  }
