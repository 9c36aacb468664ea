// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/edit/sketch.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Shapes and types of the sketch's values for an input set. A dimension that an input defines by
/// an expression of the axes is that expression, so that whatever is made to fit it fits at every
/// point.
KnownValues knownValues(const Experiment& experiment, const Sketch& sketch, const InputSet& set);

/// Gives every input set a matching tensor for each input that an edit has added.
void addInputs(Experiment& experiment, const std::vector<NewInput>& inputs);

}  // namespace fusebench
