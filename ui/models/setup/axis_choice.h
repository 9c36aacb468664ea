// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Choosing what is swept, with all consequences.

/// An axis that no extent has to name, because it sets how much runs, not on which inputs.
bool isBuiltInAxis(const std::string& axis);

/// The expression with one name in another's place.
std::string withName(const std::string& expression, const std::string& from, const std::string& to);

/// Numbers of statements that show where a program's curves go: up to its length; for a chain of a
/// few statements, which cycles, up to 30.
std::vector<std::int64_t> usualStatements(const Program& program);

/// What a map of the experiment lacks: elements, or statements where elements are swept.
std::string secondAxisFor(const Experiment& experiment);

/// Sweeps something else on an axis: `name` gets suitable values, and if nothing depends on it yet,
/// the leading extent of the inputs does. A name that replaces another one without a meaning of its
/// own only renames it. Extents that named the swept quantity no longer get a number.
void chooseAxis(Experiment& experiment, std::size_t index, const std::string& name);
/// Makes the size of the inputs, in elements, the first axis; if it was the second, the two are
/// swapped.
void sweepSize(Experiment& experiment);
/// Another axis of that name, in the same way.
void addAxisNamed(Experiment& experiment, const std::string& name);
/// Extents that name a removed axis get its middle value.
void releaseExtents(Experiment& experiment, const Axis& axis);

/// "x is (elements // 16, 16), one tensor": the inputs whose shape follows the axis; empty: none
/// does.
QString followersOf(const Experiment& experiment, const std::string& axis);

/// Explains in a sentence what the axis `statements` counts in this program.
QString statementsRule(const Program& program);

}  // namespace fusebench
