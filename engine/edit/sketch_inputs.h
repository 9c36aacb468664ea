// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/edit/sketch_model.h"

namespace fusebench {

/// The input called `name`; a new one if there is none yet.
ValueId inputCalled(SketchModel& model, const std::string& name);
/// Adds an input with its own name, or with a number appended if the name is taken.
ValueId addInput(SketchModel& model, NewInput input);
/// `name`, or with a number appended a name that the program does not use.
std::string freeName(const SketchModel& model, std::string_view name);

/// Shape and type of a value of the model, which has no new inputs yet.
std::optional<KnownValue> knownOf(const Sketch& sketch, const SketchModel& model, ValueId value,
                                  const KnownValues& known);

/// An input that can be operand `i` of an op of `row` whose main operand is `main`. A matmul's
/// result keeps the shape of its main operand if possible. Throws EditRefused if `main` itself does
/// not suit the row.
NewInput fittingInput(const OpRow& row, int i, const std::optional<KnownValue>& main);

/// An extent times a number: "1024", "4 * width".
std::string timesExtent(int factor, const std::string& extent);
/// The number, if an extent is one.
std::optional<std::int64_t> numberOf(const std::string& extent);
/// A standard deviation for weights, with which sums of this length keep results as large as the
/// inputs.
double weightDeviation(const std::string& summed);

}  // namespace fusebench
