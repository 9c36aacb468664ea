// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cuda/runtime/architectures.h"
#include "engine/device/backend.h"

namespace fusebench::cuda {

struct ArchitectureOptions {
  /// libnvrtc, for PTX, machine code and its use of a multiprocessor's resources: see Nvrtc::open.
  /// Without it, there is only CUDA C++.
  std::string nvrtc;
  /// Matmuls and convolutions are planned as calls to cuBLASLt and cuDNN, as on a machine that has
  /// them.
  bool libraries = true;
};

/// The code that the CUDA backend launches on a card of an architecture, to be read on a machine
/// without one: it plans like that backend and writes the same code. Memory, values and everything
/// that runs are those of `values`, so that programs whose plan depends on held inputs can be
/// planned; `values` must have separate memory, as a GPU has.
std::unique_ptr<Backend> makeArchitectureBackend(const Architecture& architecture,
                                                 std::unique_ptr<Backend> values,
                                                 const ArchitectureOptions& options = {});

}  // namespace fusebench::cuda
