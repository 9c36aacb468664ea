// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "engine/base/embedded_file.h"

namespace fusebench {

/// Whether PyTorch has a public name: "torch.fft.fft", "torch.nn.functional.relu", "Tensor.exp".
bool isTorchName(std::string_view path);

/// The file torch_names.txt: one name a line, sorted.
std::span<const EmbeddedFile> torchNameFiles();

}  // namespace fusebench
