// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/experiment/experiment.h"
#include "profiler/trace/traced_program.h"

namespace fusebench {

/// Operators of an execution trace as an experiment: our executors and PyTorch's on inputs with the
/// trace's shapes, dtypes and layouts. Values are random. An operator whose arguments Fusebench
/// does not support is replaced by those that it calls. `title` names the part. Throws InputError
/// that names the operators that no program can contain, and the longest parts without them.
Experiment tracedExperiment(const ExecutionTrace& trace, const TraceSelection& selection,
                            const std::string& title);

/// The operators with a number in "12..80", or operator "12" including everything that it calls, or
/// the first "aten::mm". Throws InputError.
TraceSelection selectionIn(const ExecutionTrace& trace, const std::string& range);
/// The program's range with this name, the first of several, including everything that it calls.
/// Throws InputError, naming the existing ranges.
TraceSelection rangeNamed(const ExecutionTrace& trace, const std::string& name);

}  // namespace fusebench
