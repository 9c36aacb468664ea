// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>

#include "engine/language/call_arguments.h"
#include "engine/language/expression_text.h"
#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_sizes.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// A shape where one has to be known: thrown where it is not, and caught in typeOf's callers.
struct ShapeUnknown {};

/// More choices by sizes than any program makes.
constexpr std::size_t kMostChecks = 2000;
/// Choices by tensors' values on one way through a program.
constexpr std::size_t kMostBranches = 16;

}  // namespace

const std::optional<ValueType>& ProgramBuilder::typeOf(ValueId value) {
  static const std::optional<ValueType> kUnknown;
  if (value < 0) return kUnknown;
  if (value < kFirstResult) {
    const auto at = static_cast<std::size_t>(value);
    if (inputTypes_.size() < program_.inputs.size()) inputTypes_.resize(program_.inputs.size());
    if (at >= inputTypes_.size()) return kUnknown;
    if (!inputTypes_[at]) {
      if (const auto hint = hints_.find(program_.inputs[at]); hint != hints_.end())
        inputTypes_[at] = hint->second;
      for (const HeldInput& held : program_.held)
        if (held.input == value)
          inputTypes_[at] = ValueType{held.initial.extents, held.initial.dtype};
    }
    return inputTypes_[at];
  }
  // Types of results are found in order, as far as the ops go.
  const auto wanted = static_cast<std::size_t>(value - kFirstResult);
  if (wanted < resultTypes_.size() && wanted + 1 < resultTypes_.size()) return resultTypes_[wanted];
  if (resultTypes_.size() > program_.ops.size()) resultTypes_.resize(program_.ops.size());
  while (resultTypes_.size() <= wanted && resultTypes_.size() < program_.ops.size()) {
    const Op& op = program_.ops[resultTypes_.size()];
    std::optional<ValueType> found;
    std::vector<ValueType> operands;
    bool all = op.row != nullptr;
    for (const Operand& operand : op.operands) {
      if (!all) break;
      if (operand.isNumber()) {
        operands.push_back({});
      } else if (const std::optional<ValueType> type = typeOf(operand.value)) {
        operands.push_back(*type);
      } else {
        all = false;
      }
    }
    try {
      if (all) {
        found = inferType(op.dependsOnSizes() ? withNumbers(op, hintedSizes()) : op, operands);
      }
    } catch (const ProgramError&) {  // said when the program's types are inferred
    } catch (const ShapeUnknown&) {
    }
    resultTypes_.push_back(found);
  }
  return wanted < resultTypes_.size() ? resultTypes_[wanted] : kUnknown;
}

SizeValues& ProgramBuilder::hintedSizes() {
  if (!sizeValues_)
    sizeValues_.emplace(program_.sizes, [this](ValueId of) {
      const std::optional<ValueType>& type = typeOf(of);
      if (!type) throw ShapeUnknown();
      return type->shape;
    });
  return *sizeValues_;
}

void ProgramBuilder::forgetTypes() {
  sizeValues_.reset();
  inputTypes_.clear();
  if (resultTypes_.size() > program_.ops.size()) resultTypes_.resize(program_.ops.size());
  if (resultLayouts_.size() > program_.ops.size()) resultLayouts_.resize(program_.ops.size());
}

std::optional<int> ProgramBuilder::rankOf(ValueId value) {
  const std::optional<ValueType>& type = typeOf(value);
  if (!type) return std::nullopt;
  return type->shape.rank();
}

PythonValue ProgramBuilder::sizeValue(SizeId size, SourcePlace place) const {
  if (const auto known = program_.sizes.known(size))
    return PythonValue::numberOf(known->number, known->integer, place);
  PythonValue value;
  value.kind = Kind::size;
  value.size = size;
  value.place = place;
  return value;
}

SizeId ProgramBuilder::sizeIdOf(const PythonValue& scalar) {
  if (scalar.isSize()) return scalar.size;
  return program_.sizes.constant(scalar.number, scalar.integer);
}

void ProgramBuilder::addSizes(Op& op, const PythonValue& value, const std::string& shown) {
  const auto fail = [&](const PythonValue& found) {
    refuseHugeSize(shown, found, found.place);
    failProgram(found.place, shown + " needs ints, but found " +
                                 (found.kind == Kind::number ? "a float" : found.shown()));
  };
  const auto one = [&](const PythonValue& item) {
    if (item.isSize()) {
      op.sizes.push_back(item.size);
      op.sizeNumbers.push_back(0);
    } else if (item.kind == Kind::number && item.integer) {
      op.sizes.push_back(-1);
      op.sizeNumbers.push_back(static_cast<std::int64_t>(item.number));
    } else {
      fail(item);
    }
  };
  if (value.kind == Kind::list) {
    for (const PythonValue& item : value.items()) one(item);
  } else if (value.kind == Kind::shape) {
    const std::optional<int> rank = rankOf(value.value);
    if (!rank)
      failProgram(value.place,
                  "how many dimensions this tensor has is not known before the "
                  "inputs' sizes are; name them, as in b, n = x.shape");
    for (int d = 0; d < *rank; ++d)
      one(sizeValue(program_.sizes.extent(value.value, d), value.place));
  } else {
    one(value);
  }
}

PythonValue ProgramBuilder::sizeArithmetic(std::string_view symbol, const PythonValue& a,
                                           const PythonValue& b, SourcePlace place) {
  const std::optional<SizeOperator> meant = sizeOperator(symbol);
  if (!meant) failProgram(place, "'" + std::string(symbol) + "' between sizes is not supported");
  SizeId first = sizeIdOf(a), second = sizeIdOf(b);
  if (meant->swapped) std::swap(first, second);
  return sizeValue(program_.sizes.binary(meant->kind, first, second, place), place);
}

std::string ProgramBuilder::shownSize(SizeId size) const {
  return program_.sizes.text(size, [this](ValueId value) -> std::string {
    if (value < kFirstResult) return program_.inputs[static_cast<std::size_t>(value)];
    for (auto each = program_.statements.rbegin(); each != program_.statements.rend(); ++each)
      if (each->value == value) return each->target;
    return "(...)";
  });
}

PythonValue ProgramBuilder::decided(const PythonValue& scalar, const std::string& what) {
  if (!scalar.isSize()) return scalar;
  try {
    const SizeNumber number = hintedSizes().at(scalar.size, scalar.place);
    const PythonValue known = PythonValue::numberOf(number.number, number.integer, scalar.place);
    const SizeId condition =
        program_.sizes.binary(SizeKind::equal, scalar.size,
                              program_.sizes.constant(number.number, number.integer), scalar.place);
    check(condition, true,
          what + " was decided for " + shownSize(scalar.size) + " = " +
              printedNumber(number.number, number.integer) +
              ", which these inputs do not have; give it inputs of one kind, or write it without",
          scalar.place);
    return known;
  } catch (const ShapeUnknown&) {
    failProgram(scalar.place,
                what + " depends on " + shownSize(scalar.size) +
                    ", which is not known before the inputs' sizes are; give the inputs sizes, or "
                    "write the number");
  }
}

bool ProgramBuilder::holdsHere(const PythonValue& condition) {
  try {
    if (hintedSizes().at(condition.size, condition.place).number == 0) return false;
  } catch (const ShapeUnknown&) {
    return false;
  }
  decided(condition, "a shorter way");
  return true;
}

void ProgramBuilder::checkValue(const PythonValue& tensor, bool expected,
                                const std::string& message, SourcePlace place) {
  if (program_.checks.size() >= kMostChecks)
    failProgram(place, "the program checks more than " + std::to_string(kMostChecks) + " values");
  program_.checks.push_back({-1, expected, message, static_cast<int>(program_.ops.size()),
                             place_.value_or(place), tensor.value});
}

bool ProgramBuilder::branch(const PythonValue& tensor, const std::string& text, SourcePlace place) {
  const std::size_t before = program_.branches.size();
  if (before >= kMostBranches)
    failProgram(place, "the program chooses by tensors' values more than " +
                           std::to_string(kMostBranches) +
                           " times; write torch.where(condition, a, b)");
  Branch made;
  made.condition = tensor.value;
  made.holds = before >= hints_.ways.size() || hints_.ways[before];
  made.beforeOp = static_cast<int>(program_.ops.size());
  made.beforeStatement = static_cast<int>(program_.statements.size());
  made.text = text;
  made.place = place_.value_or(place);
  program_.branches.push_back(std::move(made));
  return program_.branches.back().holds;
}

std::optional<Shape> ProgramBuilder::shapeOf(ValueId value) {
  const std::optional<ValueType>& type = typeOf(value);
  if (!type) program_.asksDtypes = true;  // read again once the inputs are known
  return type ? std::optional(type->shape) : std::nullopt;
}

std::optional<bool> ProgramBuilder::branchedOn(ValueId tensor) const {
  if (program_.branches.empty()) return std::nullopt;
  const Branch& last = program_.branches.back();
  if (last.condition != tensor || last.beforeOp != static_cast<int>(program_.ops.size()))
    return std::nullopt;
  return last.holds;
}

void ProgramBuilder::check(SizeId condition, bool expected, const std::string& message,
                           SourcePlace place) {
  if (const auto known = program_.sizes.known(condition)) {
    if ((known->number != 0) != expected) failProgram(place, message);
    return;
  }
  for (const SizeCheck& each : program_.checks)
    if (!each.ofValue() && each.condition == condition && each.expected == expected) return;
  if (program_.checks.size() >= kMostChecks)
    failProgram(place, "the program relies on more than " + std::to_string(kMostChecks) +
                           " facts about its inputs' sizes");
  program_.checks.push_back({condition, expected, message, static_cast<int>(program_.ops.size()),
                             place_.value_or(place)});
}

}  // namespace fusebench
