// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// A kernel's name without return type, template arguments, parameters and namespaces:
/// "vectorized_elementwise_kernel" of "void at::native::vectorized_elementwise_kernel<4,
/// ...>(int)".
std::string shortKernelName(std::string_view name);

/// By its name: a collective of NCCL or RCCL.
bool isCollective(std::string_view name);
/// By its name: neither a product, a convolution, a sort nor a collective, which no compiler joins
/// with its neighbours.
bool isPointwiseLike(std::string_view name);

}  // namespace fusebench
