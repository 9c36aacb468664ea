// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// A module of a captured model.
struct ModuleSize {
  std::string path;
  int operations = 0;  ///< lines of the program, including those of the modules within it
};
/// All modules and the modules within them, in the order in which the model first reaches them. The
/// model itself, "", is not among them.
std::vector<ModuleSize> modulesOf(const CapturedModel& model);

/// One module of a captured model as a separate experiment. Its inputs are the weights, as in the
/// model, and the other floats that it reads, drawn from a normal distribution with the shapes that
/// they have in the model. Everything else (positions, masks, sizes) is computed in the part as in
/// the model. The part returns the tensors that others read from the module. Extents follow the
/// axes as in the model. Variants that run another program are left out, and so are gradients.
/// Throws InputError if the model is not captured or does not have the module.
Experiment cutModule(const Experiment& whole, const std::string& path);

}  // namespace fusebench
