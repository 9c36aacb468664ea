// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/embedded_file.h"

namespace fusebench {

/// Names of PyTorch's functions that are not single ops: the language composes them from its own
/// ops ("softmax", "layer_norm"). Sorted; functions for internal use are not included.
const std::vector<std::string>& libraryFunctions();
/// Full names of the PyTorch classes that the language supports ("torch.nn.LayerNorm",
/// "torch.optim.SGD"). Sorted.
const std::vector<std::string>& libraryClasses();

/// PyTorch's name for one of the library's classes: "optim_SGD" is "torch.optim.SGD".
std::string publicName(std::string_view own);

/// The library's texts, from the folder engine/language/library, in the order in which they are
/// read.
std::span<const EmbeddedFile> libraryFiles();

}  // namespace fusebench
