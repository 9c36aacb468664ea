// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench::cuda {

/// The name of a primitive in CUDA C++ if it is a function: "expf", "leastOf"; empty for operators.
std::string_view functionName(Primitive primitive);

/// Whether a primitive takes many instructions.
bool isRoutine(Primitive primitive);

/// Definitions of our own functions that these primitives need, in order of use.
std::vector<std::string> functionsFor(const std::vector<bool>& primitives);

/// Names of our own functions, which are reserved.
std::vector<std::string_view> ownFunctionNames();

}  // namespace fusebench::cuda
