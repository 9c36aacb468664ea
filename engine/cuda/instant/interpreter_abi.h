// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/base/shape.h"

/// What the host passes to the interpreter of op lists (see interpreter_source.h).
/// interpreterStructs() writes the same structs in CUDA C++; the sizes are asserted there.
namespace fusebench::cuda {

/// Number of registers for each element that a thread works on in which values are held until they
/// are needed; further values are held in memory.
inline constexpr int kRegisterSlots = 4;
/// Number of instructions that come with the launch's parameters, where all threads can read them
/// quickly and together; the rest is read from device memory.
inline constexpr int kLaunchInstructions = 72;
/// Threads per block for op lists that only store results, and number of blocks that should fit on
/// a multiprocessor: 102 registers per thread, so that no value has to be spilled.
inline constexpr int kInterpreterThreads = 128;
inline constexpr int kInterpreterBlocks = 5;
/// Tensors of a launch, and steps of those with irregular strides.
inline constexpr int kOpListTensors = 24;
inline constexpr int kOpListSteps = 96;
/// Parameters that a finish formula may use, counted as its row has them.
inline constexpr int kFinishParameters = 4;

/// Where an instruction gets an operand from. A number is already available, or there is no
/// operand.
enum class Fetch : std::uint32_t { number, slot, input, working };

/// Operations other than ops; pointwise rows follow, in the table's order.
enum class Move : std::uint32_t {
  load,     ///< the second operand becomes the working value
  store,    ///< stores the working value to tensor a
  gather,   ///< adds the working value to reduction a of kind b; positions count by tensor c
  firstRow  ///< no operation: the number of the first row
};

/// One instruction: an op on the working value, and its further data.
struct alignas(16) OpListInstruction {
  /// Bits 0-7: Move, or a row; 8-9, 10-11: Fetch of the second and of the third operand; 12: there
  /// is a third; 13: the working value is the second operand and what was fetched the first; 16-31:
  /// 1 + the slot that the result is kept in, too; 0: none.
  std::uint32_t word = 0;
  /// The second operand, the third (for rows that have one): a float's bits, or the number of a
  /// slot or tensor. Then the parameters, as floats.
  std::uint32_t fields[3] = {};
};
inline constexpr std::uint32_t kSecondShift = 8, kThirdShift = 10, kKeepShift = 16;
inline constexpr std::uint32_t kThirdBit = 1u << 12, kSwapBit = 1u << 13;
inline constexpr std::uint32_t kFetchMask = 3, kOperationMask = 255;
/// None of these is set if the second operand is a number or is missing.
inline constexpr std::uint32_t kOperandMask = 0x3f00;

/// As what a reduction's result is stored.
enum class Stored : std::int32_t { real, whole, truth, position };

/// How the state of one reduction becomes its result.
struct OpListReduction {
  std::int32_t kind = 0;    ///< Accumulate
  std::int32_t finish = 0;  ///< see finishes()
  std::int32_t tensor = 0;  ///< that gets the results
  std::int32_t stored = 0;  ///< Stored
  double parameters[kFinishParameters] = {};
};

/// Bytes of the state of any reduction in one thread, block or part.
inline constexpr std::size_t kGatheredBytes = 32;

/// How a launch walks one tensor. The dimensions are divided into outer ones, which number the
/// results of reductions, and inner ones; an element is found by its outer and its inner number.
struct OpListTensor {
  std::uint64_t address = 0;
  std::int64_t outerStep = 0;  ///< from one outer number to the next, if that is constant
  /// The same from one inner number to the next if that is constant; otherwise between the members
  /// of a group of four that differ in the last dimension only.
  std::int64_t step = 0;
  std::uint32_t how = 0;   ///< bits
  std::int32_t steps = 0;  ///< where in OpListLaunch::steps those of the dimensions begin
};
inline constexpr std::uint32_t kTruthTensor = 1;  ///< bytes, else float32
inline constexpr std::uint32_t kOuterEven = 2;
inline constexpr std::uint32_t kInnerEven = 4;
inline constexpr std::uint32_t kGroupEven = 8;   ///< groups of four are `step` apart
inline constexpr std::uint32_t kOneAccess = 16;  ///< groups of four are 16 aligned bytes

/// The parameter of each entry; at most 4096 bytes.
struct OpListLaunch {
  const OpListInstruction* rest = nullptr;  ///< all instructions, those in `code` among them
  const OpListReduction* reductions = nullptr;
  unsigned* arrived = nullptr;  ///< kArrivalCounters of them; see Entry
  void* partials = nullptr;     ///< per reduction, result and part
  void* gathered = nullptr;     ///< per reduction but the first, and thread
  float* values = nullptr;      ///< per further slot, element of a group, and thread
  std::int64_t results = 1;     ///< product of the outer extents
  std::int64_t length = 0;      ///< product of the inner extents
  std::int32_t instructions = 0;
  std::int32_t reductionCount = 0;
  std::int32_t parts = 1;  ///< number of parts that each result's elements are distributed over
  std::int32_t byRows =
      1;  ///< threads side by side share a result (else those one below the other)
  std::int32_t outerRank = 0, innerRank = 0;
  std::int64_t extents[kMaxRank] = {};  ///< the outer ones, then the inner ones
  OpListReduction reduction;            ///< the first
  // Unused entries are 0, so that no launch passes stale memory.
  OpListTensor tensors[kOpListTensors] = {};
  std::int64_t steps[kOpListSteps] = {};
  std::int64_t filling = 0;  ///< that the alignment of what follows asks for
  OpListInstruction code[kLaunchInstructions] = {};
};
static_assert(sizeof(OpListLaunch) <= 4096);
static_assert(offsetof(OpListLaunch, code) == offsetof(OpListLaunch, filling) + 8);

}  // namespace fusebench::cuda
