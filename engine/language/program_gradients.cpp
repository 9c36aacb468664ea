// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_gradients.h"

#include <algorithm>
#include <cmath>

#include "engine/language/program_errors.h"

namespace fusebench {

Program withGradients(const Program& program, std::span<const ValueId> by) {
  Program made = program;
  const ValueId of = made.outputs.front();
  for (const ValueId value : by) {
    if (value < 0 || value >= program.valueCount())
      failProgram({}, "there is no value " + std::to_string(value) + " to differentiate by");
    for (const Op& each : program.ops)
      if (each.writesInto() && each.recorded &&
          writtenRoot(program, each.into) == writtenRoot(program, value))
        failProgram(each.place,
                    "a leaf Variable that requires grad is being used in an in-place operation: "
                    "gradients are asked for by what this line writes; write to a copy, as in "
                    "x = x.clone()");
    Op op;
    op.row = &gradientRow();
    op.operands.resize(2);
    op.operands[0].value = of;
    op.operands[1].value = value;
    if (!program.ops.empty()) op.place = program.ops.back().place;
    made.ops.push_back(std::move(op));
    made.outputs.push_back(made.result(static_cast<int>(made.ops.size()) - 1));
  }
  made.asksGradients |= !by.empty();
  return made;
}

void setSegments(Program& program, int statements) {
  const auto count = static_cast<int>(program.statements.size());
  if (statements < 0)
    statements = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(std::max(count, 1)))));
  const int last = statements > 0 ? (count - 1) / statements : 0;
  for (Op& op : program.ops) {
    const int segment = statements > 0 && op.statement >= 0 ? op.statement / statements : last;
    op.segment = segment == last ? -1 : segment;
  }
}

}  // namespace fusebench
