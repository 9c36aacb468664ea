// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/cpu/codegen/codegen.h"
#include "engine/ops/ops.h"

namespace fusebench::cpu {

/// Vectors that an op list processes at once: as many as are passed in registers.
inline constexpr int kOpListVectors = 8;
/// Blocks between two flushes of short sums; see kFlushSteps.
inline constexpr int kTileBlocks = 32;
/// Alignment, in bytes, of slots and other memory that an op list works in.
inline constexpr std::size_t kOpListAlign = 64;

/// A threaded program is a sequence of instructions, each a multiple of kInstructionAlign bytes:
/// the address of the code that executes it, followed by the words that this code reads. For an op
/// these are: for each operand in turn, its location if it is in memory (a slot's offset in bytes,
/// or a tensor's number), or the operand itself if it is a number; then the parameters that are
/// numbers. Instructions of other kinds have at most one word: a location. Locations are
/// std::int32_t. Numbers are float, or the type that the list computes in, which takes two words if
/// it has 64 bits.
inline constexpr std::size_t kInstructionAlign = 8;
inline constexpr std::size_t kWordBytes = 4;
/// Offset in bytes of word number `word` within an instruction.
constexpr std::size_t wordAt(std::size_t word) {
  return sizeof(const void*) + word * kWordBytes;
}
/// Size in bytes of an instruction with this many words.
constexpr std::size_t instructionBytes(std::size_t words) {
  return (wordAt(words) + kInstructionAlign - 1) / kInstructionAlign * kInstructionAlign;
}
inline constexpr std::size_t kMostInstructionBytes =
    instructionBytes(kMostOperands + kMostParameters);
/// The same if numbers take two words.
inline constexpr std::size_t kMostWideBytes =
    instructionBytes(2 * (kMostOperands + kMostParameters));

/// The type that pieces compute in for a list of that type: bytes are computed in int32, and each
/// op's result is wrapped.
constexpr TypeClass computedOf(TypeClass lanes) {
  return lanes == TypeClass::int8 || lanes == TypeClass::uint8 ? TypeClass::int32 : lanes;
}

/// The state that the code of an op list shares. Generated code reads it at exactly these offsets.
struct OpListState {
  void* const* pointers = nullptr;  ///< for each tensor: the address that element 0 would have
  std::byte* slots = nullptr;       ///< values of one block that are needed later
  std::byte* accumulators = nullptr;
  const std::byte* first = nullptr;  ///< instruction
  std::int64_t end = 0;              ///< index after the last block
  std::int64_t remaining = 0;        ///< number of elements of a block that is not full
  std::int64_t reducedIndex = 0;     ///< of element 0, in positions
};

/// A piece of code that does one thing to the block that an op list works on. The block is held in
/// registers, in kOpListVectors vectors, and handed on from piece to piece: each ends in a jump to
/// the next one's code. All have the type
///   void f(vector x kOpListVectors, const std::byte* instruction, OpListState*, int64 index of the
///          block).
/// Those called from outside (enter and the accumulators') have types of their own.
struct Stencil {
  enum class Kind : std::uint8_t {
    op,     ///< an op row on operands of the given forms
    load,   ///< loads from `forms[0]` into the registers
    keep,   ///< copies the registers into a slot
    store,  ///< stores the registers to a tensor
    round,  ///< rounds the registers to a 16-bit float and back, as an op with such a result does;
            ///< int32: to a byte
    accumulate,  ///< adds the registers to an accumulator
    total,   ///< stores the state of the only block there is, in words, in an accumulator's place
    next,    ///< jumps to the first instruction with the next block, if there is one
    enter,   ///< void (const std::byte*, OpListState*, int64): runs the program
    reset,   ///< void (accumulator): before the first block
    flush,   ///< void (accumulator): after kTileBlocks blocks, if there are more
    finish,  ///< void (accumulator, words): flushes; stores the state; each lane's if `lanes`
  };
  /// Where an operand is: in the registers, in a slot, in an input whose elements are contiguous in
  /// memory, or as a number in the instruction.
  enum class Form : char { working = 'w', slot = 's', input = 'i', number = 'n', none = '-' };

  Kind kind = Kind::op;
  const OpRow* row = nullptr;    ///< op
  DType dtype = DType::float32;  ///< of the result, or of what is loaded, stored or rounded to
  std::array<Form, 3> forms{Form::none, Form::none, Form::none};
  std::array<bool, 3> truths{};       ///< op: whether the operand is a bool
  std::array<RangeClass, 3> known{};  ///< op: range of each operand
  std::vector<double> structural{};   ///< op: parameters that are part of the code
  Accumulate accumulate{};
  bool masked = false;  ///< accumulate: the block is not full
  bool lanes = false;   ///< accumulators: each lane is a separate result
  /// The type of the vectors' elements: float32, float64, int32 or int64. A block has half as
  /// many elements if they have 64 bits. Stencils that only move registers are float32's in all
  /// lists.
  TypeClass computed = TypeClass::float32;

  /// The word of its instruction that holds the operand, which is not in the registers. For kinds
  /// other than ops it is the location.
  std::size_t wordOf(std::size_t operand) const;
  /// Number of words of its instruction.
  std::size_t words() const;
  std::size_t wordsOfNumber() const {
    return static_cast<std::size_t>(bitsOf(computed)) / (8 * kWordBytes);
  }

  /// Two stencils with the same text have the same code.
  std::string text() const;

  /// A number that no stencil with another text has; 0: a stencil with structural parameters. That
  /// of an op is keyOfOp(), which depends on which operands are bools, or-ed with keyOfOperand() of
  /// each.
  std::uint64_t key() const;
  /// `truths`: bit i: operand i is a bool.
  static std::uint64_t keyOfOp(const OpRow& row, DType dtype, unsigned truths);
  static std::uint64_t keyOfOperand(std::size_t operand, Form form, RangeClass known) {
    return (static_cast<std::uint64_t>(form) | static_cast<std::uint64_t>(known) << 8)
           << (kKeyOperands + kKeyOperand * operand);
  }
  friend bool operator==(const Stencil&, const Stencil&) = default;

 private:
  /// Where the bits of the operands begin, and how many bits each has.
  static constexpr unsigned kKeyOperands = 15, kKeyOperand = 11;
  static constexpr unsigned kKeyRow = kKeyOperands + kMostOperands * kKeyOperand;
  static constexpr unsigned kKeyComputed = 61;  ///< the row is in the bits below
  static_assert(kRangeClasses <= 8, "three bits of a key say the class");
};

/// Writes the stencil as LLVM IR; the function is called kEntryName.
GeneratedModule generate(const Stencil& stencil, const Target& target,
                         const llvm::DataLayout& layout);

/// Bytes of an accumulator's state.
std::size_t accumulatorBytes(Accumulate kind, bool lanes, const Target& target);

}  // namespace fusebench::cpu
