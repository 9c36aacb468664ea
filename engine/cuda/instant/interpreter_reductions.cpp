// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the interpreter that op lists with reductions need.
#include "engine/cuda/codegen/kernel_facts.h"
#include "engine/cuda/instant/interpreter_text.h"

namespace fusebench::cuda {

std::string interpreterStates(const ReductionCases& cases) {
  return "// States as words.\n" + cases.words + R"(
static __device__ __forceinline__ int kindOf(const Launch& launch, const int r) {
  return r == 0 ? launch.reduction.kind : launch.reductions[r].kind;
}
// What a thread has gathered before its first element, and a state that changes nothing.
static __device__ __forceinline__ Gathered nothingOf(const int kind) {
  switch (kind) {
)" + cases.nothing +
         R"(  }
  return {0, 0, 0, 0};
}
static __device__ __forceinline__ Gathered noneOf(const int kind) {
  switch (kind) {
)" + cases.none +
         R"(  }
  return nothingOf(kind);
}
static __device__ __forceinline__ void addAll(Sum& sum, const float (&x)[4], const int valid) {
  if (valid == 4) return add(sum, x);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (k < valid) add(sum, x[k]);
}
static __device__ __forceinline__ void addAll(Sum& sum, const float (&x)[1], const int) {
  add(sum, x[0]);
}
template <class State, int V>
static __device__ __forceinline__ void addAll(State& state, const float (&x)[V], const int valid) {
#pragma unroll
  for (int k = 0; k < V; ++k)
    if (k < valid) add(state, x[k]);
}
template <int V>
static __device__ __forceinline__ void gather(Gathered& into, const Instruction& now,
                                              const Launch& launch, const float (&x)[V],
                                              const long long i, const int valid) {
  switch (now.b) {
)" + cases.add +
         R"(  }
}
template <int V>
static __device__ __forceinline__ void gatherInto(Gathered& first, const Instruction& now,
                                                  const Launch& launch, const float (&x)[V],
                                                  const long long i, const int valid) {
  if (now.a == 0) return gather(first, now, launch, x, i, valid);
  Gathered* place = launch.gathered + (now.a - 1) * threadsOfGrid() + threadOfGrid();
  Gathered gathered = *place;
  gather(gathered, now, launch, x, i, valid);
  *place = gathered;
}

// A state that threads hand each other.
struct alignas(8) State {
  Gathered gathered;
  long long kind;
};
static __device__ __forceinline__ State stateOf(const Gathered& gathering, const int kind) {
  switch (kind) {
)" + cases.gathered +
         R"(  }
  return {gathering, kind};
}
static __device__ __forceinline__ State merged(const State& a, const State& b) {
  switch ((int)a.kind) {
)" + cases.merge +
         R"(  }
  return a;
}
static __device__ __forceinline__ State fromLane(const State& mine, const int lanes) {
  return {{__shfl_down_sync(0xffffffffu, mine.gathered.a, lanes),
           __shfl_down_sync(0xffffffffu, mine.gathered.b, lanes),
           __shfl_down_sync(0xffffffffu, mine.gathered.c, lanes),
           __shfl_down_sync(0xffffffffu, mine.gathered.d, lanes)},
          mine.kind};
}

static __device__ __forceinline__ double resultOf(const int kind, const Gathered& state) {
  switch (kind) {
)" + cases.result +
         R"(  }
  return 0.0;
}
static __device__ __forceinline__ double countOf(const int kind, const Gathered& state,
                                                 const double all) {
  switch (kind) {
)" + cases.count +
         R"(  }
  return all;
}
static __device__ __forceinline__ double finished(const int finish, const double accumulated,
                                                  const double count, const double* parameters) {
  switch (finish) {
)" + cases.finish +
         R"(  }
  return accumulated;
}
static __device__ __forceinline__ void storeResult(const Launch& launch, const int r,
                                                   const Gathered& state, const long long row) {
  Reduction reduction = launch.reduction;
  if (r > 0) reduction = launch.reductions[r];
  const Tensor tensor = launch.tensors[reduction.tensor];
  const long long at = outerPlace(launch, tensor, row);
  if (reduction.stored == kPosition) {
    reinterpret_cast<long long*>(tensor.address)[at] = state.b;
    return;
  }
  const double count = countOf(reduction.kind, state, (double)launch.length);
  const double result = finished(reduction.finish, resultOf(reduction.kind, state), count,
                                 reduction.parameters);
  if (reduction.stored == kWhole)
    reinterpret_cast<long long*>(tensor.address)[at] = (long long)result;
  else if (reduction.stored == kTruth)
    reinterpret_cast<unsigned char*>(tensor.address)[at] = result != 0.0;
  else
    reinterpret_cast<float*>(tensor.address)[at] = (float)result;
}
)";
}

std::string reducingEntries() {
  return R"(// Rows or columns of threads, each for one result or, with blockIdx.y, a part of one; the last
// block to come merges the parts.
template <int V>
static __device__ __forceinline__ void reduceAll(const Launch& launch) {
  const bool rows = launch.byRows != 0;
  const unsigned side = rows ? threadIdx.x : threadIdx.y, sides = rows ? blockDim.x : blockDim.y;
  const unsigned across = rows ? threadIdx.y : threadIdx.x;
  const unsigned acrosses = rows ? blockDim.y : blockDim.x;
  const long long lane = (long long)blockIdx.y * sides + side;
  const long long lanes = (long long)gridDim.y * sides;
  const long long groups = (launch.length + V - 1) / V;
  bool merging = false;
#pragma unroll 1
  do {
#pragma unroll 1
    for (long long from = (long long)blockIdx.x * acrosses; from < launch.results;
         from += (long long)gridDim.x * acrosses) {
      const long long row = from + across;
      Gathered* const others = launch.gathered + threadOfGrid();
      Gathered first = nothingOf(kindOf(launch, 0));
      if (!merging) {
#pragma unroll 1
        for (int r = 1; r < launch.reductionCount; ++r)
          others[(r - 1) * threadsOfGrid()] = nothingOf(kindOf(launch, r));
        if (row < launch.results)
#pragma unroll 1
          for (long long group = lane; group < groups; group += lanes)
            runGroup<V>(launch, first, row, group * V);
      }
#pragma unroll 1
      for (int r = 0; r < launch.reductionCount; ++r) {
        const int kind = kindOf(launch, r);
        Gathered* const parts =
            launch.partials + ((long long)r * launch.results + row) * launch.parts;
        State state = {noneOf(kind), kind};
        if (merging) {
          if (row < launch.results)
#pragma unroll 1
            for (int part = (int)side; part < launch.parts; part += (int)sides) {
              const State one = {parts[part], kind};
              state = merged(state, one);
            }
        } else {
          if (r > 0) first = others[(r - 1) * threadsOfGrid()];
          state = stateOf(first, kind);
        }
        if (rows)
          state = acrossRow(state);
        else
          state = acrossColumn(state);
        if (side != 0 || row >= launch.results) continue;
        if (merging || launch.parts == 1)
          storeResult(launch, r, state.gathered, row);
        else
          parts[blockIdx.y] = state.gathered;
      }
    }
    if (launch.parts == 1 || merging) return;
    merging = isLastBlock(launch.arrived, launch.parts);
  } while (merging);
}

)" + interpreterEntry("instant_reduce_one", kRowThreads, 1) +
         "  reduceAll<1>(launch);\n}\n\n" +
         interpreterEntry("instant_reduce_four", kRowThreads, 1) + "  reduceAll<4>(launch);\n}\n";
}

}  // namespace fusebench::cuda
