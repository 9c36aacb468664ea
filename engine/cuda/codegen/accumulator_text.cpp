// SPDX-License-Identifier: GPL-3.0-or-later
// Sums and products are gathered in double, four floats at a time added pairwise first: 2 roundings
// in float32 for every n, within the bound of 4 eps log2(n) sum|x|, at a quarter of the double
// additions, which most GPUs do 64 times slower.
//
// Squared deviations: a thread sums d and d^2 of d = x - pivot in double, the pivot being its first
// element. As the pivot is one of the m elements, sum d^2 is at most 1 + m times the squared
// deviations, so that the difference sum d^2 - (sum d)^2 / m loses at most about log2(m) of the 29
// bits that double has more than float32, with one division a thread and not one an element.
// Threads merge by Chan's formula (Chan, Golub, LeVeque: Algorithms for computing the sample
// variance, 1983).
//
// Each way merges in a fixed order: the same launch gives the same bits.
#include "engine/cuda/codegen/accumulator_text.h"

#include <array>

namespace fusebench::cuda {
namespace {

constexpr AccumulatorText kSum{
    .state = "Sum",
    .gathering = "Sum",
    .nothing = "{0.0}",
    .none = "{0.0}",
    .result = "total",
    .addsFour = true,
    .definition = R"(struct alignas(8) Sum {
  double total;
};
static __device__ __forceinline__ void add(Sum& sum, const float x) {
  sum.total += (double)x;
}
static __device__ __forceinline__ void add(Sum& sum, const float (&x)[4]) {
  sum.total += (double)((x[0] + x[1]) + (x[2] + x[3]));
}
static __device__ __forceinline__ Sum merged(const Sum a, const Sum b) {
  return {a.total + b.total};
}
static __device__ __forceinline__ Sum fromLane(const Sum mine, const int lanes) {
  return {__shfl_down_sync(0xffffffffu, mine.total, lanes)};
}
)",
    .words = R"(static __device__ __forceinline__ Gathered words(const Sum& s) {
  return {__double_as_longlong(s.total), 0, 0, 0};
}
static __device__ __forceinline__ void take(Sum& s, const Gathered& from) {
  s.total = __longlong_as_double(from.a);
}
)"};

constexpr AccumulatorText kProduct{
    .state = "Product",
    .gathering = "Product",
    .nothing = "{1.0}",
    .none = "{1.0}",
    .result = "total",
    .definition = R"(struct alignas(8) Product {
  double total;
};
static __device__ __forceinline__ void add(Product& product, const float x) {
  product.total *= (double)x;
}
static __device__ __forceinline__ Product merged(const Product a, const Product b) {
  return {a.total * b.total};
}
static __device__ __forceinline__ Product fromLane(const Product mine, const int lanes) {
  return {__shfl_down_sync(0xffffffffu, mine.total, lanes)};
}
)",
    .words = R"(static __device__ __forceinline__ Gathered words(const Product& s) {
  return {__double_as_longlong(s.total), 0, 0, 0};
}
static __device__ __forceinline__ void take(Product& s, const Gathered& from) {
  s.total = __longlong_as_double(from.a);
}
)"};

constexpr AccumulatorText kGreatest{
    .state = "Greatest",
    .gathering = "Greatest",
    .nothing = "{-__int_as_float(0x7f800000)}",
    .none = "{-__int_as_float(0x7f800000)}",
    .result = "value",
    .definition = R"(struct alignas(8) Greatest {
  float value;
};
static __device__ __forceinline__ void add(Greatest& greatest, const float x) {
  greatest.value = x > greatest.value || x != x ? x : greatest.value;
}
static __device__ __forceinline__ Greatest merged(Greatest a, const Greatest b) {
  add(a, b.value);
  return a;
}
static __device__ __forceinline__ Greatest fromLane(const Greatest mine, const int lanes) {
  return {__shfl_down_sync(0xffffffffu, mine.value, lanes)};
}
)",
    .words = R"(static __device__ __forceinline__ Gathered words(const Greatest& s) {
  return {__float_as_int(s.value), 0, 0, 0};
}
static __device__ __forceinline__ void take(Greatest& s, const Gathered& from) {
  s.value = __int_as_float((int)from.a);
}
)"};

constexpr AccumulatorText kLeast{
    .state = "Least",
    .gathering = "Least",
    .nothing = "{__int_as_float(0x7f800000)}",
    .none = "{__int_as_float(0x7f800000)}",
    .result = "value",
    .definition = R"(struct alignas(8) Least {
  float value;
};
static __device__ __forceinline__ void add(Least& least, const float x) {
  least.value = x < least.value || x != x ? x : least.value;
}
static __device__ __forceinline__ Least merged(Least a, const Least b) {
  add(a, b.value);
  return a;
}
static __device__ __forceinline__ Least fromLane(const Least mine, const int lanes) {
  return {__shfl_down_sync(0xffffffffu, mine.value, lanes)};
}
)",
    .words = R"(static __device__ __forceinline__ Gathered words(const Least& s) {
  return {__float_as_int(s.value), 0, 0, 0};
}
static __device__ __forceinline__ void take(Least& s, const Gathered& from) {
  s.value = __int_as_float((int)from.a);
}
)"};

constexpr AccumulatorText kDeviations{
    .state = "Deviations",
    .gathering = "Shifted",
    .nothing = "{0, 0.0, 0.0, 0.0}",
    .none = "{0.0, 0.0, 0.0}",
    .result = "squares",
    .bytes = 24,
    .definition = R"(struct alignas(8) Deviations {
  double count, mean, squares;  // squares: the sum of (x - mean)^2
};
// What one thread gathers: sums of x - pivot and of its square, the pivot being the first x.
struct Shifted {
  long long count;
  double pivot, sum, squares;
};
static __device__ __forceinline__ void add(Shifted& shifted, const float x) {
  if (shifted.count == 0) shifted.pivot = (double)x;
  const double off = (double)x - shifted.pivot;
  shifted.count += 1;
  shifted.sum += off;
  shifted.squares = fma(off, off, shifted.squares);
}
static __device__ __forceinline__ Deviations gathered(const Shifted shifted) {
  if (shifted.count == 0) return {0.0, 0.0, 0.0};
  const double count = (double)shifted.count;
  const double off = shifted.sum / count;
  const double squares = fma(-off, shifted.sum, shifted.squares);
  return {count, shifted.pivot + off, squares < 0.0 ? 0.0 : squares};
}
static __device__ __forceinline__ Deviations merged(const Deviations a, const Deviations b) {
  const double count = a.count + b.count;
  const double share = count > 0.0 ? b.count / count : 0.0;
  const double apart = b.mean - a.mean;
  return {count, fma(apart, share, a.mean),
          a.squares + b.squares + apart * apart * a.count * share};
}
static __device__ __forceinline__ Deviations fromLane(const Deviations mine, const int lanes) {
  return {__shfl_down_sync(0xffffffffu, mine.count, lanes),
          __shfl_down_sync(0xffffffffu, mine.mean, lanes),
          __shfl_down_sync(0xffffffffu, mine.squares, lanes)};
}
)",
    .words = R"(static __device__ __forceinline__ Gathered words(const Shifted& s) {
  return {s.count, __double_as_longlong(s.pivot), __double_as_longlong(s.sum),
          __double_as_longlong(s.squares)};
}
static __device__ __forceinline__ void take(Shifted& s, const Gathered& from) {
  s.count = from.a;
  s.pivot = __longlong_as_double(from.b);
  s.sum = __longlong_as_double(from.c);
  s.squares = __longlong_as_double(from.d);
}
static __device__ __forceinline__ Gathered words(const Deviations& s) {
  return {__double_as_longlong(s.count), __double_as_longlong(s.mean),
          __double_as_longlong(s.squares), 0};
}
static __device__ __forceinline__ void take(Deviations& s, const Gathered& from) {
  s.count = __longlong_as_double(from.a);
  s.mean = __longlong_as_double(from.b);
  s.squares = __longlong_as_double(from.c);
}
)"};

constexpr AccumulatorText kBest{
    .state = "Best",
    .gathering = "Best",
    // No place yet: loses every tie, so that -inf itself can win.
    .nothing = "{-__int_as_float(0x7f800000), 0x7fffffffffffffffll}",
    .none = "{-__int_as_float(0x7f800000), 0x7fffffffffffffffll}",
    .result = "place",
    .bytes = 16,
    .definition = R"(struct alignas(8) Best {
  float value;
  long long place;
};
// NaN is the greatest; the first of equals wins.
static __device__ __forceinline__ Best merged(const Best a, const Best b) {
  const bool equal = a.value == b.value || (a.value != a.value && b.value != b.value);
  const bool ahead = b.value > a.value || (b.value != b.value && a.value == a.value);
  return ahead || (equal && b.place < a.place) ? b : a;
}
static __device__ __forceinline__ void add(Best& best, const float x, const long long place) {
  const Best other = {x, place};
  best = merged(best, other);
}
static __device__ __forceinline__ Best fromLane(const Best mine, const int lanes) {
  return {__shfl_down_sync(0xffffffffu, mine.value, lanes),
          __shfl_down_sync(0xffffffffu, mine.place, lanes)};
}
)",
    .words = R"(static __device__ __forceinline__ Gathered words(const Best& s) {
  return {__float_as_int(s.value), s.place, 0, 0};
}
static __device__ __forceinline__ void take(Best& s, const Gathered& from) {
  s.value = __int_as_float((int)from.a);
  s.place = from.b;
}
)"};

constexpr AccumulatorText kNumbers{
    .state = "Numbers",
    .gathering = "Numbers",
    .nothing = "{0.0, 0.0}",
    .none = "{0.0, 0.0}",
    .result = "total",
    .count = "count",
    .bytes = 16,
    .definition = R"(struct alignas(8) Numbers {
  double total, count;  // of what is no NaN
};
static __device__ __forceinline__ void add(Numbers& numbers, const float x) {
  if (x != x) return;
  numbers.total += (double)x;
  numbers.count += 1.0;
}
static __device__ __forceinline__ Numbers merged(const Numbers a, const Numbers b) {
  return {a.total + b.total, a.count + b.count};
}
static __device__ __forceinline__ Numbers fromLane(const Numbers mine, const int lanes) {
  return {__shfl_down_sync(0xffffffffu, mine.total, lanes),
          __shfl_down_sync(0xffffffffu, mine.count, lanes)};
}
)",
    .words = R"(static __device__ __forceinline__ Gathered words(const Numbers& s) {
  return {__double_as_longlong(s.total), __double_as_longlong(s.count), 0, 0};
}
static __device__ __forceinline__ void take(Numbers& s, const Gathered& from) {
  s.total = __longlong_as_double(from.a);
  s.count = __longlong_as_double(from.b);
}
)"};

/// The same state, but for what there is before the first element.
constexpr AccumulatorText startingWith(AccumulatorText text, std::string_view identity) {
  text.nothing = text.none = identity;
  return text;
}

/// In the order of the enumerators.
constexpr std::array<AccumulatorText, kAccumulates> kTexts = {
    kSum,
    kProduct,
    kGreatest,
    kLeast,
    kDeviations,
    kBest,
    startingWith(kGreatest, "{0.0f}"),
    startingWith(kLeast, "{1.0f}"),
    kNumbers,
};

}  // namespace

const AccumulatorText& accumulatorText(Accumulate kind) {
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string_view acrossRowText() {
  return R"(// Merges the states of a row of threads (blockDim.x of them, a power of two), in a fixed
// order; the thread with threadIdx.x = 0 gets the result. A warp may hold several rows.
template <class State>
static __device__ __forceinline__ State acrossRow(State mine) {
#pragma unroll 1  // a fifth of the code to compile
  for (int lanes = blockDim.x < 32 ? (int)(blockDim.x / 2) : 16; lanes > 0; lanes /= 2)
    mine = merged(mine, fromLane(mine, lanes));
  if (blockDim.x <= 32) return mine;
  __shared__ State warps[16];
  const int inRow = (int)(blockDim.x / 32), warp = (int)(threadIdx.x / 32);
  __syncthreads();  // readers of an earlier row are done
  if (threadIdx.x % 32 == 0) warps[(int)threadIdx.y * inRow + warp] = mine;
  __syncthreads();
  if (warp == 0) {
    mine = warps[(int)threadIdx.y * inRow + (int)threadIdx.x % inRow];
#pragma unroll 1
    for (int lanes = inRow / 2; lanes > 0; lanes /= 2) mine = merged(mine, fromLane(mine, lanes));
  }
  return mine;
}
)";
}

std::string_view acrossColumnText() {
  return R"(// Merges the states of a column of threads (blockDim.y of them, a power of two; a block is
// 32 wide), in a fixed order; the thread with threadIdx.y = 0 gets the result.
template <class State>
static __device__ __forceinline__ State acrossColumn(State mine) {
  __shared__ State states[256];
  const int me = (int)(threadIdx.y * 32 + threadIdx.x);
  __syncthreads();  // readers of earlier columns are done
  states[me] = mine;
#pragma unroll 1
  for (int rows = (int)(blockDim.y / 2); rows > 0; rows /= 2) {
    __syncthreads();
    if ((int)threadIdx.y < rows) {
      mine = merged(mine, states[me + rows * 32]);
      states[me] = mine;
    }
  }
  return mine;
}
)";
}

std::string_view lastBlockText() {
  return R"(// Whether this block is the last to come here of those with its blockIdx.x, of which there
// are `parts`: it sees what all of them have written. `arrived` is as before then.
static __device__ __forceinline__ bool isLastBlock(unsigned* arrived, const int parts) {
  __shared__ int last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    last = atomicAdd(arrived + blockIdx.x, 1u) == (unsigned)parts - 1u;
    if (last) arrived[blockIdx.x] = 0;
  }
  __syncthreads();
  __threadfence();
  return last != 0;
}
)";
}

}  // namespace fusebench::cuda
