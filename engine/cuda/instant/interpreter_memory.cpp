// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the interpreter that moves values: tensors' elements, and values that wait.
#include "engine/cuda/instant/interpreter_text.h"

namespace fusebench::cuda {

std::string interpreterMemory() {
  return R"(template <int V>
static __device__ __forceinline__ void fill(float (&to)[V], const float value) {
#pragma unroll
  for (int k = 0; k < V; ++k) to[k] = value;
}
template <int V>
static __device__ __forceinline__ void copy(float (&to)[V], const float (&from)[V]) {
#pragma unroll
  for (int k = 0; k < V; ++k) to[k] = from[k];
}
template <int V>
static __device__ __forceinline__ void swap(float (&a)[V], float (&b)[V]) {
#pragma unroll
  for (int k = 0; k < V; ++k) {
    const float was = a[k];
    a[k] = b[k];
    b[k] = was;
  }
}
// The first value leaves and another comes behind the last: after V times all have been replaced,
// by a loop that need not be unrolled for its values to stay in registers.
template <int V>
static __device__ __forceinline__ void turn(float (&x)[V], const float last) {
#pragma unroll
  for (int k = 1; k < V; ++k) x[k - 1] = x[k];
  x[V - 1] = last;
}

// Where element `number` of some dimensions is, the last of which changes fastest.
static __device__ __forceinline__ long long place(const Launch& launch, const int steps,
                                                  const int first, const int dims,
                                                  long long number) {
  long long offset = 0;
#pragma unroll 1
  for (int d = first + dims - 1; d > first; --d)
    offset += digit(number, launch.extents[d]) * launch.steps[steps + d];
  return offset + number * launch.steps[steps + first];
}
static __device__ __forceinline__ long long outerPlace(const Launch& launch, const Tensor& tensor,
                                                       const long long row) {
  if ((tensor.how & kOuterEven) != 0) return row * tensor.outerStep;
  return place(launch, tensor.steps, 0, launch.outerRank, row);
}
static __device__ __forceinline__ long long innerPlace(const Launch& launch, const Tensor& tensor,
                                                       const long long i) {
  if ((tensor.how & kInnerEven) != 0) return i * tensor.step;
  return place(launch, tensor.steps, launch.outerRank, launch.innerRank, i);
}

static __device__ __forceinline__ void readFour(float (&to)[4], const float* from) {
  const float4 four = *reinterpret_cast<const float4*>(from);
  to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}
static __device__ __forceinline__ void readFour(float (&)[1], const float*) {}
static __device__ __forceinline__ void storeFour(float* to, const float (&from)[4]) {
  float4 four;
  four.x = from[0], four.y = from[1], four.z = from[2], four.w = from[3];
  *reinterpret_cast<float4*>(to) = four;
}
static __device__ __forceinline__ void storeFour(float*, const float (&)[1]) {}

static __device__ __forceinline__ float element(const Tensor& tensor, const long long at) {
  if ((tensor.how & kTruthTensor) != 0)
    return reinterpret_cast<const unsigned char*>(tensor.address)[at] != 0 ? 1.0f : 0.0f;
  return reinterpret_cast<const float*>(tensor.address)[at];
}
static __device__ __forceinline__ void setElement(const Tensor& tensor, const long long at,
                                                  const float value) {
  if ((tensor.how & kTruthTensor) != 0)
    reinterpret_cast<unsigned char*>(tensor.address)[at] = value != 0.0f;
  else
    reinterpret_cast<float*>(tensor.address)[at] = value;
}

// Elements i, i + 1, ... of a tensor, of which the first `valid` are there.
template <int V>
static __device__ __forceinline__ void read(float (&to)[V], const Launch& launch, const int t,
                                            const long long row, const long long i,
                                            const int valid) {
  const Tensor tensor = launch.tensors[t];
  const long long start = outerPlace(launch, tensor, row);
  fill(to, 0.0f);
  if (V > 1 && (tensor.how & kGroupEven) == 0) {
#pragma unroll 1
    for (int k = 0; k < V; ++k) {
      float value = 0.0f;
      if (k < valid) value = element(tensor, start + innerPlace(launch, tensor, i + k));
      turn(to, value);
    }
    return;
  }
  const long long at = start + innerPlace(launch, tensor, i);
  if (V > 1 && (tensor.how & kOneAccess) != 0 && valid == V) {
    readFour(to, reinterpret_cast<const float*>(tensor.address) + at);
    return;
  }
#pragma unroll
  for (int k = 0; k < V; ++k)
    if (k < valid) to[k] = element(tensor, at + k * tensor.step);
}
template <int V>
static __device__ __forceinline__ void store(const float (&from)[V], const Launch& launch,
                                             const int t, const long long row, const long long i,
                                             const int valid) {
  const Tensor tensor = launch.tensors[t];
  const long long start = outerPlace(launch, tensor, row);
  if (V > 1 && (tensor.how & kGroupEven) == 0) {
    float left[V];
    copy(left, from);
#pragma unroll 1
    for (int k = 0; k < valid; ++k) {
      setElement(tensor, start + innerPlace(launch, tensor, i + k), left[0]);
      turn(left, 0.0f);
    }
    return;
  }
  const long long at = start + innerPlace(launch, tensor, i);
  if (V > 1 && (tensor.how & kOneAccess) != 0 && valid == V) {
    storeFour(reinterpret_cast<float*>(tensor.address) + at, from);
    return;
  }
#pragma unroll
  for (int k = 0; k < V; ++k)
    if (k < valid) setElement(tensor, at + k * tensor.step, from[k]);
}

static __device__ __forceinline__ long long threadOfGrid() {
  const long long block = (long long)blockIdx.y * gridDim.x + blockIdx.x;
  return (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ long long threadsOfGrid() {
  return (long long)gridDim.x * gridDim.y * blockDim.x * blockDim.y;
}

// Values that wait: the first slots are registers, the others memory.
template <int V>
static __device__ __forceinline__ void keep(float (&slots)[kSlots][V], const Launch& launch,
                                            const int slot, const float (&x)[V]) {
  switch (slot) {
    case 0:
      return copy(slots[0], x);
    case 1:
      return copy(slots[1], x);
    case 2:
      return copy(slots[2], x);
    case 3:
      return copy(slots[3], x);
  }
  const long long threads = threadsOfGrid();
  float* to = launch.values + (long long)(slot - kSlots) * V * threads + threadOfGrid();
#pragma unroll
  for (int k = 0; k < V; ++k) to[k * threads] = x[k];
}
template <int V>
static __device__ __forceinline__ void recall(float (&to)[V], const float (&slots)[kSlots][V],
                                              const Launch& launch, const int slot) {
  switch (slot) {
    case 0:
      return copy(to, slots[0]);
    case 1:
      return copy(to, slots[1]);
    case 2:
      return copy(to, slots[2]);
    case 3:
      return copy(to, slots[3]);
  }
  const long long threads = threadsOfGrid();
  const float* from = launch.values + (long long)(slot - kSlots) * V * threads + threadOfGrid();
#pragma unroll
  for (int k = 0; k < V; ++k) to[k] = from[k * threads];
}
)";
}

}  // namespace fusebench::cuda
