// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of CUPTI's activity interface that is used here, declared by hand so that no toolkit is
/// needed to build. Values, signatures and offsets in records are checked against the real header
/// by a test if one is found; the names are those of the CUPTI reference manual.
namespace fusebench::cuda {

using CuptiResult = int;  ///< CUptiResult
struct ActivityRecord;    ///< CUpti_Activity: bytes, the first four of which are the kind

/// Called by CUPTI on its own threads or on those of the program.
using BufferRequested = void(std::uint8_t** buffer, std::size_t* bytes, std::size_t* records);
using BufferCompleted = void(void* context, std::uint32_t stream, std::uint8_t* buffer,
                             std::size_t bytes, std::size_t validBytes);

// Values of CUptiResult that are handled by name; see cupti_errors.cpp for the others.
inline constexpr CuptiResult kCuptiSuccess = 0;
inline constexpr CuptiResult kCuptiLimitReached = 12;  ///< no further record in a buffer
inline constexpr CuptiResult kCuptiNotInitialized = 15;
inline constexpr CuptiResult kCuptiInsufficientPrivileges = 35;
inline constexpr CuptiResult kCuptiOtherSubscriber = 39;
inline constexpr CuptiResult kCuptiVirtualPrivileges = 40;
inline constexpr CuptiResult kCuptiUnknown = 999;

// Values of CUpti_ActivityKind.
inline constexpr std::uint32_t kActivityCopy = 1;
inline constexpr std::uint32_t kActivityFill = 2;
inline constexpr std::uint32_t kActivitySerialKernel = 3;
inline constexpr std::uint32_t kActivityDriver = 4;
inline constexpr std::uint32_t kActivityRuntime = 5;
inline constexpr std::uint32_t kActivityKernel = 10;  ///< CONCURRENT_KERNEL
inline constexpr std::uint32_t kActivityOverhead = 17;

inline constexpr std::uint32_t kFlushCompleted = 0;
inline constexpr std::uint32_t kFlushForced = 1;  ///< CUPTI_ACTIVITY_FLAG_FLUSH_FORCED
inline constexpr int kDriverDomain = 1;           ///< CUPTI_CB_DOMAIN_DRIVER_API
inline constexpr int kRuntimeDomain = 2;

// Numbers of driver functions (CUPTI_DRIVER_TRACE_CBID_...).
inline constexpr std::uint32_t kCallLaunchKernel = 307;
inline constexpr std::uint32_t kCallLaunchKernelEx = 652;
inline constexpr std::uint32_t kCallGraphLaunch = 514;
inline constexpr std::uint32_t kCallBeginCapture = 539;  ///< cuStreamBeginCapture_v2
inline constexpr std::uint32_t kCallEndCapture = 497;    ///< cuStreamEndCapture

// Numbers of the runtime's functions (CUPTI_RUNTIME_TRACE_CBID_...) that libraries launch with.
// CUPTI does not record the driver calls that these functions make.
inline constexpr std::uint32_t kRuntimeLaunchKernel = 211;     ///< cudaLaunchKernel_v7000
inline constexpr std::uint32_t kRuntimeLaunchKernelExC = 430;  ///< cudaLaunchKernelExC_v11060

/// Offsets of the members of records, in bytes. Newer layouts only add members at the end, so that
/// one set of offsets serves them all.
namespace record {

/// CUpti_ActivityKernel5 to 11.
namespace kernel {
inline constexpr std::size_t registers = 6;  ///< 16 bits
inline constexpr std::size_t start = 16, end = 24;
inline constexpr std::size_t device = 40, context = 44, stream = 48;
inline constexpr std::size_t grid = 52, block = 64;  ///< three of 32 bits each
inline constexpr std::size_t staticShared = 76, dynamicShared = 80;
inline constexpr std::size_t correlation = 92;
inline constexpr std::size_t name = 104;  ///< a C string
inline constexpr std::size_t queued = 120, submitted = 128;
inline constexpr std::size_t graphNode = 144;  ///< 64 bits
inline constexpr std::size_t graph = 156;      ///< from Kernel6 on
/// For Kernel5 and Kernel6: the least size of a record that can be read, and of one that has a
/// graph.
inline constexpr std::size_t bytes = 160, bytesWithGraph = 168;
}  // namespace kernel

/// CUpti_ActivityMemcpy to 6, CUpti_ActivityMemset to 4.
namespace copy {
inline constexpr std::size_t direction = 4;  ///< 8 bits, of a copy; CUpti_ActivityMemcpyKind
inline constexpr std::size_t amount = 8;     ///< 64 bits
inline constexpr std::size_t start = 16, end = 24;
inline constexpr std::size_t device = 32, context = 36, stream = 40, correlation = 44;
inline constexpr std::size_t graphNode = 64;  ///< Memcpy3 and Memset2 or newer
inline constexpr std::size_t graph = 72;      ///< Memcpy4 and Memset3 or newer
inline constexpr std::size_t bytes = 64, bytesWithNode = 72, bytesWithGraph = 80;
}  // namespace copy

/// CUpti_ActivityAPI.
namespace call {
inline constexpr std::size_t function = 4;  ///< 32 bits, like those after the times
inline constexpr std::size_t start = 8, end = 16;
inline constexpr std::size_t process = 24, thread = 28, correlation = 32, result = 36;
inline constexpr std::size_t bytes = 40;
}  // namespace call

/// CUpti_ActivityOverhead to 3.
namespace overhead {
inline constexpr std::size_t start = 24, end = 32;
inline constexpr std::size_t bytes = 40;
}  // namespace overhead

}  // namespace record
}  // namespace fusebench::cuda

/// Every function of CUPTI in use: X(member of CuptiFunctions, exported symbol, parameter
/// types...).
// clang-format off
#define FUSEBENCH_CUPTI_FUNCTIONS(X)                                                               \
  X(getVersion, cuptiGetVersion, std::uint32_t*)                                                   \
  X(getTimestamp, cuptiGetTimestamp, std::uint64_t*)                                               \
  X(getCallbackName, cuptiGetCallbackName, int, std::uint32_t, const char**)                       \
  X(registerCallbacks, cuptiActivityRegisterCallbacks, BufferRequested*, BufferCompleted*)         \
  X(enableLatencyTimestamps, cuptiActivityEnableLatencyTimestamps, std::uint8_t)                   \
  X(enable, cuptiActivityEnable, std::uint32_t)                                                    \
  X(flushAll, cuptiActivityFlushAll, std::uint32_t)                                                \
  X(getNextRecord, cuptiActivityGetNextRecord, std::uint8_t*, std::size_t, ActivityRecord**)       \
  X(getDroppedRecords, cuptiActivityGetNumDroppedRecords, void*, std::uint32_t, std::size_t*)
// clang-format on
