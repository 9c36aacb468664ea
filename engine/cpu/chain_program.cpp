// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/chain_program.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "engine/cpu/chain_walk.h"
#include "engine/cpu/vector_math.h"
#include "engine/scratch_list.h"

namespace fusebench::cpu {
namespace {

using From = ChainOperand::From;
using Form = Stencil::Form;
using Kind = Stencil::Kind;

constexpr std::size_t kNowhere = ChainProgram::kNowhere;

bool isSame(const ChainOperand& a, const ChainOperand& b) {
  return a.from == b.from && a.index == b.index;
}

/// Puts the instructions together, following what is in the registers.
class Assembler {
 public:
  Assembler(const Chain& chain, Stencils& stencils, ObjectCache* cache, CompileTimes& times,
            bool explain)
      : chain_(chain),
        lanes_(keepsLanes(chain.kernel)),
        stencils_(stencils),
        cache_(cache),
        times_(times),
        explain_(explain),
        made_(chain.steps.size()) {
    program_.inputs.resize(chain.kernel.inputs.size());
    program_.instructions = static_cast<double>(chain.results.size());
    // Most steps are an instruction; some are loaded or kept as well.
    program_.whole.reserve(chain.steps.size() * 5 / 4 + 2 * chain.results.size() + 4);
  }

  ChainProgram run() {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      ChainProgram::Input& input = program_.inputs[i];
      input.streams = !alwaysRepeated(chain_.kernel, chain_.kernel.inputs[i]);
      if (!input.streams) input.slot = newSlot();
    }
    for (const ChainOperand& result : chain_.results)
      if (result.from == From::step) madeBy(result).isResult = true;
    keepTruths();
    useResults({From::input, -1, 0});  // inputs that are results need no step
    for (const ChainStep& step : chain_.steps) {
      Made& made = made_[static_cast<std::size_t>(++step_)];
      addStep(step, made);
      working_.from = From::step;
      working_.index = step_;
      if (made.isResult) useResults(working_);
      // Kept at once if something later wants it that is not the very next step's doing.
      if (step.lastUse > step_ + 1) keep(made.slot = newSlot());
    }
    step_ = -1;
    add({.kind = Kind::next});
    return std::move(program_);
  }

 private:
  /// A step's value.
  struct Made {
    Made() {}  // NOLINT(modernize-use-equals-default): what is set later would be set to 0
    const RowFormula* formula;
    std::size_t slot;       ///< if it is kept
    bool isResult = false;  ///< of the chain
    Range range;            ///< of steps before `ranged_`
  };

  std::size_t newSlot() {
    const std::size_t at = program_.slotBytes;
    program_.slotBytes +=
        static_cast<std::size_t>(kChainVectors * stencils_.target().vector.width) * sizeof(float);
    return at;
  }

  /// The last instruction becomes this one.
  void become(const Stencil& stencil) {
    program_.whole.back().code = stencils_.code(stencil, cache_, times_);
    if (explain_) [[unlikely]]
      program_.pieces.push_back({stencil, step_});
  }

  void add(const Stencil& stencil, std::size_t place = 0) {
    program_.whole.emplace_back().places[0] = static_cast<std::int32_t>(place);
    become(stencil);
  }

  const RowFormula& formulaOf(const ChainStep& step) {
    unsigned truths = 0;
    if (chain_.truths) [[unlikely]]
      for (int o = 0; o < step.operandCount; ++o)
        if (isTruth(step.operands[static_cast<std::size_t>(o)])) truths |= 1u << o;
    if (step.parameters.empty()) return stencils_.formulas().of(*step.row, truths);
    std::array<double, kMostParameters> structural;
    std::size_t count = 0;
    for (std::size_t p = 0; p < step.parameters.size(); ++p)
      if (std::data(step.row->parameters)[p].kind != Parameter::Kind::number)
        structural[count++] = step.parameters[p];
    return stencils_.formulas().of(*step.row, truths, {structural.data(), count});
  }

  void findRangeOfOperand(const ChainOperand& operand, Range& range) const {
    if (operand.from == From::number)
      range = rangeOfNumber(operand.number);
    else if (chain_.truths && isTruth(operand))
      range = {0, 1};
    else if (operand.from == From::step)
      range = madeBy(operand).range;
    else
      range = Range();
  }

  /// What is known of the values of all steps before this one. Not needed before something minds,
  /// and no more behind what does last.
  void findRangesBefore(int step) {
    for (; ranged_ < step; ++ranged_) {
      Made& made = made_[static_cast<std::size_t>(ranged_)];
      findRangeOfStep(chain_.steps[static_cast<std::size_t>(ranged_)], *made.formula, made.range);
    }
  }

  void findRangeOfStep(const ChainStep& step, const RowFormula& formula, Range& range) const {
    Range* input = stencils_.formulas().inputs();
    for (const ChainOperand& operand : step.given()) findRangeOfOperand(operand, *input++);
    for (std::size_t p = 0; p < step.parameters.size(); ++p)
      if (std::data(step.row->parameters)[p].kind == Parameter::Kind::number)
        *input++ = rangeOfNumber(static_cast<float>(step.parameters[p]));
    range = stencils_.formulas().range(formula);
  }

  void keep(std::size_t slot) { add({.kind = Kind::keep}, slot); }

  /// Truth tensors are bytes in memory; ops read them as numbers, from a slot.
  void keepTruths() {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      ChainProgram::Input& input = program_.inputs[i];
      if (chain_.kernel.inputs[i].dtype != DType::boolean || !input.streams) continue;
      load({From::input, static_cast<int>(i), 0});
      keep(input.slot = newSlot());
    }
  }

  bool isTruth(const ChainOperand& operand) const {
    const auto at = static_cast<std::size_t>(operand.index);
    if (operand.from == From::step) return chain_.steps[at].dtype == DType::boolean;
    return operand.from == From::input && chain_.kernel.inputs[at].dtype == DType::boolean;
  }

  /// The form in which an operand can be read where it is, and its place.
  std::pair<Form, std::int32_t> whereIs(const ChainOperand& operand) const {
    if (isSame(operand, working_)) return {Form::working, 0};
    if (operand.from == From::step)
      return {Form::slot, static_cast<std::int32_t>(madeBy(operand).slot)};
    const std::size_t slot = program_.inputs[static_cast<std::size_t>(operand.index)].slot;
    if (slot != kNowhere) return {Form::slot, static_cast<std::int32_t>(slot)};
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
    add(stencil, static_cast<std::size_t>(place));
    working_ = operand;
  }

  /// One operand of an op comes in the registers: what is there already, else the first that is no
  /// number. The op reads an input from memory itself.
  void bringOperand(const ChainStep& step) {
    const ChainOperand* first = nullptr;
    for (const ChainOperand& operand : step.given()) {
      if (operand.from == From::number) continue;
      if (isSame(operand, working_)) return;
      if (!first) first = &operand;
    }
    if (first && whereIs(*first).first != Form::input) load(*first);
  }

  void addStep(const ChainStep& step, Made& made) {
    const RowFormula& formula = formulaOf(step);
    made.formula = &formula;
    program_.instructions += formula.instructions;
    if (formula.mindsRanges) findRangesBefore(step_);
    bringOperand(step);
    Instruction& instruction = program_.whole.emplace_back();
    std::size_t numbers = 0;
    const auto addNumber = [&](double value) {
      if (numbers == kInstructionNumbers) throw std::logic_error("an op of too many numbers");
      instruction.numbers[numbers++] = static_cast<float>(value);
    };
    std::array<Form, kMostOperands> forms;
    std::array<RangeClass, kMostOperands> known;
    std::uint64_t key = formula.key;
    std::size_t o = 0;
    for (const ChainOperand& operand : step.given()) {
      known[o] = 0;
      if (operand.from == From::number) {
        forms[o] = Form::number;
        addNumber(operand.number);
      } else {
        std::tie(forms[o], instruction.places[o]) = whereIs(operand);
        if (formula.mindsRanges && operand.from == From::step)
          known[o] = rangeClass(madeBy(operand).range);
      }
      key |= Stencil::keyOfOperand(o, forms[o], known[o]);
      ++o;
    }
    for (std::size_t p = 0; p < step.parameters.size(); ++p)
      if (std::data(step.row->parameters)[p].kind == Parameter::Kind::number)
        addNumber(step.parameters[p]);
    instruction.code = formula.key != 0 && !explain_ ? stencils_.latelyUsed(key, times_) : nullptr;
    if (!instruction.code) becomeOp(step, forms, known);
  }

  /// The last instruction becomes the op.
  void becomeOp(const ChainStep& step, const std::array<Form, kMostOperands>& forms,
                const std::array<RangeClass, kMostOperands>& known) {
    Stencil stencil{.kind = Kind::op, .row = step.row, .dtype = step.dtype};
    for (std::size_t o = 0; o < static_cast<std::size_t>(step.operandCount); ++o) {
      stencil.forms[o] = forms[o];
      stencil.known[o] = known[o];
      stencil.truths[o] = isTruth(step.operands[o]);
    }
    for (std::size_t p = 0; p < step.parameters.size(); ++p)
      if (std::data(step.row->parameters)[p].kind != Parameter::Kind::number)
        stencil.structural.push_back(step.parameters[p]);
    become(stencil);
  }

  /// Stores or accumulates what results there are of a value; of all inputs' for input -1.
  void useResults(const ChainOperand value) {
    for (std::size_t o = 0; o < chain_.results.size(); ++o) {
      const ChainOperand& result = chain_.results[o];
      const bool anyInput = value.from == From::input && result.from == From::input;
      if (!anyInput && !isSame(result, value)) continue;
      load(result);
      const KernelOutput& output = chain_.kernel.outputs[o];
      if (output.reduces)
        reduce(o, output.accumulate);
      else
        add({.kind = Kind::store, .dtype = output.tensor.dtype}, chain_.kernel.inputs.size() + o);
    }
  }

  void reduce(std::size_t output, Accumulate accumulate) {
    const std::size_t place = program_.accumulatorBytes;
    program_.accumulatorBytes += stencils_.accumulatorBytes(accumulate, lanes_);
    Stencil stencil{.kind = Kind::accumulate};
    stencil.accumulate = accumulate;
    stencil.lanes = lanes_;
    add(stencil, place);
    program_.reductions.push_back({output, place, program_.whole.size() - 1, {}});
    if (lanes_) return;
    Stencil masked = stencil, total = stencil;
    masked.masked = true;
    total.kind = Kind::total;
    program_.reductions.back().code = {program_.whole.back().code,
                                       stencils_.code(masked, cache_, times_),
                                       stencils_.code(total, cache_, times_)};
  }

  const Chain& chain_;
  bool lanes_;
  Stencils& stencils_;
  ObjectCache* cache_;
  CompileTimes& times_;
  ChainProgram program_;
  bool explain_;
  ChainOperand working_{From::number, -1, 0};  ///< what the registers hold; a number: nothing
  int step_ = -1;                              ///< whose instructions are being added
  int ranged_ = 0;                             ///< the first step whose range is not yet known
  Made& madeBy(const ChainOperand& step) { return made_[static_cast<std::size_t>(step.index)]; }
  const Made& madeBy(const ChainOperand& step) const {
    return made_[static_cast<std::size_t>(step.index)];
  }
  ScratchList<Made, 64> made_;  ///< per step
};

}  // namespace

void ChainProgram::endWith(Ending ending, std::vector<Instruction>& all) const {
  for (const Reduction& reduction : reductions)
    if (const void* code = reduction.code[static_cast<std::size_t>(ending)])
      all[reduction.at].code = code;
}

bool keepsLanes(const Kernel& kernel) {
  return kernel.reducedMask != 0 && !kernel.reduced(kernel.rank() - 1);
}

ChainProgram assemble(const Chain& chain, Stencils& stencils, ObjectCache* cache,
                      CompileTimes& times, bool explain) {
  return Assembler(chain, stencils, cache, times, explain).run();
}

}  // namespace fusebench::cpu
