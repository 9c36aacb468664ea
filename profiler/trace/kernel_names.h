// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// A readable name instead of the compiler's: "void ns::kernel<float>(float*)" for
/// "_ZN2ns6kernelIfEEvPf". A name that is not mangled, or that the demangler cannot read, is
/// returned unchanged, except that AMD's suffix ".kd" is removed.
std::string demangledName(std::string_view name);

/// A kernel's name with its namespaces, but without return type, template arguments, parameters
/// and unnamed namespaces: "at::native::vectorized_elementwise_kernel" of
/// "void at::native::vectorized_elementwise_kernel<4, ...>(int)".
std::string qualifiedKernelName(std::string_view name);

/// The same without namespaces, as Nsight Systems' short names: "vectorized_elementwise_kernel".
std::string shortKernelName(std::string_view name);

/// The short name of each; different names with the same short name are numbered in order: "gemm
/// (1)", "gemm (2)".
std::vector<std::string> shortKernelNames(const std::vector<std::string>& names);

}  // namespace fusebench
