// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench::targets {

/// 30 statements of the fusion study and their sum, as a person would write them in C++.
float handWrittenStudy(const float* x, std::int64_t count);

/// Sum of all elements, at the speed of reading them.
float handWrittenSum(const float* x, std::int64_t count);

/// out[i] = f(x[i]) with the C library's vector functions, by the function's name in PyTorch;
/// null if it has none.
using VectorFunction = void (*)(const float* x, float* out, std::int64_t count);
VectorFunction libraryFunction(const char* name);

}  // namespace fusebench::targets
