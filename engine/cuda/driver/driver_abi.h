// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of the CUDA driver's binary interface that is used here, declared by hand so that no
/// toolkit is needed to build. Sizes, values and signatures are checked against the real cuda.h by
/// a test if one is found; the names are those of the CUDA Driver API reference manual.
namespace fusebench::cuda {

using Result = int;  ///< CUresult
using DeviceNumber = int;
using DevicePointer = std::uint64_t;
using Context = struct OpaqueContext*;
using Module = struct OpaqueModule*;
using Function = struct OpaqueFunction*;
using Stream = struct OpaqueStream*;
using Event = struct OpaqueEvent*;
using Graph = struct OpaqueGraph*;
using GraphNode = struct OpaqueGraphNode*;
using GraphExec = struct OpaqueGraphExec*;
using MemoryPoolHandle = struct OpaqueMemoryPool*;

struct Uuid {
  unsigned char bytes[16];
};

/// CUDA_KERNEL_NODE_PARAMS_v2.
struct KernelNodeParameters {
  Function function;
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  void** arguments;
  void** extra;
  void* kernel;  ///< a CUkernel; null: `function` is meant
  Context context;
};

/// CUmemPoolProps.
struct MemoryPoolProperties {
  int allocationType;  ///< kPinnedAllocation
  int handleTypes;     ///< 0: none
  int locationType;    ///< kDeviceLocation
  int location;        ///< device
  void* securityAttributes;
  std::size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
inline constexpr int kPinnedAllocation = 1;
inline constexpr int kDeviceLocation = 1;

// Values of CUresult that are handled by name; see driver_errors.cpp for the others.
inline constexpr Result kSuccess = 0;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kStubLibrary = 34;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kInvalidImage = 200;
inline constexpr Result kNoBinaryForGpu = 209;
inline constexpr Result kUnsupportedPtxVersion = 222;
inline constexpr Result kNotReady = 600;

// Values of CUdevice_attribute.
inline constexpr int kMaxThreadsPerBlock = 1;
inline constexpr int kClockKilohertz = 13;
inline constexpr int kMultiprocessorCount = 16;
inline constexpr int kMemoryClockKilohertz = 36;
inline constexpr int kMemoryBusBits = 37;
inline constexpr int kL2Bytes = 38;
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMemoryPoolsSupported = 115;

// Flags and enumerations of single calls.
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDefault = 0;
inline constexpr unsigned kEventDisableTiming = 2;
inline constexpr int kCaptureRelaxed = 2;       ///< CU_STREAM_CAPTURE_MODE_RELAXED
inline constexpr int kPoolReservedCurrent = 5;  ///< CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT

}  // namespace fusebench::cuda

/// Every driver function in use: X(member of DriverFunctions, exported symbol, parameter types...).
/// Symbols carry the version suffix whose signature this is: the unversioned name of, say,
/// cuMemAlloc is an interface of CUDA 3.
// clang-format off
#define FUSEBENCH_DRIVER_FUNCTIONS(X)                                                              \
  X(init, cuInit, unsigned)                                                                        \
  X(driverGetVersion, cuDriverGetVersion, int*)                                                    \
  X(deviceGetCount, cuDeviceGetCount, int*)                                                        \
  X(deviceGet, cuDeviceGet, DeviceNumber*, int)                                                    \
  X(deviceGetName, cuDeviceGetName, char*, int, DeviceNumber)                                      \
  X(deviceGetUuid, cuDeviceGetUuid_v2, Uuid*, DeviceNumber)                                        \
  X(deviceGetAttribute, cuDeviceGetAttribute, int*, int, DeviceNumber)                             \
  X(deviceTotalMem, cuDeviceTotalMem_v2, std::size_t*, DeviceNumber)                               \
  X(primaryCtxRetain, cuDevicePrimaryCtxRetain, Context*, DeviceNumber)                            \
  X(primaryCtxRelease, cuDevicePrimaryCtxRelease_v2, DeviceNumber)                                 \
  X(ctxSetCurrent, cuCtxSetCurrent, Context)                                                       \
  X(moduleLoadDataEx, cuModuleLoadDataEx, Module*, const void*, unsigned, int*, void**)            \
  X(moduleUnload, cuModuleUnload, Module)                                                          \
  X(moduleGetFunction, cuModuleGetFunction, Function*, Module, const char*)                        \
  X(launchKernel, cuLaunchKernel, Function, unsigned, unsigned, unsigned, unsigned, unsigned,      \
    unsigned, unsigned, Stream, void**, void**)                                                    \
  X(streamCreate, cuStreamCreate, Stream*, unsigned)                                               \
  X(streamDestroy, cuStreamDestroy_v2, Stream)                                                     \
  X(streamSynchronize, cuStreamSynchronize, Stream)                                                \
  X(streamBeginCapture, cuStreamBeginCapture_v2, Stream, int)                                      \
  X(streamEndCapture, cuStreamEndCapture, Stream, Graph*)                                          \
  X(streamGetCaptureInfo, cuStreamGetCaptureInfo_v2, Stream, int*, std::uint64_t*, Graph*,         \
    const GraphNode**, std::size_t*)                                                               \
  X(eventCreate, cuEventCreate, Event*, unsigned)                                                  \
  X(eventDestroy, cuEventDestroy_v2, Event)                                                        \
  X(eventRecord, cuEventRecord, Event, Stream)                                                     \
  X(eventSynchronize, cuEventSynchronize, Event)                                                   \
  X(eventQuery, cuEventQuery, Event)                                                               \
  X(streamWaitEvent, cuStreamWaitEvent, Stream, Event, unsigned)                                   \
  X(eventElapsedTime, cuEventElapsedTime, float*, Event, Event)                                    \
  X(memAlloc, cuMemAlloc_v2, DevicePointer*, std::size_t)                                          \
  X(memFree, cuMemFree_v2, DevicePointer)                                                          \
  X(memGetInfo, cuMemGetInfo_v2, std::size_t*, std::size_t*)                                       \
  X(memHostAlloc, cuMemHostAlloc, void**, std::size_t, unsigned)                                   \
  X(memFreeHost, cuMemFreeHost, void*)                                                             \
  X(memPoolCreate, cuMemPoolCreate, MemoryPoolHandle*, const MemoryPoolProperties*)                \
  X(memPoolDestroy, cuMemPoolDestroy, MemoryPoolHandle)                                            \
  X(memPoolGetAttribute, cuMemPoolGetAttribute, MemoryPoolHandle, int, void*)                      \
  X(memAllocFromPoolAsync, cuMemAllocFromPoolAsync, DevicePointer*, std::size_t, MemoryPoolHandle, \
    Stream)                                                                                        \
  X(memFreeAsync, cuMemFreeAsync, DevicePointer, Stream)                                           \
  X(memcpyHtoDAsync, cuMemcpyHtoDAsync_v2, DevicePointer, const void*, std::size_t, Stream)        \
  X(memcpyDtoHAsync, cuMemcpyDtoHAsync_v2, void*, DevicePointer, std::size_t, Stream)              \
  X(memcpyDtoDAsync, cuMemcpyDtoDAsync_v2, DevicePointer, DevicePointer, std::size_t, Stream)      \
  X(memsetD8Async, cuMemsetD8Async, DevicePointer, unsigned char, std::size_t, Stream)             \
  X(graphInstantiate, cuGraphInstantiateWithFlags, GraphExec*, Graph, unsigned long long)          \
  X(graphDestroy, cuGraphDestroy, Graph)                                                           \
  X(graphExecDestroy, cuGraphExecDestroy, GraphExec)                                               \
  X(graphLaunch, cuGraphLaunch, GraphExec, Stream)                                                 \
  X(graphUpload, cuGraphUpload, GraphExec, Stream)                                                 \
  X(graphExecKernelNodeSetParams, cuGraphExecKernelNodeSetParams_v2, GraphExec, GraphNode,         \
    const KernelNodeParameters*)
// clang-format on
