// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/sketch.h"

#include "engine/edit/sketch_read.h"

namespace fusebench {
namespace {

using MaybeTypes = std::vector<std::optional<ValueType>>;

/// The operands' types; nothing if one of them cannot be told.
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

Sketch sketch(std::string_view text) {
  return readSketch(text).sketch;
}

MaybeTypes inferSketchTypes(const Sketch& sketch, std::span<const ValueType> inputs,
                            std::vector<SketchProblem>& problems) {
  const Program& program = sketch.program;
  MaybeTypes types(program.inputs.size());
  for (std::size_t i = 0; i < types.size() && i < inputs.size(); ++i) types[i] = inputs[i];
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    const auto operands = operandTypes(op, types);
    types.emplace_back();
    if (!op.row || !operands) continue;
    try {
      types.back() = inferType(op, *operands);
    } catch (const ProgramError& error) {
      problems.push_back({error.place(), error.what(), op.statement, static_cast<int>(i)});
    }
  }
  return types;
}

}  // namespace fusebench
