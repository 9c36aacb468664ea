// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/driver/driver_errors.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

struct KnownError {
  Result result;
  bool sticky;
  std::string_view name;
  const char* meaning;
};

// Numbers and names as in the CUDA Driver API reference manual, CUresult; sorted by number. Errors
// are sticky if the manual requires the process to be terminated and started again.
constexpr KnownError kErrors[] = {
    {0, false, "CUDA_SUCCESS", toBeSaid("no error")},
    {1, false, "CUDA_ERROR_INVALID_VALUE", toBeSaid("an argument is out of range")},
    {2, false, "CUDA_ERROR_OUT_OF_MEMORY", toBeSaid("not enough memory on the device")},
    {3, false, "CUDA_ERROR_NOT_INITIALIZED", toBeSaid("the driver is not initialized")},
    {4, true, "CUDA_ERROR_DEINITIALIZED", toBeSaid("the driver is shutting down")},
    {5, false, "CUDA_ERROR_PROFILER_DISABLED", toBeSaid("a profiler prevents this")},
    {34, false, "CUDA_ERROR_STUB_LIBRARY",
     toBeSaid("this libcuda is a stub library, not a driver")},
    {36, false, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER",
     toBeSaid("the driver is too old for this call")},
    {46, true, "CUDA_ERROR_DEVICE_UNAVAILABLE", toBeSaid("the device is busy or in exclusive use")},
    {100, false, "CUDA_ERROR_NO_DEVICE", toBeSaid("no CUDA device was found")},
    {101, false, "CUDA_ERROR_INVALID_DEVICE", toBeSaid("there is no such device")},
    {102, false, "CUDA_ERROR_DEVICE_NOT_LICENSED", toBeSaid("the device has no license")},
    {200, false, "CUDA_ERROR_INVALID_IMAGE", toBeSaid("the compiled code is damaged")},
    {201, false, "CUDA_ERROR_INVALID_CONTEXT", toBeSaid("no valid context is current")},
    {209, false, "CUDA_ERROR_NO_BINARY_FOR_GPU", toBeSaid("the code is for another architecture")},
    {214, true, "CUDA_ERROR_ECC_UNCORRECTABLE", toBeSaid("the device's memory failed (ECC)")},
    {215, false, "CUDA_ERROR_UNSUPPORTED_LIMIT", toBeSaid("the device has no such limit")},
    {218, false, "CUDA_ERROR_INVALID_PTX", toBeSaid("the driver's compiler rejects the PTX")},
    {220, true, "CUDA_ERROR_NVLINK_UNCORRECTABLE", toBeSaid("a link between devices failed")},
    {221, false, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
     toBeSaid("the driver's PTX compiler (libnvidia-ptxjitcompiler) is missing")},
    {222, false, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     toBeSaid("the PTX is newer than the driver; update the driver or use an older NVRTC")},
    {223, false, "CUDA_ERROR_JIT_COMPILATION_DISABLED", toBeSaid("compiling PTX is disabled")},
    {226, true, "CUDA_ERROR_CONTAINED", toBeSaid("the device's memory failed and was contained")},
    {300, false, "CUDA_ERROR_INVALID_SOURCE", toBeSaid("the code is not valid")},
    {301, false, "CUDA_ERROR_FILE_NOT_FOUND", toBeSaid("a file was not found")},
    {302, false, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", toBeSaid("a library lacks a symbol")},
    {303, false, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED",
     toBeSaid("a library failed to initialize")},
    {304, false, "CUDA_ERROR_OPERATING_SYSTEM", toBeSaid("a call of the operating system failed")},
    {400, false, "CUDA_ERROR_INVALID_HANDLE", toBeSaid("a handle is not valid")},
    {401, false, "CUDA_ERROR_ILLEGAL_STATE",
     toBeSaid("the object is in a state that does not allow this")},
    {500, false, "CUDA_ERROR_NOT_FOUND", toBeSaid("there is no such name")},
    {600, false, "CUDA_ERROR_NOT_READY", toBeSaid("the work is not finished")},
    {700, true, "CUDA_ERROR_ILLEGAL_ADDRESS", toBeSaid("a kernel accessed invalid memory")},
    {701, false, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     toBeSaid("a launch needs more threads or registers than are available")},
    {702, true, "CUDA_ERROR_LAUNCH_TIMEOUT",
     toBeSaid("a kernel ran longer than the display's watchdog allows")},
    {709, true, "CUDA_ERROR_CONTEXT_IS_DESTROYED", toBeSaid("the context was destroyed")},
    {710, true, "CUDA_ERROR_ASSERT", toBeSaid("an assertion in a kernel failed")},
    {714, true, "CUDA_ERROR_HARDWARE_STACK_ERROR", toBeSaid("a kernel corrupted its call stack")},
    {715, true, "CUDA_ERROR_ILLEGAL_INSTRUCTION",
     toBeSaid("a kernel executed an illegal instruction")},
    {716, true, "CUDA_ERROR_MISALIGNED_ADDRESS", toBeSaid("a kernel used a misaligned address")},
    {717, true, "CUDA_ERROR_INVALID_ADDRESS_SPACE",
     toBeSaid("a kernel used the wrong address space")},
    {718, true, "CUDA_ERROR_INVALID_PC", toBeSaid("a kernel jumped to an invalid address")},
    {719, true, "CUDA_ERROR_LAUNCH_FAILED", toBeSaid("a kernel failed while it ran")},
    {720, false, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     toBeSaid("a cooperative launch is too large")},
    {800, false, "CUDA_ERROR_NOT_PERMITTED", toBeSaid("this is not allowed")},
    {801, false, "CUDA_ERROR_NOT_SUPPORTED",
     toBeSaid("the device or driver does not support this")},
    {802, false, "CUDA_ERROR_SYSTEM_NOT_READY",
     toBeSaid("the system's device services are not running (fabric manager?)")},
    {803, false, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     toBeSaid(
         "the kernel's driver and libcuda are of different versions; restart after an update")},
    {804, false, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
     toBeSaid("the compatibility libcuda does not support this device")},
    {805, false, "CUDA_ERROR_MPS_CONNECTION_FAILED", toBeSaid("no connection to the MPS server")},
    {900, false, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     toBeSaid("this cannot be done while capturing")},
    {901, false, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     toBeSaid("an earlier error invalidated the capture")},
    {902, false, "CUDA_ERROR_STREAM_CAPTURE_MERGE",
     toBeSaid("two captures would have been joined")},
    {903, false, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     toBeSaid("the capture began in another stream")},
    {904, false, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     toBeSaid("the capture left another stream unjoined")},
    {905, false, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     toBeSaid("the capture depends on work outside it")},
    {906, false, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     toBeSaid("the default stream cannot be captured")},
    {907, false, "CUDA_ERROR_CAPTURED_EVENT", toBeSaid("the event belongs to a capture")},
    {908, false, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
     toBeSaid("the capture began in another thread")},
    {909, false, "CUDA_ERROR_TIMEOUT", toBeSaid("the wait timed out")},
    {910, false, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     toBeSaid("the graph cannot be updated in this way")},
    {999, false, "CUDA_ERROR_UNKNOWN", toBeSaid("the driver gives no reason")},
};

const KnownError* find(Result result) {
  const auto* entry =
      std::lower_bound(std::begin(kErrors), std::end(kErrors), result,
                       [](const KnownError& e, Result wanted) { return e.result < wanted; });
  return entry != std::end(kErrors) && entry->result == result ? entry : nullptr;
}

std::string message(const std::string& call, Result result, const std::string& purpose) {
  std::string text =
      saying("{}: {} ({}): {}", call, errorName(result), result, errorMeaning(result));
  if (!purpose.empty()) text += saying("; ") + purpose;
  return text;
}

}  // namespace

std::string_view errorName(Result result) {
  const KnownError* entry = find(result);
  return entry ? entry->name : said("an error without a name here");
}

std::string_view errorMeaning(Result result) {
  const KnownError* entry = find(result);
  return said(entry ? entry->meaning : toBeSaid("see CUresult in the CUDA Driver API manual"));
}

bool isSticky(Result result) {
  const KnownError* entry = find(result);
  return entry && entry->sticky;
}

CudaError::CudaError(std::string call, Result result, std::string purpose)
    : DeviceError(message(call, result, purpose), cuda::isSticky(result)),
      call_(std::move(call)),
      result_(result),
      purpose_(std::move(purpose)) {}

CudaError CudaError::during(const std::string& purpose) const {
  return purpose_.empty() ? CudaError(call_, result_, purpose) : *this;
}

}  // namespace fusebench::cuda
