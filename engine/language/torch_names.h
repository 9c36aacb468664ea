// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace fusebench {

/// Whether PyTorch has a public name: "torch.fft.fft", "torch.nn.functional.relu", "Tensor.exp".
bool isTorchName(std::string_view path);

}  // namespace fusebench
