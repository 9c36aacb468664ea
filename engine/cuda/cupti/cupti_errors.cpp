// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/cupti/cupti_errors.h"

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

struct NamedCuptiError {
  CuptiResult result;
  std::string_view name;
};

/// Those that the activity interface gives.
constexpr NamedCuptiError kCuptiErrors[] = {
    {0, "CUPTI_SUCCESS"},
    {1, "CUPTI_ERROR_INVALID_PARAMETER"},
    {2, "CUPTI_ERROR_INVALID_DEVICE"},
    {3, "CUPTI_ERROR_INVALID_CONTEXT"},
    {7, "CUPTI_ERROR_INVALID_OPERATION"},
    {8, "CUPTI_ERROR_OUT_OF_MEMORY"},
    {9, "CUPTI_ERROR_HARDWARE"},
    {10, "CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT"},
    {11, "CUPTI_ERROR_API_NOT_IMPLEMENTED"},
    {12, "CUPTI_ERROR_MAX_LIMIT_REACHED"},
    {13, "CUPTI_ERROR_NOT_READY"},
    {14, "CUPTI_ERROR_NOT_COMPATIBLE"},
    {15, "CUPTI_ERROR_NOT_INITIALIZED"},
    {19, "CUPTI_ERROR_INVALID_HANDLE"},
    {20, "CUPTI_ERROR_INVALID_STREAM"},
    {21, "CUPTI_ERROR_INVALID_KIND"},
    {23, "CUPTI_ERROR_DISABLED"},
    {26, "CUPTI_ERROR_HARDWARE_BUSY"},
    {27, "CUPTI_ERROR_NOT_SUPPORTED"},
    {32, "CUPTI_ERROR_CDP_TRACING_NOT_SUPPORTED"},
    {33, "CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED"},
    {34, "CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE"},
    {35, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"},
    {36, "CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED"},
    {38, "CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED"},
    {39, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"},
    {40, "CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES"},
    {41, "CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED"},
    {42, "CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED"},
    {43, "CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED"},
    {44, "CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED"},
    {45, "CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED"},
    {999, "CUPTI_ERROR_UNKNOWN"},
};

}  // namespace

std::string_view cuptiErrorName(CuptiResult result) {
  for (const NamedCuptiError& named : kCuptiErrors)
    if (named.result == result) return named.name;
  return said("an error of an unknown name");
}

std::string cuptiErrorText(CuptiResult result) {
  return saying("error {} ({})", result, cuptiErrorName(result));
}

}  // namespace fusebench::cuda
