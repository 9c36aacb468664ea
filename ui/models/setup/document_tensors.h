// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/edit/sketch.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The tensor of an input that the program no longer has; it is restored with the name.
struct ParkedTensor {
  std::string set;  ///< name of its InputSet
  InputSpec spec;
};

/// Adapts the input sets to the program. A new input gets a tensor in every set (the parked one of
/// its name, otherwise that of the input that it replaces, otherwise one with the extents of the
/// first). A removed input loses its tensor. While the text is invalid nothing is removed, because
/// an input may only be half typed.
void followInputs(Experiment& experiment, const Sketch& sketch, std::vector<ParkedTensor>& parked);

/// If a statements axis ended at the previous length of the program, makes it end at the new
/// length. Lengths in statements; a program without any counts as length 1.
void followLength(Experiment& experiment, std::size_t before, std::size_t now);

/// The default values of a statements axis for a program of `length`: every length up to 12,
/// otherwise steps of a round number, and the length.
std::vector<std::int64_t> statementValues(std::int64_t length);

}  // namespace fusebench
