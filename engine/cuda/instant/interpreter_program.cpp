// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/instant/interpreter_program.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "engine/cuda/instant/interpreter_source.h"
#include "engine/ops/accumulators.h"
#include "engine/ops/op_numbers.h"

namespace fusebench::cuda {
namespace {

using From = ListedOperand::From;

/// The most inputs that are kept in slots after their first use, where they are read several times:
/// the other slots are for values that cannot be read again.
constexpr int kInputsKept = 2;

std::uint32_t bitsOf(double number) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(number));
}

Stored storedAs(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return Stored::truth;
    case DType::int64:
      return Stored::whole;
    default:
      return Stored::real;
  }
}

/// Puts the instructions together, following what is worked on.
class InterpreterAssembler {
 public:
  explicit InterpreterAssembler(const OpList& list)
      : list_(list),
        inputs_(list.kernel.inputs.size()),
        usesLeft_(inputs_ + list.ops.size(), 0),
        slotOf_(usesLeft_.size(), -1) {}

  InterpreterProgram run() {
    countUses();
    program_.places = std::any_of(list_.kernel.outputs.begin(), list_.kernel.outputs.end(),
                                  [](const KernelOutput& output) {
                                    return output.reduces && info(output.accumulate).positions;
                                  });
    op_ = -1;
    useResultsOfInputs();
    loadOften();
    for (std::size_t s = 0; s < list_.ops.size(); ++s) {
      op_ = static_cast<int>(s);
      addOp(s);
      useResults(working_);
    }
    return std::move(program_);
  }

 private:
  struct Operand {
    Fetch fetch = Fetch::number;
    std::uint32_t field = 0;
  };

  std::size_t valueOf(const ListedOperand& operand) const {
    return static_cast<std::size_t>(operand.index) + (operand.from == From::op ? inputs_ : 0);
  }
  static bool isValue(const ListedOperand& operand) { return operand.from != From::number; }
  void countUses() {
    for (const ListedOp& op : list_.ops)
      for (const ListedOperand& operand : op.given())
        if (isValue(operand)) ++usesLeft_[valueOf(operand)];
  }

  int takeSlot() {
    const auto free = std::find(slotTaken_.begin(), slotTaken_.end(), false);
    const auto slot = static_cast<std::size_t>(free - slotTaken_.begin());
    if (free == slotTaken_.end()) slotTaken_.push_back(false);
    slotTaken_[slot] = true;
    program_.slots = std::max(program_.slots, static_cast<int>(slot) + 1);
    return static_cast<int>(slot);
  }
  /// One of the reads of a value is done.
  void use(const ListedOperand& operand) {
    if (!isValue(operand)) return;
    const std::size_t value = valueOf(operand);
    if (--usesLeft_[value] > 0 || slotOf_[value] < 0) return;
    slotTaken_[static_cast<std::size_t>(slotOf_[value])] = false;
    slotOf_[value] = -1;
  }

  Operand placeOf(const ListedOperand& operand) const {
    if (!isValue(operand)) return {Fetch::number, bitsOf(operand.number)};
    if (operand == working_) return {Fetch::working, 0};
    const int slot = slotOf_[valueOf(operand)];
    if (slot >= 0) return {Fetch::slot, static_cast<std::uint32_t>(slot)};
    if (operand.from != From::input) throw std::logic_error("a value that was not kept");
    return {Fetch::input, static_cast<std::uint32_t>(operand.index)};
  }

  OpListInstruction& add(std::uint32_t operation) {
    program_.ops.push_back(op_);
    program_.code.push_back({operation, {}});
    return program_.code.back();
  }
  OpListInstruction& add(Move move) { return add(static_cast<std::uint32_t>(move)); }

  static void setSecond(OpListInstruction& to, const Operand& operand) {
    to.word |= static_cast<std::uint32_t>(operand.fetch) << kSecondShift;
    to.fields[0] = operand.field;
  }

  void keepIn(OpListInstruction& instruction, const ListedOperand& value) {
    const int slot = takeSlot();
    if (slot >= 0xffff) throw std::runtime_error("an op list of too many values at once");
    slotOf_[valueOf(value)] = slot;
    instruction.word |= static_cast<std::uint32_t>(slot + 1) << kKeepShift;
  }

  /// Makes an operand the value that is worked on; what was must be kept, if it is still wanted.
  void load(const ListedOperand& operand, bool keep = false) {
    if (operand == working_ && isValue(operand) && !keep) return;
    OpListInstruction& instruction = add(Move::load);
    setSecond(instruction, placeOf(operand));
    working_ = operand;
    if (operand.from != From::input || slotOf_[valueOf(operand)] >= 0) return;
    const bool often = usesLeft_[valueOf(operand)] > 1 && inputsKept_ < kInputsKept;
    if (!keep && !often) return;
    inputsKept_ += often;
    keepIn(instruction, operand);
  }

  /// Inputs that are read several times; last the one that the first op begins with.
  void loadOften() {
    if (list_.ops.empty()) return;
    const ListedOperand first = list_.ops.front().operands[0];
    const auto loadIfOften = [&](const ListedOperand& input) {
      if (usesLeft_[valueOf(input)] > 1 && slotOf_[valueOf(input)] < 0 && inputsKept_ < kInputsKept)
        load(input);
    };
    for (int i = 0; i < static_cast<int>(inputs_); ++i)
      if (const ListedOperand input{From::input, i, 0}; !(input == first)) loadIfOften(input);
    if (first.from == From::input) loadIfOften(first);
  }

  bool isInputInMemory(const ListedOperand& operand) const {
    return operand.from == From::input && slotOf_[valueOf(operand)] < 0;
  }

  /// Whether an op can take a value that was just computed directly from the working registers.
  bool takesDirectly(const ListedOp& op, const ListedOperand& value) const {
    const auto given = op.given();
    if (std::find(given.begin(), given.end(), value) == given.end()) return false;
    return op.operandCount < 3 || (op.operands[0] == value && !isInputInMemory(op.operands[2]));
  }

  void addOp(std::size_t s) {
    const ListedOp& op = list_.ops[s];
    const ListedOperand &a = op.operands[0], &b = op.operands[1], &c = op.operands[2];
    bool swap = false;
    if (op.operandCount == 3) {
      // The third operand is fetched from anywhere but an input.
      if (isInputInMemory(c) && !(c == a)) load(c, true);
      load(a);
    } else if (op.operandCount == 2) {
      swap = !(a == working_ && isValue(a)) && ((b == working_ && isValue(b)) || !isValue(a));
      load(swap ? b : a);
    } else {
      load(a);
    }
    const Operand second = op.operandCount < 2 ? Operand{} : placeOf(swap ? a : b);
    const Operand third = op.operandCount < 3 ? Operand{} : placeOf(c);

    OpListInstruction& instruction = add(operationOf(*op.row));
    std::size_t field = 0;
    if (op.operandCount > 1) {
      setSecond(instruction, second);
      ++field;
    }
    if (op.operandCount > 2) {
      instruction.word |= kThirdBit | static_cast<std::uint32_t>(third.fetch) << kThirdShift;
      instruction.fields[1] = third.field;
      ++field;
    }
    if (swap) instruction.word |= kSwapBit;
    for (std::size_t p = 0; p < op.parameters.size(); ++p) {
      if (std::data(op.row->parameters)[p].kind != Parameter::Kind::number) continue;
      if (field == std::size(instruction.fields))
        throw std::logic_error("an op of too many numbers");
      instruction.fields[field++] = bitsOf(parameterIn(*op.row, p, op.parameters[p], op.dtype));
    }
    for (const ListedOperand& operand : op.given()) use(operand);

    working_ = {From::op, static_cast<int>(s), 0};
    const auto reads = [&](const ListedOp& by) {
      const auto given = by.given();
      return static_cast<int>(std::count(given.begin(), given.end(), working_));
    };
    const bool next = s + 1 < list_.ops.size();
    const int direct =
        next && takesDirectly(list_.ops[s + 1], working_) ? reads(list_.ops[s + 1]) : 0;
    if (usesLeft_[valueOf(working_)] > direct) keepIn(instruction, working_);
  }

  /// Stores or gathers what results there are of the value that is worked on.
  void useResults(const ListedOperand& value) {
    for (std::size_t o = 0; o < list_.results.size(); ++o) {
      if (!(list_.results[o] == value)) continue;
      const KernelOutput& output = list_.kernel.outputs[o];
      const auto tensor = static_cast<std::uint32_t>(inputs_ + o);
      if (!output.reduces) {
        add(Move::store).fields[0] = tensor;
        continue;
      }
      OpListInstruction& instruction = add(Move::gather);
      instruction.fields[0] = static_cast<std::uint32_t>(program_.reductions.size());
      instruction.fields[1] = static_cast<std::uint32_t>(output.accumulate);
      const bool positions = info(output.accumulate).positions;
      if (positions)
        instruction.fields[2] = static_cast<std::uint32_t>(inputs_ + list_.results.size());
      OpListReduction reduction;
      reduction.kind = static_cast<std::int32_t>(output.accumulate);
      reduction.finish = finishOf(output);
      reduction.stored =
          static_cast<std::int32_t>(positions ? Stored::position : storedAs(output.tensor.dtype));
      reduction.tensor = static_cast<std::int32_t>(tensor);
      for (std::size_t p = 0; p < output.finishParameters.size() && p < kFinishParameters; ++p)
        reduction.parameters[p] = output.finishParameters[p];
      program_.reductions.push_back(reduction);
    }
  }

  void useResultsOfInputs() {
    for (int i = 0; i < static_cast<int>(inputs_); ++i) {
      const ListedOperand input{From::input, i, 0};
      if (std::find(list_.results.begin(), list_.results.end(), input) == list_.results.end())
        continue;
      load(input);
      useResults(input);
    }
  }

  const OpList& list_;
  std::size_t inputs_;
  InterpreterProgram program_;
  ListedOperand working_{From::number, -1, 0};  ///< a number: nothing that is known
  int op_ = -1;
  int inputsKept_ = 0;
  std::vector<int> usesLeft_;    ///< per value, inputs first: reads by ops still to come
  std::vector<int> slotOf_;      ///< per value: the slot where it waits; -1: none
  std::vector<bool> slotTaken_;  ///< per slot
};

}  // namespace

InterpreterProgram assembleInterpreted(const OpList& list) {
  return InterpreterAssembler(list).run();
}

}  // namespace fusebench::cuda
