// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// A kernel's name without return type, template arguments, parameters and namespaces:
/// "vectorized_elementwise_kernel" of "void at::native::vectorized_elementwise_kernel<4,
/// ...>(int)".
std::string shortKernelName(std::string_view name);

/// The short name of each; different names that are alike without what is left out are numbered in
/// the order in which they come: "gemm (1)", "gemm (2)".
std::vector<std::string> shortKernelNames(const std::vector<std::string>& names);

/// By its name: a collective of NCCL or RCCL.
bool isCollective(std::string_view name);
/// By its name: neither a product, a convolution, a sort nor a collective, which no compiler joins
/// with its neighbours.
bool isPointwiseLike(std::string_view name);

}  // namespace fusebench
