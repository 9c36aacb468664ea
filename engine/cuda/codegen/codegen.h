// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench {
struct Program;
}

/// Kernel -> readable CUDA C++, and how to launch it.
///
/// The text needs no headers and uses only the following, so that it also compiles as host C++17
/// with a small shim:
///   extern "C" __global__ void __launch_bounds__(N) or (N, M); static __device__ __forceinline__
///   functions, some of them templates; __restrict__; a const struct as a parameter; __shared__
///   arrays of structs in functions; alignas(8 or 16); enums; threadIdx.x/.y, blockIdx.x/.y,
///   blockDim.x/.y, gridDim.x/.y (unsigned);
///   __threadfence(); atomicAdd of unsigned;
///   __syncthreads(), reached by all threads of a block; __shfl_down_sync(0xffffffffu, value,
///   delta) of float, double and long long, reached by all 32 lanes of a warp; in the same way
///   __shfl_sync(0xffffffffu, value, lane), also of int;
///   vectors of two and four elements, as vector_text.cpp names them, with members x y z w;
///   reinterpret_cast of pointers, to unsigned long long, too, and to pointers from it, and of an
///   element to an array of four; __int_as_float, __float_as_int, __longlong_as_double,
///   __double_as_longlong;
///   fabsf sqrtf fmodf floorf ceilf truncf rintf copysignf fmaf; for double: sqrt fma rint tan;
///   expf exp2f expm1f logf log2f log10f log1pf powf sinf cosf asinf acosf atanf atan2f sinhf coshf
///   tanhf asinhf acoshf atanhf erff;
///   #pragma unroll, with and without a number.
/// A warp is 32 threads with adjacent values of threadIdx.x + threadIdx.y * blockDim.x.
namespace fusebench::cuda {

struct SourceOptions {
  /// Names and comments from this program, for people; otherwise generic names are used (v0, in1,
  /// ...), so that kernels that are alike have the same text. Must be the program that the kernel
  /// was made from.
  const Program* program = nullptr;
  /// 64-bit indices even where 32-bit ones would suffice at launch.
  bool wide = false;
};

enum class Role : std::uint8_t {
  elements,  ///< pointwise: a grid-stride loop over all elements
  rows,      ///< reduction: adjacent threads along the reduced dimension
  columns    ///< reduction: adjacent threads along the kept dimension
};

/// An `extern "C" __global__` function. Its arguments, in this order, each a parameter of its own:
///   a pointer for each input, then one for each output;
///   the run-time integers, in the order that Kernel says, each a long long, or an int where
///   indices are 32-bit: the low half of what the launch gives;
///   the scalars, each a float;
///   if `scratch`: a pointer (void*) to LaunchPlan::scratchBytes bytes, aligned to 8, or null when
///   that is 0; a pointer to kArrivalCounters unsigned numbers that are 0 before each launch, and
///   after it again; and LaunchPlan::parts, an int.
struct Entry {
  std::string name;
  Role role{};
  int maxThreads = 0;    ///< per block, as stated in its __launch_bounds__
  int vectorWidth = 1;   ///< elements that a thread reads at once if everything is aligned (which
                         ///< the kernel checks)
  bool scratch = false;  ///< takes the last three arguments
};

/// One launch.
struct LaunchStep {
  std::uint32_t entry = 0;  ///< index in Source::entries
  std::uint32_t blocksX = 1, blocksY = 1;
  std::uint32_t threadsX = 1, threadsY = 1;  ///< per block; all shared memory is static
};

/// Counters with which the blocks that share a result determine which of them is the last.
inline constexpr int kArrivalCounters = 4096;

/// The launch of one execution of a kernel. Its scratch memory may be freed afterward.
struct LaunchPlan {
  LaunchStep step;
  bool launches = false;  ///< otherwise there is nothing to compute
  std::size_t scratchBytes = 0;
  int parts =
      1;  ///< number of blocks that share each result's elements; the last block merges them
};

/// Which dimensions a kernel's loops run over: what plan() needs. No strings, and no allocation
/// when planning: eager plans each launch.
struct LoopShape {
  struct Extent {
    std::int64_t known = 0;  ///< or kAtLaunch
    int position = -1;       ///< then: index among the launch's integers
    bool reduced = false;
  };
  std::array<Extent, kMaxRank> extents;
  int rank = 0;
  Role role{};             ///< the entry's role
  bool wholeRows = false;  ///< only the threads of one block share a result
  int keptElements = 0;    ///< the largest part of its row that a thread can keep in registers
  bool oneElementAThread = false;  ///< there is no loop: the launch must cover all elements
  std::size_t partialBytes = 0;    ///< size of one partial result of all reductions
  std::int64_t weight = 1;         ///< approximate instructions per element
};

struct Source {
  std::string text;
  std::vector<int>
      lineOps;  ///< for each line of the text: the op (of Kernel::ops) it belongs to; -1: none
  std::vector<Entry> entries;  ///< a kernel has one; the interpreter has one per width
  LoopShape loops;
  bool narrow = false;  ///< indices are 32-bit: see IndexWidth for the launches it serves

  /// Grid, blocks and scratch memory for these run-time integers (see Kernel) on a device with this
  /// many multiprocessors.
  LaunchPlan plan(const std::int64_t* integers, int multiprocessors) const;
};

/// Throws std::logic_error if the kernel is not well formed.
Source generate(const Kernel& kernel, const SourceOptions& options = {});

}  // namespace fusebench::cuda
