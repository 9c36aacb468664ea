// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/chain_program.h"

#include <algorithm>
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

/// Whether an op's code depends on what is known of its operands.
bool opMindsRanges(const OpRow& row) {
  static const std::vector<bool> minds = [] {
    std::vector<bool> found;
    for (const OpRow& each : opRows()) {
      found.push_back(false);
      if (each.kind != OpKind::pointwise) continue;
      ExprGraph graph;
      std::vector<Expr> operands, parameters;
      for (int o = 0; o < each.arity; ++o)
        operands.push_back({&graph, graph.input(o, (each.truthOperands >> o) & 1)});
      for (const Parameter& parameter : each.parameters)
        parameters.push_back({&graph, parameter.kind == Parameter::Kind::number
                                          ? graph.scalar(0)
                                          : graph.constant(parameter.fallback)});
      each.meaning(Args(operands, parameters));
      for (const ExprNode& node : graph.nodes())
        if (mindsRanges(node.primitive)) found.back() = true;
    }
    return found;
  }();
  return minds[static_cast<std::size_t>(opIndex(row))];
}

/// Puts the instructions together, following what is in the registers.
class Assembler {
 public:
  Assembler(const Chain& chain, const std::vector<Lie>& lies, bool lanes, Stencils& stencils,
            ObjectCache* cache, CompileTimes& times)
      : chain_(chain),
        lies_(lies),
        lanes_(lanes),
        stencils_(stencils),
        cache_(cache),
        times_(times),
        stepSlots_(chain.steps.size(), kNowhere),
        ranges_(valueRanges(chain.kernel)) {
    program_.inputSlots.assign(chain.kernel.inputs.size(), kNowhere);
  }

  ChainProgram run() {
    for (std::size_t i = 0; i < lies_.size(); ++i)
      if (lies_[i] == Lie::repeated) program_.inputSlots[i] = newSlot();
    countUses();
    keepTruths();
    useResults({From::input, -1, 0});  // inputs that are results need no step
    for (std::size_t s = 0; s < chain_.steps.size(); ++s) {
      step_ = static_cast<int>(s);
      addStep(s);
      const ChainOperand made{From::step, static_cast<int>(s), 0};
      working_ = made;
      useResults(made);
      // Kept at once if something later wants it that is not the very next step's doing.
      if (usesLeft_[s] > readsBy(s + 1, made)) keep(stepSlots_[s] = newSlot());
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
    program_.pieces.push_back({stencil, step_});
    if (stencil.kind == Kind::accumulate && !stencil.lanes) {
      Stencil masked = stencil;
      masked.masked = true;
      instruction.code = stencils_.code(masked, cache_, times_);
    }
    program_.partial.push_back(instruction);
  }

  void countUses() {
    usesLeft_.assign(chain_.steps.size(), 0);
    for (const ChainStep& step : chain_.steps)
      for (int o = 0; o < step.operandCount; ++o)
        if (const auto& operand = step.operands[static_cast<std::size_t>(o)];
            operand.from == From::step)
          ++usesLeft_[static_cast<std::size_t>(operand.index)];
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
    if (operand.from == From::step) return {Form::slot, static_cast<std::int32_t>(stepSlots_[at])};
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
    int first = -1;
    bool there = false;
    for (int o = step.operandCount; o-- > 0;) {
      if (operand(o).from == From::number) continue;
      first = o;
      there |= operand(o) == working_;
    }
    if (first >= 0 && !there) load(operand(first));

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
      if (operand(o).from == From::step && opMindsRanges(*step.row))
        stencil.ranges[at] = coarseRange(ranges_[static_cast<std::size_t>(
            chain_.steps[static_cast<std::size_t>(operand(o).index)].node)]);
      if (operand(o).from == From::step) --usesLeft_[static_cast<std::size_t>(operand(o).index)];
    }
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
  ChainOperand working_{From::number, -1, 0};  ///< what the registers hold; a number: nothing
  int step_ = -1;                              ///< whose instructions are being added
  std::vector<std::size_t> stepSlots_;
  std::vector<Range> ranges_;  ///< per node of the kernel's body
  std::vector<int> usesLeft_;  ///< per step: reads still to come
};

}  // namespace

ChainProgram assemble(const Chain& chain, const std::vector<Lie>& lies, bool lanes,
                      Stencils& stencils, ObjectCache* cache, CompileTimes& times) {
  return Assembler(chain, lies, lanes, stencils, cache, times).run();
}

}  // namespace fusebench::cpu
