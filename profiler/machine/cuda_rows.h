// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/machine/backend_table.h"

namespace fusebench {

/// NVIDIA's GPUs.
BackendRow cudaRow();
/// Their architectures: code is generated for them, and nothing is measured.
BackendRow architectureRow();

/// Whether a name is one of a GPU architecture: "sm_90".
bool namesArchitecture(std::string_view device);
/// "sm_75", "sm_80", ...
std::vector<std::string> architectureNames();
/// Makes the backend that writes the code of an architecture (90 for sm_90); empty where none is
/// known of this number.
std::function<std::unique_ptr<Backend>()> codeMaker(int architecture);

/// The compiler for GPU kernels on this machine. Throws nothing.
LibraryStatus examineNvrtc();

}  // namespace fusebench
