// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/sketch.h"

#include "engine/edit/sketch_read.h"
#include "engine/language/program_sizes.h"

namespace fusebench {
namespace {

/// A shape that a size depends on is not known.
struct SizeUnknown {};

using MaybeTypes = std::vector<std::optional<ValueType>>;

/// The operands' types; nothing if one of them is not known.
std::optional<std::vector<ValueType>> operandTypes(const Op& op, const MaybeTypes& types) {
  std::vector<ValueType> operands;
  for (const Operand& operand : op.operands) {
    if (operand.isNumber()) {
      operands.push_back({});
      continue;
    }
    const auto value = static_cast<std::size_t>(operand.value);
    if (value >= types.size() || !types[value]) return std::nullopt;
    operands.push_back(*types[value]);
  }
  return operands;
}

}  // namespace

Sketch sketch(std::string_view text, const ProgramHints& hints) {
  return readSketch(text, hints).sketch;
}

MaybeTypes inferSketchTypes(const Sketch& sketch, std::span<const ValueType> inputs,
                            std::vector<SketchProblem>& problems) {
  const Program& program = sketch.program;
  MaybeTypes types(program.inputs.size());
  for (std::size_t i = 0; i < types.size() && i < inputs.size(); ++i) types[i] = inputs[i];
  const auto known = [&](ValueId value) {
    const auto at = static_cast<std::size_t>(value);
    return at < types.size() && types[at];
  };
  SizeValues sizes(program.sizes, [&](ValueId value) {
    if (!known(value)) throw SizeUnknown();
    return types[static_cast<std::size_t>(value)]->shape;
  });
  std::size_t check = 0;
  const auto checkSizes = [&](std::size_t op) {
    for (; check < program.checks.size(); ++check) {
      const SizeCheck& each = program.checks[check];
      if (static_cast<std::size_t>(each.beforeOp) > op) return;
      if (each.ofValue()) continue;
      try {
        if ((sizes.at(each.condition, each.place).number != 0) != each.expected)
          problems.push_back({each.place, each.message, -1, -1});
      } catch (const ProgramError& error) {
        problems.push_back({error.place(), error.what(), -1, -1});
      } catch (const SizeUnknown&) {
      }
    }
  };
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    checkSizes(i);
    const Op& op = program.ops[i];
    const auto operands = operandTypes(op, types);
    types.emplace_back();
    if (!op.row || !operands) continue;
    try {
      types.back() = inferType(op.dependsOnSizes() ? withNumbers(op, sizes) : op, *operands);
      if (op.writesInto() && known(op.into))
        types.back() = inferWritten(op, *types.back(), *types[static_cast<std::size_t>(op.into)]);
    } catch (const SizeUnknown&) {
    } catch (const ProgramError& error) {
      problems.push_back({error.place(), error.what(), op.statement, static_cast<int>(i)});
    }
  }
  checkSizes(program.ops.size());
  return types;
}

}  // namespace fusebench
