// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/device/tensor.h"
#include "engine/language/program.h"
#include "engine/plan/kernel.h"

namespace fusebench::test {

/// The kernels that an executor makes of a program for inputs of these shapes, with no device.
class CudaKernels {
 public:
  struct Input {
    Shape shape;
    DType dtype = DType::float32;
    bool transposed = false;  ///< its last two dimensions exchanged in memory
    std::int64_t step = 1;    ///< every step-th element of the last dimension
  };
  static std::vector<Kernel> of(std::string_view executor, const Program& program,
                                const std::vector<Input>& inputs, bool contract = false);
  static std::vector<Kernel> of(std::string_view executor, const std::string& text,
                                const std::vector<Input>& inputs, bool contract = false);
  /// The only kernel.
  static Kernel one(std::string_view executor, const std::string& text,
                    const std::vector<Input>& inputs, bool contract = false);
};

}  // namespace fusebench::test
