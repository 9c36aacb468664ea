// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/instant/interpreter_text.h"

#include <fmt/format.h>

#include "engine/cuda/codegen/kernel_facts.h"
#include "engine/cuda/instant/interpreter_abi.h"
#include "engine/ops/ops.h"

namespace fusebench::cuda {

static_assert(kRegisterSlots == 4, "keep() and recall() name each slot");
static_assert(sizeof(OpListInstruction) == 16);

std::string interpreterStructs() {
  const auto constant = [](const char* name, auto value) {
    return fmt::format("  {} = {},\n", name, static_cast<std::int64_t>(value));
  };
  return "enum {\n" + constant("kSlots", kRegisterSlots) + constant("kOwn", kLaunchInstructions) +
         constant("kThirdBit", kThirdBit) + constant("kOperandMask", kOperandMask) +
         constant("kNumber", Fetch::number) + constant("kSlot", Fetch::slot) +
         constant("kInput", Fetch::input) + constant("kSecondShift", kSecondShift) +
         constant("kThirdShift", kThirdShift) + constant("kFetchMask", kFetchMask) +
         constant("kSwapBit", kSwapBit) + constant("kKeepShift", kKeepShift) +
         constant("kOperationMask", kOperationMask) + constant("kLoad", Move::load) +
         constant("kStore", Move::store) + constant("kGather", Move::gather) +
         constant("kTruthTensor", kTruthTensor) + constant("kOuterEven", kOuterEven) +
         constant("kInnerEven", kInnerEven) + constant("kGroupEven", kGroupEven) +
         constant("kOneAccess", kOneAccess) + constant("kWhole", Stored::whole) +
         constant("kTruth", Stored::truth) + constant("kPosition", Stored::position) +
         fmt::format(R"(}};

// An operation, where its operands are, and the numbers that it uses.
struct alignas(16) Instruction {{
  unsigned word;
  int a, b, c;
}};
// What becomes of a reduction's state.
struct Reduction {{
  int kind, finish, tensor, stored;
  double parameters[{}];
}};
// How a tensor is walked: by the number of the result that an element belongs to (outer) and its
// number in there (inner).
struct Tensor {{
  unsigned long long address;
  long long outerStep, step;
  unsigned how;
  int steps;
}};
// What has been gathered of a reduction of any kind.
struct Gathered {{
  long long a, b, c, d;
}};
struct Launch {{
  const Instruction* rest;
  const Reduction* reductions;
  unsigned* arrived;
  Gathered* partials;
  Gathered* gathered;
  float* values;
  long long results, length;
  int instructions, reductionCount, parts, byRows, outerRank, innerRank;
  long long extents[{}];
  Reduction reduction;
  Tensor tensors[{}];
  long long steps[{}];
  Instruction code[kOwn];
}};
static_assert(sizeof(Reduction) == {} && sizeof(Launch) == {}, "as the host has them");
)",
                     kFinishParameters, kMaxRank, kOpListTensors, kOpListSteps,
                     sizeof(OpListReduction), sizeof(OpListLaunch));
}

std::string interpreterLoopHead() {
  return R"(// All instructions, one after another, for elements i, i + 1, ... of a result's.
template <int V>
static __device__ __forceinline__ void runGroup(const Launch& launch, Gathered& first,
                                                const long long row, const long long i) {
  const int valid = launch.length - i < V ? (int)(launch.length - i) : V;
  float x[V], y[V], z[V];  // what is worked on, second and third operand
  float slots[kSlots][V];
  fill(x, 0.0f);
  Instruction next = launch.code[0];
#pragma unroll 1
  for (int at = 1; at <= launch.instructions; ++at) {
    const Instruction now = next;
    // Read ahead; behind the last there is one more that does nothing.
    if (at < kOwn)
      next = launch.code[at];
    else
      next = launch.rest[at];
    fill(y, __int_as_float(now.a));
    if ((now.word & kOperandMask) != 0) {
      const int second = (int)(now.word >> kSecondShift) & kFetchMask;
      if (second == kSlot)
        recall(y, slots, launch, now.a);
      else if (second == kInput)
        read(y, launch, now.a, row, i, valid);
      else if (second != kNumber)
        copy(y, x);
      if ((now.word & kThirdBit) != 0) {
        const int third = (int)(now.word >> kThirdShift) & kFetchMask;
        if (third == kNumber)
          fill(z, __int_as_float(now.b));
        else if (third == kSlot)
          recall(z, slots, launch, now.b);
        else
          copy(z, x);
      }
      if ((now.word & kSwapBit) != 0) swap(x, y);
    }
    switch ((int)(now.word & kOperationMask)) {
      case kLoad:
        copy(x, y);
        break;
      case kStore:
        store(x, launch, now.a, row, i, valid);
        break;
)";
}

std::string interpreterLoopEnd() {
  return R"(    }
    const int kept = (int)(now.word >> kKeepShift);
    if (kept != 0) keep(slots, launch, kept - 1, x);
  }
}
)";
}

std::string interpreterEntry(const std::string& name, int threads, int blocks) {
  return fmt::format(
      "extern \"C\" __global__ void __launch_bounds__({}, {})\n"
      "{}(const Launch launch) {{\n",
      threads, blocks, name);
}

std::string pointwiseEntries() {
  return R"(template <int V>
static __device__ __forceinline__ void runAll(const Launch& launch) {
  Gathered none = {0, 0, 0, 0};
  const long long threads = (long long)gridDim.x * blockDim.x;
  const long long groups = (launch.length + V - 1) / V;
#pragma unroll 1
  for (long long group = (long long)blockIdx.x * blockDim.x + threadIdx.x; group < groups;
       group += threads)
    runGroup<V>(launch, none, 0, group * V);
}

)" + interpreterEntry("instant_one", kInterpreterThreads, kInterpreterBlocks) +
         "  runAll<1>(launch);\n}\n\n" +
         interpreterEntry("instant_four", kInterpreterThreads, kInterpreterBlocks) +
         "  runAll<4>(launch);\n}\n";
}

}  // namespace fusebench::cuda
