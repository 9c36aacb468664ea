// SPDX-License-Identifier: GPL-3.0-or-later
// Our declarations of the driver's interface against the real ones, where a toolkit has them. The
// assertions are the compiler's; the test says whether they were made.
#include <cstddef>
#include <type_traits>

#include <gtest/gtest.h>

#include "engine/cuda/driver/driver_abi.h"
#include "engine/cuda/driver/driver_errors.h"
#include "tests/engine/cuda/signatures.h"

#ifdef FUSEBENCH_CUDA_HEADER
// All versions of the functions under their exported names, none renamed.
#define __CUDA_API_VERSION_INTERNAL
#include FUSEBENCH_CUDA_HEADER

namespace fusebench::cuda {
namespace {

#define FUSEBENCH_ASSERT(member, symbol, ...) \
  static_assert(Signature<__VA_ARGS__>::fits(static_cast<decltype(&::symbol)>(nullptr)), #symbol);
FUSEBENCH_DRIVER_FUNCTIONS(FUSEBENCH_ASSERT)
#undef FUSEBENCH_ASSERT

static_assert(sizeof(Result) == sizeof(CUresult));
static_assert(sizeof(DevicePointer) == sizeof(CUdeviceptr));
static_assert(sizeof(DeviceNumber) == sizeof(CUdevice));
static_assert(sizeof(Uuid) == sizeof(CUuuid));

static_assert(sizeof(KernelNodeParameters) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
static_assert(offsetof(KernelNodeParameters, gridX) ==
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, gridDimX));
static_assert(offsetof(KernelNodeParameters, blockX) ==
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, blockDimX));
static_assert(offsetof(KernelNodeParameters, sharedBytes) ==
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes));
static_assert(offsetof(KernelNodeParameters, arguments) ==
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams));
static_assert(offsetof(KernelNodeParameters, kernel) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kern));
static_assert(offsetof(KernelNodeParameters, context) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, ctx));

static_assert(sizeof(MemoryPoolProperties) == sizeof(CUmemPoolProps));
static_assert(offsetof(MemoryPoolProperties, handleTypes) == offsetof(CUmemPoolProps, handleTypes));
static_assert(offsetof(MemoryPoolProperties, locationType) == offsetof(CUmemPoolProps, location));
static_assert(offsetof(MemoryPoolProperties, maxSize) == offsetof(CUmemPoolProps, maxSize));
static_assert(offsetof(MemoryPoolProperties, reserved) == offsetof(CUmemPoolProps, reserved));

static_assert(kPinnedAllocation == CU_MEM_ALLOCATION_TYPE_PINNED);
static_assert(kDeviceLocation == CU_MEM_LOCATION_TYPE_DEVICE);
static_assert(kSuccess == CUDA_SUCCESS);
static_assert(kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(kStubLibrary == CUDA_ERROR_STUB_LIBRARY);
static_assert(kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(kNoBinaryForGpu == CUDA_ERROR_NO_BINARY_FOR_GPU);
static_assert(kUnsupportedPtxVersion == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(kNotReady == CUDA_ERROR_NOT_READY);
static_assert(kMaxThreadsPerBlock == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
static_assert(kClockKilohertz == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
static_assert(kMultiprocessorCount == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(kMemoryClockKilohertz == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
static_assert(kMemoryBusBits == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
static_assert(kL2Bytes == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
static_assert(kComputeCapabilityMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(kComputeCapabilityMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(kMemoryPoolsSupported == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
static_assert(kStreamNonBlocking == CU_STREAM_NON_BLOCKING);
static_assert(kEventDefault == CU_EVENT_DEFAULT);
static_assert(kEventDisableTiming == CU_EVENT_DISABLE_TIMING);
static_assert(kCaptureRelaxed == CU_STREAM_CAPTURE_MODE_RELAXED);
static_assert(kPoolReservedCurrent == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);

TEST(CudaInterface, IsThatOfTheToolkitsHeader) {
  // Every name of an error that we give is the driver's for that number.
  struct Named {
    int result;
    const char* name;
  };
#define FUSEBENCH_NAMED(name) \
  Named {                     \
    name, #name               \
  }
  for (const Named& error : {FUSEBENCH_NAMED(CUDA_ERROR_INVALID_VALUE),
                             FUSEBENCH_NAMED(CUDA_ERROR_OUT_OF_MEMORY),
                             FUSEBENCH_NAMED(CUDA_ERROR_NOT_INITIALIZED),
                             FUSEBENCH_NAMED(CUDA_ERROR_DEINITIALIZED),
                             FUSEBENCH_NAMED(CUDA_ERROR_STUB_LIBRARY),
                             FUSEBENCH_NAMED(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER),
                             FUSEBENCH_NAMED(CUDA_ERROR_DEVICE_UNAVAILABLE),
                             FUSEBENCH_NAMED(CUDA_ERROR_NO_DEVICE),
                             FUSEBENCH_NAMED(CUDA_ERROR_INVALID_DEVICE),
                             FUSEBENCH_NAMED(CUDA_ERROR_INVALID_IMAGE),
                             FUSEBENCH_NAMED(CUDA_ERROR_INVALID_CONTEXT),
                             FUSEBENCH_NAMED(CUDA_ERROR_NO_BINARY_FOR_GPU),
                             FUSEBENCH_NAMED(CUDA_ERROR_ECC_UNCORRECTABLE),
                             FUSEBENCH_NAMED(CUDA_ERROR_INVALID_PTX),
                             FUSEBENCH_NAMED(CUDA_ERROR_NVLINK_UNCORRECTABLE),
                             FUSEBENCH_NAMED(CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
                             FUSEBENCH_NAMED(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
                             FUSEBENCH_NAMED(CUDA_ERROR_INVALID_HANDLE),
                             FUSEBENCH_NAMED(CUDA_ERROR_ILLEGAL_STATE),
                             FUSEBENCH_NAMED(CUDA_ERROR_NOT_FOUND),
                             FUSEBENCH_NAMED(CUDA_ERROR_NOT_READY),
                             FUSEBENCH_NAMED(CUDA_ERROR_ILLEGAL_ADDRESS),
                             FUSEBENCH_NAMED(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
                             FUSEBENCH_NAMED(CUDA_ERROR_LAUNCH_TIMEOUT),
                             FUSEBENCH_NAMED(CUDA_ERROR_CONTEXT_IS_DESTROYED),
                             FUSEBENCH_NAMED(CUDA_ERROR_ASSERT),
                             FUSEBENCH_NAMED(CUDA_ERROR_HARDWARE_STACK_ERROR),
                             FUSEBENCH_NAMED(CUDA_ERROR_ILLEGAL_INSTRUCTION),
                             FUSEBENCH_NAMED(CUDA_ERROR_MISALIGNED_ADDRESS),
                             FUSEBENCH_NAMED(CUDA_ERROR_INVALID_ADDRESS_SPACE),
                             FUSEBENCH_NAMED(CUDA_ERROR_INVALID_PC),
                             FUSEBENCH_NAMED(CUDA_ERROR_LAUNCH_FAILED),
                             FUSEBENCH_NAMED(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
                             FUSEBENCH_NAMED(CUDA_ERROR_NOT_PERMITTED),
                             FUSEBENCH_NAMED(CUDA_ERROR_NOT_SUPPORTED),
                             FUSEBENCH_NAMED(CUDA_ERROR_SYSTEM_NOT_READY),
                             FUSEBENCH_NAMED(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
                             FUSEBENCH_NAMED(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
                             FUSEBENCH_NAMED(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
                             FUSEBENCH_NAMED(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
                             FUSEBENCH_NAMED(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
                             FUSEBENCH_NAMED(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE),
                             FUSEBENCH_NAMED(CUDA_ERROR_UNKNOWN)})
    EXPECT_EQ(errorName(error.result), error.name);
}

}  // namespace
}  // namespace fusebench::cuda
#else
TEST(CudaInterface, IsThatOfTheToolkitsHeader) {
  GTEST_SKIP() << "no cuda.h was found when this was built";
}
#endif
