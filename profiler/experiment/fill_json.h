// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "profiler/experiment/experiment.h"
#include "profiler/files/json_reader.h"

namespace fusebench {

/// Reads a tensor's "fill": a name; {"integers": [low, high]}, which draws from low up to, but not,
/// high, as torch.randint does; or {"code": "torch.rand(4, 8) * 2"}, which computes the elements.
/// Everything else of the tensor has been read. Throws InputError.
void readFill(const JsonReader& fill, InputSpec& spec);

/// The "fill" for the way in which a tensor is drawn.
nlohmann::ordered_json fillOf(const InputSpec& spec);

}  // namespace fusebench
