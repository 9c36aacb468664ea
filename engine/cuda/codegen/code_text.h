// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cuda/driver/nvrtc.h"
#include "engine/device/backend.h"

namespace fusebench {
struct Program;
}

namespace fusebench::cuda {

/// A kernel's code to be read: "cuda", with the program's names and statements if it is given; and
/// where NVRTC is, "ptx" for an architecture, made of that text. Lines say which op they stand for.
/// Throws std::runtime_error.
std::vector<GeneratedCode> codeText(const Kernel& kernel, const Program* program,
                                    const Nvrtc* nvrtc, int architecture, CompileFlags flags = {});

}  // namespace fusebench::cuda
