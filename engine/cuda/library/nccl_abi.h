// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cuda/driver/driver_abi.h"

/// The part of NCCL 2's binary interface that is used here, declared by hand so that no toolkit is
/// needed to build. Sizes, values and signatures are checked against the real nccl.h by a test if
/// one is found; the names are those of the NCCL library's API reference.
namespace fusebench::cuda {

using NcclResult = int;  ///< ncclResult_t
using NcclComm = struct OpaqueNcclComm*;

/// ncclUniqueId: rank 0 creates it and passes it to all others, which find one another by it.
struct NcclId {
  char bytes[128];
};

// Values of ncclResult_t.
inline constexpr NcclResult kNcclSuccess = 0;
inline constexpr NcclResult kNcclCudaError = 1;
inline constexpr NcclResult kNcclSystemError = 2;
inline constexpr NcclResult kNcclInternalError = 3;
inline constexpr NcclResult kNcclInvalidArgument = 4;
inline constexpr NcclResult kNcclInvalidUsage = 5;
inline constexpr NcclResult kNcclRemoteError = 6;
inline constexpr NcclResult kNcclInProgress = 7;

// Values of ncclRedOp_t.
inline constexpr int kNcclSum = 0;
inline constexpr int kNcclProduct = 1;
inline constexpr int kNcclMax = 2;
inline constexpr int kNcclMin = 3;
inline constexpr int kNcclAverage = 4;

// Values of ncclDataType_t.
inline constexpr int kNcclInt8 = 0;
inline constexpr int kNcclUint8 = 1;
inline constexpr int kNcclInt32 = 2;
inline constexpr int kNcclInt64 = 4;
inline constexpr int kNcclFloat16 = 6;
inline constexpr int kNcclFloat32 = 7;
inline constexpr int kNcclFloat64 = 8;
inline constexpr int kNcclBfloat16 = 9;

}  // namespace fusebench::cuda

/// Every function in use: X(member of NcclFunctions, exported symbol, parameter types...).
// clang-format off
#define FUSEBENCH_NCCL_FUNCTIONS(X)                                                                \
  X(getUniqueId, ncclGetUniqueId, NcclId*)                                                         \
  X(commInitRank, ncclCommInitRank, NcclComm*, int, NcclId, int)                                   \
  X(commAbort, ncclCommAbort, NcclComm)                                                            \
  X(allReduce, ncclAllReduce, const void*, void*, std::size_t, int, int, NcclComm, Stream)         \
  X(broadcast, ncclBroadcast, const void*, void*, std::size_t, int, int, NcclComm, Stream)         \
  X(allGather, ncclAllGather, const void*, void*, std::size_t, int, NcclComm, Stream)              \
  X(reduceScatter, ncclReduceScatter, const void*, void*, std::size_t, int, int, NcclComm, Stream)
// clang-format on
