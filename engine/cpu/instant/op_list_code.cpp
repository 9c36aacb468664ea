// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/instant/op_list_code.h"

#include <array>
#include <cassert>
#include <cstring>
#include <memory>
#include <utility>

#include <llvm/ADT/SmallVector.h>

#include "engine/cpu/instant/op_list_walk.h"
#include "engine/cpu/math/vector_math.h"
#include "engine/ops/op_numbers.h"

namespace fusebench::cpu {
namespace {

using From = ListedOperand::From;
using Form = Stencil::Form;
using Kind = Stencil::Kind;

constexpr double kRoundingInstructions = 2;
constexpr std::size_t kNowhere = OpListCode::kNowhere;

bool isSame(const ListedOperand& a, const ListedOperand& b) {
  return a.from == b.from && a.index == b.index;
}

/// Assembles the instructions, following what is in the registers. `wide`: the list computes in a
/// type other than float32; such values are read from slots only, and nothing is known about their
/// ranges.
template <bool wide>
class Assembler {
 public:
  Assembler(const OpList& list, Stencils& stencils, ObjectCache* cache, CompileTimes& times,
            bool explain)
      : list_(list),
        lanes_(keepsLanes(list.kernel)),
        stencils_(stencils),
        cache_(cache),
        times_(times),
        explain_(explain),
        made_(list.ops.size()) {
    program_.inputs.resize(list.kernel.inputs.size());
    program_.instructions = static_cast<double>(list.results.size());
    program_.lanes = list.lanes;
  }

  OpListCode run() {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      OpListCode::Input& input = program_.inputs[i];
      input.streams = !alwaysRepeated(list_.kernel, list_.kernel.inputs[i]);
      if (!input.streams) input.slot = newSlot();
    }
    for (const ListedOperand& result : list_.results)
      if (result.from == From::op) madeBy(result).isResult = true;
    keepOthers();
    useResults({From::input, -1, 0});  // inputs that are results need no op
    for (const ListedOp& op : list_.ops) {
      Made& made = made_[static_cast<std::size_t>(++op_)];
      addOp(op, made);
      working_.from = From::op;
      working_.index = op_;
      if (isNarrowed(op.dtype) && isReadRounded(op, made)) addRounding(op.dtype);
      if (made.isResult) useResults(working_);
      // Kept at once if something later wants it that is not the very next op's doing.
      if (op.lastUse > op_ + 1) keep(made.slot = newSlot());
    }
    op_ = -1;
    if constexpr (wide)
      addNext();
    else
      begin({.kind = Kind::next}, stencils_.next(cache_, times_));
    program_.whole.assign(code_.begin(), code_.end());
    return std::move(program_);
  }

 private:
  /// An op's value.
  struct Made {
    Made() {}  // NOLINT(modernize-use-equals-default): what is set later would be set to 0
    const RowFormula* formula;
    std::size_t slot;       ///< if it is kept
    bool isResult = false;  ///< of the list
    union {
      Range range;  ///< valid for ops before `ranged_`
    };
  };

  std::size_t newSlot() {
    const std::size_t at = program_.slotBytes;
    program_.slotBytes +=
        static_cast<std::size_t>(kOpListVectors * stencils_.target().vector.width) * sizeof(float);
    return at;
  }

  /// Writes an instruction behind the others.
  class Writer {
   public:
    Writer(llvm::SmallVectorImpl<std::byte>& all, const void* code) : all_(all), at_(all.size()) {
      all.resize_for_overwrite(at_ + (wide ? kMostWideBytes : kMostInstructionBytes));
      std::memcpy(all.data() + at_, &code, sizeof(code));
      word_ = all.data() + at_ + wordAt(0);
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() {
      const auto written = static_cast<std::size_t>(word_ - all_.data()) - at_;
      all_.truncate(at_ +
                    (written + kInstructionAlign - 1) / kInstructionAlign * kInstructionAlign);
    }
    void place(std::int32_t place) { add(place); }
    void number(double value) { add(static_cast<float>(value)); }
    /// A byte is stored as the bytes of the int32 that a scalar contains.
    void number(const Scalar& scalar, TypeClass type) {
      const auto bytes = static_cast<std::size_t>(bitsOf(type)) / 8;
      assert(word_ + bytes <= all_.data() + all_.size());
      std::memcpy(word_, scalar.bytes, bytes);
      word_ += bytes;
    }

   private:
    template <typename Word>
    void add(Word word) {
      static_assert(sizeof(word) == kWordBytes);
      assert(word_ + kWordBytes <= all_.data() + all_.size());
      std::memcpy(word_, &word, kWordBytes);
      word_ += kWordBytes;
    }
    llvm::SmallVectorImpl<std::byte>& all_;
    std::size_t at_;
    std::byte* word_;
  };

  /// Begins an instruction of this code.
  Writer begin(const Stencil& stencil, const void* code) {
    if (explain_) [[unlikely]]
      program_.pieces.push_back({stencil, op_, code_.size()});
    return {code_, code};
  }

  void add(const Stencil& stencil, std::size_t place) {
    begin(stencil, stencils_.code(stencil, cache_, times_)).place(static_cast<std::int32_t>(place));
  }

  const RowFormula& formulaOf(const ListedOp& op) {
    unsigned truths = 0;
    if (list_.truths) [[unlikely]]
      for (int o = 0; o < op.operandCount; ++o)
        if (isTruth(op.operands[static_cast<std::size_t>(o)])) truths |= 1u << o;
    if (op.parameters.empty()) return stencils_.formulas().of(*op.row, truths);
    std::array<double, kMostParameters> structural;
    std::size_t count = 0;
    for (std::size_t p = 0; p < op.parameters.size(); ++p)
      if (isStructural(*op.row, std::data(op.row->parameters)[p]))
        structural[count++] = op.parameters[p];
    return stencils_.formulas().of(*op.row, truths, {structural.data(), count});
  }

  void findRangeOfOperand(const ListedOperand& operand, Range& range) const {
    if (operand.from == From::op)
      range = madeBy(operand).range;
    else if (operand.from == From::number)
      range = rangeOfNumber(operand.number);
    else
      range = list_.truths && isTruth(operand) ? Range{0, 1} : Range();
  }

  /// Finds the ranges of the values of all ops before this one. Done only when an op depends on
  /// ranges, and not after the last such op.
  void findRangesBefore(int op) {
    for (; ranged_ < op; ++ranged_) {
      Made& made = made_[static_cast<std::size_t>(ranged_)];
      const ListedOp& listed = list_.ops[static_cast<std::size_t>(ranged_)];
      findRangeOfOp(listed, *made.formula, *std::construct_at(&made.range));
      // Rounding may exceed a limit that is not a 16-bit float; 1 is one.
      if (isRounded(listed.dtype) && !made.range.within(-1, 1)) made.range = Range();
    }
  }

  void findRangeOfOp(const ListedOp& op, const RowFormula& formula, Range& range) const {
    if (formula.fixedRange) {
      range = *formula.fixedRange;
      return;
    }
    Range* input = stencils_.formulas().inputs();
    for (const ListedOperand& operand : op.given()) findRangeOfOperand(operand, *input++);
    for (std::size_t p = 0; p < op.parameters.size(); ++p)
      if (std::data(op.row->parameters)[p].kind == Parameter::Kind::number)
        *input++ = rangeOfNumber(static_cast<float>(op.parameters[p]));
    range = stencils_.formulas().range(formula);
  }

  void keep(std::size_t slot) { add({.kind = Kind::keep}, slot); }

  /// Bools and 16-bit floats are stored differently from the numbers that ops read: these come from
  /// a slot.
  void keepOthers() {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      OpListCode::Input& input = program_.inputs[i];
      if ((!wide && list_.kernel.inputs[i].dtype == DType::float32) || !input.streams) continue;
      load({From::input, static_cast<int>(i), 0});
      keep(input.slot = newSlot());
    }
  }

  bool isTruth(const ListedOperand& operand) const {
    const auto at = static_cast<std::size_t>(operand.index);
    if (operand.from == From::op) return list_.ops[at].dtype == DType::boolean;
    return operand.from == From::input && list_.kernel.inputs[at].dtype == DType::boolean;
  }

  /// The form in which an operand can be read where it is, and its place.
  std::pair<Form, std::int32_t> whereIs(const ListedOperand& operand) const {
    if (isSame(operand, working_)) return {Form::working, 0};
    if (operand.from == From::op)
      return {Form::slot, static_cast<std::int32_t>(madeBy(operand).slot)};
    const std::size_t slot = program_.inputs[static_cast<std::size_t>(operand.index)].slot;
    if (slot != kNowhere) return {Form::slot, static_cast<std::int32_t>(slot)};
    return {Form::input, operand.index};
  }

  /// Loads a value into the registers.
  void load(const ListedOperand& operand) {
    const auto [form, place] = whereIs(operand);
    if (form == Form::working) return;
    Stencil stencil{.kind = Kind::load};
    stencil.forms[0] = form;
    if (form == Form::input) {
      stencil.dtype = list_.kernel.inputs[static_cast<std::size_t>(operand.index)].dtype;
      if constexpr (wide) stencil.computed = computedOf(list_.lanes);
    }
    add(stencil, static_cast<std::size_t>(place));
    working_ = operand;
  }

  /// One operand of an op must be in the registers: one that is there already, otherwise the first
  /// that is not a number. The op reads an input from memory itself.
  void bringOperand(const ListedOp& op) {
    const ListedOperand* first = nullptr;
    for (const ListedOperand& operand : op.given()) {
      if (operand.from == From::number) continue;
      if (isSame(operand, working_)) return;
      if (!first) first = &operand;
    }
    if (first && whereIs(*first).first != Form::input) load(*first);
  }

  /// Whether anything but a store, which rounds by itself, reads a value that isNarrowed().
  bool isReadRounded(const ListedOp& op, const Made& made) const {
    if (op.lastUse >= 0 || !made.isResult) return true;
    for (std::size_t o = 0; o < list_.results.size(); ++o)
      if (isSame(list_.results[o], working_) && list_.kernel.outputs[o].reduces) return true;
    return false;
  }

  /// Whether values of that dtype are kept in fewer bits than an op computes them in.
  static bool isNarrowed(DType dtype) {
    return isRounded(dtype) || (wide && (dtype == DType::int8 || dtype == DType::uint8));
  }

  void addRounding(DType dtype) {
    Stencil stencil{.kind = Kind::round, .dtype = dtype};
    if constexpr (wide) stencil.computed = computedOf(list_.lanes);
    program_.instructions += kRoundingInstructions;
    begin(stencil, stencils_.code(stencil, cache_, times_));
  }

  void addOp(const ListedOp& op, Made& made) {
    const RowFormula& formula = formulaOf(op);
    made.formula = &formula;
    if (op.row->result == ResultType::cast && isRounded(op.row->castTo))
      return load(op.operands[0]);  // to be rounded
    program_.instructions += formula.instructions;
    if (!wide && formula.mindsRanges) findRangesBefore(op_);
    bringOperand(op);
    const std::size_t at = code_.size();
    std::array<Form, kMostOperands> forms;
    std::array<RangeClass, kMostOperands> known;
    std::uint64_t key = formula.key;
    {
      Writer instruction(code_, nullptr);
      std::size_t o = 0;
      for (const ListedOperand& operand : op.given()) {
        known[o] = 0;
        if (operand.from == From::number) {
          forms[o] = Form::number;
          if constexpr (wide)
            instruction.number(operand.scalar(), computedOf(list_.lanes));
          else
            instruction.number(operand.number);
        } else {
          const auto [form, place] = whereIs(operand);
          forms[o] = form;
          if (form != Form::working) instruction.place(place);
          if (!wide && formula.mindsRanges && operand.from == From::op)
            known[o] = rangeClass(madeBy(operand).range);
        }
        key |= Stencil::keyOfOperand(o, forms[o], known[o]);
        ++o;
      }
      for (std::size_t p = 0; p < op.parameters.size(); ++p)
        if (std::data(op.row->parameters)[p].kind == Parameter::Kind::number) {
          const DType computed = wide ? storageOf(list_.lanes) : op.dtype;
          const double number = parameterIn(*op.row, p, op.parameters[p], computed);
          if constexpr (wide)
            instruction.number(Scalar::of(number, list_.lanes), computedOf(list_.lanes));
          else
            instruction.number(number);
        }
    }
    const void* code =
        !wide && formula.key != 0 && !explain_ ? stencils_.latelyUsed(key, times_) : nullptr;
    if (!code) code = codeOf(op, forms, known, at);
    std::memcpy(&code_[at], &code, sizeof(code));
  }

  /// The code of the op whose instruction begins there.
  const void* codeOf(const ListedOp& op, const std::array<Form, kMostOperands>& forms,
                     const std::array<RangeClass, kMostOperands>& known, std::size_t at) {
    // Rounded or wrapped, if it is, by a piece of its own.
    const DType computed = storageOf(computedOf(classOf(op.dtype)));
    Stencil stencil{
        .kind = Kind::op, .row = op.row, .dtype = isNarrowed(op.dtype) ? computed : op.dtype};
    if constexpr (wide) stencil.computed = computedOf(list_.lanes);
    for (std::size_t o = 0; o < static_cast<std::size_t>(op.operandCount); ++o) {
      stencil.forms[o] = forms[o];
      stencil.known[o] = known[o];
      stencil.truths[o] = isTruth(op.operands[o]);
    }
    for (std::size_t p = 0; p < op.parameters.size(); ++p)
      if (isStructural(*op.row, std::data(op.row->parameters)[p]))
        stencil.structural.push_back(op.parameters[p]);
    if (explain_) program_.pieces.push_back({stencil, op_, at});
    return stencils_.code(stencil, cache_, times_);
  }

  /// Stores or accumulates the results that a value has; for input -1 those of all inputs.
  void useResults(const ListedOperand value) {
    for (std::size_t o = 0; o < list_.results.size(); ++o) {
      const ListedOperand& result = list_.results[o];
      const bool anyInput = value.from == From::input && result.from == From::input;
      if (!anyInput && !isSame(result, value)) continue;
      load(result);
      const KernelOutput& output = list_.kernel.outputs[o];
      if (output.reduces)
        reduce(o, output.accumulate);
      else
        store(output.tensor.dtype, list_.kernel.inputs.size() + o);
    }
  }

  void store(DType dtype, std::size_t tensor) {
    Stencil stencil{.kind = Kind::store, .dtype = dtype};
    if constexpr (wide) stencil.computed = computedOf(list_.lanes);
    add(stencil, tensor);
  }

  /// Adds the jump to the next block, whose size depends on its element type.
  void addNext() {
    const Stencil stencil{
        .kind = Kind::next,
        .computed = bitsOf(list_.lanes) == 64 ? TypeClass::float64 : TypeClass::float32};
    begin(stencil, stencils_.code(stencil, cache_, times_));
  }

  void reduce(std::size_t output, Accumulate accumulate) {
    const AccumulatorCode& code = stencils_.accumulator(accumulate, lanes_, cache_, times_);
    const std::size_t place = program_.accumulatorBytes;
    program_.accumulatorBytes += code.bytes;
    program_.reductions.push_back({output, place, code_.size(), &code});
    begin({.kind = Kind::accumulate, .accumulate = accumulate, .lanes = lanes_}, code.accumulate)
        .place(static_cast<std::int32_t>(place));
  }

  const OpList& list_;
  bool lanes_;
  Stencils& stencils_;
  ObjectCache* cache_;
  CompileTimes& times_;
  OpListCode program_;
  llvm::SmallVector<std::byte, 2048> code_;  ///< the instructions so far
  bool explain_;
  ListedOperand working_{From::number, -1, 0};  ///< what the registers hold; a number: nothing
  int op_ = -1;                                 ///< whose instructions are being added
  int ranged_ = 0;                              ///< the first op whose range is not yet known
  Made& madeBy(const ListedOperand& op) { return made_[static_cast<std::size_t>(op.index)]; }
  const Made& madeBy(const ListedOperand& op) const {
    return made_[static_cast<std::size_t>(op.index)];
  }
  ShortList<Made, 64> made_;  ///< per op
};

}  // namespace

void OpListCode::endWith(Ending ending, std::vector<std::byte>& all) const {
  for (const Reduction& reduction : reductions) {
    const AccumulatorCode& code = *reduction.code;
    const void* const wanted = ending == Ending::total    ? code.total
                               : ending == Ending::masked ? code.masked
                                                          : code.accumulate;
    std::memcpy(&all[reduction.at], &wanted, sizeof(wanted));
  }
}

bool keepsLanes(const LoopNest& kernel) {
  return kernel.reducedMask != 0 && !kernel.reduced(kernel.rank() - 1);
}

OpListCode assemble(const OpList& list, Stencils& stencils, ObjectCache* cache, CompileTimes& times,
                    bool explain) {
  if (list.lanes != TypeClass::float32) [[unlikely]]
    return Assembler<true>(list, stencils, cache, times, explain).run();
  return Assembler<false>(list, stencils, cache, times, explain).run();
}

}  // namespace fusebench::cpu
