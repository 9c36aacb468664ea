// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/edit/sketch.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The tensor of an input that the program has no more; it comes back with the name.
struct ParkedTensor {
  std::string set;  ///< name of its InputSet
  InputSpec spec;
};

/// Makes the input sets follow the program: an input that is new gets a tensor in every set (the
/// parked one of its name, else that of the input whose place it took, else one of the first's
/// extents), one that is gone loses its. While the text is not valid nothing is taken away, for an
/// input may only be half typed.
void followInputs(Experiment& experiment, const Sketch& sketch, std::vector<ParkedTensor>& parked);

/// Makes a statements axis that ended at the program's length before end at its length now.
/// Lengths in statements; a program without any counts as one of length 1.
void followLength(Experiment& experiment, std::size_t before, std::size_t now);

/// What a statements axis takes by itself for a program of `length`: every length up to 12, else
/// steps of a round number, and the length.
std::vector<std::int64_t> statementValues(std::int64_t length);

}  // namespace fusebench
