// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_gradients.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"

namespace fusebench {

namespace {

/// Appends a product of a value and a number.
ValueId multiplied(Program& program, ValueId value, double by) {
  Op op;
  op.row = findOp("mul");
  op.operands = {Operand::ofValue(value), Operand::ofNumber(by)};
  op.parameters.resize(op.row->parameters.size());
  if (!program.ops.empty()) op.place = program.ops.back().place;
  program.ops.push_back(std::move(op));
  return program.result(static_cast<int>(program.ops.size()) - 1);
}

/// Notes in the source which statements are recomputed together.
void noteSegments(Program& program, const std::function<int(int)>& segmentOf) {
  if (!program.source) return;
  ProgramSource source = *program.source;
  source.segments.clear();
  for (int i = 0; i < static_cast<int>(program.statements.size()); ++i)
    source.segments.push_back(segmentOf(i));
  program.source = std::make_shared<const ProgramSource>(std::move(source));
}

}  // namespace

namespace {

bool lacksBackward(std::span<const Frame> frames) {
  return std::ranges::any_of(frames,
                             [](const Frame& each) { return each.name.ends_with(kOwnBackward); });
}

}  // namespace

const Frame* ownBackward(std::span<const Op> ops, std::span<const Frame> frames,
                         ValueId firstResult, ValueId of, ValueId by) {
  const auto ownFrame = [&](int frame) {
    while (frame >= 0 && !frames[static_cast<std::size_t>(frame)].name.ends_with(kOwnBackward))
      frame = frames[static_cast<std::size_t>(frame)].parent;
    return frame;
  };
  if (!lacksBackward(frames)) return nullptr;
  std::vector<bool> depends(ops.size());
  std::vector<int> through(ops.size(), -1);  // the frame of such a function
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const auto made = static_cast<ValueId>(firstResult + static_cast<ValueId>(i));
    for (const Operand& operand : ops[i].operands) {
      if (operand.isNumber()) continue;
      const bool result = operand.value >= firstResult;
      const auto at = static_cast<std::size_t>(result ? operand.value - firstResult : 0);
      depends[i] = depends[i] || operand.value == by || (result && depends[at]);
      if (result && through[at] >= 0) through[i] = through[at];
    }
    if (depends[i] && through[i] < 0) through[i] = ownFrame(ops[i].frame);
    if (made == of && through[i] >= 0) return &frames[static_cast<std::size_t>(through[i])];
  }
  return nullptr;
}

void refuseOwnBackward(std::span<const Op> ops, std::span<const Frame> frames, ValueId firstResult,
                       ValueId of, ValueId by) {
  const Frame* const frame = ownBackward(ops, frames, firstResult, of, by);
  if (!frame) return;
  const std::string name = frame->name.substr(0, frame->name.size() - kOwnBackward.size());
  failProgram(frame->place, "no gradient can flow through the custom backward of " + name +
                                ": it must be linear in the incoming gradient");
}

Program readForGradients(Program program) {
  if (!program.source || !lacksBackward(program.frames)) return program;
  ProgramHints hints = program.source->hints;
  if (std::exchange(hints.ownBackward, ProgramHints::OwnBackward::followed) ==
      ProgramHints::OwnBackward::followed)
    return program;
  return parseProgram(*program.source->text, hints);
}

Program withGradients(const Program& program, std::span<const ValueId> by, double scale) {
  Program made = program;
  ValueId of = made.outputs.front();
  const std::size_t results = made.outputs.size();
  if (scale != 1) of = multiplied(made, of, scale);
  for (const ValueId value : by) {
    if (value < 0 || value >= program.valueCount())
      failProgram({}, "there is no value " + std::to_string(value) + " to differentiate by");
    for (const Op& each : program.ops)
      if (each.writesInto() && each.recorded &&
          writtenRoot(program, each.into) == writtenRoot(program, value))
        failProgram(
            each.place,
            "a leaf Variable that requires grad is being used in an in-place operation: gradients "
            "are requested for what this line writes; write to a copy, as in x = x.clone()");
    refuseOwnBackward(made.ops, made.frames, made.result(0), of, value);
    Op op;
    op.row = &gradientRow();
    op.operands.resize(2);
    op.operands[0].value = of;
    op.operands[1].value = value;
    if (!program.ops.empty()) op.place = program.ops.back().place;
    made.ops.push_back(std::move(op));
    made.outputs.push_back(made.result(static_cast<int>(made.ops.size()) - 1));
  }
  if (scale != 1)
    for (std::size_t i = results; i < made.outputs.size(); ++i)
      made.outputs[i] = multiplied(made, made.outputs[i], 1 / scale);
  made.asksGradients |= !by.empty();
  return made;
}

void setSegments(Program& program, int statements) {
  const auto count = static_cast<int>(program.statements.size());
  if (statements < 0)
    statements = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(std::max(count, 1)))));
  const int last = statements > 0 ? (count - 1) / statements : 0;
  noteSegments(program, [&](int statement) {
    const int segment = statements > 0 ? statement / statements : last;
    return segment == last ? -1 : segment;
  });
  for (Op& op : program.ops) {
    const int segment = statements > 0 && op.statement >= 0 ? op.statement / statements : last;
    op.segment = segment == last ? -1 : segment;
  }
}

void setFirstSegments(Program& program, int statements, int first) {
  noteSegments(program,
               [&](int statement) { return statement < first ? statement / statements : -1; });
  for (Op& op : program.ops)
    op.segment = op.statement >= 0 && op.statement < first ? op.statement / statements : -1;
}

}  // namespace fusebench
