// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The experiment as a Python script that needs only torch: the program at each place, the inputs,
/// the variants as PyTorch has them (eager; static and dynamic by torch.compile; static+replay by
/// its reduce-overhead mode, on CUDA), measured in reshuffled rounds, with the table and the
/// break-evens printed, and written as JSON on request. Where PyTorch's own executors are among the
/// variants, only they are measured. Variants without a counterpart are named and left out. Throws
/// InputError for an empty program, ProgramError for one that does not fit the axis.
std::string toPython(const Experiment& experiment);

}  // namespace fusebench
