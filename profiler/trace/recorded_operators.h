// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/experiment/experiment.h"
#include "profiler/trace/traced_program.h"

namespace fusebench {

/// The operators of a trace of PyTorch's profiler that was recorded with shapes, as an execution
/// trace without identities: each tensor is separate, and results are not recorded. Throws
/// InputError and what `progress` throws.
ExecutionTrace readRecordedOperators(const std::string& path, const TraceProgress& progress = {});

/// One operator in the same form. The arguments are JSON lists, as RecordedArguments has them.
ExecutionTrace recordedOperator(const std::string& title, const std::string& name,
                                const RecordedArguments& arguments);

/// Operators of such a trace as an experiment. Several operators must be a chain: each reads the
/// result of the one before it, and the shapes allow no other way in which every result is read.
/// Otherwise throws InputError, which explains how to record the data flow.
Experiment recordedExperiment(ExecutionTrace trace, const TraceSelection& selection,
                              const std::string& title);

}  // namespace fusebench
