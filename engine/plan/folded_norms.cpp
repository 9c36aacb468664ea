// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/folded_norms.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/language/program_errors.h"
#include "engine/plan/prepared.h"
#include "engine/plan/rewriting.h"

namespace fusebench {
namespace {

/// A layer whose weight can absorb factors of its channels.
struct FoldableRow {
  std::string_view plain, biased;  ///< the names of its rows
  int behind;                      ///< dimensions of its result after the channels
};
constexpr std::array<FoldableRow, 3> kFoldable = {
    {{"linear", "linear_bias", 0}, {"conv1d", "conv1d_bias", 1}, {"conv2d", "conv2d_bias", 2}}};

const FoldableRow* foldable(const OpRow& row) {
  const auto found = std::ranges::find_if(kFoldable, [&](const FoldableRow& each) {
    return each.plain == row.name || each.biased == row.name;
  });
  return found == kFoldable.end() ? nullptr : &*found;
}

/// An op that scales or shifts the result of a layer.
struct Link {
  enum class Kind : std::uint8_t { add, subtract, multiply, divide };
  Kind kind = Kind::add;
  Operand by;
  bool scales() const { return kind == Kind::multiply || kind == Kind::divide; }
};
const char* rowName(Link::Kind kind) {
  static constexpr std::array<const char*, 4> kNames = {"add", "sub", "mul", "div"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A layer and the ops that are folded into it.
struct Foldable {
  const FoldableRow* row = nullptr;
  std::vector<Link> links;
  std::vector<int> ops;  ///< the links' positions in the program
};

/// Determines which ops of a program can be folded into the layer that they follow.
class NormFinder {
 public:
  explicit NormFinder(const Program& program)
      : program_(program), held_(heldValues(program)), types_(held_.size()) {
    for (const HeldInput& input : program.held)
      types_[placeOf(input.input)] = ValueType{input.initial.extents, input.initial.dtype};
    for (std::size_t i = 0; i < program.ops.size(); ++i)
      if (held_[program.inputs.size() + i]) findType(i);
    countReaders();
  }

  /// Nothing: no op can be folded into this one.
  std::optional<Foldable> find(int index) const {
    const Op& layer = program_.ops[static_cast<std::size_t>(index)];
    Foldable found{foldable(*layer.row), {}, {}};
    if (!found.row || !isPlain(layer) || layer.operands[0].isNumber() ||
        held_[placeOf(layer.operands[0].value)])
      return std::nullopt;
    const ValueType* const weight = typeOf(layer.operands[1]);
    if (!weight || weight->shape.rank() != found.row->behind + 2) return std::nullopt;
    const std::int64_t channels = weight->shape[0];
    if (layer.operands.size() > 2 && !isOfChannels(layer.operands[2], channels, 0))
      return std::nullopt;
    for (ValueId value = program_.result(index);;) {
      const int next = onlyReader(value);
      const std::optional<Link> link = next < 0 ? std::nullopt : linkOf(next, value);
      if (!link || !(link->by.isNumber() || isOfChannels(link->by, channels, found.row->behind)))
        break;
      found.links.push_back(*link);
      found.ops.push_back(next);
      value = program_.result(next);
    }
    return pays(found, layer) ? std::optional(std::move(found)) : std::nullopt;
  }

 private:
  static std::size_t placeOf(ValueId value) { return static_cast<std::size_t>(value); }
  static bool isPlain(const Op& op) {
    return !op.writesInto() && op.after < 0 && !op.dependsOnSizes() && op.segment < 0;
  }

  void findType(std::size_t op) {
    std::vector<ValueType> operands;
    for (const Operand& operand : program_.ops[op].operands) {
      if (operand.isNumber()) {
        operands.emplace_back();
      } else if (const std::optional<ValueType>& type = types_[placeOf(operand.value)]) {
        operands.push_back(*type);
      } else {
        return;
      }
    }
    try {
      types_[program_.inputs.size() + op] = inferType(program_.ops[op], operands);
    } catch (const ProgramError&) {  // a call says so
    }
  }

  /// How often each value is read by anything, and the last op that reads it. Sizes do not count:
  /// the layer's new result has the same sizes as the old one.
  void countReaders() {
    readers_.assign(held_.size(), 0);
    reader_.assign(held_.size(), -1);
    const auto read = [&](ValueId value, int op) {
      if (value < 0) return;
      ++readers_[placeOf(value)];
      reader_[placeOf(value)] = op;
    };
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      for (const Operand& operand : op.operands) read(operand.value, static_cast<int>(i));
      read(op.after, -1);
      read(op.into, -1);
    }
    for (const ValueId output : program_.outputs) read(output, -1);
    for (const SizeCheck& check : program_.checks) read(check.value, -1);
    for (const Branch& branch : program_.branches) {
      read(branch.condition, -1);
      for (const ValueId live : branch.live) read(live, -1);
    }
  }
  /// The only op that reads a value; -1: there are several.
  int onlyReader(ValueId value) const {
    return readers_[placeOf(value)] == 1 ? reader_[placeOf(value)] : -1;
  }

  /// The type of a float32 operand that depends only on held inputs; null: not known.
  const ValueType* typeOf(const Operand& operand) const {
    if (operand.isNumber() || !held_[placeOf(operand.value)]) return nullptr;
    const std::optional<ValueType>& type = types_[placeOf(operand.value)];
    return type && type->dtype == DType::float32 ? &*type : nullptr;
  }
  /// Whether it has an element for each channel, along the channels of a result with `behind`
  /// dimensions after them.
  bool isOfChannels(const Operand& operand, std::int64_t channels, int behind) const {
    const ValueType* const type = typeOf(operand);
    if (!type || type->shape.rank() > behind + 1 || elementCount(type->shape) != channels)
      return false;
    // A tensor with fewer dimensions is aligned to the last dimension, not to the channels.
    if (channels > 1 && type->shape.rank() <= behind) return false;
    return channels == 1 || type->shape[type->shape.rank() - 1 - behind] == channels;
  }

  std::optional<Link> linkOf(int index, ValueId of) const {
    const Op& op = program_.ops[static_cast<std::size_t>(index)];
    if (!isPlain(op) || op.operands.size() != 2 || op.row->parameters.size() > 0)
      return std::nullopt;
    const bool first = op.operands[0].value == of;
    const Operand& by = op.operands[first ? 1 : 0];
    if (by.size >= 0) return std::nullopt;
    for (const auto kind :
         {Link::Kind::add, Link::Kind::subtract, Link::Kind::multiply, Link::Kind::divide}) {
      const bool either = kind == Link::Kind::add || kind == Link::Kind::multiply;
      if (op.row->name == rowName(kind) && (first || either)) return Link{kind, by};
    }
    return std::nullopt;
  }

  /// Whether one tensor scales the channels, and another one shifts them if anything does.
  static bool pays(const Foldable& found, const Op& layer) {
    bool scales = false, shifts = layer.operands.size() > 2, shiftsByNumber = false;
    for (const Link& link : found.links) {
      scales |= link.scales() && !link.by.isNumber();
      shifts |= !link.scales() && !link.by.isNumber();
      shiftsByNumber |= !link.scales() && link.by.isNumber();
    }
    return scales && (shifts || !shiftsByNumber);
  }

  const Program& program_;
  std::vector<bool> held_;
  std::vector<std::optional<ValueType>> types_;  ///< the types of held values, if known
  std::vector<int> readers_, reader_;
};

/// Writes the program with its norms folded into layers.
class NormFolder {
 public:
  explicit NormFolder(const Program& program) : program_(program), finder_(program), to_(program) {}

  std::optional<Program> fold() {
    std::vector<Operand> became(program_.ops.size());
    std::vector<bool> gone(program_.ops.size(), false);
    bool any = false;
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      to_.follow(op);
      if (gone[i]) {
        to_.become(became[i]);
        continue;
      }
      const std::optional<Foldable> found = finder_.find(static_cast<int>(i));
      if (!found) {
        to_.become(to_.append(to_.moved(op)));
        continue;
      }
      any = true;
      copies_.assign(static_cast<std::size_t>(program_.valueCount()), -1);
      placed_ = program_.result(static_cast<int>(i));
      const Operand made = layer(op, *found);
      for (const int link : found->ops) {
        gone[static_cast<std::size_t>(link)] = true;
        became[static_cast<std::size_t>(link)] = made;
      }
      to_.become(made);
    }
    if (!any) return std::nullopt;
    return to_.finish();
  }

 private:
  /// A held value at the layer's position, which may precede the op that computes it.
  Operand held(const Operand& operand) {
    if (operand.isNumber() || operand.value < placed_) return to_.now(operand);
    const auto place = static_cast<std::size_t>(operand.value);
    if (copies_[place] < 0) {
      Op op = program_.ops[place - program_.inputs.size()];
      for (Operand& each : op.operands) each = held(each);
      if (op.after >= 0) op.after = held(Operand::ofValue(op.after)).value;
      copies_[place] = to_.append(std::move(op)).value;
    }
    Operand copy = operand;
    copy.value = copies_[place];
    return copy;
  }
  /// One float64 per channel, or the number.
  Operand ofChannels(const Operand& operand) {
    if (operand.isNumber())
      return Operand::ofNumber(static_cast<double>(static_cast<float>(operand.number)));
    return to_.apply("double", {to_.reshaped(held(operand), {-1})});
  }
  /// With numbers that are computed here.
  Operand computed(Link::Kind kind, const Operand& a, const Operand& b) {
    if (!a.isNumber() || !b.isNumber()) return to_.apply(rowName(kind), {a, b});
    switch (kind) {
      case Link::Kind::add:
        return Operand::ofNumber(a.number + b.number);
      case Link::Kind::subtract:
        return Operand::ofNumber(a.number - b.number);
      case Link::Kind::multiply:
        return Operand::ofNumber(a.number * b.number);
      case Link::Kind::divide:
        break;
    }
    return Operand::ofNumber(a.number / b.number);
  }

  Operand layer(const Op& op, const Foldable& found) {
    Operand scale = Operand::ofNumber(1), shift = Operand::ofNumber(0);
    if (op.operands.size() > 2) shift = ofChannels(op.operands[2]);
    for (const Link& link : found.links) {
      const Operand by = ofChannels(link.by);
      const bool nothing = shift.isNumber() && shift.number == 0;
      if (link.scales()) scale = computed(link.kind, scale, by);
      if (!link.scales() || !nothing) shift = computed(link.kind, shift, by);
    }
    std::vector<std::int64_t> along(static_cast<std::size_t>(found.row->behind) + 2, 1);
    along.front() = -1;
    const Operand weight = to_.apply("double", {held(op.operands[1])});
    const Operand scaled = to_.apply("mul", {weight, to_.reshaped(scale, along)});
    Op made = to_.moved(op);
    made.operands = {to_.now(op.operands[0]), to_.apply("float", {scaled})};
    if (!shift.isNumber()) {
      made.row = &namedOp(found.row->biased);
      made.operands.push_back(to_.apply("float", {shift}));
    }
    made.folded = static_cast<int>(found.ops.size());
    return to_.append(std::move(made));
  }

  const Program& program_;
  NormFinder finder_;
  Rewriting to_;
  std::vector<ValueId>
      copies_;  ///< by value: the replacement of a held one that is computed after the layer
  ValueId placed_ = 0;  ///< computed by the layer: values after it have not moved yet
};

}  // namespace

std::optional<Program> withFoldedNorms(const Program& program) {
  if (program.differentiates() || program.autocasts || program.held.empty() ||
      !program.branches.empty() ||
      std::ranges::none_of(program.ops, [](const Op& op) { return foldable(*op.row); }))
    return std::nullopt;
  return NormFolder(program).fold();
}

}  // namespace fusebench
