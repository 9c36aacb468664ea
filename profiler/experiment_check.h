// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler/experiment.h"
#include "profiler/json_reader.h"

namespace fusebench {

/// The rules between the parts of an experiment that reading one part at a time cannot see. Throws
/// InputError at the place in the file. `root` is what the experiment was read from.
void checkExperiment(const Experiment& experiment, const JsonReader& root);

/// The values of the axes by name, as extent expressions see them; `i` first.
std::vector<Binding> bindingsFor(const Experiment& experiment, const std::vector<std::int64_t>& at,
                                 std::int64_t i);

/// The program of a cell at this place: cut to the value of the axis `statements` if there is one.
Program programAt(const Experiment& experiment, const std::vector<std::int64_t>& at);

/// Shape of one input of an entry; throws InputError for a wrong extent.
Shape shapeOf(const InputSpec& spec, std::span<const Binding> bindings);

/// The greatest number of input list entries.
inline constexpr std::int64_t kMaxInputCount = 100'000;

}  // namespace fusebench
