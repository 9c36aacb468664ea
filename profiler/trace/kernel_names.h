// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// A name as the compiler wrote it, readable: "void ns::kernel<float>(float*)" of
/// "_ZN2ns6kernelIfEEvPf". A name that is not mangled, or that the demangler cannot read, stays as
/// it is, except that AMD's suffix ".kd" goes.
std::string demangledName(std::string_view name);

/// A kernel's name with its namespaces, but without return type, template arguments, parameters
/// and unnamed namespaces: "at::native::vectorized_elementwise_kernel" of
/// "void at::native::vectorized_elementwise_kernel<4, ...>(int)".
std::string qualifiedKernelName(std::string_view name);

/// The same without namespaces, as Nsight Systems' short names: "vectorized_elementwise_kernel".
std::string shortKernelName(std::string_view name);

/// The short name of each; different names with the same short name are numbered in the order in
/// which they come: "gemm (1)", "gemm (2)".
std::vector<std::string> shortKernelNames(const std::vector<std::string>& names);

}  // namespace fusebench
