// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/embedded_file.h"

namespace fusebench {

/// Names of PyTorch's functions that are not a single op: the language composes them from its own
/// ops ("softmax", "layer_norm"). Sorted; without functions for internal use only.
const std::vector<std::string>& libraryFunctions();
/// Full names of PyTorch's classes that the language has ("torch.nn.LayerNorm", "torch.optim.SGD").
/// Sorted.
const std::vector<std::string>& libraryClasses();

/// PyTorch's name of one of the library's classes: "optim_SGD" is "torch.optim.SGD".
std::string publicName(std::string_view own);

/// The library's texts, from the folder engine/language/library, in the order they are read in.
std::span<const EmbeddedFile> libraryFiles();

}  // namespace fusebench
