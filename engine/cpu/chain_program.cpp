// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/chain_program.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "engine/cpu/vector_math.h"

namespace fusebench::cpu {
namespace {

using From = ChainOperand::From;
using Form = Stencil::Form;
using Kind = Stencil::Kind;

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// Puts the instructions together, following what is in the registers.
class Assembler {
 public:
  Assembler(const Chain& chain, const std::vector<Lie>& lies, bool lanes, Stencils& stencils,
            ObjectCache* cache, CompileTimes& times, bool explain)
      : chain_(chain),
        lies_(lies),
        lanes_(lanes),
        stencils_(stencils),
        cache_(cache),
        times_(times),
        explain_(explain),
        made_(chain.steps.size()) {
    program_.inputSlots.assign(chain.kernel.inputs.size(), kNowhere);
    program_.instructions = static_cast<double>(chain.results.size());
    // Most steps are an instruction; some are loaded or kept as well.
    program_.whole.reserve(chain.steps.size() * 5 / 4 + 2 * chain.results.size() + 4);
  }

  ChainProgram run() {
    for (std::size_t i = 0; i < lies_.size(); ++i)
      if (lies_[i] == Lie::repeated) program_.inputSlots[i] = newSlot();
    lookAhead();
    keepTruths();
    useResults({From::input, -1, 0});  // inputs that are results need no step
    for (std::size_t s = 0; s < chain_.steps.size(); ++s) {
      step_ = static_cast<int>(s);
      addStep(s);
      const ChainOperand made{From::step, static_cast<int>(s), 0};
      working_ = made;
      useResults(made);
      // Kept at once if something later wants it that is not the very next step's doing.
      if (made_[s].usesLeft > readsBy(s + 1, made)) keep(made_[s].slot = newSlot());
    }
    step_ = -1;
    add({.kind = Kind::next}, {});
    return std::move(program_);
  }

 private:
  std::size_t newSlot() {
    const std::size_t at = program_.slotBytes;
    program_.slotBytes +=
        static_cast<std::size_t>(kChainVectors * stencils_.target().vector.width) * sizeof(float);
    return at;
  }

  void add(const Stencil& stencil, Instruction instruction) {
    instruction.code = stencils_.code(stencil, cache_, times_);
    program_.whole.push_back(instruction);
    if (explain_) program_.pieces.push_back({stencil, step_});
    if (stencil.kind != Kind::accumulate || stencil.lanes) return;
    Stencil masked = stencil, total = stencil;
    masked.masked = true;
    total.kind = Kind::total;
    program_.others.push_back({program_.whole.size() - 1, stencils_.code(masked, cache_, times_),
                               stencils_.code(total, cache_, times_)});
  }

  /// What becomes of each step's value: how often it is read, and whether what is known of it
  /// matters to something later.
  void lookAhead() {
    for (std::size_t s = chain_.steps.size(); s-- > 0;) {
      const ChainStep& step = chain_.steps[s];
      Made& made = made_[s];
      made.formula = &formulaOf(step);
      program_.instructions += made.formula->instructions;
      for (int o = 0; o < step.operandCount; ++o) {
        const ChainOperand& operand = step.operands[static_cast<std::size_t>(o)];
        if (operand.from != From::step) continue;
        Made& read = made_[static_cast<std::size_t>(operand.index)];
        ++read.usesLeft;
        read.rangeMatters |= made.rangeMatters || made.formula->mindsRanges;
      }
    }
  }

  const RowFormula& formulaOf(const ChainStep& step) {
    unsigned truths = 0;
    for (int o = 0; o < step.operandCount; ++o)
      if (isTruth(step.operands[static_cast<std::size_t>(o)])) truths |= 1u << o;
    std::array<double, kMostParameters> structural;
    std::size_t count = 0;
    for (std::size_t p = 0; p < step.parameters.size(); ++p)
      if (std::data(step.row->parameters)[p].kind != Parameter::Kind::number)
        structural[count++] = step.parameters[p];
    return stencils_.formulas().of(*step.row, truths, {structural.data(), count});
  }

  Range rangeOfStep(std::size_t s) {
    const ChainStep& step = chain_.steps[s];
    std::array<Range, kMostOperands + kMostParameters> inputs;
    std::size_t count = 0;
    for (int o = 0; o < step.operandCount; ++o) {
      const ChainOperand& operand = step.operands[static_cast<std::size_t>(o)];
      inputs[count++] = operand.from == From::number ? rangeOfNumber(operand.number)
                        : operand.from == From::step
                            ? made_[static_cast<std::size_t>(operand.index)].range
                            : Range();
    }
    for (std::size_t p = 0; p < step.parameters.size(); ++p)
      if (std::data(step.row->parameters)[p].kind == Parameter::Kind::number)
        inputs[count++] = rangeOfNumber(static_cast<float>(step.parameters[p]));
    return stencils_.formulas().range(*made_[s].formula, {inputs.data(), count});
  }

  int readsBy(std::size_t step, const ChainOperand& value) const {
    if (step >= chain_.steps.size()) return 0;
    const auto& operands = chain_.steps[step].operands;
    return static_cast<int>(
        std::count(operands.begin(), operands.begin() + chain_.steps[step].operandCount, value));
  }

  void keep(std::size_t slot) {
    Instruction instruction;
    instruction.places[0] = static_cast<std::int32_t>(slot);
    add({.kind = Kind::keep}, instruction);
  }

  /// Truth tensors are bytes in memory; ops read them as numbers, from a slot.
  void keepTruths() {
    for (std::size_t i = 0; i < lies_.size(); ++i) {
      if (chain_.kernel.inputs[i].dtype != DType::boolean || lies_[i] == Lie::repeated) continue;
      load({From::input, static_cast<int>(i), 0});
      program_.inputSlots[i] = newSlot();
      keep(program_.inputSlots[i]);
    }
  }

  bool isTruth(const ChainOperand& operand) const {
    const auto at = static_cast<std::size_t>(operand.index);
    if (operand.from == From::step) return chain_.steps[at].dtype == DType::boolean;
    return operand.from == From::input && chain_.kernel.inputs[at].dtype == DType::boolean;
  }

  /// The form in which an operand can be read where it is, and its place.
  std::pair<Form, std::int32_t> whereIs(const ChainOperand& operand) const {
    const auto at = static_cast<std::size_t>(operand.index);
    if (operand == working_) return {Form::working, 0};
    if (operand.from == From::step) return {Form::slot, static_cast<std::int32_t>(made_[at].slot)};
    if (program_.inputSlots[at] != kNowhere)
      return {Form::slot, static_cast<std::int32_t>(program_.inputSlots[at])};
    return {Form::input, operand.index};
  }

  /// Brings a value into the registers.
  void load(const ChainOperand& operand) {
    const auto [form, place] = whereIs(operand);
    if (form == Form::working) return;
    Stencil stencil{.kind = Kind::load};
    stencil.forms[0] = form;
    if (form == Form::input)
      stencil.dtype = chain_.kernel.inputs[static_cast<std::size_t>(operand.index)].dtype;
    Instruction instruction;
    instruction.places[0] = place;
    add(stencil, instruction);
    working_ = operand;
  }

  void addStep(std::size_t s) {
    const ChainStep& step = chain_.steps[s];
    const auto operand = [&](int o) { return step.operands[static_cast<std::size_t>(o)]; };
    // One operand comes in the registers: what is there already, else the first that is no number.
    // The op reads an input from memory itself.
    int first = -1;
    bool there = false;
    for (int o = step.operandCount; o-- > 0;) {
      if (operand(o).from == From::number) continue;
      first = o;
      there |= operand(o) == working_;
    }
    if (first >= 0 && !there && whereIs(operand(first)).first != Form::input) load(operand(first));

    Stencil stencil{.kind = Kind::op};
    stencil.row = step.row;
    stencil.dtype = step.dtype;
    Instruction instruction;
    std::size_t numbers = 0;
    const auto addNumber = [&](double value) {
      if (numbers == kInstructionNumbers) throw std::logic_error("an op of too many numbers");
      instruction.numbers[numbers++] = static_cast<float>(value);
    };
    for (int o = 0; o < step.operandCount; ++o) {
      const auto at = static_cast<std::size_t>(o);
      if (operand(o).from == From::number) {
        stencil.forms[at] = Form::number;
        addNumber(operand(o).number);
        continue;
      }
      std::tie(stencil.forms[at], instruction.places[at]) = whereIs(operand(o));
      stencil.truths[at] = isTruth(operand(o));
      if (operand(o).from != From::step) continue;
      Made& read = made_[static_cast<std::size_t>(operand(o).index)];
      if (made_[s].formula->mindsRanges) stencil.known[at] = rangeClass(read.range);
      --read.usesLeft;
    }
    if (made_[s].rangeMatters) made_[s].range = rangeOfStep(s);
    std::size_t parameter = 0;
    for (const Parameter& each : step.row->parameters) {
      const double value = step.parameters[parameter++];
      if (each.kind == Parameter::Kind::number)
        addNumber(value);
      else
        stencil.structural.push_back(value);
    }
    add(stencil, instruction);
  }

  /// Stores or accumulates what results there are of a value; of all inputs' for input -1.
  void useResults(const ChainOperand& value) {
    for (std::size_t o = 0; o < chain_.results.size(); ++o) {
      const ChainOperand& result = chain_.results[o];
      const bool anyInput = value.from == From::input && result.from == From::input;
      if (!anyInput && !(result == value)) continue;
      load(result);
      const KernelOutput& output = chain_.kernel.outputs[o];
      Instruction instruction;
      if (output.reduces) {
        program_.reductions.push_back({o, program_.accumulatorBytes});
        instruction.places[0] = static_cast<std::int32_t>(program_.accumulatorBytes);
        program_.accumulatorBytes += stencils_.accumulatorBytes(output.accumulate, lanes_);
        Stencil stencil{.kind = Kind::accumulate};
        stencil.accumulate = output.accumulate;
        stencil.lanes = lanes_;
        add(stencil, instruction);
      } else {
        instruction.places[0] = static_cast<std::int32_t>(chain_.kernel.inputs.size() + o);
        add({.kind = Kind::store, .dtype = output.tensor.dtype}, instruction);
      }
    }
  }

  const Chain& chain_;
  const std::vector<Lie>& lies_;
  bool lanes_;
  Stencils& stencils_;
  ObjectCache* cache_;
  CompileTimes& times_;
  ChainProgram program_;
  bool explain_;
  ChainOperand working_{From::number, -1, 0};  ///< what the registers hold; a number: nothing
  int step_ = -1;                              ///< whose instructions are being added
  /// A step's value.
  struct Made {
    const RowFormula* formula = nullptr;
    std::size_t slot = kNowhere;
    int usesLeft = 0;           ///< reads still to come
    bool rangeMatters = false;  ///< to what is made of it
    Range range;                ///< if that matters
  };
  std::vector<Made> made_;  ///< per step
};

}  // namespace

std::vector<Instruction> ChainProgram::with(const void* Other::*code) const {
  std::vector<Instruction> changed = whole;
  for (const Other& other : others) changed[other.at].code = other.*code;
  return changed;
}

ChainProgram assemble(const Chain& chain, const std::vector<Lie>& lies, bool lanes,
                      Stencils& stencils, ObjectCache* cache, CompileTimes& times, bool explain) {
  return Assembler(chain, lies, lanes, stencils, cache, times, explain).run();
}

}  // namespace fusebench::cpu
