// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/edit/sketch_model.h"

namespace fusebench {

/// A new op of `row` applied to `value`. Its other operands are neutral numbers if PyTorch accepts
/// numbers, otherwise new inputs that match `known`, which describes `value`; if it needs bools,
/// `value > 0`. Bit i of `given`: the caller gives operand i. Appends its nodes to `made`, the op
/// itself last; returns that op's index.
int makeOp(SketchModel& model, const OpRow& row, ValueId value, std::vector<int>& made,
           const std::optional<KnownValue>& known, unsigned given = 0);

/// The operand to which a row is applied if it is applied to one value.
int mainOperand(const OpRow& row);
/// The operand that replaces the op when it is removed: the first that is a value, bools last; -1:
/// all are numbers (a line that is not understood may read nothing).
int standIn(const Op& op);

/// Starting number of operand `i` where it is not given.
double startingNumber(const OpRow& row);
/// Whether operand `i` may be a Python number in PyTorch.
bool takesNumber(const OpRow& row, int i);
/// Starting values of a row's parameters.
std::vector<double> startingParameters(const OpRow& row);
/// Operands that PyTorch computes by another op become that op: x ** 2 is square.
void settleRow(Op& op);

/// The model's op behind index `op` of the sketch's program; throws EditRefused if there is none.
SketchNode& opAt(SketchModel& model, int op);
/// The value that goes into the port. Throws EditRefused if there is no such port or it is a
/// number.
ValueId valueAt(const SketchModel& model, Port port);
/// Makes the port read `value`.
void setPort(SketchModel& model, Port port, ValueId value);
/// The line that reads through the port. Throws EditRefused if the port is not in a line.
int readerLine(SketchModel& model, Port port);

/// Inserts the statements of another text before line `at`, with its first input connected to
/// `joined`; returns the value of its result. hints: sizes of the other text's inputs, if it needs
/// them.
ValueId insertText(SketchModel& model, std::string_view text, ValueId joined, int at,
                   const ProgramHints& hints = {});
/// The line behind the one that makes the value.
int lineAfter(const SketchModel& model, ValueId value);

/// The ops, and those of the unsupported blocks that they open.
std::vector<int> withBlocks(const SketchModel& model, std::vector<int> ops);
/// Removes ops; their readers read their replacements.
void takeOut(const Sketch& sketch, SketchModel& model, const std::vector<int>& ops);

}  // namespace fusebench
